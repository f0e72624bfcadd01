"""H3: clients that ask for documents without pause, of many bookings with the longest wishes that are accepted, all of it
combining marks, cost nobody else: pages, bookings and health are answered as at rest. The attack meets the documents' own
lane (503), the limit of a booking (429) and what was rendered before.

vouchers.py SVC DATABASE SECONDS BOOKINGS      of each measurement; that the attack knows the tokens of
"""
import http.client
import json
import multiprocessing
import os
import random
import sys
import threading
import time

from proving import SEED, Site, arguments, day, figure, filled_in, not_limited, resident

SVC, DATABASE, (SECONDS, BOOKINGS) = arguments(3)
SECONDS, BOOKINGS = float(SECONDS), int(BOOKINGS)
ATTACKERS = 16
MOST = 2  # times as long as at rest
BUSY = 0.02  # seconds: less than this a busy machine explains
WISH = ("A" + "\u0301" * 8) * 3600  # 64 KiB
DOCUMENTS = ("voucher", "itinerary", "invoice")


class Client:
    """One kept connection; asks again on a new one when the server has closed it."""

    def __init__(self, port):
        self.port, self.connection = port, None

    def ask(self, method, path, body=None, headers=None):
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                text = None if body is None else json.dumps(body)
                sent = {**({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
                self.connection.request(method, path, text, sent)
                answer = self.connection.getresponse()
                answer.read()
                if answer.getheader("Connection") == "close":
                    self.close()
                return answer
            except (OSError, http.client.HTTPException):
                self.close()
                if attempt == 2:
                    raise

    def close(self):
        self.connection.close()
        self.connection = None


def attack(port, bookings, seconds, told):
    """In a process of its own, at the lowest priority: what the clients themselves compute is not the server's fault."""
    os.nice(19)
    statuses, lock, ends = {}, threading.Lock(), time.monotonic() + seconds

    def run(number):
        client, dice = Client(port), random.Random(SEED * 1000 + number)
        while time.monotonic() < ends:
            booking, token = dice.choice(bookings)
            address = f"203.0.{dice.randrange(256)}.{dice.randrange(1, 255)}"
            answer = client.ask("GET", f"/svc/v1/bookings/{booking}/{dice.choice(DOCUMENTS)}", None,
                                {"X-Svc-Booking-Token": token, "X-Forwarded-For": address})
            with lock:
                statuses[answer.status] = statuses.get(answer.status, 0) + 1
            if answer.status in (429, 503):
                assert answer.getheader("Retry-After"), "refused without a Retry-After"
                time.sleep(0.05)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(ATTACKERS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    told.put(statuses)


class Others:
    """Those who look at pages, open checkouts and watch the health, each timed."""

    def __init__(self, server, trip):
        self.times, self.wrong, self.ended = {"page": [], "session": [], "health": []}, [], threading.Event()
        asked = {"page": (server.port, "GET", "/svc/v1/trips/public", None, 200),
                 "session": (server.port, "POST", "/svc/v1/booking/session",
                             {"trip_id": trip, "travel_date": day(), "travelers_count": 1}, 201),
                 "health": (server.admin_port, "GET", "/healthz", None, 200)}
        self.threads = [threading.Thread(target=self._ask, args=(name, *words)) for name, words in asked.items()]
        for each in self.threads:
            each.start()

    def _ask(self, name, port, method, path, body, expected):
        client = Client(port)
        while not self.ended.wait(0.005):
            began = time.monotonic()
            status = client.ask(method, path, body).status
            self.times[name].append(time.monotonic() - began)
            if status != expected:
                self.wrong.append((name, status))

    def stop(self):
        self.ended.set()
        for each in self.threads:
            each.join()
        assert not self.wrong, f"others were refused: {self.wrong[:3]}"
        return {name: sorted(times)[int(len(times) * 0.99)] for name, times in self.times.items()}


def measured(server, trip, beside=None):
    others = Others(server, trip)
    if beside:
        beside()
    else:
        time.sleep(SECONDS)
    return others.stop()


def bookings_of(site, trip):
    """(id, token) of confirmed bookings of guests, as an attacker has them who paid for them."""
    made = []
    for number in range(BOOKINGS):
        session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day()}).data["session_id"]
        booked = site.call("POST", "/booking/create", filled_in({
            "session_id": session, "contact_email": f"ada{number}@example.org", "special_requests": WISH}))
        assert booked.status == 201, booked
        made.append((booked.data["booking_id"], booked.data["booking_token"]))
        confirmed = site.as_staff("PUT", f"/bookings/{made[-1][0]}/status", {"status": "confirmed"})
        assert confirmed.status == 200, confirmed
    return made


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        bookings, server = bookings_of(site, trip), site.servers[0]
        measured(server, trip)  # it is warm
        rest, before, told = measured(server, trip), resident(server), multiprocessing.Queue()

        def attacked():
            attackers = multiprocessing.Process(target=attack, args=(server.port, bookings, SECONDS, told))
            attackers.start()
            attackers.join()
        during = measured(server, trip, attacked)
        statuses, grown = told.get(), resident(server) - before
        assert statuses.get(200), f"nothing was rendered: {statuses}"
        assert set(statuses) <= {200, 429, 503}, statuses
        for name, took in during.items():
            assert took <= max(MOST * rest[name], BUSY), f"{name} took {took} s beside the attack, {rest[name]} s at rest"
        assert grown < 96 * 1024, f"{grown} KiB more memory"
        figure(f"{sum(statuses.values()) / SECONDS:.0f} requests for documents a second"
               f" ({', '.join(f'{count} answered {status}' for status, count in sorted(statuses.items()))}), p99 beside"
               f" them {', '.join(f'{name} {during[name] * 1000:.1f} ms ({rest[name] * 1000:.1f} at rest)' for name in rest)},"
               f" {grown / 1024:.0f} MiB more memory")


if __name__ == "__main__":
    sys.exit(main())
