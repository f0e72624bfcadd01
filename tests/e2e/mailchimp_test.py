"""Mailchimp through the whole program and real sockets: who becomes a contact, what flows back, and what a partner that
hangs, throttles, answers garbage or has another account's audience costs.

mailchimp_test.py SVC DATABASE PRO
"""
import datetime
import os
import pathlib
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import mailchimp_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class Mailchimp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.there = mailchimp_stub.Mailchimp()
        cls.site = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                                    **cls.there.environment()}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'personal', 0, 0)")
        turned = cls.site.as_staff("POST", "/modules/mailchimp/toggle", {"enabled": True})
        assert turned.status == 200, turned
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0, "unproven_mails_per_hour": 0})
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.given_departure(cls.trip, DAY, 100)
        cls.site.wait_until_all_show(cls.trip)
        saved = cls.site.as_staff("PUT", "/mailchimp/settings", {
            "api_key": mailchimp_stub.KEY, "list_id": mailchimp_stub.LIST, "field_mapping": {"FNAME": "first_name"}})
        assert saved.status == 200, saved

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)
            cls.there.close()

    def setUp(self):
        self.there.fault = ""
        self.site.sql("UPDATE svc_mailchimp_state SET resume_at = NULL, failures = 0")

    def until(self, what, wanted, tries=300):
        for _ in range(tries):
            if (seen := what()) == wanted:
                return
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}")

    def book(self, name, agrees=True):
        made = self.site.book(self.trip, DAY, name=name, subscribe_newsletter=agrees)
        self.assertEqual(made.status, 201, made)
        return made.data["booking_id"]

    def wake(self):
        """As if the time until the next attempt had passed."""
        self.site.sql("UPDATE svc_mailchimp_state SET resume_at = NULL")
        self.site.sql("UPDATE svc_mailchimp_queue SET next_attempt_at = 0, claimed_until = NULL")
        self.site.as_staff("POST", "/tools/cron-run", {"hook": "mailchimp_sync"})

    def status(self):
        return self.site.as_staff("GET", "/mailchimp/status").data

    def report(self, **fields):
        place = urllib.parse.urlsplit(self.site.as_staff("GET", "/mailchimp/settings").data["webhook_url"]).path
        body = urllib.parse.urlencode({"type": "unsubscribe", "fired_at": "2026-11-30 09:00:00",
                                       "data[list_id]": mailchimp_stub.LIST, **fields})
        return self.site.servers[0].ask(place, "POST", body, {"Content-Type": "application/x-www-form-urlencoded"})[0]

    def test_who_agreed_is_subscribed_and_tagged_and_nobody_else(self):
        booking = self.book("Ada")
        self.book("Bob", agrees=False)
        self.until(lambda: self.there.status("ada@example.org"), "subscribed")
        self.until(lambda: self.there.tags("ada@example.org"), ["Booking pending", "Harbour walk"])
        self.assertIsNone(self.there.status("bob@example.org"))
        done = self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
        self.assertEqual(done.status, 200, done)
        self.until(lambda: self.there.tags("ada@example.org"), [])

    def test_unsubscribing_there_ends_the_consent_here_and_wins_over_a_full_run(self):
        self.book("Cyd")
        self.until(lambda: self.there.status("cyd@example.org"), "subscribed")
        self.there.put("cyd@example.org", "unsubscribed")
        self.assertEqual(self.report(**{"data[email]": "Cyd@example.org"}), 200)
        customer = self.site.as_staff("GET", "/customers?search=cyd@example.org").data[0]["id"]
        self.until(lambda: self.site.as_staff("GET", f"/customers/{customer}").data["newsletter_optin"], False)
        self.assertEqual(self.site.as_staff("POST", "/mailchimp/sync-all", {}).status, 200)
        self.until(lambda: self.status()["run"]["running"], False)
        self.assertEqual(self.there.status("cyd@example.org"), "unsubscribed")

    def test_a_booking_does_not_wait_for_a_partner_that_hangs(self):
        self.there.fault = "hang"
        before = time.monotonic()
        for number in range(5):
            self.book(f"Hung{number}")
        self.assertLess(time.monotonic() - before, 8)  # one answer of Mailchimp is waited for longer
        self.until(lambda: any("hung" in path or "members" in path for _, path in self.there.calls), True)
        self.there.fault = ""
        for number in range(5):
            self.until(lambda: self.there.status(f"hung{number}@example.org") or self.wake(), "subscribed")

    def test_garbage_throttling_and_outages_lose_nothing(self):
        for number, fault in enumerate(("garbage", "throttle", "down")):
            self.there.fault = fault
            for place in "abc":  # one contact that is answered badly backs off alone; three in a row pause all
                self.book(f"Late{number}{place}")
            wanted = {"garbage": "garbled", "throttle": "throttled", "down": "unavailable"}[fault]
            self.until(lambda: self.status()["problem"] or self.wake(), wanted)
            self.there.fault = ""
            for place in "abc":
                self.until(lambda: self.there.status(f"late{number}{place}@example.org") or self.wake(), "subscribed")
        self.until(lambda: self.status()["problem"], None)

    def test_refusals_of_one_contact_are_told_and_stop_nobody_else(self):
        self.there.blocked.add("dan@example.org")
        self.there.fake.add("eve@example.org")
        self.there.exists.add("fay@example.org")
        self.there.put("fay@example.org", "subscribed")
        for name in ("Dan", "Eve", "Fay"):
            self.book(name)
        self.until(lambda: self.there.members[mailchimp_stub.hash_of("fay@example.org")]["merge_fields"].get("FNAME"), "Fay")
        self.book("Gil")
        self.until(lambda: self.there.status("gil@example.org"), "subscribed")
        for email, reason in (("dan@example.org", "compliance"), ("eve@example.org", "rejected")):
            self.until(lambda: [one["reason"] for one in
                                self.site.as_staff("GET", f"/mailchimp/log?search={email}").data][:1], [reason])

    def test_a_wrong_key_and_the_audience_of_another_account_are_refused(self):
        refused = self.site.as_staff("POST", "/mailchimp/test", {"api_key": "0" * 32 + "-us19"})
        self.assertEqual((refused.status, refused.json["code"]), (400, "integration_auth_failed"), refused)
        for body, field in (({"list_id": mailchimp_stub.OTHER_LIST}, "list_id"),
                            ({"api_key": mailchimp_stub.OTHER_KEY}, "list_id"), ({"api_key": "0" * 32 + "-us19"}, "api_key")):
            refused = self.site.as_staff("PUT", "/mailchimp/settings", body)
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, field), refused)
        self.assertEqual(self.site.as_staff("GET", "/mailchimp/settings").data["list_id"], mailchimp_stub.LIST)

    def test_a_full_run_survives_a_kill_and_asks_few_at_a_time(self):
        for number in range(60):
            made = self.site.as_staff("POST", "/customers", {"email": f"many{number}@example.org", "first_name": "Many",
                                                             "last_name": "Guest", "newsletter_optin": number % 2 == 0})
            self.assertEqual(made.status, 201, made)
        self.site.sql("DELETE FROM svc_mailchimp_queue")
        self.assertEqual(self.site.as_staff("POST", "/mailchimp/sync-all", {}).status, 200)
        self.until(lambda: any(self.there.status(f"many{number}@example.org") for number in range(60)), True)
        self.site.kill()
        self.site.sql("UPDATE svc_mailchimp_queue SET claimed_until = 0")
        self.site.servers.clear()
        self.site.start()
        self.until(lambda: self.status()["run"]["running"] and (self.wake() or True), False)
        self.assertEqual([number for number in range(60) if self.there.status(f"many{number}@example.org") == "subscribed"],
                         list(range(0, 60, 2)))
        self.assertLessEqual(self.there.most_at_once, 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
