"""R17: a proxy between the servers and PostgreSQL cuts, refuses, holds, delays, drips and garbles, longer than our own
time limits too, and the database ends its sessions each second; another between them and PayPal does the same. Requests
fail with 503 (502 for PayPal's) alone and in time, what needs neither is answered as quickly as before, and the first
quiet moment heals everything. SQLite has no connection to cut: there it is PayPal alone, and held_lock.py.

cut_database.py SVC DATABASE TROUBLES      of PostgreSQL; PayPal has each once
"""
import collections
import itertools
import json
import re
import selectors
import socket
import sys
import threading
import time

from proving import (Asker, Buyers, Site, Watched, arguments, ask, day, figure, free_port, not_limited, random_of, references,
                     unmoved)
from paypal_stub import PayPalStub

CALL = 8  # seconds that PayPal is waited for
LONG = 8  # seconds: more than a statement (5) and the wait for a session (2) may take
# The faults, and their duration.
SHORT = (0.3, 1.5)
MODES = {"cut": SHORT, "refuse": SHORT, "hold": SHORT, "garble": SHORT, "delay": (2, 3), "drip": (2, 3), "end": (3, 4),
         "long hold": (LONG, LONG)}


class Trouble:
    """Passes bytes on; `mode`: fine, cut (ends every connection), refuse (and takes no new one), hold, garble, delay
    (each message 200 ms), drip (16 bytes a time)."""

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
            try:
                far = socket.create_connection(self.there)
            except OSError:  # one that cannot be passed on is no reason to take no other
                near.close()
                continue
            with self.lock:
                self.pairs[near] = far
            threading.Thread(target=self._pass, args=(near, far), daemon=True).start()

    def _pass(self, near, far):
        with selectors.DefaultSelector() as ready:
            try:
                ready.register(near, selectors.EVENT_READ, far)
                ready.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _ in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        self._treat(data, key.data, key.fileobj is far)
            except (OSError, ValueError):  # ended, perhaps before it was looked at
                pass
            finally:
                self.end(near)

    def _treat(self, data, to, answer):
        if self.mode == "delay":
            time.sleep(0.2)
        while self.mode in ("hold", "long hold"):
            time.sleep(0.01)
        while self.mode == "drip" and data:
            to.sendall(data[:16])
            data = data[16:]
            time.sleep(0.02)
        if self.mode == "garble" and answer:
            data = b"\x00" + data[::-1]
        to.sendall(data)

    def end(self, near):
        with self.lock:
            far = self.pairs.pop(near, None)
        for each in filter(None, (near, far)):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def trouble(self, mode, seconds, each_second=None):
        self.mode = mode
        began = time.monotonic()
        for turn in itertools.count():
            if time.monotonic() >= began + seconds:
                break
            if mode in ("cut", "refuse"):
                for near in list(self.pairs):
                    self.end(near)
            if mode == "end" and turn % 20 == 0:
                each_second()
            time.sleep(0.05)
        self.mode = "fine"
        for near in list(self.pairs):
            if mode == "garble":
                self.end(near)


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


def database(site, server, trip, troubles):
    """That many troubles of the database; that part of the figure."""
    chance, healed, late, seen, ended = random_of("database"), 0.0, 0, {}, 0
    buyers = Watched(lambda _: server.port, trip, clients=6)
    end_all = ("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
               " AND pid <> pg_backend_pid()")

    def end_sessions():
        nonlocal ended
        ended += int(site.sql(end_all)[0][0])
    try:
        quiet = Asker({200}, server.port, "GET", "/trips/public")
        buyers.wait_for_more(60)
        usual = quiet.stop()
        reader = Asker({200}, server.port, "GET", "/trips/public")
        writer = Asker({201, 503}, server.port, "POST", "/booking/session", {})
        for turn in range(troubles):
            buyers.wait_for_more(10)
            mode = list(MODES)[turn % len(MODES)]
            seen[mode] = seen.get(mode, 0) + 1
            site.proxy.trouble(mode, chance.uniform(*MODES[mode]), end_sessions)
            began = time.monotonic()
            buyers.wait_for_more(1)
            healed = max(healed, time.monotonic() - began)
            buyers.wait_for_more(30)
            refused = buyers.refused_since(began)
            late = max(late, refused.total())
    finally:
        buyers.stop()
        during, _ = reader.stop(), writer.stop()
    slowest = max(writer.times)
    assert all(says_when for *_, status, says_when in buyers.asked if status == 503), "refused without a Retry-After"
    missing = buyers.missing_of(references(site))
    assert not missing, missing[:5]
    # What was caught by the long hold, once its statement or its wait for a session was over.
    assert slowest < LONG + 5, f"a request waited {slowest} s"
    # Of all clients together: the first may have found a session that it could not mend.
    assert late <= 1, f"{late} requests were refused that were begun when all was well again"
    assert ended or "end" not in seen, "no session was ended"
    return (f"troubles {seen}, sessions ended {ended}, bookings {len(buyers.acknowledged)}, 503"
            f" {sum(buyers.refused.values())}, missing 0, {unmoved(usual, during, 'meanwhile')}, longest wait"
            f" {slowest:.1f} s, healed within {healed:.1f} s, begun"
            f" afterwards and refused {late}")


