"""R1 by history: two hundred clients of four servers book and cancel; what each was told, and when, is checked
against what one ledger of seats could have told them.

seat_history.py SVC DATABASE CAPACITY...
"""
import concurrent.futures
import sys
import threading
import time

from proving import Site, arguments, ask, day, figure, filled_in, not_limited, random_of

SVC, DATABASE, CAPACITIES = arguments(2)
CLIENTS, SERVERS, ROUNDS = 200, 4, 3


class History:
    """Held seats, each from its booking's request to its cancellation's answer; and refusals."""

    def __init__(self):
        self.lock, self.held, self.refused = threading.Lock(), [], []

    def note(self, where, what):
        with self.lock:
            where.append(what)


def client(site, trip, number, history, capacity):
    chance, mine = random_of("seats", capacity, number), []
    for turn in range(ROUNDS):
        port = site.servers[chance.randrange(SERVERS)].port
        if mine and chance.random() < 0.5:
            held = mine.pop()
            held["gives"] = time.monotonic()
            status, answer = patiently(port, "PUT", f"/bookings/{held['id']}/status", {"status": "cancelled"},
                                       site.staff)
            assert status == 200, answer
            held["gave"] = time.monotonic()
            continue
        seats = chance.randint(1, min(3, capacity))
        asked = time.monotonic()
        status, answer = buy(port, trip, seats, f"a{number}x{turn}@example.org")
        told = time.monotonic()
        if status == 201:
            held = {"id": answer["data"]["id"], "seats": seats, "asked": asked, "told": told, "gives": None,
                    "gave": None}
            mine.append(held)
            history.note(history.held, held)
        else:
            assert answer["code"] == "sold_out", answer
            history.note(history.refused, {"seats": seats, "asked": asked, "told": told})


def patiently(port, method, path, body, headers=None):
    """Asked again while the server is too busy to begin it (503)."""
    for _ in range(400):
        status, answer = ask(port, method, path, body, headers, timeout=60)
        if status != 503:
            return status, answer
        time.sleep(0.05)
    return status, answer


def buy(port, trip, seats, email):
    status, session = patiently(port, "POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
    if status != 201:
        return status, session
    return patiently(port, "POST", "/booking/create", filled_in({
        "session_id": session["data"]["session_id"], "travelers_count": seats, "contact_email": email}))


def most_surely_held(history):
    """Seats held at once for certain: from the answer of a booking until its cancellation was asked for."""
    events = []
    for held in history.held:
        events.append((held["told"], 1, held["seats"]))
        if held["gives"]:
            events.append((held["gives"], 0, -held["seats"]))
    now = most = 0
    for _, _, seats in sorted(events):
        now += seats
        most = max(most, now)
    return most


def unjust(history, capacity):
    """Refusals during which the seats were free all the time, whatever order the others' requests took effect in."""
    found = 0
    for refused in history.refused:
        changes = sorted({refused["asked"], refused["told"],
                          *(held[key] for held in history.held for key in ("asked", "gave")
                            if held[key] and refused["asked"] <= held[key] <= refused["told"])})
        found += all(
            sum(held["seats"] for held in history.held
                if held["asked"] <= moment and (held["gave"] is None or held["gave"] >= moment)) + refused["seats"]
            <= capacity for moment in changes)
    return found


def main():
    with Site(SVC, DATABASE, servers=SERVERS) as site:
        not_limited(site)
        time.sleep(1.5)  # until the other processes have heard of it, as promised
        told = []
        for capacity in map(int, CAPACITIES):
            trip = site.given_trip()["id"]
            departure = site.given_departure(trip, day(), capacity)["id"]
            site.wait_until_all_show(trip)
            history, began = History(), time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
                for each in [pool.submit(client, site, trip, n, history, capacity) for n in range(CLIENTS)]:
                    each.result()
            took = time.monotonic() - began
            site.check_invariants()
            left = sum(held["seats"] for held in history.held if held["gave"] is None)
            stored = int(site.sql(f"SELECT booked_count FROM svc_departures WHERE id = {departure}")[0][0])
            most, wrongly = most_surely_held(history), unjust(history, capacity)
            told.append(f"capacity {capacity}: sold {len(history.held)}, refused {len(history.refused)}, most held"
                        f" {most}, refused unjustly {wrongly}, {len(history.held) / took:.0f} bookings/s")
            assert most <= capacity, "oversold"
            assert left == stored, (left, stored)
            assert wrongly == 0, "a seat that was free all the time was refused"
        figure("; ".join(told))


if __name__ == "__main__":
    sys.exit(main())
