"""R15: at twice and ten times what it can do a server goes on doing nine tenths of its best, refuses the rest at once
with a Retry-After, keeps nobody waiting longer than its queue is, and is as before five seconds after the crowd has gone, at
the latest. Health and the events of a payment provider have threads of their own and are answered meanwhile as if nobody
else were there.

overload.py SVC DATABASE SECONDS MILLISECONDS      of each step; that a session's row takes to be written

What is asked waits for the database, which we slow down: so its capacity is known to be small, and the crowd is real on
two processors. Before that it is overloaded as it is, by what a client can ask beside it on the same processors.
"""
import concurrent.futures
import http.client
import json
import math
import select
import socket
import sys
import threading
import time

import held_up
from proving import Site, arguments, day, figure, filled_in, not_limited, resident
from paypal_stub import PayPalStub

SVC, DATABASE, (SECONDS, SLOW) = arguments(3)
SECONDS, SLOW = float(SECONDS), int(SLOW)
WORKERS, WAIT = 2, 0.5  # seconds that a request may wait for one of them
MOST = 5  # seconds after a crowd until all is as before; the promise's own
# Each session that is opened waits in the database, where another waits for it (SQLite) or beside the other (PostgreSQL),
# and takes no processor. Why not each write or sync of SQLite's: then a checkpoint is a stop of a whole second every
# ten, and what is done in one step of the proof depends on whether it had one.
TRIGGER = {"sqlite": f"CREATE TRIGGER slow BEFORE INSERT ON svc_booking_sessions BEGIN SELECT hold_up({SLOW}); END",
           "postgres": f"""CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
               'BEGIN PERFORM pg_sleep({SLOW / 1000}); RETURN NEW; END';
               CREATE TRIGGER slow BEFORE INSERT ON svc_booking_sessions FOR EACH ROW EXECUTE FUNCTION slow()"""}[DATABASE]


def part(times, share):
    """That part of the times is no longer; 0 where there are none."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


class Tally:
    """Each answer: (when it came, how long it took, status, Retry-After)."""

    def __init__(self):
        self.lock, self.began, self.answers = threading.Lock(), time.monotonic(), []

    def once(self, port):
        began = time.monotonic()
        status, after = asked(port, "POST", "/svc/v1/booking/session", b"{}", {"Content-Type": "application/json"})
        now = time.monotonic()
        with self.lock:
            self.answers.append((now, now - began, status, after))

    def times(self, status):
        return [took for _, took, told, _ in self.answers if told == status]

    def pace(self):
        """Good answers a second, while there was somebody to ask: neither those of the start nor of what was queued."""
        begin, end = self.began + SECONDS / 5, self.began + SECONDS
        good = sorted(at for at, _, status, _ in self.answers if status == 201 and begin <= at < end)
        assert len(good) > 1, "nothing is done"
        return (len(good) - 1) / (good[-1] - good[0])

    def check(self):
        for _, _, status, after in self.answers:
            assert status in (200, 201) or (status == 503 and after in ("1", "2", "3")), (status, after)


def asked(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Retry-After")
    except OSError as why:
        return 0, repr(why)
    finally:
        connection.close()


def at_once(server, paypal, clients):
    """What that many clients get done, one request after the other each, and as much beside them as beside the crowds:
    answers a second."""
    beside, tally, port = Beside(server, paypal), Tally(), server.port

    def client():
        while time.monotonic() < tally.began + SECONDS:
            tally.once(port)
    threads = [threading.Thread(target=client) for _ in range(clients)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    beside.stop()
    tally.check()
    assert not tally.times(503), "refused without a crowd"
    return tally.pace()


def crowd(port, rate):
    """Requests at that rate, whatever becomes of those before."""
    with concurrent.futures.ThreadPoolExecutor(min(400, int(rate) + 16)) as pool:
        tally = Tally()
        for number in range(int(rate * SECONDS)):
            time.sleep(max(0.0, tally.began + number / rate - time.monotonic()))
            pool.submit(tally.once, port)
    tally.check()
    return tally


class Beside:
    """Asks for health and tells a provider's event, again and again, each timed."""

    def __init__(self, server, paypal):
        self.server, self.paypal, self.ended = server, paypal, threading.Event()
        self.times, self.wrong = {"health": [], "ready": [], "event": []}, []
        self.threads = [threading.Thread(target=self._ask, args=(name,)) for name in self.times]
        for each in self.threads:
            each.start()

    def _ask(self, name):
        # One event, sent again and again.
        raw, headers = self.paypal.event("CATALOG.PRODUCT.CREATED", {"id": "P-1"})
        while not self.ended.wait(0.05):
            if name == "event":
                request = self.server.port, "POST", "/svc/v1/payment/webhook/paypal", raw, headers
            else:
                request = self.server.admin_port, "GET", "/healthz" if name == "health" else "/readyz"
            began = time.monotonic()
            status, _ = asked(*request)
            self.times[name].append(time.monotonic() - began)
            if status != 200:
                self.wrong.append((name, status))

    def stop(self):
        self.ended.set()
        for each in self.threads:
            each.join()
        assert not self.wrong, self.wrong[:3]
        return {name: part(times, 0.99) for name, times in self.times.items()}


