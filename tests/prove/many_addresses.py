"""S20: how often something may be done, asked of two servers on one database at once. What the database counts (sign-ins,
registrations) is let through exactly as often as docs/rules.md says; what is counted in memory (writes, charges) by no more
than what two servers may not know of each other, and that is owed. A forged X-Forwarded-For helps neither a stranger nor
whoever is behind a trusted proxy, there each address counts by itself, and ever new ones take no more memory than there
are buckets.

many_addresses.py SVC DATABASE ADDRESSES SECONDS      of the steady pace; 0: not looked at, it shows after a minute alone
"""
import collections
import concurrent.futures
import http.client
import itertools
import json
import sys
import time

from proving import Site, arguments, day, figure, random_of, resident, small_accounts
from paypal_stub import PayPalStub

SVC, DATABASE, (ADDRESSES, SECONDS) = arguments(3)
PROXY = "127.0.0.1"  # trusted as the settings come; every other address of this machine is a stranger's
BUCKETS, BUCKET, LEAST = 65_536, 256, 150  # kept in memory at most, bytes that one may take, and takes in any case
NUMBERS, CHANCE = itertools.count(1), random_of("addresses")


class Ways:
    """Where requests come from, by the address they count for: (peer, X-Forwarded-For of the next one)."""

    @staticmethod
    def stranger(peer):
        return lambda: (peer, Ways.anybody())

    @staticmethod
    def behind_proxy(address):
        """The client's own address in the header."""
        return lambda: (PROXY, f"{Ways.anybody()}, {address}")

    @staticmethod
    def network(prefix):
        """A host with a network of IPv6 to itself."""
        return lambda: (PROXY, f"{prefix}:{CHANCE.getrandbits(16):x}:{CHANCE.getrandbits(16):x}:0:1")

    @staticmethod
    def everybody():
        return lambda: (PROXY, Ways.anybody())

    @staticmethod
    def anybody():
        n = next(NUMBERS)
        return f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"


class Line:
    """A kept connection from that address of this machine."""

    def __init__(self, port, peer):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(peer, 0))

    def ask(self, path, body, forwarded):
        """(status, Retry-After); asked again where the server was too busy to look."""
        while True:
            self.connection.request("POST", "/svc/v1" + path, json.dumps(body),
                                    {"Content-Type": "application/json", "X-Forwarded-For": forwarded})
            answer = self.connection.getresponse()
            answer.read()
            if answer.status != 503:
                return answer.status, answer.getheader("Retry-After")
            time.sleep(0.05)


class Asked:
    """The results of those requests, read from both servers at once: `looked_at`, and `took` from first to last."""

    def __init__(self, site, way, path, bodies, good):
        self.took, self.statuses, self.unsaid = 0.0, collections.Counter(), 0
        # Each server is asked every second one.
        todo, count = [(body, *way()) for body in bodies], len(site.servers)
        todo = [iter(todo[number::count]) for number in range(count)]
        began = time.monotonic()

        def client(number):
            lines, port = {}, site.servers[number % count].port
            for body, peer, forwarded in todo[number % count]:
                status, after = lines.setdefault(peer, Line(port, peer)).ask(path, body, forwarded)
                self.statuses[status] += 1
                self.unsaid += status == 429 and not (after or "").isdigit()
        with concurrent.futures.ThreadPoolExecutor(4 * count) as pool:
            list(pool.map(client, range(4 * count)))
        self.took = time.monotonic() - began
        assert set(self.statuses) <= {good, 429} and not self.unsaid, (path, self.statuses, self.unsaid)
        self.looked_at = self.statuses[good]


def exactly(site, name, burst, per, good, way, path, bodies):
    """As often as it is allowed, neither once more nor once less, whichever server is asked."""
    asked = Asked(site, way, path, bodies, good)
    assert burst <= asked.looked_at <= burst + int(asked.took * burst / per), (name, asked.statuses, asked.took)
    return f"{name} {asked.looked_at} of {burst}"


