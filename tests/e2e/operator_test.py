"""What an operator does and relies on: backup and restore, doctor, health, metrics, a quiet end, two starts at once.

operator_test.py SVC DATABASE
"""
import base64
import collections
import concurrent.futures
import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid

SUPPORT = pathlib.Path(__file__).parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from installation import Site, filled_in  # noqa: E402
from server import Connection  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
ALONE = {"SVC_PRO_LIBRARY": "none"}


def given_site(**more):
    return Site(SVC, DATABASE, environment={**ALONE, **more})


def given_sale(site, capacity=10_000):
    site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0})
    trip = site.given_trip()["id"]
    site.given_departure(trip, DAY, capacity)
    return trip


@contextlib.contextmanager
def buyers(site, trip, count=4):
    """Books on from several threads while inside; the references that were answered."""
    ended, known = threading.Event(), threading.Condition()
    sold = []

    def buy(number):
        while not ended.is_set():
            made = site.book(trip, DAY, f"Ada{number}")
            assert made.status == 201, made
            with known:
                sold.append(made.data["reference"])
                known.notify_all()

    def wait_for(more):
        with known:
            goal = len(sold) + more
            assert known.wait_for(lambda: len(sold) >= goal, 60), "nothing is sold"

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        running = [pool.submit(buy, n) for n in range(count)]
        try:
            yield sold, wait_for
        finally:
            ended.set()
    for one in running:
        one.result()


