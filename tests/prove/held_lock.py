"""R17 on SQLite: another process holds the write lock, for longer than a writer waits for it, while readers and buyers are at
work. Reads go on as before, what visitors see and what staff see; no write is answered as done, each is refused with 503 and a
Retry-After and in time; nothing acknowledged is lost, and what is begun once the lock is gone succeeds, for each client at
its second request at the latest. More buyers than workers: one of them alone may keep its worker that long.

held_lock.py SVC sqlite TIMES BUYERS      at once; the server has four workers
"""
import collections
import subprocess
import sys
import time

from proving import Asker, Site, Watched, arguments, day, figure, not_limited, references, unmoved

SVC, DATABASE, (TIMES, BUYERS) = arguments(3)
HELD = 10  # seconds
# A writer waits for the file so long, for the writer before it so long, and the machine may be slow.
BUSY, BEHIND, SLOW = 5, 2, 1
HOLDER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
database.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
database.execute("ROLLBACK")
print("gone", flush=True)
"""


def hold(file):
    """Another process has the write lock for that long; when it had it and when it no longer had."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        held = time.monotonic()
        time.sleep(HELD)
        before_end = time.monotonic()
        holder.stdin.close()
        assert holder.stdout.readline() == "gone\n"
        return held, before_end, time.monotonic()


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none", "SVC_LISTEN_WORKERS": "4"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        port, file = site.servers[0].port, f"{site.dir}/var/svc.db"
        asked = {"from memory": (port, "GET", "/trips/public"),
                 "from the database": (port, "GET", "/bookings", None, site.staff)}
        times, statuses, told, late = [], collections.Counter(), [], 0
        buyers = Watched(lambda _: port, trip, clients=int(BUYERS))
        try:
            for _ in range(int(TIMES)):
                buyers.wait_for_more(20)
                quiet = {what: Asker({200}, *words) for what, words in asked.items()}
                time.sleep(2)
                usual = {what: each.stop() for what, each in quiet.items()}
                readers = {what: Asker({200}, *words) for what, words in asked.items()}
                held, before_end, gone = hold(file)
                told.append({what: (usual[what], each.stop(), len(each.times)) for what, each in readers.items()})
                buyers.wait_for_more(10 * int(BUYERS))
                with buyers.lock:
                    during = [one for one in buyers.asked if one[1] < gone and one[2] > held]
                statuses.update(status for *_, status, _ in during)
                times += [ended - max(began, held) for _, began, ended, *_ in during]
                assert all(says_when for *_, status, says_when in during if status == 503), "no Retry-After"
                done = [one for one in during if held < one[1] and one[2] < before_end and one[3] != 503]
                assert not done, f"answered as done while nobody could write: {done[:3]}"
                late = max(late, *buyers.refused_since(gone).values(), 0)
        finally:
            buyers.stop()
        missing = buyers.missing_of(references(site))
        assert not missing, missing[:5]
        site.check_invariants()
        pages = "; ".join(f"p99 of pages {what} {usual * 1000:.0f} ms before, {during * 1000:.0f} meanwhile, {count} of them"
                          for round_ in told for what, (usual, during, count) in round_.items())
        figure(f"write lock held {TIMES} times for {HELD} s, {BUYERS} buyers: bookings {len(buyers.acknowledged)}, missing 0;"
               f" asked meanwhile {dict(statuses)}, longest {max(times):.1f} s; begun afterwards and refused {late}; {pages}")
        assert statuses[503] and not buyers.cuts, (statuses, buyers.cuts[:3])
        assert late <= 1, f"{late} requests of one client were refused once the lock was gone"
        for round_ in told:
            for what, (usual, during, _) in round_.items():
                unmoved(usual, during, f"{what} meanwhile")
        assert max(times) < BUSY + BEHIND + SLOW, f"a write waited {max(times):.1f} s for the lock"


if __name__ == "__main__":
    sys.exit(main())
