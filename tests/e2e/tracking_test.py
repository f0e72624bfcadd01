"""Purchases and refunds reported to Meta and Google through the whole program and real sockets: once, exact, only with
consent; partners that hang, lose answers, throttle and refuse delay nobody and lose nothing.

tracking_test.py SVC DATABASE PRO
"""
import datetime
import os
import pathlib
import sys
import time
import unittest
from decimal import Decimal

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "support"))
import tracking_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
PIXEL = {"pixel_id": "123456789012345", "access_token": "EAAB-token", "server_side": True, "test_event_code": ""}
GOOGLE = {"measurement_id": "G-ABC1234567", "api_secret": "mp-secret", "server_side": True, "debug_mode": False}


class Tracking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.partners = tracking_stub.Partners()
        cls.site = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                                    **cls.partners.environment()}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0, "unproven_mails_per_hour": 0})
        for module in ("facebook_pixel", "google_analytics"):
            turned = cls.site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True})
            assert turned.status == 200, turned
        cls.trip = cls.site.given_trip(regular_price=199.99)["id"]
        cls.site.given_departure(cls.trip, DAY, 200)
        cls.site.wait_until_all_show(cls.trip)

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)
            cls.partners.close()

    def setUp(self):
        self.partners.hangs = {"meta": False, "google": False}
        self.chosen = (None, None)
        self.settings()

    def settings(self, pixel=None, google=None):
        """Also lets what failed be sent at once. Without arguments those given last are written again."""
        self.chosen = (pixel, google) if pixel or google else getattr(self, "chosen", (None, None))
        pixel, google = self.chosen
        for path, values in (("/facebook-pixel/settings", {**PIXEL, **(pixel or {})}),
                             ("/google-analytics/settings", {**GOOGLE, **(google or {})})):
            saved = self.site.as_staff("PUT", path, values)
            self.assertEqual(saved.status, 200, saved)

    def booked(self, consents=True):
        made = self.site.book(self.trip, DAY, name="Ada", headers=self.site.staff)
        self.assertEqual(made.status, 201, made)
        if consents:
            self.site.sql(f"DELETE FROM svc_booking_consents WHERE booking_id = {made.data['booking_id']}")
            self.site.sql("INSERT INTO svc_booking_consents (booking_id, analytics, marketing, ga_client_id, fbp, fbc,"
                          f" client_address, user_agent, decided_at) VALUES ({made.data['booking_id']}, 1, 1, '12.34',"
                          " 'fb.1.1.7', '', '192.0.2.9', 'Mozilla/5.0', 1)")
        return made.data

    def pay(self, booking, amount=10):
        paid = self.site.as_staff("POST", "/payments", {"booking_id": booking["booking_id"], "amount": amount,
                                                        "gateway": "cash", "status": "completed"})
        self.assertEqual(paid.status, 201, paid)
        return paid.data["id"]

    def until(self, what, wanted=True, seconds=60):
        """A partner that failed before may rest: it is asked again each second."""
        end = time.monotonic() + seconds
        for tries in range(10_000):
            if (seen := what()) == wanted:
                return
            if time.monotonic() > end:
                break
            if tries % 10 == 9:
                self.settings()
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}")

    def states(self, booking):
        return [(one["event"], one["status"]) for path in ("/facebook-pixel/event-logs", "/google-analytics/logs")
                for one in self.site.as_staff(
                    "GET", f"{path}?booking_id={booking['booking_id']}&orderby=id&order=asc").data]

    def test_a_purchase_and_its_refund_reach_both_partners_once_and_exact(self):
        booking = self.booked()
        payment = self.pay(booking, 120.5)
        self.pay(booking, 7)
        self.until(lambda: all(booking["reference"] in self.partners.purchases(one) for one in ("meta", "google")))
        total = self.site.as_staff("GET", f"/bookings/{booking['booking_id']}").data["total_amount"]
        back = self.site.as_staff("POST", f"/payments/{payment}/refunds", {"amount": 20.05, "reason": "asked for"})
        self.assertIn(back.status, (200, 201), back)
        self.until(lambda: self.states(booking), [("purchase", "sent"), ("refund", "sent")] * 2)
        meta = self.partners.purchases("meta")[booking["reference"]]
        self.assertEqual(meta["custom_data"]["value"], total)
        self.assertEqual(meta["user_data"]["client_ip_address"], "192.0.2.9")
        self.assertNotIn("fbc", meta["user_data"])
        self.assertEqual(self.partners.purchases("google")[booking["reference"]]["value"], total)
        self.assertEqual(self.partners.purchases("google")[booking["reference"]]["client_id"], "12.34")
        refund = [one for one in self.partners.refunds("meta") if one["custom_data"]["order_id"] == booking["reference"]]
        self.assertEqual([str(one["custom_data"]["value"]) for one in refund], ["20.05"])
        sent = [one for one in self.partners.got if one["partner"] == "google" and
                one["body"]["events"][0]["params"].get("transaction_id") == booking["reference"]]
        self.assertEqual(len(sent), 2)
        self.assertEqual(Decimal(str(sent[1]["body"]["events"][0]["params"]["value"])), Decimal("20.05"))

    def test_without_consent_no_request_is_made(self):
        booking = self.booked(consents=False)
        self.site.sql(f"DELETE FROM svc_booking_consents WHERE booking_id = {booking['booking_id']}")
        self.pay(booking)
        self.until(lambda: self.states(booking), [("purchase", "skipped")] * 2)
        self.assertNotIn(booking["reference"], str(self.partners.got))

    def test_lost_answers_garbage_and_overload_lose_nothing_and_count_nothing_twice(self):
        booking = self.booked()
        self.partners.faults = {"meta": ["lost", "garbage", 500, 429], "google": [503, 429]}
        self.pay(booking)
        self.until(lambda: self.states(booking), [("purchase", "sent")] * 2)
        self.assertEqual(self.partners.faults, {"meta": [], "google": []})
        told = [event for one in self.partners.got if one["partner"] == "meta" and one["body"]
                for event in one["body"]["data"] if event["custom_data"]["order_id"] == booking["reference"]]
        self.assertGreater(len(told), 1)  # again, and by the same id each time
        self.assertEqual({(one["event_name"], one["event_id"]) for one in told}, {("Purchase", booking["reference"])})

    def test_partners_that_hang_delay_no_booking_and_no_other_partner(self):
        quiet = self.times()
        self.partners.hangs["meta"] = True
        self.pay(self.booked())
        busy = self.times()
        self.assertLess(sorted(busy)[len(busy) // 2], sorted(quiet)[len(quiet) // 2] * 2 + 0.02)
        booking = self.booked()
        self.pay(booking)
        self.until(lambda: booking["reference"] in self.partners.purchases("google"), seconds=20)  # while Meta hangs
        # Another job has a thread all the while.
        begun = time.monotonic()
        self.assertEqual(self.site.as_staff("POST", "/tools/cron-run", {"hook": "booking_expiry"}).status, 200)
        self.assertLess(time.monotonic() - begun, 5)
        self.partners.hangs["meta"] = False
        self.settings()
        self.until(lambda: booking["reference"] in self.partners.purchases("meta"))

    def times(self):
        taken = []
        for _ in range(10):
            begun = time.monotonic()
            self.booked(consents=False)
            taken.append(time.monotonic() - begun)
        return taken

    def test_the_buttons_say_why_they_fail(self):
        def test(path, body):
            answered = self.site.as_staff("POST", path, body)
            self.assertEqual(answered.status, 200, answered)
            return answered.data

        self.assertTrue(test("/facebook-pixel/test", {"pixel_id": PIXEL["pixel_id"]})["valid"])
        foreign = test("/facebook-pixel/test", {"pixel_id": "999999999999999"})
        self.assertEqual((foreign["valid"], foreign["cause"]), (False, "refused"))
        self.assertIn("missing permissions", foreign["reason"])
        self.assertTrue(test("/facebook-pixel/test-token", {"access_token": PIXEL["access_token"]})["valid"])
        self.assertIn("invalidated", test("/facebook-pixel/test-token", {"access_token": "EAAB-old"})["reason"])
        self.assertEqual(test("/google-analytics/test", {})["cause"], "unproven")
        self.assertEqual(test("/google-analytics/validate/measurement-id", {"measurement_id": "G-1"})["cause"], "form")
        self.partners.faults["meta"] = ["garbage"]
        self.assertEqual(self.site.as_staff("POST", "/facebook-pixel/test", {"pixel_id": PIXEL["pixel_id"]}).status, 502)

    def test_a_wrong_token_is_seen_in_the_log_and_a_right_one_sends_what_waited(self):
        self.settings({"access_token": "EAAB-old"})
        booking = self.booked()
        self.pay(booking)
        self.until(lambda: self.states(booking)[:1], [("purchase", "failed")])
        self.chosen = (None, None)
        row = self.site.as_staff("GET", f"/facebook-pixel/event-logs?booking_id={booking['booking_id']}").data[0]
        self.assertEqual((row["reason"], row["http_status"]), ("credentials", 400))
        self.assertIn("invalidated", row["answer"])
        self.settings()
        self.until(lambda: self.states(booking), [("purchase", "sent")] * 2)

    def test_while_it_is_tested_nothing_counts(self):
        self.settings({"test_event_code": "TEST1"}, {"debug_mode": True})
        booking = self.booked()
        self.pay(booking)
        self.until(lambda: self.states(booking), [("purchase", "sent")] * 2)
        self.assertNotIn(booking["reference"], self.partners.purchases("meta"))
        self.assertNotIn(booking["reference"], self.partners.purchases("google"))
        self.assertIn(booking["reference"], str(self.partners.tested))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
