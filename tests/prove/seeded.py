"""R22: a schedule of operations made of a seed, kills of the server included, run twice: both times the same end, and
every invariant kept after each step.

seeded.py SVC DATABASE SEEDS
"""
import hashlib
import json
import sys

from proving import SEED, Site, arguments, day, figure, not_limited, random_of

SVC, DATABASE, (SEEDS,) = arguments(2)
STEPS = 25


class Schedule:
    """One trip, two departures, and what the seed does with them."""

    def __init__(self, site, seed):
        self.site, self.chance, self.bookings, self.told = site, random_of("schedule", seed), [], []
        self.trip = site.given_trip(title="Seeded", regular_price=99.95)["id"]
        self.departures = [site.given_departure(self.trip, day(40 + at), 6)["id"] for at in range(2)]

    def staff(self, method, path, body=None):
        answer = self.site.as_staff(method, path, body, server=-1)
        assert answer.status < 500, (method, path, body, answer)
        self.told.append((method, answer.status, answer.json.get("code")))
        return answer

    def any_booking(self):
        return self.chance.choice(self.bookings) if self.bookings else None

    def book(self):
        at = self.chance.randrange(2)
        answer = self.site.book(self.trip, day(40 + at), f"Ada{len(self.bookings)}", server=-1,
                                travelers_count=self.chance.randint(1, 3), join_waitlist=self.chance.random() < 0.5)
        assert answer.status in (201, 400, 409), answer
        self.told.append(("book", answer.status, answer.json.get("code")))
        if answer.status == 201:
            self.bookings.append(answer.data["id"])

    def set_status(self):
        if booking := self.any_booking():
            status = self.chance.choice(["pending", "confirmed", "cancelled", "on-hold", "completed", "failed"])
            self.staff("PUT", f"/bookings/{booking}/status", {"status": status})

    def pay(self):
        if booking := self.any_booking():
            self.staff("POST", "/payments", {"booking_id": booking, "amount": self.chance.randint(1, 12000) / 100,
                                             "gateway": "cash", "status": "completed"})

    def trash(self):
        if booking := self.any_booking():
            self.staff("DELETE", f"/bookings/{booking}")
            if self.chance.random() < 0.7:
                self.staff("POST", f"/bookings/{booking}/restore")
            else:
                self.bookings.remove(booking)

    def resize(self):
        departure = self.chance.choice(self.departures)
        self.staff("PUT", f"/trips/{self.trip}/departures/{departure}", {"max_capacity": self.chance.randint(1, 9)})

    def kill(self):
        self.site.servers[-1].process.kill()
        self.site.servers[-1].process.wait()
        self.site.start()
        del self.site.servers[:-1]

    def run(self):
        ways = [self.book] * 8 + [self.set_status] * 5 + [self.pay] * 3 + [self.trash] * 2 + [self.resize] * 2
        for step in range(STEPS):
            (self.kill if step == STEPS // 2 else self.chance.choice(ways))()
            self.site.check_invariants()
        rows = self.site.sql(
            "SELECT b.status, b.payment_status, b.total_minor, b.amount_paid_minor, b.travelers_count, b.travel_date,"
            " COALESCE(l.seats, 0) FROM svc_bookings b LEFT JOIN svc_booking_departures l ON l.booking_id = b.id AND"
            f" l.released_at IS NULL WHERE b.trip_id = {self.trip} ORDER BY b.id")
        seats = self.site.sql("SELECT start_date, capacity, booked_count, status FROM svc_departures"
                              f" WHERE trip_id = {self.trip} ORDER BY start_date")
        return hashlib.sha256(json.dumps([rows, seats, self.told]).encode()).hexdigest(), len(self.told)


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        steps = 0
        for seed in range(SEED, SEED + int(SEEDS)):
            first, count = Schedule(site, seed).run()
            again, _ = Schedule(site, seed).run()
            assert first == again, f"seed {seed} ended in two ways"
            steps += count
        figure(f"seeds {SEEDS} from {SEED}, operations {steps}, failures 0, replays alike {SEEDS}")


if __name__ == "__main__":
    sys.exit(main())
