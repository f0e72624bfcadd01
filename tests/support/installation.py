"""A whole installation for a test: an empty database of its own, staff, and as many server processes as wanted."""
import base64
import contextlib
import html
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

from server import Server


def filled_in(body):
    """The body of /booking/create with all that the standard form requires; what it holds already stays."""
    lead = {"first_name": "Ada", "last_name": "Lovelace", "date_of_birth": "1990-12-10", "gender": "female",
            "nationality": "British"}
    return {"contact_first_name": "Ada", "contact_last_name": "Lovelace", "contact_email": "ada@example.org",
            "contact_phone": "+44 20 7946 0001", "contact_country": "GB", "emergency_name": "Annabella",
            "emergency_phone": "+44 20 7946 0002", "travelers": [lead], **body}


def place_of_tests():
    """Where ctest wants a test's installation: in memory, if that has room, so that no commit waits for the disk of the
    tests before it. None: where temporary files lie."""
    named = os.environ.get("SVC_TEST_MEMORY")
    return named if named and os.path.isdir(named) and shutil.disk_usage(named).free >= 4 << 30 else None


def postgres_conninfo():
    """The throw-away cluster of the ctest fixture; None when this run has none."""
    if conninfo := os.environ.get("SVC_TEST_POSTGRES"):
        return conninfo
    file = os.environ.get("SVC_TEST_POSTGRES_FILE")
    if file and pathlib.Path(file).exists():
        return pathlib.Path(file).read_text().strip() or None
    return None


def invariants():
    """The statements of tests/invariants.sql: each must answer no row."""
    lines = (pathlib.Path(__file__).parent.parent / "invariants.sql").read_text().splitlines()
    text = "\n".join(line for line in lines if line and not line.startswith("--"))
    return [statement for statement in text.rstrip().removesuffix(";").split(";\n") if statement]


class Answer:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, {k.lower(): v for k, v in headers.items()}, text

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def data(self):
        return self.json["data"]

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