class Customer:
    """A kept connection that looks at a page again and again, or books again and again: session, booking, the next one.
    What was refused is asked again."""

    def __init__(self, port, trip):
        self.port, self.trip, self.sent_at, self.session = port, trip, None, None
        self.connect()

    def connect(self):
        self.socket, self.heard = socket.create_connection(("127.0.0.1", self.port), 10), b""
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def request(self):
        if self.trip is None:
            return b"GET /svc/v1/trips/public HTTP/1.1\r\nHost: a\r\n\r\n"
        path, body = ("session", {"trip_id": self.trip, "travel_date": day()}) if self.session is None else (
            "create", filled_in({"session_id": self.session}))
        text = json.dumps(body).encode()
        return (b"POST /svc/v1/booking/%s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % (path.encode(), len(text)) + text)

    def ask(self):
        self.sent_at = time.monotonic()
        self.socket.sendall(self.request())

    def answer(self):
        """(status, Retry-After) once all of it has come."""
        more = self.socket.recv(1 << 16)
        assert more, "hung up on without an answer"
        self.heard += more
        head, blank, body = self.heard.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:]) if blank else {}
        if not blank or len(body) < int(fields[b"content-length"]):
            return None
        self.sent_at, self.heard = None, b""
        status = int(head[9:12])
        if self.trip is not None and status == 201:
            self.session = json.loads(body)["data"]["session_id"] if self.session is None else None
        if fields.get(b"connection") == b"close":
            self.socket.close()
            self.connect()
        return status, fields.get(b"retry-after", b"").decode()


def paced(port, trip, count, seconds, rate=math.inf):
    """The answers to that many customers who ask that often at once."""
    tally, poll, due, idle, by_number = Tally(), select.epoll(), 0, [], {}
    for each in (Customer(port, trip) for _ in range(count)):
        idle.append(each)
        poll.register(each.socket, select.EPOLLIN)
        by_number[each.socket.fileno()] = each
    tally.began = time.monotonic()
    while (now := time.monotonic()) < tally.began + seconds or len(idle) < count:
        while idle and now < tally.began + seconds and due / rate <= now - tally.began:
            idle.pop().ask()
            due += 1
        for number, _ in poll.poll(0.05 if not idle or rate == math.inf else max(0.0, due / rate - (now - tally.began))):
            customer = by_number[number]
            began, at = customer.sent_at, time.monotonic()
            if (told := customer.answer()) is not None:
                tally.answers.append((at, at - began, *told))
                idle.append(customer)
                if customer.socket.fileno() != number:
                    by_number[customer.socket.fileno()] = customer
                    poll.register(customer.socket, select.EPOLLIN)
    for each in idle:
        each.socket.close()
    return tally


def as_it_is(server, trip):
    """Pages, or bookings where there is a trip, at once, twice and ten times what is done of them, as far as one client
    gets: a part of the figure. What is done at ten times is told alone: the client takes the server's own processors."""
    seconds, said = SECONDS / 5, []

    def done(tally):
        return len(tally.times(200) + tally.times(201)) / seconds
    paced(server.port, trip, 4, seconds / 2)  # it is warm
    able = max(done(paced(server.port, trip, clients, seconds)) for clients in (4, 8, 100))
    for times in (1, 2, 10):
        tally = paced(server.port, trip, 100, seconds, able * times)
        tally.check()
        good, refused = tally.times(200) + tally.times(201), tally.times(503)
        asked_for = len(tally.answers) / seconds / able
        said.append(f"{asked_for:.1f}x asked, {done(tally) / able:.2f} done in p99 {part(good, 0.99) * 1000:.0f} ms,"
                    f" refused {len(refused)} in p50 {part(refused, 0.5) * 1000:.1f} p99 {part(refused, 0.99) * 1000:.0f} ms")
        # A hundred customers do not wait so long for each other that one is refused, however often they ask.
        assert not refused, f"refused without need: {said[-1]}"
    return f"{'pages' if trip is None else 'bookings'} as it is {able:.0f}/s: {', '.join(said)}"