def partner(site, server, trip, proxy):
    """PayPal in the same troubles, while visitors book; that part of the figure."""
    # Each may be paid for ten times a minute.
    made = [site.book(trip, day(41), f"Payer{number}").data["booking_id"] for number in range(240)]
    addresses, told, slowest, chance = itertools.count(1), {}, 0.0, random_of("partner")

    def intent(gateway="paypal"):
        number = next(addresses)
        began = time.monotonic()
        status, _ = ask(server.port, "POST", "/payment/create-intent", {"gateway": gateway, "booking_id": made[number % len(made)]},
                        {"X-Forwarded-For": f"198.51.{number // 250}.{number % 250}"}, timeout=60)
        return status, time.monotonic() - began
    assert intent()[0] == 200
    buyers = Buyers(lambda _: server.port, trip, clients=4)
    try:
        quiet = Asker({200}, server.port, "GET", "/trips/public")
        buyers.wait_for_more(40)
        usual = quiet.stop()
        reader = Asker({200}, server.port, "GET", "/trips/public")
        for mode in ("cut", "refuse", "garble", "delay", "drip", "long hold"):
            trouble = threading.Thread(target=proxy.trouble, args=(mode, chance.uniform(*MODES[mode])))
            trouble.start()
            while trouble.is_alive():
                status, took = intent()
                told[status], slowest = told.get(status, 0) + 1, max(slowest, took)
                time.sleep(0.1)
            buyers.wait_for_more(10)
            began = time.monotonic()
            while (status := intent()[0]) != 200:
                assert time.monotonic() - began < 60, f"PayPal is back, and is answered {status}"
                time.sleep(0.5)
        aside = aside_of_many(proxy, intent)
    finally:
        buyers.stop()
        during = reader.stop()
    assert not buyers.refused, f"bookings were refused for PayPal's sake: {buyers.refused}"
    assert set(told) <= {200, 502, 503} and told.get(502), told
    return (f"PayPal in the same: answers {told}, longest {slowest:.1f} s, bookings meanwhile {len(buyers.acknowledged)},"
            f" refused 0, {unmoved(usual, during, 'then')}; {aside}")


def aside_of_many(proxy, intent):
    """Many pay by a PayPal that says nothing; who pays otherwise, on the same threads, does not wait for them."""
    statuses, ended = collections.Counter(), threading.Event()

    def pay():
        while not ended.is_set():
            statuses[intent()[0]] += 1
            time.sleep(0.2)
    payers = [threading.Thread(target=pay) for _ in range(8)]
    trouble = threading.Thread(target=proxy.trouble, args=("hold", CALL + 8))
    trouble.start()
    for payer in payers:
        payer.start()
    time.sleep(CALL + 2)  # the first have waited in vain
    others = [intent("bank_transfer") for _ in range(40)]
    assert trouble.is_alive(), "they were asked too late"
    trouble.join()
    ended.set()
    for payer in payers:
        payer.join()
    longest, answers = max(took for _, took in others), collections.Counter(status for status, _ in others)
    assert statuses[502] > len(payers), statuses
    # It is no such gateway here, which the same threads find out.
    assert set(answers) == {404} and longest < CALL / 2, f"who pays otherwise waited {longest} s: {answers}"
    return (f"{len(payers)} at a time by a silent PayPal: {dict(statuses)}, {len(others)} otherwise beside them waited"
            f" {longest:.1f} s at most")


def causes(server):
    """The server's complaints, by their number."""
    told = collections.Counter()
    for line in filter(None, list(server.lines)):
        if '"level":"error"' in line or '"level":"warning"' in line:
            told[" ".join(str(value) for name, value in json.loads(line).items() if name not in ("at", "request_id"))] += 1
    return "\n".join(f"{count} {what}" for what, count in told.most_common(12))


def main():
    svc, kind, (troubles,) = arguments(2)
    with PayPalStub() as paypal:
        proxy = Trouble(*paypal.server.server_address[:2])
        with (Behind if kind == "postgres" else Site)(svc, kind, environment={
                "SVC_PRO_LIBRARY": "none", "SVC_OUTBOUND_PRIVATE_HOSTS": f"127.0.0.1:{proxy.port}",
                "SVC_PAYMENT_API_BASES": f"paypal=http://127.0.0.1:{proxy.port}/"}) as site:
            not_limited(site)
            trip = site.given_trip()["id"]
            for ahead in (40, 41):
                site.given_departure(trip, day(ahead), 100_000)
            assert site.as_staff("POST", "/payment/gateways/paypal/config", {
                "enabled": True, "client_id": paypal.CLIENT, "client_secret": paypal.SECRET,
                "webhook_id": paypal.WEBHOOK}).status == 200
            server = site.servers[0]
            try:
                said = [database(site, server, trip, int(troubles))] if kind == "postgres" else []
                said.append(partner(site, server, trip, proxy))
            except AssertionError:
                print(causes(server), file=sys.stderr)
                raise
            assert server.process.poll() is None
            site.check_invariants()
            figure("; ".join(said))


if __name__ == "__main__":
    sys.exit(main())
