"""R3: keyed writes of every kind are asked of two processes at the same instant, cut off after any number of bytes of
their answer, or under way when a process is killed, and repeated: each takes effect once, what is answered again is
equal to the byte, other content under the key changes nothing, and a killed one goes on, held back by nothing.

repeated.py SVC DATABASE KEYS      a half of them raced, a third cut off, the others killed
"""
import base64
import collections
import concurrent.futures
import dataclasses
import json
import queue
import re
import socket
import struct
import sys
import threading
import time

from proving import Site, arguments, day, figure, filled_in, not_limited, random_of

SVC, DATABASE, (KEYS,) = arguments(2)
# The kinds of writes; those of the last line need several commits, so that a kill may fall between them.
ONE_COMMIT = ("book", "hand", "pay", "refund", "trip", "trash", "gone", "state")
MORE_COMMITS = ("letter", "many")
KINDS = (*ONE_COMMIT, *MORE_COMMITS)
CLIENTS = 8
A_MINUTE = 61_000_000  # microseconds; so long a request that was begun may be running still
VARYING = re.compile(rb"^(?:date|x-request-id): ([^\r]*)", re.M | re.I)
DONE, RUNNING, INTERRUPTED, REUSED = ("done", "svc_request_in_progress", "svc_request_interrupted",
                                      "svc_idempotency_key_reused")
EFFECTS = """SELECT 'booking', contact_email, COUNT(*) FROM svc_bookings GROUP BY contact_email
   UNION ALL SELECT 'pay', notes, COUNT(*) FROM svc_payments GROUP BY notes
   UNION ALL SELECT 'refund', reason, COUNT(*) FROM svc_refunds GROUP BY reason
   UNION ALL SELECT 'trip', title, COUNT(*) FROM svc_trips GROUP BY title
   UNION ALL SELECT 'state', b.contact_email, COUNT(*) FROM svc_booking_status_log l JOIN svc_bookings b
    ON b.id = l.booking_id WHERE l.to_status IN ('on-hold', 'cancelled') GROUP BY b.contact_email
   UNION ALL SELECT 'letter', to_email, COUNT(*) FROM svc_email_outbox WHERE template_key = 'trip_reminder'
    GROUP BY to_email"""


@dataclasses.dataclass
class Write:
    """A request with a key; `other`: another one under it. `told`: what was received, each a part of the one answer."""
    kind: str
    tag: str
    request: bytes
    other: bytes
    told: list = dataclasses.field(default_factory=list)


def spoken(method, path, body, headers, indent=None):
    text = "" if body is None else json.dumps(body, indent=indent)
    lines = [f"{method} /svc/v1{path} HTTP/1.1", "Host: a", "Connection: close", f"Content-Length: {len(text)}",
             *(["Content-Type: application/json"] if body is not None else []),
             *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + text).encode()


def received(connection, most=1 << 30):
    """Bytes until the other side ends, or as many as requested."""
    got = b""
    try:
        while len(got) < most and (more := connection.recv(min(65536, most - len(got)))):
            got += more
    except ConnectionError:
        pass
    except TimeoutError:
        ends = connection.getsockname(), connection.getpeername()
        raise AssertionError(f"silent for {connection.gettimeout()} s after {got}, {ends}") from None
    return got


