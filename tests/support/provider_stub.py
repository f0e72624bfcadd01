"""Stripe's and Razorpay's interfaces on a loopback port, in the shapes both document, with the faults tests ask for.

A customer is played by the test: pay(), decline(), authorize(). Nothing here is a check: tests look at what is kept.
"""
import hashlib
import hmac
import itertools
import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refusal(Exception):
    def __init__(self, status, body):
        super().__init__(status)
        self.status, self.body = status, body


def no_such(what):
    return Refusal(404, {"error": {"type": "invalid_request_error", "code": "resource_missing", "message": f"No such {what}"}})


class Provider:
    """The server, and all that was made on it. Faults, one a call, in order: "slow", "garbage", "lost", a status."""

    def __init__(self, key):
        self.key, self.numbers, self.lock = key, itertools.count(1), threading.RLock()
        self.made, self.answers, self.calls, self.faults = {}, {}, [], []
        self.over = threading.Event()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                provider.answer(self, self.command, self.rfile.read(length).decode())

            do_GET = do_POST = do_DELETE = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler, method, text):
        path, _, query = handler.path.partition("?")
        fault = None
        with self.lock:
            self.calls.append((method, path))
            if self.faults:
                fault = self.faults.pop(0)
            status, body = self.kept_or_made(handler.headers, method, path, query, text)
        if fault == "slow":  # the work is done; its answer comes when nobody waits for it any more
            self.over.wait(30)
            return
        if fault == "lost":  # the same, and the line is cut in the middle of the answer
            handler.send_response(status)
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"id":')
            handler.close_connection = True
            return
        payload = b"<html>Bad gateway</html>" if fault == "garbage" else json.dumps(body).encode()
        handler.send_response(fault if isinstance(fault, int) else status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(payload)))
        handler.end_headers()
        handler.wfile.write(payload)

    def kept_or_made(self, headers, method, path, query, text):
        key = headers.get("Idempotency-Key") or headers.get("X-Refund-Idempotency")
        asked = (method, path, text)
        if key in self.answers:
            first, answer = self.answers[key]
            if first != asked:
                return 400, {"error": {"type": "idempotency_error", "message": "Keys must be used with the same parameters."}}
            return answer
        try:
            if not self.admits(headers):
                raise Refusal(401, {"error": {"type": "invalid_request_error", "message": "Invalid API key"}})
            answer = 200, self.work(method, path, query, text)
        except Refusal as refusal:
            answer = refusal.status, refusal.body
        if key and method == "POST" and answer[0] != 401:
            self.answers[key] = (asked, json.loads(json.dumps(answer)))
        return answer

    def new(self, prefix, **members):
        one = {"id": f"{prefix}_{next(self.numbers)}", "created": int(time.time()), **members}
        self.made[one["id"]] = one
        return one

    def of(self, prefix):
        return [one for name, one in self.made.items() if name.startswith(prefix + "_")]


class Stripe(Provider):
    def admits(self, headers):
        return headers.get("Authorization") == f"Bearer {self.key}"

    def work(self, method, path, _query, text):
        parts = path.strip("/").split("/")
        form = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        if path == "/v1/account":
            return {"id": "acct_1", "object": "account"}
        if path == "/v1/customers" and method == "POST":
            return self.new("cus", object="customer", **form)
        if path == "/v1/refunds" and method == "POST":
            return self.refund(form)
        if parts[:2] == ["v1", "payment_methods"] and parts[3:] == ["detach"]:
            return {"id": parts[2], "object": "payment_method", "customer": None}
        if path == "/v1/payment_intents" and method == "POST":
            return self.intent(form)
        if parts[:2] == ["v1", "payment_intents"] and len(parts) == 3 and method == "GET":
            if parts[2] not in self.made:
                raise no_such("payment_intent")
            return self.made[parts[2]]
        if parts[:2] == ["v1", "payment_intents"] and parts[3:] in (["capture"], ["cancel"]):
            return self.end(self.made[parts[2]], parts[3])
        raise no_such("route")

    def end(self, one, how):
        if one["status"] == "succeeded" or (how == "capture" and one["status"] != "requires_capture"):
            raise Refusal(400, {"error": {"type": "invalid_request_error", "code": "payment_intent_unexpected_state"}})
        if how == "cancel":
            one.update(status="canceled")
        else:
            self.take(one, None)
        return one

    def intent(self, form):
        metadata = {name[9:-1]: value for name, value in form.items() if name.startswith("metadata[")}
        one = self.new("pi", object="payment_intent", amount=int(form["amount"]), amount_received=0,
                       currency=form["currency"], status="requires_payment_method", metadata=metadata,
                       livemode=False, capture_method=form.get("capture_method", "automatic"),
                       customer=form.get("customer"), setup_future_usage=form.get("setup_future_usage"),
                       payment_method=form.get("payment_method"), last_payment_error=None, latest_charge=None)
        one["client_secret"] = one["id"] + "_secret_1"
        if form.get("confirm") == "true":
            if form["payment_method"] == "pm_declined":
                self.decline(one["id"], "Your card was declined.")
                raise Refusal(402, {"error": {"type": "card_error", "code": "card_declined",
                                              "message": "Your card was declined.", "payment_intent": one}})
            self.pay(one["id"])
        return one

    def refund(self, form):
        one = self.made.get(form["payment_intent"])
        if not one or one["status"] != "succeeded":
            raise no_such("payment_intent")
        amount, gone = int(form["amount"]), sum(r["amount"] for r in self.of("re") if r["payment_intent"] == one["id"])
        if gone + amount > one["amount_received"]:
            raise Refusal(400, {"error": {"type": "invalid_request_error", "code": "charge_already_refunded",
                                          "message": "Refund amount is greater than unrefunded amount"}})
        return self.new("re", object="refund", amount=amount, currency=one["currency"], status="succeeded",
                        payment_intent=one["id"])

    def pay(self, intent, amount=None, method="pm_1"):
        """The customer pays; what is only held waits for its capture."""
        one = self.made[intent]
        if one["setup_future_usage"]:
            one["payment_method"] = {"id": method, "card": {"brand": "visa", "last4": "4242", "exp_month": 12,
                                                            "exp_year": 2040}}
        if one["capture_method"] == "manual":
            one.update(status="requires_capture")
            return one
        return self.take(one, amount)

    def take(self, one, amount):
        intent = one["id"]
        one.update(status="succeeded", amount_received=one["amount"] if amount is None else amount, last_payment_error=None)
        charge = self.new("ch", object="charge", payment_intent=intent, amount=one["amount"], currency=one["currency"],
                          amount_refunded=0, balance_transaction={"fee": 57, "currency": one["currency"]},
                          payment_method_details={"card": {"last4": "4242"}})
        one["latest_charge"] = charge
        return one

    def authenticate(self, intent):
        self.made[intent].update(status="requires_action", next_action={"type": "use_stripe_sdk"})

    def decline(self, intent, says):
        self.made[intent].update(status="requires_payment_method",
                                 last_payment_error={"type": "card_error", "code": "card_declined", "message": says})

    def event(self, kind, thing, secret, at=None, live=False):
        """(headers, body) as it would be sent."""
        body = json.dumps({"id": f"evt_{next(self.numbers)}", "object": "event", "type": kind, "livemode": live,
                           "data": {"object": thing}})
        moment = int(time.time() if at is None else at)
        digest = hmac.new(secret.encode(), f"{moment}.{body}".encode(), hashlib.sha256).hexdigest()
        return {"Stripe-Signature": f"t={moment},v1={digest}"}, body


