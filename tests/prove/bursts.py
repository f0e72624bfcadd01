"""R23: connections that come together, each with one request, are all answered, also where every call of the server into the
kernel takes long (strace stops it at each), so that what its threads hand to each other comes at any moment.

bursts.py SVC DATABASE BURSTS
"""
import contextlib
import select
import socket
import subprocess
import sys
import time

from proving import Site, arguments, figure

SVC, DATABASE, (BURSTS,) = arguments(2)
TOGETHER = 3  # connections; nothing comes behind them that would wake a thread which forgot one
PATIENCE = 5  # seconds for an answer
REQUEST = b"GET /svc/v1/trips/public HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@contextlib.contextmanager
def slowed(process):
    # Traced without seccomp: the process stops at each call, whichever is told of.
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-p", str(process.pid)],
                              stdin=subprocess.DEVNULL)
    try:
        time.sleep(1)
        assert tracer.poll() is None, "strace does not take hold"
        yield
    finally:
        tracer.terminate()
        tracer.wait()


def burst(port):
    """How many of them were not answered."""
    with contextlib.ExitStack() as open_ones:
        sockets = [open_ones.enter_context(socket.socket()) for _ in range(TOGETHER)]
        for one in sockets:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        for one in sockets:
            select.select([], [one], [], PATIENCE)
            one.send(REQUEST)
        answers, until = {one: b"" for one in sockets}, time.monotonic() + PATIENCE
        waiting = set(sockets)
        while waiting and time.monotonic() < until:
            for one in select.select(list(waiting), [], [], 0.5)[0]:
                more = one.recv(65536)
                answers[one] += more
                if not more:
                    waiting.discard(one)
        wrong = [answer[:80] for one, answer in answers.items() if one not in waiting and not answer.startswith(b"HTTP/1.1 200")]
        assert not wrong, wrong
        return len(waiting)


def main():
    with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"}) as site:
        assert site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0}).status == 200
        server = site.servers[0]
        with slowed(server.process):
            forgotten = [burst(server.port) for _ in range(int(BURSTS))]
        assert not sum(forgotten), f"{sum(forgotten)} connections were forgotten, in {sum(map(bool, forgotten))} bursts"
        figure(f"{BURSTS} bursts of {TOGETHER} connections at a slowed server: answered {int(BURSTS) * TOGETHER}, forgotten 0")


if __name__ == "__main__":
    sys.exit(main())
