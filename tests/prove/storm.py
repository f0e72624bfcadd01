"""Several nodes: three servers behind nginx over a PostgreSQL of their own; while clients book, one server is killed
and started again, and the database is restarted once. A third of the clients want a date of few seats, which is full
before the first of these and stays wanted: staff cancel one of its bookings after the other until the end.

storm.py SVC postgres
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from proving import Buyers, Nginx, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, _ = arguments()
CLUSTER = [sys.executable, str(pathlib.Path(__file__).parent.parent / "support/postgres.py")]
SEATS, SCARCE = 4000, 30  # more than are sold meanwhile; fewer than are wanted


class Crowd(Buyers):
    """Every third client wants the scarce date."""

    def __init__(self, *arguments):
        self.scarce, self.turned_away, self.given_back = [], 0, 0
        super().__init__(*arguments, clients=12, days=[day(40), day(40), day(41)])

    def sold(self, number, booking):
        if number % 3 == 2:
            self.scarce.append(booking["id"])

    def expected(self, number, refusal):
        full = number % 3 == 2 and (refusal or {}).get("code") == "sold_out"
        self.turned_away += full
        return full

    def wait_until_full(self, seconds=60):
        """Until somebody has been turned away from now on."""
        with self.lock:
            before = self.turned_away
            assert self.lock.wait_for(lambda: self.turned_away > before or self.wrong, seconds), "it never filled"

    def give_back(self, site, ended):
        """Staff cancel bookings of the scarce date, by a server that is not killed."""
        while not ended.wait(0.1):
            with self.lock:
                booking = self.scarce.pop(0) if self.scarce else None
            if booking:
                answer = site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"}, server=1)
                assert answer.status == 200, answer
                self.given_back += 1


def disturb(site, buyers, ports, place):
    buyers.wait_until_full()
    buyers.wait_for_more(60)
    site.servers[0].process.kill()
    site.servers[0].process.wait()
    buyers.wait_for_more(40)
    site.start(port=ports[0])
    buyers.wait_for_more(40)
    subprocess.run([*CLUSTER, "down", place], check=True)
    subprocess.run([*CLUSTER, "up", place], check=True)
    buyers.wait_for_more(60)


def storm(place):
    with Site(SVC, DATABASE, servers=3) as site:
        not_limited(site)
        time.sleep(1.5)
        trip = site.given_trip()["id"]
        plenty = site.given_departure(trip, day(40), SEATS)["id"]
        scarce = site.given_departure(trip, day(41), SCARCE)["id"]
        site.wait_until_all_show(trip)
        ports, ended, failed = [server.port for server in site.servers], threading.Event(), []
        with Nginx(ports) as proxy:
            buyers = Crowd(lambda _: proxy.port, trip)
            staff = threading.Thread(target=lambda: failed.extend(outcome(buyers.give_back, site, ended)))
            staff.start()
            try:
                disturb(site, buyers, ports, place)
                ended.set()
                staff.join()
                buyers.wait_until_full()
            finally:
                ended.set()
                staff.join()
                buyers.stop()
        assert not failed, failed
        stored = references(site)
        missing = buyers.missing_of(stored)
        site.check_invariants()
        booked = {int(row[0]): int(row[1]) for row in site.sql("SELECT id, booked_count FROM svc_departures")}
        assert booked[scarce] == SCARCE, f"{booked[scarce]} of {SCARCE} seats are taken at the end"
        assert booked[plenty] + booked[scarce] + buyers.given_back == len(stored), (booked, buyers.given_back, len(stored))
        assert buyers.turned_away and buyers.given_back
        assert not missing, missing[:5]
        figure(f"acknowledged {len(buyers.acknowledged)}, stored {len(stored)}, missing 0; date of {SCARCE} seats: taken"
               f" {booked[scarce]}, given back meanwhile {buyers.given_back}, turned away {buyers.turned_away}; refused"
               f" {buyers.refused or 0}, without an answer {buyers.cut_off}")


def outcome(act, *arguments):
    """The fault in another thread, if any."""
    try:
        act(*arguments)
    except Exception as why:  # noqa: BLE001
        yield repr(why)


def main():
    with tempfile.TemporaryDirectory(prefix="svc-storm-") as folder:
        place = f"{folder}/cluster"
        subprocess.run([*CLUSTER, "start", place], check=True)
        os.environ["SVC_TEST_POSTGRES"] = pathlib.Path(place + ".conninfo").read_text()
        try:
            storm(place)
        finally:
            subprocess.run([*CLUSTER, "stop", place], check=True)


if __name__ == "__main__":
    sys.exit(main())
