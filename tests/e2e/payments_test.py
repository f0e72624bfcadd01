"""PayPal against a stub of ours on loopback, over real sockets: paying, declines, silence, garbage, events in any
order, refunds; three processes at once; a server killed between the charge and its record.

payments_test.py SVC DATABASE
"""
import datetime
import http.client
import itertools
import json
import pathlib
import sys
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Answer, Site  # noqa: E402
from paypal_stub import PayPalStub  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


def all_at_once(count, act):
    answers, threads = [None] * count, []

    def run(n):
        answers[n] = act(n)
    for n in range(count):
        threads.append(threading.Thread(target=run, args=(n,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


class Payments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paypal = PayPalStub().__enter__()
        cls.site = Site(SVC, DATABASE, servers=3, environment={
            "SVC_PRO_LIBRARY": "none", **cls.paypal.environment}).__enter__()
        cls.addresses = itertools.count(1)
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        saved = cls.site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": PayPalStub.CLIENT, "client_secret": PayPalStub.SECRET,
            "webhook_id": PayPalStub.WEBHOOK})
        assert saved.status == 200 and saved.data["config"]["client_secret"].startswith("****"), saved
        cls.trip = cls.site.given_trip(regular_price=80)["id"]
        cls.site.wait_until_all_show(cls.trip)

    @classmethod
    def tearDownClass(cls):
        cls.site.check_invariants()
        cls.site.__exit__(None, None, None)
        cls.paypal.__exit__(None, None, None)

    def setUp(self):
        self.paypal.on.clear()

    # A guest's booking, the token that proves it, and an order for it.
    def booked(self):
        made = self.site.book(self.trip, DAY)
        self.assertEqual(made.status, 201, made)
        return made.data["booking_id"], {"X-Svc-Booking-Token": made.data["booking_token"]}

    def elsewhere(self):
        """Each customer sits at an address of their own, as the proxy tells."""
        return {"X-Forwarded-For": f"198.51.{next(self.addresses) % 250}.{next(self.addresses) % 250}"}

    def begin(self, booking, **more):
        return self.site.call("POST", "/payment/create-intent", {"gateway": "paypal", "booking_id": booking, **more},
                              self.elsewhere())

    def ordered(self):
        booking, token = self.booked()
        begun = self.begin(booking)
        self.assertEqual(begun.status, 200, begun)
        return booking, token, begun.data["payment_id"]

    def confirm(self, booking, token, order, server=0):
        return self.site.call("POST", "/payment/confirm",
                              {"gateway": "paypal", "booking_id": booking, "transaction_id": order}, token, server)

    def tell(self, kind, resource, event_id=None, server=0, headers=None):
        raw, genuine = self.paypal.event(kind, resource, event_id)
        return Answer(*self.site.servers[server].ask("/svc/v1/payment/webhook/paypal", "POST", raw,
                                                     headers or genuine))

    def status(self, booking):
        return self.site.as_staff("GET", f"/payment/status/{booking}").data

    def state(self, booking):
        now = self.status(booking)
        return now["status"], now["payment_status"], now["amount_paid"]

    def events(self, name):
        return int(self.site.sql(f"SELECT COUNT(*) FROM svc_domain_events WHERE name = '{name}'")[0][0])

    def test_a_customer_pays_and_is_confirmed(self):
        tested = self.site.as_staff("POST", "/payment/gateways/paypal/test")
        self.assertEqual((tested.status, tested.data["ok"]), (200, True), tested)
        booking, token = self.booked()
        begun = self.begin(booking, amount=1, currency="EUR")
        # By nobody who has proven it: where to pay, and not how much.
        self.assertEqual((begun.data["amount"], begun.data["currency"], begun.data["next"]), (None, None, "redirect"))
        order = begun.data["payment_id"]
        self.assertIn(order, begun.data["payment_url"])
        self.assertEqual(self.begin(booking).data["payment_id"], order)
        self.assertEqual(self.confirm(booking, token, order).data["status"], "pending")  # not approved yet
        nobodys = self.confirm(booking, token, "zz")
        self.assertEqual((nobodys.status, nobodys.json["code"]), (400, "payment_error"))
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        self.paypal.approve(order)
        sent = self.paypal.orders[order]["purchase_units"][0]
        back = self.paypal.known
        self.assertEqual(sent["amount"], {"currency_code": "USD", "value": "80.00"})
        self.assertTrue(back)
        for stranger, expected in (({}, 401), ({"X-Svc-Booking-Token": "guess"}, 403)):
            self.assertEqual(self.confirm(booking, stranger, order).status, expected)
        paid = self.confirm(booking, token, order)
        self.assertEqual((paid.status, paid.data["status"], paid.data["idempotent"]), (200, "completed", False), paid)
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        self.assertTrue(self.confirm(booking, token, order).data["idempotent"])
        self.assertTrue(self.confirm(booking, token, paid.data["transaction_id"]).data["idempotent"])
        ended, its_token = self.booked()
        self.site.as_staff("PUT", f"/bookings/{ended}/status", {"status": "cancelled"})
        for proof in ({}, its_token):
            begun = self.site.call("POST", "/payment/create-intent", {"gateway": "paypal", "booking_id": ended},
                                   {**self.elsewhere(), **proof})
            self.assertEqual((begun.status, begun.json["code"]), (409, "not_payable"))
        other, other_token, _ = self.ordered()
        stolen = self.confirm(other, other_token, order)
        self.assertEqual((stolen.status, stolen.json["code"]), (409, "transaction_mismatch"))
        self.assertEqual(self.begin(booking).json["code"], "already_paid")

    def test_the_way_back_asks_the_provider_and_nobody_else(self):
        booking, _ = self.booked()
        begun = self.begin(booking, return_url=self.site_url() + "/thanks?x=1")
        order = begun.data["payment_id"]
        key = self.key_of(order)
        path = f"/payment/callback/paypal?intent={key}&status=COMPLETED&transaction_id=CAP1&token={order}"
        forged = self.site.call("GET", path)
        self.assertEqual(forged.status, 302, forged)
        self.assertEqual(self.answer_of(forged), "failed")
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        self.paypal.approve(order)
        back = self.site.call("GET", path)
        self.assertEqual(back.headers["location"], self.site_url() + "/thanks?x=1&payment=success")
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        self.assertEqual(self.answer_of(self.site.call("GET", "/payment/callback/paypal?intent=guess")), "failed")

    def site_url(self):
        return "http://127.0.0.1:8080"

    def key_of(self, order):
        return self.site.sql(f"SELECT call_key FROM svc_payment_intents WHERE provider_id = '{order}'")[0][0]

    def answer_of(self, answer):
        return urllib.parse.parse_qs(urllib.parse.urlparse(answer.headers["location"]).query)["payment"][-1]

    def test_a_declined_card_can_be_tried_again(self):
        booking, token, order = self.ordered()
        self.paypal.approve(order)
        self.paypal.on[("POST", "capture")] = lambda _: (422, {
            "name": "UNPROCESSABLE_ENTITY", "details": [{"issue": "INSTRUMENT_DECLINED"}]})
        for _ in range(2):
            declined = self.confirm(booking, token, order)
            self.assertEqual((declined.status, declined.json["code"]), (402, "payment_failed"), declined)
        self.assertEqual(self.state(booking), ("pending", "failed", 0))
        self.paypal.on.clear()
        self.assertEqual(self.confirm(booking, token, order).data["status"], "completed")
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))

    def test_silence_garbage_and_errors_of_the_provider_charge_nobody_twice(self):
        booking, token = self.booked()
        faults = [lambda _: "drop", lambda _: (200, b"<html>not here</html>"), lambda _: (200, b""),
                  lambda _: (500, {"name": "INTERNAL_SERVER_ERROR"}), lambda _: (429, {"name": "RATE_LIMIT_REACHED"}),
                  lambda _: (200, b'{"id":'), lambda _: (200, [1, 2]), lambda _: (201, {"id": "", "links": []}),
                  lambda _: (200, b"x" * 2_000_000)]
        for n, fault in enumerate(faults):
            self.paypal.on[("POST", "orders")] = fault
            failed = self.begin(booking)
            self.assertEqual((failed.status, failed.json["code"]), (502, "svc_gateway_unavailable"), (n, failed))
        before = len(self.paypal.orders)
        self.paypal.on.clear()
        order = self.begin(booking).data["payment_id"]
        self.assertEqual(len(self.paypal.orders), before + 1)
        self.paypal.approve(order)
        for n, fault in enumerate(faults):
            self.paypal.on[("POST", "capture")] = fault
            failed = self.confirm(booking, token, order)
            self.assertNotEqual(failed.data.get("status") if failed.status == 200 else None, "completed", (n, failed))
            self.assertEqual(self.state(booking)[1:], ("pending", 0))
        self.paypal.on.clear()
        self.assertEqual(self.confirm(booking, token, order).data["status"], "completed")
        self.assertEqual(len([c for c in self.paypal.captures.values() if c["custom_id"] == str(booking)]), 1)

    def test_a_provider_that_lies_moves_nothing(self):
        for lie in ({"value": "80.01", "currency_code": "USD"}, {"value": "80.00", "currency_code": "EUR"},
                    {"value": "x", "currency_code": "USD"}, {}, None):
            booking, token, order = self.ordered()
            self.paypal.approve(order)
            answer = json.loads(json.dumps(self.paypal.orders[order]))
            answer["status"] = "COMPLETED"
            answer["purchase_units"][0]["payments"] = {"captures": [
                {"id": f"LIE{booking}", "status": "COMPLETED", "amount": lie}]}
            self.paypal.on[("POST", "capture")] = lambda _, said=answer: (201, said)
            refused = self.confirm(booking, token, order)
            self.assertEqual((refused.status, refused.json["code"]), (400, "payment_error"), (lie, refused))
            self.assertEqual(self.state(booking), ("pending", "pending", 0))
            self.paypal.on.clear()
        self.assertGreaterEqual(self.site.as_staff("GET", "/payments/stats").data["in_review"], 5)

    def test_events_are_proven_and_count_once(self):
        booking, _, order = self.ordered()
        self.paypal.approve(order)
        with self.paypal.lock:
            self.paypal.capture(self.paypal.orders[order])
        capture = self.paypal.captured(order)
        bodies = set()
        raw, genuine = self.paypal.event("PAYMENT.CAPTURE.COMPLETED", capture, "WH-once")
        forged = [{**genuine, "PayPal-Transmission-Sig": "0" * 344}, {**genuine, "PayPal-Transmission-Sig": ""},
                  {k: v for k, v in genuine.items() if k != "PayPal-Cert-Url"}]
        ask = self.site.servers[0].ask
        for headers in forged:
            answer = Answer(*ask("/svc/v1/payment/webhook/paypal", "POST", raw, headers))
            self.assertEqual(answer.status, 400, answer)
            bodies.add(answer.text)
        for altered in (raw + b"\n", raw.replace(b"80.00", b"8.00"), b"", b"[]", b"{", b"x" * 1000):
            answer = Answer(*ask("/svc/v1/payment/webhook/paypal", "POST", altered, genuine))
            self.assertEqual(answer.status, 400, answer)
            bodies.add(answer.text)
        self.assertEqual(len(bodies), 1, bodies)
        self.assertEqual(json.loads(bodies.pop())["code"], "svc_webhook_rejected")
        self.assertEqual(ask("/svc/v1/payment/webhook/nobody", "POST", raw, genuine)[0], 404)
        self.assertEqual(ask("/svc/v1/payment/webhook/paypal", "POST", b"x" * 300_000, genuine)[0], 413)
        self.assertEqual(self.state(booking), ("pending", "pending", 0))
        self.paypal.on[("GET", "CERT-away")] = lambda _: (503, {})
        unproven = self.paypal.headers(raw, "CERT-away")
        self.assertEqual(Answer(*ask("/svc/v1/payment/webhook/paypal", "POST", raw, unproven)).status, 502)
        self.paypal.on.clear()
        for n in range(6):
            answer = Answer(*self.site.servers[n % 3].ask("/svc/v1/payment/webhook/paypal", "POST", raw, genuine))
            self.assertEqual((answer.status, answer.data), (200, {"received": True, "duplicate": n > 0}))
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        self.assertEqual(self.tell("CUSTOMER.SOMETHING.NEW", {"id": "1"}).status, 200)
        parked = self.tell("PAYMENT.CAPTURE.COMPLETED", {**capture, "id": "CAPX", "supplementary_data": {}})
        self.assertEqual(parked.status, 200)
        without = self.site.as_staff("POST", "/payment/gateways/paypal/config", {"webhook_id": "  "})
        self.assertEqual(without.status, 200, without)
        self.assertEqual(self.tell("PAYMENT.CAPTURE.COMPLETED", capture).status, 400)
        self.site.as_staff("POST", "/payment/gateways/paypal/config", {"webhook_id": PayPalStub.WEBHOOK})

    def test_refunds_go_to_the_provider_and_its_own_are_taken_over(self):
        booking, token, order = self.ordered()
        self.paypal.approve(order)
        payment = self.confirm(booking, token, order)
        self.assertEqual(payment.status, 200, payment)
        payment_id = self.status(booking)["payment"]["id"]
        capture = self.paypal.captured(order)
        part = self.site.as_staff("POST", f"/payments/{payment_id}/refunds", {"amount": 27.71, "reason": "rain"})
        self.assertEqual((part.status, part.data["status"]), (201, "completed"), part)
        self.assertEqual(self.state(booking), ("confirmed", "paid", 52.29))
        refund = self.paypal.refunds[part.data["gateway_refund_id"]]
        self.assertEqual(self.tell("PAYMENT.CAPTURE.REFUNDED", refund).status, 200)  # what we know already
        self.assertEqual(self.state(booking), ("confirmed", "paid", 52.29))
        with self.paypal.lock:  # made at PayPal by the operator
            _, own = self.paypal.refund(capture["id"], {"amount": {"currency_code": "USD", "value": "2.29"}})
        self.assertEqual(self.tell("PAYMENT.CAPTURE.REFUNDED", own).status, 200)
        self.assertEqual(self.state(booking), ("confirmed", "paid", 50))
        self.paypal.on[("POST", "refund")] = lambda _: "drop"
        silent = self.site.as_staff("POST", f"/payments/{payment_id}/refunds", {"close": True})
        self.assertEqual((silent.status, silent.data["status"]), (201, "pending"), silent)
        too_much = self.site.as_staff("POST", f"/payments/{payment_id}/refunds", {"amount": 1})
        self.assertEqual((too_much.status, too_much.json["data"]["field"]), (400, "amount"), too_much)
        self.paypal.on.clear()
        with self.paypal.lock:
            _, last = self.paypal.refund(capture["id"], {"amount": {"currency_code": "USD", "value": "50.00"}})
        self.assertEqual(self.tell("PAYMENT.CAPTURE.REFUNDED", last).status, 200)
        self.assertEqual(self.state(booking), ("refunded", "refunded", 0))
        rows = self.site.as_staff("GET", f"/payments/{payment_id}/refunds").data
        self.assertEqual([(r["amount"], r["status"], r["source"]) for r in rows],
                         [(27.71, "completed", "admin"), (2.29, "completed", "gateway_event"),
                          (50, "completed", "admin")])

    def test_a_hundred_confirmations_over_three_processes_with_events_and_returns_are_one_payment(self):
        booking, token, order = self.ordered()
        key = self.key_of(order)
        self.paypal.approve(order)
        before = {name: self.events(name) for name in ("svc_payment_completed", "svc_booking_confirmed")}

        def act(n):
            if n % 10 == 7:
                return self.site.call("GET", f"/payment/callback/paypal?intent={key}", None, self.elsewhere(),
                                      n % 3).status
            if n % 10 == 3:
                with self.paypal.lock:
                    captures = self.paypal.orders[order]["purchase_units"][0]["payments"].get("captures")
                    capture = json.loads(json.dumps(captures[0])) if captures else None
                if capture:
                    return self.tell("PAYMENT.CAPTURE.COMPLETED", capture, f"WH-{order}", n % 3).status
            return self.confirm(booking, token, order, server=n % 3).status
        statuses = all_at_once(100, act)
        self.assertLessEqual(set(statuses), {200, 302, 503}, statuses)
        self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
        effects = int(self.site.sql(f"SELECT COUNT(*) FROM svc_payments WHERE booking_id = {booking}"
                                    " AND status = 'completed'")[0][0])
        told = {name: self.events(name) - before[name] for name in before}
        print(f"figure: 100 calls over 3 processes, effects {effects / 1:.3f}, events {told}")
        self.assertEqual(effects, 1)
        self.assertEqual(told, {"svc_payment_completed": 1, "svc_booking_confirmed": 1})
        mails = f"SELECT COUNT(*) FROM svc_email_outbox WHERE booking_id = {booking} AND template_key = 'booking_confirmed'"
        for _ in range(1200):  # listeners run after the commit
            if self.site.sql(mails)[0][0] != "0":
                break
            time.sleep(0.05)
        self.assertEqual(self.site.sql(mails)[0][0], "1")

    def test_while_a_provider_keeps_everybody_waiting_the_rest_goes_on(self):
        waiting, go_on = threading.Semaphore(0), threading.Event()

        def slow(_):
            waiting.release()
            go_on.wait(120)
        bookings = [self.booked()[0] for _ in range(4)]
        self.paypal.on[("POST", "orders")] = slow
        asking = threading.Thread(target=lambda: self.__setattr__("answers", all_at_once(
            4, lambda n: self.begin(bookings[n]).status)))
        asking.start()
        try:
            for _ in range(4):
                self.assertTrue(waiting.acquire(timeout=60), "the provider was never asked")
            for _ in range(20):  # reads, and writes to the very bookings that wait
                self.assertEqual(self.site.call("GET", "/trips/public").status, 200)
                self.assertEqual(self.site.as_staff("GET", f"/bookings/{bookings[0]}").status, 200)
            for booking in bookings:
                noted = self.site.as_staff("PUT", f"/bookings/{booking}", {"internal_notes": "waits"})
                self.assertEqual(noted.status, 200, noted)
            self.assertEqual(self.site.book(self.trip, DAY).status, 201)
            self.assertTrue(asking.is_alive(), "nobody was kept waiting")
        finally:
            go_on.set()
            asking.join()
        self.assertEqual(self.answers, [200] * 4)

    def test_a_server_killed_between_the_charge_and_its_record_leaves_one_payment(self):
        for moment in ("before", "after"):
            booking, token, order = self.ordered()
            self.paypal.approve(order)
            victim = self.site.start()
            self.site.servers.remove(victim)

            def kill(_, moment=moment, victim=victim, order=order):
                if moment == "after":
                    with self.paypal.lock:
                        said = self.paypal.capture(self.paypal.orders[order])
                        self.paypal.known[self.key_of(order) + "-capture"] = said
                victim.process.kill()
                victim.process.wait()
                return "drop"
            self.paypal.on[("POST", "capture")] = kill
            with self.assertRaises((OSError, http.client.HTTPException)):
                victim.ask("/svc/v1/payment/confirm", "POST", json.dumps(
                    {"gateway": "paypal", "booking_id": booking, "transaction_id": order}),
                    {"Content-Type": "application/json", **token})
            self.paypal.on.clear()
            self.assertEqual(self.state(booking), ("pending", "pending", 0), moment)
            self.assertEqual(self.confirm(booking, token, order).data["status"], "completed")
            self.assertEqual(self.state(booking), ("confirmed", "paid", 80))
            self.assertEqual(len([c for c in self.paypal.captures.values() if c["custom_id"] == str(booking)]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
