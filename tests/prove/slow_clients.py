"""R16: a thousand slow clients at once, of the kinds slowhttptest has: heads that do not end, bodies that do not end,
single bytes a second, answers that are not taken, silence. Meanwhile whoever is quick is answered as before, what is too
big is refused by its number, and every slow one is cut off once its time is over; before nginx and behind it. One address
gets the connections it may have, and all together what the descriptors allow.

slow_clients.py SVC DATABASE SOCKETS PART [each]      the time limits of the server divided by PART; after the kinds
                                                      together, as many of each kind alone
"""
import contextlib
import re
import resource
import select
import socket
import sys
import threading
import time

from proving import Nginx, Site, arguments, figure, not_limited

SVC, DATABASE, (SOCKETS, PART, *EACH) = arguments(3)
SOCKETS, PART = int(SOCKETS), int(PART)
LIMITS = {"HEAD": 10_000 // PART, "BODY": 30_000 // PART, "IDLE": 30_000 // PART, "WRITE": 30_000 // PART}  # ms
PAGE = b"GET /svc/v1/trips/public HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /svc/v1/booking/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n{"
LARGE = b"GET /svc/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 8
# The bytes that each sends at once and each second, and the limit that ends it.
KINDS = {"head": (PAGE, b"X-A: b\r\n", "HEAD"), "drip": (b"G", PAGE[1:], "HEAD"), "body": (POST, b" ", "BODY"),
         "read": (LARGE, b"", "WRITE"), "silent": (b"", b"", "IDLE")}
SINGLE = ("drip",)  # one byte a second of what it has to send


def connected(port, address="127.0.0.1", buffer=None):
    made = socket.socket()
    if buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    made.bind((address, 0))
    made.settimeout(10)
    made.connect(("127.0.0.1", port))
    return made


class Slow:
    def __init__(self, port, kind):
        self.kind, self.said, self.turn, self.cut_at = kind, b"", 0, None
        at_once, self.each, _ = KINDS[kind]
        self.socket = connected(port, buffer=1024 if kind == "read" else None)
        self.began = time.monotonic()
        self.socket.sendall(at_once)
        self.socket.setblocking(False)

    def each_second(self):
        if self.cut_at or not self.each:
            return
        self.turn += 1
        text = self.each[self.turn - 1:self.turn] if self.kind in SINGLE else self.each
        with contextlib.suppress(OSError):
            self.socket.send(text)

    def hear(self):
        """The received bytes; a client that takes no answers does not read them."""
        try:
            data = self.socket.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.said += data
        if not data:
            self.cut_at = time.monotonic() - self.began


class Crowd:
    """All slow sockets, in one thread."""

    def __init__(self, port, count, kinds=tuple(KINDS)):
        self.slow = [Slow(port, kinds[number % len(kinds)]) for number in range(count)]
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        by_number, poll = {slow.socket.fileno(): slow for slow in self.slow}, select.epoll()
        for number, slow in by_number.items():
            if slow.kind != "read":
                poll.register(number, select.EPOLLIN | select.EPOLLRDHUP)
        due = time.monotonic() + 1
        while not self.ended.is_set():
            for number, _ in poll.poll(0.2):
                by_number[number].hear()
                if by_number[number].cut_at:
                    poll.unregister(number)
            if time.monotonic() >= due:
                due += 1
                for slow in self.slow:
                    slow.each_second()

    def stop(self):
        self.ended.set()
        self.thread.join()
        for slow in self.slow:
            slow.socket.close()


class Probe:
    """A quick client: a page on a new connection each time."""

    def __init__(self, port, address="127.0.0.1"):
        self.port, self.address, self.times, self.wrong, self.ended = port, address, [], [], threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended.wait(0.02):
            began = time.monotonic()
            status = status_of(self.port, PAGE + b"Connection: close\r\n\r\n", self.address)
            self.times.append(time.monotonic() - began)
            if status != 200:
                self.wrong.append(status)

    def stop(self):
        """The 99th part of its times, in seconds."""
        self.ended.set()
        self.thread.join()
        assert not self.wrong, self.wrong[:5]
        return sorted(self.times)[int(len(self.times) * 0.99)]


def probed(port, seconds):
    probe = Probe(port)
    time.sleep(seconds)
    return probe.stop()


def status_of(port, request, address="127.0.0.1"):
    try:
        with connected(port, address) as client:
            client.sendall(request)
            text = client.recv(4096)
        return int(text[9:12]) if text.startswith(b"HTTP/1.1 ") else 0
    except OSError as why:
        return repr(why)


def too_big(port):
    """Each limit of size and its refusal."""
    told = {
        "a head of 20 KB": status_of(port, PAGE + b"X-A: " + b"a" * 20_000 + b"\r\n\r\n"),
        "101 fields": status_of(port, PAGE + b"X-A: b\r\n" * 100 + b"\r\n"),
        "a thousand ranges": status_of(port, PAGE + b"Range: bytes=0-" + b"".join(b",5-%d" % n for n in range(3000))
                                       + b"\r\n\r\n"),
        "a target of 9 KB": status_of(port, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
        "a body of 2 MB": status_of(port, POST.replace(b"4096", b"2097152"))}
    assert list(told.values()) == [431, 431, 431, 414, 413], told
    return len(told)


def open_connections(server):
    return int(re.search(r"^svc_http_connections (\d+)$", server.ask("/metrics", admin=True)[2], re.M)[1])


def in_the_kernel():
    """MiB of the machine's that TCP holds: what was answered and is not taken waits there, beyond the server's memory."""
    with open("/proc/net/sockstat") as file:
        return int(re.search(r"^TCP: .* mem (\d+)$", file.read(), re.M)[1]) * resource.getpagesize() >> 20


def held_to_times(limit, seconds):
    """A busy machine may be late, but not for ever; nothing is cut before its time."""
    most = limit / 1000
    assert 0.9 * most <= min(seconds) and max(seconds) <= 2 * most + 5, (most, min(seconds), max(seconds))
    return f"{min(seconds):.1f} to {max(seconds):.1f} s"


def before_the_server(server, *kinds):
    """The crowd of these kinds at the server itself; its part of the figure."""
    usual, held = probed(server.port, 2), [in_the_kernel()]
    crowd, probe = Crowd(server.port, SOCKETS, kinds), Probe(server.port)
    began = time.monotonic()
    longest = max(LIMITS[KINDS[kind][2]] for kind in kinds)
    try:
        time.sleep(1)
        most = open_connections(server)
        refusals = too_big(server.port)
        while (left := open_connections(server)) > 8:
            assert time.monotonic() - began < 3 * longest / 1000 + 10, f"{left} are never cut off"
            held.append(in_the_kernel())
            time.sleep(0.1)
        took = time.monotonic() - began
        held.append(in_the_kernel())
    finally:
        crowd.stop()
        p99 = probe.stop()
    assert most >= SOCKETS * 0.9, f"only {most} connections at once"
    assert p99 < max(0.2, 3 * usual), f"the probe waited {p99} s, {usual} s before"
    assert held[-1] - held[0] <= max(16, (max(held) - held[0]) / 4), f"the kernel holds on to what was cut off: {held}"
    said = []
    for kind in kinds:
        of_kind = [slow for slow in crowd.slow if slow.kind == kind]
        if kind == "read":
            continue  # it cannot see its end behind what it has not read; the server's own count has come down
        wanted = b"" if kind == "silent" else b"HTTP/1.1 408 "
        assert all(slow.cut_at and slow.said.startswith(wanted) and bool(slow.said) == bool(wanted) for slow in of_kind), kind
        said.append(f"{kind} {held_to_times(LIMITS[KINDS[kind][2]], [slow.cut_at for slow in of_kind])}")
    return (f"{most} slow connections at once ({', '.join(kinds)}), all cut off after {took:.1f} s ({', '.join(said)}); probe"
            f" p99 {p99 * 1000:.0f} ms (before {usual * 1000:.0f} ms), in the kernel {max(held) - held[0]:+} MiB, once cut off"
            f" {held[-1] - held[0]:+} MiB; sizes refused {refusals}")


def behind_nginx(server):
    with Nginx([server.port]) as proxy:
        usual = probed(proxy.port, 2)
        crowd = Crowd(proxy.port, SOCKETS)
        try:
            probed(proxy.port, 2)  # nginx takes in whole what the readers have asked for, some 300 MB, before all else
            p99 = probed(proxy.port, 4)
            reached = open_connections(server)
        finally:
            crowd.stop()
    assert p99 < max(0.2, 3 * usual), f"the probe waited {p99} s, {usual} s before"
    return f"behind nginx {reached} of them reach the server, probe p99 {p99 * 1000:.0f} ms"


def capped(site, expected, **how):
    """Many silent connections of one address: how many stay, while another address is served."""
    server = site.start(**how)
    clients = []
    try:
        for _ in range(2 * expected):
            clients.append(connected(server.port))
        time.sleep(0.5)
        stay = 0
        for each in clients:
            each.setblocking(False)
            try:
                assert each.recv(13) in (b"HTTP/1.1 503 ", b""), "turned away without a word"
            except BlockingIOError:
                stay += 1
            except ConnectionError:
                pass
        assert stay == expected, f"{stay} of {len(clients)} connections stay, {expected} are allowed"
        yield server
    finally:
        for each in clients:
            each.close()
        server.process.terminate()
        server.process.wait(30)


def main():
    # Ours and the server's, which uses four fifths of its own.
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual, min(most, 2 * SOCKETS + 1000)), most))
    with Site(SVC, DATABASE, servers=0) as site:
        site.environment |= {f"SVC_LIMITS_{name}_MS": str(value) for name, value in LIMITS.items()}
        server = site.start()
        not_limited(site)
        site.given_trip()
        turns = [tuple(KINDS), *((kind,) for kind in KINDS if EACH)]
        said = [*(before_the_server(server, *kinds) for kinds in turns), behind_nginx(server)]
        assert server.process.poll() is None
        site.environment |= {"SVC_LIMITS_PER_ADDRESS": "64", "SVC_LIMITS_IDLE_MS": "30000"}
        for one in capped(site, 64):
            assert status_of(one.port, PAGE + b"\r\n", "127.0.0.2") == 200
        site.environment["SVC_LIMITS_PER_ADDRESS"] = "0"
        for one in capped(site, 400 * 8 // 10 // 2, under=("prlimit", "--nofile=400:400")):
            assert one.ask("/healthz", admin=True)[0] == 200
        figure("; ".join(said) + "; of one address 64 of 128 stay; of 400 descriptors 160 connections")
        site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