def sign_ins(site, accounts):
    def wrong(names):
        return [{"username": name, "password": "not this one"} for name in names]
    for name, way in (("stranger", Ways.stranger("127.0.0.2")), ("behind the proxy", Ways.behind_proxy("203.0.113.2"))):
        yield exactly(site, f"many accounts, {name}", 20, 60, 401, way, "/auth/login", wrong(accounts * 2))
        # Whoever guessed too often is not heard with the right one either.
        right = [{"username": account, "password": site.password.split()[-1]} for account in accounts[:2]]
        assert Asked(site, way, "/auth/login", right, 200).looked_at == 0, "a guess more"
    assert Asked(site, Ways.everybody(), "/auth/login", right, 200).looked_at == len(right), "others are shut out"
    yield exactly(site, "one account", 10, 900, 401, Ways.stranger("127.0.0.3"), "/auth/login", wrong(["first"] * 40))
    yield exactly(site, "one account, everybody", 20, 240, 401, Ways.everybody(), "/auth/login", wrong(["second"] * 60))


def registrations(site):
    def people():
        return [{"first_name": "Ada", "last_name": "Lovelace", "email": f"r{next(NUMBERS)}@example.org",
                 "password": "a good long one", "confirm_password": "a good long one"} for _ in range(24)]
    for name, way in (("stranger", Ways.stranger("127.0.0.4")), ("behind the proxy", Ways.behind_proxy("203.0.113.4")),
                      ("network of IPv6", Ways.network("2001:db8:1:1"))):
        yield exactly(site, name, 5, 600, 201, way, "/auth/register", people())


def owed(site, name, burst, way, path, bodies, good):
    """What is counted in memory: each server's own burst until they have told each other, and then nothing until the time
    has made up for it."""
    began, count, pace = time.monotonic(), len(site.servers), burst / 60
    at_once = Asked(site, way, path, bodies, good)
    time.sleep(60 / burst + 1)  # each has earned one more: it tells of that one, and is told of all
    told = Asked(site, way, path, bodies[:40], good)
    before, took = at_once.looked_at + told.looked_at, time.monotonic() - began
    assert burst <= at_once.looked_at and before <= count * (burst + pace * took), (name, at_once.statuses, told.statuses)
    time.sleep(2.5)  # two exchanges
    later = Asked(site, way, path, bodies[:40], good)
    allowed = burst + pace * (time.monotonic() - began) + 1
    assert later.looked_at == 0 or before + later.looked_at <= allowed, (name, at_once.statuses, told.statuses, later.statuses)
    return f"{name} {at_once.looked_at} of {burst} at once, {told.looked_at} and {later.looked_at} afterwards"


def one_after_the_other(site, name, burst, way, path, body, good):
    """The second server, asked slowly after the first was used up, lets through a quarter of its own and what comes until it
    has heard of the first."""
    first, second = site.servers
    lines = [Line(server.port, way()[0]) for server in (first, second)]
    told = [lines[0].ask(path, body, way()[1])[0] for _ in range(burst + 20)]
    assert burst <= told.count(good) <= burst + burst // 60 + 3, told
    time.sleep(2.5)
    pace, counted = 20, 0  # asked a second
    for _ in range(int(burst / 4) + 4 * pace):
        counted += lines[1].ask(path, body, way()[1])[0] == good
        time.sleep(1 / pace)
    assert counted <= burst / 4 + 2 * pace + burst / 60 * 6, counted
    return f"{name} {counted} at the other server"


def steadily(site, name, burst, way, path, body, good, seconds):
    """Asked of each server by itself not quite as fast as its bucket refills, so that none is ever used up: together that is
    more than is allowed all the same."""
    pace, began = burst / 60, time.monotonic()

    def client(server):
        line, told = Line(server.port, way()[0]), []
        while (now := time.monotonic() - began) < seconds:
            told.append(line.ask(path, body, way()[1])[0])
            if len(told) > burst / 5:  # that much at once, less than the quarter that is told to nobody
                time.sleep(max(0.0, (len(told) - burst / 5) / (0.95 * pace) - now))
        return told.count(good)
    with concurrent.futures.ThreadPoolExecutor(len(site.servers)) as pool:
        counted = sum(pool.map(client, site.servers))
    took = time.monotonic() - began
    # By a quarter of the burst each server may be wrong, and by what comes between two exchanges.
    allowed = burst + pace * took + len(site.servers) * (burst / 4 + pace)
    figure(f"{name} at a steady pace {counted} in {took:.0f} s, {allowed:.0f} allowed")
    assert counted <= allowed, (counted, allowed)


