"""Several nodes: three servers behind nginx over a PostgreSQL of their own; while clients book, one server is killed
and started again, and the database is restarted once.

storm.py SVC postgres
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from proving import Buyers, Nginx, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, _ = arguments()
CLUSTER = [sys.executable, str(pathlib.Path(__file__).parent.parent / "support/postgres.py")]
SEATS = 4000  # more than are sold meanwhile


def storm(place):
    with Site(SVC, DATABASE, servers=3) as site:
        not_limited(site)
        time.sleep(1.5)
        trip = site.given_trip()["id"]
        departure = site.given_departure(trip, day(), SEATS)["id"]
        site.wait_until_all_show(trip)
        ports = [server.port for server in site.servers]
        with Nginx(ports) as proxy:
            buyers = Buyers(lambda _: proxy.port, trip, clients=12)
            try:
                buyers.wait_for_more(60)
                site.servers[0].process.kill()
                site.servers[0].process.wait()
                buyers.wait_for_more(40)
                site.start(port=ports[0])
                buyers.wait_for_more(40)
                subprocess.run([*CLUSTER, "down", place], check=True)
                subprocess.run([*CLUSTER, "up", place], check=True)
                buyers.wait_for_more(60)
            finally:
                try:
                    buyers.stop()
                except AssertionError:
                    sold_out = all((answer or {}).get("code") == "sold_out" for _, answer in buyers.wrong)
                    if not sold_out:
                        raise
        stored = references(site)
        missing = buyers.missing_of(stored)
        site.check_invariants()
        booked = int(site.sql(f"SELECT booked_count FROM svc_departures WHERE id = {departure}")[0][0])
        assert booked <= SEATS and booked == len(stored), (booked, len(stored))
        assert not missing, missing[:5]
        figure(f"acknowledged {len(buyers.acknowledged)}, stored {len(stored)}, missing 0, oversold 0, refused"
               f" {buyers.refused or 0}, without an answer {buyers.cut_off}")


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
