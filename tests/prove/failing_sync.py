"""R11: while every tenth sync, or a write here and there, of the database fails, what is acknowledged is there after a
restart; while no sync succeeds bookings are refused with 503 and readiness is red, and as soon as they do again all is well
without a restart. On PostgreSQL a sync of one session fails again and again: the cluster panics and recovers from its disk,
what was acknowledged is there, and the server sells on without a restart.

failing_sync.py SVC DATABASE BOOKINGS
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from disks import CLUSTER
from proving import Buyers, Site, answered, arguments, ask, day, figure, filled_in, not_limited, references

SVC, DATABASE, (GOAL,) = arguments(2)
SYNCS, WRITES = "fdatasync,fsync", "pwrite64"
# By thread: the first that fails and each how manyeth after it. A booking is one or two syncs and some forty writes.
WHEN = {SYNCS: ":when=5+10", WRITES: ":when=5+150"}


class Failing:
    """Makes these calls of the server fail with EIO while inside; `failed`: how many did."""

    def __init__(self, site, calls, when=""):
        self.trace, self.failed, self.process = pathlib.Path(f"{site.dir}/trace"), 0, site.servers[-1].process
        self.command = ["strace", "-f", "-qq", "-o", str(self.trace), "-p", str(self.process.pid), "-e",
                        f"trace={calls}", "-e", f"inject={calls}:error=EIO{when}"]

    def __enter__(self):
        self.tracer = subprocess.Popen(self.command, stdin=subprocess.DEVNULL)
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        until = time.monotonic() + 30
        while any("TracerPid:\t0\n" in (task / "status").read_text() for task in tasks.iterdir()):
            assert time.monotonic() < until, "strace does not take hold"
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.tracer.terminate()
        self.tracer.wait()
        with contextlib.suppress(OSError):
            self.failed = self.trace.read_text(errors="replace").count("(INJECTED)")


def some_fail(site, trip, calls):
    """Clients book meanwhile, and the server is killed; the figures, with what is missing of the acknowledged."""
    server = site.servers[-1]
    with Failing(site, calls, WHEN[calls]) as failing:
        buyers = Buyers(lambda _: server.port, trip, clients=4)
        try:
            buyers.wait_for_more(int(GOAL), 240)
        finally:
            buyers.stop()
    assert failing.failed > 0, f"no {calls} was made to fail"
    server.process.kill()
    server.process.wait()
    site.start()
    missing = buyers.missing_of(references(site))
    site.check_invariants()
    assert not missing, missing[:5]
    assert not buyers.cut_off, f"{buyers.cut_off} requests without an answer: {buyers.cuts[:3]}"
    return (f"{failing.failed} of {calls} failed, acknowledged {len(buyers.acknowledged)}, refused"
            f" {sum(buyers.refused.values())}, missing {len(missing)}")


def all_fail(site, trip):
    """Readiness while no sync succeeds, and after."""
    server = site.servers[-1]
    assert server.ask("/readyz", admin=True)[0] == 200
    session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day()}, server=-1).data["session_id"]
    booking = filled_in({"session_id": session})
    with Failing(site, SYNCS) as failing:
        for _ in range(3):
            status, headers, answer = answered(server.port, "POST", "/booking/create", booking)
            assert status == 503 and headers.get("retry-after", "").isdigit(), (status, headers, answer)
            ready, _, text = server.ask("/readyz", admin=True)
            assert ready == 503 and '"database":"ok"' not in text, (ready, text)
            assert server.ask("/healthz", admin=True)[0] == 200
            assert server.ask("/svc/v1/trips/public")[0] == 200
    assert failing.failed > 0, "no sync was made to fail"
    assert server.ask("/readyz", admin=True)[0] == 200, "it stays red"
    assert ask(server.port, "POST", "/booking/create", booking)[0] == 201
    return "while all fail readiness is red and a booking 503, afterwards green and 201"


class FailingSessions:
    """Makes each session of PostgreSQL that there is now fail in its third sync, until one has and with it all ended; what
    recovers afterwards syncs as ever."""

    def __init__(self, site):
        pids = [row[0] for row in site.sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                                           " AND pid <> pg_backend_pid() AND datname = current_database()")]
        assert pids, "the server has no session"
        self.tracer = subprocess.Popen(["strace", "-qq", "-o", "/dev/null", "-e", f"trace={SYNCS}", "-e",
                                        f"inject={SYNCS}:error=EIO:when=3", *(f"-p{pid}" for pid in pids)],
                                       stdin=subprocess.DEVNULL)

    def wait(self):
        try:
            self.tracer.wait(120)
        finally:
            self.tracer.kill()


def sessions_fail(site, trip, log):
    """So often the cluster panics under clients; the figures."""
    server, rounds = site.servers[-1], max(1, int(GOAL) // 30)

    def panics():
        return log.read_text(errors="replace").count("PANIC:  could not f")  # fsync or fdatasync

    buyers = Buyers(lambda _: server.port, trip, clients=4)
    try:
        for number in range(rounds):
            buyers.wait_for_more(20)
            FailingSessions(site).wait()
            assert panics() > number, "no sync was made to fail"
            buyers.wait_for_more(20)
    finally:
        buyers.stop()
    assert not buyers.cut_off, f"{buyers.cut_off} requests without an answer: {buyers.cuts[:3]}"
    missing = buyers.missing_of(references(site))
    assert not missing, missing[:5]
    return (f"panics of PostgreSQL {panics()}, acknowledged {len(buyers.acknowledged)}, refused"
            f" {sum(buyers.refused.values())}, missing {len(missing)}")


def on_postgres():
    with tempfile.TemporaryDirectory(prefix="svc-sync-") as folder:
        place = f"{folder}/cluster"
        subprocess.run([*CLUSTER, "start", place], check=True)
        try:
            os.environ["SVC_TEST_POSTGRES"] = pathlib.Path(place + ".conninfo").read_text()
            log = pathlib.Path(pathlib.Path(place + ".place").read_text()) / "log"
            with Site(SVC, DATABASE) as site:
                not_limited(site)
                trip = site.given_trip()["id"]
                site.given_departure(trip, day(), 100_000)
                figure(sessions_fail(site, trip, log))
        finally:
            subprocess.run([*CLUSTER, "stop", place], check=True)


def main():
    if DATABASE == "postgres":
        return on_postgres()
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        figure("; ".join([some_fail(site, trip, SYNCS), some_fail(site, trip, WRITES), all_fail(site, trip)]))
        site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
