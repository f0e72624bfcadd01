"""R17: a proxy between the servers and PostgreSQL cuts, holds and garbles; requests fail with 503 alone, what needs no
database is answered all the time, and the first quiet moment heals everything.

cut_database.py SVC postgres TROUBLES
"""
import re
import selectors
import socket
import sys
import threading
import time

from proving import Buyers, Site, arguments, ask, day, figure, free_port, not_limited, random_of, references

SVC, DATABASE, (TROUBLES,) = arguments(2)


class Trouble:
    """Passes bytes on; `mode`: fine, cut (ends every connection), refuse (and takes no new one), hold, garble."""

    def __init__(self, host, port):
        self.there, self.mode, self.pairs, self.lock = (host, port), "fine", {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", free_port()))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            near, _ = self.listener.accept()
            if self.mode == "refuse":
                near.close()
                continue
            far = socket.create_connection(self.there)
            with self.lock:
                self.pairs[near] = far
            threading.Thread(target=self._pass, args=(near, far), daemon=True).start()

    def _pass(self, near, far):
        with selectors.DefaultSelector() as ready:
            ready.register(near, selectors.EVENT_READ, far)
            ready.register(far, selectors.EVENT_READ, near)
            try:
                while True:
                    for key, _ in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        while self.mode == "hold":
                            time.sleep(0.01)
                        if self.mode == "garble" and key.fileobj is far:
                            data = b"\x00" + data[::-1]
                        key.data.sendall(data)
            except OSError:
                pass
            finally:
                self.end(near)

    def end(self, near):
        with self.lock:
            far = self.pairs.pop(near, None)
        for each in filter(None, (near, far)):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def trouble(self, mode, seconds):
        self.mode = mode
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if mode in ("cut", "refuse"):
                for near in list(self.pairs):
                    self.end(near)
            time.sleep(0.05)
        self.mode = "fine"
        for near in list(self.pairs):
            if mode == "garble":
                self.end(near)


class Reader:
    """Asks for a page that is served from memory, without pause."""

    def __init__(self, port):
        self.port, self.statuses, self.ended = port, {}, threading.Event()
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        while not self.ended.is_set():
            status, _ = ask(self.port, "GET", "/trips/public")
            self.statuses[status] = self.statuses.get(status, 0) + 1
            time.sleep(0.01)

    def stop(self):
        self.ended.set()
        self.thread.join()


class Behind(Site):
    """The servers reach the database through the proxy; the proof itself does not."""

    def start(self, port=0, under=()):
        straight = self.environment["SVC_DATABASE_URL"]
        if not hasattr(self, "proxy"):
            self.proxy = Trouble("127.0.0.1", int(re.search(r"port=(\d+)", straight)[1]))
        self.environment["SVC_DATABASE_URL"] = re.sub(
            r"host=\S+", "host=127.0.0.1", re.sub(r"port=\d+", f"port={self.proxy.port}", straight))
        try:
            return super().start(port, under)
        finally:
            self.environment["SVC_DATABASE_URL"] = straight


def main():
    with Behind(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        site.given_departure(trip, day(), 100_000)
        server, chance, slowest = site.servers[0], random_of("database"), 0.0
        buyers, reader, seen = Buyers(lambda _: server.port, trip, clients=6), Reader(server.port), {}
        try:
            for turn in range(int(TROUBLES)):
                buyers.wait_for_more(10)
                mode = ("cut", "refuse", "hold", "garble")[turn % 4]
                seen[mode] = seen.get(mode, 0) + 1
                site.proxy.trouble(mode, chance.uniform(0.3, 1.5))
                began = time.monotonic()
                buyers.wait_for_more(1)
                slowest = max(slowest, time.monotonic() - began)
        finally:
            buyers.stop()
            reader.stop()
        missing = buyers.missing_of(references(site))
        site.check_invariants()
        assert not missing, missing[:5]
        assert set(reader.statuses) == {200}, reader.statuses
        assert server.process.poll() is None
        figure(f"troubles {seen}, bookings {len(buyers.acknowledged)}, 503 {sum(buyers.refused.values())}, missing 0,"
               f" pages from memory {reader.statuses[200]} of {sum(reader.statuses.values())}, healed within"
               f" {slowest:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
