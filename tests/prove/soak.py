"""R21: under a steady mix of reading and booking, memory, descriptors, threads and SQLite's write-ahead log stay what they
were once warm; what grew is told by a million requests.

soak.py SVC DATABASE SECONDS
"""
import os
import sys
import threading
import time

from proving import Buyers, Site, arguments, ask, day, figure, not_limited, references

SVC, DATABASE, (SECONDS,) = arguments(2)
# Until every thread and every database session has filled its caches: a long run's database outgrows those of SQLite.
WARM = max(25, int(SECONDS) // 3)
WAL_MOST = 4 * 4000 * 4096  # four times the pages after which SQLite begins it anew: readers hold that up


def sizes(site):
    process = site.servers[0].process
    status = dict(line.split(":", 1) for line in open(f"/proc/{process.pid}/status") if ":" in line)
    return {"kib": int(status["VmRSS"].split()[0]), "threads": int(status["Threads"]),
            "descriptors": len(os.listdir(f"/proc/{process.pid}/fd")), "wal": log_size(site)}


def log_size(site):
    """Bytes of the write-ahead log: SQLite's file, or what PostgreSQL keeps of its own."""
    if DATABASE == "sqlite":
        return os.stat(site.environment["SVC_DATABASE_URL"].removeprefix("sqlite:") + "-wal").st_size
    return int(site.sql("SELECT SUM(size) FROM pg_ls_waldir()")[0][0])


class Readers:
    def __init__(self, port, trip, count=3):
        self.port, self.trip, self.asked, self.ended = port, trip, 0, threading.Event()
        self.threads = [threading.Thread(target=self._read, args=(n,)) for n in range(count)]
        for thread in self.threads:
            thread.start()

    def _read(self, number):
        paths = ["/trips/public", f"/trips/{self.trip}/available-dates", "/trips/public?search=harbour", "/nothing",
                 f"/trips/public?page={number + 1}"]
        while not self.ended.is_set():
            for path in paths:
                ask(self.port, "GET", path)
                self.asked += 1

    def stop(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def main():
    with Site(SVC, DATABASE, log="server.log") as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        # A departure has at most 100,000 seats, and half an hour sells more: each buyer has a day of their own.
        days = [day(60 + number) for number in range(3)]
        for each in days:
            site.given_departure(trip, each, 100_000)
        readers = Readers(site.servers[0].port, trip)
        buyers = Buyers(lambda _: site.servers[0].port, trip, clients=len(days), days=days)
        time.sleep(WARM)
        before, began = sizes(site), readers.asked + 2 * len(buyers.acknowledged)
        time.sleep(int(SECONDS))
        after, requests = sizes(site), readers.asked + 2 * len(buyers.acknowledged) - began
        readers.stop()
        buyers.stop()
        assert not buyers.missing_of(references(site))
        site.check_invariants()
        grown = after["kib"] - before["kib"]
        per_million = {name: (after[name] - before[name]) * 1e6 / requests for name in before}
        figure(f"requests {requests}, memory {before['kib'] >> 10} to {after['kib'] >> 10} MiB, threads"
               f" {before['threads']} to {after['threads']}, descriptors {before['descriptors']} to"
               f" {after['descriptors']}, write-ahead log {before['wal'] / 1e6:.1f} to {after['wal'] / 1e6:.1f} MB; grown per"
               f" million requests: memory {per_million['kib'] / 1024:+.1f} MiB, threads {per_million['threads']:+.1f},"
               f" descriptors {per_million['descriptors']:+.1f}, log {per_million['wal'] / 1e6:+.1f} MB")
        # Connections come and go; a leak of 100 bytes a request would be more than this in the long set.
        assert after["threads"] == before["threads"]
        assert after["descriptors"] - before["descriptors"] < 20
        # A log that is never begun anew takes a kilobyte a request and more.
        assert DATABASE != "sqlite" or after["wal"] < WAL_MOST, after
        assert grown < 8 << 10, f"{grown} KiB more after {requests} requests"


if __name__ == "__main__":
    sys.exit(main())