def asked(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        if connection.getsockname() == connection.getpeername():
            raise ConnectionRefusedError  # nobody listens, and the kernel chose this very port for our end
        try:
            connection.sendall(request)
        except ConnectionError:
            return b""
        return received(connection)


def is_whole(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"^content-length: (\d+)", head, re.M | re.I)
    return bool(length) and len(body) == int(length[1])


def verdict(answer):
    """Done, the code of a refusal, or None for what is no whole answer."""
    if not is_whole(answer):
        return None
    return DONE if answer[9:10] == b"2" else json.loads(answer.partition(b"\r\n\r\n")[2])["code"]


def is_busy(answer):
    status = answer[9:12]
    return status == b"503" or status == b"409" and verdict(answer) in (None, RUNNING)


def is_part_of(seen, whole):
    """Equal to the byte from the status on, but for when it was sent and the sending's own id."""
    head, hidden = whole.partition(b"\r\n\r\n")[0], []
    for one in (seen, whole[:len(seen)]):
        one = bytearray(one)
        for varying in VARYING.finditer(head):
            for place in range(varying.start(1), min(varying.end(1), len(one))):
                one[place] = 0
        hidden.append(one)
    return hidden[0] == hidden[1]


def patiently(port, request):
    """Repeated until it is no longer under way."""
    until = time.monotonic() + 60
    while is_busy(answer := asked(port, request)) and time.monotonic() < until:
        time.sleep(0.02)
    return answer


class Shop:
    """Makes writes of each kind and what they are done to."""

    def __init__(self, site):
        self.site, self.numbers = site, collections.Counter()
        self.trip = site.given_trip(regular_price=100_000)["id"]
        self.last_seat = day(41)
        site.given_departure(self.trip, day(), 100_000)
        site.given_departure(self.trip, self.last_seat, 1)
        site.wait_until_all_show(self.trip)
        self.bookings = [self.booked(f"payer{number}") for number in range(CLIENTS)]
        self.payments = [self.paid(booking) for booking in self.bookings]

    def booked(self, name):
        made = self.site.book(self.trip, day(), name)
        assert made.status == 201, made
        return made.data["booking_id"]

    def paid(self, booking):
        made = self.site.as_staff("POST", "/payments", {"booking_id": booking, "amount": 50_000, "status": "completed",
                                                        "gateway": "pay_later"})
        assert made.status == 201, made
        return made.data["id"]

    def session(self, date):
        made = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": date})
        assert made.status == 201, made
        return made.data["session_id"]

    def write(self, kind, date=None, tag=None, staff=None):
        """`date`: of a booking, where it is not the one with seats for all."""
        self.numbers[kind] += 1
        number = self.numbers[kind]
        tag = tag or f"{kind}-{number}"
        method, path, body, other = getattr(self, f"_{kind}")(tag, number % CLIENTS, date or day())
        headers = {**({} if kind == "book" else staff or self.site.staff), "Idempotency-Key": f"the-write-called-{tag}"}
        if body is None:
            return Write(kind, tag, spoken(method, path, None, headers), spoken(method, other, None, headers))
        return Write(kind, tag, spoken(method, path, body, headers),
                     spoken(method, path, {**body, **other}, headers, indent=1))

    # Method, path, body, and what another request has instead: fields, none where white space is enough, or a path.
    def _book(self, tag, _, date):
        form = filled_in({"session_id": self.session(date), "contact_email": f"{tag}@example.org",
                          "payment_gateway": "pay_later"})
        return "POST", "/booking/create", form, {"contact_first_name": "Bea"}

    def _hand(self, tag, _, date):
        return "POST", "/bookings", {"trip_id": self.trip, "travel_date": date, "contact_first_name": "Ada",
                                     "contact_last_name": "Lovelace", "contact_email": f"{tag}@example.org"}, \
            {"contact_first_name": "Bea"}

    def _pay(self, tag, place, _):
        return "POST", "/payments", {"booking_id": self.bookings[place], "amount": 1, "status": "completed",
                                     "gateway": "pay_later", "notes": tag}, {"amount": 2}

    def _refund(self, tag, place, _):
        return "POST", f"/payments/{self.payments[place]}/refunds", {"amount": 1, "by_hand": True, "reason": tag}, \
            {"amount": 2}

    def _trip(self, tag, *_):
        return "POST", "/trips", {"title": tag, "regular_price": 40, "duration": 1}, {"duration": 2}

    def _trash(self, tag, *_):
        path = f"/bookings/{self.booked(tag)}"
        return "DELETE", path, None, path + "?force=true"

    def _gone(self, tag, *_):
        path = f"/bookings/{self.booked(tag)}"
        return "DELETE", path + "?force=true", None, path

    def _state(self, tag, *_):
        path = f"/bookings/{self.booked(tag)}"
        return "PUT", path + "/status", {"status": "on-hold"}, {"status": "cancelled"}

    def _many(self, tag, *_):
        # Done twice they are gone for good.
        ids = [self.booked(name) for name in (tag, f"{tag}-too")]
        return "PUT", "/bookings/bulk", {"action": "delete", "ids": ids}, {"action": "trash"}

    def _letter(self, tag, *_):
        return "POST", f"/bookings/{self.booked(tag)}/email", {"type": "reminder"}, {}


def raced(shop, write, chance, both_contents):
    """Two processes get it at the same instant or while the first is at it, once or twice; or its other content."""
    ports = [server.port for server in shop.site.servers] * chance.choice((1, 2))
    requests = [write.other if both_contents and place % 2 else write.request for place in range(len(ports))]
    wires = [(socket.create_connection(("127.0.0.1", port), timeout=30), request)
             for port, request in zip(ports, requests)]
    for wire, request in wires:
        wire.sendall(request[:-1])
    chance.shuffle(wires)
    apart = chance.choice((0, 0, chance.uniform(0, 0.004)))
    for wire, request in wires:
        wire.sendall(request[-1:])
        time.sleep(apart)
    for wire, request in wires:
        with wire:
            answer = received(wire)
        if verdict(answer) == DONE:
            if request is not write.request:
                write.request, write.other = write.other, write.request
            write.told.append(answer)
        else:
            assert is_busy(answer) or both_contents and verdict(answer) == REUSED, (write, answer)
    return len(wires)


def all_raced(shop, count, chance):
    """The writes, and how many answers there were at once."""
    writes, answers, ports = [], 0, [server.port for server in shop.site.servers]
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        last_seat = kind in ("book", "hand") and chance.random() < 0.5
        write = shop.write(kind, shop.last_seat if last_seat else None)
        answers += raced(shop, write, chance, kind not in ("trash", "gone") and chance.random() < 0.25)
        write.told.append(patiently(chance.choice(ports), write.request))
        writes.append(write)
        if last_seat:  # for the next one
            booking = json.loads(write.told[-1].partition(b"\r\n\r\n")[2])["data"]["id"]
            given = shop.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
            assert given.status == 200, given
    return writes, answers


def of_others(shop):
    """One key of two sessions, of two credentials, and on two routes: each is a request of its own."""
    secret = shop.site.run("password", "add", "boss", "--name", "other").strip().splitlines()[-1]
    other = {"Authorization": "Basic " + base64.b64encode(f"boss:{secret}".encode()).decode()}
    writes = [shop.write(kind, tag=tag, staff=staff)
              for kind, tag in (("book", "sessions"), ("trip", "credentials"), ("pay", "credentials-pay"))
              for staff in (shop.site.staff, other)]
    writes += [shop.write(kind, tag="routes") for kind in ("hand", "pay", "trip")]
    for place, write in enumerate(writes):
        write.told.append(patiently(shop.site.servers[place % 2].port, write.request))
    return writes


def cut_off(port, write, most, reset):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(write.request)
        got = received(connection, most)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if not is_busy(got):
        write.told.append(got)


def all_cut_off(shop, count, chance, lengths):
    writes, steps = [], max(1, (count - 1) // len(KINDS))
    ports = [server.port for server in shop.site.servers]
    for number in range(count):
        kind, step = KINDS[number % len(KINDS)], number // len(KINDS)
        write = shop.write(kind)
        for again in range(chance.choice((1, 1, 2))):
            most = lengths[kind] * (step if not again else chance.randint(0, steps)) // steps
            cut_off(chance.choice(ports), write, most, chance.random() < 0.5)
        write.told.append(patiently(chance.choice(ports), write.request))
        writes.append(write)
    return writes


class Kills:
    """Clients of both processes, of which one is killed; `writes`: what was sent, `lost`: what had no answer."""

    def __init__(self, shop, chance):
        self.shop, self.chance, self.waiting, self.writes, self.lost = shop, chance, queue.Queue(), [], []
        self.changed, self.answers = threading.Condition(), 0

    def once(self):
        servers, place = self.shop.site.servers, self.chance.randrange(2)
        while self.waiting.qsize() < 4 * CLIENTS:
            # More often those that a kill may interrupt.
            self.waiting.put(self.shop.write(self.chance.choice((*KINDS, *MORE_COMMITS, *MORE_COMMITS))))
        lost, self.answers, goal = [], 0, self.chance.randint(0, 2 * CLIENTS)
        ports = [servers[place if number < CLIENTS - 2 else 1 - place].port for number in range(CLIENTS)]
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            clients = [pool.submit(self._client, port, port == servers[place].port, lost) for port in ports]
            with self.changed:
                assert self.changed.wait_for(lambda: self.answers >= goal or self.waiting.empty(), 60), "no answers"
            time.sleep(self.chance.uniform(0, 0.01))
            servers[place].process.kill()
            servers[place].process.wait()
            for client in clients:
                client.result()
        for write in lost:
            self._repeated(servers[1 - place].port, write)
        port = servers[place].port
        self.shop.site.start(port=port)
        servers[place] = servers.pop()
        for write in lost:
            self._repeated(port, write)
        self.lost += lost

    def _client(self, port, is_killed, lost):
        while self.answers < 3 * CLIENTS:
            try:
                write = self.waiting.get_nowait()
            except queue.Empty:
                return
            try:
                answer = asked(port, write.request)
            except ConnectionError:  # dead before it was sent
                self.waiting.put(write)
                return
            with self.changed:
                self.writes.append(write)
                if not is_busy(answer):
                    write.told.append(answer)
                self.answers += 1
                self.changed.notify_all()
            if not is_whole(answer):
                assert is_killed, (write, answer)
                lost.append(write)
                return

    @staticmethod
    def _repeated(port, write):
        answer = asked(port, write.request)
        if not is_busy(answer):
            assert verdict(answer) == DONE, (write, answer)
            write.told.append(answer)


def a_minute_later(site):
    """For the keys without an answer."""
    site.sql(f"UPDATE svc_idempotency_keys SET created_at = created_at - {A_MINUTE}, running_until = CASE WHEN"
             f" running_until < expires_at THEN running_until - {A_MINUTE} ELSE running_until END WHERE answer IS NULL")


def settled(site, write, chance):
    """Repeated at both processes, with its other content between; whether it is done and not interrupted."""
    ports = [server.port for server in site.servers]
    chance.shuffle(ports)
    first = patiently(ports[0], write.request)
    done = verdict(first) == DONE
    assert done or verdict(first) == INTERRUPTED, (write, first)
    other = asked(ports[0], write.other)
    assert other[9:12] == b"422" and verdict(other) == REUSED, (write, other)
    for seen in (*write.told, patiently(ports[1], write.request)):
        assert is_part_of(seen, first), (write, seen, first)
    return done


def effects_of(site, writes):
    """How often each tag took effect."""
    counts = {(kind, name): int(count) for kind, name, count in site.sql(EFFECTS)}
    found, status = {}, dict(site.sql("SELECT contact_email, status FROM svc_bookings"))
    for kind, tag in {(write.kind, write.tag) for write in writes}:
        address = f"{tag}@example.org"
        if kind == "trash":
            found[kind, tag] = {None: 2, "trash": 1}.get(status.get(address), 0)
        elif kind == "gone":
            found[kind, tag] = int(address not in status)
        elif kind == "many":
            now = {status.get(one) for one in (address, f"{tag}-too@example.org")}
            found[kind, tag] = 1 if now == {"trash"} else 2 if None in now else 0
        elif kind in ("book", "hand"):
            found[kind, tag] = counts.get(("booking", address), 0)
        else:
            found[kind, tag] = counts.get((kind, address if kind in ("letter", "state") else tag), 0)
    return found


def main():
    keys = int(KEYS)
    with Site(SVC, DATABASE, servers=2, environment={"SVC_PRO_LIBRARY": "none"}) as site:
        not_limited(site)
        time.sleep(1.5)  # until the other process has heard of it, as promised
        shop, chance = Shop(site), random_of("repeated")
        races, at_once = all_raced(shop, keys // 2, chance)
        equal_at_once = sum(len(write.told) - 1 for write in races)
        cuts = all_cut_off(shop, keys // 3, chance, {write.kind: len(write.told[-1]) for write in races})
        kills, killed = Kills(shop, chance), 0
        while len(kills.lost) < keys - keys // 2 - keys // 3:
            kills.once()
            killed += 1
        writes = [*races, *of_others(shop), *cuts, *kills.writes]
        a_minute_later(site)
        held_back = [write for write in writes if not settled(site, write, chance)]
        found = effects_of(site, writes)
        wanted = collections.Counter((write.kind, write.tag) for write in writes)
        wrong = {key: (found[key], count) for key, count in wanted.items() if found[key] != count}
        site.check_invariants()
        figure(f"keys {len(writes)}, of them by two processes {len(races)} (answers {at_once}, equal {equal_at_once},"
               f" else 409 or 422), cut off {len(cuts)}, under way in {killed} kills {len(kills.lost)}; effects per key"
               f" {sum(found.values()) / len(writes):.3f}; replays byte-equal {len(writes) - len(held_back)};"
               f" interrupted {len(held_back)}")
        assert not wrong, wrong
        assert not held_back, held_back


if __name__ == "__main__":
    sys.exit(main())
