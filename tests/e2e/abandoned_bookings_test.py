"""Abandoned bookings through the whole program and real sockets: one address may report only so much, whatever it sends;
a reminder goes out once though the process is killed while it is sent.

abandoned_bookings_test.py SVC DATABASE PRO
"""
import datetime
import http.client
import json
import os
import pathlib
import sys
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
REPORTS = int(os.environ.get("SVC_ABANDONED_REPORTS", "600"))  # from one address
PEOPLE = 40
KILLS = 3


class Abandoned(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
        turned = cls.site.as_staff("POST", "/modules/abandoned_booking_recovery/toggle", {"enabled": True})
        assert turned.status == 200, turned
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.wait_until_all_show(cls.trip)

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)

    def rows(self, where="1 = 1"):
        return int(self.site.sql(f"SELECT COUNT(*) FROM svc_abandoned_bookings WHERE {where}")[0][0])

    def session(self):
        opened = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": DAY,
                                                             "travelers_count": 1}, server=-1)
        self.assertEqual(opened.status, 201, opened)
        return opened.data["session_id"]

    def flood(self, path, body_of):
        """How many of the requests from one address were taken; all others are told when to come again."""
        server = http.client.HTTPConnection("127.0.0.1", self.site.servers[-1].port, timeout=60)
        taken = 0
        for i in range(REPORTS):
            server.request("POST", "/svc/v1" + path, json.dumps(body_of(i)), {"Content-Type": "application/json"})
            answer = server.getresponse()
            text = answer.read()
            taken += answer.status in (200, 201)
            if answer.status not in (200, 201):
                self.assertEqual(answer.status, 429, text)
                self.assertGreater(int(answer.getheader("Retry-After")), 0)
        server.close()
        print(f"figure: of {REPORTS} requests to {path} from one address {taken} were taken")
        self.assertLessEqual(taken, REPORTS / 4)
        return taken

    def test_one_address_enquires_only_so_often(self):
        taken = self.flood("/enquiries", lambda i: {
            "trip_id": self.trip, "customer_name": "Ada Lovelace", "customer_email": f"ask{i}@example.org",
            "message": "Is there a date in May?"})
        self.assertEqual(int(self.site.sql("SELECT COUNT(*) FROM svc_enquiries")[0][0]), taken)

    def test_one_address_reports_only_so_much(self):
        secret = self.session()
        self.flood("/abandoned-bookings/track", lambda i: {
            "booking_token": secret, "customer_email": f"flood{i}@example.org", "consent": True})
        self.assertEqual(self.rows("email LIKE 'flood%'"), 1)  # one checkout is one row
        self.site.sql("DELETE FROM svc_abandoned_bookings")

    def test_a_reminder_goes_out_once_through_kills(self):
        # As reports would leave them: the address of this test is limited by now.
        micros = int((datetime.datetime.now(datetime.timezone.utc).timestamp() - 3 * 3600) * 1e6)
        self.site.sql(
            "INSERT INTO svc_abandoned_bookings (uid, email, email_lower, customer_name, country, locale, trip_id,"
            " travel_date, travelers, traveler_counts, services, coupon_code, currency, step, fault, consent, consent_at,"
            " last_activity_at, expires_at, search, created_at, updated_at) VALUES "
            + ", ".join(f"('uid{i}', 'left{i}@example.org', 'left{i}@example.org', 'Ada', '', 'en', {self.trip}, '{DAY}',"
                        f" 1, '{{}}', '{{}}', '', 'USD', 'details', '', 'opt_in', {micros}, {micros},"
                        f" {micros + 30 * 86400 * 10**6}, '', {micros}, {micros})" for i in range(PEOPLE)))
        for kill in range(KILLS):
            runs = threading.Thread(target=self.run_the_job)
            runs.start()
            while self.sent() < (kill + 1) * PEOPLE // (KILLS + 1) and runs.is_alive():
                time.sleep(0.01)
            self.site.kill()
            runs.join()
            self.site.start()
        for _ in range(600):
            self.run_the_job()
            if self.rows("email LIKE 'left%' AND emails_sent = 1") == PEOPLE:
                break
            time.sleep(0.1)  # another run has it
        self.assertEqual(self.rows("email LIKE 'left%' AND emails_sent = 1 AND status = 'contacted'"), PEOPLE)
        for _ in range(600):
            if self.sent() == PEOPLE:
                break
            time.sleep(0.1)
        doubled = self.site.sql("SELECT to_email FROM svc_email_outbox WHERE template_key LIKE 'abandoned%'"
                                " GROUP BY to_email HAVING COUNT(*) > 1")
        print(f"figure: {KILLS} kills, {self.sent()} reminders of {PEOPLE} bookings, {len(doubled)} twice")
        self.assertEqual(doubled, [])
        self.assertEqual(self.sent(), PEOPLE)

    def sent(self):
        return int(self.site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key LIKE 'abandoned%'")[0][0])

    def run_the_job(self):
        try:
            self.site.as_staff("POST", "/tools/cron-run", {"hook": "abandoned_scan"}, server=-1)
        except OSError:
            pass  # the process was killed


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
