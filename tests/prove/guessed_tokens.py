"""S7: guests' tokens are guessed at over two servers by many addresses: wrong ones, the right one with a letter changed, cut,
with a tail, of another booking or twice; in the header and in the query. None is let in, an address is heard thirty times a
minute and no more however many servers it asks, and the guest goes on being let in.

guessed_tokens.py SVC DATABASE GUESSES
"""
import collections
import re
import secrets
import socket
import sys
import threading
import time

from proving import Site, arguments, day, figure, not_limited, random_of

SVC, DATABASE, (GUESSES,) = arguments(2)
BOOKINGS, TOGETHER, WORKERS = 8, 16, 2
NETWORKS = max(8, int(GUESSES) // 5000)
BURST, A_SECOND = 30, 0.5  # thirty a minute
ANSWER = re.compile(rb"HTTP/1\.1 (\d+) .*?\r\nContent-Length: (\d+)\r\n", re.S | re.I)


class Line:
    """One connection on which many requests are sent before the answers are read."""

    def __init__(self, port):
        self.port, self.socket, self.left = port, None, b""

    def ask(self, requests):
        """The status of each, in order; asked again on a new connection when this one was closed."""
        statuses = []
        while len(statuses) < len(requests):
            try:
                if not self.socket:
                    self.socket, self.left = socket.create_connection(("127.0.0.1", self.port), timeout=60), b""
                self.socket.sendall(b"".join(requests[len(statuses):]))
                while len(statuses) < len(requests):
                    statuses.append(self._answer())
            except ConnectionError:
                self.socket = None
        return statuses

    def _answer(self):
        while True:
            end = self.left.find(b"\r\n\r\n")
            if end >= 0:
                head = ANSWER.match(self.left[:end + 2])
                assert head, self.left[:300]
                whole = end + 4 + int(head[2])
                if len(self.left) >= whole:
                    self.left = self.left[whole:]
                    return int(head[1])
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionResetError
            self.left += more


def request(path, address, token=None):
    shown = f"X-Svc-Booking-Token: {token}\r\n" if token else ""
    return f"GET /svc/v1{path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n{shown}\r\n".encode()


def address_in(network, chance):
    """IPv4 addresses each count by themselves, of IPv6 64 bits do."""
    if network % 4:
        return f"198.{18 + network // 250 // 250}.{network // 250 % 250}.{network % 250}"
    return f"2001:db8:{network:x}:1:{chance.randrange(1 << 16):x}:{chance.randrange(1 << 16):x}:0:1"


def guess(kind, bookings, chance):
    """A path and what is in the header; nothing of it is right."""
    at = chance.randrange(len(bookings))
    booking, token = bookings[at]
    path, place = f"/payment/status/{booking}", chance.randrange(len(token))
    other = "b" if token[place] == "a" else "a"
    wrong = {"random": secrets.token_urlsafe(32), "one letter": token[:place] + other + token[place + 1:],
             "cut": token[:-1 - place // 2], "tail": token + "a", "another's": bookings[at - 1][1]}
    if kind == "NUL":
        return f"{path}?booking_token={token}%00", None
    if kind == "twice":
        return f"{path}?booking_token={wrong['random']}&booking_token={token}", None
    if chance.random() < 0.3:
        return f"{path}?booking_token={wrong[kind]}", None
    return path, wrong[kind]


KINDS = ("random",) * 6 + ("one letter", "cut", "tail", "another's", "NUL", "twice")


class Attack:
    def __init__(self, site, bookings):
        self.site, self.bookings, self.lock = site, bookings, threading.Lock()
        self.statuses, self.judged, self.wrong = collections.Counter(), collections.Counter(), []
        self.ended, self.guest = threading.Event(), collections.Counter()

    def note(self, networks, kinds, statuses):
        with self.lock:
            for network, kind, status in zip(networks, kinds, statuses):
                self.statuses[status] += 1
                if status == 403:
                    self.judged[network] += 1
                elif status not in (400, 429, 503):
                    self.wrong.append((kind, status))

    def run(self, number, count):
        chance, lines = random_of("guesses", number), [Line(server.port) for server in self.site.servers]
        while count > 0:
            networks = [chance.randrange(NETWORKS) for _ in range(min(TOGETHER, count))]
            kinds = [chance.choice(KINDS) for _ in networks]
            requests = []
            for network, kind in zip(networks, kinds):
                path, token = guess(kind, self.bookings, chance)
                requests.append(request(path, address_in(network, chance), token))
            statuses = chance.choice(lines).ask(requests)
            self.note(networks, kinds, statuses)
            count -= len(statuses) - statuses.count(503)  # too busy: it was not heard

    def visit(self):
        """The guest asks from an address of its own meanwhile."""
        lines = [Line(server.port) for server in self.site.servers]
        while not self.ended.wait(0.1):
            for line, (booking, token) in zip(lines, self.bookings):
                self.guest[line.ask([request(f"/payment/status/{booking}", "203.0.113.7", token)])[0]] += 1


def main():
    with Site(SVC, DATABASE, servers=2) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 1000)
        site.wait_until_all_show(trip)
        time.sleep(1.5)
        made = [site.book(trip, day(), f"Ada{number}").data for number in range(BOOKINGS)]
        bookings = [(each["id"], each["booking_token"]) for each in made]
        attack = Attack(site, bookings)
        guest = threading.Thread(target=attack.visit)
        workers = [threading.Thread(target=attack.run, args=(number, int(GUESSES) // WORKERS)) for number in range(WORKERS)]
        began = time.monotonic()
        for thread in (guest, *workers):
            thread.start()
        for worker in workers:
            worker.join()
        took = time.monotonic() - began
        attack.ended.set()
        guest.join()
        most = BURST + A_SECOND * took + 1
        beyond = {network: count for network, count in attack.judged.items() if count > most}
        # The text that an accepted token would show.
        right = Line(site.servers[0].port).ask([request(f"/payment/status/{bookings[0][0]}", "203.0.113.9", bookings[0][1])])
        busy, guest_busy = attack.statuses.pop(503, 0), attack.guest.pop(503, 0)
        told = sum(attack.statuses.values())
        figure(f"guesses {told:,} from {NETWORKS} addresses over 2 servers in {took:.0f} s, let in {len(attack.wrong)}, refused"
               f" by the limit {attack.statuses[429]:,}, unread {attack.statuses[400]:,}, too busy and asked again {busy:,}, looked at"
               f" {sum(attack.judged.values()):,}: of one address {max(attack.judged.values())} at most, {most:.0f} allowed;"
               f" the guest asked {sum(attack.guest.values())} times, let in {attack.guest[200]}, too busy"
               f" {guest_busy} times")
        assert told >= int(GUESSES) // WORKERS * WORKERS and not attack.wrong, attack.wrong[:5]
        assert not beyond, beyond
        assert set(attack.guest) == {200} and right[0] == 200, (attack.guest, right)
        assert min(attack.judged.values()) > BURST // 2 and len(attack.judged) == NETWORKS, attack.judged
        assert attack.statuses[429] > told // 3, attack.statuses


if __name__ == "__main__":
    sys.exit(main())