class Razorpay(Provider):
    def admits(self, headers):
        import base64
        return headers.get("Authorization") == "Basic " + base64.b64encode(self.key.encode()).decode()

    def work(self, method, path, query, text):
        parts = path.strip("/").split("/")
        body = json.loads(text) if text else {}
        if path == "/v1/orders" and method == "GET":
            receipt = urllib.parse.parse_qs(query).get("receipt", [None])[0]
            return {"entity": "collection", "items": [o for o in self.of("order") if receipt in (None, o["receipt"])]}
        if path == "/v1/orders" and method == "POST":
            return self.new("order", entity="order", amount_paid=0, status="created", **body)
        if parts[:2] == ["v1", "orders"] and parts[3:] == ["payments"]:
            return {"entity": "collection", "items": [p for p in self.of("pay") if p["order_id"] == parts[2]]}
        if path == "/v1/customers" and method == "POST":
            known = [one for one in self.of("cust") if one["email"] == body["email"]]
            return known[0] if known else self.new("cust", entity="customer", **body)
        if parts[:2] == ["v1", "customers"] and parts[3:4] == ["tokens"] and method == "DELETE":
            if self.made.pop(parts[4], {}).get("customer_id") != parts[2]:
                raise no_such("id")
            return {"deleted": True}
        if path == "/v1/payments/create/recurring" and method == "POST":
            return self.recurring(body)
        if parts[:2] == ["v1", "payments"] and parts[2] in self.made:
            return self.payment(parts[2], parts[3:], body)
        raise no_such("id")

    def recurring(self, body):
        if self.made.get(body["token"], {}).get("customer_id") != body["customer_id"] or body["order_id"] not in self.made:
            raise no_such("token")
        made = self.authorize(body["order_id"], "captured", customer_id=body["customer_id"], token_id=body["token"])
        return {"razorpay_payment_id": made["id"], "razorpay_order_id": body["order_id"],
                "razorpay_signature": self.proof(body["order_id"], made["id"])}

    def keep(self, customer, last4="4366"):
        """A card of that customer, as the page has them agree to it; what its payment tells of it."""
        token = self.new("token", entity="token", customer_id=customer)["id"]
        return {"customer_id": customer, "token_id": token, "card": {"network": "Visa", "last4": last4}}

    def payment(self, name, action, body):
        one = self.made[name]
        if action == ["capture"]:
            if one["status"] != "authorized" or body["amount"] != one["amount"]:
                raise Refusal(400, {"error": {"code": "BAD_REQUEST_ERROR", "reason": "input_validation_failed"}})
            one["status"] = "captured"
        if action == ["refund"]:
            if one["status"] != "captured" or one["amount_refunded"] + body["amount"] > one["amount"]:
                raise Refusal(400, {"error": {"code": "BAD_REQUEST_ERROR", "reason": "input_validation_failed"}})
            one["amount_refunded"] += body["amount"]
            return self.new("rfnd", entity="refund", payment_id=name, amount=body["amount"], currency=one["currency"],
                            status="processed")
        return one

    def authorize(self, order, status="authorized", **more):
        of = self.made[order]
        return self.new("pay", entity="payment", order_id=order, amount=of["amount"], currency=of["currency"],
                        status=status, amount_refunded=0, notes=of["notes"], email="a@b.c", **more)

    def proof(self, order, payment):
        return hmac.new(self.key.partition(":")[2].encode(), f"{order}|{payment}".encode(), hashlib.sha256).hexdigest()

    def event(self, kind, payload, secret):
        body = json.dumps({"entity": "event", "event": kind, "payload": payload, "created_at": next(self.numbers)})
        return {"X-Razorpay-Signature": hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()}, body
