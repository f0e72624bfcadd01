"""S21: what a wrong secret's refusal takes, measured in pairs: one half right against all wrong, a name that exists against
one that does not. Samples of both kinds are mixed at random over one connection; the figure is Welch's t of what is left
when the slowest tenth of all is cut off, and the difference of the medians. The check is checked: a delay put into
one of two ways must be seen.

secret_times.py SVC DATABASE SAMPLES STORING HASHING    each way; of requests that commit something; that hash a password
"""
import base64
import http.client
import itertools
import json
import math
import statistics
import sys
import time

from proving import Site, arguments, day, figure, not_limited, random_of

SVC, DATABASE, counts = arguments(4)
SAMPLES, STORING, HASHING = map(int, counts)
TRIES = 3
REGISTERED = TRIES * HASHING  # accounts for those; the others are for the links
ENOUGH = 4.5  # of t; a pair beyond it is measured anew, and only what shows itself three times over is a leak


class Asker:
    """One connection, every request from another client's address, so that no limit is met."""

    def __init__(self, port):
        self.connection, self.number = http.client.HTTPConnection("127.0.0.1", port, timeout=30), 0
        self.connection.auto_open = True

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


def words_of(answer):
    """An answer without its id."""
    return (json.dumps(answer["data"]),) if "code" not in answer else (answer["code"], answer["message"])


def measured(ways, samples, chance):
    """Both ways in a random order: (t, difference of the medians in microseconds)."""
    order = [0, 1] * samples
    chance.shuffle(order)
    took, answers = ([], []), (set(), set())
    for way in order:
        micros, status, said = ways[way]()
        took[way].append(micros)
        answers[way].add((status, said))
    told = [{(status, *words_of(json.loads(said))) for status, said in each} for each in answers]
    assert told[0] == told[1] and len(told[0]) == 1, told
    assert next(iter(told[0]))[0] in (200, 201, 400, 401, 403, 404), told
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
    people = (f"user{number // 8:06}" for number in itertools.count())  # ten wrong passwords lock an account for a while
    registered, waiting = ((f"user{number:06}" for number in itertools.count(begin)) for begin in (0, REGISTERED))
    nobody = itertools.count()
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

    def register(name):
        return lambda: ask("POST", "/auth/register", {"first_name": "Ada", "last_name": "Lovelace", "password": "good enough",
                                                      "email": f"{name()}@example.org"})

    def resend(name):
        return lambda: ask("POST", "/auth/resend-verification", {"email": f"{name()}@example.org"})

    def unknown():
        return f"nobody{next(nobody):06}"

    return {
        "sign-in, user known or not": (sign_in(lambda: next(people)), sign_in(unknown), HASHING),
        "registration, address known or not": (register(lambda: next(registered)), register(unknown), HASHING),
        "link once more, address known or not": (resend(lambda: next(waiting)), resend(unknown), STORING),
        "application password, half right or not": (by_password("boss", 12), by_password("boss", 0), SAMPLES),
        "application password, user known or not": (by_password("boss", 0), by_password("bosz", 0), SAMPLES),
        "nonce, half right or not": (by_nonce(len(nonce) // 2), by_nonce(0), SAMPLES),
        "booking token, half right or not": (by_token(half), by_token(0), SAMPLES),
        "session, half right or not": (by_session(half), by_session(0), SAMPLES)}


def people(site):
    """Accounts whose address is not proven, more than are asked for."""
    site.sql("INSERT INTO svc_users (login, login_lower, email, email_lower, password_hash, role_id, created_at, updated_at)"
             f" WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {REGISTERED + TRIES * STORING}),"
             " x (name) AS (SELECT 'user' || SUBSTR(CAST(1000000 + i AS TEXT), 2) FROM n)"
             " SELECT x.name, x.name, x.name || '@example.org', x.name || '@example.org', u.password_hash, r.id, 0, 0"
             " FROM svc_users u, svc_roles r, x WHERE u.login = 'boss' AND r.slug = 'svc_customer'")


def is_seen(ask):
    """Whether a fifth more in one of two ways that are alike would be."""
    def one():
        return ask("GET", "/bookings")
    usual = statistics.median(one()[0] for _ in range(100))

    def slower():
        micros, *answer = one()
        return micros + usual / 5, *answer
    t, _ = measured((slower, one), 400, random_of("planted"))
    return abs(t) > ENOUGH


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        people(site)
        ask, seen = Asker(site.servers[0].port), []
        assert is_seen(ask), "a fifth more would not be seen"
        for name, (first, second, count) in pairs(site, ask).items():
            t, micros = measured((first, second), count, random_of(name))
            again = 0
            while abs(t) > ENOUGH and again < TRIES - 1:
                again += 1
                t, micros = measured((first, second), count, random_of(name, again))
            seen.append((name, count, t, micros, again))
        figure("; ".join(f"{name}: t {t:+.1f}, medians {micros:+.0f} us apart, {2 * count} samples"
                         + (f", at try {again + 1}" if again else "") for name, count, t, micros, again in seen)
               + "; a planted delay of a fifth is seen")
        leaks = [name for name, _, t, _, _ in seen if abs(t) > ENOUGH]
        assert not leaks, leaks


if __name__ == "__main__":
    sys.exit(main())
