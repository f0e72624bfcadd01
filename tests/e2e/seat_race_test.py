"""Five hundred buyers at one instant for two hundred seats: two hundred book, three hundred learn that the date is sold out, and
none is refused because the server is busy. One server on SQLite, two on PostgreSQL.

seat_race_test.py SVC DATABASE
"""
import collections
import datetime
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
SERVERS = 1 if DATABASE == "sqlite" else 2
BUYERS, SEATS = 500, 200


class SeatRace(unittest.TestCase):
    def test_two_hundred_of_five_hundred_buyers_get_the_two_hundred_seats(self):
        with Site(SVC, DATABASE, servers=SERVERS) as site:
            # They all come from one address, and none has paid.
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "unpaid_seats_share": 100})
            trip = site.given_trip()["id"]
            departure = site.given_departure(trip, DAY, SEATS)["id"]
            site.wait_until_all_show(trip)
            answers, gate = [], threading.Barrier(BUYERS)

            def buy(number):
                gate.wait()
                answers.append(site.book(trip, DAY, f"Buyer{number}", server=number % SERVERS))

            buyers = [threading.Thread(target=buy, args=(number,)) for number in range(BUYERS)]
            for buyer in buyers:
                buyer.start()
            for buyer in buyers:
                buyer.join()
            counts = collections.Counter(
                (a.status, a.json.get("code") if a.status != 201 else None) for a in answers)
            print(f"figure: {dict(counts)}, {len(site.busy_answers)} answers 503")
            self.assertEqual(site.busy_answers, [])
            self.assertEqual(counts, {(201, None): SEATS, (409, "sold_out"): BUYERS - SEATS})
            self.assertEqual(len({a.data["reference"] for a in answers if a.status == 201}), SEATS)
            shown = site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data
            self.assertEqual((shown["booked_count"], shown["status"]), (SEATS, "full"))
            site.check_invariants()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
