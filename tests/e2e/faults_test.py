"""What an operator is told, and what helps: another key, a database that cannot be used; users as the command line manages
them; metrics and the log of a quiet node; samples.

faults_test.py SVC DATABASE
"""
import base64
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
ALONE = {"SVC_PRO_LIBRARY": "none"}
LIBC = ctypes.CDLL(None)


def given_site(servers=1, **more):
    return Site(SVC, DATABASE, servers=servers, environment={**ALONE, **more})


def run(site, *words, given="", preexec=None, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
    return subprocess.run([site.svc, *words], cwd=site.dir, env={**clean, **site.environment, **environment},
                          capture_output=True, text=True, input=given, preexec_fn=preexec)


def bound_by_rights():
    """Root may write what nobody may write, unless it lacks this capability."""
    if os.geteuid() == 0:
        pr_capbset_drop, dac_override = 24, 1
        assert LIBC.prctl(pr_capbset_drop, dac_override, 0, 0, 0) == 0


def stop(site):
    for server in site.servers:
        server.process.terminate()
        server.process.wait()
    site.servers.clear()


class Keys(unittest.TestCase):
    def refused(self, site, *words, **environment):
        done = run(site, *words, **environment)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        # One sentence, after lines of progress where there are any.
        self.assertEqual(len([line for line in done.stderr.splitlines() if line.startswith("svc: ")]), 1, done.stderr)
        return done.stderr

    def test_another_key_and_a_missing_one_are_refused_and_none_is_made(self):
        with given_site() as site:
            stop(site)
            key = pathlib.Path(site.environment["SVC_FILES_KEY_FILE"])
            kept = key.read_bytes()
            key.unlink()
            nowhere = str(site.dir / "var/mistyped.key")
            commands = (("serve", "--listen-port", "0", "--admin-port", "0"), ("migrate",), ("password", "add", "boss"),
                        ("export", str(site.dir / "all.zip"), "--everything"))
            for words in commands:
                self.assertRegex(self.refused(site, *words), "The key file .*svc.key is missing.*svc key accept")
                self.assertRegex(self.refused(site, *words, SVC_FILES_KEY_FILE=nowhere), "mistyped.key is missing")
            self.assertEqual(list((site.dir / "var").glob("*.key")), [])
            doctor = run(site, "doctor")
            self.assertRegex(doctor.stdout, "(?m)^bad +key: The key file .* is missing")
            self.assertEqual((doctor.returncode, key.exists()), (1, False))
            key.write_bytes(os.urandom(32))
            key.chmod(0o400)
            for words in commands:
                self.assertRegex(self.refused(site, *words), "svc.key holds another key than the one of the database")
            doctor = run(site, "doctor")
            self.assertRegex(doctor.stdout, "(?m)^bad +key: The key file .* holds another key")
            self.assertEqual(doctor.returncode, 1)
            key.chmod(0o600)
            key.write_bytes(kept)
            key.chmod(0o400)
            self.assertRegex(run(site, "doctor").stdout, "(?m)^good +key: opens what is stored")
            site.start()
            self.assertEqual(site.as_staff("GET", "/bookings").status, 200)

    def test_an_empty_database_takes_the_key_that_is_there(self):
        with given_site(servers=0) as site:
            fresh = pathlib.Path(site.environment["SVC_FILES_KEY_FILE"]).with_name("fresh")
            fresh.mkdir()
            environment = {"SVC_DATABASE_URL": f"sqlite:{fresh}/svc.db", "SVC_FILES_KEY_FILE": f"{fresh}/svc.key",
                           "SVC_FILES_DATA_DIR": str(fresh)}
            self.assertEqual(run(site, "migrate", **environment).returncode, 0)
            (fresh / "svc.key").unlink()
            shutil.copy(site.environment["SVC_FILES_KEY_FILE"], fresh / "svc.key")
            self.assertEqual(run(site, "migrate", **environment).returncode, 0)
            made = run(site, "user", "add", "ada", "--email", "ada@example.org", "--role", "owner", "--generate",
                       **environment)
            self.assertEqual(made.returncode, 0, made)
            (fresh / "svc.key").unlink()
            self.assertIn("is missing", self.refused(site, "migrate", **environment))

    def test_a_backup_comes_back_with_its_own_key_alone(self):
        with given_site() as site:
            stop(site)
            backup = str(site.dir / "backup")
            self.assertEqual(run(site, "backup", backup).returncode, 0)
            other = {"SVC_FILES_KEY_FILE": str(site.dir / "var/other.key")}
            self.assertRegex(self.refused(site, "restore", backup, "--replace", **other), "other.key is missing: first copy")
            self.assertFalse((site.dir / "var/other.key").exists())
            pathlib.Path(other["SVC_FILES_KEY_FILE"]).write_bytes(os.urandom(32))
            pathlib.Path(other["SVC_FILES_KEY_FILE"]).chmod(0o400)
            self.assertRegex(self.refused(site, "restore", backup, "--replace", **other), "holds another key than the backup")
            # A lost key: the records come back, and what it had sealed is entered anew.
            self.assertEqual(run(site, "restore", backup, "--replace", "--any-key", **other).returncode, 0)
            self.assertIn("another key", self.refused(site, "migrate", **other))
            self.assertEqual(run(site, "key", "accept", "--yes", **other).returncode, 0)
            self.assertEqual(run(site, "migrate", **other).returncode, 0)
            self.assertIn("another key", self.refused(site, "migrate"))
            done = run(site, "restore", backup, "--replace")
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(run(site, "migrate").returncode, 0)

    def test_two_nodes_follow_a_change_of_the_key(self):
        with given_site() as site:
            node = {"SVC_FILES_KEY_FILE": str(site.dir / "var/node.key")}
            shutil.copy(site.environment["SVC_FILES_KEY_FILE"], node["SVC_FILES_KEY_FILE"])
            for step in (("add",), ("use",), ("renew",)):
                self.assertEqual(run(site, "key", *step).returncode, 0)
            # The file was not copied to the other node: it says so before it seals anything with the key before.
            self.assertIn("another key", self.refused(site, "migrate", **node))
            os.replace(shutil.copy(site.environment["SVC_FILES_KEY_FILE"], node["SVC_FILES_KEY_FILE"] + ".new"),
                       node["SVC_FILES_KEY_FILE"])
            self.assertEqual(run(site, "migrate", **node).returncode, 0)
            self.assertEqual(run(site, "key", "drop").returncode, 0)
            self.assertEqual(run(site, "migrate", **node).returncode, 0)  # it holds the new key too


class Databases(unittest.TestCase):
    def said(self, site, *words, code=1, **more):
        done = run(site, *words, **more)
        self.assertEqual(done.returncode, code, done)
        return done.stderr.splitlines()[-1]

    @unittest.skipUnless(DATABASE == "sqlite", "of a file")
    def test_a_file_that_cannot_be_used_is_named_with_reason_and_remedy(self):
        with given_site() as site:
            stop(site)
            file = site.dir / "var/svc.db"
            serve = ("serve", "--listen-port", "0", "--admin-port", "0")
            for words in (serve, ("migrate",), ("user", "list")):
                file.chmod(0o444)
                said = self.said(site, *words, preexec=bound_by_rights)
                self.assertRegex(said, r"The database file \S+/svc.db cannot be written by the user \S+\. Run: chmod u\+rw")
                file.chmod(0o600)
                for tail in ("-wal", "-shm"):
                    file.with_name("svc.db" + tail).unlink(missing_ok=True)
                if words != serve:
                    continue  # these write nothing here
                beside = file.with_name("svc.db-wal")
                beside.write_bytes(bytes(40))  # SQLite itself opens up an empty one
                beside.chmod(0o444)
                said = self.said(site, *words, preexec=bound_by_rights)
                self.assertRegex(said, r"svc.db-wal cannot be written by the user")
                beside.chmod(0o600)
                beside.unlink()
            if os.geteuid() == 0:
                os.chown(file, 1234, 1234)
                file.chmod(0o644)
                said = self.said(site, *serve, preexec=bound_by_rights)
                self.assertRegex(said, r"It belongs to 1234\. Run: chown root \S+/svc.db")
                os.chown(file, 0, 0)
            content = file.read_bytes()
            noise = site.dir / "noise.db"
            noise.write_bytes(os.urandom(20_000))
            half = site.dir / "half.db"
            half.write_bytes(content[:len(content) // 2])
            for broken, says in ((noise, r"noise.db is no SQLite database"), (half, r"half.db is (damaged|no SQLite)")):
                said = self.said(site, "migrate", SVC_DATABASE_URL=f"sqlite:{broken}")
                self.assertRegex(said, says)
                self.assertIn("svc restore BACKUP", said)
            self.assertRegex(self.said(site, "user", "list", SVC_DATABASE_URL=f"sqlite:{site.dir}/no/where/svc.db"),
                             r"the folder \S+/no/where does not exist")
            self.assertRegex(self.said(site, "migrate", SVC_DATABASE_URL=f"sqlite:{site.dir}/var"), "it is a folder")
            closed = site.dir / "closed"
            closed.mkdir(0o555)
            self.assertRegex(self.said(site, "migrate", SVC_DATABASE_URL=f"sqlite:{closed}/svc.db", preexec=bound_by_rights),
                             r"may not write in its folder \S+/closed")

    def test_a_full_disk_is_named_with_the_file_and_the_remedy(self):
        with tempfile.TemporaryDirectory() as place:
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", place], capture_output=True).returncode:
                self.skipTest("this machine mounts nothing")
            try:
                with given_site() as site:
                    stop(site)
                    file = pathlib.Path(place) / "svc.db"
                    if DATABASE == "sqlite":
                        for tail in ("", "-wal", "-shm"):
                            if (one := site.dir / f"var/svc.db{tail}").exists():
                                shutil.copy(one, f"{file}{tail}")
                    # Room for the journal's first pages alone: opening succeeds and writing does not.
                    (pathlib.Path(place) / "fill").write_bytes(bytes(200_000))
                    free = os.statvfs(place)
                    (pathlib.Path(place) / "fill").write_bytes(bytes(free.f_bavail * free.f_frsize + 200_000 - (60 << 10)))
                    if DATABASE == "sqlite":
                        said = self.said(site, "samples", SVC_DATABASE_URL=f"sqlite:{file}")
                        self.assertRegex(said, r"The disk that holds the database file \S+/svc\.db is full\. Make room on it\.")
                    said = self.said(site, "export", f"{place}/all.zip", "--everything")
                    self.assertRegex(said, r"Check the disk's free space")
                    if DATABASE == "sqlite":
                        self.assertIn(f"could not be copied to {place}", said)
                    self.assertFalse((pathlib.Path(place) / "all.zip").exists())
            finally:
                subprocess.run(["umount", "-l", place], check=True)

    @unittest.skipUnless(DATABASE == "postgres", "of a server")
    def test_a_server_that_cannot_be_used_says_why(self):
        with given_site() as site:
            stop(site)
            words = site.environment["SVC_DATABASE_URL"].removeprefix("postgresql:").split()
            without = " ".join(word for word in words if not word.startswith("dbname="))
            said = self.said(site, "migrate", SVC_DATABASE_URL=f"postgresql:{without} dbname=nothing_here")
            self.assertRegex(said, r'database "nothing_here" does not exist.*Create it \(createdb\)')
            stranger = " ".join(word for word in words if not word.startswith("user="))
            said = self.said(site, "migrate", SVC_DATABASE_URL=f"postgresql:{stranger} user=stranger")
            self.assertRegex(said, r'role "stranger" does not exist.*createuser')
            said = self.said(site, "migrate", SVC_DATABASE_URL="postgresql:host=127.0.0.1 port=1 dbname=a password=hidden")
            self.assertRegex(said, r"Connection refused.*Check that it runs")
            self.assertNotIn("hidden", said)

    @unittest.skipUnless(DATABASE == "sqlite", "of a file")
    def test_what_fails_while_serving_is_logged_in_words(self):
        with given_site() as site:
            file = site.dir / "var/svc.db"
            content = bytearray(file.read_bytes())
            # All but the first page, under the open server.
            with open(file, "r+b") as damaged:
                damaged.seek(4096)
                damaged.write(b"\x55" * (len(content) - 4096))
            site.sound = False
            site.as_staff("GET", "/bookings")
            line = next(json.loads(one) for one in iter(lambda: site.servers[0].heard('"event":"database_failed".*').string, None))
            self.assertRegex(line["cause"], r"svc\.db is damaged|malformed")


class Watching(unittest.TestCase):
    def test_a_node_that_nobody_asked_yet_has_no_series_of_routes(self):
        with given_site() as site:
            status, _, text = site.servers[0].ask("/metrics", admin=True)
            self.assertEqual(status, 200)
            self.assertNotIn("svc_request_seconds", text)
            self.assertLess(len(text), 60_000)
            site.as_staff("GET", "/bookings")
            text = site.servers[0].ask("/metrics", admin=True)[2]
            self.assertIn('svc_requests_total{route="/bookings",method="GET",status="2xx"} 1', text)
            self.assertNotIn('route="/customers"', text)

    def test_the_log_has_a_level(self):
        with given_site(SVC_LOG_LEVEL="warning") as site:
            site.as_staff("GET", "/bookings")
            site.call("GET", "/no/such/route")
            stop_at = site.servers[0]
            stop_at.process.terminate()
            stop_at.process.wait()
            stop_at.heard("stopped")
            self.assertEqual([line for line in stop_at.lines if line and '"level":"info"' in line], [])


class Users(unittest.TestCase):
    def test_the_command_line_lists_changes_and_disables_users(self):
        with given_site() as site:
            made = run(site, "user", "add", "ada", "--email", "ada@example.org", "--role", "guide", "--generate")
            password = made.stdout.split()[-1]

            def signs_in(password, status):
                answer = site.call("POST", "/auth/login", {"username": "ada", "password": password})
                self.assertEqual(answer.status, status, answer)
                return answer
            signed = signs_in(password, 200)
            cookie = signed.headers["set-cookie"].split(";")[0]
            session = {"Cookie": cookie, "X-Host-Nonce": signed.data["nonce"]}
            key = run(site, "password", "add", "ada").stdout.strip()
            program = {"Authorization": "Basic " + base64.b64encode(f"ada:{key}".encode()).decode()}

            def may_come_in(status):
                for headers in (session, program):
                    self.assertEqual(site.call("GET", "/auth/me", headers=headers).status, status)
            may_come_in(200)
            listed = run(site, "user", "list").stdout
            self.assertRegex(listed, r"(?m)^ada +guide +ada@example.org +active +20\d\d-")
            self.assertRegex(listed, r"(?m)^boss +administrator +boss@example.org +active +never$")
            self.assertEqual(run(site, "user", "role", "ada@example.org", "manager").returncode, 0)
            self.assertIn("svc_edit_trips", site.call("GET", "/auth/me", headers=program).data["capabilities"])
            self.assertRegex(run(site, "user", "role", "ada", "none").stderr, 'no role "none".*guide')
            self.assertRegex(run(site, "user", "disable", "nobody").stderr, "There is no user nobody; svc user list")
            # Disabled: sessions and application passwords end at once and stay ended.
            self.assertEqual(run(site, "user", "disable", "ada").returncode, 0)
            may_come_in(401)
            refused = site.call("POST", "/auth/login", {"username": "ada", "password": password})
            self.assertIn(refused.status, (401, 403), refused)
            self.assertRegex(run(site, "user", "list").stdout, r"(?m)^ada +manager +\S+ +blocked")
            self.assertEqual(run(site, "user", "enable", "ada").returncode, 0)
            may_come_in(401)
            signs_in(password, 200)
            # A lost password.
            short = run(site, "user", "password", "ada", given="short\n")
            self.assertRegex(short.stderr, "at least 8 characters")
            self.assertEqual(run(site, "user", "password", "ada", given="a new one of mine\n").returncode, 0)
            signs_in(password, 401)
            signs_in("a new one of mine", 200)
            made = run(site, "user", "password", "ada", "--generate").stdout.split()[-1]
            signs_in(made, 200)

    def test_the_last_administrator_stays(self):
        with given_site() as site:
            for words in (("disable", "boss"), ("role", "boss", "guide")):
                refused = run(site, "user", *words)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("boss is the last administrator. Add another one first", refused.stderr)
            self.assertIn("manage_options", site.as_staff("GET", "/auth/me").data["capabilities"])
            run(site, "user", "add", "ada", "--email", "ada@example.org", "--role", "owner", "--generate")
            self.assertEqual(run(site, "user", "role", "boss", "guide").returncode, 0)
            self.assertIn("last administrator", run(site, "user", "disable", "ada").stderr)


class Samples(unittest.TestCase):
    def test_samples_come_with_bookings_where_they_are_wanted_and_give_way(self):
        with given_site(servers=0) as site:
            clean = run(site, "init")  # users exist: as migrate
            self.assertEqual(clean.returncode, 0)
            self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_trips"), [["0"]])
            self.assertEqual(site.run("samples"), "12 sample trips\n")
            site.start()
            booked = site.as_staff("GET", "/bookings")
            self.assertGreater(booked.json["meta"]["total"], 10)
            self.assertGreater(site.as_staff("GET", "/payments").json["meta"]["total"], 5)
            self.assertEqual(site.sql("SELECT COUNT(*) FROM svc_email_outbox"), [["0"]])
            # A trip of the operator's own with a sample's slug, by a CSV file.
            slug, title = site.sql("SELECT slug, title FROM svc_trips ORDER BY id LIMIT 1")[0]
            file = pathlib.Path(tempfile.mkstemp(dir=site.dir, suffix=".csv")[1])
            file.write_text(f"slug,title,summary,regular_price,duration\n{slug},Our own walk,Ours.,25,1\n")
            self.assertIn("created 1", site.run("import", str(file), "--kind", "trips"))
            self.assertEqual(site.sql(f"SELECT title FROM svc_trips WHERE slug = '{slug}'"), [["Our own walk"]])
            self.assertEqual(len(site.sql(f"SELECT id FROM svc_trips WHERE slug LIKE '{slug}-sample-%'")), 1)
            # A destination and a trip of a former site with the slugs of samples.
            other, _ = site.sql("SELECT slug, title FROM svc_trips WHERE slug NOT LIKE '%-sample-%' AND title <> 'Our own walk'"
                                " ORDER BY id LIMIT 1")[0]
            self.migrate(site, other)
            rows = site.sql("SELECT name, description FROM svc_classifications WHERE type = 'destination' AND slug = 'japan'")
            self.assertEqual([row for row in rows if any(row)], [["Japan", "<p>Our own Japan.</p>"]])  # psql ends it by a line
            self.assertEqual(site.sql(f"SELECT title FROM svc_trips WHERE slug = '{other}'"), [["Our former walk"]])
            # Nothing but the samples goes.
            self.assertEqual(site.as_staff("DELETE", "/sample-data/cleanup").status, 200)
            self.assertEqual(sorted(site.sql("SELECT title FROM svc_trips")), [["Our former walk"], ["Our own walk"]])
            self.assertEqual(site.sql("SELECT slug FROM svc_classifications WHERE type = 'destination'"), [["japan"]])

    def migrate(self, site, slug):
        text = ('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"'
                ' xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Old</title>'
                '<wp:wxr_version>1.2</wp:wxr_version><wp:term><wp:term_id>3</wp:term_id>'
                '<wp:term_taxonomy>destination</wp:term_taxonomy><wp:term_slug>japan</wp:term_slug>'
                '<wp:term_name>Japan</wp:term_name><wp:term_description>Our own Japan.</wp:term_description></wp:term>'
                '<item><title>Our former walk</title><content:encoded>By the sea.</content:encoded><wp:post_id>7</wp:post_id>'
                f'<wp:post_name>{slug}</wp:post_name><wp:post_type>tour</wp:post_type><wp:status>publish</wp:status></item>'
                '</channel></rss>')
        mark = "mark-of-the-parts"
        body = (f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="old.xml"\r\n'
                f"Content-Type: text/xml\r\n\r\n{text}\r\n--{mark}--\r\n")
        staged = site.servers[0].ask("/svc/v1/migration/upload", "POST", body,
                                     {**site.staff, "Content-Type": f"multipart/form-data; boundary={mark}"})
        self.assertEqual(staged[0], 200, staged)
        key = site.as_staff("POST", "/migration/migrate-all", {}).data["job_id"]
        for _ in range(2400):
            job = site.as_staff("GET", f"/tools/jobs/{key}").data
            if job["status"] not in ("pending", "running"):
                break
            time.sleep(0.05)
        self.assertEqual(job["status"], "completed", job)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
