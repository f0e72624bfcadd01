"""R16: strangers cannot fill the server's memory with what is in flight: by bodies under an Authorization that proves nothing,
by pipelined answers that they do not take, and by bodies that do not end. From one address they make no visitor wait: who has
more than an eighth is refused first. From many, visitors may be answered 503 with a Retry-After beyond the bound; when the
stalled are closed everybody is served again.

bytes_in_flight.py SVC DATABASE SECONDS      of each attack
"""
import collections
import datetime
import http.client
import itertools
import select
import socket
import sys
import threading
import time

from proving import Site, arguments, day, figure, not_limited, resident

SVC, DATABASE, (SECONDS,) = arguments(2)
SECONDS = float(SECONDS)
MOST = 64 << 10  # KiB of growth under each attack
HEAL = 20  # seconds until a request is served again, at most


class Memory:
    """The most that the server holds while it lasts, over what it held before: the peak of a tenth of a second."""

    def __init__(self, server):
        self.server, self.before, self.most, self.ended = server, resident(server), 0, threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended.wait(0.05):
            self.most = max(self.most, resident(self.server))

    def stop(self):
        self.ended.set()
        self.thread.join()
        return self.most - self.before


class Visitors:
    """Ask for a page again and again while the attack lasts."""

    def __init__(self, port):
        self.port, self.statuses, self.ended = port, collections.Counter(), threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended.wait(0.05):
            self.statuses[asked(self.port)] += 1

    def stop(self):
        self.ended.set()
        self.thread.join()
        assert set(self.statuses) <= {200, 503}, self.statuses
        return self.statuses


def asked(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=("127.0.0.2", 0))
    try:
        connection.request("GET", "/svc/v1/trips/public")
        answer = connection.getresponse()
        answer.read()
        if answer.status == 503:
            assert answer.getheader("Retry-After") in ("1", "2", "3"), answer.getheaders()
        return answer.status
    except OSError as why:
        return repr(why)
    finally:
        connection.close()


def connected(port, address, buffer=None):
    made = socket.socket()
    if buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    made.bind((address, 0))
    made.connect(("127.0.0.1", port))
    made.setblocking(False)
    return made


def push(connections, addresses, port, make):
    """Sends what each connection has to send, as fast as it is taken, for the time of an attack; one that is closed comes
    again, each from the next of so many addresses. `make` answers a socket and its bytes. How often one was closed."""
    open_ones, closed, ends, numbers = {}, 0, time.monotonic() + SECONDS, itertools.count()

    def begin():
        made, text = make(port, f"127.0.1.{1 + next(numbers) % addresses}")
        open_ones[made.fileno()] = [made, memoryview(text)]
        poll.register(made.fileno(), select.EPOLLOUT | select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR)
    poll = select.epoll()
    for _ in range(connections):
        begin()
    while time.monotonic() < ends:
        for number, event in poll.poll(0.1):
            made, left = open_ones[number]
            over = bool(event & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR))
            try:
                if left and not over:
                    open_ones[number][1] = left = left[made.send(left):]
                if not left and not over:
                    poll.modify(number, select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR)
            except BlockingIOError:
                pass
            except OSError:
                over = True
            if over:
                poll.unregister(number)
                made.close()
                del open_ones[number]
                closed += 1
                begin()
    for made, _ in open_ones.values():
        made.close()
    return closed


def head(method, path, *fields):
    return "\r\n".join((f"{method} /svc/v1{path} HTTP/1.1", "Host: a", *fields, "", "")).encode()


def attacks(trip):
    """Each by its name: how many connections, and what makes one."""
    last = (datetime.date.today() + datetime.timedelta(days=3600)).isoformat()
    large = 20 << 20
    bogus = head("POST", "/media", "Authorization: Basic bm9ib2R5Om5vYm9keQ==", "Content-Type: multipart/form-data; boundary=b",
                 f"Content-Length: {large}") + b"a" * large
    # Asked for by its dates an answer is made for each request.
    answers = head("GET", f"/trips/{trip}/available-dates?to_date={last}") * 16
    unfinished = head("POST", "/booking/session", "Content-Type: application/json", f"Content-Length: {1 << 20}") + \
        b" " * ((1 << 20) - 1)
    return {"bogus credentials, 20 connections": (20, lambda *at: (connected(*at), bogus)),
            "answers not taken, 60 connections of 16 requests": (60, lambda *at: (connected(*at, 4096), answers)),
            "unfinished bodies, 150 connections": (150, lambda *at: (connected(*at), unfinished))}


def popular_trip(site):
    """One whose dates are a long answer."""
    trip = site.given_trip(title="Every day")["id"]
    for hours in ([f"{hour:02}:00" for hour in range(6, 14)], [f"{hour:02}:00" for hour in range(14, 22)]):
        made = site.as_staff("POST", "/recurring-availability", {
            "trip_id": trip, "start_date": day(1), "rule_type": "weekly", "days_of_week": [0, 1, 2, 3, 4, 5, 6],
            "time_slots": [{"departure_time": at, "price": 40} for at in hours]})
        assert made.status == 201, made
    return trip


def warm(site, trip, server):
    """As many at once as there are workers, who take what they ask for."""
    threads = [threading.Thread(target=lambda: [site.call("GET", f"/trips/{trip}/available-dates?to_date={day(300 + n)}")
                                                for n in range(10)]) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return len(site.call("GET", f"/trips/{trip}/available-dates?to_date={day(360)}").text)


def main():
    with Site(SVC, DATABASE, log="server.log", environment={"SVC_PRO_LIBRARY": "none"}) as site:
        not_limited(site)
        assert site.as_staff("PUT", "/settings", {"availability_horizon_months": 24}).status in (200, 400)
        trip, server = popular_trip(site), site.servers[0]
        size, said, grown = warm(site, trip, server), [], {}
        for (name, (connections, make)), addresses in itertools.product(attacks(trip).items(), (1, 60)):
            name += f", {addresses} address{'es' * (addresses > 1)}"
            memory, visitors = Memory(server), Visitors(server.port)
            closed = push(connections, addresses, server.port, make)
            statuses, grown[name] = visitors.stop(), memory.stop()
            if addresses == 1:
                assert set(statuses) == {200}, (name, statuses)
            ended = time.monotonic()
            while asked(server.port) != 200:
                assert time.monotonic() - ended < HEAL, f"not served {HEAL} s after {name}"
                time.sleep(0.05)
            said.append(f"{name} {grown[name] / 1024:+.0f} MiB, of them {closed} closed, visitors meanwhile {dict(statuses)},"
                        f" served again after {time.monotonic() - ended:.1f} s")
        figure(f"an answer of {size >> 10} KiB; {'; '.join(said)}")
        assert all(each < MOST for each in grown.values()), grown


if __name__ == "__main__":
    sys.exit(main())