def run(site, *words, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
    return subprocess.run([site.svc, *words], cwd=site.dir, env={**clean, **site.environment, **environment},
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Care(unittest.TestCase):
    def restored(self, site, copy):
        """The URL of a database made from the copy."""
        if DATABASE == "sqlite":
            return f"sqlite:{copy}"
        name = "site_" + uuid.uuid4().hex[:12]
        subprocess.run(["psql", site.sql_admin, "-qc", f"CREATE DATABASE {name}"], check=True)
        site.stack.callback(subprocess.run, ["psql", site.sql_admin, "-qc", f"DROP DATABASE {name} WITH (FORCE)"])
        words = [w for w in site.sql_admin.split() if not w.startswith("dbname=")]
        url = " ".join([*words, f"dbname={name}"])
        restored = subprocess.run(["pg_restore", "--no-owner", "--exit-on-error", "-d", url, str(copy)],
                                  capture_output=True, text=True)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        return "postgresql:" + url

    def test_a_copy_made_while_people_book_starts_and_holds_all_that_was_sold_before(self):
        with given_site() as site:
            trip = given_sale(site)
            copy = site.dir / "copy"
            with buyers(site, trip) as (sold, wait_for):
                wait_for(10)
                before = list(sold)
                site.run("backup", str(copy))
                wait_for(5)
            self.assertEqual(copy.stat().st_mode & 0o077, 0)
            site.servers.pop().__exit__()
            site.environment["SVC_DATABASE_URL"] = self.restored(site, copy)
            site.start()
            site.check_invariants()
            stored = {row[0] for row in site.sql("SELECT reference FROM svc_bookings")}
            self.assertEqual(set(before) - stored, set())
            self.assertLess(len(stored), len(sold))
            self.assertEqual(site.book(trip, DAY).status, 201)  # the key opens what it sealed, the schema is whole
            again = site.as_staff("GET", f"/bookings?search={before[0]}")
            self.assertEqual(again.json["meta"]["total"], 1)

    def test_samples_show_how_far_they_are_stop_on_ctrl_c_and_go_on_from_there(self):
        with given_site() as site:
            clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
            ours, theirs = os.openpty()
            command = subprocess.Popen([SVC, "samples"], cwd=site.dir, env={**clean, **site.environment},
                                       stdout=subprocess.PIPE, stderr=theirs, text=True)
            os.close(theirs)
            shown = ""
            with contextlib.suppress(OSError):  # the other end closes
                while part := os.read(ours, 1000).decode():
                    begun = re.search(r"trips [1-9]", shown)
                    shown += part
                    if not begun and re.search(r"trips [1-9]", shown):
                        command.send_signal(signal.SIGINT)
            os.close(ours)
            self.assertEqual(command.wait(60), 130, shown)
            self.assertRegex(shown, r"\rsample trips \d+ of 12, \d+(\.\d)?/s, \d+ s left")
            self.assertRegex(shown, r"svc: stopped: \d+ of 12 sample trips are loaded; run svc samples")
            begun = int(site.sql("SELECT COUNT(*) FROM svc_trips")[0][0])
            self.assertTrue(0 < begun < 12, begun)
            self.assertEqual(site.run("samples"), f"{12 - begun} sample trips\n")
            self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_trips"), [["12"]])
            self.assertEqual(site.run("samples"), "0 sample trips\n")
            # The first look at them loads no originals: the copies are there before the command ends.
            self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_media WHERE sizes <> ''"), [["12"]])

    def test_doctor_tells_good_from_bad_by_its_exit_code(self):
        with given_site() as site:
            good = run(site, "doctor")
            self.assertEqual(good.returncode, 0, good.stdout)
            self.assertNotIn("bad", good.stdout)
            self.assertNotIn("warning: database sessions", good.stdout)
            few = run(site, "doctor", SVC_DATABASE_SESSIONS="1", SVC_LISTEN_WORKERS="8")
            self.assertEqual(few.returncode, 0, few.stdout)
            self.assertRegex(few.stdout, r"warning\W+database sessions\W+1 sessions for 8 workers; raise database\.sessions to"
                                         r" listen\.workers")
            key = site.dir / "var/svc.key"
            key.chmod(0o644)
            bad = run(site, "doctor")
            self.assertEqual(bad.returncode, 1, bad.stdout)
            self.assertRegex(bad.stdout, r"bad +key file")
            key.chmod(0o400)
            self.assertEqual(run(site, "doctor").returncode, 0)
            for file in (site.dir / "var").glob("*.db*"):
                self.assertEqual(file.stat().st_mode & 0o077, 0, file)
                file.chmod(0o644)
                self.assertRegex(run(site, "doctor").stdout, r"bad +database file")
                file.chmod(0o600)
            open_door = run(site, "doctor", SVC_SITE_URL="https://book.example.org", SVC_SITE_COOKIE_SECURE="false")
            self.assertRegex(open_door.stdout, r"bad +way in")
            self.assertEqual(run(site, "doctor", SVC_SITE_URL="https://book.example.org").returncode, 0)
            nowhere = run(site, "doctor", SVC_DATABASE_URL="postgresql:host=127.0.0.1 port=1 connect_timeout=2")
            self.assertEqual(nowhere.returncode, 1)
            self.assertRegex(nowhere.stdout, r"bad +database")

    def test_keys_change_while_seats_are_sold_and_nothing_sealed_is_lost(self):
        with given_site() as site:
            trip = given_sale(site)
            config = {"enabled": True, "client_id": "client", "client_secret": "a-secret-of-paypal"}
            shown = site.as_staff("POST", "/payment/gateways/paypal/config", config)
            self.assertEqual(shown.status, 200, shown)
            made = site.book(trip, DAY, travelers=[{**filled_in({})["travelers"][0], "medical_conditions": "asthma"}])
            self.assertEqual(made.status, 201, made)
            invoice = f"/booking/{made.data['booking_id']}/invoice?preview=true&invoice_token={made.data['invoice_token']}"
            old_key = (site.dir / "var/svc.key").read_bytes()
            old = site.sql("SELECT config FROM svc_payment_gateways WHERE slug = 'paypal'")[0][0]
            with buyers(site, trip) as (sold, wait_for):
                for step in ("add", "use", "renew"):
                    done = run(site, "key", step)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    wait_for(5)
                    self.assertEqual(site.call("GET", invoice).status, 200, step)
                time.sleep(0.2)  # servers look at the file ten times a second
                self.assertEqual(site.as_staff("GET", "/bookings").status, 200)  # by a password of the key before
                site.sql("INSERT INTO svc_payment_gateways (slug, is_enabled, config, updated_at) SELECT 'away', 0,"
                         f" '{old}', updated_at FROM svc_payment_gateways WHERE slug = 'paypal'")
                refused = run(site, "key", "drop")  # a plugin's, which is not here to seal it anew
                self.assertEqual(refused.returncode, 1, refused.stdout)
                self.assertIn("gateway away", refused.stderr)
                self.assertEqual(len((site.dir / "var/svc.key").read_bytes()), 64)
                site.sql("DELETE FROM svc_payment_gateways WHERE slug = 'away'")
                dropped = run(site, "key", "drop")
                self.assertEqual(dropped.returncode, 0, dropped.stderr)
                wait_for(5)
            self.assertNotEqual((site.dir / "var/svc.key").read_bytes(), old_key)
            # Opened, changed elsewhere and sealed again: a secret that could not be opened would be gone.
            again = site.as_staff("POST", "/payment/gateways/paypal/config", {"title": "PayPal"})
            self.assertEqual(again.status, 200, again)
            self.assertEqual(again.data["config"]["client_secret"], shown.data["config"]["client_secret"])
            booking = site.as_staff("GET", f"/bookings/{made.data['booking_id']}").data
            self.assertEqual(booking["travelers"][0]["fields"]["medical_conditions"], "asthma")
            time.sleep(0.2)
            self.assertEqual(site.call("GET", invoice).status, 403)  # what the key before had signed
            site.check_invariants()

    def test_what_was_given_up_is_told_with_its_reason_and_runs_again(self):
        with given_site() as site:
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 5)
            self.assertEqual(site.book(trip, DAY).status, 201)
            mailed = "SELECT id FROM svc_email_outbox WHERE template_key = 'booking_confirmation'"
            deadline = time.monotonic() + 60
            while not site.sql(mailed) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(len(site.sql(mailed)), 1)
            self.assertEqual(run(site, "failed").stdout, "")
            site.sql("UPDATE svc_domain_events SET dispatched_at = NULL, attempts = 5, leased_by = NULL, lease_until = 0,"
                     " error = 'no room' WHERE name = 'svc_booking_created'")
            site.sql("UPDATE svc_email_outbox SET status = 'failed', error = 'Refused.' WHERE template_key ="
                     " 'booking_confirmation'")
            told = run(site, "failed").stdout
            self.assertRegex(told, r"(?m)^event \d+ svc_booking_created \S+ no room$")
            self.assertRegex(told, r"(?m)^mail \d+ booking_confirmation \S+ Refused\.$")
            self.assertRegex(run(site, "doctor").stdout, r"warning +queues: 2 given up")
            event = re.search(r"(?m)^event (\d+)", told)[1]
            self.assertEqual(run(site, "retry", "event", event).stdout, "1 queued to run again\n")
            self.assertEqual(run(site, "retry", "event", event).returncode, 1)
            self.assertEqual(run(site, "retry", "mail").stdout, "1 queued to run again\n")
            self.assertEqual(run(site, "failed").stdout, "")

    def test_with_another_key_file_seats_are_sold_and_gateways_take_their_secrets_anew(self):
        with given_site() as site:
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 10)
            config = {"enabled": True, "client_id": "id", "client_secret": "secret-of-the-old-key"}
            saved = site.as_staff("POST", "/payment/gateways/paypal/config", config)
            self.assertEqual(saved.status, 200, saved)
            old = site.servers.pop()
            old.process.terminate()
            old.process.wait()
            key = site.dir / "var/svc.key"
            key.unlink()
            key.write_bytes(os.urandom(32))
            key.chmod(0o400)
            # The database knows its key: another one is taken where the operator says so.
            refused = run(site, "password", "add", "boss", "--name", "new")
            self.assertEqual((refused.returncode, "another key" in refused.stderr), (1, True), refused)
            accepted = run(site, "key", "accept", "--yes")
            self.assertEqual(accepted.returncode, 0, accepted.stderr)
            secret = run(site, "password", "add", "boss", "--name", "new").stdout.strip().splitlines()[-1]
            site.staff = {"Authorization": "Basic " + base64.b64encode(f"boss:{secret}".encode()).decode()}
            site.start()
            self.assertEqual(site.book(trip, DAY).status, 201)
            offered = {each["id"] for each in site.call("GET", "/payment/gateways").data["gateways"]}
            self.assertNotIn("paypal", offered)
            again = site.as_staff("POST", "/payment/gateways/paypal/config", {**config, "client_secret": "new-secret"})
            self.assertEqual((again.status, again.data["enabled"]), (200, True), again)

    def test_an_unknown_time_zone_is_refused_by_its_name(self):
        with given_site() as site:
            answer = site.as_staff("PUT", "/settings", {"timezone": "Mars/Olympus", "company_name": "Peaks"})
            self.assertEqual((answer.status, answer.json["data"]["field"]), (400, "timezone"), answer)
            stored = site.as_staff("GET", "/settings").data
            self.assertEqual(stored["company_name"], "")
            self.assertEqual(stored["admin_email"], "boss@example.org")  # whom the first command made
            self.assertEqual(site.as_staff("PUT", "/settings", {"timezone": "Asia/Kathmandu"}).status, 200)


