"""A server killed at any moment while eight clients book: what was acknowledged is there, and nothing is half.

booking_crash_test.py SVC DATABASE [KILLS]
"""
import datetime
import http.client
import json
import os
import pathlib
import random
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site, filled_in  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
CHANCE = random.Random(os.environ.get("SVC_PROOF_SEED", "1"))
CLIENTS = 8


class Buyers:
    """Clients that book one after the other and note each reference they were answered."""

    def __init__(self, site, trip):
        self.site, self.trip = site, trip
        self.known = threading.Condition()
        self.acknowledged, self.cut_off, self.surprises = [], 0, []
        self.ended, self.open = False, threading.Event()
        self.threads = [threading.Thread(target=self._buy, args=(n,)) for n in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def _post(self, path, body):
        server = self.site.servers[-1]
        status, _, text = server.ask("/svc/v1" + path, "POST", json.dumps(body), {"Content-Type": "application/json"})
        return status, json.loads(text)

    def _buy(self, number):
        while not self.ended:
            self.open.wait()
            try:
                status, session = self._post("/booking/session", {"trip_id": self.trip, "travel_date": DAY})
                if status == 201:
                    status, made = self._post("/booking/create", filled_in({
                        "session_id": session["data"]["session_id"], "contact_last_name": f"Of {number}",
                        "contact_email": f"ada{number}@example.org"}))
            except (OSError, http.client.HTTPException):
                with self.known:
                    self.cut_off += 1
                continue
            with self.known:
                if status == 201:
                    self.acknowledged.append(made["data"]["reference"])
                elif status != 503:
                    self.surprises.append((status, session))
                self.known.notify_all()

    def wait_for_more(self, count):
        """Until that many more bookings are acknowledged."""
        with self.known:
            goal = len(self.acknowledged) + count
            assert self.known.wait_for(lambda: len(self.acknowledged) >= goal or self.surprises, 60), "nothing is sold"

    def stop(self):
        self.ended = True
        self.open.set()
        for thread in self.threads:
            thread.join()


class BookingCrash(unittest.TestCase):
    def test_acknowledged_bookings_outlive_every_kill(self):
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"}) as site:
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0})
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 100_000)
            buyers, kills = Buyers(site, trip), 0
            try:
                while kills < KILLS:  # each waits a minute for its sales at most
                    buyers.open.set()
                    buyers.wait_for_more(CHANCE.randint(1, 40))
                    time.sleep(CHANCE.uniform(0, 0.02))  # anywhere inside a request
                    site.servers[-1].process.kill()
                    buyers.open.clear()  # nobody asks until it is back and looked at
                    site.servers[-1].process.wait()
                    kills += 1
                    site.start()
                    site.check_invariants()
            finally:
                buyers.stop()
            stored = {row[0] for row in site.sql("SELECT reference FROM svc_bookings")}
            missing = [one for one in buyers.acknowledged if one not in stored]
            print(f"figure: kills {kills}, acknowledged {len(buyers.acknowledged)}, stored {len(stored)},"
                  f" cut off {buyers.cut_off}, missing {len(missing)}")
            self.assertEqual((missing, buyers.surprises), ([], []))
            self.assertEqual(len(set(buyers.acknowledged)), len(buyers.acknowledged))
            self.assertLessEqual(len(stored) - len(buyers.acknowledged), kills * CLIENTS)
            site.check_invariants()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
