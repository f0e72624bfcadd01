"""R14: two servers behind nginx are restarted one after the other under 200 requests a second: every request gets its
answer. nginx is set up as we advise: it asks the next server when one cannot be reached, and never sends twice what may
act twice; whatever a server took and did not answer counts as failed, whether or not nginx could mend it. Half of the
clients come over connections that nginx keeps, half over a new one each. At the end the servers are killed instead,
which the same counting must find.

rolling_restart.py SVC DATABASE RESTARTS
"""
import contextlib
import http.client
import signal
import sys
import threading
import time

from proving import Nginx, Site, arguments, ask, day, figure, filled_in, not_limited, references

SVC, DATABASE, (RESTARTS,) = arguments(2)
CLIENTS, PACE = 20, 200  # requests a second of all clients together
DAYS = [day(40 + ahead) for ahead in range(10)]  # so that they seldom wait for one another's seats


class Traffic:
    """Clients that ask at a pace: a session, its booking, two pages."""

    def __init__(self, proxies, trip):
        self.proxies, self.trip, self.lock, self.ended = proxies, trip, threading.Lock(), threading.Event()
        self.answered, self.acknowledged, self.failed, self.began = 0, [], [], time.monotonic()
        self.threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for each in self.threads:
            each.start()

    def _client(self, number):
        port, turn, session = self.proxies[number % len(self.proxies)].port, 0, None
        while not self.ended.is_set():
            due = self.began + (number / CLIENTS + turn) * CLIENTS / PACE
            time.sleep(max(0.0, due - time.monotonic()))
            session = self._step(port, number, turn, session)
            turn += 1

    def _step(self, port, number, turn, session):
        step = (turn + number // 2) % 4  # at each moment some of each kind
        if step == 0:
            date = DAYS[number % len(DAYS)]
            return self._ask(port, 201, "POST", "/booking/session", {"trip_id": self.trip, "travel_date": date})
        if step == 1:
            if session and (made := self._ask(port, 201, "POST", "/booking/create", filled_in({
                    "session_id": session["session_id"], "contact_email": f"ada{number}.{turn}@example.org"}))):
                with self.lock:
                    self.acknowledged.append(made["reference"])
        else:
            self._ask(port, 200, "GET", "/trips/public" if step == 2 else f"/trips/{self.trip}/available-dates")

    def _ask(self, port, wanted, *request):
        try:
            status, answer = ask(port, *request)
        except (OSError, http.client.HTTPException, ValueError) as why:
            status, answer = 0, repr(why)
        with self.lock:
            self.answered += status == wanted
            if status != wanted:
                self.failed.append((*request[:2], status, answer))
        return answer["data"] if status == wanted else None

    def stop(self):
        """Requests answered a second."""
        self.ended.set()
        for each in self.threads:
            each.join()
        return self.answered / (time.monotonic() - self.began)


def restarted(site, server, kill=False):
    """The same server anew on its port, as behind a proxy's list; and how long the old one took to end."""
    if kill:
        server.process.send_signal(signal.SIGSTOP)  # so that it holds some requests when it dies
        time.sleep(0.1)
    began = time.monotonic()
    server.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
    server.process.wait(40)
    took = time.monotonic() - began
    assert kill or server.process.returncode == 0, server.process.returncode
    return site.start(port=server.port), took


def rounds(site, proxies, nodes, trip, count, kill=False):
    """That many restarts under traffic: (traffic, seconds each took to end, what was taken and lost, requests/s)."""
    before, traffic, drains = [len(proxy.taken_and_lost()) for proxy in proxies], Traffic(proxies, trip), []
    try:
        for turn in range(count):
            time.sleep(1)
            nodes[turn % 2], took = restarted(site, nodes[turn % 2], kill)
            drains.append(took)
        time.sleep(1)
    finally:
        pace = traffic.stop()
    lost = [("kept" if proxy.kept else "new", line) for proxy, seen in zip(proxies, before)
            for line in proxy.taken_and_lost()[seen:]]
    assert not set(traffic.acknowledged) - set(references(site))
    return traffic, drains, lost, pace


def main():
    with Site(SVC, DATABASE, servers=2) as site, contextlib.ExitStack() as stack:
        not_limited(site)
        time.sleep(1.5)
        trip = site.given_trip()["id"]
        for date in DAYS:
            site.given_departure(trip, date, 100_000)
        site.wait_until_all_show(trip)
        nodes = list(site.servers)
        proxies = [stack.enter_context(Nginx([node.port for node in nodes], "error timeout", kept)) for kept in (32, 0)]
        traffic, drains, lost, pace = rounds(site, proxies, nodes, trip, int(RESTARTS))
        assert not traffic.failed and not lost, (len(traffic.failed), traffic.failed[:3], len(lost), lost[:3])
        drains.sort()
        killed, _, seen, _ = rounds(site, proxies, nodes, trip, 2, kill=True)
        assert killed.failed and seen, "two servers were killed with requests in hand, and nothing was missed"
        site.check_invariants()
        figure(f"restarts {len(drains)}, requests {traffic.answered} ({pace:.0f}/s), bookings"
               f" {len(traffic.acknowledged)}, failed requests 0, drain p99 {drains[int(len(drains) * 0.99)]:.2f} s; two"
               f" servers killed instead: {len(killed.failed)} failed, {len(seen)} taken and lost")


if __name__ == "__main__":
    sys.exit(main())
