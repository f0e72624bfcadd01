"""R1 by history: two hundred clients of four servers book and cancel, half of them guests whose address is unproven and
some of whose holds lapse, while staff set the departure's capacity up and down; what each was told, and when, is checked
against what one ledger of seats could have told them. Of a large departure most is taken before, so that seats are scarce
at each capacity.

seat_history.py SVC DATABASE CAPACITY...
"""
import concurrent.futures
import sys
import threading
import time

from proving import Site, arguments, ask, day, figure, filled_in, not_limited, random_of

SVC, DATABASE, CAPACITIES = arguments(2)
CLIENTS, SERVERS, ROUNDS = 200, 4, 3
# So that a booking's mail wakes the timers; it gets no further.
MAIL = {"smtp_enabled": True, "from_email": "office@example.org", "smtp_host": "127.0.0.1", "smtp_port": 9}
WANTED = 300  # seats that are left to the clients, who want more


class History:
    """Held seats, each from its booking's request to its cancellation's answer or its lapse; refusals; and the capacity's
    edits by one member of staff, each from its request to its answer."""

    def __init__(self, capacity):
        self.lock, self.held, self.refused, self.to_lapse, self.lapsed = threading.Lock(), [], [], [], 0
        self.first_capacity, self.edits, self.edits_refused = capacity, [], 0

    def note(self, where, what):
        with self.lock:
            where.append(what)

    def capacities_at(self, moment):
        """Each capacity that the departure may have had then."""
        before, during = self.first_capacity, []
        for edit in self.edits:
            if edit["told"] < moment:
                before = edit["capacity"]
            elif edit["asked"] <= moment:
                during.append(edit["capacity"])
        return [before, *during]


class Meanwhile:
    """Takes its turns beside the clients until it is stopped, which tells what went wrong in them."""

    def __init__(self, pause):
        self.pause, self.ended, self.failed = pause, threading.Event(), None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            while not self.ended.wait(self.pause):
                self._turn()
            self._finish()
        except Exception as why:  # noqa: BLE001
            self.failed = why

    def _finish(self):
        """The work that remains once it is stopped."""

    def stop(self):
        self.ended.set()
        self.thread.join()
        if self.failed:
            raise self.failed


