"""Sequences of e-mails in a server that is killed at any moment: each booking gets each step once, and none is lost.

email_sequences_test.py SVC DATABASE PRO
"""
import datetime
import os
import pathlib
import random
import sys
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
KILLS = int(os.environ.get("SVC_TEST_KILLS", "8"))
SEQUENCES, BOOKINGS = 12, 10
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
CHANCE = random.Random(48)


class EmailSequences(unittest.TestCase):
    def test_each_step_is_taken_once_through_kills(self):
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
            site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'agency', 0, 0)")
            turned = site.as_staff("POST", "/modules/email_automation/toggle", {"enabled": True})
            self.assertEqual(turned.status, 200, turned)
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0})
            for number in range(SEQUENCES):
                made = site.as_staff("POST", "/email-sequences", {
                    "name": f"Sequence {number}", "trigger_type": "booking.confirmed", "status": "active",
                    "steps": [{"delay_value": 1, "delay_unit": "days", "custom_subject": f"Step of {number}",
                               "custom_body": "<p>{{ trip_name }}</p>"}]})
                self.assertEqual(made.status, 201, made)
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 1000)
            site.wait_until_all_show(trip)
            for number in range(BOOKINGS):
                booked = site.book(trip, DAY, name=f"Ada{number}", headers=site.staff)
                self.assertEqual(booked.status, 201, booked)
                done = site.as_staff("PUT", f"/bookings/{booked.data['booking_id']}/status", {"status": "confirmed"})
                self.assertEqual(done.status, 200, done)
            steps = SEQUENCES * BOOKINGS
            self.until(lambda: count(site, "svc_email_enrolments"), steps)

            def run():
                try:
                    site.as_staff("POST", "/tools/cron-run", {"hook": "svc_email_sequences"}, server=-1)
                except OSError:
                    pass  # it was killed meanwhile

            share = steps // KILLS + 1
            for _ in range(KILLS):
                site.sql(f"UPDATE svc_email_enrolments SET next_run_at = {now()} WHERE id IN (SELECT id FROM"
                         f" svc_email_enrolments WHERE status = 'active' ORDER BY id LIMIT {share})")
                runs = threading.Thread(target=run)
                runs.start()
                time.sleep(CHANCE.uniform(0, 0.08))  # anywhere inside the run
                site.servers[-1].process.kill()
                site.servers[-1].process.wait()
                runs.join()
                # As if the minute that the job is the dead process's had passed.
                site.sql("UPDATE svc_jobs SET locked_by = NULL, locked_until = NULL WHERE name = 'email_sequences'")
                site.start()
                site.check_invariants()
            site.sql(f"UPDATE svc_email_enrolments SET next_run_at = {now()} WHERE status = 'active'")

            def finished():
                run()
                return count(site, "svc_email_enrolments WHERE status = 'finished'")
            self.until(finished, steps)
            self.until(lambda: count(site, "svc_email_outbox WHERE template_key = 'automation_message'"), steps)
            self.assertEqual(count(site, "svc_email_step_logs WHERE reason = ''"), steps)
            twice = site.sql("SELECT booking_id, subject FROM svc_email_outbox WHERE template_key = 'automation_message'"
                             " GROUP BY booking_id, subject HAVING COUNT(*) > 1")
            self.assertEqual(twice, [])
            print(f"figure: kills {KILLS}, steps {steps}, twice 0")

    def until(self, what, wanted, tries=600):
        for _ in range(tries):
            if (seen := what()) == wanted:
                return
            time.sleep(0.1)
        self.fail(f"{wanted} was waited for, and it stayed {seen}")


def now():
    return int(time.time() * 1_000_000)


def count(site, what):
    return int(site.sql(f"SELECT COUNT(*) FROM {what}")[0][0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
