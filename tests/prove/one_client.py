"""S26: what one address can hold of the seats without paying, by every public way there is, with the limits a fresh
installation has: sessions, one party for a whole date, parties of one under ever new names, the queue; with unproven addresses too.

one_client.py SVC DATABASE
"""
import concurrent.futures
import sys

from proving import Site, arguments, ask, day, figure, filled_in

SVC, DATABASE, _ = arguments()
SEATS, DATES = 24, 4


class Client:
    """Everything comes from one address, as a trusted proxy tells it."""

    def __init__(self, site, trip, address):
        self.port, self.trip, self.headers = site.servers[0].port, trip, {"X-Forwarded-For": address}
        self.told, self.sessions, self.people = {}, 0, 0

    def book(self, ahead, seats=1, wait=False):
        status, session = ask(self.port, "POST", "/booking/session", {
            "trip_id": self.trip, "travel_date": day(ahead), "travelers_count": seats}, self.headers)
        if status == 201:
            self.sessions, self.people = self.sessions + 1, self.people + 1
            status, answer = ask(self.port, "POST", "/booking/create", filled_in({
                "session_id": session["data"]["session_id"], "join_waitlist": wait, "contact_last_name": "Hoarder",
                "contact_email": f"ada{id(session)}.{self.people}@example.org"}),
                self.headers)
            session = answer
        said = "booked" if status == 201 else session["code"]
        self.told[said] = self.told.get(said, 0) + 1
        return said


def held(site, trip):
    return [int(row[0]) for row in site.sql("SELECT booked_count FROM svc_departures"
                                            f" WHERE trip_id = {trip} ORDER BY start_date")]


def attack(site, name, address):
    """All seats of four dates are wanted by one client; another one comes after it."""
    trip = site.given_trip(title=f"Hoarded {name}")["id"]
    for at in range(DATES):
        site.given_departure(trip, day(40 + at), SEATS)
    client = Client(site, trip, address)
    assert client.book(40, SEATS) == "unpaid_seats_limit"  # a whole date by one unpaid booking
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # until the address may not write any more
        list(pool.map(lambda at: [client.book(at, wait=turn % 3 == 2) for turn in range(20)], range(40, 40 + DATES)))
    seats = held(site, trip)
    allowed = SEATS - SEATS // 2
    assert all(taken <= allowed for taken in seats), seats
    assert {"booked", "unpaid_seats_limit", "svc_rate_limited"} >= set(client.told), client.told
    assert client.told.get("unpaid_seats_limit", 0) > 0, client.told
    waits = site.sql(f"SELECT COUNT(*) FROM svc_bookings WHERE trip_id = {trip} AND status = 'waitlist'")[0][0]
    other = Client(site, trip, address + "1")
    assert [other.book(40 + at) for at in range(DATES)] == ["booked"] * DATES, other.told
    figure(f"{name}: of {SEATS} seats on each of {DATES} dates one address held {seats} ({max(seats) * 100 // SEATS} %"
           f" at most), sessions {client.sessions}, refused"
           f" {client.told.get('unpaid_seats_limit', 0)} for its share and {client.told.get('svc_rate_limited', 0)} for"
           f" its pace, in the queue {waits}; the next customer was served on every date")


def main():
    with Site(SVC, DATABASE) as site:
        attack(site, "guests", "203.0.113.1")
        assert site.as_staff("PUT", "/settings", {"require_guest_email_verification": True}).status == 200
        attack(site, "unproven guests", "203.0.113.2")
        site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
