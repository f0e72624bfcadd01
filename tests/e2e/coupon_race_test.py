"""Buyers of two server processes want the same code at once: it is used as often as it may be, and never more.

coupon_race_test.py SVC DATABASE
"""
import collections
import concurrent.futures
import datetime
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
BUYERS, USES = 60, 7


class CouponRace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE, servers=2).__enter__()
        cls.addClassCleanup(cls.site.__exit__, None, None, None)
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        cls.trip = cls.site.given_trip()["id"]
        cls.site.given_departure(cls.trip, DAY, 1000)
        cls.site.wait_until_all_show(cls.trip)

    def given(self, code, **fields):
        made = self.site.as_staff("POST", "/discounts", {"code": code, "type": "fixed", "amount": 5,
                                                         "status": "publish", **fields})
        self.assertEqual(made.status, 201, made)
        for server in (0, 1):  # the process that did not make it follows within a second
            for _ in range(1200):
                session = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": DAY},
                                         server=server)
                if self.site.call("POST", "/booking/coupons", {"session_id": session.data["session_id"], "code": code},
                                  server=server).status == 200:
                    break
                time.sleep(0.05)
            else:
                self.fail(f"server {server} never knew {code}")
        return made.data["id"]

    def bought(self, count, buy):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            answers = list(pool.map(buy, range(count)))
        counts = collections.Counter((a.status, a.json.get("code") if a.status != 201 else None) for a in answers)
        print(f"figure: {dict(counts)}")
        return counts, answers

    def uses(self, discount):
        return int(self.site.sql("SELECT COUNT(*) FROM svc_discount_redemptions WHERE status = 'active'"
                                 f" AND discount_id = {discount}")[0][0])

    def test_a_code_is_used_as_often_as_it_may_be_by_all_processes_together(self):
        discount = self.given("RACE", usage_limit=USES)
        counts, answers = self.bought(BUYERS, lambda number: self.site.book(
            self.trip, DAY, f"Racer{number}", coupon_code="race", server=number % 2))
        self.assertEqual(counts, {(201, None): USES, (400, "coupon_usage_limit"): BUYERS - USES})
        self.assertEqual(self.uses(discount), USES)
        self.assertEqual({a.data["discount_code"] for a in answers if a.status == 201}, {"RACE"})
        # A released use is one use again, for one of the buyers who try.
        booking = next(a for a in answers if a.status == 201).data["booking_id"]
        self.assertEqual(self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"}).status, 200)
        counts, _ = self.bought(10, lambda number: self.site.book(
            self.trip, DAY, f"Late{number}", coupon_code="RACE", server=number % 2))
        self.assertEqual(counts, {(201, None): 1, (400, "coupon_usage_limit"): 9})
        self.assertEqual(self.uses(discount), USES)
        self.site.check_invariants()

    def test_a_customer_uses_a_code_once_however_many_windows_are_open(self):
        discount = self.given("ONCE", usage_limit_per_customer=1)
        counts, _ = self.bought(12, lambda number: self.site.book(
            self.trip, DAY, "Ada", coupon_code="ONCE", server=number % 2))
        self.assertEqual(counts, {(201, None): 1, (400, "coupon_customer_limit"): 11})
        self.assertEqual(self.uses(discount), 1)
        self.site.check_invariants()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
