"""R19: each dependency is broken in turn and mended: /readyz is red while it is and names what is broken, /healthz is green
all the time, and /readyz is green again without a restart. Every verdict is counted, and how long each took to be told.

broken_health.py SVC DATABASE ROUNDS [mounts]      what cannot be mounted is a fault, and else told as left out
"""
import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from disks import CLUSTER, OnDisk, cluster_on_a_small_disk
from proving import answered, arguments, day, figure, not_limited

SVC, DATABASE, (ROUNDS, *MOUNTS) = arguments(2)
LATE_US = 660_000_000  # eleven minutes: what waits ten is late
LEFT_OUT = "LEFT OUT, as nothing can be mounted here"
AGAIN, LONG = 0.05, 90  # seconds between two questions, and until a verdict is given up


class Watch:
    """Asks a server for both verdicts over and over."""

    def __init__(self, server):
        self.server, self.changed = server, threading.Condition()
        self.verdicts, self.wrong, self.last = collections.Counter(), [], (None, None)
        self.expected = None  # while one verdict alone is right
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._ask)
        self.thread.start()

    def _ask(self):
        while not self.ended.wait(AGAIN):
            expected = self.expected
            alive = self.server.ask("/healthz", admin=True)[0]
            ready, _, text = self.server.ask("/readyz", admin=True)
            red = {name for name, state in json.loads(text)["checks"].items() if state != "ok"}
            with self.changed:
                self.verdicts[ready] += 1
                self.last = (ready, red)
                # Mail and events are an alarm: every node has the same ones, so that none is to be left out for them.
                if alive != 200 or (ready == 200) != (not red - {"mail", "events"}):
                    self.wrong.append(("alive", alive, ready, red))
                if expected is not None and expected is self.expected and red != expected:
                    self.wrong.append(("expected", expected, red))
                self.changed.notify_all()

    def until(self, red):
        """Waits until that is told, and nothing else: from then on every other verdict is wrong."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.last[1] == red, LONG), (red, self.last, self.wrong[:3])
            self.expected = red

    def anything(self):
        """What is told meanwhile may be either: something is being broken or mended."""
        with self.changed:
            self.expected = None

    def sees(self):
        """That a green verdict where a red one is right would be seen."""
        with self.changed:
            self.expected = {"database"}
            assert self.changed.wait_for(lambda: self.wrong, LONG), "a wrong verdict is not seen"
            self.expected = None
            assert self.wrong.pop()[0] == "expected" and not self.wrong

    def stop(self):
        self.ended.set()
        self.thread.join()


@contextlib.contextmanager
def moved_file(site, _):
    """The file is put aside, as by somebody who cleans up; what is written now would be lost."""
    file = pathlib.Path(site.environment["SVC_DATABASE_URL"].removeprefix("sqlite:"))
    aside = file.with_name("aside.db")
    file.rename(aside)
    try:
        yield
    finally:
        aside.rename(file)


@contextlib.contextmanager
def failing_file(site, server):
    """Every write and sync of it fails."""
    calls = "pwrite64,fdatasync,fsync"
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", f"{site.dir}/trace", "-p", str(server.process.pid), "-e",
                               f"trace={calls}", "-e", f"inject={calls}:error=EIO"], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        tracer.terminate()
        tracer.wait()


@contextlib.contextmanager
def nearly_full_disk(site, _):
    site.disk.fill(but=2 << 20)
    try:
        yield
    finally:
        site.disk.empty()


@contextlib.contextmanager
def waiting_mail(site, _):
    """An e-mail has waited for ten minutes, as nobody takes it."""
    site.sql("INSERT INTO svc_email_outbox (template_key, event_key, to_email, subject, status, next_attempt_at, created_at,"
             f" updated_at) VALUES ('x', 'x', 'x@example.org', 'x', 'queued', {int(time.time() * 1e6) - LATE_US}, 0, 0)")
    try:
        yield
    finally:
        site.sql("UPDATE svc_email_outbox SET status = 'suppressed'")


@contextlib.contextmanager
def standing_queue(site, _):
    """An event that its worker, which says that it lives, has not done for ten minutes."""
    now = int(time.time() * 1e6)
    site.sql("INSERT INTO svc_domain_events (name, arguments, occurred_at, leased_by, lease_until, attempts) VALUES"
             f" ('svc_booking_created', '[]', {now - LATE_US}, 'stands still', {now + LATE_US}, 1)")
    try:
        yield
    finally:
        site.sql("DELETE FROM svc_domain_events WHERE leased_by = 'stands still'")


@contextlib.contextmanager
def pending_migration(site, _):
    """As after the restore of an older copy under a running server; a server does not start on it at all."""
    name, checksum, at = site.sql("SELECT name, checksum, applied_at FROM svc_migrations WHERE edition = 'base'"
                                  " ORDER BY name DESC LIMIT 1")[0]
    site.sql(f"DELETE FROM svc_migrations WHERE edition = 'base' AND name = '{name}'")
    try:
        refused = subprocess.run([site.svc, "serve", "--listen-port", "0", "--admin-port", "0"], cwd=site.dir, timeout=60,
                                 env={**os.environ, **site.environment}, capture_output=True, text=True)
        assert refused.returncode == 1 and "migrate" in refused.stderr, refused
        yield
    finally:
        site.sql("INSERT INTO svc_migrations (edition, name, checksum, applied_at) VALUES"
                 f" ('base', '{name}', '{checksum}', {at})")


def of_postgres(place, disk, log):
    @contextlib.contextmanager
    def server_down(*_):
        subprocess.run([*CLUSTER, "down", place], check=True)
        try:
            yield
        finally:
            subprocess.run([*CLUSTER, "up", place], check=True)

    @contextlib.contextmanager
    def full_disk(site, server):
        """No room for rows, and enough for its log: it lives, and whatever wants a page more is refused."""
        disk.fill()
        try:
            for _ in range(10_000):  # there is room in the last pages
                status, headers, _ = answered(server.port, "POST", "/booking/session", {"trip_id": site.trip})
                assert status in (201, 503), status
                if status == 503 and disk.is_full():
                    break
                if status == 503:  # refused, PostgreSQL gave back what it had got of a page
                    disk.fill()
            assert status == 503 and headers.get("retry-after", "").isdigit() and disk.is_full(), (status, headers)
            yield
        finally:
            disk.empty()

    @contextlib.contextmanager
    def full_log(site, _):
        """No room for its log: it ends itself, and starts once there is room."""
        psql = subprocess.Popen(["psql", site.sql_admin, "-At"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.DEVNULL)
        psql.stdin.write("SELECT 1;\n")
        psql.stdin.flush()
        assert psql.stdout.readline() == "1\n"  # it is connected
        log.fill()
        more = "SELECT pg_logical_emit_message(true, 'proof', 'full');\nSELECT pg_switch_wal();\n"
        try:
            psql.communicate(more * 30)
            yield
        finally:
            log.empty()
            subprocess.run([*CLUSTER, "down", place], check=True)
            subprocess.run([*CLUSTER, "up", place], check=True)
    all_of_it = {"database", "mail", "events", "schema"}
    return {"PostgreSQL down": (server_down, all_of_it), "disk of its log full": (full_log, all_of_it),
            "disk of its data full": (full_disk, {"disk"})}


def of_sqlite(disk):
    return {"file moved": (moved_file, {"database"}), "file failing": (failing_file, {"database"}),
            **({"disk nearly full": (nearly_full_disk, {"disk"})} if disk.made else {})}


def proof(broken_by):
    # No job runs: a job would send the e-mail that waits, or put it off, and the day's other work is not looked at here.
    with OnDisk(SVC, DATABASE, environment={"SVC_JOBS_RUN": "false"}) as site:
        not_limited(site)
        trip = site.trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 1000)
        said = site.as_staff("PUT", "/settings", {"from_email": "office@example.org", "smtp_enabled": True, "smtp_port": 9,
                                                  "smtp_host": "127.0.0.1", "smtp_encryption": "none"})
        assert said.status == 200, said
        mounted = broken_by or site.disk.made
        assert mounted or not MOUNTS, LEFT_OUT
        broken = {**(broken_by or of_sqlite(site.disk)), "e-mail not taken": (waiting_mail, {"mail"}),
                  "queue standing still": (standing_queue, {"events"}), "migration pending": (pending_migration, {"schema"})}
        server = site.servers[0]
        watch, told = Watch(server), collections.defaultdict(list)
        try:
            watch.until(set())
            watch.sees()
            for _ in range(int(ROUNDS)):
                for name, (breaks, red) in broken.items():
                    watch.anything()
                    began = time.monotonic()
                    with breaks(site, server):
                        watch.until(red)
                        found = time.monotonic()
                        time.sleep(0.5)
                        watch.anything()
                        mended = time.monotonic()
                    watch.until(set())
                    told[name].append((found - began, time.monotonic() - mended))
                    made = site.book(trip, day())
                    assert made.status == 201, (name, made)
            watch.anything()
            server.process.send_signal(signal.SIGTERM)
        finally:
            watch.stop()
        figure(f"verdicts {sum(watch.verdicts.values())}, red {watch.verdicts[503]}, wrong {len(watch.wrong)}; told within,"
               " its breaking and mending included: " + ", ".join(
                   f"{name} {max(found for found, _ in each):.2f} s (mended {max(back for _, back in each):.2f} s)"
                   for name, each in told.items()) + ("" if mounted else f"; disk nearly full: {LEFT_OUT}"))
        assert not watch.wrong, watch.wrong[:5]


def main():
    if DATABASE == "sqlite":
        return proof(None)
    with cluster_on_a_small_disk(log_size="256m") as (disk, log, place):
        return proof(of_postgres(place, disk, log))


if __name__ == "__main__":
    sys.exit(main())
