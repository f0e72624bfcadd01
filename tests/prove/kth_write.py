"""R6: a server killed at the k-th write of one of its threads, for many k: what it acknowledged is there, nothing is
half done, and the next one sells on.

kth_write.py SVC DATABASE FIRST LAST STEP

A write is what reaches the disk on SQLite and what is sent to the server on PostgreSQL; strace kills before it happens.
"""
import contextlib
import http.client
import os
import signal
import subprocess
import sys

from proving import Site, arguments, ask, day, figure, filled_in, not_limited, references

SVC, DATABASE, WHEN = arguments(4)
CALL = {"sqlite": "pwrite64", "postgres": "sendto"}[DATABASE]
# Until one thread has written that often: a start on PostgreSQL sends some fifty times, a booking few times.
BOOKINGS = {"sqlite": 3, "postgres": 20}[DATABASE]


def killing_at(k):
    return ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={CALL}", "-e", f"inject={CALL}:signal=KILL:when={k}")


def ended(server):
    """Kills what is still there: strace's child, which may end by itself meanwhile; then strace ends."""
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    server.process.wait(60)


def book(port, trip, name):
    """The reference, or None when the server died or refused."""
    try:
        status, session = ask(port, "POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
        if status != 201:
            return None
        status, made = ask(port, "POST", "/booking/create", filled_in({
            "session_id": session["data"]["session_id"], "contact_email": f"{name}@example.org"}))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    assert status in (201, 503), (status, made)
    return made["data"]["reference"] if status == 201 else None


def main():
    acknowledged, kills, at_start, unfinished = [], 0, 0, 0
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        site.servers.pop().process.terminate()
        first, last, step = map(int, WHEN)
        for k in range(first, last + 1, step):
            try:
                server = site.start(under=killing_at(k))
            except AssertionError:  # before it listened
                server, at_start, kills = None, at_start + 1, kills + 1
            if server:
                site.servers.remove(server)
                for turn in range(BOOKINGS):
                    made = book(server.port, trip, f"k{k}.{turn}")
                    acknowledged += [made] if made else []
                    unfinished += not made
                    if server.process.poll() is not None:
                        break
                kills += server.process.poll() is not None
                ended(server)
            after = site.start()
            known = set(references(site))
            missing = [one for one in acknowledged if one not in known]
            assert not missing, f"k = {k}: {missing}"
            site.check_invariants()
            sold = book(after.port, trip, f"after{k}")
            assert sold, f"k = {k}: the next server does not sell"
            acknowledged.append(sold)
            site.servers.remove(after)
            after.process.terminate()
            after.process.wait()
        site.start()
        site.check_invariants()
        figure(f"writes {first} to {last} by {step}: killed {kills}, of them before it listened {at_start}; bookings cut"
               f" off {unfinished}, acknowledged {len(acknowledged)}, missing 0")
        assert kills


if __name__ == "__main__":
    sys.exit(main())