class Watching(unittest.TestCase):
    def test_metrics_count_by_route_and_never_by_number(self):
        with given_site() as site:
            trip = given_sale(site)
            made = site.book(trip, DAY).data
            for path in (f"/bookings/{made['booking_id']}", f"/trips/{trip}/available-dates", "/no/such/place/4711"):
                site.as_staff("GET", path)
            status, headers, text = site.servers[0].ask("/metrics", admin=True)
            self.assertEqual(status, 200)
            self.assertIn("version=0.0.4", {k.lower(): v for k, v in headers.items()}["content-type"])
            counted = [line for line in text.splitlines() if line.startswith("svc_requests_total")]
            self.assertIn('svc_requests_total{method="GET",route="/bookings/{id}",status="2xx"} 1',
                          [self.sorted_labels(line) for line in counted])
            for line in text.splitlines():
                for private in ("4711", "no/such", made["reference"], "ada@", f"/{trip}/"):
                    self.assertNotIn(private, line)

    def test_ten_thousand_paths_that_clients_made_up_add_no_series(self):
        made_up = random.Random(1)

        def ask(connection, number):
            """Names that nobody asked for before: of routes, ids, slugs, parameters, methods, headers."""
            word = "zq" + made_up.randbytes(9).hex()
            method, path = (
                ("GET", f"/{word}"), ("GET", f"/bookings/{word}"), ("GET", f"/trips/public/{word}"),
                ("GET", f"/trips/{made_up.randrange(10**9, 10**12)}/available-dates"), ("GET", f"/trips/public?{word}={word}"),
                ("DELETE", f"/destinations/{word}"), ("POST", f"/payment/webhook/{word}"), (word.upper(), "/trips/public"),
                ("GET", f"/{word}/{word}/{word}"), ("PUT", f"/modules/{word}/settings"), ("HEAD", f"/{word}"),
                ("GET", f"/departures/calendar/{word}"), ("GET", f"/payment/callback/{word}"), ("GET", f"/../../{word}"))[number % 14]
            connection.request(method, "/svc/v1" + path, headers={
                "User-Agent": word, "X-Request-Id": word, "Origin": f"https://{word}",
                "X-Forwarded-For": f"198.18.{number // 256 % 256}.{number % 256}"})
            answer = connection.getresponse()
            answer.read()
            return answer.status

        def series(server):
            text = server.ask("/metrics", admin=True)[2]
            self.assertNotIn("zq", text.lower())
            # A job has its own from its first run on, which may be in between.
            return {line.rsplit(" ", 1)[0] for line in text.splitlines() if line and not line.startswith(("#", "svc_job_"))}

        with given_site() as site:
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
            server, statuses = site.servers[0], collections.Counter()
            connection = Connection("127.0.0.1", server.port, timeout=60)
            for number in range(14 * 5):  # each kind has been asked
                ask(connection, number)
            before = series(server)
            for number in range(10_000):
                statuses[ask(connection, number)] += 1
            connection.close()
            after = series(server)
            self.assertGreater(len(statuses), 2, statuses)
            self.assertEqual(after - before, set())
            print(f"figure: random paths 10000, series before {len(before)}, after {len(after)}", flush=True)

    @staticmethod
    def sorted_labels(line):
        name, rest = line.split("{", 1)
        labels, value = rest.rsplit("}", 1)
        return name + "{" + ",".join(sorted(labels.split(","))) + "}" + value

    def test_ready_until_it_drains_and_alive_all_the_time(self):
        with given_site(SVC_DRAIN_DELAY_MS="60000") as site:
            server = site.servers[0]
            self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
            self.assertEqual(server.ask("/readyz", admin=True)[0], 200)
            server.process.send_signal(signal.SIGTERM)
            server.heard("drains")
            status, _, text = server.ask("/readyz", admin=True)
            self.assertEqual(status, 503)
            self.assertIn("draining", text)
            self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
            self.assertEqual(site.call("GET", "/trips/public").status, 200)  # still answers what comes
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(60), 0)

    def test_mail_that_nobody_takes_is_an_alarm_and_the_node_stays_ready(self):
        """Every node has the same mail server: none is to be left out for it."""
        with given_site(SVC_JOBS_RUN="false") as site:
            server, trip = site.servers[0], given_sale(site)
            self.assertEqual(site.as_staff("PUT", "/settings", {
                "from_email": "office@example.org", "smtp_enabled": True, "smtp_host": "127.0.0.1", "smtp_port": 9,
                "smtp_encryption": "none"}).status, 200)
            self.assertEqual(site.book(trip, DAY).status, 201)
            end = time.monotonic() + 60
            while site.sql("SELECT COUNT(*) FROM svc_email_outbox") == [["0"]]:
                self.assertLess(time.monotonic(), end, "no e-mail was written")
                time.sleep(0.05)
            self.assertEqual(server.ask("/readyz", admin=True)[0], 200)
            site.sql("UPDATE svc_email_outbox SET next_attempt_at = next_attempt_at - 660000000")
            status, _, text = server.ask("/readyz", admin=True)
            self.assertEqual((status, json.loads(text)["ready"]), (200, True))
            self.assertEqual(json.loads(text)["checks"]["mail"], "an e-mail has waited for more than 10 minutes")
            metrics = server.ask("/metrics", admin=True)[2]
            age = re.search(r"(?m)^svc_outbox_age_seconds (\S+)$", metrics)
            self.assertGreater(float(age[1]), 600)
            site.sql("UPDATE svc_email_outbox SET status = 'suppressed'")
            self.assertEqual(json.loads(server.ask("/readyz", admin=True)[2])["checks"]["mail"], "ok")

    @unittest.skipUnless(DATABASE == "sqlite" and os.geteuid() == 0, "a disk of its own for the database's file")
    def test_not_ready_while_the_disk_is_nearly_full(self):
        with tempfile.TemporaryDirectory() as place:
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", place], capture_output=True).returncode:
                self.skipTest("this machine mounts nothing")
            kept = tempfile.tempdir
            try:
                tempfile.tempdir = place
                with given_site() as site:
                    server = site.servers[0]
                    self.assertEqual(server.ask("/readyz", admin=True)[0], 200)
                    fill = pathlib.Path(place) / "fill"
                    free = os.statvfs(place)
                    fill.write_bytes(b"x" * (free.f_bavail * free.f_frsize - (2 << 20)))
                    status, _, text = server.ask("/readyz", admin=True)
                    self.assertEqual(status, 503)
                    self.assertNotEqual(json.loads(text)["checks"]["disk"], "ok")
                    fill.unlink()
                    self.assertEqual(server.ask("/readyz", admin=True)[0], 200)
            finally:
                tempfile.tempdir = kept
                subprocess.run(["umount", place], check=True)

    @unittest.skipIf(DATABASE == "sqlite", "a database server that goes away")
    def test_not_ready_while_postgresql_is_down_and_ready_again_without_a_restart(self):
        cluster = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"svc-operator-{uuid.uuid4().hex[:8]}"

        def postgres(word):
            subprocess.run([sys.executable, str(SUPPORT / "postgres.py"), word, str(cluster)], check=True,
                           stdout=subprocess.DEVNULL)

        kept = {name: os.environ.get(name) for name in ("SVC_TEST_POSTGRES", "SVC_TEST_POSTGRES_FILE")}
        postgres("start")
        try:
            os.environ["SVC_TEST_POSTGRES"] = pathlib.Path(f"{cluster}.conninfo").read_text().strip()
            with given_site() as site:
                trip = given_sale(site)
                server = site.servers[0]

                def ready():
                    return server.ask("/readyz", admin=True)[0]

                self.assertEqual(ready(), 200)
                postgres("down")
                self.assertEqual(ready(), 503)
                self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
                form = json.dumps({"trip_id": trip, "travel_date": DAY})
                status, headers, _ = server.ask("/svc/v1/booking/session", "POST", form,
                                                {"Content-Type": "application/json"})
                self.assertEqual(status, 503)
                self.assertIn("retry-after", {name.lower() for name in headers})
                postgres("up")
                end = time.monotonic() + 60
                while ready() != 200:
                    self.assertLess(time.monotonic(), end, "it never came back")
                    time.sleep(0.1)
                self.assertEqual(site.book(trip, DAY).status, 201)
                site.check_invariants()
        finally:
            for name, value in kept.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            postgres("stop")


