"""R10: on a full disk a write is refused with 503 and a Retry-After, reads are served, and readiness is red; with room again
it heals without a restart, and what was acknowledged is there. A log on a full disk costs no booking.

full_disk.py SVC DATABASE ROUNDS [mounts]      what cannot be mounted is a fault, and else told as left out

The database lies on a small tmpfs: SQLite's file, or PostgreSQL's data (its write-ahead log apart: when that cannot grow it
ends itself). SQLite's writes are failed by strace too; by strace alone where nothing can be mounted.
"""
import pathlib
import subprocess
import sys
import time

from disks import Disk, OnDisk, cluster_on_a_small_disk
from proving import Buyers, answered, arguments, ask, day, figure, not_limited, references

SVC, DATABASE, (ROUNDS, *MOUNTS) = arguments(2)
MORE = 4 * int(ROUNDS)  # MiB for what is booked meanwhile: a disk that it fills is no disk with room again
TRACED = "pwrite64,fallocate,ftruncate"
LEFT_OUT = "LEFT OUT, as nothing can be mounted here"


class Crowd(Buyers):
    """Notes the 503 that do not tell when to come again, and when the last booking was acknowledged."""

    def __init__(self, *words, **named):
        self.hasty, self.last = [], 0.0
        super().__init__(*words, **named)

    def _ask(self, port, *words):
        status, headers, answer = answered(port, *words)
        if status == 503 and not headers.get("retry-after", "").isdigit():
            self.hasty.append(headers)
        if status == 201:
            self.last = time.monotonic()
        return status, answer

    def refusals(self):
        with self.lock:
            return sum(self.refused.values())

    def wait_for_refusals(self, count, seconds=60):
        goal, until = self.refusals() + count, time.monotonic() + seconds
        while self.refusals() < goal:
            assert time.monotonic() < until and not self.wrong, ("nothing is refused", self.wrong[:3])
            time.sleep(0.02)


def reads_are_served(site, trip, reference):
    """A page from memory and what is read from the database; how many were asked for."""
    port = site.servers[-1].port
    paths = ("/trips/public", f"/trips/{trip}/available-dates", f"/bookings?search={reference}", "/bookings")
    for path in paths:
        status, answer = ask(port, "GET", path, headers=site.staff)
        assert status == 200, (path, status, answer)
    return len(paths)


def readiness(site):
    status, _, text = site.servers[-1].ask("/readyz", admin=True)
    return status, text


def through_a_full_disk(site, disk, trip, buyers):
    """Fills the disk under the buyers, and gives room again; reads, and seconds until the next booking."""
    buyers.wait_for_more(10)
    try:
        disk.fill()
        buyers.wait_for_refusals(20)
        # What there was of room in the files' last pages is used up: from here on nothing is written at all.
        while time.monotonic() - buyers.last < 0.5:
            disk.fill()
            time.sleep(0.05)
        reads = reads_are_served(site, trip, buyers.acknowledged[0])
        assert disk.is_full(), "there is room"
        assert readiness(site)[0] == 503, "ready without room"
    finally:
        disk.empty()
    began = time.monotonic()
    buyers.wait_for_more(1)
    healed = time.monotonic() - began
    status, told = readiness(site)
    assert status == 200, (told, disk.left())
    return reads, healed


def through_failing_writes(site, trip, buyers):
    """The same by strace: so many calls in a row find no room."""
    buyers.wait_for_more(10)
    tracer = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", f"{site.dir}/trace", "-p", str(site.servers[-1].process.pid), "-e",
         f"trace={TRACED}", "-e", f"inject={TRACED}:error=ENOSPC"], stdin=subprocess.DEVNULL)
    try:
        buyers.wait_for_refusals(20)
        reads = reads_are_served(site, trip, buyers.acknowledged[0])
        assert readiness(site)[0] == 503, "ready without room"
    finally:
        tracer.terminate()
        tracer.wait()
    began = time.monotonic()
    buyers.wait_for_more(1)
    healed = time.monotonic() - began
    failed = pathlib.Path(f"{site.dir}/trace").read_text(errors="replace").count("(INJECTED)")
    assert failed, "no write was made to fail"
    return reads, healed, failed


def full_log(site, trip):
    """Bookings of a server whose log has no room, and whether the log goes on once it has."""
    place = site.dir / "log"
    place.mkdir()
    disk = Disk(place, "64k")
    if not disk.made:
        assert not MOUNTS, LEFT_OUT
        return None
    site.stack.callback(subprocess.run, ["umount", "-l", str(place)], check=True)
    site.log = "log/server.log"
    server = site.start()
    site.log = None
    disk.fill()
    buyers = Crowd(lambda _: server.port, trip, clients=2)
    buyers.wait_for_more(10)
    assert disk.is_full()
    size = (place / "server.log").stat().st_size
    disk.empty()
    buyers.wait_for_more(3)
    buyers.stop()
    assert not buyers.refused and not buyers.missing_of(references(site)), buyers.refused
    assert (place / "server.log").stat().st_size > size, "the log stays silent"
    return len(buyers.acknowledged)


def proof(disk):
    """`disk`: where PostgreSQL's data is."""
    with OnDisk(SVC, DATABASE, room=64 + MORE) as site:
        disk = disk or site.disk
        assert disk.made or not MOUNTS, LEFT_OUT
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        server = site.servers[-1]
        buyers, healed, reads, said = Crowd(lambda _: server.port, trip, clients=4), [], 0, []
        try:
            for _ in range(int(ROUNDS) if disk.made else 0):
                asked, seconds = through_a_full_disk(site, disk, trip, buyers)
                reads += asked
                healed.append(seconds)
            said.append(f"the disk full {f'{len(healed)} times' if disk.made else LEFT_OUT}")
            if DATABASE == "sqlite":
                asked, seconds, failed = through_failing_writes(site, trip, buyers)
                reads += asked
                healed.append(seconds)
                said.append(f"by strace once, {failed} writes")
        finally:
            buyers.stop()
        assert server.process.poll() is None, "the server is gone"
        server.process.kill()
        server.process.wait()
        site.start()
        missing = buyers.missing_of(references(site))
        site.check_invariants()
        logged = full_log(site, trip)
        site.check_invariants()
        figure(f"{', '.join(said)}; acknowledged {len(buyers.acknowledged)}, lost {len(missing)}, refused with 503"
               f" {buyers.refusals()}, without Retry-After {len(buyers.hasty)}, reads served {reads} of {reads}, healed"
               f" within {max(healed):.2f} s; log full: {f'bookings {logged}, lost 0' if logged else LEFT_OUT}")
        assert not missing, missing[:5]
        assert not buyers.hasty, buyers.hasty[:3]


def main():
    if DATABASE == "sqlite":
        return proof(None)
    with cluster_on_a_small_disk(room=96 + MORE) as (disk, _, _):
        return proof(disk)


if __name__ == "__main__":
    sys.exit(main())
