"""Mailchimp's Marketing API on a loopback port, as its documentation describes the answers, with the faults tests ask for.

Two accounts: KEY has the audience LIST, OTHER_KEY another one. Nothing here is a check: tests look at what is kept.
mailchimp_stub.py PORT serves until it is ended.
"""
import base64
import hashlib
import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY, OTHER_KEY = "0123456789abcdef0123456789abcdef-us19", "fedcba9876543210fedcba9876543210-us7"
LIST, OTHER_LIST = "a1b2c3d4e5", "f6e7d8c9b0"
FIELDS = [{"tag": "FNAME", "name": "First Name", "type": "text", "required": False},
          {"tag": "LNAME", "name": "Last Name", "type": "text", "required": False},
          {"tag": "TRIP", "name": "Latest trip", "type": "text", "required": True}]


class Problem(Exception):
    def __init__(self, status, title, detail):
        super().__init__(title)
        self.status = status
        self.body = {"type": "https://mailchimp.com/developer/marketing/docs/errors/", "title": title, "status": status,
                     "detail": detail, "instance": "4c9a"}


def hash_of(email):
    return hashlib.md5(email.lower().encode()).hexdigest()


class Mailchimp:
    """The server and its contacts by digest. `fault` of every answer: "", "hang", "garbage", "throttle", "down".

    `blocked`: addresses in compliance state; `exists`: those that an upsert answers with "Member Exists" once;
    `fake`: those that it calls fake."""

    def __init__(self, port=0):
        self.lock, self.over = threading.RLock(), threading.Event()
        self.members, self.calls, self.fault = {}, [], ""
        self.blocked, self.exists, self.fake, self.most_at_once, self.at_once = set(), set(), set(), 0, 0
        mailchimp = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                mailchimp.handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def environment(self):
        """What a server of svc needs to ask this in place of Mailchimp."""
        return {"SVC_PAYMENT_API_BASES": f"mailchimp={self.url}", "SVC_OUTBOUND_PRIVATE_HOSTS": self.place}

    def status(self, email):
        with self.lock:
            member = self.members.get(hash_of(email))
            return member and member["status"]

    def tags(self, email):
        with self.lock:
            return sorted(tag for tag, active in self.members[hash_of(email)]["tags"].items() if active)

    def put(self, email, status):
        with self.lock:
            self.members[hash_of(email)] = {"email_address": email, "status": status, "merge_fields": {}, "tags": {}}

    def handle(self, handler):
        text = handler.rfile.read(int(handler.headers.get("Content-Length") or 0)).decode()
        with self.lock:
            self.calls.append((handler.command, handler.path))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            self.answer(handler, text)
        finally:
            with self.lock:
                self.at_once -= 1

    def answer(self, handler, text):
        headers, payload = {}, b""
        if self.fault == "hang":  # takes the request and never answers
            self.over.wait(300)
            handler.close_connection = True
            return
        if self.fault == "garbage":
            status, payload = 200, b"<html>Welcome to the network of the hotel</html>"
        elif self.fault:
            status = 429 if self.fault == "throttle" else 503
            headers = {"Retry-After": "2"} if self.fault == "throttle" else {}
            payload = json.dumps(Problem(status, "Too Many Requests", "You have exceeded the limit.").body).encode()
        else:
            try:
                with self.lock:
                    status, body = self.made(handler, text)
                payload = b"" if body is None else json.dumps(body).encode()
            except Problem as problem:
                status, payload = problem.status, json.dumps(problem.body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("Content-Length", str(len(payload)))
        handler.end_headers()
        handler.wfile.write(payload)

    def made(self, handler, text):
        kind, _, word = handler.headers.get("Authorization", "").partition(" ")
        key = base64.b64decode(word).decode().partition(":")[2] if kind == "Basic" else ""
        if key not in (KEY, OTHER_KEY):
            raise Problem(401, "API Key Invalid", "Your API key may be invalid, or you've attempted to access the wrong datacenter.")
        own = LIST if key == KEY else OTHER_LIST
        path = handler.path.partition("?")[0]
        if path == "/3.0/":
            return 200, {"account_id": "8d3a", "account_name": "Nile Tours" if key == KEY else "Somebody else"}
        if path == "/3.0/lists":
            return 200, {"lists": [{"id": own, "name": "Travelers", "stats": {"member_count": len(self.members)}}]}
        found = re.fullmatch(r"/3\.0/lists/(\w+)(/merge-fields|/members/([0-9a-f]{32})(/tags|/actions/delete-permanent)?)?", path)
        if not found or found[1] != own:
            raise Problem(404, "Resource Not Found", "The requested resource could not be found.")
        if not found[2]:
            return 200, {"id": own, "name": "Travelers"}
        if found[2] == "/merge-fields":
            return 200, {"merge_fields": FIELDS}
        return self.member(handler.command, own, found[3], found[4], json.loads(text) if text else {})

    def member(self, method, list_id, digest, action, body):
        member = self.members.get(digest)
        email = (member or body).get("email_address", "")
        if member is None and method != "PUT":
            raise Problem(404, "Resource Not Found", "The requested resource could not be found.")
        if action == "/tags":
            member["tags"].update({tag["name"]: tag["status"] == "active" for tag in body["tags"]})
            return 204, None
        if action or method == "DELETE":
            if action:
                del self.members[digest]
            else:
                member["status"] = "archived"
            return 204, None
        if email in self.blocked:
            raise Problem(400, "Member In Compliance State", f"{email} is already a list member in compliance state due to"
                          " unsubscribe, bounce, or compliance review and cannot be subscribed.")
        if email in self.fake:
            raise Problem(400, "Invalid Resource", f"{email} looks fake or invalid, please enter a real email address.")
        if method == "PUT" and email in self.exists:
            self.exists.remove(email)
            raise Problem(400, "Member Exists", f"{email} is already a list member. Use PUT to insert or update list members.")
        if member is None:
            if hash_of(email) != digest:
                raise Problem(400, "Invalid Resource", "The address does not fit the digest.")
            member = self.members[digest] = {"email_address": email, "status": body["status_if_new"], "merge_fields": {},
                                             "tags": {}}
        member["status"] = body.get("status", member["status"])
        member["merge_fields"].update(body.get("merge_fields", {}))
        return 200, {"id": digest, "list_id": list_id, **{name: member[name] for name in ("email_address", "status", "merge_fields")}}


if __name__ == "__main__":
    served = Mailchimp(int(sys.argv[1]))
    print(served.environment(), flush=True)
    served.over.wait()
