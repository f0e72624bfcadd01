"""R6: a server killed after the k-th write of a booking, from the session to its e-mails: each page, sync or answer on
SQLite, each message to the database or answer on PostgreSQL. Started again, every invariant holds, what was answered is
there, the buyer who asks again has one booking, and each booking gets its e-mails.

killed_writes.py SVC DATABASE KILLS    that many spread over the writes; all: each of them
"""
import http.client
import json
import pathlib
import subprocess
import sys
import threading
import time

from proving import Site, arguments, ask, day, figure, filled_in, not_limited, random_of

SVC, DATABASE, (KILLS,) = arguments(2)
WRITES = "pwrite64,fdatasync,fsync,ftruncate,sendmsg" if DATABASE == "sqlite" else "sendto,sendmsg"
# Each write waits so long before it happens: time enough to kill after the one before.
APART_US = 3000
QUIET = 0.12  # seconds without a write: a booking and what follows from it is over; the database is polled each 0.2


class Traced:
    """The writes of a server, counted from `begin()` on; it is dead before the one after the `last`."""

    def __init__(self, server, last=None):
        self.process, self.last, self.count, self.counting = server.process, last, 0, False
        self.changed = threading.Condition()
        self.tracer = subprocess.Popen(
            ["strace", "-f", "-qq", "-p", str(self.process.pid), "-e", f"trace={WRITES}", "-e", "signal=none", "-e",
             f"inject={WRITES}:delay_enter={APART_US}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace")
        self.reader = threading.Thread(target=self._read)
        self.reader.start()
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        while any("TracerPid:\t0\n" in (task / "status").read_text() for task in tasks.iterdir()):
            time.sleep(0.01)
        self.wait_until_quiet()

    def _read(self):
        for line in self.tracer.stderr:
            if "<unfinished" in line or " = " not in line:
                continue  # told again when it is done
            with self.changed:
                self.count += 1
                if self.counting and self.count == self.last:
                    self.process.kill()
                self.changed.notify_all()

    def wait_until_quiet(self):
        """No write for a while, or the server is dead."""
        with self.changed:
            while self.process.poll() is None and self.changed.wait(QUIET):
                pass

    def begin(self):
        with self.changed:
            self.count, self.counting = 0, True

    def end(self):
        self.process.kill()
        self.process.wait()
        self.tracer.wait()
        self.reader.join()


class Buyer:
    """Books once, asks again when it had no answer, and notes the reference it was told."""

    def __init__(self, number, trip):
        self.number, self.trip, self.session, self.told = number, trip, None, None
        self.email = f"ada{number}@example.org"

    def buy(self, port):
        if not self.session:
            status, answer = ask(port, "POST", "/booking/session", {"trip_id": self.trip, "travel_date": day()})
            assert status == 201, (status, answer)
            self.session = answer["data"]["session_id"]
        status, answer = ask(port, "POST", "/booking/create",
                             filled_in({"session_id": self.session, "contact_email": self.email}),
                             {"Idempotency-Key": f"the-booking-of-{self.number}"})
        assert status == 201, (status, answer)
        reference = answer["data"]["reference"]
        assert self.told in (None, reference), (self.told, reference)
        self.told = reference


def try_to_buy(buyer, port):
    try:
        buyer.buy(port)
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        pass  # no answer: nothing was promised


def killed_at(site, buyer, last):
    """Kills the server after the `last` write of the buyer's booking; what was told is there, and asking again too."""
    traced = Traced(site.servers[-1], last)
    traced.begin()
    try_to_buy(buyer, site.servers[-1].port)
    traced.wait_until_quiet()
    reached, told = traced.count >= last, buyer.told
    traced.end()
    site.check_invariants()
    there = [row[0] for row in site.sql(f"SELECT reference FROM svc_bookings WHERE contact_email = '{buyer.email}'")]
    assert told is None or there == [told], (last, told, there)
    site.start()
    buyer.buy(site.servers[-1].port)
    assert len(there) < 2 and buyer.told in (there or [buyer.told]), (last, there, buyer.told)
    site.check_invariants()
    return reached, told is not None, bool(there)


def writes_of_one(site, buyer):
    traced = Traced(site.servers[-1])
    traced.begin()
    buyer.buy(site.servers[-1].port)
    traced.wait_until_quiet()
    traced.end()
    site.start()
    return traced.count


def letters(site):
    return {row[0]: int(row[1]) for row in site.sql("SELECT b.reference, COUNT(e.id) FROM svc_bookings b LEFT JOIN "
                                                    "svc_email_outbox e ON e.booking_id = b.id GROUP BY b.reference")}


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none", "SVC_LISTEN_WORKERS": "1"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10_000)
        writes = writes_of_one(site, Buyer(0, trip))
        if KILLS == "all":
            wanted = list(range(1, writes + 1))
        else:
            chance, share = random_of("writes"), writes / int(KILLS)
            wanted = [1 + int(share * (part + chance.random())) for part in range(int(KILLS))]
        seen = {number: killed_at(site, Buyer(number, trip), last) for number, last in enumerate(wanted, 1)}
        # The events of the dead are taken over when their lease has ended: here at once, by a server that starts then.
        site.servers[-1].process.kill()
        site.servers[-1].process.wait()
        site.sql("UPDATE svc_domain_events SET lease_until = 1 WHERE dispatched_at IS NULL")
        site.start()
        until = time.monotonic() + 90
        while len(set(letters(site).values())) > 1 and time.monotonic() < until:
            time.sleep(0.1)
        counts = sorted(set(letters(site).values()))
        each = ", ".join(map(str, counts))
        figure(f"writes of a booking {writes}, killed after {sum(reached for reached, _, _ in seen.values())} of them;"
               f" nothing stored {sum(not there for _, _, there in seen.values())}, stored unanswered"
               f" {sum(there and not told for _, told, there in seen.values())}, answered"
               f" {sum(told for _, told, _ in seen.values())}; missing 0, twice 0, e-mails of each {each}")
        assert len(counts) == 1 and counts[0] > 0, letters(site)
        # The writes are as many as in the first booking, but for what the server does beside it.
        assert 2 * sum(reached for reached, _, _ in seen.values()) > len(seen), seen


if __name__ == "__main__":
    sys.exit(main())
