"""svc export, import and restore: a whole installation moves to the other database and goes on there, what is stopped goes
on, and a backup comes back.

moving_test.py SVC DATABASE PRO     (what is exported; it moves to the other one)
"""
import contextlib
import datetime
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site, place_of_tests  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
OTHER = "postgres" if DATABASE == "sqlite" else "sqlite"
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
# Jobs of a running server write there meanwhile.
MOVING = {"svc_jobs", "svc_job_days", "svc_trip_texts_due", "svc_sessions", "svc_rate_limits"}


class Fresh(Site):
    """An installation with the key file of another one and nothing in it."""

    def __init__(self, other, database=OTHER):
        super().__init__(SVC, database)
        self.other = other

    def __enter__(self):
        import shutil
        import tempfile
        self.stack = contextlib.ExitStack()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="svc-fresh-", dir=place_of_tests()))
        self.stack.callback(shutil.rmtree, self.dir, ignore_errors=True)
        (self.dir / "var").mkdir()
        shutil.copy(self.other.dir / "var/svc.key", self.dir / "var/svc.key")
        self.environment = {"SVC_DATABASE_URL": self._database_url(), "SVC_FILES_KEY_FILE": str(self.dir / "var/svc.key"),
                            "SVC_FILES_DATA_DIR": str(self.dir / "var"), **self.other.more}
        self.staff = self.other.staff
        return self