class Site:
    """`with Site(svc, "sqlite", servers=2) as site`: migrated, one administrator, servers listening. What ends without an
    error leaves a database that keeps every invariant, unless it is not `sound`."""

    def __init__(self, svc, database, servers=1, environment=None, log=None, sound=True):
        self.sound = sound
        self.svc, self.database, self.count, self.more = os.path.abspath(svc), database, servers, environment or {}
        self.servers, self.log = [], log
        self.busy_answers = []  # those of 503 that call() repeated the request of

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="svc-site-", dir=place_of_tests()))
        self.stack.callback(shutil.rmtree, self.dir, ignore_errors=True)
        (self.dir / "var").mkdir()
        self.environment = {"SVC_DATABASE_URL": self._database_url(), "SVC_FILES_KEY_FILE": str(self.dir / "var/svc.key"),
                            "SVC_FILES_DATA_DIR": str(self.dir / "var"), **self.more}
        self.run("migrate")
        self.password = self.run("user", "add", "boss", "--email", "boss@example.org", "--role", "administrator",
                                 "--generate")
        secret = self.run("password", "add", "boss", "--name", "tests").strip().splitlines()[-1]
        self.staff = {"Authorization": "Basic " + base64.b64encode(f"boss:{secret}".encode()).decode()}
        for _ in range(self.count):
            self.start()
        return self

    def __exit__(self, *error):
        try:
            if self.sound and not any(error):
                self.check_invariants()
        finally:
            self.end()

    def end(self):
        for server in self.servers:  # what the server itself was surprised by, beside the test's own words
            for line in server.lines:
                if line and '"event":"unexpected"' in line:
                    print(line, file=sys.stderr)
        for server in self.servers:
            server.process.terminate()
        self.stack.close()

    def _database_url(self):
        if self.database == "sqlite":
            return f"sqlite:{self.dir}/var/svc.db"
        conninfo = postgres_conninfo()
        assert conninfo, "no cluster: run by ctest, or set SVC_TEST_POSTGRES"
        name = "site_" + uuid.uuid4().hex[:12]
        self.sql_admin = conninfo
        subprocess.run(["psql", conninfo, "-qc", f"CREATE DATABASE {name}"], check=True)
        self.stack.callback(subprocess.run, ["psql", conninfo, "-qc", f"DROP DATABASE {name} WITH (FORCE)"])
        words = [w for w in conninfo.split() if not w.startswith("dbname=")]
        return "postgresql:" + " ".join([*words, f"dbname={name}"])

    def run(self, *words):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        done = subprocess.run([self.svc, *words], cwd=self.dir, env={**clean, **self.environment},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"svc {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def start(self, port=0, under=()):
        """One server more, on a free port unless told; `under`: the command that runs it, as strace does."""
        server = self.stack.enter_context(Server([*under, self.svc, "serve"], cwd=self.dir, port=port,
                                                environment=self.environment,
                                                log=self.log and f"{self.dir}/{self.log}",
                                                has_children=bool(under)))
        self.servers.append(server)
        return server

    def kill(self, server=-1):
        """Ends a server without a word, and says that a minute has passed: what it was at is another's to go on with."""
        process = self.servers[server].process
        process.kill()
        process.wait()
        self.sql("UPDATE svc_jobs SET locked_until = 0 WHERE locked_until IS NOT NULL")
        self.sql("UPDATE svc_jobs SET next_run_at = 0 WHERE interval_s <= 60")

    def sql(self, statement):
        """Rows of a statement run beside the servers, as lists of texts."""
        url = self.environment["SVC_DATABASE_URL"]
        if self.database == "sqlite":
            # The servers write too: whoever writes here waits for them, as they wait for one another.
            command = ["sqlite3", "-cmd", ".timeout 30000", "-separator", "|", url.removeprefix("sqlite:"), statement]
        else:
            command = ["psql", url.removeprefix("postgresql:"), "-AtqF|", "-c", statement]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return [line.split("|") for line in done.stdout.splitlines()]

    @contextlib.contextmanager
    def slow_customers(self, first_name):
        """Each customer of this name takes the database some milliseconds: how far an import has come when it is stopped
        is not left to the machine's speed."""
        if self.database == "sqlite":
            # One step of the recursion takes some tenths of a microsecond.
            self.sql("CREATE TRIGGER svc_test_slow AFTER INSERT ON svc_customers WHEN NEW.first_name = '" + first_name + "' BEGIN"
                     " UPDATE svc_customers SET first_name = first_name WHERE id = NEW.id AND (WITH RECURSIVE n (i) AS"
                     " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT COUNT(*) FROM n) < 0; END")
            end = "DROP TRIGGER svc_test_slow"
        else:
            self.sql("CREATE FUNCTION svc_test_slow() RETURNS trigger LANGUAGE plpgsql AS"
                     " $$ BEGIN PERFORM pg_sleep(0.004); RETURN NEW; END $$;"
                     " CREATE TRIGGER svc_test_slow AFTER INSERT ON svc_customers FOR EACH ROW"
                     f" WHEN (NEW.first_name = '{first_name}') EXECUTE FUNCTION svc_test_slow()")
            end = "DROP TRIGGER svc_test_slow ON svc_customers; DROP FUNCTION svc_test_slow()"
        try:
            yield
        finally:
            self.sql(end)

    def mailed_text(self, template, address):
        """The latest e-mail of this template to this address, as HTML; empty while there is none."""
        self.open_mails()
        rows = self.sql(f"SELECT id FROM svc_email_outbox WHERE template_key = '{template}'"
                        f" AND to_email = '{address}' ORDER BY id DESC LIMIT 1")
        return "" if not rows else "\n".join("|".join(row) for row in self.sql(
            f"SELECT body_html FROM svc_email_outbox WHERE id = {rows[0][0]}"))

    def mailed_link(self, template, address):
        """The link with a token in the latest e-mail of this template to this address; None if none comes."""
        for _ in range(1200):
            if found := re.search(r"https?://[^\s\"'<>]+(?:token=|/booking-recovery/|/consent/)[^\s\"'<>]+",
                                  self.mailed_text(template, address)):
                return html.unescape(found[0])
            time.sleep(0.05)
        return None

    def mailed_links(self, template, address):
        """All links of that e-mail; none if none comes."""
        for _ in range(1200):
            if found := re.findall(r'href="([^"]+)"', self.mailed_text(template, address)):
                return sorted({html.unescape(link) for link in found})
            time.sleep(0.05)
        return []

    def open_mails(self):
        """Lays the texts of e-mails open in their rows, for what looks at them there."""
        subprocess.run([os.path.join(os.path.dirname(self.svc), "open_mails"), self.environment["SVC_DATABASE_URL"],
                        self.environment["SVC_FILES_KEY_FILE"]], check=True)

    def call(self, method, path, body=None, headers=None, server=0):
        """One request; a server that is too busy to begin it (503) is asked again, as its Retry-After wants."""
        text = None if body is None else json.dumps(body)
        sent = {**({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
        for _ in range(1200):
            answer = Answer(*self.servers[server].ask("/svc/v1" + path, method, text, sent))
            if answer.status != 503:
                break
            self.busy_answers.append(answer)
            time.sleep(random.uniform(0.05, 0.15))
        return answer

    def as_staff(self, method, path, body=None, headers=None, server=0):
        return self.call(method, path, body, {**self.staff, **(headers or {})}, server)

    def given_trip(self, **fields):
        """A published trip; its object."""
        made = self.as_staff("POST", "/trips", {"title": "Harbour walk", "summary": "Two hours by the water.",
                                                "regular_price": 40, "duration": 1, **fields})
        assert made.status == 201, made
        trip = self.as_staff("PUT", f"/trips/{made.data['id']}", {"status": "publish"})
        assert trip.status == 200, trip
        return trip.data

    def given_departure(self, trip_id, date, capacity, **fields):
        made = self.as_staff("POST", f"/trips/{trip_id}/departures",
                             {"start_date": date, "max_capacity": capacity, **fields})
        assert made.status == 201, made
        return made.data

    def wait_until_all_show(self, trip_id):
        """Other processes than the one that published a trip follow within a second: asked until they have."""
        for number in range(len(self.servers)):
            for _ in range(1200):
                if self.call("GET", f"/trips/{trip_id}/available-dates", server=number).status == 200:
                    break
                time.sleep(0.05)
            else:
                raise AssertionError(f"server {number} never showed trip {trip_id}")

    def book(self, trip_id, date, name="Ada", server=0, headers=None, **fields):
        """Session and create; the create's answer."""
        session = self.call("POST", "/booking/session", {"trip_id": trip_id, "travel_date": date}, server=server)
        assert session.status == 201, session
        return self.call("POST", "/booking/create",
                         filled_in({"session_id": session.data["session_id"], "contact_first_name": name,
                                    "contact_email": f"{name.lower()}@example.org", "payment_gateway": "pay_later",
                                    **fields}), headers, server)

    def check_invariants(self):
        """Runs tests/invariants.sql: each statement must answer no row."""
        statements = invariants()
        if not self.sql(";\n".join(statements)):  # all at once; which one it is, is looked for when there is one
            return
        for statement in statements:
            rows = self.sql(statement)
            assert not rows, f"{statement}\n{rows[:5]}"
