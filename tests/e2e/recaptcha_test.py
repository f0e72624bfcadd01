#!/usr/bin/python3
"""Booking behind reCAPTCHA, beside a siteverify of our own on loopback: scores, refusals, silence, garbage.

recaptcha_test.py SVC DATABASE
"""
import datetime
import http.server
import json
import pathlib
import sys
import threading
import time
import unittest
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import Visitors  # noqa: E402
from installation import Site, filled_in  # noqa: E402

SVC = DATABASE = None
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
SECRET = "canary-recaptcha-secret"
# siteverify's answer to each token: status and body.
ANSWERS = {
    "person": (200, {"success": True, "score": 0.9, "action": "booking"}),
    "at the threshold": (200, {"success": True, "score": 0.5}),
    "tick": (200, {"success": True}),  # version 2 knows no score
    "program": (200, {"success": True, "score": 0.3}),
    "stale": (200, {"success": False, "error-codes": ["timeout-or-duplicate"]}),
    "unsure": (200, {"success": "true", "score": 0.9}),
    "odd score": (200, {"success": True, "score": "high"}),
    "negative": (200, {"success": True, "score": -1}),
    "list": (200, [True]),
    "broken": (500, {"success": True, "score": 0.9}),
    "elsewhere": (302, {"success": True, "score": 0.9}),
    "garbage": (200, b"<html>\xff not JSON"),
    "nothing": (200, b""),
    "endless": (200, b'{"success":true,"score":0.9,"x":"' + b"x" * 200_000 + b'"}'),
}
PERSONS = ("person", "at the threshold", "tick")


class Siteverify:
    """`with Siteverify() as stub`: its url, and the forms that were sent to it. The tokens drop and slow say nothing."""

    def __enter__(self):
        self.asked, self.release = [], threading.Event()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode(),
                                             strict_parsing=True)
                stub.asked.append((self.path, self.headers["Content-Type"], form))
                token = form["response"][0]
                if token == "slow":
                    stub.release.wait(60)
                if token in ("slow", "drop"):
                    self.close_connection = True
                    return
                status, body = ANSWERS[token]
                body = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.send_header("Location", "/siteverify")
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # who asked has heard enough

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.target = f"127.0.0.1:{self.server.server_address[1]}"
        return self

    def __exit__(self, *_):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


class Recaptcha(unittest.TestCase):
    def setUp(self):
        self.stub = self.enterContext(Siteverify())
        self.site = self.enterContext(Site(SVC, DATABASE, environment={
            "SVC_PRO_LIBRARY": "none", "SVC_OUTBOUND_PRIVATE_HOSTS": self.stub.target}))
        self.trip = self.site.given_trip()["id"]
        self.site.given_departure(self.trip, DAY, 30)
        self.put(recaptcha_enabled=True, recaptcha_protect_booking=True, recaptcha_site_key="page-key",
                 recaptcha_secret_key=SECRET, recaptcha_verify_url=f"http://{self.stub.target}/siteverify")

    def put(self, **settings):
        written = self.site.as_staff("PUT", "/settings", settings)
        self.assertEqual(written.status, 200, written)

    def book(self, token):
        opened = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": DAY})
        more = {} if token is None else {"recaptcha_token": token}
        return self.site.call("POST", "/booking/create", filled_in({"session_id": opened.data["session_id"], **more}))

    def seats(self):
        return int(self.site.sql("SELECT SUM(booked_count) FROM svc_departures")[0][0])

    def refuses(self, token):
        refused = self.book(token)
        self.assertEqual((refused.status, refused.json["code"], refused.json["data"]["field"]),
                         (400, "recaptcha_failed", "recaptcha_token"), (token, refused))
        self.assertNotIn(SECRET, refused.text)

    def test_only_who_siteverify_calls_a_person_books(self):
        page = self.site.call("GET", f"/booking/trip/{self.trip}").data
        self.assertEqual(page["recaptcha_site_key"], "page-key")
        for token in PERSONS:
            self.assertEqual(self.book(token).status, 201, token)
        path, kind, form = self.stub.asked[0]
        self.assertEqual((path, kind), ("/siteverify", "application/x-www-form-urlencoded"))
        self.assertEqual((form["secret"], form["response"], form["remoteip"]), ([SECRET], ["person"], ["127.0.0.1"]))
        for token in ANSWERS.keys() - set(PERSONS) | {"drop"}:
            self.refuses(token)
        asked = len(self.stub.asked)
        for token in (None, "", "x" * 5000):
            refused = self.book(token)  # nobody need be asked
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "recaptcha_token"), refused)
        self.assertEqual(len(self.stub.asked), asked)
        self.assertEqual(self.seats(), len(PERSONS))

    def test_silence_is_a_refusal_that_keeps_nobody_else_waiting(self):
        answer = []
        waiting = threading.Thread(target=lambda: answer.append(self.book("slow")))
        waiting.start()
        while not self.stub.asked:
            time.sleep(0.01)
        for _ in range(20):
            self.assertEqual(self.site.call("GET", f"/trips/{self.trip}/available-dates").status, 200)
        self.assertEqual(answer, [])  # still waiting, and in nobody's way
        self.assertEqual(self.book("person").status, 201)
        waiting.join(60)
        self.assertEqual((answer[0].status, answer[0].json["code"]), (400, "recaptcha_failed"))
        self.assertEqual(self.seats(), 1)

    def test_the_threshold_is_the_operators_and_a_form_that_is_not_protected_asks_nobody(self):
        self.put(recaptcha_score_threshold=0.2)
        self.assertEqual(self.book("program").status, 201)
        self.put(recaptcha_score_threshold=0.95)
        self.refuses("person")
        self.put(recaptcha_protect_booking=False)
        asked = len(self.stub.asked)
        self.assertEqual(self.book(None).status, 201)
        self.assertEqual(len(self.stub.asked), asked)
        self.assertIsNone(self.site.call("GET", f"/booking/trip/{self.trip}").data["recaptcha_site_key"])
        self.put(recaptcha_protect_booking=True, recaptcha_secret_key="")
        self.refuses("person")  # without the secret nobody can be asked: it stays closed
        self.assertNotIn(SECRET, self.site.as_staff("GET", "/settings").text)


