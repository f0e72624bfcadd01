"""R12: with an address space of 1.5 GB, two hundred requests that declare 4 GB are refused before they are read, big
JSON is refused by its bounds, and the server sells on.

little_memory.py SVC sqlite
"""
import concurrent.futures
import socket
import subprocess
import sys

from proving import Buyers, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, _ = arguments()


def declared(port, number):
    """The status of a request that says it has 4 GB and sends some of them."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        path = ("/svc/v1/booking/session", "/svc/v1/media", "/svc/v1/payment/webhook/pay_later")[number % 3]
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                           f"Content-Length: {4 << 30}\r\n\r\n".encode() + b"{" * 4096)
        answer = connection.recv(64)
        return int(answer.split()[1]) if answer else 0


def resident(server):
    return int(next(line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS")).split()[1])


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 10_000)
        server = site.servers[0]
        subprocess.run(["prlimit", f"--as={1536 << 20}", "--pid", str(server.process.pid)], check=True)
        buyers = Buyers(lambda _: server.port, trip, clients=4)
        buyers.wait_for_more(20)
        before = resident(server)
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            statuses = list(pool.map(lambda number: declared(server.port, number), range(200)))
        deep = server.ask("/svc/v1/booking/session", "POST", "[" * 900_000, {"Content-Type": "application/json"})[0]
        buyers.wait_for_more(20)
        buyers.stop()
        after = resident(server)
        assert set(statuses) <= {413, 401, 404}, set(statuses)
        assert deep == 400, deep
        assert server.process.poll() is None, "the server is gone"
        assert not buyers.missing_of(references(site))
        assert after - before < 100 << 10, (before, after)
        site.check_invariants()
        figure(f"requests of 4 GB 200, refused {len(statuses)}, crashes 0, memory {before >> 10} to {after >> 10} MiB")


if __name__ == "__main__":
    sys.exit(main())
