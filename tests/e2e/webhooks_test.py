"""Webhooks through the whole program and real sockets: signed, in order, again after failures; receivers that hang, are
gone, busy, redirect or answer without end cost nobody else anything.

webhooks_test.py SVC DATABASE PRO [FOLDER]: FOLDER has node_modules of tests/web; each delivery is verified there too.
"""
import base64
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "support"))
import hook_receiver  # noqa: E402
import json_schema  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
FOLDER = sys.argv[4] if len(sys.argv) > 4 else None
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class Webhooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.receiver = hook_receiver.Receiver()
        cls.site = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                                    "SVC_OUTBOUND_PRIVATE_HOSTS": cls.receiver.place}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        turned = cls.site.as_staff("POST", "/modules/webhooks/toggle", {"enabled": True})
        assert turned.status == 200, turned
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0, "unproven_mails_per_hour": 0})
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.wait_until_all_show(cls.trip)
        cls.secrets = {}
        cls.waker = cls.site.as_staff("POST", "/webhooks/endpoints", {
            "name": "Waker", "url": cls.receiver.url + "/ok/waker", "event": "booking.expired"}).data["id"]

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)
            cls.receiver.close()

    def endpoint(self, path, event="*", **more):
        made = self.site.as_staff("POST", "/webhooks/endpoints", {
            "name": path, "url": self.receiver.url + path, "event": event, **more})
        self.assertEqual(made.status, 201, made)
        self.secrets[path] = made.data["secret"]
        self.addCleanup(self.site.as_staff, "DELETE", f"/webhooks/endpoints/{made.data['id']}")
        return made.data["id"]

    def booked(self, name="Ada"):
        made = self.site.book(self.trip, DAY, name=name, headers=self.site.staff)
        self.assertEqual(made.status, 201, made)
        return made.data["booking_id"]

    def confirm(self, booking):
        done = self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "confirmed"})
        self.assertEqual(done.status, 200, done)

    def due(self):
        """As if the time until the next attempt had passed."""
        self.site.sql("UPDATE svc_webhook_deliveries SET next_attempt_at = 0 WHERE next_attempt_at IS NOT NULL")
        self.site.sql("UPDATE svc_webhook_endpoints SET resume_at = NULL")
        self.site.as_staff("POST", f"/webhooks/endpoints/{self.waker}/ping", {})  # wakes the job

    def until(self, what, wanted=True, tries=600):
        for _ in range(tries):
            if (seen := what()) == wanted:
                return
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}")

    def deliveries(self, endpoint, **filters):
        query = "".join(f"&{name}={value}" for name, value in filters.items())
        listed = self.site.as_staff("GET", f"/webhooks/deliveries?endpoint_id={endpoint}&orderby=id&order=asc"
                                           f"&per_page=100{query}")
        self.assertEqual(listed.status, 200, listed)
        return listed.data

    def verify_all(self, path):
        got = self.receiver.at(path)
        self.assertTrue(got)
        for one in got:
            self.assertTrue(hook_receiver.is_signed(one["headers"], one["body"], self.secrets[path]), one)
        if not FOLDER:
            return
        folder = pathlib.Path(FOLDER) / "webhooks"  # Node looks for packages in the folders above the script
        folder.mkdir(exist_ok=True)
        shutil.copy(TESTS / "web" / "verify_webhooks.mjs", folder)
        lines = "".join(json.dumps({"secret": self.secrets[path], "headers": one["headers"],
                                    "body": base64.b64encode(one["body"]).decode()}) + "\n" for one in got)
        done = subprocess.run(["node", "verify_webhooks.mjs"], cwd=folder, input=lines, capture_output=True, text=True,
                              check=True)
        self.assertEqual(json.loads(done.stdout), {"good": len(got), "faults": []})

    def test_a_booking_is_reported_signed_and_by_its_schema(self):
        self.endpoint("/ok/all")
        booking = self.booked()
        self.confirm(booking)
        self.until(lambda: [one["type"] for one in self.receiver.messages("/ok/all")],
                   ["booking.created", "booking.confirmed"])
        self.verify_all("/ok/all")
        document = json.loads(self.site.call("GET", "/openapi.json").text)
        self.assertEqual(len(document["webhooks"]), 12)
        for one in self.receiver.messages("/ok/all"):
            described = document["webhooks"][one["type"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
            self.assertEqual(json_schema.faults(one, described, document), [])
            self.assertEqual(one["data"]["booking"]["id"], booking)
            self.assertEqual(one["timestamp"], one["occurred_at"])
            self.assertNotIn("token", json.dumps(one))
        for one in self.receiver.at("/ok/all"):
            self.assertEqual(one["headers"]["webhook-id"], json.loads(one["body"])["id"])
            self.assertLess(len(one["body"]), 20_000)

    def test_while_a_secret_is_replaced_both_sign(self):
        endpoint = self.endpoint("/ok/rotated")
        old = self.secrets["/ok/rotated"]
        replaced = self.site.as_staff("POST", f"/webhooks/endpoints/{endpoint}/regenerate-secret", {})
        self.site.as_staff("POST", f"/webhooks/endpoints/{endpoint}/ping", {})
        self.until(lambda: len(self.receiver.at("/ok/rotated")), 1)
        self.verify_all("/ok/rotated")
        self.secrets["/ok/rotated"] = replaced.data["secret"]
        self.assertNotEqual(old, replaced.data["secret"])
        self.verify_all("/ok/rotated")

    def test_a_receiver_that_refuses_three_of_ten_gets_everything_in_order(self):
        endpoint = self.endpoint("/flaky")
        bookings = [self.booked() for _ in range(5)]
        for booking in bookings:
            self.confirm(booking)
        self.until(lambda: len(self.deliveries(endpoint)), 10)
        for _ in range(60):
            if len(self.deliveries(endpoint, status="delivered")) == 10:
                break
            self.due()
            time.sleep(0.3)
        self.assertEqual(len(self.deliveries(endpoint, status="delivered")), 10)
        for booking in bookings:  # the second message never comes before the first has arrived
            types = [one["type"] for one in self.receiver.messages("/flaky") if one["data"]["booking"]["id"] == booking]
            self.assertEqual(types, sorted(types, key=["booking.created", "booking.confirmed"].index), types)
        self.verify_all("/flaky")

    def test_bad_receivers_cost_nobody_else_anything(self):
        bad = {path: self.endpoint(path) for path in ("/hang", "/gone", "/away", "/long", "/busy")}
        self.endpoint("/ok/beside")
        self.booked()
        self.until(lambda: len(self.receiver.at("/ok/beside")), 1, tries=100)  # while /hang is waited for

        self.until(lambda: self.site.as_staff("GET", f"/webhooks/endpoints/{bad['/gone']}").data["state"], "paused")
        mails = self.site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'admin_webhook_paused'")
        self.assertEqual(mails, [["1"]])

        def problem(path):
            return (self.deliveries(bad[path])[0]["error_message"] or "") if self.deliveries(bad[path]) else ""
        self.until(lambda: "redirects are not followed" in problem("/away"))
        self.until(lambda: "too large" in problem("/long"))
        self.assertLess(self.receiver.sent_bytes, 64 << 20)
        self.until(lambda: "No answer" in problem("/hang"))
        self.until(lambda: "429" in problem("/busy") or len(self.receiver.at("/busy")) > 1)
        self.until(lambda: self.deliveries(bad["/busy"])[0]["status"], "delivered")
        first, second = [one["at"] for one in self.receiver.at("/busy")][:2]
        self.assertGreaterEqual(second - first, 3)  # as Retry-After wants

    def test_private_addresses_are_refused(self):
        for url in ("https://127.0.0.1/", "https://169.254.169.254/latest", "http://10.0.0.1/", "https://localhost/",
                    "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://2130706433/"):
            refused = self.site.as_staff("POST", "/webhooks/endpoints", {"name": "x", "url": url, "event": "*"})
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "url"), refused)

    def test_what_was_missed_is_read_and_sent_again(self):
        endpoint = self.endpoint("/ok/again", event="booking.created")
        before = self.site.as_staff("GET", "/events?limit=500").data["next_after"]
        booking = self.booked()
        self.until(lambda: len(self.receiver.at("/ok/again")), 1)
        missed = self.site.as_staff("GET", f"/events?after={before}").data["events"]
        self.assertEqual([one["event"] for one in missed], self.receiver.messages("/ok/again"))
        self.assertEqual(missed[0]["event"]["data"]["booking"]["id"], booking)
        again = self.site.as_staff("POST", f"/webhooks/deliveries/{self.deliveries(endpoint)[0]['id']}/replay", {})
        self.assertEqual(again.status, 200, again)
        self.until(lambda: len(self.receiver.at("/ok/again")), 2)
        ids = {one["headers"]["webhook-id"] for one in self.receiver.at("/ok/again")}
        self.assertEqual(len(ids), 1)
        self.verify_all("/ok/again")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
