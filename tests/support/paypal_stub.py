"""A PayPal of our own on loopback: tokens, orders, captures, refunds and signatures as its reference describes them,
and whatever goes wrong when a test says so."""
import base64
import datetime
import http.server
import itertools
import json
import pathlib
import subprocess
import tempfile
import threading
import uuid
import zlib


class Signer:
    """The authority of a test, and the certificate of PayPal's that it vouches for."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="paypal-stub-")
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test authority",
                      "-keyout", "ca.key", "-out", "ca.pem")
        self.certificate = self.certified("messageverificationcerts.sandbox.paypal.com")

    def _openssl(self, *words, feed=None):
        return subprocess.run(["openssl", *words], cwd=self.folder.name, input=feed, check=True, capture_output=True).stdout

    @property
    def roots(self):
        return f"{self.folder.name}/ca.pem"

    def certified(self, name, key="key.pem"):
        self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", "a.csr")
        self._openssl("x509", "-req", "-in", "a.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                      "-out", "a.pem")
        return (pathlib.Path(self.folder.name) / "a.pem").read_bytes()

    def sign(self, message, key="key.pem"):
        return base64.b64encode(self._openssl("dgst", "-sha256", "-sign", key, feed=message)).decode()


class PayPalStub:
    """`with PayPalStub() as paypal`. `paypal.on[(method, last word of the path)] = function(request)` goes before the
    usual answer: it may answer (status, object or bytes), or None for the usual, or "drop" for no answer at all."""

    CLIENT, SECRET, WEBHOOK = "client-1", "secret-1", "WH-1"

    def __init__(self):
        self.lock = threading.RLock()
        self.orders, self.captures, self.refunds, self.known, self.on, self.calls = {}, {}, {}, {}, {}, []
        self.numbers = itertools.count(1)
        self.signer = Signer()
        self.certificates = {"CERT-1": self.signer.certificate}

    def __enter__(self):
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                answer = stub.answer(self.command, self.path, self.headers, body)
                if answer == "drop":
                    self.close_connection = True
                    self.connection.close()
                    return
                status, content = answer
                text = content if isinstance(content, bytes) else json.dumps(content).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass  # whoever asked is gone

            do_GET = do_POST = handle_any

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # a client that was killed, or has seen enough
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.signer.folder.cleanup()

    @property
    def target(self):
        return f"127.0.0.1:{self.server.server_address[1]}"

    @property
    def url(self):
        return f"http://{self.target}"

    @property
    def environment(self):
        """The settings for a server to use this as PayPal."""
        return {"SVC_OUTBOUND_PRIVATE_HOSTS": self.target, "SVC_PAYMENT_API_BASES": f"paypal={self.url}/",
                "SSL_CERT_FILE": self.signer.roots}

    def fetched(self):
        """How often a certificate was asked for."""
        with self.lock:
            return sum(1 for _, path in self.calls if path.startswith("/v1/notifications/"))

    def count(self, word):
        with self.lock:
            return sum(1 for _, path in self.calls if path.endswith(word))

    # The customer's actions on PayPal's pages.
    def approve(self, order_id):
        with self.lock:
            self.orders[order_id]["status"] = "APPROVED"

    def answer(self, method, path, headers, body):
        word = path.rsplit("/", 1)[-1]
        with self.lock:
            self.calls.append((method, path))
        rule = self.on.get((method, word))
        if rule and (said := rule({"path": path, "body": body, "key": headers.get("PayPal-Request-Id")})) is not None:
            return said
        with self.lock:
            return self.usual(method, path, headers, body)

    def usual(self, method, path, headers, body):
        if path == "/v1/oauth2/token":
            right = base64.b64encode(f"{self.CLIENT}:{self.SECRET}".encode()).decode()
            if headers.get("Authorization") != f"Basic {right}":
                return 401, {"error": "invalid_client"}
            return 200, {"access_token": "token-1", "token_type": "Bearer", "expires_in": 32400}
        if path.startswith("/v1/notifications/certs/"):
            found = self.certificates.get(path.rsplit("/", 1)[-1])
            return (200, found) if found else (404, {"name": "RESOURCE_NOT_FOUND"})
        if headers.get("Authorization") != "Bearer token-1":
            return 401, {"error": "invalid_token"}
        if method == "POST" and path == "/v2/checkout/orders":
            return self.once(headers, lambda: self.make_order(json.loads(body)))
        parts = path.split("/")
        if path.startswith("/v2/checkout/orders/"):
            order = self.orders.get(parts[4])
            if not order:
                return 404, {"name": "RESOURCE_NOT_FOUND", "message": "The specified resource does not exist."}
            return self.once(headers, lambda: self.capture(order)) if method == "POST" else (200, order)
        if path.startswith("/v2/payments/captures/") and parts[-1] == "refund":
            return self.once(headers, lambda: self.refund(parts[4], json.loads(body)))
        return 404, {"name": "RESOURCE_NOT_FOUND", "message": "no such path"}

    def once(self, headers, act):
        """As PayPal does: the same PayPal-Request-Id is the same act, answered again."""
        key = headers.get("PayPal-Request-Id")
        assert key, "a call that acts came without PayPal-Request-Id"
        if key not in self.known or self.known[key][0] >= 400:
            self.known[key] = act()
        return self.known[key]

    def make_order(self, wanted):
        unit = wanted["purchase_units"][0]
        assert wanted["intent"] == "CAPTURE" and unit["custom_id"].isdigit() and len(unit["invoice_id"]) <= 127
        assert wanted["payment_source"]["paypal"]["experience_context"]["return_url"].startswith("http")
        order_id = f"ORDER{next(self.numbers)}{uuid.uuid4().hex[:8].upper()}"
        self.orders[order_id] = {"id": order_id, "status": "PAYER_ACTION_REQUIRED", "intent": "CAPTURE",
                                 "purchase_units": [{**unit, "payments": {}}],
                                 "links": [{"rel": "payer-action", "method": "GET",
                                            "href": f"https://www.paypal.example/checkoutnow?token={order_id}"}]}
        return 201, self.orders[order_id]

    def capture(self, order):
        issue = {"COMPLETED": "ORDER_ALREADY_CAPTURED", "PAYER_ACTION_REQUIRED": "ORDER_NOT_APPROVED"}
        if order["status"] in issue:
            return 422, {"name": "UNPROCESSABLE_ENTITY", "details": [{"issue": issue[order["status"]]}]}
        unit = order["purchase_units"][0]
        capture = {"id": f"CAP{next(self.numbers)}{uuid.uuid4().hex[:8].upper()}", "status": "COMPLETED",
                   "amount": unit["amount"], "custom_id": unit["custom_id"], "invoice_id": unit["invoice_id"],
                   "supplementary_data": {"related_ids": {"order_id": order["id"]}}, "refunded": 0.0}
        order["status"] = "COMPLETED"
        unit["payments"]["captures"] = [capture]
        self.captures[capture["id"]] = capture
        return 201, order

    def refund(self, capture_id, wanted):
        capture = self.captures.get(capture_id)
        if not capture:
            return 404, {"name": "RESOURCE_NOT_FOUND", "message": "no such capture"}
        amount = float(wanted["amount"]["value"])
        if capture["refunded"] + amount > float(capture["amount"]["value"]) + 0.001:
            return 422, {"name": "UNPROCESSABLE_ENTITY",
                         "details": [{"issue": "REFUND_AMOUNT_EXCEEDED", "description": "More than was captured."}]}
        capture["refunded"] += amount
        refund = {"id": f"REF{next(self.numbers)}{uuid.uuid4().hex[:8].upper()}", "status": "COMPLETED",
                  "amount": wanted["amount"],
                  "links": [{"rel": "up", "href": f"{self.url}/v2/payments/captures/{capture_id}"}]}
        self.refunds[refund["id"]] = refund
        return 201, refund

    # Events as it sends them: (body, headers).
    def event(self, kind, resource, event_id=None):
        raw = json.dumps({"id": event_id or f"WH-{uuid.uuid4().hex}", "event_version": "1.0",
                          "create_time": "2026-11-20T20:00:00Z", "event_type": kind, "resource": resource}).encode()
        return raw, self.headers(raw)

    def headers(self, raw, certificate="CERT-1", key="key.pem"):
        sent, number = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), str(uuid.uuid4())
        message = f"{number}|{sent}|{self.WEBHOOK}|{zlib.crc32(raw)}"
        return {"Content-Type": "application/json", "PayPal-Transmission-Id": number, "PayPal-Transmission-Time": sent,
                "PayPal-Transmission-Sig": self.signer.sign(message.encode(), key), "PayPal-Auth-Algo": "SHA256withRSA",
                "PayPal-Cert-Url": f"{self.url}/v1/notifications/certs/{certificate}"}

    def captured(self, order_id):
        return self.orders[order_id]["purchase_units"][0]["payments"]["captures"][0]
