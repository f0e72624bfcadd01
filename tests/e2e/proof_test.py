"""What gateways answer by how much the caller has proven: every gateway of base and Pro, every kind of caller.

proof_test.py SVC DATABASE PRO
"""
import base64
import datetime
import itertools
import json
import os
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import provider_stub  # noqa: E402
from installation import Answer, Site, filled_in  # noqa: E402
from paypal_stub import PayPalStub  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
CONFIG = {
    "stripe": {"test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1", "webhook_secret": "whsec_1"},
    "razorpay": {"test_key_id": "rzp_test_1", "test_key_secret": "s3cret"},
    "paypal": {"client_id": PayPalStub.CLIENT, "client_secret": PayPalStub.SECRET, "webhook_id": PayPalStub.WEBHOOK,
               "mode": "advanced"},
    "bank_transfer": {"account_name": "Harbour Ltd", "account_number": "DE02"},
    "pay_later": {},
}
REQUIRED = {"stripe": ["test_secret_key"], "razorpay": ["test_key_id", "test_key_secret"],
            "paypal": ["client_id", "client_secret"], "bank_transfer": ["account_name", "account_number"], "pay_later": []}


class Proof(unittest.TestCase):
    addresses = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.stripe = provider_stub.Stripe("sk_test_1")
        cls.razorpay = provider_stub.Razorpay("rzp_test_1:s3cret")
        cls.paypal = PayPalStub().__enter__()
        cls.site = Site(SVC, DATABASE, environment={
            "SVC_PRO_LIBRARY": os.path.abspath(PRO), **cls.paypal.environment,
            "SVC_OUTBOUND_PRIVATE_HOSTS": f"{cls.stripe.place},{cls.razorpay.place},{cls.paypal.target}",
            "SVC_PAYMENT_API_BASES":
                f"stripe={cls.stripe.url},razorpay={cls.razorpay.url},paypal={cls.paypal.url}"}).__enter__()
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
        cls.refusals = {}
        for gateway, config in CONFIG.items():
            cls.refusals[gateway] = cls.configure(gateway, {"enabled": True})
            saved = cls.configure(gateway, {"enabled": True, **config})
            assert saved.status == 200, saved
        cls.customers = {name: cls.customer(name) for name in ("owner", "stranger")}
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.wait_until_all_show(cls.trip)

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.site.__exit__(None, None, None)
            cls.stripe.close()
            cls.razorpay.close()
            cls.paypal.__exit__(None, None, None)

    @classmethod
    def configure(cls, gateway, config):
        return cls.site.as_staff("POST", f"/payment/gateways/{gateway}/config", config)

    @classmethod
    def customer(cls, name):
        """A caller signed in as that user, with a proven address."""
        cls.site.run("user", "add", name, "--email", f"{name}@example.org", "--role", "svc_customer", "--generate")
        secret = cls.site.run("password", "add", name, "--name", "tests").strip().splitlines()[-1]
        return {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}

    def elsewhere(self):
        n = next(self.addresses)
        return {"X-Forwarded-For": f"198.51.{n // 250}.{n % 250}"}

    def session(self):
        opened = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": DAY})
        return {"X-Svc-Session": opened.data["session_id"]}

    def guests_booking(self, caller=None):
        """Its id, what its page holds, and the words that nobody else may read. With a caller it is that account's."""
        session = self.session()
        made = self.site.call("POST", "/booking/create", filled_in({
            "contact_first_name": "Zarathustra", "contact_last_name": "Quisling", "contact_phone": "+4420794600017",
            "contact_email": "zarathustra.quisling@example.org", "payment_gateway": "pay_later"}),
            {**session, **(caller or {})})
        self.assertEqual(made.status, 201, made)
        row = self.site.as_staff("GET", f"/bookings/{made.data['booking_id']}").data
        words = ["Zarathustra", "Quisling", "4420794600017", "zarathustra", row["reference"]]
        return made.data["booking_id"], {"X-Svc-Booking-Token": made.data.get("booking_token", "")}, session, words

    def intent(self, gateway, booking, headers):
        return self.site.call("POST", "/payment/create-intent", {"gateway": gateway, "booking_id": booking},
                              {**self.elsewhere(), **headers})

    def test_every_gateway_of_this_installation_is_walked(self):
        known = self.site.as_staff("GET", "/payment/gateways/definitions").data["gateways"]
        self.assertEqual(sorted(known), sorted(CONFIG))

    def test_no_gateway_tells_a_stranger_anything_of_the_booking(self):
        for gateway in CONFIG:
            booking, token, own_session, words = self.guests_booking()
            strangers = {"anonymous": {}, "a session of another": self.session(), "a junk session": {
                "X-Svc-Session": "x" * 43}, "a signed-in stranger": self.customers["stranger"],
                "a signed-in stranger's session": {**self.customers["stranger"], **self.session()}}
            proven = {"guest": token, "session holder": own_session, "staff": self.site.staff}
            for name, headers in strangers.items():
                with self.subTest(gateway=gateway, caller=name):
                    told = self.intent(gateway, booking, headers)
                    self.assertEqual(told.status, 200, told)
                    self.assertEqual((told.data["amount"], told.data["currency"]), (None, None))
                    self.assertNotRegex(told.text, r"\b80(00|\.00)?\b")
                    for word in (*words, "_secret_"):
                        self.assertNotIn(word, told.text)
                    self.assertEqual(told.data["client_secret"], "")
            wrong = self.intent(gateway, booking, {"X-Svc-Booking-Token": "guess"})
            self.assertEqual(wrong.status, 403, wrong)
            for name, headers in proven.items():
                with self.subTest(gateway=gateway, caller=name):
                    told = self.intent(gateway, booking, headers)
                    self.assertEqual(told.status, 200, told)
                    self.expect_all(gateway, told, words)
            for name, headers in strangers.items():  # nor what the customer has begun since
                with self.subTest(gateway=gateway, caller=name, after="the customer"):
                    told = self.intent(gateway, booking, headers)
                    for word in (*words, "_secret_"):
                        self.assertNotIn(word, told.text)

    def expect_all(self, gateway, told, words):
        """What a page needs to pay by that gateway, and what only who has proven the booking may read."""
        if gateway == "stripe":
            self.assertIn("_secret_", told.data["client_secret"])
        if gateway == "razorpay":
            self.assertEqual(told.data["gateway_data"]["email"], "zarathustra.quisling@example.org")
        if gateway in ("pay_later", "bank_transfer"):
            self.assertIn(words[-1], told.data["instructions"])

    def test_an_accounts_booking_is_nobody_elses_to_pay(self):
        for gateway in CONFIG:
            booking, _, own_session, words = self.guests_booking(self.customers["owner"])
            strangers = {
                "anonymous": ({}, 401), "a session of another": (self.session(), 403),
                "a junk session": ({"X-Svc-Session": "x" * 43}, 403), "a junk token": ({"X-Svc-Booking-Token": "guess"}, 403),
                "a signed-in stranger": (self.customers["stranger"], 403),
                "a signed-in stranger's session": ({**self.customers["stranger"], **self.session()}, 403)}

            def refuse_strangers(after):
                for name, (headers, status) in strangers.items():
                    with self.subTest(gateway=gateway, caller=name, after=after):
                        told = self.intent(gateway, booking, headers)
                        self.assertEqual(told.status, status, told)
                        for word in (*words, "_secret_"):
                            self.assertNotIn(word, told.text)
            refuse_strangers("nobody")
            for name, headers in {"owner": self.customers["owner"], "staff": self.site.staff}.items():
                with self.subTest(gateway=gateway, caller=name):
                    told = self.intent(gateway, booking, headers)
                    self.assertEqual(told.status, 200, told)
                    self.expect_all(gateway, told, words)
            refuse_strangers("the owner")

    def test_strangers_use_up_none_of_the_calls_of_the_customer(self):
        booking, token, _, _ = self.guests_booking()
        answers = {self.intent("pay_later", booking, {}).status for _ in range(15)}
        self.assertEqual(answers, {200, 429})
        self.assertEqual(self.intent("pay_later", booking, token).status, 200)

    def test_the_address_of_the_way_back_holds_visible_ascii_alone(self):
        booking, token, _, _ = self.guests_booking()
        for field in ("return_url", "cancel_url"):
            refused = self.site.call("POST", "/payment/create-intent", {
                "gateway": "stripe", "booking_id": booking, field: "http://127.0.0.1:8080/x\r\nX: 1"},
                {**self.elsewhere(), **token})
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, field), refused)

    def test_callbacks_tell_strangers_nothing(self):
        booking, _, _, words = self.guests_booking()
        for gateway in ("pay_later", "bank_transfer"):
            noted = self.site.as_staff("POST", f"/bookings/{booking}/payments", {
                "amount": 1, "gateway": gateway, "status": "completed", "transaction_id": f"T-{gateway}"})
            self.assertEqual(noted.status, 201, noted)
            back = [self.site.call("GET", f"/payment/callback/{gateway}?transaction_id={name}", None, self.elsewhere())
                    for name in (f"T-{gateway}", "T-nothing")]
            self.assertEqual([one.status for one in back], [302, 302])
            self.assertEqual(back[0].headers["location"], back[1].headers["location"])
            self.assertNotIn(words[-1], back[0].headers["location"])
            for pair, expected in (((booking, f"T-{gateway}"), 200), ((999_999, "T-none"), 404)):
                asked = self.site.as_staff("POST", "/payment/confirm", {
                    "gateway": gateway, "booking_id": pair[0], "transaction_id": pair[1]})
                self.assertEqual(asked.status, expected, asked)
        self.assertEqual(self.site.call("GET", "/payment/callback/nobody?transaction_id=x").status, 404)

    def test_a_gateway_is_switched_on_with_all_that_it_needs_or_not_at_all(self):
        for gateway, missing in REQUIRED.items():
            with self.subTest(gateway=gateway):
                refused = self.refusals[gateway]
                if not missing:
                    self.assertEqual(refused.status, 200, refused)
                    continue
                self.assertEqual((refused.status, refused.json["data"]["field"]), (400, missing[0]), refused)
                self.assertEqual(sorted(refused.json["data"]["errors"]), sorted(missing))

    def test_forged_events_cause_no_call_and_made_up_certificates_stop_no_genuine_event(self):
        send = lambda body, headers: Answer(*self.site.servers[0].ask("/svc/v1/payment/webhook/paypal", "POST", body, headers))
        calls = lambda: len(self.paypal.calls)
        raw, genuine = self.paypal.event("PAYMENT.CAPTURE.COMPLETED", {"id": "CAP-forged"})
        folder, before = "/v1/notifications/certs/", calls()
        for altered in (
                {"PayPal-Cert-Url": f"https://evil.example{folder}CERT-1"},
                {"PayPal-Cert-Url": f"https://api.paypal.com.evil.example{folder}CERT-1"},
                {"PayPal-Cert-Url": f"https://api.paypal.com@evil.example{folder}CERT-1"},
                {"PayPal-Cert-Url": f"{self.paypal.url}/certs/CERT-1"},
                {"PayPal-Cert-Url": f"{self.paypal.url}{folder}CERT-1?x=1"},
                {"PayPal-Cert-Url": f"{self.paypal.url}{folder}../../oauth2/token"},
                {"PayPal-Cert-Url": f"{self.paypal.url}{folder}"},
                {"PayPal-Auth-Algo": "SHA1withRSA"}, {"PayPal-Transmission-Time": "yesterday"},
                {"PayPal-Transmission-Time": "2199-01-01T00:00:00Z"}, {"PayPal-Transmission-Sig": "not a signature!"}):
            answer = send(raw, {**genuine, **altered})
            self.assertEqual((answer.status, answer.json["code"]), (400, "svc_webhook_rejected"), altered)
        self.assertEqual(calls(), before)
        # Certificates that a forger made up: two calls, and one more each half hour.
        answers = {send(raw, {**genuine, "PayPal-Cert-Url": f"{self.paypal.url}{folder}CERT-made-up-{n}"}).status
                   for n in range(40)}
        self.assertEqual(answers, {400, 429})
        self.assertLessEqual(calls() - before, 3)
        # About a charge that the forger began: four, and one more each quarter of an hour.
        own = self.intent("paypal", *self.guests_booking()[:2]).data["payment_id"]
        before = self.paypal.fetched()
        about = self.paypal.event("CHECKOUT.ORDER.APPROVED", {"id": own})[0]
        answers = {send(about, {**genuine, "PayPal-Cert-Url": f"{self.paypal.url}{folder}CERT-other-{n}"}).status
                   for n in range(20)}
        self.assertEqual(answers, {400, 429})
        self.assertLessEqual(self.paypal.fetched() - before, 5)
        # An event about a charge of ours is heard all the same, by a certificate that is new.
        self.paypal.certificates["CERT-new"] = self.paypal.signer.certified("messageverificationcerts.paypal.com", "new.pem")
        booking, token, _, _ = self.guests_booking()
        order = self.intent("paypal", booking, token).data["payment_id"]
        self.paypal.approve(order)
        with self.paypal.lock:
            self.paypal.capture(self.paypal.orders[order])
        body, _ = self.paypal.event("PAYMENT.CAPTURE.COMPLETED", self.paypal.captured(order))
        headers = self.paypal.headers(body, "CERT-new", "new.pem")
        self.assertEqual(send(body, headers).status, 200)
        self.assertEqual(self.site.as_staff("GET", f"/payment/status/{booking}").data["payment_status"], "paid")
        # From here on nothing that anybody sends with it causes a call.
        before = calls()
        for n in range(150):
            other, forged = self.paypal.event("PAYMENT.CAPTURE.COMPLETED", {"id": f"CAP-{n}"}) if n < 5 else (
                json.dumps({"id": f"WH-{n}", "event_type": "PAYMENT.CAPTURE.COMPLETED", "resource": {}}).encode(), headers)
            answer = send(other, {**forged, "PayPal-Cert-Url": headers["PayPal-Cert-Url"]})
            self.assertEqual((answer.status, answer.json["code"]), (400, "svc_webhook_rejected"))
        self.assertTrue(send(body, headers).data["duplicate"])
        self.assertEqual(calls(), before)

    def test_a_currency_that_a_gateway_cannot_carry_is_not_offered_by_it(self):
        offered = lambda: sorted(one["id"] for one in self.site.call("GET", "/payment/gateways").data["gateways"])
        self.assertEqual(offered(), sorted(CONFIG))
        try:
            set_to = self.site.as_staff("PUT", "/settings", {"currency": "IRR"})
            self.assertEqual(set_to.status, 200, set_to)
            self.assertEqual(offered(), ["bank_transfer", "pay_later"])
        finally:
            self.site.as_staff("PUT", "/settings", {"currency": "USD"})

    def test_an_intent_that_waits_for_capture_is_captured_once_it_is_booked_by_its_event_of_before(self):
        session = self.session()
        begun = self.site.call("POST", "/payment/create-intent", {"gateway": "stripe"}, {**self.elsewhere(), **session})
        self.assertEqual(begun.status, 200, begun)
        waiting = self.stripe.pay(begun.data["payment_id"])
        self.assertEqual(waiting["status"], "requires_capture")

        def tell():
            headers, body = self.stripe.event("payment_intent.amount_capturable_updated", waiting, "whsec_1")
            return Answer(*self.site.servers[0].ask("/svc/v1/payment/webhook/stripe", "POST", body.encode(), headers))
        self.assertEqual(tell().status, 200)  # the usual order: before its booking
        self.assertEqual(self.stripe.made[begun.data["payment_id"]]["status"], "requires_capture")
        made = self.site.call("POST", "/booking/create", filled_in({"payment_gateway": "stripe"}), session)
        self.assertEqual(made.status, 201, made)
        # Nobody says it again: the page is closed, and the event is remembered.
        state = lambda: self.site.as_staff("GET", f"/payment/status/{made.data['booking_id']}").data["payment_status"]
        for _ in range(600):
            if state() == "paid":
                break
            time.sleep(0.1)
        self.assertEqual(state(), "paid")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