class Ending(unittest.TestCase):
    def test_sigterm_under_load_loses_no_answer(self):
        with given_site() as site:
            trip = given_sale(site)
            server, answered, lost = site.servers[0], [], []
            begun, known = threading.Event(), threading.Lock()

            def buy(number):
                sent = False
                try:
                    while True:
                        session = json.loads(server.ask(
                            "/svc/v1/booking/session", "POST", json.dumps({"trip_id": trip, "travel_date": DAY}),
                            {"Content-Type": "application/json"})[2])
                        sent = True
                        status, _, text = server.ask(
                            "/svc/v1/booking/create", "POST",
                            json.dumps(filled_in({"session_id": session["data"]["session_id"],
                                                  "contact_email": f"ada{number}@example.org"})),
                            {"Content-Type": "application/json"})
                        sent = False
                        with known:
                            answered.append((status, text))
                            if len(answered) > 20:
                                begun.set()
                except ConnectionRefusedError:
                    return  # it listens no more: nobody was promised anything
                except OSError as error:
                    with known:
                        lost.append((sent, repr(error)))

            with concurrent.futures.ThreadPoolExecutor(6) as pool:
                running = [pool.submit(buy, n) for n in range(6)]
                self.assertTrue(begun.wait(60))
                server.process.send_signal(signal.SIGTERM)
                self.assertEqual(server.process.wait(60), 0)
                for one in running:
                    one.result()
            made = {json.loads(text)["data"]["reference"] for status, text in answered if status == 201}
            stored = {row[0] for row in site.sql("SELECT reference FROM svc_bookings")}
            print(f"figure: a server that ends under load answered {len(answered)}, stored {len(stored)}, lost {lost}")
            self.assertEqual(made, stored)  # each booking that was made was answered
            self.assertEqual({status for status, _ in answered} - {201, 503}, set())
            server.heard("stopped")


