"""R18: answers of every kind, those of the gate and those of the transport that never reached it, each have one line of
the log, which is found by the answer's X-Request-Id and tells its status. Requests that are broken in every way are sent
too, in debug mode; each line of the log can be read all the same.

log_lines.py SVC DATABASE FUZZED
"""
import collections
import concurrent.futures
import json
import re
import socket
import string
import sys
import time

from proving import Site, arguments, day, figure, filled_in, free_port, not_limited, random_of

SVC, DATABASE, (FUZZED,) = arguments(2)
HOST = "Host: a\r\n"
BIG = "x" * 100_000
# Requests that the transport rejects itself, by the expected status.
REFUSED = ((400, f"GET /svc/v1/test HTTP/1.1\r\n{HOST}A: b\r\n folded\r\n\r\n"),
           (400, "GET /svc/v1/test HTTP/1.1\r\n\r\n"),
           (400, f"POST /svc/v1/test HTTP/1.1\r\n{HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
           (413, f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Content-Length: {4 << 30}\r\n\r\n"),
           (414, f"GET /{BIG} HTTP/1.1\r\n{HOST}\r\n"),
           (417, f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Expect: tea\r\nContent-Length: 2\r\n\r\n{{}}"),
           (431, f"GET /svc/v1/test HTTP/1.1\r\n{HOST}A: {BIG}\r\n\r\n"),
           (501, f"POST /svc/v1/test HTTP/1.1\r\n{HOST}Transfer-Encoding: gzip\r\n\r\n"),
           (505, f"GET /svc/v1/test HTTP/2.0\r\n{HOST}\r\n"))
# Seldom seen, so asked for one by one.
SELDOM = {403, 408, 409, 500, 502}
# The server's lines for people, at its start and end; all else is JSON.
SAYS = re.compile(rb"svc (\d+\.\d+\.\d+ (health and metrics|listening) on http://\S+|drains: [a-z ]+|stopped)")
MEMBERS = {"at": str, "level": str, "event": str}
LEVELS = {"debug", "info", "warning", "error"}
# The parts of a broken request.
PIECES = [b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\0", b"\r\n", b"\n", b"\r", b'"', b"\\", b"\\u0000", b"{",
          b'","event":"forged"', b"\x1b[2J", b"%0a", b"%00", b"%ff", b"\xe2\x80\xa8", b'\n{"at":"now","level":"info","event":"forged"}\n', b"\t", b"x" * 5000, b" "]
ANSWER = re.compile(rb"\AHTTP/1\.1 (\d+)")
ID = re.compile(rb"^X-Request-Id: (\S+)\r$", re.M | re.I)


def raw(port, request, patient=True):
    """(status, request id or None); (None, None) where there was no answer. `patient`: the request is whole."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        got = b""
        try:
            connection.sendall(request if isinstance(request, bytes) else request.encode())
            if not patient:
                connection.shutdown(socket.SHUT_WR)
            while b"\r\n\r\n" not in got:
                more = connection.recv(65536)
                if not more:
                    break
                got += more
        except ConnectionError:  # cut off as it was still sending
            assert not patient
    if not ANSWER.search(got):
        assert not patient, got
        return None, None
    named = ID.search(got.split(b"\r\n\r\n")[0] + b"\r\n")
    return int(ANSWER.search(got)[1]), named and named[1].decode()


def asked(site, seen, method, path, body=None, headers=None):
    answer = site.call(method, path, body, headers)
    seen.append((answer.status, answer.headers.get("x-request-id")))
    return answer


def of_the_gate(site, trip):
    """Answers that the gate and the handlers give: good ones, each refusal of the gate, and of a write."""
    seen = []
    nobody = {"Authorization": "Basic bm9ib2R5Ondyb25n"}
    for method, path, body, headers in (
            ("GET", "/trips/public", None, None), ("GET", f"/trips/{trip}/available-dates", None, None),
            ("GET", "/no/such/place", None, None), ("DELETE", "/trips/public", None, None), ("GET", "/bookings", None, None),
            ("GET", "/bookings", None, nobody), ("GET", "/bookings", None, site.staff),
            ("GET", "/bookings/999999999", None, site.staff), ("GET", "/bookings?page=none", None, site.staff),
            ("POST", "/booking/session", {"trip_id": 0}, None), ("POST", "/booking/session", [], None)):
        asked(site, seen, method, path, body, headers)
    for path in ("/", "/docs", "/openapi.json"):  # outside the namespace: led into it
        seen.append(raw(site.servers[0].port, f"GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"))
        assert seen[-1][0] == 302, (path, seen[-1])
    session = asked(site, seen, "POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
    form = filled_in({"session_id": session.data["session_id"]})
    key = {"Idempotency-Key": "one-booking-please"}
    for body in (form, form, {**form, "contact_first_name": "Bea"}):  # made, told again, refused
        asked(site, seen, "POST", "/booking/create", body, key)
    return seen


def of_seldom_kinds(site, trip):
    """A session without a nonce of its own, a body that does not end, a place that is sold, a table and a provider that are gone."""
    seen = []
    signed = asked(site, seen, "POST", "/auth/login", {"username": "boss", "password": site.password.split()[-1]})
    session = signed.headers["set-cookie"].split(";")[0]
    asked(site, seen, "GET", "/bookings", None, {"Cookie": session, "X-Host-Nonce": "stale"})
    seen.append(raw(site.servers[0].port, f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Content-Length: 9\r\n\r\n{{"))
    site.given_departure(trip, day(41), 1)
    sessions = [asked(site, seen, "POST", "/booking/session", {"trip_id": trip, "travel_date": day(41)}) for _ in range(2)]
    booked, _ = [asked(site, seen, "POST", "/booking/create", filled_in({"session_id": each.data["session_id"],
                                                                         "payment_gateway": "paypal"})) for each in sessions]
    asked(site, seen, "POST", "/payment/create-intent", {"gateway": "paypal", "booking_id": booked.data["id"]},
          {"X-Svc-Booking-Token": booked.data["booking_token"]})
    site.sql("ALTER TABLE svc_discounts RENAME TO svc_discounts_gone")
    try:
        asked(site, seen, "GET", "/discounts", None, site.staff)
    finally:
        site.sql("ALTER TABLE svc_discounts_gone RENAME TO svc_discounts")
    return seen


def of_a_full_pool(site, trip):
    """Bookings of more callers at once than one worker and its queue take."""
    body = json.dumps({"trip_id": trip, "travel_date": day()})
    request = (f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}")
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        for _ in range(50):
            seen = list(pool.map(lambda _: raw(site.servers[0].port, request), range(120)))
            if any(status == 503 for status, _ in seen):
                return seen
    raise AssertionError("the pool was never full")


def of_broken_requests(site, trip):
    """Requests of several kinds with pieces put in and taken out anywhere, from several callers at once."""
    staff = site.staff["Authorization"]
    body = json.dumps({"trip_id": trip, "travel_date": day(), "country": "GB"})
    kinds = [f"GET /svc/v1/trips?search=harbour&page=1 HTTP/1.1\r\n{HOST}Authorization: {staff}\r\n\r\n".encode(),
             f"GET /svc/v1/trips/public/no-such-trip HTTP/1.1\r\n{HOST}X-Request-Id: NUMBER\r\nUser-Agent: b\r\n\r\n".encode(),
             (f"GET /svc/v1/bookings/1?token=a HTTP/1.1\r\n{HOST}Authorization: Basic bm9ib2R5Ondyb25n\r\n"
              "Cookie: a=b\r\n\r\n").encode(),
             (f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
              f"X-Forwarded-For: 198.51.100.7\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode(),
             f"POST /svc/v1/auth/login HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nContent-Length: 33\r\n\r\n"
             '{"username":"a","password":"bbb"}'.encode()]

    def one(number):
        random = random_of("log", number)
        request = bytearray(random.choice(kinds).replace(b"NUMBER", random.randbytes(12).hex().encode()))
        for _ in range(random.randint(1, 4)):
            place = random.randrange(len(request))
            what = random.choice((random.choice(PIECES), random.randbytes(random.randint(1, 8)), b"",
                                  random.choice(string.printable).encode()))
            request[place:place + random.choice((0, 0, 1, len(what)))] = what
        return raw(site.servers[0].port, bytes(request), patient=False)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(one, range(int(FUZZED))))
    return [each for each in answers if each[0]]


def broken(log):
    """The lines of a log that nobody can read: torn, mixed up, without what each must say, or with what is no text."""
    wrong = []
    for line in log.removesuffix(b"\n").split(b"\n"):
        try:
            said = json.loads(line.decode()) if not SAYS.fullmatch(line) else None
        except ValueError:
            wrong.append(line)
            continue
        if said is not None and (not isinstance(said, dict) or "forged" in str(said.get("event"))
                                 or any(not isinstance(said.get(name), its) for name, its in MEMBERS.items())
                                 or said["level"] not in LEVELS or re.search(rb"[\x00-\x1f\x7f]", line)):
            wrong.append(line)
    return wrong


def finds_what_is_planted():
    good = b'{"at":"2026-11-25T02:28:47Z","level":"info","event":"request"}'
    bad = [b"hello", good[:-5], good[5:], good + good, good.replace(b"info", b"\xff"), good.replace(b"info", b"loud"), b"",
           good.replace(b"request", b"forged"), b'"text"', b"svc listens", good.replace(b'"event"', b'"even"'),
           good.replace(b"request", b"\x7f")]
    assert not broken(good + b"\nsvc stopped\n") and broken(b"\n".join([good, *bad, good]) + b"\n") == bad, "blind"


def lines_of(log, wanted):
    """The log, and its lines of requests by their id, as soon as each of the wanted ones is there; or those there are."""
    until = time.monotonic() + 5
    while True:
        whole = log.read_bytes()
        whole = whole[:whole.rfind(b"\n") + 1]  # what is being written is not yet a line
        found = collections.defaultdict(list)
        for line in whole.split(b"\n"):
            if line.startswith(b'{"at"') and b'"event":"request"' in line:
                said = json.loads(line.decode(errors="replace"))
                found[said["request_id"]].append(said["status"])
        if wanted <= set(found) or time.monotonic() > until:
            return whole, found
        time.sleep(0.05)


def main():
    finds_what_is_planted()
    nobody = f"127.0.0.1:{free_port()}"  # where the provider would be
    with Site(SVC, DATABASE, log="server.log", environment={
            "SVC_LISTEN_WORKERS": "1", "SVC_PRO_LIBRARY": "none", "SVC_LIMITS_BODY_MS": "2000",
            "SVC_PAYMENT_API_BASES": f"paypal=http://{nobody}/", "SVC_OUTBOUND_PRIVATE_HOSTS": nobody}) as site:
        not_limited(site)
        kept = site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": "client", "client_secret": "secret", "webhook_id": "hook"})
        assert kept.status == 200, kept
        assert site.as_staff("PUT", "/settings", {"debug_mode": True}).status == 200
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10_000)
        server, refused = site.servers[0], []
        for status, request in REFUSED:
            refused.append(raw(server.port, request))
            assert refused[-1][0] == status, (status, refused[-1], request[:80])
        fuzzed = of_broken_requests(site, trip)
        seldom = of_seldom_kinds(site, trip)
        assert SELDOM <= {status for status, _ in seldom}, seldom
        seen = [*of_the_gate(site, trip), *seldom, *refused, *fuzzed, *of_a_full_pool(site, trip)]
        assert all(name for _, name in seen), [status for status, name in seen if not name]
        assert len({name for _, name in seen}) == len(seen), "two answers have one id"
        server.process.terminate()
        server.process.wait()
        log, found = lines_of(site.dir / "server.log", {name for _, name in seen})
        unreadable = broken(log)
        wrong = sorted({status for status, name in seen if found[name] != [status]})
        statuses = collections.Counter(status for status, _ in seen)
        figure(f"broken requests {FUZZED}, {len(fuzzed)} of them answered; log lines {log.count(10)}, broken {len(unreadable)};"
               f" answers {len(seen)}, matched with their line {sum(found[name] == [status] for status, name in seen)};"
               f" statuses {', '.join(map(str, sorted(statuses)))}, of them {statuses[503]} refused by a full pool")
        assert not unreadable, unreadable[:5]
        assert not wrong, f"without a line of their own: answers with {wrong}"


if __name__ == "__main__":
    sys.exit(main())