def begin(site, *words):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
    return subprocess.Popen([site.svc, *words], cwd=site.dir, env={**clean, **site.environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def refused(site, *words):
    """The message of a command that must fail."""
    process = begin(site, *words)
    said = process.communicate(timeout=120)
    assert process.returncode == 1, (words, process.returncode, said)
    return said[1]


def takes_ctrl_c(process):
    """The process has its own answer to Ctrl-C: its work has begun, or is about to."""
    try:
        mask = re.search(r"SigCgt:\s*([0-9a-f]+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
    except OSError:
        return False
    return bool(mask and int(mask[1], 16) >> (signal.SIGINT - 1) & 1)


def stopped_at(site, pattern, *words):
    """Runs a command with a terminal for its progress, and presses Ctrl-C: once that shows such a line, or, without a
    pattern, as soon as the command takes it, so that it stops after its first piece of work however quick the machine
    is. What was shown."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
    ours, theirs = os.openpty()
    process = subprocess.Popen([site.svc, *words], cwd=site.dir, env={**clean, **site.environment},
                               stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    shown, pressed = "", False
    while not pattern and not pressed and process.poll() is None:
        if pressed := takes_ctrl_c(process):
            process.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):  # the other end closes
        while part := os.read(ours, 1000).decode(errors="replace"):
            shown += part
            if not pressed and re.search(pattern, shown):
                process.send_signal(signal.SIGINT)
                pressed = True
    os.close(ours)
    assert process.wait(120) == 130, (words, process.returncode, shown)
    return shown


def rows_of(site, table, columns):
    quoted = ", ".join(columns)
    return sorted(site.sql(f"SELECT {quoted} FROM {table}"))


def compare(test, site, target, archive):
    """Every table's rows on both sides, where no job of a running server writes; the counts of the archive."""
    with zipfile.ZipFile(archive) as file:
        manifest = json.loads(file.read("manifest.json"))
        for table, count in manifest["counts"].items():
            first = file.read(table + ".jsonl").split(b"\n", 1)[0]
            if first:
                columns = list(json.loads(first))
                test.assertGreaterEqual(len(rows_of(site, table, columns)), count, table)
                if table not in MOVING:
                    test.assertEqual(rows_of(site, table, columns), rows_of(target, table, columns), table)
            elif table not in MOVING:
                test.assertEqual(target.sql(f"SELECT COUNT(*) FROM {table}"), [["0"]], table)
    return manifest["counts"]


class Moving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = site = Site(SVC, DATABASE).__enter__()
        cls.addClassCleanup(site.__exit__, None, None, None)
        cls.trip = site.given_trip(title="Harbour walk")["id"]
        site.given_departure(cls.trip, DAY, 30)
        for number in range(5):
            made = site.book(cls.trip, DAY, name=f"Guest{number}")
            assert made.status == 201, made
        site.as_staff("POST", "/enquiries", {"customer_name": "Zoë", "customer_email": "zoe@example.org",
                                             "message": "Is there\na cabin? | 日本"})
        site.as_staff("POST", "/payment/gateways/paypal/config", {"client_id": "abc", "client_secret": "a secret"})
        site.sql("INSERT INTO svc_customers (email, email_lower, first_name, last_name, search, status, created_at,"
                 " updated_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                 " SELECT 'c' || i || '@example.org', 'c' || i || '@example.org', 'C', 'X', 'c' || i, 'active', i, i FROM n")
        # A file that answers a booking's form: its sealed bytes go along.
        site.sql("INSERT INTO svc_booking_form_files (code, booking_id, field, name, mime_type, byte_size, content,"
                 " is_answer, created_at) SELECT 'file-0123456789ab.pdf', MIN(id), 'traveler_form.passport', 'v1.name',"
                 " 'application/pdf', 9, 'v1.bytes', 1, 1 FROM svc_bookings")
        # Classifications below others and entries of a kind, of which one refers to a row with a higher id.
        region = site.as_staff("POST", "/destinations", {"name": "Region"}).data["id"]
        country = site.as_staff("POST", "/destinations", {"name": "Country"}).data["id"]
        town = site.as_staff("POST", "/destinations", {"name": "Town", "parent_id": region}).data["id"]
        moved = site.as_staff("PUT", f"/destinations/{region}", {"parent_id": country})
        assert moved.status == 200 and region < country < town, moved
        # The last ones go: their ids are not given again.
        site.sql("DELETE FROM svc_customers WHERE last_name = 'X' AND created_at > 4990")
        for server in site.servers:
            server.process.terminate()
            server.process.wait()
        cls.archive = str(site.dir / "all.zip")
        began = time.monotonic()
        site.run("export", cls.archive, "--everything")
        print(f"export of everything: {time.monotonic() - began:.1f} s")

    def compare(self, target):
        counts = compare(self, self.site, target, self.archive)
        self.assertGreater(counts["svc_customers"], 4_900)
        self.assertEqual(counts["svc_booking_form_files"], 1)

    def test_1_everything_moves_to_the_other_database_and_goes_on_there(self):
        with Fresh(self.site) as target:
            self.assertIn("everything was imported", target.run("import", self.archive))
            self.compare(target)
            target.check_invariants()
            for view in ("svc_booking_counts", ):
                statement = f"SELECT status, SUM(bookings) FROM {view} GROUP BY status ORDER BY 1"
                self.assertEqual(target.sql(statement), self.site.sql(statement))
            last = int(self.site.sql("SELECT MAX(id) FROM svc_bookings")[0][0])
            target.start()
            target.wait_until_all_show(self.trip)
            made = target.book(self.trip, DAY, name="Later")
            self.assertEqual(made.status, 201, made)
            self.assertEqual(made.data["booking_id"], last + 1)
            # Password hash, application password, roles and sealed values are those of before.
            signed = target.call("POST", "/auth/login", {"username": "boss", "password": self.password()})
            self.assertEqual(signed.status, 200, signed)
            booking = target.as_staff("GET", f"/bookings/{last}").data
            self.assertIn("Annabella", json.dumps(booking))
            customer = target.as_staff("POST", "/customers", {"email": "new@example.org", "first_name": "New"})
            self.assertGreater(customer.data["id"], 5_000)
            self.assertIn("one holds users", refused(target, "import", self.archive))

    def password(self):
        return self.site.password.split("password ")[1].strip()

    def test_2_an_import_that_is_stopped_keeps_everybody_out_and_goes_on(self):
        with Fresh(self.site) as target:
            target.run("migrate")
            self.assertIn("goes on where it stopped", stopped_at(target, None, "import", self.archive))
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_moving"), [["1"]])
            self.assertIn("stopped halfway", refused(target, "password", "add", "boss"))
            target.run("import", self.archive)
            self.compare(target)
            target.check_invariants()

    def test_3_an_export_that_is_killed_goes_on_and_holds_the_same(self):
        path = str(self.site.dir / "again.zip")
        state = pathlib.Path(path + ".part/state.json")
        for _ in range(100):  # until one is killed in time: a quick machine is through before this looks
            process = begin(self.site, "export", path, "--everything")
            while not state.exists() and process.poll() is None:
                pass
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if not pathlib.Path(path).exists():
                break
            pathlib.Path(path).unlink()
        self.assertTrue(state.exists())
        self.site.run("export", path, "--everything")
        self.assertFalse(pathlib.Path(path + ".part").exists())
        with zipfile.ZipFile(path) as again, zipfile.ZipFile(self.archive) as first:
            for name in first.namelist():
                if name.startswith("svc_"):
                    self.assertEqual(again.read(name), first.read(name), name)
        self.assertIn("already", refused(self.site, "export", path, "--everything"))

    def test_4_another_key_file_a_newer_release_and_a_damaged_archive_change_nothing(self):
        with Fresh(self.site) as target:
            (target.dir / "var/svc.key").unlink()
            target.run("migrate")
            self.assertIn("key file", refused(target, "import", self.archive))
        with Fresh(self.site) as target:
            newer = str(target.dir / "newer.zip")
            with zipfile.ZipFile(self.archive) as old, zipfile.ZipFile(newer, "w", zipfile.ZIP_DEFLATED) as new:
                for name in old.namelist():
                    text = old.read(name)
                    if name == "manifest.json":
                        manifest = json.loads(text)
                        manifest["steps"].append("base/9999_later")
                        manifest["version"] = "9.0.0"
                        text = json.dumps(manifest)
                    new.writestr(name, text)
            self.assertIn("newer release (9.0.0)", refused(target, "import", newer))
            damaged = str(target.dir / "damaged.zip")
            content = bytearray(pathlib.Path(self.archive).read_bytes())
            content[len(content) // 2] ^= 0xFF
            pathlib.Path(damaged).write_bytes(content)
            self.assertIn("damaged", refused(target, "import", damaged))
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_users"), [["0"]])
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_moving"), [["0"]])
            target.run("import", self.archive)

    def test_5_a_backup_is_restored_and_only_a_wanted_one_replaces(self):
        site = self.site
        backup = str(site.dir / "backup")
        site.run("backup", backup)
        count = site.sql("SELECT COUNT(*) FROM svc_bookings")
        self.assertIn("not empty", refused(site, "restore", backup))
        site.start()
        self.assertIn("Stop it first", refused(site, "restore", backup, "--replace"))
        self.assertEqual(site.book(self.trip, DAY, name="After", server=-1).status, 201)
        site.servers[-1].process.terminate()
        site.servers[-1].process.wait()
        self.assertNotEqual(site.sql("SELECT COUNT(*) FROM svc_bookings"), count)
        said = site.run("restore", backup, "--replace")
        self.assertIn("was restored", said)
        self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_bookings"), count)
        site.check_invariants()
        if DATABASE == "sqlite":
            kept = said.split("is at ")[1].splitlines()[0]
            self.assertTrue(pathlib.Path(kept).exists())
        damaged = bytearray(pathlib.Path(backup).read_bytes())
        for at in range(len(damaged) // 3, len(damaged) // 3 + 8192):
            damaged[at] = 0x55
        pathlib.Path(backup + ".bad").write_bytes(damaged)
        refused(site, "restore", backup + ".bad", "--replace")
        pathlib.Path(backup + ".none").write_bytes(b"nothing of the kind")
        self.assertIn("no backup", refused(site, "restore", backup + ".none", "--replace"))
        self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_bookings"), count)
        with Fresh(site, DATABASE) as target:
            target.run("restore", backup)
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_bookings"), count)
        with Fresh(site, OTHER) as target:
            target.run("migrate")
            self.assertIn("svc export --everything", refused(target, "restore", backup))

    def test_7_a_disk_that_fills_up_halfway_loses_nothing_and_is_named(self):
        """A limit of the process bounds the written data instead of the disk's size."""
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))

        path = str(self.site.dir / "full.zip")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}

        def run(site, *words, limited=True):
            return subprocess.run([site.svc, *words], cwd=site.dir, env={**clean, **site.environment}, text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, restore_signals=False,
                                  preexec_fn=small if limited else None)

        count = self.site.sql("SELECT COUNT(*) FROM svc_customers")
        full = run(self.site, "export", path, "--everything")
        self.assertEqual(full.returncode, 1, full)
        self.assertRegex(full.stderr, "disk|could not be written")
        self.assertFalse(pathlib.Path(path).exists())
        self.assertEqual(run(self.site, "export", path, "--everything", limited=False).returncode, 0)
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_customers"), count)
        with Fresh(self.site) as target:
            target.run("migrate")
            full = run(target, "import", path)
            self.assertEqual(full.returncode, 1, full)
            self.assertRegex(full.stderr, "disk|could not be written|not available|full")
            self.assertEqual(run(target, "import", path, limited=False).returncode, 0)
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_customers"), count)

    def test_1_there_and_back_again_the_records_are_those_of_before(self):
        with Fresh(self.site) as there:
            there.run("import", self.archive)
            back = str(there.dir / "back.zip")
            there.run("export", back, "--everything")
            with Fresh(self.site, DATABASE) as again:
                again.run("import", back)
                moved, first = compare(self, there, again, back), compare(self, self.site, again, self.archive)
                self.assertEqual({table: count for table, count in moved.items() if table not in MOVING},
                                 {table: count for table, count in first.items() if table not in MOVING})
                again.check_invariants()
                self.assertEqual(again.sql("SELECT COUNT(*) FROM svc_bookings"),
                                 self.site.sql("SELECT COUNT(*) FROM svc_bookings"))

    def test_9_ctrl_c_stops_each_command_and_the_same_one_goes_on(self):
        with Fresh(self.site) as target:
            shown = stopped_at(target, None, "migrate")
            self.assertRegex(shown, r"svc: stopped: \d+ of \d+ steps of the schema are applied; run the command again")
            target.run("migrate")
            table = target.dir / "table.csv"
            # The first half goes at the machine's speed, the second one would take many seconds.
            table.write_text("email,first_name,city\n" + "".join(
                f"stopped{i}@example.org,{'Guest' if i < 4_000 else 'Slow'},Bonn\n" for i in range(8_000)))
            with target.slow_customers("Slow"):
                shown = stopped_at(target, r"\rrecords [1-9]\d* of 8000", "import", str(table), "--kind", "customers")
            self.assertRegex(shown, r"\rrecords \d+ of 8000, \d+(\.\d)?/s, \d+ (s|min \d+ s|h \d+ min) left")
            self.assertIn("svc: stopped: the same command goes on where it stopped", shown)
            begun = int(target.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'")[0][0])
            self.assertTrue(0 < begun < 8_000, begun)
            # Without a terminal: whole lines, the last one tells the end.
            process = begin(target, "import", str(table), "--kind", "customers")
            said, lines = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, lines)
            self.assertIn("created 8000", said)
            self.assertNotIn("\r", lines)
            self.assertRegex(lines, r"(?m)^records 8000 of 8000(, \d+/s)?$")
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'"), [["8000"]])
            # With other options, or with a file that changed, it is another command.
            table.write_text(table.read_text().replace("stopped", "again").replace("Bonn", "Ulm"))
            stopped_at(target, None, "import", str(table), "--kind", "customers", "--dry-run")
            self.assertIn("created 8000", target.run("import", str(table), "--kind", "customers"))
            self.assertEqual(target.sql("SELECT COUNT(*) FROM svc_customers WHERE city = 'Ulm'"), [["8000"]])
            target.sql("DELETE FROM svc_customers WHERE city = 'Ulm'")
            # Of several pieces.
            target.sql("INSERT INTO svc_customers (email, email_lower, first_name, last_name, search, status, created_at,"
                       " updated_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 92000)"
                       " SELECT 'm' || i || '@example.org', 'm' || i || '@example.org', 'M', 'Y', 'm' || i, 'active', i, i"
                       " FROM n")
            records = str(target.dir / "records.zip")
            stopped_at(target, None, "export", records, "--kind", "customers")
            self.assertFalse(pathlib.Path(records).exists())
            target.run("export", records, "--kind", "customers")
            with zipfile.ZipFile(records) as archive:
                self.assertEqual(len(archive.read("customers.jsonl").splitlines()), 100_000)
            everything = str(target.dir / "everything.zip")
            stopped_at(target, None, "export", everything, "--everything")
            self.assertFalse(pathlib.Path(everything).exists())
            target.run("export", everything, "--everything")
            with zipfile.ZipFile(everything) as archive:
                self.assertIsNone(archive.testzip())
                self.assertEqual(len(archive.read("svc_customers.jsonl").splitlines()), 100_000)

    def test_6_kinds_of_records_by_the_command_line(self):
        site = self.site
        records = str(site.dir / "records.zip")
        self.assertIn("no kind of record 'users'", refused(site, "export", records, "--kind", "users"))
        site.run("export", records, "--kind", "trips", "--kind", "customers")
        with zipfile.ZipFile(records) as archive:
            self.assertEqual(len(archive.read("customers.jsonl").splitlines()),
                             int(site.sql("SELECT COUNT(*) FROM svc_customers")[0][0]))
            self.assertNotIn("bookings.jsonl", archive.namelist())
        again = site.run("import", records)
        self.assertIn("trips: total 1 skipped 1", again)
        table = site.dir / "table.csv"
        table.write_text("email,first_name\ncsv@example.org,Csv\nnot an address,No\n")
        self.assertIn("--kind", refused(site, "import", str(table)))
        said = site.run("import", str(table), "--kind", "customers", "--dry-run")
        self.assertIn("1 records were left out", said)
        self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_customers WHERE email = 'csv@example.org'"), [["0"]])
        said = site.run("import", str(table), "--kind", "customers")
        self.assertIn("created 1", said)
        self.assertIn("not an address", pathlib.Path(said.split("see ")[1].strip()).read_text())


class MovingPro(unittest.TestCase):
    """Rows of Pro's own tables, made with its modules on."""

    def test_pro_moves_with_its_modules_its_rows_and_its_licence(self):
        with Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
            site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'test', '', 'active', 'personal', 0, 0)")
            for module in ("additional_services", "flexible_payments", "scheduled_payments"):
                self.assertEqual(site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True}).status, 200, module)
            trip = site.given_trip(title="Harbour walk")["id"]
            site.given_departure(trip, DAY, 30)
            service = site.as_staff("POST", "/additional-services", {
                "name": "Überfahrt | 日本", "price": 12.5, "status": "publish", "is_required": True,
                "applicable_to": "specific_trips", "trip_ids": [trip]})
            self.assertEqual(service.status, 201, service)
            site.wait_until_all_show(trip)
            booking = site.book(trip, DAY).data["booking_id"]
            later = site.book(trip, DAY, name="Bea").data["booking_id"]
            site.sql("INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor,"
                     " currency, planned_total_minor, scheduled_date, status, max_attempts, created_at, updated_at) VALUES"
                     f" ({booking}, 1, 1, 'link', 'balance', 2500, 'USD', 5250, '{DAY}', 'cancelled', 3, 1, 2)")
            site.sql(f"INSERT INTO svc_unscheduled_bookings (booking_id, reason, noted_at) VALUES ({later}, 'guest_booking', 3)")
            for server in site.servers:
                server.process.terminate()
                server.process.wait()
            archive = str(site.dir / "pro.zip")
            site.run("export", archive, "--everything")
            with Fresh(site) as target:
                target.run("import", archive)
                counts = compare(self, site, target, archive)
                for table in ("svc_additional_services", "svc_additional_service_trips", "svc_booking_services", "svc_license",
                              "svc_scheduled_payments", "svc_unscheduled_bookings"):
                    self.assertGreater(counts[table], 0, table)
                target.check_invariants()
                target.start()
                target.wait_until_all_show(trip)
                told = {module["slug"]: module["enabled"] for module in target.as_staff("GET", "/modules").data}
                self.assertTrue(told["additional_services"] and told["scheduled_payments"])
                again = target.as_staff("GET", f"/additional-services/{service.data['id']}").data
                self.assertEqual((again["name"], again["price"]), ("Überfahrt | 日本", 12.5))
                made = target.as_staff("POST", "/additional-services", {"name": "Later", "price": 1, "status": "draft"})
                self.assertEqual(made.status, 201, made)
                self.assertGreater(made.data["id"], service.data["id"])
            # The base alone has no place for these rows, and says so before it writes.
            with Fresh(site) as target:
                target.environment["SVC_PRO_LIBRARY"] = "none"
                self.assertIn("edition", refused(target, "import", archive))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