def memory(site):
    """The memory that new addresses took of each server: MiB of the first half of them and of the second."""
    def visit(server):
        line, statuses, sizes = Line(server.port, PROXY), collections.Counter(), []
        line.ask("/booking/session", {"trip_id": "none"}, Ways.anybody())  # what is made once
        for _ in range(2):
            sizes.append(resident(server))
            for _ in range(each):
                statuses[line.ask("/booking/session", {"trip_id": "none"}, Ways.anybody())[0]] += 1
        assert set(statuses) == {400}, statuses  # none was taken for another
        return [(end - begin) / 1024 for begin, end in zip(sizes, (*sizes[1:], resident(server)))]
    each = int(ADDRESSES) // len(site.servers) // 2
    with concurrent.futures.ThreadPoolExecutor(len(site.servers)) as pool:
        grown = list(pool.map(visit, site.servers))
    said = " and ".join(f"{first:.1f} then {second:.1f}" for first, second in grown)
    for first, second in grown:
        assert first + second < min(2 * each, BUCKETS) * BUCKET / (1 << 20) + 4, said
        # Once there are as many buckets as there may be, others are forgotten for new ones: half of what they would take is
        # more than what else goes on.
        assert each < 1.1 * BUCKETS or second < each * LEAST / 2 / (1 << 20), said
    return said


def main():
    with PayPalStub() as paypal, Site(SVC, DATABASE, servers=2, environment={
            "SVC_PRO_LIBRARY": "none", **paypal.environment}) as site:
        trip = site.given_trip()["id"]
        for ahead in (40, 41):
            site.given_departure(trip, day(ahead), 10_000)
        assert site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": paypal.CLIENT, "client_secret": paypal.SECRET,
            "webhook_id": paypal.WEBHOOK}).status == 200
        site.wait_until_all_show(trip)
        accounts = [f"small{number}" for number in range(24)]
        small_accounts(site, (*accounts, "first", "second"))
        booked = [site.book(trip, day(), f"Payer{number}", headers={"X-Forwarded-For": Ways.anybody()}).data
                  for number in range(17)]
        time.sleep(1.5)  # what was told to one server is known to the other
        charges = [{"gateway": "paypal", "booking_id": one["id"], "booking_token": one["booking_token"]} for one in booked]
        session = {"trip_id": trip, "travel_date": day()}
        in_memory = (
            (owed, "sessions, stranger", 120, Ways.stranger("127.0.0.5"), "/booking/session", [session] * 300, 201),
            (one_after_the_other, "sessions", 120, Ways.stranger("127.0.0.6"), "/booking/session", session, 201),
            (owed, "charges, stranger", 20, Ways.stranger("127.0.0.7"), "/payment/create-intent", charges[1:9] * 8, 200),
            (owed, "charges, behind the proxy", 20, Ways.behind_proxy("203.0.113.7"), "/payment/create-intent",
             charges[9:] * 8, 200),
            (owed, "charges of one booking, everybody", 10, Ways.everybody(), "/payment/create-intent", charges[:1] * 40, 200))
        said = [*sign_ins(site, accounts), *(f"registrations, {each}" for each in registrations(site))]
        with concurrent.futures.ThreadPoolExecutor(len(in_memory)) as pool:  # they mostly wait
            said += pool.map(lambda one: one[0](site, *one[1:]), in_memory)
        figure(f"two servers, wrong sign-ins: {'; '.join(said)}; {int(ADDRESSES):,} addresses took {memory(site)} MiB")
        if float(SECONDS):
            steadily(site, "sessions", 120, Ways.stranger("127.0.0.8"), "/booking/session", session, 201, float(SECONDS))


if __name__ == "__main__":
    sys.exit(main())