class Resizes(Meanwhile):
    """Sets the capacity to somewhat less or more than it began with, again and again, until it is stopped."""

    def __init__(self, site, path, capacity, history):
        self.site, self.path, self.capacity, self.history = site, path, capacity, history
        self.chance = random_of("capacities", capacity)
        super().__init__(0.02)

    def _turn(self):
        now = self.history.capacities_at(time.monotonic())[-1]
        some = max(2, min(self.capacity, WANTED) // 8)
        wanted = self.chance.choice([size for size in range(max(1, self.capacity - some), self.capacity + some + 1)
                                     if size != now])
        asked = time.monotonic()
        status, answer = patiently(self.site.servers[self.chance.randrange(SERVERS)].port, "PUT", self.path,
                                   {"max_capacity": wanted}, self.site.staff)
        told = time.monotonic()
        if status == 200:
            self.history.note(self.history.edits, {"asked": asked, "told": told, "capacity": wanted})
        else:  # below what is taken
            assert wanted < now and answer["code"] == "svc_conflict", answer
            self.history.edits_refused += 1


class Lapses(Meanwhile):
    """Ends holds of unproven guests: their last moment is set to now, and the sweep that gives seats back is due."""

    def __init__(self, site, trip, history):
        self.site, self.trip, self.history = site, trip, history
        self.lapsing = {}
        super().__init__(0.2)

    def _finish(self):
        until = time.monotonic() + 60
        while self.history.to_lapse or self.lapsing:
            assert time.monotonic() < until, f"{len(self.lapsing)} holds did not lapse"
            self._turn()
            time.sleep(0.2)

    def _turn(self):
        with self.history.lock:
            fresh, self.history.to_lapse = self.history.to_lapse, []
        if fresh:
            for held in fresh:
                held["gives"] = time.monotonic()
                self.lapsing[held["id"]] = held
            ids = ",".join(str(held["id"]) for held in fresh)
            self.site.sql(f"UPDATE svc_booking_departures SET hold_expires_at = linked_at WHERE booking_id IN ({ids})"
                          " AND hold_kind = 'soft' AND released_at IS NULL")
        if self.lapsing:
            self.site.sql("UPDATE svc_jobs SET next_run_at = 0 WHERE name = 'soft_hold_release'")
            # A booking's mail, of another day, wakes who looks for work that is due.
            self.site.book(self.trip, day(50), "Wakes")
            ids = ",".join(map(str, self.lapsing))
            for (booking,) in self.site.sql("SELECT booking_id FROM svc_booking_departures WHERE released_at IS NOT NULL"
                                            f" AND booking_id IN ({ids})"):
                self.lapsing.pop(int(booking))["gave"] = time.monotonic()
                self.history.lapsed += 1


def client(site, trip, number, history, capacity):
    chance, mine = random_of("seats", capacity, number), []
    guest = number % 2 == 0
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
        status, answer = buy(port, trip, seats, f"a{number}x{turn}@example.org", None if guest else site.staff)
        told = time.monotonic()
        if status == 201:
            held = {"id": answer["data"]["id"], "seats": seats, "asked": asked, "told": told, "gives": None,
                    "gave": None}
            assert answer["data"]["status"] == ("pending_verification" if guest else "pending"), answer
            history.note(history.held, held)
            if guest and chance.random() < 0.5:
                history.note(history.to_lapse, held)
            else:
                mine.append(held)
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


def buy(port, trip, seats, email, headers=None):
    status, session = patiently(port, "POST", "/booking/session", {"trip_id": trip, "travel_date": day()}, headers)
    if status != 201:
        return status, session
    return patiently(port, "POST", "/booking/create", filled_in({
        "session_id": session["data"]["session_id"], "travelers_count": seats, "contact_email": email}), headers)


def most_surely_held(history):
    """Seats held at once for certain, from the answer of a booking until its cancellation was asked for: the most, and at
    how many moments they were more than any capacity that the departure may have had then."""
    events = [(edit["told"], 2, 0) for edit in history.edits]
    for held in history.held:
        events.append((held["told"], 1, held["seats"]))
        if held["gives"]:
            events.append((held["gives"], 0, -held["seats"]))
    now = most = over = 0
    for moment, _, seats in sorted(events):
        now += seats
        most = max(most, now)
        # Just behind the moment: an edit that was told then is over.
        over += now > max(history.capacities_at(moment + 1e-9))
    return most, over


def unjust(history):
    """Refusals during which the seats were free all the time, whatever order the others' requests took effect in."""
    found = 0
    for refused in history.refused:
        moments = {refused["asked"], refused["told"],
                   *(one[key] for one in history.held for key in ("asked", "gave") if one[key]),
                   *(edit[key] for edit in history.edits for key in ("asked", "told"))}
        found += all(
            sum(held["seats"] for held in history.held
                if held["asked"] <= moment and (held["gave"] is None or held["gave"] >= moment)) + refused["seats"]
            <= min(history.capacities_at(moment))
            for moment in sorted(moments) if refused["asked"] <= moment <= refused["told"])
    return found


def taken_before(site, trip, capacity, history):
    """The seats that one large party holds of a departure beyond the clients' demand."""
    if capacity <= WANTED:
        return
    asked = time.monotonic()
    status, answer = buy(site.servers[0].port, trip, capacity - WANTED, "party@example.org", site.staff)
    assert status == 201, answer
    history.held.append({"id": answer["data"]["id"], "seats": capacity - WANTED, "asked": asked, "told": time.monotonic(),
                         "gives": None, "gave": None})


def storm(site, capacity):
    """Its line of the figure."""
    trip = site.given_trip(max_group_size=capacity)["id"]
    departure = site.given_departure(trip, day(), capacity)["id"]
    site.given_departure(trip, day(50), 100_000)
    site.wait_until_all_show(trip)
    history, began = History(capacity), time.monotonic()
    taken_before(site, trip, capacity, history)
    lapses = Lapses(site, trip, history)
    resizes = Resizes(site, f"/trips/{trip}/departures/{departure}", capacity, history)
    try:
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            for each in [pool.submit(client, site, trip, n, history, capacity) for n in range(CLIENTS)]:
                each.result()
    finally:
        took = time.monotonic() - began
        try:
            resizes.stop()
        finally:
            lapses.stop()
    site.check_invariants()
    left = sum(held["seats"] for held in history.held if held["gave"] is None)
    stored = int(site.sql(f"SELECT booked_count FROM svc_departures WHERE id = {departure}")[0][0])
    (most, over), wrongly = most_surely_held(history), unjust(history)
    assert over == 0, "oversold"
    assert left == stored, (left, stored)
    assert wrongly == 0, "a seat that was free all the time was refused"
    assert history.refused, f"{capacity} seats were enough for all: nothing was at stake"
    assert history.edits, "nobody edited the capacity"
    times = sorted(one["told"] - one["asked"] for one in history.held + history.refused)
    return history.lapsed, (f"capacity {capacity}: sold {len(history.held)}, lapsed {history.lapsed}, refused"
                            f" {len(history.refused)}, capacity edits {len(history.edits)} and {history.edits_refused}"
                            f" refused, most held {most}, refused unjustly {wrongly},"
                            f" {len(times) / took:.0f} tries/s, p99 {times[int(len(times) * 0.99)]:.1f} s")


def finds_what_is_planted():
    """A seat sold twice, one refused while it was free, and the same two where another order or an edit explains them."""
    def planted(sold, refused, edits=()):
        history = History(1)
        history.held = [{"seats": 1, "asked": a, "told": b, "gives": c, "gave": d} for a, b, c, d in sold]
        history.refused = [{"seats": 1, "asked": a, "told": b} for a, b in refused]
        history.edits = [{"asked": a, "told": b, "capacity": c} for a, b, c in edits]
        return most_surely_held(history), unjust(history)
    twice = [(0, 1, None, None), (2, 3, None, None)]
    assert planted(twice, []) == ((2, 1), 0)
    assert planted(twice, [], [(1, 4, 2)]) == ((2, 0), 0)
    assert planted(twice, [], [(1, 2, 2), (4, 5, 1)]) == ((2, 1), 0), "it was set below what is taken"
    assert planted([(0, 1, 2, 3)], [(4, 5)]) == ((1, 0), 1)
    assert planted([(0, 1, 2, 4), (3, 5, None, None)], [(3.5, 6)]) == ((1, 0), 0)
    assert planted([(0, 1, None, None)], [(3, 4)], [(1, 2, 2)]) == ((1, 0), 1)
    assert planted([(0, 1, None, None)], [(3, 4)], [(1, 3.5, 2)]) == ((1, 0), 0)


def main():
    finds_what_is_planted()
    with Site(SVC, DATABASE, servers=SERVERS) as site:
        not_limited(site)
        assert site.as_staff("PUT", "/settings", {"require_guest_email_verification": True, **MAIL}).status == 200
        time.sleep(1.5)  # until the other processes have heard of it, as promised
        lapsed, said = zip(*(storm(site, int(capacity)) for capacity in CAPACITIES))
        assert sum(lapsed), "no hold lapsed"
        figure("; ".join(said))


if __name__ == "__main__":
    sys.exit(main())
