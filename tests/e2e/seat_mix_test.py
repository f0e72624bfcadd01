"""Two hundred clients of four server processes book, wait, cancel, change capacities and move a departure, all at once:
no seat is sold twice, and at rest every count is what the ledger says.

seat_mix_test.py SVC DATABASE [ROUNDS]     ROUNDS: what each client does in a row, 3 unless told
"""
import collections
import concurrent.futures
import datetime
import os
import pathlib
import random
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
CLIENTS, SERVERS = 200, 4
SEED = os.environ.get("SVC_PROOF_SEED", "1")
FIRST = datetime.date.today() + datetime.timedelta(days=40)
REFUSALS = {"sold_out", "date_unavailable", "date_blocked", "svc_conflict", "svc_invalid_transition"}


class Mix:
    """One trip with a departure that keeps its day and one that staff move to and fro."""

    def __init__(self, site, capacity, seed):
        self.site, self.capacity, self.random = site, capacity, random.Random(f"{SEED} {seed}")
        self.counts, self.lock, self.done = collections.Counter(), threading.Lock(), threading.Event()
        self.trip = site.given_trip()["id"]
        self.still = site.given_departure(self.trip, FIRST.isoformat(), capacity)["id"]
        self.moving_day = FIRST + datetime.timedelta(days=10)
        self.moving = site.given_departure(self.trip, self.moving_day.isoformat(), capacity)["id"]
        site.wait_until_all_show(self.trip)

    def count(self, what, answer):
        if answer.status < 300:
            result = "ok"
        else:
            result = answer.json["code"]
            assert result in REFUSALS, (what, answer)
        with self.lock:
            self.counts[f"{what} {result}"] += 1

    def client(self, number):
        chance = random.Random(f"{SEED} {self.capacity} {number} {self.site.database}")
        mine = []
        for turn in range(ROUNDS):
            server = chance.randrange(SERVERS)
            if mine and chance.random() < 0.5:
                booking = mine.pop(chance.randrange(len(mine)))
                self.count("cancel", self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"},
                                                        server=server))
                continue
            day = FIRST if chance.random() < 0.7 else self.moving_day
            wants = chance.randint(1, min(3, self.capacity))
            waits = chance.random() < 0.3
            answer = self.site.book(self.trip, day.isoformat(), f"B{number}x{turn}", server=server,
                                    travelers_count=wants, join_waitlist=waits)
            self.count("book", answer)
            if answer.status == 201:
                mine.append(answer.data["id"])
                if answer.data["status"] == "waitlist":
                    with self.lock:
                        self.counts["waiting"] += 1

    def edit_capacity(self):
        chance = random.Random(f"{SEED} resize {self.capacity}")
        while not self.done.is_set():
            size = chance.randint(max(1, self.capacity // 2), self.capacity * 2)
            self.count("resize", self.site.as_staff("PUT", f"/trips/{self.trip}/departures/{self.still}",
                                                    {"max_capacity": size}, server=chance.randrange(SERVERS)))

    def move(self):
        chance = random.Random(f"{SEED} move {self.capacity}")
        while not self.done.is_set():
            day = FIRST + datetime.timedelta(days=chance.randint(5, 15))
            answer = self.site.as_staff("PUT", f"/trips/{self.trip}/departures/{self.moving}",
                                        {"start_date": day.isoformat()}, server=chance.randrange(SERVERS))
            self.count("move", answer)
            if answer.status == 200:
                self.moving_day = day

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(CLIENTS + 2) as pool:
            staff = [pool.submit(self.edit_capacity), pool.submit(self.move)]
            for each in [pool.submit(self.client, number) for number in range(CLIENTS)]:
                each.result()
            self.done.set()
            for each in staff:
                each.result()


class SeatMix(unittest.TestCase):
    def test_whatever_happens_at_once_no_seat_is_sold_twice(self):
        with Site(SVC, DATABASE) as site:
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
            for _ in range(1, SERVERS):  # they start with these settings
                site.start()
            for capacity in (1, 7, 200):
                with self.subTest(capacity=capacity):
                    mix = Mix(site, capacity, seed=capacity)
                    began = time.monotonic()
                    mix.run()
                    took = time.monotonic() - began
                    print(f"figure: capacity {capacity}: {dict(sorted(mix.counts.items()))} in {took:.1f} s")
                    self.check(site, mix)

    def check(self, site, mix):
        site.check_invariants()
        of_trip = f"d.trip_id = {mix.trip}"
        ledger = "COALESCE((SELECT SUM(l.seats) FROM svc_booking_departures l WHERE l.departure_id = d.id" \
                 " AND l.released_at IS NULL), 0)"
        oversold = site.sql(f"SELECT d.id FROM svc_departures d WHERE {of_trip} AND {ledger} > d.capacity")
        drifted = site.sql(f"SELECT d.id FROM svc_departures d WHERE {of_trip} AND {ledger} <> d.booked_count")
        # At rest nobody waits for seats that are free: nobody, that is, who has waited longest. The ids do not tell who
        # that is, as who came first may reach the departure's row second.
        forgotten = site.sql(
            "SELECT w.id FROM svc_waitlist w JOIN svc_departures d ON d.id = w.departure_id"
            f" WHERE {of_trip} AND w.ended_at IS NULL AND w.seats <= d.capacity - d.booked_count"
            " AND w.id = (SELECT f.id FROM svc_waitlist f WHERE f.departure_id = d.id AND f.ended_at IS NULL"
            " ORDER BY f.joined_at, f.id LIMIT 1)")
        # Bookings are on the day their departure is on.
        strayed = site.sql(
            "SELECT b.id FROM svc_bookings b JOIN svc_booking_departures l ON l.booking_id = b.id"
            " AND l.released_at IS NULL JOIN svc_departures d ON d.id = l.departure_id"
            f" WHERE {of_trip} AND b.travel_date <> d.start_date")
        self.assertEqual((oversold, drifted, forgotten, strayed), ([], [], [], []))
        self.assertGreater(mix.counts["book ok"], 0)
        self.assertGreater(mix.counts["cancel ok"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
