"""Meta's Graph API and Google's Measurement Protocol on a loopback port, in the shapes both document, with the faults
tests ask for.

Meta counts an event once by pixel, name and event_id, Google a purchase once by transaction_id: `counted` has what each
would report. What neither documents in full, such as which rights a token needs, is not played. Google's collecting server
takes everything, a wrong secret too, as the real one does.
"""
import json
import re
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

META_ERRORS = {
    "token": (400, {"message": "Error validating access token: The session has been invalidated.", "type": "OAuthException",
                    "code": 190, "error_subcode": 460, "fbtrace_id": "A1"}),
    "pixel": (400, {"message": "Unsupported get request. Object with ID does not exist, cannot be loaded due to missing "
                               "permissions, or does not support this operation.", "type": "GraphMethodException",
                    "code": 100, "error_subcode": 33, "fbtrace_id": "A2"}),
    "event": (400, {"message": "Invalid parameter", "type": "OAuthException", "code": 100, "error_subcode": 2804019,
                    "error_user_msg": "The event is not valid.", "fbtrace_id": "A3"}),
}


class Partners:
    """`faults`, one a call of that partner, in order: "hang", "garbage", "lost", or a status."""

    def __init__(self, token="EAAB-token", pixel="123456789012345"):
        self.token, self.pixel = token, pixel
        self.lock, self.over = threading.Lock(), threading.Event()
        self.got = []  # {"partner", "path", "query", "body", "authorization"}
        self.faults = {"meta": [], "google": []}
        self.hangs = {"meta": False, "google": False}
        self.tested = []  # events with a test code, or for DebugView
        self.counted = {"meta": {}, "google": {}}
        partners = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                partners.answer(self, self.rfile.read(length))

            do_GET = do_POST = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def environment(self):
        return {"SVC_OUTBOUND_PRIVATE_HOSTS": self.place,
                "SVC_PAYMENT_API_BASES": f"meta={self.url}/,google={self.url}/"}

    def answer(self, handler, body):
        path, _, query = handler.path.partition("?")
        partner = "google" if path.endswith("/mp/collect") else "meta"
        with self.lock:
            self.got.append({"partner": partner, "path": path, "query": dict(urllib.parse.parse_qsl(query)),
                             "body": json.loads(body) if body else None,
                             "authorization": handler.headers.get("Authorization", "")})
            one = self.got[-1]
            fault = "hang" if self.hangs[partner] else self.faults[partner].pop(0) if self.faults[partner] else None
            status, answer = (503, {}) if isinstance(fault, int) or fault == "hang" else self.work(partner, one)
        if fault == "hang":
            self.over.wait(60)
            handler.close_connection = True
            return
        status = fault if isinstance(fault, int) else status
        payload = b"<html>Bad gateway</html>" if fault == "garbage" else b"" if answer is None else json.dumps(answer).encode()
        handler.send_response(status)
        if isinstance(fault, int) and fault == 429:
            handler.send_header("Retry-After", "1")
        handler.send_header("Content-Type", "application/json")
        if status != 204:
            handler.send_header("Content-Length", str(len(payload) + (100 if fault == "lost" else 0)))
        handler.end_headers()
        if status != 204:
            handler.wfile.write(payload)
        if fault == "lost":  # it was counted, and the line is cut in the middle of the answer
            handler.close_connection = True

    def work(self, partner, one):
        return self.collect(one) if partner == "google" else self.graph(one)

    def graph(self, one):
        if one["authorization"] != f"Bearer {self.token}":
            return self.error("token")
        path = re.sub(r"^/v\d+\.\d+", "", one["path"])
        if path == "/me":
            return 200, {"id": "17", "name": "Conversions API System User"}
        if path == f"/{self.pixel}":
            return 200, {"id": self.pixel, "name": "Shop"}
        if path != f"/{self.pixel}/events":
            return self.error("pixel")
        for event in one["body"].get("data", []):
            if not all(name in event for name in ("event_name", "event_time", "event_id", "action_source", "user_data")) \
                    or not event["user_data"].get("client_user_agent"):
                return self.error("event")
            if "test_event_code" in one["body"]:
                self.tested.append(event)
            else:
                self.counted["meta"].setdefault((event["event_name"], event["event_id"]), event)
        return 200, {"events_received": len(one["body"]["data"]), "messages": [], "fbtrace_id": "B1"}

    @staticmethod
    def error(which):
        status, error = META_ERRORS[which]
        return status, {"error": error}

    def collect(self, one):
        if one["path"].startswith("/debug/"):
            faults = []
            if not one["query"].get("api_secret"):
                faults.append({"fieldPath": "api_secret", "description": "An API secret is required.",
                               "validationCode": "VALUE_REQUIRED"})
            for event in one["body"].get("events", []):
                if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,39}", event.get("name", "")):
                    faults.append({"fieldPath": "events", "description": "Event has an invalid name.",
                                   "validationCode": "NAME_INVALID"})
            return 200, {"validationMessages": faults}
        for event in one["body"]["events"]:
            params = event["params"]
            if params.get("debug_mode"):
                self.tested.append(event)
            else:
                key = (event["name"], params.get("event_id" if event["name"] != "purchase" else "transaction_id"))
                self.counted["google"].setdefault(key, {"client_id": one["body"]["client_id"], **params})
        return 204, None

    def purchases(self, partner):
        name = "Purchase" if partner == "meta" else "purchase"
        with self.lock:
            return {key[1]: event for key, event in self.counted[partner].items() if key[0] == name}

    def refunds(self, partner):
        name = "Refund" if partner == "meta" else "refund"
        with self.lock:
            return [event for key, event in self.counted[partner].items() if key[0] == name]
