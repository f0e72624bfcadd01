"""S26: what one address can hold of the seats without paying, by every public way there is, with the limits a fresh
installation has: sessions, one party for a whole date, parties of one under ever new names, the queue; with unproven addresses too.
Then how often one address, or one account, gets through each public flow of the modules, and that others are served meanwhile.

one_client.py SVC DATABASE PRO
"""
import base64
import concurrent.futures
import http.client
import os
import sys
import time
import urllib.parse

from proving import Site, answered, arguments, ask, day, figure, filled_in

SVC, DATABASE, (PRO,) = arguments(2)
SEATS, DATES = 24, 4
MODULES = ("abandoned_booking_recovery", "additional_services", "email_automation", "saved_trips")
WRITES, USERS = 120, 100  # public_rate_limit and api_rate_limit of a fresh installation, a minute


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


class Flow:
    """One public flow: what is asked, how often one address may in a minute, and what it is answered within that."""

    def __init__(self, name, most, expected, request):
        self.name, self.most, self.expected, self.request = name, most, set(expected), request

    def flood(self, address):
        """How many requests of one address got through; the others are told when to come again."""
        through, began = 0, time.monotonic()
        for turn in range(self.most + 40):
            status, headers = self.request(address, turn)
            if status == 429:
                assert headers.get("retry-after", "0").isdigit() and int(headers["retry-after"]) > 0, (self.name, headers)
                continue
            assert status in self.expected, (self.name, status)
            through += 1
        refilled = (time.monotonic() - began) * self.most / 60
        assert 0 < through <= self.most + refilled + 1, (self.name, through, refilled)
        return through


def given_modules(site):
    site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
             " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
    for module in MODULES:
        turned = site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True})
        assert turned.status == 200, (module, turned)


def given_account(site, name):
    """Headers of a customer's application password."""
    site.run("user", "add", name, "--email", f"{name}@example.org", "--role", "svc_customer", "--generate")
    secret = site.run("password", "add", name, "--name", "proof").strip().splitlines()[-1]
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}


def flows_of(site):
    port = site.servers[0].port
    trip = site.given_trip(title="Flooded")["id"]
    site.given_departure(trip, day(60), 100)
    site.wait_until_all_show(trip)
    made = site.book(trip, day(60), name="Payer")
    assert made.status == 201, made
    own = f"/customers/my-bookings/{made.data['booking_id']}/services"
    lunch = site.as_staff("POST", "/additional-services", {"name": "Lunch", "price": 5, "price_per": "booking",
                                                           "status": "publish"}).data["id"]
    session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day(60), "travelers_count": 1}).data["session_id"]
    accounts = {}

    def asks(method, path, body=None, headers=None):
        def request(address, turn):
            status, told, _ = answered(port, method, path(turn) if callable(path) else path,
                                       body(turn) if callable(body) else body,
                                       {"X-Forwarded-For": address, **(headers(address) if headers else {})})
            return status, told
        return request

    def sends(path, form):
        """A form of a page, as a browser sends it."""
        def request(address, turn):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            try:
                connection.request("POST", path(turn), urllib.parse.urlencode(form), {
                    "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
                    "X-Forwarded-For": address})
                answer = connection.getresponse()
                answer.read()
                return answer.status, {name.lower(): value for name, value in answer.getheaders()}
            finally:
                connection.close()
        return request

    def account(address):
        if address not in accounts:
            accounts[address] = given_account(site, f"saver{len(accounts)}")
        return accounts[address]

    def order(secret):
        return lambda turn: {"selected_services": {str(lunch): 1}, "booking_token": secret, "preview": True}
    return [
        Flow("enquiries", 5, {201}, asks("POST", "/enquiries", lambda turn: {
            "trip_id": trip, "customer_name": "Ada", "customer_email": f"ask{turn}@example.org", "message": "In May?"})),
        Flow("consent to reminders", 20, {200}, asks("POST", "/abandoned-bookings/track", lambda turn: {
            "booking_token": session, "customer_email": f"left{turn}@example.org", "consent": True})),
        Flow("recovery links guessed", 30, {404}, asks("GET", lambda turn: f"/abandoned-bookings/recover/guess{turn}")),
        Flow("recovery pages", WRITES, {404}, sends(lambda turn: f"/booking-recovery/guess{turn}", {})),
        Flow("pages that stop reminders", WRITES, {404}, sends(lambda turn: f"/no-reminders/guess{turn}", {})),
        Flow("unsubscribing by mail programs", 30, {404}, asks(
            "POST", lambda turn: f"/email-unsubscribe/guess{turn}", {}, lambda _: {"Content-Type": "application/x-www-form-urlencoded"})),
        Flow("unsubscribing on the page", WRITES, {404}, sends(lambda turn: f"/unsubscribe/guess{turn}", {})),
        Flow("services after the booking", WRITES, {200}, asks("POST", own, order(made.data["booking_token"]))),
        Flow("services of a booking whose secret is guessed", 30, {401, 403, 404},
             asks("POST", own, lambda turn: order(f"{turn:064x}")(turn))),
        Flow("saved trips of one account", USERS, {200}, asks("POST", "/saved-trips", {"trip_id": trip}, account))]


def flows(site):
    given_modules(site)
    told = []
    for number, flow in enumerate(flows_of(site)):
        through = flow.flood(f"198.51.100.{number + 1}")
        status, _ = flow.request(f"203.0.114.{number + 1}", 0)
        assert status in flow.expected, (flow.name, status)
        told.append(f"{flow.name} {through} of {flow.most + 40}")
    figure(f"one address got through in a minute: {', '.join(told)}; another one was served beside each")


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        flows(site)
        attack(site, "guests", "203.0.113.1")
        assert site.as_staff("PUT", "/settings", {"require_guest_email_verification": True}).status == 200
        attack(site, "unproven guests", "203.0.113.2")
        site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
