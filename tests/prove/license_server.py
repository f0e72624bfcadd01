"""S19: the licence server is gone, hangs, drips, talks nonsense or pretends; staff ask it many times at once. Meanwhile
visitors read and book as before, what is stored of the licence stays, and staff are told what is the matter.

license_server.py SVC DATABASE PRO
"""
import base64
import concurrent.futures
import os
import socket
import ssl
import subprocess
import sys
import threading
import time

from proving import Buyers, Site, arguments, ask, day, figure, free_port, not_limited, references

SVC, DATABASE, (PRO,) = arguments(2)
KEY = "SVC-AAAA-BBBB-CCCC-1234567890"
AT_ONCE = 8  # twice the threads that wait for other servers


class LicenceServer:
    """Takes connections on a loopback port and treats them as `mode` says."""

    def __init__(self, folder):
        self.mode, self.taken, self.over = "hang", 0, threading.Event()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.taken += 1
            threading.Thread(target=self._serve, args=(connection, self.mode), daemon=True).start()

    def _serve(self, connection, mode):
        with connection:
            try:
                getattr(self, "_" + mode)(connection)
            except OSError:
                pass

    def _hang(self, _):
        self.over.wait(30)

    def _drip(self, connection):
        while not self.over.wait(0.5):  # a handshake that never ends
            connection.sendall(b"\x16")

    def _nonsense(self, connection):
        connection.recv(100)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")

    def _reset(self, connection):
        connection.recv(100)

    def _pretend(self, connection):
        """Says what a licence server says, by a certificate and a signature of its own."""
        with self.tls.wrap_socket(connection, server_side=True) as answer:
            answer.recv(4096)
            body = b'{"result":"ok","nonce":"x","license":{"status":"active","plan":{"name":"x","tier":"agency"}}}'
            answer.sendall(b"HTTP/1.1 200 OK\r\nX-Svc-Signature: " + base64.b64encode(b"s" * 64)
                           + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def credentials(site, count):
    """Each application password may ask twenty times in ten minutes."""
    for number in range(count):
        secret = site.run("password", "add", "boss", "--name", f"asks {number}").strip().splitlines()[-1]
        yield {"Authorization": "Basic " + base64.b64encode(f"boss:{secret}".encode()).decode()}


class Readers:
    """Visitors, each page timed."""

    def __init__(self, port, trip):
        self.port, self.trip, self.took, self.wrong, self.ended = port, trip, [], [], threading.Event()
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        while not self.ended.is_set():
            for path in (f"/trips/{self.trip}/available-dates", "/trips/public", f"/booking/trip/{self.trip}"):
                began = time.monotonic()
                status, _ = ask(self.port, "GET", path)
                self.took.append(time.monotonic() - began)
                if status != 200:
                    self.wrong.append((path, status))

    def stop(self):
        self.ended.set()
        self.thread.join()
        assert not self.wrong, self.wrong[:3]
        return max(self.took)


def stored(site):
    told = site.as_staff("GET", "/license")
    assert told.status == 200 and KEY not in told.text, told
    return told.data["license_info"]


def main():
    with Site(SVC, DATABASE, servers=0, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        server = LicenceServer(site.dir)
        dead = free_port()
        site.environment["SVC_OUTBOUND_PRIVATE_HOSTS"] = f"127.0.0.1:{server.port},127.0.0.1:{dead}"
        port = site.start().port
        not_limited(site)
        assert site.as_staff("POST", "/license/save", {"license_key": KEY}).status == 200
        site.sql("UPDATE svc_license SET status = 'active', plan_tier = 'growth'")
        before = stored(site)
        assert before["status"] == "active", before
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        quiet = Readers(port, trip)
        time.sleep(2)
        usual, slowest, asked, turns = quiet.stop(), 0, 0, 0
        staff = list(credentials(site, 6))
        buyers = Buyers(lambda _: port, trip, clients=2)
        try:
            for mode in ("refuse", "hang", "drip", "nonsense", "reset", "pretend"):
                server.mode, address = mode, dead if mode == "refuse" else server.port
                assert site.as_staff("PUT", "/settings", {"license_store_url": f"https://127.0.0.1:{address}/"}).status == 200
                taken, readers = server.taken, Readers(port, trip)
                with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                    answers = list(pool.map(lambda n: ask(port, "POST", "/license/check", {}, staff[n % 6]),
                                            range(AT_ONCE)))
                    buyers.wait_for_more(5)
                slowest, asked, turns = max(slowest, readers.stop()), asked + AT_ONCE, turns + 1
                assert {(status, body["code"]) for status, body in answers} <= {
                    (502, "svc_upstream_error"), (503, "svc_overloaded")}, (mode, answers[:3])
                assert any(status == 502 and "could not be reached" in body["message"] for status, body in answers), mode
                assert server.taken > taken or mode == "refuse", f"{mode}: nobody asked the server"
                assert stored(site) == before, (mode, stored(site))
        finally:
            server.over.set()
            buyers.stop()
        assert slowest < 4, f"a visitor waited {slowest:.1f} s, as long as staff did"
        assert not buyers.missing_of(references(site))
        site.check_invariants()
        figure(f"servers gone, hanging, dripping, talking nonsense, hanging up, pretending: {asked} questions, believed 0;"
               f" licence as before, bookings meanwhile {len(buyers.acknowledged)}, slowest page {slowest * 1000:.0f} ms"
               f" (before {usual * 1000:.0f} ms)")


if __name__ == "__main__":
    sys.exit(main())
