"""Google Calendar through the whole program and real sockets, against a stub of Google: consent and its forgeries, one
event for each departure and booking, faults of every kind, and a Google that hangs and delays nobody.

google_calendar_test.py SVC DATABASE PRO
"""
import base64
import datetime
import json
import os
import pathlib
import sys
import threading
import time
import unittest
import urllib.parse

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "support"))
import google_stub  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]


def day(ahead):
    return (datetime.date.today() + datetime.timedelta(days=ahead)).isoformat()


class GoogleCalendar(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.google = google_stub.Google()
        cls.site = Site(SVC, DATABASE, servers=2, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO),
                                                               **cls.google.environment}).__enter__()
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        turned = cls.site.as_staff("POST", "/modules/google_calendar/toggle", {"enabled": True})
        assert turned.status == 200, turned
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0, "unproven_mails_per_hour": 0,
                                               "timezone": "Europe/Berlin"})
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.wait_until_all_show(cls.trip)

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.google.close()
            cls.site.__exit__(None, None, None)

    def setUp(self):
        self.google.faults.clear()
        self.google.expires_in, self.google.slow_token = 3600, 0
        self.set(client_id=self.google.client_id, client_secret=self.google.client_secret, auto_sync=True,
                 sync_departures=True, sync_bookings=False, share_names=False, send_invitations=False, reminder_days=[])

    # ---- helpers ----

    def set(self, **settings):
        done = self.site.as_staff("PUT", "/google-calendar/settings", settings)
        self.assertEqual(done.status, 200, done)
        return done.data

    def settings(self):
        return self.site.as_staff("GET", "/google-calendar/settings").data

    def begin(self, kind="own", **more):
        begun = self.site.as_staff("POST", "/google-calendar/connect", {"calendar": kind}, **more)
        self.assertEqual(begun.status, 200, begun)
        return begun.data["auth_url"], begun.headers["set-cookie"].split(";")[0]

    def back(self, state, code=None, cookie="", error=None):
        query = {"state": state, **({"code": code} if code else {}), **({"error": error} if error else {})}
        return self.site.call("GET", "/google-calendar/callback?" + urllib.parse.urlencode(query),
                              headers={"Cookie": cookie})

    def connect(self, kind="own"):
        address, cookie = self.begin(kind)
        state, code = self.google.consent(address)
        came = self.back(state, code, cookie)
        self.assertEqual((came.status, came.headers.get("location", "")[-34:]),
                         (302, "/admin/google-calendar?connected=1"), came)

    def connected(self, kind="own"):
        now = self.settings()
        if now["state"] != "connected" or now["calendar_kind"] != kind:
            self.connect(kind)
        return self.settings()["calendar_id"]

    def until(self, what, wanted=True, tries=300):
        for _ in range(tries):
            if (seen := what()) == wanted:
                return
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}: {self.settings()} {self.logged()[:3]}")

    def work(self):
        """As if the waits of all retries had passed; then the job runs."""
        self.site.sql("UPDATE svc_google_calendar_items SET due_at = 0 WHERE due_at IS NOT NULL")
        self.site.sql("UPDATE svc_google_calendar_connection SET rests_until = NULL")
        self.site.as_staff("POST", "/tools/cron-run", {"hook": "google_calendar_sync"})

    def quiet(self):
        self.until(lambda: self.settings()["queued"], 0)

    def departure(self, ahead, seats=10, **fields):
        made = self.site.given_departure(self.trip, day(ahead), seats, **fields)
        self.until(lambda: self.event_of(made["id"]) is not None)
        return made["id"]

    def event_of(self, departure):
        return next((one for one in self.google.shown().values()
                     if f"/departures/{self.trip}/{departure}\n" in one["description"] + "\n"), None)

    def logged(self):
        return self.site.as_staff("GET", "/google-calendar/log?per_page=100").data

    def events_calls(self):
        return sum(1 for _, path in self.google.calls if "/events" in path)

    # ---- consent ----

    def test_an_answer_that_is_forged_reused_late_or_of_another_browser_is_refused(self):
        address, cookie = self.begin()
        state, code = self.google.consent(address)
        for wrong in (self.back("x" * 43, code, cookie), self.back(state, code),
                      self.back(state, code, "svc_google_calendar=" + "A" * 43)):
            self.assertEqual((wrong.status, wrong.json["data"]["field"]), (400, "state"), wrong)
        self.assertEqual(self.back(state, None, cookie).status, 400)
        self.assertEqual(self.back(state, code, cookie).status, 302)  # the right one still counts
        self.assertEqual(self.back(state, code, cookie).status, 400)
        address, cookie = self.begin()
        state, code = self.google.consent(address)
        self.site.sql("UPDATE svc_google_calendar_states SET expires_at = 1")
        self.assertEqual(self.back(state, code, cookie).status, 400)

    def test_an_answer_for_a_user_who_may_no_longer_connect_is_refused(self):
        self.site.run("user", "add", "temp", "--email", "temp@example.org", "--role", "administrator", "--generate")
        secret = self.site.run("password", "add", "temp", "--name", "tests").strip().splitlines()[-1]
        own = {"Authorization": "Basic " + base64.b64encode(f"temp:{secret}".encode()).decode()}
        begun = self.site.call("POST", "/google-calendar/connect", {}, own)
        self.assertEqual(begun.status, 200, begun)
        state, code = self.google.consent(begun.data["auth_url"])
        self.site.sql("UPDATE svc_users SET role_id = (SELECT id FROM svc_roles WHERE slug = 'svc_customer')"
                      " WHERE login = 'temp'")
        came = self.back(state, code, begun.headers["set-cookie"].split(";")[0])
        self.assertEqual(came.status, 400, came)

    def test_a_code_that_was_begun_elsewhere_fails_by_pkce(self):
        address, cookie = self.begin()
        state, _ = self.google.consent(address)
        other, _ = self.begin()  # the later visit of the same user replaces the first
        _, stolen = self.google.consent(other)
        self.assertEqual(self.back(state, stolen, cookie).status, 400)
        address, cookie = self.begin()
        state, _ = self.google.consent(address)
        came = self.back(state, stolen, cookie)
        self.assertTrue(came.headers["location"].endswith("?problem=failed"), came)

    def test_who_declines_or_unticks_a_right_is_told_so(self):
        address, cookie = self.begin()
        state, _ = self.google.consent(address)
        self.assertTrue(self.back(state, None, cookie, "access_denied").headers["location"].endswith("?problem=denied"))
        address, cookie = self.begin("existing")
        state, code = self.google.consent(address, granted=google_stub.AUTH + "calendar.calendarlist.readonly")
        self.assertTrue(self.back(state, code, cookie).headers["location"].endswith("?problem=denied"))

    def test_secrets_are_sealed_masked_and_in_no_log(self):
        self.connected()
        secrets = [self.google.client_secret, *self.google.refresh_tokens, *self.google.access_tokens]
        stored = json.dumps(self.site.sql("SELECT * FROM svc_google_calendar_connection")
                            + self.site.sql("SELECT * FROM svc_google_calendar_calls")
                            + self.site.sql("SELECT * FROM svc_google_calendar_states")
                            + self.site.sql("SELECT value FROM svc_settings"))
        shown = json.dumps([self.settings(), self.logged(), self.site.as_staff("GET", "/settings").data])
        words = "".join(line or "" for server in self.site.servers for line in server.lines)
        for secret in secrets:
            for where in (stored, shown, words):
                self.assertNotIn(secret, where)
        self.assertEqual(self.settings()["client_secret"], "****et-1")
        self.set(client_secret="****et-1")  # a mask that comes back changes nothing
        self.google.expire_access()
        self.site.sql("UPDATE svc_google_calendar_connection SET access_expires_at = 0")
        self.departure(41)

    # ---- events ----

    def test_a_departure_has_one_event_with_its_load_and_its_times(self):
        calendar = self.connected()
        self.assertEqual(self.google.made_calendars(), [calendar])
        departure = self.departure(30, seats=8, start_time="09:30", arrival_time="17:00")
        event = self.event_of(departure)
        self.assertEqual(event["summary"], "Harbour walk (0/8)")
        self.assertEqual(event["start"], {"dateTime": day(30) + "T09:30:00", "timeZone": "Europe/Berlin"})
        self.assertEqual(event["end"], {"dateTime": day(30) + "T17:00:00", "timeZone": "Europe/Berlin"})
        booked = self.site.book(self.trip, day(30), headers=self.site.staff, departure_time="09:30",
                                traveler_counts={}, travelers_count=1)
        self.assertEqual(booked.status, 201, booked)
        self.until(lambda: self.event_of(departure)["summary"], "Harbour walk (1/8)")
        gone = self.site.as_staff("PUT", f"/bookings/{booked.data['booking_id']}/status", {"status": "cancelled"})
        self.assertEqual(gone.status, 200, gone)
        self.until(lambda: self.event_of(departure)["summary"], "Harbour walk (0/8)")
        self.assertEqual(self.google.wrong, [])

    def test_a_whole_day_ends_on_the_day_after_and_a_cancelled_departure_goes(self):
        self.connected()
        departure = self.departure(31)
        self.assertEqual(self.event_of(departure)["start"], {"date": day(31)})
        self.assertEqual(self.event_of(departure)["end"], {"date": day(32)})
        gone = self.site.as_staff("DELETE", f"/trips/{self.trip}/departures/{departure}")
        self.assertEqual(gone.status, 200, gone)
        self.until(lambda: self.event_of(departure), None)

    def test_bookings_have_events_without_a_name_unless_a_setting_asks(self):
        self.connected()
        self.departure(33)
        self.set(sync_bookings=True)
        booked = self.site.book(self.trip, day(33), name="Grace", headers=self.site.staff)
        self.assertEqual(booked.status, 201, booked)
        booking = booked.data["booking_id"]
        self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "confirmed"})
        found = lambda: [one for one in self.google.shown().values() if f"/bookings/{booking}" in one["description"]]
        self.until(lambda: len(found()), 1)
        self.assertNotIn("Grace", json.dumps(found()))
        self.assertNotIn("grace@example.org", json.dumps(found()))
        refused = self.site.as_staff("PUT", "/google-calendar/settings", {"send_invitations": True})
        self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "send_invitations"), refused)
        self.set(share_names=True, send_invitations=True)
        self.until(lambda: "Grace" in json.dumps(found()))
        self.assertEqual(found()[0]["attendees"], [{"email": "grace@example.org"}])
        self.set(share_names=False, send_invitations=False)
        self.until(lambda: "Grace" in json.dumps(found()), False)
        self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
        self.until(found, [])

    def test_a_reconnect_makes_no_doubles_and_brings_deleted_events_back(self):
        calendar = self.connected()
        departure = self.departure(34)
        before = len(self.google.shown())
        left = self.site.as_staff("POST", "/google-calendar/disconnect", {})
        self.assertEqual((left.status, left.data["connected"]), (200, False), left)
        self.assertEqual(self.google.calls[-1], ("POST", "/revoke"))
        self.site.sql("DELETE FROM svc_google_calendar_items")  # as of a database that was restored
        for (where, name), event in self.google.events.items():
            if f"/departures/{self.trip}/{departure}" in event["description"]:
                event["status"] = "cancelled"  # somebody deleted it
        self.connect()
        self.assertEqual(self.settings()["calendar_id"], calendar)
        self.quiet()
        self.assertEqual(len(self.google.shown()), before)
        self.assertIsNotNone(self.event_of(departure))
        self.assertEqual(self.google.made_calendars(), [calendar])

    def test_another_calendar_of_the_account_gets_the_events_and_the_first_loses_them(self):
        self.connected("existing")
        self.assertEqual(self.settings()["calendar_id"], "")
        listed = self.site.as_staff("GET", "/google-calendar/calendars")
        self.assertIn("boss@example.org", [one["id"] for one in listed.data], listed)
        departure = self.departure_when("boss@example.org", 35)
        self.google.calendars["second@group"] = {"summary": "Second", "made_by_app": False}
        self.set(calendar_id="second@group", calendar_name="Second")
        self.quiet()
        self.assertEqual(self.google.shown("boss@example.org"), {})
        self.assertTrue(self.google.shown("second@group"))
        self.assertIsNotNone(self.event_of(departure))
        self.connect("own")

    def departure_when(self, calendar, ahead):
        self.set(calendar_id=calendar, calendar_name=calendar)
        return self.departure(ahead)

    # ---- copy of everything ----

    def test_sync_all_reports_its_progress_and_a_dry_run_sends_nothing(self):
        self.connected()
        departure = self.departure(36)
        self.quiet()
        self.set(auto_sync=False)
        self.site.sql("DELETE FROM svc_google_calendar_items WHERE subject_id = " + str(departure))
        calls = self.events_calls()
        plan = self.site.as_staff("POST", "/google-calendar/sync-all", {"dry_run": True})
        self.assertEqual((plan.status, plan.data["state"]), (200, "planned"), plan)
        self.assertEqual([(one["id"], one["change"]) for one in plan.data["plan"]["changes"]], [(departure, "create")])
        self.assertEqual(self.events_calls(), calls)
        begun = self.site.as_staff("POST", "/google-calendar/sync-all", {})
        self.assertEqual((begun.status, begun.data["state"] in ("running", "done")), (200, True), begun)
        self.until(lambda: self.site.as_staff("GET", "/google-calendar/sync-all").data["state"], "done")
        done = self.site.as_staff("GET", "/google-calendar/sync-all").data
        self.assertEqual((done["synced"], done["failed"], done["waiting"]), (done["total"], 0, 0), done)
        self.assertGreater(done["total"], 0)
        self.assertIsNotNone(done["last_sync"])
        again = self.site.as_staff("POST", "/google-calendar/sync-all", {"dry_run": True}).data["plan"]
        self.assertEqual((again["created"], again["updated"], again["removed"]), (0, 0, 0), again)

    def test_without_a_connection_sync_all_is_refused(self):
        self.connected()
        self.site.as_staff("POST", "/google-calendar/disconnect", {})
        for body in ({}, {"dry_run": True}):
            refused = self.site.as_staff("POST", "/google-calendar/sync-all", body)
            self.assertEqual((refused.status, refused.json["code"]), (409, "google_calendar_not_connected"), refused)

    # ---- faults ----

    def test_what_google_throttles_waits_as_long_as_it_asks(self):
        self.connected()
        self.quiet()
        self.google.faults.append("events:rate 900")
        self.site.given_departure(self.trip, day(37), 5)
        self.until(lambda: self.settings()["rests_until"] is not None)
        rests = datetime.datetime.fromisoformat(self.settings()["rests_until"].replace("Z", "+00:00"))
        wait = (rests - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
        self.assertTrue(860 < wait < 905, wait)
        calls = self.events_calls()
        self.site.as_staff("POST", "/tools/cron-run", {"hook": "google_calendar_sync"})
        time.sleep(0.5)
        self.assertEqual(self.events_calls(), calls)
        self.assertEqual(self.settings()["queued"], 1)
        self.work()
        self.quiet()
        self.assertIsNone(self.settings()["rests_until"])

    def test_an_access_token_that_is_refused_is_replaced_once(self):
        self.connected()
        self.quiet()
        self.google.expire_access()
        refreshes = self.google.refreshes
        self.departure(38)
        self.assertEqual(self.google.refreshes, refreshes + 1)

    def test_two_processes_never_refresh_at_once(self):
        self.connected("existing")
        self.set(calendar_id="boss@example.org", calendar_name="boss@example.org")
        self.quiet()
        self.google.expire_access()
        self.site.sql("UPDATE svc_google_calendar_connection SET access_expires_at = 0")
        self.google.slow_token, self.google.most_refreshes_at_once = 0.6, 0
        refreshes = self.google.refreshes
        answers = []
        asks = [threading.Thread(target=lambda n=n: answers.append(
            self.site.as_staff("GET", "/google-calendar/calendars", server=n % 2).status)) for n in range(6)]
        for one in asks:
            one.start()
        for one in asks:
            one.join()
        self.assertEqual(self.google.most_refreshes_at_once, 1)
        self.assertEqual(self.google.refreshes, refreshes + 1)
        self.assertTrue(set(answers) <= {200, 502}, answers)
        self.google.slow_token = 0
        self.connect("own")

    def test_garbage_server_errors_and_events_that_are_gone_end_well(self):
        self.connected()
        departure = self.departure(39)
        for fault in ("events:garbage", "events:503"):
            self.quiet()
            self.google.faults.append(fault)
            self.site.as_staff("PUT", f"/trips/{self.trip}/departures/{departure}",
                               {"max_capacity": 20 + len(fault)})
            self.until(lambda: self.settings()["rests_until"] is not None)
            self.work()
            self.until(lambda: f"(0/{20 + len(fault)})" in self.event_of(departure)["summary"])
        self.quiet()
        self.google.faults.append("events:410")  # the event was purged: it is inserted anew, and its id is taken
        self.site.as_staff("PUT", f"/trips/{self.trip}/departures/{departure}", {"max_capacity": 50})
        self.until(lambda: self.event_of(departure)["summary"], "Harbour walk (0/50)")

    def test_a_calendar_that_was_deleted_is_shown_and_another_is_made_on_demand(self):
        calendar = self.connected()
        self.quiet()
        self.google.calendars.pop(calendar)
        self.google.events = {key: one for key, one in self.google.events.items() if key[0] != calendar}
        self.site.given_departure(self.trip, day(40), 5)
        self.until(lambda: self.settings()["problem"], "calendar_gone")
        self.assertIn("google_calendar_reconnect", [one["id"] for one in self.notices()])
        self.work()
        self.assertEqual(self.google.made_calendars(), [])  # not unasked
        made = self.site.as_staff("POST", "/google-calendar/calendars", {})
        self.assertEqual(made.status, 200, made)
        self.assertEqual(self.google.made_calendars(), [made.data["id"]])
        self.quiet()
        self.assertTrue(self.google.shown(made.data["id"]))
        self.assertEqual(self.settings()["problem"], "")

    def notices(self):
        return self.site.as_staff("GET", "/notices").data

    def test_an_access_that_ended_is_shown_mailed_once_and_keeps_the_queue(self):
        self.connected()
        self.quiet()
        mails = "SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'admin_google_calendar_reconnect'"
        before = int(self.site.sql(mails)[0][0])
        self.google.revoke_all()
        made = self.site.given_departure(self.trip, day(42), 5)["id"]
        self.until(lambda: self.settings()["state"], "reconnect")
        now = self.settings()
        self.assertEqual((now["connected"], now["problem"], now["queued"]), (False, "revoked", 1), now)
        self.assertIn("google_calendar_reconnect", [one["id"] for one in self.notices()])
        self.work()
        self.until(lambda: int(self.site.sql(mails)[0][0]), before + 1)
        self.connect()
        self.until(lambda: self.event_of(made) is not None)
        self.assertNotIn("google_calendar_reconnect", [one["id"] for one in self.notices()])
        self.assertEqual(int(self.site.sql(mails)[0][0]), before + 1)

    def test_a_google_that_hangs_delays_no_booking(self):
        self.connected()
        self.quiet()
        self.site.given_departure(self.trip, day(43), 50)
        self.quiet()
        self.google.faults.extend(["events:hang"] * 3)
        took = []
        for number in range(4):
            began = time.monotonic()
            made = self.site.book(self.trip, day(43), name=f"Hung{number}", headers=self.site.staff)
            took.append(time.monotonic() - began)
            self.assertEqual(made.status, 201, made)
        self.assertLess(max(took), 5)  # a call of Google waits ten
        self.until(lambda: self.settings()["rests_until"] is not None)
        self.google.faults.clear()
        self.work()
        self.quiet()

    def test_the_log_keeps_two_hundred_calls_without_what_was_sent(self):
        self.connected()
        self.site.sql("INSERT INTO svc_google_calendar_calls (method, path, duration_ms, created_at)"
                      " SELECT 'GET', '/old', 1, id FROM svc_google_calendar_calls c")
        for _ in range(6):
            self.site.sql("INSERT INTO svc_google_calendar_calls (method, path, duration_ms, created_at)"
                          " SELECT 'GET', '/old', 1, id FROM svc_google_calendar_calls c")
        self.departure(44)
        self.assertLessEqual(int(self.site.sql("SELECT COUNT(*) FROM svc_google_calendar_calls")[0][0]), 200)
        newest = self.logged()[0]
        self.assertEqual((newest["method"], newest["status"], newest["kind"]), ("POST", 200, "departure"), newest)
        self.assertEqual(newest["path"], "/calendar/v3/calendars/{calendar}/events")

    def test_disconnecting_may_delete_our_events_first(self):
        calendar = self.connected()
        self.departure(45)
        self.quiet()
        left = self.site.as_staff("POST", "/google-calendar/disconnect", {"delete_events": True})
        self.assertEqual((left.status, left.data["connected"]), (200, False), left)
        self.until(lambda: self.settings()["state"], "off")
        self.assertEqual(self.google.shown(calendar), {})
        self.until(lambda: self.google.calls[-1], ("POST", "/revoke"))
        self.assertEqual(self.settings()["events"], 0)

    def test_while_the_module_is_off_nothing_answers_and_nothing_is_lost(self):
        self.connected()
        departure = self.departure(46)
        self.site.as_staff("POST", "/modules/google_calendar/toggle", {"enabled": False})
        self.assertEqual(self.site.as_staff("GET", "/google-calendar/settings").status, 404)
        self.site.as_staff("POST", "/modules/google_calendar/toggle", {"enabled": True})
        self.assertEqual(self.settings()["state"], "connected")
        self.assertIsNotNone(self.event_of(departure))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
