"""Google's OAuth 2.0 endpoints and Calendar API on a loopback port, in the shapes both document, with the faults tests
ask for.

The person at the consent page is played by the test: consent(). Nothing here is a check: tests look at what is kept.
"""
import base64
import hashlib
import itertools
import json
import re
import threading
import time
import urllib.parse
import zoneinfo
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

AUTH = "https://www.googleapis.com/auth/"


class Refusal(Exception):
    def __init__(self, status, reason, headers=None):
        super().__init__(status, reason)
        self.status, self.headers = status, headers or {}
        self.body = {"error": {"code": status, "errors": [{"domain": "global", "reason": reason}], "message": reason}}


class OAuthRefusal(Exception):
    def __init__(self, error, status=400):
        super().__init__(error)
        self.status, self.headers, self.body = status, {}, {"error": error, "error_description": "Bad request."}


class Google:
    """Faults, one a call whose path has the word before the colon, in order: "events:hang", "token:garbage",
    "events:401", "events:410", "events:503", "events:rate 7" (403 rateLimitExceeded with Retry-After)."""

    def __init__(self, client_id="client-1", client_secret="secret-1"):
        self.client_id, self.client_secret = client_id, client_secret
        self.numbers, self.lock = itertools.count(1), threading.RLock()
        self.codes, self.refresh_tokens, self.access_tokens = {}, {}, {}
        self.calendars = {"boss@example.org": {"summary": "boss@example.org", "primary": True, "made_by_app": False}}
        self.events, self.calls, self.faults, self.wrong = {}, [], [], []
        self.at_once, self.most_refreshes_at_once, self.refreshes = 0, 0, 0
        self.expires_in, self.slow_token, self.over = 3600, 0, threading.Event()
        google = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                google.answer(self, self.command, self.rfile.read(length).decode())

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def environment(self):
        """What has the program ask here in place of Google."""
        return {"SVC_OUTBOUND_PRIVATE_HOSTS": self.place,
                "SVC_PAYMENT_API_BASES": f"google_calendar={self.url}"}

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    # ---- what tests do ----

    def consent(self, auth_url, granted=None):
        """The person agrees: (state, code), as they come back. `granted`: other rights than were asked."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(auth_url).query))
        assert auth_url.startswith("https://accounts.google.com/o/oauth2/v2/auth?"), auth_url
        assert asked["client_id"] == self.client_id and asked["response_type"] == "code", asked
        assert asked["code_challenge_method"] == "S256" and asked["access_type"] == "offline", asked
        code = f"4/code-{next(self.numbers)}"
        self.codes[code] = {"challenge": asked["code_challenge"], "redirect_uri": asked["redirect_uri"],
                            "scope": asked["scope"] if granted is None else granted}
        return asked["state"], code

    def revoke_all(self):
        """As when the person ends the access in their account, or a test app's seven days are over."""
        with self.lock:
            self.refresh_tokens.clear()
            self.access_tokens.clear()

    def expire_access(self):
        with self.lock:
            self.access_tokens.clear()

    def shown(self, calendar=None):
        """Events that a person sees, by id."""
        return {name: event for (where, name), event in self.events.items()
                if event["status"] != "cancelled" and calendar in (None, where)}

    def made_calendars(self):
        return [name for name, one in self.calendars.items() if one["made_by_app"]]

    # ---- the server ----

    def fault_for(self, path):
        for fault in self.faults:
            word, _, what = fault.partition(":")
            if word in path:
                self.faults.remove(fault)
                return what
        return None

    def answer(self, handler, method, text):
        path, _, query = handler.path.partition("?")
        headers = {}
        with self.lock:
            self.calls.append((method, path))
            fault = self.fault_for(path)
        if fault == "hang":
            self.over.wait(60)
            return
        try:
            if fault and fault.startswith("rate"):
                raise Refusal(403, "rateLimitExceeded", {"Retry-After": fault.split()[1]})
            if fault and fault.isdigit():
                raise Refusal(int(fault), {"401": "authError", "410": "deleted"}.get(fault, "backendError"))
            status, body = self.route(handler.headers, method, path, query, text)
        except (Refusal, OAuthRefusal) as refusal:
            status, body, headers = refusal.status, refusal.body, refusal.headers
        payload = b"" if body is None else json.dumps(body).encode()
        if fault == "garbage":
            status, payload = 200, b"<html>Sign in to the wireless network</html>"
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json; charset=UTF-8")
        handler.send_header("Content-Length", str(len(payload)))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(payload)

    def route(self, headers, method, path, query, text):
        if path.startswith("/played/"):
            return 200, self.played(path, urllib.parse.parse_qs(query))
        if path in ("/token", "/revoke") and method == "POST":
            form = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
            return (self.token if path == "/token" else self.revoke)(form)
        with self.lock:
            return self.calendar(headers, method, path, query, json.loads(text) if text else None)

    def played(self, path, query):
        """What tests in a browser do by addresses: /played/consent?auth_url=…, /played/shown, /played/revoke."""
        if path.endswith("/consent"):
            return dict(zip(("state", "code"), self.consent(query["auth_url"][0])))
        if path.endswith("/revoke"):
            self.revoke_all()
        return list(self.shown().values())

    # ---- OAuth ----

    def token(self, form):
        if form.get("client_id") != self.client_id or form.get("client_secret") != self.client_secret:
            raise OAuthRefusal("invalid_client", 401)
        if form.get("grant_type") == "authorization_code":
            return 200, self.exchange(form)
        if form.get("grant_type") != "refresh_token":
            raise OAuthRefusal("unsupported_grant_type")
        with self.lock:
            self.refreshes += 1
            self.at_once += 1
            self.most_refreshes_at_once = max(self.most_refreshes_at_once, self.at_once)
        time.sleep(self.slow_token)
        with self.lock:
            self.at_once -= 1
            scope = self.refresh_tokens.get(form.get("refresh_token"))
            if scope is None:
                raise OAuthRefusal("invalid_grant")
            return 200, self.access(scope)

    def exchange(self, form):
        with self.lock:
            code = self.codes.pop(form.get("code"), None)
            if not code or code["redirect_uri"] != form.get("redirect_uri"):
                raise OAuthRefusal("invalid_grant")
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            if base64.urlsafe_b64encode(digest).decode().rstrip("=") != code["challenge"]:
                raise OAuthRefusal("invalid_grant")
            refresh = f"1//refresh-{next(self.numbers)}"
            self.refresh_tokens[refresh] = code["scope"]
            return {**self.access(code["scope"]), "refresh_token": refresh}

    def access(self, scope):
        token = f"ya29.access-{next(self.numbers)}"
        self.access_tokens[token] = scope
        return {"access_token": token, "expires_in": self.expires_in, "scope": scope, "token_type": "Bearer"}

    def revoke(self, form):
        with self.lock:
            if self.refresh_tokens.pop(form.get("token"), None) is None:
                raise OAuthRefusal("invalid_token")
            self.access_tokens.clear()
        return 200, {}

    # ---- the Calendar API ----

    def calendar(self, headers, method, path, _query, body):
        scope = self.access_tokens.get((headers.get("Authorization") or "").removeprefix("Bearer "))
        if scope is None:
            raise Refusal(401, "authError")
        rights = set(scope.split())
        if path == "/calendar/v3/users/me/calendarList" and method == "GET":
            if AUTH + "calendar.calendarlist.readonly" not in rights:
                raise Refusal(403, "insufficientPermissions")
            return 200, {"kind": "calendar#calendarList", "items": [
                {"id": name, "summary": one["summary"], "accessRole": "owner",
                 **({"primary": True} if one.get("primary") else {})} for name, one in self.calendars.items()]}
        if path == "/calendar/v3/calendars" and method == "POST":
            if AUTH + "calendar.app.created" not in rights:
                raise Refusal(403, "insufficientPermissions")
            zoneinfo.ZoneInfo(body["timeZone"])
            name = f"c_{next(self.numbers)}@group.calendar.google.com"
            self.calendars[name] = {"summary": body["summary"], "made_by_app": True}
            return 200, {"kind": "calendar#calendar", "id": name, **body}
        found = re.fullmatch(r"/calendar/v3/calendars/([^/]+)(?:/events(?:/([^/]+))?)?", path)
        where = urllib.parse.unquote(found[1]) if found else None
        one = self.calendars.get(where)
        if not one or not (one["made_by_app"] or AUTH + "calendar.events" in rights):
            raise Refusal(404, "notFound")
        if not path.split(found[1])[1]:
            return 200, {"kind": "calendar#calendar", "id": where, "summary": one["summary"]}
        return self.event(method, where, found[2], body)

    def event(self, method, where, name, body):
        if method == "POST" and name is None:
            name = body.get("id")
            if not re.fullmatch("[0-9a-v]{5,1024}", name or ""):
                raise Refusal(400, "invalid")
            if (where, name) in self.events:  # a deleted event keeps its id
                raise Refusal(409, "duplicate")
            return 200, self.kept(where, name, body)
        known = self.events.get((where, name))
        if not known:
            raise Refusal(404, "notFound")
        if method == "PUT":
            return 200, self.kept(where, name, body)
        if known["status"] == "cancelled":
            raise Refusal(410, "deleted")
        if method == "DELETE":
            known["status"] = "cancelled"
            return 204, None
        return 200, {**known, "id": name}

    def kept(self, where, name, body):
        start, end = body.get("start", {}), body.get("end", {})
        reminders = body.get("reminders", {}).get("overrides", [])
        for side in (start, end):
            if "dateTime" in side:
                zoneinfo.ZoneInfo(side["timeZone"])
        if ("date" in start) != ("date" in end) or (start.get("date") or start.get("dateTime", "")) >= (
                end.get("date") or end.get("dateTime", "")):
            self.wrong.append(body)
            raise Refusal(400, "timeRangeEmpty")
        if len(reminders) > 5 or any(not 0 <= one["minutes"] <= 40320 for one in reminders):
            self.wrong.append(body)
            raise Refusal(400, "invalid")
        event = {"status": "confirmed", **body, "id": name}
        self.events[where, name] = event
        return {"kind": "calendar#event", **event}