def back_within(port, ended, usual):
    """Seconds from then on until a second's worth of sessions was opened, for those few who ask now, at that pace."""
    tally, over, enough = Tally(), threading.Event(), max(3, math.ceil(usual))

    def client():
        while not over.is_set():
            tally.once(port)
    threads = [threading.Thread(target=client) for _ in range(8)]
    for each in threads:
        each.start()
    back = None
    while back is None and time.monotonic() < ended + 2 * MOST:
        time.sleep(0.02)
        with tally.lock:
            good = sorted(at for at, _, status, _ in tally.answers if status == 201)
        back = next((last - ended for first, last in zip(good, good[enough:]) if enough / (last - first) >= 0.9 * usual), None)
    over.set()
    for each in threads:
        each.join()
    tally.check()
    assert back is not None, f"it does not come back to {usual:.1f}/s"
    return back


def steps(server, able, paypal):
    """The crowds by how many times the server's ability they are, with what was asked beside them."""
    for times in (0.5, 1, 2, 10):
        beside = Beside(server, paypal)
        try:
            tally = crowd(server.port, able * times)
        finally:
            lanes = beside.stop()
        yield times, tally, lanes


def check(times, tally, lanes, able):
    """The conditions of a step; its part of the figure."""
    queue = WAIT + (WORKERS + 1) / able  # as long as one waits who comes last
    good, refused = tally.times(201), tally.times(503)
    asked_for = len(tally.answers) / SECONDS / able
    # Four times that for a busy machine.
    assert max(good) <= 4 * queue, f"{max(good)} s waited, {queue} s is the queue"
    if times < 1:
        assert not refused, f"{len(refused)} refused at half of what it can do"
    if times > 1:
        assert asked_for > times / 2, f"only {asked_for:.1f} times what it can do was asked"
        assert refused, "nobody was refused"
        assert part(refused, 0.99) < queue, f"refused after {part(refused, 0.99)} s, as long as the queue is: {queue} s"
    for name, took in lanes.items():
        assert took < queue, f"{name} waited {took} s, as long as the crowd's queue is: {queue} s"
    return (f"at {times}x p99 {part(good, 0.99) * 1000:.0f} ms, refused {len(refused)} in p99"
            f" {part(refused, 0.99) * 1000:.0f} ms, beside it p99"
            f" {', '.join(f'{name} {took * 1000:.0f} ms' for name, took in lanes.items())}")


def main():
    with PayPalStub() as paypal, Site(SVC, DATABASE, servers=0, log="server.log", environment={
            "SVC_LISTEN_WORKERS": str(WORKERS), "SVC_LISTEN_WAIT_MS": str(int(WAIT * 1000)), "SVC_PRO_LIBRARY": "none",
            **paypal.environment}) as site:
        if DATABASE == "sqlite":
            site.environment["LD_PRELOAD"] = held_up.library(site)
        server = site.start()
        not_limited(site)
        assert site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": paypal.CLIENT, "client_secret": paypal.SECRET,
            "webhook_id": paypal.WEBHOOK}).status == 200
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        said = [as_it_is(server, None), as_it_is(server, trip)]
        site.sql(TRIGGER)
        able = max(at_once(server, paypal, clients) for clients in (2, 4, 8))
        before, paces = resident(server), {}
        for times, tally, lanes in steps(server, able, paypal):
            said.append(check(times, tally, lanes, able))
            paces[times] = tally.pace()
        # The crowd has ended when the last of it has asked.
        back = back_within(server.port, max(at - took for at, took, _, _ in tally.answers), able)
        after = at_once(server, paypal, 8)
        grown = resident(server) - before
        peak = max(able, *paces.values())
        shares = {times: pace / peak for times, pace in paces.items()}
        figure(f"peak {peak:.0f}/s, of it {', '.join(f'{shares[times]:.2f} at {times}x' for times in shares)}, a second at the"
               f" usual pace {back:.2f} s after the crowd, afterwards {after / peak:.2f}; {'; '.join(said)};"
               f" memory {grown / 1024:+.0f} MiB")
        site.check_invariants()
        assert site.call("GET", "/trips/public").status == 200
        assert min(shares[2], shares[10]) >= 0.9, shares
        assert back <= MOST, f"back to normal after {back} s"
        assert after >= 0.8 * peak, "it did not come back"
        assert grown < 16 << 10, f"{grown} KiB more"


if __name__ == "__main__":
    sys.exit(main())
