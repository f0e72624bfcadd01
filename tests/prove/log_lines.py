"""R18: answers of every kind, those of the gate and those of the transport that never reached it, each have one line of
the log, which is found by the answer's X-Request-Id and tells its status.

log_lines.py SVC DATABASE
"""
import collections
import concurrent.futures
import json
import re
import socket
import sys
import time

from proving import Site, arguments, day, figure, filled_in, not_limited

SVC, DATABASE, _ = arguments()
HOST = "Host: a\r\n"
BIG = "x" * 100_000
# What the transport refuses by itself, by the status that is expected.
REFUSED = ((400, f"GET /svc/v1/test HTTP/1.1\r\n{HOST}A: b\r\n folded\r\n\r\n"),
           (400, "GET /svc/v1/test HTTP/1.1\r\n\r\n"),
           (400, f"POST /svc/v1/test HTTP/1.1\r\n{HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
           (413, f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Content-Length: {4 << 30}\r\n\r\n"),
           (414, f"GET /{BIG} HTTP/1.1\r\n{HOST}\r\n"),
           (417, f"POST /svc/v1/booking/session HTTP/1.1\r\n{HOST}Expect: tea\r\nContent-Length: 2\r\n\r\n{{}}"),
           (431, f"GET /svc/v1/test HTTP/1.1\r\n{HOST}A: {BIG}\r\n\r\n"),
           (501, f"POST /svc/v1/test HTTP/1.1\r\n{HOST}Transfer-Encoding: gzip\r\n\r\n"),
           (505, f"GET /svc/v1/test HTTP/2.0\r\n{HOST}\r\n"))
ANSWER = re.compile(rb"\AHTTP/1\.1 (\d+)")
ID = re.compile(rb"^X-Request-Id: (\S+)\r$", re.M | re.I)


def raw(port, request):
    """(status, request id or None)"""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request.encode())
        got = b""
        while b"\r\n\r\n" not in got:
            more = connection.recv(65536)
            if not more:
                break
            got += more
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
    session = asked(site, seen, "POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
    form = filled_in({"session_id": session.data["session_id"]})
    key = {"Idempotency-Key": "one-booking-please"}
    for body in (form, form, {**form, "contact_first_name": "Bea"}):  # made, told again, refused
        asked(site, seen, "POST", "/booking/create", body, key)
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


def lines_of(server, wanted):
    """The log's lines of requests by their id, as soon as each of the wanted ones is there; or those there are."""
    until = time.monotonic() + 5
    while True:
        found = collections.defaultdict(list)
        for line in list(server.lines):
            if line and line.startswith("{") and (said := json.loads(line)).get("event") == "request":
                found[said["request_id"]].append(said["status"])
        if wanted <= set(found) or time.monotonic() > until:
            return found
        time.sleep(0.05)


def main():
    with Site(SVC, DATABASE, environment={"SVC_LISTEN_WORKERS": "1", "SVC_PRO_LIBRARY": "none"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10_000)
        server, refused = site.servers[0], []
        for status, request in REFUSED:
            refused.append(raw(server.port, request))
            assert refused[-1][0] == status, (status, refused[-1], request[:80])
        seen = [*of_the_gate(site, trip), *refused, *of_a_full_pool(site, trip)]
        assert all(name for _, name in seen), [status for status, name in seen if not name]
        assert len({name for _, name in seen}) == len(seen), "two answers have one id"
        found = lines_of(server, {name for _, name in seen})
        wrong = sorted({status for status, name in seen if found[name] != [status]})
        statuses = collections.Counter(status for status, _ in seen)
        figure(f"answers {len(seen)}, matched with their line {sum(found[name] == [status] for status, name in seen)};"
               f" statuses {', '.join(map(str, sorted(statuses)))}, of them {statuses[503]} refused by a full pool")
        assert not wrong, f"without a line of their own: answers with {wrong}"


if __name__ == "__main__":
    sys.exit(main())
