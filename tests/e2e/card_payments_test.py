"""Bookings paid by stripe and razorpay, through the whole program beside stubs of both providers: by every door, in any
order, from several processes at once.

card_payments_test.py SVC DATABASE PRO
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

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import provider_stub  # noqa: E402
from installation import Answer, Site, filled_in  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class CardPayments(unittest.TestCase):
    callers = 0

    @classmethod
    def setUpClass(cls):
        cls.stripe = provider_stub.Stripe("sk_test_1")
        cls.razorpay = provider_stub.Razorpay("rzp_test_1:s3cret")
        cls.site = Site(SVC, DATABASE, servers=2, environment={
            "SVC_PRO_LIBRARY": os.path.abspath(PRO),
            "SVC_OUTBOUND_PRIVATE_HOSTS": f"{cls.stripe.place},{cls.razorpay.place}",
            "SVC_PAYMENT_API_BASES": f"stripe={cls.stripe.url},razorpay={cls.razorpay.url}"}).__enter__()
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        for gateway, config in (("stripe", {"test_publishable_key": "pk_test_1", "test_secret_key": "sk_test_1",
                                            "webhook_secret": "whsec_1"}),
                                ("razorpay", {"test_key_id": "rzp_test_1", "test_key_secret": "s3cret",
                                              "webhook_secret": "hook_1"})):
            saved = cls.site.as_staff("POST", f"/payment/gateways/{gateway}/config", {"enabled": True, **config})
            assert saved.status == 200 and saved.data["config"]["webhook_secret"].startswith("****"), saved
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

    def intent(self, body, headers=None):
        """create-intent from an address of its own: how often one may ask is not what is looked at here."""
        CardPayments.callers += 1
        return self.site.call("POST", "/payment/create-intent", body,
                              {"X-Forwarded-For": f"198.51.100.{CardPayments.callers}", **(headers or {})})

    def begun(self, gateway):
        made = self.site.book(self.trip, DAY)
        self.assertEqual(made.status, 201, made)
        booking, token = made.data["booking_id"], {"X-Svc-Booking-Token": made.data["booking_token"]}
        intent = self.intent({"gateway": gateway, "booking_id": booking}, token)
        self.assertEqual(intent.status, 200, intent)
        return booking, token, intent.data

    def confirm(self, gateway, booking, token, transaction, server=0, **data):
        return self.site.call("POST", "/payment/confirm", {
            "gateway": gateway, "booking_id": booking, "transaction_id": transaction, "gateway_data": data}, token, server)

    def tell(self, gateway, event, server=0):
        headers, body = event
        return Answer(*self.site.servers[server].ask(f"/svc/v1/payment/webhook/{gateway}", "POST", body.encode(), headers))

    def state(self, booking):
        now = self.site.as_staff("GET", f"/payment/status/{booking}").data
        return now["status"], now["payment_status"], now["amount_paid"]

    def payments(self, booking):
        return self.site.as_staff("GET", f"/bookings/{booking}/payments").data

    def session(self):
        opened = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": DAY})
        return {"X-Svc-Session": opened.data["session_id"]}

    def test_a_session_is_charged_before_its_booking_which_takes_the_charge_over(self):
        session = self.session()
        begun = self.intent({"gateway": "stripe", "amount": 1}, session)
        self.assertEqual((begun.status, begun.data["amount"], begun.data["booking_id"]), (200, 80, None), begun)
        name = begun.data["payment_id"]
        self.assertEqual(self.stripe.made[name]["capture_method"], "manual")
        self.assertEqual(self.stripe.pay(name)["status"], "requires_capture")
        self.assertEqual(self.site.sql(f"SELECT COUNT(*) FROM svc_payments WHERE transaction_id = '{name}'"), [["0"]])
        made = self.site.call("POST", "/booking/create", filled_in({"payment_gateway": "stripe"}), session)
        self.assertEqual(made.status, 201, made)
        booking, token = made.data["booking_id"], {"X-Svc-Booking-Token": made.data["booking_token"]}
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        paid = self.confirm("stripe", booking, token, name, server=1)
        self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
        self.assertEqual(self.stripe.made[name]["status"], "succeeded")
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        # The session again is its booking, which is paid.
        again = self.intent({"gateway": "stripe"}, session)
        self.assertEqual((again.status, again.json["code"]), (400, "already_paid"), again)
        # Its token opens this payment's invoice to who has nothing else.
        proof = f"preview=1&invoice_token={paid.data['invoice_token']}"
        self.assertEqual(self.site.call("GET", f"/payment/{paid.data['payment_id']}/invoice?{proof}").status, 200)
        other = self.site.call("GET", f"/payment/{paid.data['payment_id'] + 1}/invoice?{proof}")
        self.assertIn(other.status, (401, 403), other)

    def test_nobody_makes_up_an_amount(self):
        wanted = {"gateway": "stripe", "amount": 1, "currency": "USD"}
        self.assertEqual(self.intent(wanted).status, 401)
        unknown = self.intent(wanted, {"X-Svc-Session": "x" * 43})
        self.assertEqual((unknown.status, unknown.json["code"]), (404, "session_expired"), unknown)
        empty = {"X-Svc-Session": self.site.call("POST", "/booking/session", {"trip_id": self.trip}).data["session_id"]}
        unpriced = self.intent(wanted, empty)
        self.assertEqual((unpriced.status, unpriced.json["data"]["field"]), (400, "travel_date"), unpriced)
        held = self.intent({"gateway": "razorpay"}, self.session())
        self.assertEqual((held.status, held.json["code"]), (400, "payment_method_unavailable"), held)
        nameless = self.intent({"gateway": "stripe", "amount": 5}, self.site.staff)
        self.assertEqual((nameless.status, nameless.json["data"]["field"]), (400, "currency"), nameless)
        self.assertEqual(self.intent(wanted, self.site.staff).status, 200)

    def test_a_saved_card_pays_a_balance_without_the_customer_until_it_is_taken_away(self):
        self.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                      " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
        on = self.site.as_staff("POST", "/modules/flexible_payments/toggle", {"enabled": True})
        self.assertEqual(on.status, 200, on)
        self.site.as_staff("PUT", "/settings", {"allow_save_payment_methods": True})
        first, second = (self.site.book(self.trip, DAY, headers=self.site.staff).data["booking_id"] for _ in range(2))
        intent = self.intent({"gateway": "stripe", "booking_id": first, "save_card": True}, self.site.staff)
        self.assertTrue(intent.data["saves_method"], intent)
        self.stripe.pay(intent.data["payment_id"], method="pm_ada")
        self.assertEqual(self.confirm("stripe", first, self.site.staff, intent.data["payment_id"]).status, 200)
        mine = self.site.as_staff("GET", "/customers/me/payment-methods").data
        self.assertEqual([(one["brand"], one["last4"], one["is_default"]) for one in mine], [("visa", "4242", True)])
        self.assertNotIn("pm_ada", json.dumps(mine))
        self.assertEqual(self.site.as_staff("GET", f"/bookings/{second}/payment-methods").data, mine)
        charge = {"saved_method_id": mine[0]["id"], "amount": 30}
        key = {"Idempotency-Key": "charge-1"}
        for _ in range(2):
            paid = self.site.as_staff("POST", f"/bookings/{second}/charge", charge, key)
            self.assertEqual((paid.status, paid.data["status"], paid.data["amount_due"]), (200, "completed", 50), paid)
        self.assertEqual(self.site.as_staff("POST", f"/bookings/{second}/charge", {**charge, "amount": 51}).status, 400)
        self.assertEqual(self.site.as_staff("POST", f"/bookings/{second}/charge",
                                            {"saved_method_id": mine[0]["id"]}).status, 200)
        self.assertEqual(self.state(second), ("confirmed", "paid", 80))
        self.assertEqual([one["amount"] for one in self.payments(second)], [30, 50])
        self.assertEqual(self.site.call("GET", "/customers/me/payment-methods").status, 401)
        gone = self.site.as_staff("DELETE", f"/customers/me/payment-methods/{mine[0]['id']}")
        self.assertEqual(gone.status, 200, gone)
        self.assertIn(("POST", "/v1/payment_methods/pm_ada/detach"), self.stripe.calls)
        self.assertEqual(self.site.as_staff("GET", "/customers/me/payment-methods").data, [])
        self.razorpay_card_pays_a_balance()

    def razorpay_card_pays_a_balance(self):
        first, second = (self.site.book(self.trip, DAY, headers=self.site.staff).data["booking_id"] for _ in range(2))
        begun = self.intent({"gateway": "razorpay", "booking_id": first, "save_card": True}, self.site.staff).data
        self.assertTrue(begun["saves_method"], begun)
        order, customer = begun["payment_id"], begun["gateway_data"]["customer_id"]
        payment = self.razorpay.authorize(order, **self.razorpay.keep(customer))["id"]
        proof = self.razorpay.proof(order, payment)
        paid = self.confirm("razorpay", first, self.site.staff, payment, razorpay_signature=proof)
        self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
        kept = self.site.as_staff("GET", "/customers/me/payment-methods").data
        self.assertEqual([(one["gateway"], one["brand"], one["last4"]) for one in kept], [("razorpay", "Visa", "4366")])
        for _ in range(2):
            charged = self.site.as_staff("POST", f"/bookings/{second}/charge", {"saved_method_id": kept[0]["id"]},
                                         {"Idempotency-Key": "charge-2"})
            self.assertEqual((charged.status, charged.data["status"]), (200, "completed"), charged)
        self.assertEqual(self.state(second), ("confirmed", "paid", 80))
        self.assertEqual(self.razorpay.calls.count(("POST", "/v1/payments/create/recurring")), 1)
        gone = self.site.as_staff("DELETE", f"/customers/me/payment-methods/{kept[0]['id']}")
        self.assertEqual(gone.status, 200, gone)
        self.assertEqual(self.razorpay.of("token"), [])

    def test_the_live_world_and_that_for_tests_never_mix(self):
        booking, token, intent = self.begun("stripe")
        paid = self.stripe.pay(intent["payment_id"])
        live = self.tell("stripe", self.stripe.event("payment_intent.succeeded", paid, "whsec_1", live=True))
        self.assertEqual((live.status, live.json["code"]), (400, "svc_webhook_rejected"), live)
        try:
            self.site.as_staff("PUT", "/settings", {"payment_test_mode": False})
            offered = [one["id"] for one in self.site.call("GET", "/payment/gateways").data["gateways"]]
            self.assertNotIn("stripe", offered)  # there are keys for tests alone
            self.assertNotIn("razorpay", offered)
            test = self.tell("stripe", self.stripe.event("payment_intent.succeeded", paid, "whsec_1"))
            self.assertEqual(test.status, 400, test)
            refused = self.confirm("stripe", booking, token, intent["payment_id"])
            self.assertEqual((refused.status, refused.json["code"]), (400, "payment_error"), refused)
            self.assertEqual(self.state(booking), ("pending", "pending", 0))
            # A key of the other world is no key of this one.
            wrong = self.site.as_staff("POST", "/payment/gateways/stripe/config", {"live_secret_key": "sk_test_1"})
            self.assertEqual((wrong.status, wrong.json["data"]["field"]), (400, "live_secret_key"), wrong)
            self.assertNotIn("stripe", [one["id"] for one in
                                        self.site.call("GET", "/payment/gateways").data["gateways"]])
        finally:
            self.site.as_staff("PUT", "/settings", {"payment_test_mode": True})
            self.site.as_staff("POST", "/payment/gateways/stripe/config", {"live_secret_key": ""})

    def test_stripe_takes_the_keys_and_the_page_gets_what_it_needs(self):
        tested = self.site.as_staff("POST", "/payment/gateways/stripe/test")
        self.assertEqual((tested.status, tested.data["ok"]), (200, True), tested)
        booking, token, intent = self.begun("stripe")
        self.assertEqual((intent["amount"], intent["currency"]), (80, "USD"))
        self.assertIn("pk_test_1", json.dumps(intent))
        self.assertIn("_secret_", json.dumps(intent))
        made = self.stripe.made[intent["payment_id"]]
        self.assertEqual((made["amount"], made["currency"], made["metadata"]["booking_id"]), (8000, "usd", str(booking)))
        again = self.intent({"gateway": "stripe", "booking_id": booking}, token)
        self.assertEqual(again.data["payment_id"], intent["payment_id"])

    def test_a_card_is_paid_after_3d_secure_and_printed_on_the_invoice(self):
        booking, token, intent = self.begun("stripe")
        name = intent["payment_id"]
        self.stripe.authenticate(name)
        self.assertEqual(self.confirm("stripe", booking, token, name).data["status"], "pending")
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        self.stripe.pay(name)
        paid = self.confirm("stripe", booking, token, name)
        self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        invoice = self.site.call("GET", f"/bookings/{booking}/invoice?preview=1", headers=token)
        self.assertEqual(invoice.status, 200, invoice)
        self.assertTrue(base64.b64decode(invoice.data["pdf_data"]).startswith(b"%PDF-"))
        self.assertEqual(self.site.call("GET", f"/payment/{self.payments(booking)[0]['id']}/voucher?preview=1",
                                        headers=token).status, 200)

    def test_a_key_that_stripe_does_not_take_fails_no_payment(self):
        booking, token, intent = self.begun("stripe")
        name = intent["payment_id"]
        self.stripe.pay(name)
        keys = lambda key: self.site.as_staff("POST", "/payment/gateways/stripe/config", {"test_secret_key": key})
        self.assertEqual(keys("sk_test_other").status, 200)
        try:
            unknown = self.confirm("stripe", booking, token, name)
            self.assertEqual((unknown.status, unknown.json["code"]), (502, "svc_gateway_unavailable"), unknown)
            self.assertEqual((self.state(booking), self.payments(booking)), (("pending", "pending", 0), []))
        finally:
            keys("sk_test_1")
        self.assertEqual(self.confirm("stripe", booking, token, name).data["status"], "completed")

    def test_the_browser_comes_back_by_stripes_own_name_of_the_charge(self):
        booking, _, intent = self.begun("stripe")
        name = intent["payment_id"]
        self.assertIn("/payment/callback/stripe?intent=", intent["return_url"])

        def back(query):
            answer = self.site.call("GET", f"/payment/callback/stripe?{query}",
                                    headers={"X-Forwarded-For": "198.51.101.1"})
            self.assertEqual(answer.status, 302, answer)
            return answer.headers["location"]
        for guess in (f"booking_id={booking}&status=succeeded", f"booking_id={booking}&payment_intent=pi_guess",
                      f"booking_id={booking + 1}&payment_intent={name}"):
            self.assertTrue(back(guess).endswith("?payment=failed"), guess)
            self.assertNotIn("confirmation", back(guess))
        self.stripe.pay(name)
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        self.assertTrue(back(f"payment_intent={name}&redirect_status=failed").endswith("?payment=success"))
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))

    def test_a_declined_card_is_told_and_another_one_pays(self):
        booking, token, intent = self.begun("stripe")
        self.stripe.decline(intent["payment_id"], "Your card has insufficient funds.")
        declined = self.confirm("stripe", booking, token, intent["payment_id"])
        self.assertEqual((declined.status, declined.json["code"]), (402, "payment_failed"), declined)
        self.assertEqual(self.state(booking)[1:], ("failed", 0))
        self.stripe.pay(intent["payment_id"])
        self.assertEqual(self.confirm("stripe", booking, token, intent["payment_id"]).data["status"], "completed")
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))

    def test_event_and_page_at_once_over_two_processes_are_one_payment(self):
        booking, token, intent = self.begun("stripe")
        name = intent["payment_id"]
        paid = self.stripe.pay(name)
        event = self.stripe.event("payment_intent.succeeded", paid, "whsec_1")
        statuses = []

        def act(number):
            answer = (self.tell("stripe", event, number % 2) if number % 3 == 0 else
                      self.confirm("stripe", booking, token, name, number % 2))
            statuses.append(answer.status)
        threads = [threading.Thread(target=act, args=(number,)) for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(set(statuses), {200, 503}, statuses)
        self.assertEqual(self.tell("stripe", event).data, {"received": True, "duplicate": True})
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        self.assertEqual([(one["status"], one["transaction_id"]) for one in self.payments(booking)], [("completed", name)])
        told = self.site.sql("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_card_payment_succeeded'"
                             f" AND arguments LIKE '%\"{name}\"%'")
        self.assertEqual(int(told[0][0]), 1)

    def test_money_for_a_cancelled_booking_is_kept_and_staff_are_told_to_send_it_back(self):
        self.site.as_staff("PUT", "/settings", {"admin_email": "desk@example.org"})
        booking, _, intent = self.begun("stripe")
        paid = self.stripe.pay(intent["payment_id"])
        gone = self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
        self.assertEqual(gone.status, 200, gone)
        event = self.stripe.event("payment_intent.succeeded", paid, "whsec_1")
        for _ in range(2):
            self.assertEqual(self.tell("stripe", event).status, 200)
        self.assertEqual(self.state(booking), ("cancelled", "paid", 80))
        listed = self.site.as_staff("GET", f"/payments?reconciliation=refund_due&booking_id={booking}").data
        self.assertEqual([one["transaction_id"] for one in listed], [intent["payment_id"]])
        where = f"FROM svc_email_outbox WHERE template_key = 'admin_refund_due' AND body_text LIKE '%{intent['payment_id']}%'"
        for _ in range(1200):
            self.site.open_mails()
            if self.site.sql(f"SELECT COUNT(*) {where}") != [["0"]]:
                break
            time.sleep(0.05)
        self.assertEqual(self.site.sql(f"SELECT COUNT(*) {where} AND body_text LIKE '%cancelled%'"), [["1"]])

    def test_forged_events_are_refused_alike_and_move_nothing(self):
        booking, _, intent = self.begun("stripe")
        paid = self.stripe.pay(intent["payment_id"])
        headers, body = self.stripe.event("payment_intent.succeeded", paid, "whsec_1")
        answers = [self.tell("stripe", self.stripe.event("payment_intent.succeeded", paid, "wrong")),
                   self.tell("stripe", self.stripe.event("payment_intent.succeeded", paid, "whsec_1", at=1_700_000_000)),
                   self.tell("stripe", (headers, body + "\n")), self.tell("stripe", ({}, body)),
                   self.tell("razorpay", self.razorpay.event("payment.captured", {}, "wrong"))]
        self.assertEqual({(answer.status, answer.json["code"]) for answer in answers}, {(400, "svc_webhook_rejected")})
        self.assertEqual(len({answer.json["message"] for answer in answers}), 1)
        self.assertEqual(self.state(booking), ("pending", "pending", 0))

    def test_a_secret_is_changed_without_losing_an_event(self):
        config = "/payment/gateways/stripe/config"
        self.assertEqual(self.site.as_staff("POST", config, {"previous_webhook_secret": "whsec_1",
                                                             "webhook_secret": "whsec_2"}).status, 200)
        for secret in ("whsec_1", "whsec_2"):
            event = self.stripe.event("invoice.created", {"id": "in_1"}, secret)
            self.assertEqual(self.tell("stripe", event).status, 200)
        self.assertEqual(self.site.as_staff("POST", config, {"previous_webhook_secret": ""}).status, 200)
        self.assertEqual(self.tell("stripe", self.stripe.event("x", {}, "whsec_1")).status, 400)
        self.assertEqual(self.tell("stripe", self.stripe.event("x", {}, "whsec_2")).status, 200)
        self.site.as_staff("POST", config, {"webhook_secret": "whsec_1"})

    def test_a_refund_goes_to_stripe_once_and_one_made_there_is_taken_over(self):
        booking, token, intent = self.begun("stripe")
        name = intent["payment_id"]
        self.stripe.pay(name)
        self.assertEqual(self.confirm("stripe", booking, token, name).status, 200)
        payment = self.payments(booking)[0]["id"]
        part = self.site.as_staff("POST", f"/payments/{payment}/refunds", {"amount": 27.71, "reason": "rain"})
        self.assertEqual((part.status, part.data["status"]), (201, "completed"), part)
        self.assertEqual(self.state(booking)[2], 52.29)
        charge = {**self.stripe.made[name]["latest_charge"], "amount_refunded": 2771}
        known = self.stripe.event("charge.refunded", charge, "whsec_1")
        self.assertEqual(self.tell("stripe", known).status, 200)
        self.assertEqual(self.state(booking)[2], 52.29)
        own = self.stripe.event("charge.refunded", {**charge, "amount_refunded": 3000}, "whsec_1")
        self.assertEqual(self.tell("stripe", own).status, 200)
        self.assertEqual(self.state(booking)[2], 50)

    def test_a_refund_told_before_its_payment_ends_as_in_order(self):
        booking, _, intent = self.begun("stripe")
        paid = self.stripe.pay(intent["payment_id"])
        charge = {**paid["latest_charge"], "amount_refunded": 3000}
        self.assertEqual(self.tell("stripe", self.stripe.event("charge.refunded", charge, "whsec_1")).status, 200)
        self.assertEqual(self.tell("stripe", self.stripe.event("payment_intent.succeeded", paid, "whsec_1")).status, 200)
        self.assertEqual(self.state(booking)[1:], ("paid", 50))

    def test_a_booking_is_paid_by_razorpay_and_its_event_is_the_same_payment(self):
        booking, token, intent = self.begun("razorpay")
        order = intent["payment_id"]
        payment = self.razorpay.authorize(order)
        forged = self.confirm("razorpay", booking, token, payment["id"], razorpay_signature="0" * 64)
        self.assertEqual((forged.status, forged.json["data"]["field"]), (400, "gateway_data.razorpay_signature"), forged)
        foreign = self.confirm("razorpay", booking, token, "evil/../pay")
        self.assertEqual((foreign.status, foreign.json["data"]["field"]), (400, "transaction_id"), foreign)
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        proof = self.razorpay.proof(order, payment["id"])
        paid = self.confirm("razorpay", booking, token, payment["id"], razorpay_signature=proof)
        self.assertEqual((paid.status, paid.data["status"]), (200, "completed"), paid)
        event = self.razorpay.event("payment.captured", {"payment": {"entity": payment}}, "hook_1")
        self.assertEqual([self.tell("razorpay", event).data["duplicate"] for _ in range(2)], [False, True])
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        self.assertEqual([one["transaction_id"] for one in self.payments(booking)], [payment["id"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
