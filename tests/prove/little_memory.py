"""R12: with an address space of 512 MB and one of 2,000 allocations failing, by a seed, an answer is right or 503, the
process lives, and what was acknowledged is there; two hundred requests that declare 4 GB are refused before they are read,
big JSON by its bounds, and the server sells on.

little_memory.py SVC DATABASE SECONDS    of failing allocations
"""
import concurrent.futures
import socket
import subprocess
import sys
import time

from failing_malloc import FailingMalloc
from proving import SEED, Buyers, Site, arguments, day, figure, not_limited, references, resident

SVC, DATABASE, (SECONDS,) = arguments(2)
SHARE = 0.0005


def declared(port, number):
    """The status of a request that says it has 4 GB and sends some of them."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        path = ("/svc/v1/booking/session", "/svc/v1/media", "/svc/v1/payment/webhook/pay_later")[number % 3]
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                           f"Content-Length: {4 << 30}\r\n\r\n".encode() + b"{" * 4096)
        answer = connection.recv(64)
        return int(answer.split()[1]) if answer else 0


def too_big_is_refused(server, buyers):
    """Memory before and after, in KiB."""
    buyers.wait_for_more(20)
    before = resident(server)
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        statuses = list(pool.map(lambda number: declared(server.port, number), range(200)))
    deep = server.ask("/svc/v1/booking/session", "POST", "[" * 900_000, {"Content-Type": "application/json"})[0]
    buyers.wait_for_more(20)
    after = resident(server)
    assert set(statuses) <= {413, 401, 404}, set(statuses)
    assert deep == 400, deep
    assert after - before < 100 << 10, (before, after)
    return before, after


def allocations_fail(server, buyers, memory):
    """Bookings acknowledged meanwhile; afterwards it sells on."""
    sold = len(buyers.acknowledged)
    memory.arm(SHARE)
    until = time.monotonic() + float(SECONDS)
    while time.monotonic() < until and server.process.poll() is None:
        time.sleep(0.05)
    memory.disarm()
    assert server.process.poll() is None, f"the server is gone: {[line for line in server.lines if line][-2:]}"
    sold = len(buyers.acknowledged) - sold
    buyers.wait_for_more(20)
    return sold


def main():
    with Site(SVC, DATABASE, servers=0, environment={"SVC_LISTEN_WORKERS": "4"}) as site, \
            FailingMalloc(site, SEED) as memory:
        server = site.start()
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        subprocess.run(["prlimit", f"--as={512 << 20}", "--pid", str(server.process.pid)], check=True)
        buyers = Buyers(lambda _: server.port, trip, clients=4)
        try:
            before, after = too_big_is_refused(server, buyers)
            sold = allocations_fail(server, buyers, memory)
        finally:
            buyers.stop()
        asked, failed = memory.counts()
        missing = buyers.missing_of(references(site))
        assert not missing, missing[:5]
        site.check_invariants()
        figure(f"allocations {asked}, failed {failed}, bookings meanwhile {sold}, refused with 503"
               f" {sum(buyers.refused.values())}, cut off {buyers.cut_off}, missing {len(missing)}, crashes 0; requests of 4 GB"
               f" refused 200 of 200, memory {before >> 10} to {after >> 10} MiB")
        assert failed > 20 and buyers.refused, "nothing failed"


if __name__ == "__main__":
    sys.exit(main())
