"""A receiver of webhooks on a loopback port: each path behaves in its own way, and what it gets is kept and verified.

/ok 204; /hang no answer; /gone 410; /busy 429 with Retry-After once, then 204; /away 302 to a private address; /long an
answer without end; /flaky refuses three of ten; /fail 500.
"""
import base64
import hashlib
import hmac
import json
import random
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_signed(headers, body, secret):
    """By the words of Standard Webhooks, without the code that signs."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return wanted in headers["webhook-signature"].split(" ") and abs(time.time() - int(headers["webhook-timestamp"])) < 300


class Receiver:
    def __init__(self):
        self.lock, self.over = threading.Lock(), threading.Event()
        self.got = []  # {"path", "headers", "body", "at"} of each request that is no HEAD
        self.busy_once, self.sent_bytes = True, 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, headers=(), body=b""):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self):
                self.answer(204)

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with receiver.lock:
                    receiver.got.append({"path": self.path, "at": time.monotonic(), "body": body,
                                         "headers": {k.lower(): v for k, v in self.headers.items()}})
                getattr(self, "at_" + self.path.strip("/").split("/")[0], self.at_ok)()

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def at_ok(self):
                self.answer(204)

            def at_hang(self):
                receiver.over.wait(60)
                self.close_connection = True

            def at_gone(self):
                self.answer(410)

            def at_fail(self):
                self.answer(500, body=b"out of order")

            def at_away(self):
                self.answer(302, [("Location", "http://169.254.169.254/latest/meta-data")])

            def at_flaky(self):
                self.answer(500 if random.random() < 0.3 else 204)

            def at_busy(self):
                with receiver.lock:
                    is_busy, receiver.busy_once = receiver.busy_once, False
                self.answer(429, [("Retry-After", "3")]) if is_busy else self.answer(204)

            def at_long(self):
                self.send_response(200)
                self.send_header("Content-Length", str(4 << 30))
                self.end_headers()
                try:
                    while not receiver.over.is_set():
                        self.wfile.write(b"x" * 65536)
                        receiver.sent_bytes += 65536
                except OSError:
                    pass
                self.close_connection = True

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def at(self, path):
        with self.lock:
            return [one for one in self.got if one["path"] == path]

    def messages(self, path):
        return [json.loads(one["body"]) for one in self.at(path)]
