"""Two hundred buyers from two server processes for ten seats: ten are sold, the rest are told sold_out.

seat_race_test.py SVC DATABASE
"""
import collections
import concurrent.futures
import datetime
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
BUYERS, SEATS = 200, 10


class SeatRace(unittest.TestCase):
    def test_ten_of_two_hundred_buyers_get_the_ten_seats(self):
        with Site(SVC, DATABASE, servers=2) as site:
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0})
            trip = site.given_trip()["id"]
            departure = site.given_departure(trip, DAY, SEATS)["id"]
            site.wait_until_all_show(trip)

            def buy(number):
                return site.book(trip, DAY, f"Buyer{number}", server=number % 2)

            with concurrent.futures.ThreadPoolExecutor(BUYERS) as pool:
                answers = list(pool.map(buy, range(BUYERS)))
            counts = collections.Counter(
                (a.status, a.json.get("code") if a.status != 201 else None) for a in answers)
            print(f"figure: {dict(counts)}")
            self.assertEqual(counts, {(201, None): SEATS, (409, "sold_out"): BUYERS - SEATS})
            self.assertEqual(len({a.data["reference"] for a in answers if a.status == 201}), SEATS)
            shown = site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data
            self.assertEqual((shown["booked_count"], shown["status"]), (SEATS, "full"))
            site.check_invariants()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
