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
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import provider_stub  # noqa: E402
from installation import Answer, Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class CardPayments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stripe = provider_stub.Stripe("sk_test_1")
        cls.razorpay = provider_stub.Razorpay("rzp_test_1:s3cret")
        cls.site = Site(SVC, DATABASE, servers=2, environment={
            "SVC_PRO_LIBRARY": os.path.abspath(PRO),
            "SVC_OUTBOUND_PRIVATE_HOSTS": f"{cls.stripe.place},{cls.razorpay.place}",
            "SVC_PAYMENT_API_BASES": f"stripe={cls.stripe.url},razorpay={cls.razorpay.url}"}).__enter__()
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
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

    def begun(self, gateway):
        made = self.site.book(self.trip, DAY)
        self.assertEqual(made.status, 201, made)
        booking, token = made.data["booking_id"], {"X-Svc-Booking-Token": made.data["booking_token"]}
        intent = self.site.call("POST", "/payment/create-intent", {"gateway": gateway, "booking_id": booking}, token)
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

    def test_stripe_takes_the_keys_and_the_page_gets_what_it_needs(self):
        tested = self.site.as_staff("POST", "/payment/gateways/stripe/test")
        self.assertEqual((tested.status, tested.data["ok"]), (200, True), tested)
        booking, token, intent = self.begun("stripe")
        self.assertEqual((intent["amount"], intent["currency"]), (80, "USD"))
        self.assertIn("pk_test_1", json.dumps(intent))
        self.assertIn("_secret_", json.dumps(intent))
        made = self.stripe.made[intent["payment_id"]]
        self.assertEqual((made["amount"], made["currency"], made["metadata"]["booking_id"]), (8000, "usd", str(booking)))
        again = self.site.call("POST", "/payment/create-intent", {"gateway": "stripe", "booking_id": booking}, token)
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
        self.assertEqual(self.state(booking)[1:], ("partial", 50))

    def test_a_booking_is_paid_by_razorpay_and_its_event_is_the_same_payment(self):
        booking, token, intent = self.begun("razorpay")
        order = intent["payment_id"]
        payment = self.razorpay.authorize(order)
        forged = self.confirm("razorpay", booking, token, payment["id"], razorpay_signature="0" * 64)
        self.assertNotEqual(forged.status, 200, forged)
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