class Starting(unittest.TestCase):
    def test_several_processes_may_bring_an_empty_database_up_at_once(self):
        with Site(SVC, DATABASE, servers=0, environment=ALONE) as site:
            if DATABASE == "sqlite":
                site.environment["SVC_DATABASE_URL"] = f"sqlite:{site.dir}/var/fresh.db"
            else:
                name = "site_" + uuid.uuid4().hex[:12]
                subprocess.run(["psql", site.sql_admin, "-qc", f"CREATE DATABASE {name}"], check=True)
                site.stack.callback(subprocess.run,
                                    ["psql", site.sql_admin, "-qc", f"DROP DATABASE {name} WITH (FORCE)"])
                words = [w for w in site.sql_admin.split() if not w.startswith("dbname=")]
                site.environment["SVC_DATABASE_URL"] = "postgresql:" + " ".join([*words, f"dbname={name}"])
            early = run(site, "serve", "--listen-port", "0", "--admin-port", "0")
            self.assertEqual(early.returncode, 1)
            self.assertIn("migrate", early.stderr)  # it says what to do
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                done = list(pool.map(lambda _: run(site, "migrate"), range(4)))
            self.assertEqual([one.returncode for one in done], [0] * 4, [one.stderr for one in done])
            applied = [line for one in done for line in one.stdout.splitlines()]
            self.assertEqual(len(applied), len(set(applied)))
            site.start()
            site.start()
            for number in range(2):
                self.assertEqual(site.call("GET", "/trips/public", server=number).status, 200)

    def test_more_bookings_at_once_than_database_sessions_each_with_its_kept_answer(self):
        with given_site(SVC_DATABASE_SESSIONS="2", SVC_LISTEN_WORKERS="8", SVC_DATABASE_LEASE_MS="60000") as site:
            trip = given_sale(site)

            def buy(number):
                return site.book(trip, DAY, f"Ada{number}", headers={"Idempotency-Key": f"booking-number-{number}"})

            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                answers = list(pool.map(buy, range(64)))
            self.assertEqual({answer.status for answer in answers}, {201})
            # Who waits for a session while holding one waits for a whole lease, and is told so.
            self.assertEqual([line for line in site.servers[0].lines if line and "database_busy" in line], [])
            self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_bookings"), [["64"]])
            site.check_invariants()


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    print(f"figure: cases {done.testsRun - len(done.skipped)}, skipped {len(done.skipped)}")
    sys.exit(not done.wasSuccessful())
