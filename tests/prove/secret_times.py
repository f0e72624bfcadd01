"""S21: what a wrong secret's refusal takes, measured in pairs: one half right against all wrong, a name that exists against
one that does not. Samples of both kinds are mixed at random over one connection; the figure is Welch's t of what is left
when the slowest tenth of all is cut off, and the difference of the medians.

secret_times.py SVC DATABASE SAMPLES
"""
import base64
import http.client
import json
import math
import statistics
import sys
import time

from proving import Site, arguments, day, figure, not_limited, random_of

SVC, DATABASE, (SAMPLES,) = arguments(2)
ENOUGH = 4.5  # of t; a pair beyond it is measured anew, and only what shows itself three times over is a leak


class Asker:
    """One connection, every request from another client's address, so that no limit is met."""

    def __init__(self, port, names):
        self.connection, self.number = http.client.HTTPConnection("127.0.0.1", port, timeout=30), 0
        self.names, self.connection.auto_open = names, True

    def __call__(self, method, path, body=None, headers=None):
        self.number += 1
        sent = {"X-Forwarded-For": f"2001:db8:{self.number >> 16:x}:{self.number & 0xffff:x}::1", **(headers or {})}
        text = None
        if body is not None:
            text, sent["Content-Type"] = json.dumps(body), "application/json"
        began = time.perf_counter_ns()
        self.connection.request(method, "/svc/v1" + path, text, sent)
        answer = self.connection.getresponse()
        said = answer.read()
        return (time.perf_counter_ns() - began) / 1000, answer.status, said


def other(text, begin):
    """`text` as it is up to `begin`, then another character at every place, of the same kind; the last one may mean
    fewer bits than its neighbours and stays."""
    ring = {}
    # None becomes a lookalike (0, 1, l, I, O), which no application password holds: those are refused unread, in less time.
    for each in ("23456789", "abcdef", "ghijkmnopqrstuvwxyz", "ABCDEF", "GHJKLMNPQRSTUVWXYZ"):
        ring.update(zip(each, each[1:] + each[0]))
    ring.update(zip("01lIO", "23mJP"))
    return text[:begin] + "".join(ring.get(c, c) for c in text[begin:-1]) + text[-1]


def basic(name, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


def welch(a, b):
    spread = statistics.variance(a) / len(a) + statistics.variance(b) / len(b)
    return (statistics.mean(a) - statistics.mean(b)) / math.sqrt(spread) if spread else 0.0


def measured(ways, samples, chance):
    """Both ways in a random order: (t, difference of the medians in microseconds)."""
    order = [0, 1] * samples
    chance.shuffle(order)
    took, answers = ([], []), (set(), set())
    for way in order:
        micros, status, said = ways[way]()
        took[way].append(micros)
        answers[way].add((status, said))
    told = [{(status, json.loads(said)["code"], json.loads(said)["message"]) for status, said in each} for each in answers]
    assert told[0] == told[1] and len(told[0]) == 1, told
    assert next(iter(told[0]))[0] in (400, 401, 403, 404), told
    limit = sorted(took[0] + took[1])[int(len(order) * 0.9)]
    kept = [[micros for micros in each if micros <= limit] for each in took]
    return welch(*kept), statistics.median(kept[0]) - statistics.median(kept[1])


def pairs(site, ask):
    trip = site.given_trip()["id"]
    site.given_departure(trip, day(), 1000)
    booked = site.book(trip, day()).data
    token, status = booked["booking_token"], f"/payment/status/{booked['id']}"
    session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day()}).data["session_id"]
    secret = base64.b64decode(site.staff["Authorization"].split()[1]).decode().split(":", 1)[1]
    signed = site.call("POST", "/auth/login", {"username": "boss", "password": site.password.split()[-1]})
    assert signed.status == 200, signed
    cookie, nonce = signed.headers["set-cookie"].split(";")[0], signed.data["nonce"]
    people = iter([name for name in ask.names for _ in range(8)])  # ten wrong passwords lock an account for a while
    nobody = iter(range(1 << 30))
    half = len(token) // 2

    def by_token(begin):
        return lambda: ask("GET", status, headers={"X-Svc-Booking-Token": other(token, begin)})

    def by_session(begin):
        return lambda: ask("GET", "/booking/session", headers={"X-Svc-Session": other(session, begin)})

    def by_password(name, begin):
        return lambda: ask("GET", "/bookings", headers=basic(name, other(secret, begin)))

    def by_nonce(begin):
        return lambda: ask("GET", "/bookings", headers={"Cookie": cookie, "X-Host-Nonce": other(nonce, begin)})

    def sign_in(name):
        return lambda: ask("POST", "/auth/login", {"username": name(), "password": "not this one, for sure"})

    return {
        "sign-in, user known or not": (sign_in(lambda: next(people)), sign_in(lambda: f"nobody{next(nobody):05}"), True),
        "application password, half right or not": (by_password("boss", 12), by_password("boss", 0), False),
        "application password, user known or not": (by_password("boss", 0), by_password("bosz", 0), False),
        "nonce, half right or not": (by_nonce(len(nonce) // 2), by_nonce(0), False),
        "booking token, half right or not": (by_token(half), by_token(0), False),
        "session, half right or not": (by_session(half), by_session(0), False)}


def main():
    slow = int(SAMPLES) // 4  # a password's hash alone takes longer than all else
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        copies = -(-slow * 3 // 8)
        names = [f"user{number:05}" for number in range(copies)]
        for first in range(0, copies, 400):
            rows = " UNION ALL ".join(f"SELECT '{name}' AS n" for name in names[first:first + 400])
            site.sql("INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, role_id, created_at,"
                     " updated_at) SELECT x.n, x.n, x.n || '@example.org', x.n || '@example.org', u.password_hash,"
                     f" u.role_id, 0, 0 FROM svc_users u, ({rows}) x WHERE u.login = 'boss'")
        ask, seen = Asker(site.servers[0].port, names), []
        for name, (first, second, is_slow) in pairs(site, ask).items():
            count, again = (slow, 0) if is_slow else (int(SAMPLES), 0)
            t, micros = measured((first, second), count, random_of(name))
            while abs(t) > ENOUGH and again < 2:
                again += 1
                t, micros = measured((first, second), count, random_of(name, again))
            seen.append((name, count, t, micros, again))
        figure("; ".join(f"{name}: t {t:+.1f}, medians {micros:+.0f} us apart, {2 * count} samples"
                         + (f", at try {again + 1}" if again else "") for name, count, t, micros, again in seen))
        leaks = [name for name, _, t, _, _ in seen if abs(t) > ENOUGH]
        assert not leaks, leaks


if __name__ == "__main__":
    sys.exit(main())
