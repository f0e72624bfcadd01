"""R15: at twice and ten times what it can do a server goes on doing nearly as much, refuses the rest at once with a
Retry-After, keeps nobody waiting longer than its queue is, and is as before once the crowd has gone.

overload.py SVC DATABASE SECONDS      seconds of each step

What is asked waits for the database, which a trigger of ours slows down: so its capacity is known to be small, and the
crowd is real on two processors.
"""
import concurrent.futures
import sys
import threading
import time

from proving import Site, arguments, ask, figure, not_limited

SVC, DATABASE, (SECONDS,) = arguments(2)
SECONDS = float(SECONDS)
WORKERS, QUEUE = 2, 8  # four waiting for each worker
SLOW = {
    "postgres": """CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
                   'BEGIN PERFORM pg_sleep(0.04); RETURN NEW; END';
                   CREATE TRIGGER slow BEFORE INSERT ON svc_booking_sessions FOR EACH ROW EXECUTE FUNCTION slow()""",
    "sqlite": """CREATE VIEW slow_rows AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000)
                 SELECT i FROM n;
                 CREATE TRIGGER slow BEFORE INSERT ON svc_booking_sessions BEGIN
                 SELECT COUNT(*) FROM slow_rows WHERE i <> NEW.id; END""",
}


class Tally:
    def __init__(self):
        self.lock, self.good, self.refused, self.slowest, self.wrong = threading.Lock(), 0, 0, 0.0, []

    def once(self, port):
        began = time.monotonic()
        try:
            status, answer = ask(port, "POST", "/booking/session", {})
        except OSError as why:
            status, answer = 0, str(why)
        took = time.monotonic() - began
        with self.lock:
            if status == 201:
                self.good, self.slowest = self.good + 1, max(self.slowest, took)
            elif status == 503:
                self.refused += 1
            else:
                self.wrong.append((status, answer))


def at_once(port):
    """What as many clients as there are workers get done, one request after the other: answers a second."""
    tally, until = Tally(), time.monotonic() + SECONDS

    def client():
        while time.monotonic() < until:
            tally.once(port)
    clients = [threading.Thread(target=client) for _ in range(WORKERS)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    assert not tally.wrong and not tally.refused, tally.wrong[:3]
    return tally.good / SECONDS


def crowd(port, rate, pool):
    """Requests at that rate, whatever becomes of those before."""
    tally, began = Tally(), time.monotonic()
    for number in range(int(rate * SECONDS)):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        pool.submit(tally.once, port)
    return tally, time.monotonic() - began


def memory(process):
    status = dict(line.split(":", 1) for line in open(f"/proc/{process.pid}/status") if ":" in line)
    return int(status["VmRSS"].split()[0])


def main():
    with Site(SVC, DATABASE, environment={"SVC_LISTEN_WORKERS": str(WORKERS)}, log="server.log") as site:
        not_limited(site)
        site.sql(SLOW[DATABASE])
        server = site.servers[0]
        able = at_once(server.port)
        before, said, shares = memory(server.process), [], {}
        for times in (1, 2, 10):
            with concurrent.futures.ThreadPoolExecutor(min(400, int(able * times) + 16)) as pool:
                tally, took = crowd(server.port, able * times, pool)
            assert not tally.wrong, tally.wrong[:3]
            shares[times] = tally.good / took / able
            # Nobody waits for more than what runs and what may wait before them; four times that for a busy machine.
            most = 4 * (WORKERS + QUEUE + 1) / able
            said.append(f"at {times}x {shares[times]:.2f} of capacity, refused {tally.refused}, slowest"
                        f" {tally.slowest * able:.1f} turns")
            assert tally.slowest <= most, f"{tally.slowest} s waited, {most} s at most"
            if times > 1:
                assert tally.refused, "nobody was refused"
        after = at_once(server.port)
        grown = memory(server.process) - before
        figure(f"{'; '.join(said)}; afterwards {after / able:.2f}; memory {grown / 1024:+.0f} MiB")
        assert site.call("GET", "/trips/public").status == 200
        assert min(shares[2], shares[10]) >= 0.8, shares
        assert after >= 0.8 * able, "it did not come back"
        assert grown < 16 << 10, f"{grown} KiB more"


if __name__ == "__main__":
    sys.exit(main())