class Forms(Visitors, Recaptcha):
    """The site's own forms, as a browser sends them once the provider's script has put its token into them."""

    test_only_who_siteverify_calls_a_person_books = None
    test_silence_is_a_refusal_that_keeps_nobody_else_waiting = None
    test_the_threshold_is_the_operators_and_a_form_that_is_not_protected_asks_nobody = None

    def setUp(self):
        super().setUp()
        self.put(public_rate_limit=0, api_rate_limit=0, unproven_mails_per_hour=0)

    def number(self, sql):
        return int(self.site.sql(sql)[0][0] or 0)

    def refusals(self, browser, page, field, typed, button, kept):
        """Sends the form of that field without a token and with bad ones: it comes back with what was typed."""
        for token in ("", "program", "drop"):
            page = browser.submit(page, page.form(field), {**typed, "recaptcha_token": token}, button)
            self.assertEqual(page.status, 400, (token, page.text[-800:]))
            self.assertIn("The reCAPTCHA check failed. Please try again.", page.text)
            self.assertIn('name="recaptcha_token" value="" data-human="page-key"', page.text)
            self.assertIn("https://www.google.com", page.headers["content-security-policy"])
            for text in kept:
                self.assertIn(text, page.text)
            self.assertNotIn(SECRET, page.text)
            self.assertSound(page)
        return page

    def test_the_last_step_of_a_booking_books_with_a_good_token_alone(self):
        browser, page = self.at_pay(self.given())
        self.assertIn("needs JavaScript", page.text)
        typed = {"special_requests": "By the window", "payment_gateway": "pay_later"}
        page = self.refusals(browser, page, "special_requests", typed, ("action", "book"), ["By the window"])
        self.assertEqual(self.number("SELECT COUNT(*) FROM svc_bookings"), 0)
        coupon = browser.submit(page, page.form("code"), {"code": "NONE"}, ("action", "coupon"))
        self.assertEqual(coupon.status, 400)  # this form needs no token
        self.assertNotIn("reCAPTCHA", coupon.text.replace("recaptcha", ""))
        page = browser.submit(coupon, coupon.form("special_requests"), {**typed, "recaptcha_token": "person"},
                              ("action", "book"))
        self.assertEqual((page.status, page.headings), (200, ["Thank you, we have your booking"]), page.text[-800:])
        self.assertEqual(self.number("SELECT COUNT(*) FROM svc_bookings"), 1)

    def test_an_enquiry_and_a_registration_are_sent_with_a_good_token_alone(self):
        self.put(recaptcha_protect_booking=False, recaptcha_protect_enquiry=True, recaptcha_protect_registration=True)
        browser, trip = self.browser(), self.given()
        page = browser.get(f"/trip/{trip['slug']}/enquiry")
        typed = {"customer_name": "Ada", "customer_email": "ada@example.org", "message": "Is it warm?"}
        page = self.refusals(browser, page, "message", typed, None, ["Is it warm?"])
        self.assertEqual(self.number("SELECT COUNT(*) FROM svc_enquiries"), 0)
        page = browser.submit(page, page.form("message"), {**typed, "recaptcha_token": "person"})
        self.assertEqual((page.status, self.number("SELECT COUNT(*) FROM svc_enquiries")), (200, 1))
        page = browser.get("/account/register")
        typed = {"first_name": "Ada", "last_name": "Byron", "email": "ada@example.org", "password": "a long password",
                 "confirm_password": "a long password"}
        page = self.refusals(browser, page, "email", typed, None, ['value="ada@example.org"', 'value="Byron"'])
        self.assertEqual(self.number("SELECT COUNT(*) FROM svc_users WHERE email = 'ada@example.org'"), 0)
        page = browser.submit(page, page.form("email"), {**typed, "recaptcha_token": "person"})
        self.assertEqual(page.headings, ["Look into your mailbox"])

    def test_where_registration_alone_is_protected_a_booking_with_an_account_needs_the_token(self):
        self.put(recaptcha_protect_booking=False, recaptcha_protect_registration=True)
        browser, page = self.at_pay(self.given())
        self.assertIn("Without JavaScript you can book here, but not create an account with it.", page.text)
        typed = {"special_requests": "By the window", "payment_gateway": "pay_later", "create_account": "1",
                 "account_password": "a long password"}
        page = self.refusals(browser, page, "special_requests", typed, ("action", "book"),
                             ["By the window", 'name="create_account" value="1" checked'])
        self.assertNotIn("a long password", page.text)
        self.assertEqual(self.number("SELECT COUNT(*) FROM svc_bookings"), 0)
        page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later", "create_account": None},
                              ("action", "book"))
        self.assertEqual(page.headings, ["Thank you, we have your booking"])  # without an account nobody is asked


if __name__ == "__main__":
    DATABASE = sys.argv.pop(2)
    SVC = sys.argv.pop(1)
    unittest.main(argv=sys.argv)
