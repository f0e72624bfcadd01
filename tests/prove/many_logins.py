"""S1: two hundred sign-ins at once, with right and wrong passwords and names that nobody has. Each is answered: with what
it asks for, or by 503 with a Retry-After where it would have to wait too long. Pages go on being answered meanwhile, and however many workers there
are the server's memory never grows by more than the hashes that it makes at a time need.

many_logins.py SVC DATABASE ROUNDS
"""
import collections
import itertools
import sys
import threading
import time

from proving import Site, answered, arguments, ask, figure, small_accounts

SVC, DATABASE, (ROUNDS,) = arguments(2)
LOGINS, ACCOUNTS = 200, 40
NAMES = [f"small{number}" for number in range(ACCOUNTS)]
WORKERS = 64  # many more than hashes
HASHES, HASH = 2, 19 << 10  # at a time, and KiB of each
NUMBERS = itertools.count(1)


def peak(server):
    """KiB of memory that a server had at most."""
    return int(next(line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmHWM")).split()[1])


def forget_peak(server):
    """The peak is what it has now."""
    with open(f"/proc/{server.process.pid}/clear_refs", "w") as file:
        file.write("5")


class Pages:
    """Asks for a page again and again, each answer timed."""

    def __init__(self, port):
        self.port, self.statuses, self.times, self.ended = port, collections.Counter(), [], threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended.wait(0.01):
            began = time.monotonic()
            self.statuses[ask(self.port, "GET", "/trips/public")[0]] += 1
            self.times.append(time.monotonic() - began)

    def stop(self):
        """Milliseconds that most of them took at most."""
        self.ended.set()
        self.thread.join()
        assert set(self.statuses) == {200}, self.statuses
        return sorted(self.times)[int(len(self.times) * 0.9)] * 1000


def attempts(site):
    """(user name, password, what it is answered); every account is tried once rightly and once wrongly."""
    password = site.password.split()[-1]
    right = [(name, password, 200) for name in NAMES]
    wrong = [(name, "not this one", 401) for name in NAMES]
    unknown = [(f"nobody{next(NUMBERS)}", password, 401) for _ in range(LOGINS - len(right) - len(wrong))]
    return [one for each in itertools.zip_longest(right, wrong, unknown) for one in each if one]


def at_once(server, tried):
    """Begins all of them together, each from an address of its own; those that were refused as it was too busy."""
    gate, told, wrong = threading.Barrier(len(tried)), collections.Counter(), []
    refused = []

    def sign_in(name, password, expected):
        n = next(NUMBERS)
        address = f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"
        gate.wait()
        status, headers, _ = answered(server.port, "POST", "/auth/login", {"username": name, "password": password},
                                      {"X-Forwarded-For": address}, timeout=120)
        told[status] += 1
        if status == 503 and headers.get("retry-after", "").isdigit():
            refused.append((name, password, expected))
        elif status != expected:
            wrong.append((name, expected, status, headers))
    threads = [threading.Thread(target=sign_in, args=one) for one in tried]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong and sum(told.values()) == len(tried), (wrong[:3], told)
    return refused, told


def crowds(site, server, name):
    """Rounds of them; whoever was refused in the last one comes again when all is quiet."""
    pages = Pages(server.port)
    time.sleep(0.5)
    usual = pages.stop()
    assert not at_once(server, attempts(site)[:4])[0]  # what is made once
    forget_peak(server)
    before, pages, told = peak(server), Pages(server.port), collections.Counter()
    for _ in range(int(ROUNDS)):
        # A right one counts as a guess until it has proven right, and a wrong one for good.
        site.sql("DELETE FROM svc_rate_limits")
        refused, answers = at_once(server, attempts(site))
        told += answers
    during, grown = pages.stop(), peak(server) - before
    assert not at_once(server, refused[:4])[0], "still too busy"
    figure(f"{LOGINS} sign-ins at once, {name}: answers {dict(told)}, memory grew by {grown >> 10} MiB at most, {HASHES} hashes"
           f" take {HASHES * HASH >> 10}; pages meanwhile {len(pages.times)}, nine of ten within {during:.0f} ms,"
           f" {usual:.0f} before")
    # Beside the hashes: what threads keep at their first work, half a MiB each at most.
    assert grown < HASHES * HASH + WORKERS * 512, f"memory grew by {grown} KiB"
    return told


def main():
    for name, environment in (("as it comes", {}), (f"{WORKERS} workers", {
            "SVC_LISTEN_WORKERS": str(WORKERS), "SVC_LISTEN_WAIT_MS": "600000"})):
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none", **environment}) as site:
            assert site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0}).status == 200
            site.given_trip()
            small_accounts(site, NAMES)
            told = crowds(site, site.servers[0], name)
            if environment:  # all of them are waited for
                rounds = int(ROUNDS)
                assert told == {200: ACCOUNTS * rounds, 401: (LOGINS - ACCOUNTS) * rounds}, told
            else:
                assert told[200] and told[401], told


if __name__ == "__main__":
    sys.exit(main())
