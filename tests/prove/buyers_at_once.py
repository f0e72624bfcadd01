"""R15: buyers who open one popular date at the same instant are served, all of them: they look at its dates, open a session
and book, and none is refused because no worker was free. On PostgreSQL, whose bookings take longer, the largest such crowd
is looked for.

buyers_at_once.py SVC DATABASE BUYERS
"""
import collections
import json
import select
import socket
import sys
import time

from proving import Site, arguments, day, figure, filled_in, not_limited

SVC, DATABASE, (BUYERS,) = arguments(2)
BUYERS = int(BUYERS)
PATIENCE = 60  # seconds for all of them


class Buyer:
    def __init__(self, port, trip, number):
        self.socket, self.trip, self.number, self.heard, self.session, self.turn = socket.socket(), trip, number, b"", None, 0
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self):
        if self.turn == 0:
            text = f"GET /svc/v1/trips/{self.trip}/available-dates HTTP/1.1\r\nHost: a\r\n\r\n"
        else:
            path, body = ("session", {"trip_id": self.trip, "travel_date": day()}) if self.turn == 1 else (
                "create", filled_in({"session_id": self.session, "contact_last_name": f"Of {self.number}",
                                     "contact_email": f"ada.{self.number}@example.org"}))
            body = json.dumps(body)
            text = (f"POST /svc/v1/booking/{path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n{body}")
        self.asked_at = time.monotonic()
        self.socket.sendall(text.encode())

    def hear(self):
        """Nothing, or the status of the whole answer."""
        more = self.socket.recv(1 << 16)
        assert more, "hung up on without an answer"
        self.heard += more
        first, blank, body = self.heard.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in first.split(b"\r\n")[1:]) if blank else {}
        if not blank or len(body) < int(fields[b"content-length"]):
            return None
        self.heard, status = b"", int(first[9:12])
        if self.turn == 1 and status == 201:
            self.session = json.loads(body)["data"]["session_id"]
        self.turn += 1
        return status


def crowd(port, trip, count, first):
    """How often each status was answered, how long the answers took and how many booked."""
    buyers = [Buyer(port, trip, first + number) for number in range(count)]
    poll, by_number, statuses, times, booked = select.epoll(), {}, collections.Counter(), [], 0
    for each in buyers:
        by_number[each.socket.fileno()] = each
        poll.register(each.socket, select.EPOLLIN)
    began = time.monotonic()
    for each in buyers:
        each.ask()
    left = count
    while left:
        assert time.monotonic() - began < PATIENCE, f"{left} of {count} wait for ever"
        for number, _ in poll.poll(1):
            buyer = by_number[number]
            if (status := buyer.hear()) is None:
                continue
            statuses[status] += 1
            times.append(time.monotonic() - buyer.asked_at)
            if status < 300 and buyer.turn < 3:
                buyer.ask()
                continue
            booked += buyer.turn == 3 and status == 201
            poll.unregister(buyer.socket)
            buyer.socket.close()
            left -= 1
    return statuses, sorted(times), booked, time.monotonic() - began


def main():
    with Site(SVC, DATABASE, log="server.log", environment={"SVC_PRO_LIBRARY": "none"}) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        port, first, said, largest = site.servers[0].port, 0, [], 0
        sizes = [BUYERS] * 3 if DATABASE == "sqlite" else [BUYERS // 8, BUYERS // 4, BUYERS // 2, BUYERS, 2 * BUYERS, 4 * BUYERS]
        for size in sizes:
            statuses, times, booked, took = crowd(port, trip, size, first)
            first += size
            said.append(f"{size} buyers: {booked} booked in {took:.1f} s, answers {dict(statuses)}, p50"
                        f" {times[len(times) // 2] * 1000:.0f} ms, p99 {times[len(times) * 99 // 100] * 1000:.0f} ms")
            assert set(statuses) <= {200, 201, 503}, statuses
            if DATABASE == "sqlite":
                assert not statuses[503] and booked == size, said[-1]
            elif statuses[503]:
                break
            largest = size
        if DATABASE == "postgres":
            said.append(f"the largest crowd of which none is refused: {largest}")
        figure("; ".join(said))
        assert largest > 0, "every crowd is refused"
        site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
