"""The card gateways over HTTP against providers that decline, keep silent, answer garbage, twice and out of order.

card_gateways_test.py GATEWAYS_ASKED
"""
import json
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import provider_stub  # noqa: E402

ASKED = sys.argv[1]
EUR = {"minor": 12345, "currency": "EUR"}
INR = {"minor": 50000, "currency": "INR"}


class Desk:
    """One of our gateways beside a provider of its own."""

    def __init__(self, gateway, provider, config):
        self.gateway, self.provider = gateway, provider
        self.situation = {"config": {**config, "webhook_secret": "hook"}, "sandbox": True, "api_base": provider.url,
                          "webhook_url": "", "now": int(time.time()) * 1_000_000}
        self.child = subprocess.Popen([ASKED, provider.place, "700"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self):
        self.child.stdin.close()
        self.child.wait(20)
        self.child.stdout.close()
        self.provider.close()

    def ask(self, what, **members):
        question = {"ask": what, "gateway": self.gateway, "situation": self.situation, **members}
        self.child.stdin.write(json.dumps(question) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def intent(self, amount, key="k-1", **more):
        wanted = {"key": key, "amount": amount, "booking_id": 7, "booking_reference": "SVC-1", "description": "Nile",
                  "customer_name": "Ada", "customer_email": "ada@example.org", "return_url": "", "cancel_url": "",
                  "save_method": False, "gateway_customer": "", **more}
        return self.ask("intent", wanted=wanted)

    def confirm(self, intent, amount, transaction="", proof=None, may_capture=True):
        inquiry = {"key": "k-1", "intent_id": intent, "transaction_id": transaction, "amount": amount, "booking_id": 7,
                   "proof": proof or {}, "may_capture": may_capture}
        return self.ask("confirm", inquiry=inquiry)

    def refund(self, transaction, amount, captured, key="r-1"):
        return self.ask("refund", wanted={"key": key, "intent_id": "", "transaction_id": transaction, "amount": amount,
                                          "captured": captured, "reason": "ill"})

    def hear(self, event):
        headers, body = event
        return self.ask("webhook", headers=[[name, value] for name, value in headers.items()], body=body)


UNKNOWN, REFUSED, MISTAKEN = "svc_gateway_unavailable", "payment_error", "svc_validation_error"


class StripeTest(unittest.TestCase):
    def setUp(self):
        self.stripe = provider_stub.Stripe("sk_test_1")
        self.desk = Desk("stripe", self.stripe, {"test_secret_key": "sk_test_1", "test_publishable_key": "pk_test_1"})
        self.addCleanup(self.desk.close)

    def made(self):
        return self.desk.intent(EUR)["answer"]["id"]

    def test_a_card_that_asks_for_3d_secure_is_paid_once_the_customer_has_proven_himself(self):
        intent = self.made()
        self.assertEqual(self.desk.confirm(intent, EUR)["answer"]["progress"], "waiting")
        self.stripe.authenticate(intent)
        self.assertEqual(self.desk.confirm(intent, EUR)["answer"]["progress"], "waiting")
        self.stripe.pay(intent)
        charge = self.desk.confirm(intent, EUR)["answer"]
        self.assertEqual((charge["progress"], charge["transaction_id"], charge["amount"], charge["fee"]["minor"]),
                         ("paid", intent, EUR, 57))

    def test_a_declined_card_has_failed_in_the_banks_words_and_another_card_may_follow(self):
        intent = self.made()
        self.stripe.decline(intent, "Your card has insufficient funds.")
        charge = self.desk.confirm(intent, EUR)["answer"]
        self.assertEqual((charge["progress"], charge["reason"]), ("failed", "Your card has insufficient funds."))
        self.stripe.pay(intent)
        self.assertEqual(self.desk.confirm(intent, EUR)["answer"]["progress"], "paid")

    def test_a_smaller_capture_is_told_as_it_is(self):
        intent = self.made()
        self.stripe.pay(intent, 12000)
        self.assertEqual(self.desk.confirm(intent, EUR)["answer"]["amount"]["minor"], 12000)

    def test_whatever_happens_to_the_answer_a_repeated_call_makes_no_second_intent_and_no_second_refund(self):
        self.stripe.faults = ["slow", "lost", "garbage", 500, 429, 409]
        for _ in range(6):
            self.assertEqual(self.desk.intent(EUR)["error"], UNKNOWN)
        intent = self.made()
        self.assertEqual([one["id"] for one in self.stripe.of("pi")], [intent])
        self.stripe.pay(intent)
        self.stripe.faults = ["lost", "garbage", 503]
        for _ in range(3):
            self.assertEqual(self.desk.refund(intent, {"minor": 300, "currency": "EUR"}, EUR)["error"], UNKNOWN)
        done = self.desk.refund(intent, {"minor": 300, "currency": "EUR"}, EUR)["answer"]
        self.assertEqual((done["progress"], done["amount"]["minor"]), ("paid", 300))
        self.assertEqual(len(self.stripe.of("re")), 1)
        more = self.desk.refund(intent, EUR, EUR, key="r-2")
        self.assertEqual(more["error"], REFUSED)

    def test_silence_while_asking_leaves_the_outcome_open_and_the_next_question_tells_it(self):
        intent = self.made()
        self.stripe.pay(intent)
        self.stripe.faults = ["slow", "garbage"]
        for _ in range(2):
            self.assertEqual(self.desk.confirm(intent, EUR)["error"], UNKNOWN)
        self.assertEqual(self.desk.confirm(intent, EUR)["answer"]["progress"], "paid")

    def test_a_key_that_stripe_does_not_take_charges_nothing(self):
        self.desk.situation["config"]["test_secret_key"] = "sk_test_other"
        self.assertEqual(self.desk.intent(EUR)["error"], UNKNOWN)
        self.assertEqual(self.stripe.of("pi"), [])
        self.assertEqual(self.desk.ask("probe")["error"], UNKNOWN)

    def test_a_saved_method_is_kept_with_a_customer_and_charged_later(self):
        intent = self.desk.intent(EUR, save_method=True)["answer"]["id"]
        customer = self.stripe.of("cus")[0]["id"]
        self.stripe.made[intent]["payment_method"] = {"id": "pm_1", "card": {"brand": "visa", "last4": "4242",
                                                                             "exp_month": 7, "exp_year": 2031}}
        self.stripe.pay(intent)
        saved = self.desk.confirm(intent, EUR)["answer"]["saved"]
        self.assertEqual((saved["customer"], saved["method"], saved["last4"]), (customer, "pm_1", "4242"))

        def charge(method, key):
            return self.desk.ask("charge_saved", wanted={"key": key, "method": {**saved, "method": method}, "amount": EUR,
                                                         "booking_id": 7, "booking_reference": "SVC-1", "description": ""})
        self.assertEqual(charge("pm_1", "s-1")["answer"]["progress"], "paid")
        self.assertEqual(charge("pm_declined", "s-2")["error"], "payment_failed")
        self.assertEqual(len(self.stripe.of("pi")), 3)

    def test_events_twice_and_in_the_wrong_order_name_the_same_payment(self):
        intent = self.made()
        self.stripe.pay(intent)
        charge = {**self.stripe.made[intent]["latest_charge"], "amount_refunded": 300}
        refunded = self.desk.hear(self.stripe.event("charge.refunded", charge, "hook"))["answer"][0]
        event = self.stripe.event("payment_intent.succeeded", self.stripe.made[intent], "hook")
        paid = self.desk.hear(event)["answer"][0]
        again = self.desk.hear(event)["answer"][0]
        self.assertEqual(paid, again)
        self.assertNotEqual(paid["id"], refunded["id"])
        self.assertEqual({one["transaction_id"] for one in (refunded, paid, self.desk.confirm(intent, EUR)["answer"])}, {intent})
        self.assertEqual((paid["kind"], paid["amount"], paid["booking_id"]), ("paid", EUR, 7))
        self.assertEqual((refunded["kind"], refunded["refunded_total"]["minor"]), ("refunded", 300))
        self.assertNotIn("4242", json.dumps([paid, refunded]))
        self.assertNotIn("secret", json.dumps(paid))
        for forged in (self.stripe.event("charge.refunded", charge, "other"),
                       self.stripe.event("charge.refunded", charge, "hook", at=time.time() - 400)):
            self.assertEqual(self.desk.hear(forged)["error"], "svc_webhook_rejected")


class RazorpayTest(unittest.TestCase):
    def setUp(self):
        self.razorpay = provider_stub.Razorpay("rzp_test_1:s3cret")
        self.desk = Desk("razorpay", self.razorpay, {"test_key_id": "rzp_test_1", "test_key_secret": "s3cret"})
        self.addCleanup(self.desk.close)

    def test_an_authorized_payment_is_captured_once_and_paid_from_then_on(self):
        order = self.desk.intent(INR)["answer"]["id"]
        self.assertEqual(self.desk.confirm(order, INR)["answer"]["progress"], "waiting")
        payment = self.razorpay.authorize(order)["id"]
        proof = {"razorpay_signature": self.razorpay.proof(order, payment)}
        for _ in range(3):
            charge = self.desk.confirm(order, INR, payment, proof)["answer"]
            self.assertEqual((charge["progress"], charge["transaction_id"], charge["amount"]), ("paid", payment, INR))
        self.assertEqual(self.razorpay.calls.count(("POST", f"/v1/payments/{payment}/capture")), 1)
        self.assertEqual(self.desk.confirm(order, INR, payment, {"razorpay_signature": "0" * 64})["error"], MISTAKEN)
        self.assertEqual(self.desk.confirm(order, INR)["answer"]["transaction_id"], payment)  # asked by ourselves

    def test_an_order_whose_answer_was_lost_is_found_again_and_not_made_twice(self):
        self.razorpay.faults = [None, "lost"]  # looked for; made, but nobody hears of it
        self.assertEqual(self.desk.intent(INR)["error"], UNKNOWN)
        order = self.desk.intent(INR)["answer"]["id"]
        self.assertEqual([one["id"] for one in self.razorpay.of("order")], [order])

    def test_a_capture_whose_answer_was_lost_is_seen_the_next_time(self):
        order = self.desk.intent(INR)["answer"]["id"]
        payment = self.razorpay.authorize(order)["id"]
        self.razorpay.faults = [None, "lost", "lost"]  # read; captured; looked at again
        self.assertEqual(self.desk.confirm(order, INR, payment)["error"], UNKNOWN)
        self.assertEqual(self.desk.confirm(order, INR, payment)["answer"]["progress"], "paid")
        other = self.razorpay.authorize(order)["id"]
        self.razorpay.faults = [None, "lost"]
        self.assertEqual(self.desk.confirm(order, INR, other)["answer"]["progress"], "paid")

    def test_a_failed_payment_has_failed_and_another_one_of_the_order_counts(self):
        order = self.desk.intent(INR)["answer"]["id"]
        self.razorpay.authorize(order, "failed", error_description="No funds")
        charge = self.desk.confirm(order, INR)["answer"]
        self.assertEqual((charge["progress"], charge["reason"]), ("failed", "No funds"))
        self.razorpay.authorize(order)
        self.assertEqual(self.desk.confirm(order, INR)["answer"]["progress"], "paid")

    def test_a_payment_of_another_order_is_not_believed(self):
        order = self.desk.intent(INR)["answer"]["id"]
        other = self.desk.intent({"minor": 100, "currency": "INR"}, key="k-2")["answer"]["id"]
        cheap = self.razorpay.authorize(other)["id"]
        self.assertEqual(self.desk.confirm(order, INR, cheap)["error"], MISTAKEN)

    def test_a_card_that_is_kept_is_charged_later_and_once(self):
        asked = self.desk.intent(INR, save_method=True, customer_phone="+44 20 7946 0001")["answer"]
        customer = asked["client"]["customer_id"]
        agreed = self.razorpay.made[asked["id"]]
        self.assertEqual((agreed["customer_id"], agreed["token"]["frequency"]), (customer, "as_presented"))
        payment = self.razorpay.authorize(asked["id"], **self.razorpay.keep(customer))["id"]
        saved = self.desk.confirm(asked["id"], INR, payment)["answer"]["saved"]
        self.assertEqual((saved["customer"], saved["brand"], saved["last4"]), (customer, "Visa", "4366"))
        again = self.desk.intent(INR, "k-2", save_method=True)["answer"]  # the same customer of theirs
        self.assertEqual(again["client"]["customer_id"], customer)
        later = {"key": "plan-1", "method": saved, "amount": INR, "booking_id": 7, "booking_reference": "SVC-1",
                 "description": "Nile", "customer_email": "ada@example.org", "customer_phone": "+44 20 7946 0001"}
        self.razorpay.faults = [None, None, None, "lost"]  # looked for, made, looked at; charged, and nobody hears of it
        self.assertEqual(self.desk.ask("charge_saved", wanted=later)["error"], UNKNOWN)
        charge = self.desk.ask("charge_saved", wanted=later)["answer"]
        self.assertEqual((charge["progress"], charge["amount"]), ("paid", INR))
        charged = [one for one in self.razorpay.of("pay") if one.get("token_id") == saved["method"]]
        self.assertEqual(len(charged), 2)  # with the customer there, and without
        gone = {**later, "key": "plan-2", "method": {**saved, "method": "token_none"}}
        self.assertEqual(self.desk.ask("charge_saved", wanted=gone)["error"], REFUSED)

    def test_a_refund_repeated_under_its_key_is_one_refund(self):
        order = self.desk.intent(INR)["answer"]["id"]
        payment = self.razorpay.authorize(order, "captured")["id"]
        part = {"minor": 300, "currency": "INR"}
        self.razorpay.faults = ["lost", 502, "garbage"]
        for _ in range(3):
            self.assertEqual(self.desk.refund(payment, part, INR)["error"], UNKNOWN)
        self.assertEqual(self.desk.refund(payment, part, INR)["answer"]["progress"], "paid")
        self.assertEqual(self.razorpay.made[payment]["amount_refunded"], 300)
        self.assertEqual(self.desk.refund(payment, INR, INR, key="r-2")["error"], REFUSED)

    def test_events_tell_the_same_payment_as_the_question_does(self):
        order = self.desk.intent(INR)["answer"]["id"]
        payment = self.razorpay.authorize(order, "captured")
        event = self.razorpay.event("payment.captured", {"payment": {"entity": payment}}, "hook")
        paid = self.desk.hear(event)["answer"][0]
        self.assertEqual(paid, self.desk.hear(event)["answer"][0])
        asked = self.desk.confirm(order, INR)["answer"]
        self.assertEqual((paid["transaction_id"], paid["amount"]), (asked["transaction_id"], asked["amount"]))
        self.assertEqual(paid["booking_id"], 7)
        forged = self.razorpay.event("payment.captured", {"payment": {"entity": payment}}, "other")
        self.assertEqual(self.desk.hear(forged)["error"], "svc_webhook_rejected")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
