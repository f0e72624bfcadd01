"""S16: every route is asked while the database is broken: tables or columns are gone, triggers raise, locks are held (by
another process, or LOCK TABLE), and on PostgreSQL every session is ended over and over. What is no success is the error
body of the contract, no answer tells anything of what is inside, and each failure's cause is in the log under the id that
the answer names. Mended, the server serves as before, without a restart.

broken_database.py SVC DATABASE PRO SHARE     SHARE: of so many tables one is broken by itself
"""
import collections
import concurrent.futures
import contextlib
import json
import re
import subprocess
import sys
import threading
import time

import needed
from furnished import PNG, furnished
from proving import arguments, day, figure, random_of
from walking import NUMBERS, elsewhere, fetched, sample, uploaded

SVC, DATABASE, (PRO, SHARE) = arguments(2)
SHARE = int(SHARE)
SQLITE = DATABASE == "sqlite"
AT_ONCE = 32  # who waits for a lock waits long: many at once, and as many workers and sessions
# Whoever asks is known by these: routes reach what is behind them while the others are broken.
IDENTITY = {"svc_users", "svc_roles", "svc_user_capabilities", "svc_application_passwords", "svc_sessions"}
LONG = "POST /sample-data/import"  # makes many records each time that it is not stopped
# What a trigger says, so that it is found wherever it is told; and the errors that PostgreSQL is told it is.
PLANTED = "planted: UPDATE svc_trips SET secret at /var/lib/svc/store.cpp std::bad_alloc"
CODES = ("P0001", "23505", "23503", "23514", "40001", "57014", "53100", "XX000", "22003")
# Nobody is told any of this: SQL, words of the databases and of their drivers, types, places on the disk.
INTERNAL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE FROM|FROM|WHERE|VALUES|RETURNING|LOCK TABLE)\b|std::|__cxx|basic_string|bad_alloc"
    r"|/(build|work|usr|tmp|var|home|root)\b|\.[ch]pp\b|\.(so|sql|db|conf)\b"
    r"|(?i:\bno such (table|column)|does not exist|syntax error|constraint|violates|relation\b|deadlock|is locked|sqlite"
    r"|postgres|libpq|\bsoci\b|\bpg_|sqlstate|terminating|cancell?ing statement|(lock|statement) timeout|server closed"
    r"|exception)")
# Bodies that leave the shop as it is, where a sample of the schema would not.
BY_HAND = {"PUT /settings": {"company_name": "Harbour"}, "POST /payment/gateways/{gateway}/config": {"enabled": True}}


class Judge:
    """Looks at every answer; what is wrong is kept."""

    def __init__(self, tables):
        self.tables = tables
        self.statuses, self.failed, self.ids = collections.Counter(), set(), []
        self.wrong, self.leaks = [], []

    def hidden(self, text):
        """What no good answer shows either: our own words, and names of tables."""
        words = re.findall(r"planted|\bsvc_\w+", text)
        return next((word for word in words if word == "planted" or word in self.tables), None)

    def look(self, way, route, status, pairs, data):
        self.statuses[status] += 1
        told, headers = data.decode(errors="replace"), {name.lower(): value for name, value in pairs}
        heads = "\n".join(f"{name}: {value}" for name, value in pairs)
        good = status < 400
        if found := self.hidden(heads + told) or INTERNAL.search(heads if good else heads + told):
            self.leaks.append((way, route, status, found, told[:300]))
        if good:
            return
        try:
            body = json.loads(told)
            sound = (set(body) == {"code", "message", "data"} and body["data"]["status"] == status
                     and all(isinstance(body[name], str) and body[name] for name in ("code", "message"))
                     and headers["content-type"].startswith("application/json")
                     and (status != 500 or body["data"]["log_id"] == headers["x-request-id"])
                     and (status != 503 or headers["retry-after"].isdigit()))
        except (ValueError, TypeError, KeyError):
            sound = False
        if not sound:
            self.wrong.append((way, route, status, pairs, told[:300]))
        elif status >= 500:
            self.failed.add(route)
            if status == 500:
                self.ids.append(headers["x-request-id"])


def finds_what_is_planted():
    judge, kind = Judge({"svc_trips"}), [("Content-Type", "application/json"), ("X-Request-Id", "a"), ("Retry-After", "1")]
    body = {"code": "a", "message": "b", "data": {"status": 503}}
    judge.look("", "", 503, kind, json.dumps(body).encode())
    assert not judge.leaks and not judge.wrong, (judge.leaks, judge.wrong)
    told = ("SELECT 1", "near: syntax error", "std::string", "a.cpp", "/var/lib/x", "from SQLite")
    for status, heads, text in ((200, [("X-A", "svc_trips")], "{}"), (200, [], "no such table: svc_trips"),
                                (200, [("A", "/tmp/a")], ""),
                                *((503, kind, json.dumps({**body, "message": each})) for each in told)):
        judge.look("", "", status, heads, text.encode())
    assert len(judge.leaks) == 9, judge.leaks
    unlike = {"status": 500, "log_id": "b"}
    for status, heads, text in ((503, kind[:2], body), (404, kind, body), (503, kind[1:], body), (503, kind, []),
                                (503, kind, {**body, "more": 1}), (500, kind, {**body, "data": unlike})):
        judge.look("", "", status, heads, json.dumps(text).encode())
    assert len(judge.wrong) == 6, judge.wrong


def run(site, statements):
    """Each by itself, as the server is at work meanwhile; on SQLite names of other tables stay as they are written."""
    url = site.environment["SVC_DATABASE_URL"]
    command = (["sqlite3", "-bail", "-cmd", ".timeout 30000", "-cmd", "PRAGMA legacy_alter_table = ON",
                url.removeprefix("sqlite:")] if SQLITE else
               ["psql", url.removeprefix("postgresql:"), "-qv", "ON_ERROR_STOP=1"])
    whole = ["BEGIN IMMEDIATE", *statements, "COMMIT"] if SQLITE else statements
    done = subprocess.run(command, input="".join(f"{each};\n" for each in whole), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def columns(site):
    """Of each table those that may be renamed."""
    found = collections.defaultdict(list)
    for table, column in site.sql(
            "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.type = 'table'"
            " AND t.name LIKE 'svc\\_%' ESCAPE '\\' ORDER BY 1, 2" if SQLITE else
            "SELECT c.table_name, c.column_name FROM information_schema.columns c"
            " JOIN pg_tables t ON t.tablename = c.table_name"
            " WHERE t.schemaname = 'public' AND c.table_name LIKE 'svc\\_%' ORDER BY 1, 2"):
        found[table].append(column)
    return found


def renamed(table, _):
    return [f"ALTER TABLE {table} RENAME TO {table}_planted"], [f"ALTER TABLE {table}_planted RENAME TO {table}"]


def without_a_column(table, named):
    column = random_of("column", table).choice(named)
    return ([f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}_planted"],
            [f"ALTER TABLE {table} RENAME COLUMN {column}_planted TO {column}"])


def raising(table, _):
    if SQLITE:
        ways = ("INSERT", "UPDATE", "DELETE")
        return ([f"CREATE TRIGGER {table}_planted_{way} BEFORE {way} ON {table} BEGIN SELECT RAISE(ABORT, '{PLANTED}'); END"
                 for way in ways], [f"DROP TRIGGER {table}_planted_{way}" for way in ways])
    code = random_of("code", table).choice(CODES)
    return ([f"CREATE OR REPLACE FUNCTION planted_{code}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
             f" '{PLANTED}' USING ERRCODE = '{code}', DETAIL = '{PLANTED}', CONSTRAINT = 'planted', TABLE = 'planted'; END $$",
             f"CREATE TRIGGER planted BEFORE INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION planted_{code}()"],
            [f"DROP TRIGGER planted ON {table}"])


@contextlib.contextmanager
def broken(site, way, tables):
    """`tables`: their columns by their names."""
    steps = [way(table, named) for table, named in tables.items()]
    run(site, [each for step, _ in steps for each in step])
    try:
        yield
    finally:
        run(site, [each for _, step in reversed(steps) for each in step])


@contextlib.contextmanager
def at_the_database(site, *words):
    """A program of another process that says a line, and lives on until it is ended."""
    url = site.environment["SVC_DATABASE_URL"]
    command = (["sqlite3", "-cmd", ".timeout 30000", url.removeprefix("sqlite:")] if SQLITE else
               ["psql", url.removeprefix("postgresql:"), "-Atq"])
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        program.stdin.write("\n".join(words) + "\n")
        program.stdin.flush()
        assert program.stdout.readline(), "it said nothing"
        threading.Thread(target=program.stdout.read, daemon=True).start()
        yield
    finally:
        program.kill()
        program.wait()


def locked(site, tables):
    return at_the_database(site, "BEGIN IMMEDIATE;" if SQLITE else
                           f"SET deadlock_timeout = '60s'; BEGIN; LOCK TABLE {', '.join(tables)};", "SELECT 1;")


def all_ended(site):
    return at_the_database(site, "SELECT 1; SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                           " WHERE datname = current_database() AND pid <> pg_backend_pid() \\watch 0.02")


class Asking:
    """Every route of a shop, with a body that is taken as long as nothing is broken."""

    def __init__(self, shop, judge):
        self.shop, self.site, self.judge, self.routes = shop, shop.site, judge, []
        self.own_trip = self.site.given_trip()["id"]  # which no route is told to take away
        self.site.given_departure(self.own_trip, day(), 500)
        walk = shop.walk
        for method, path, route in walk.routes("get", "post", "put", "patch", "delete"):
            schema, write, before = walk.body_schema(route), f"{method} {path}", dict(walk.ids)
            fields, own = needed.NEEDED.get(write, (None, None))
            shop.knows(**(own(shop) if own else {}))
            target = walk.filled(path)
            assert target, f"no id for {path}"
            body = None if schema is None else BY_HAND.get(write) or {
                **walk.references(sample(schema)), **(fields(shop, lambda name, longest: "plain"[:longest]) if fields else {})}
            walk.ids = before
            self.routes.append((write, method, "/svc/v1" + target, body))
        # Removals of tables that others refer to come last.
        self.routes.sort(key=lambda route: route[1] == "DELETE")

    def one(self, route, headers):
        write, method, target, body = route
        if write == "POST /media":
            return uploaded(self.site, "harbour.png", PNG + target.encode(), visibility="public")
        # An id may look like a card's number, and many a one of the server's own making does.
        return fetched(self.site, method, target, body and json.dumps(body), {
            **headers, **elsewhere(), "X-Request-Id": f"walk{next(NUMBERS)}n4242424242424242",
            **({"Content-Type": "application/json"} if body is not None else {})})

    def ask(self, way, routes, headers=None, at_once=1):
        """The statuses, in order."""
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            answers = list(pool.map(lambda route: self.one(route, headers or self.site.staff), routes))
        for route, answer in zip(routes, answers):
            self.judge.look(way, route[0], *answer)
        return [status for status, _, _ in answers]

    def reads(self):
        return self.ask("mended", [route for route in self.routes if route[1] == "GET"])

    def mended(self, way, expected=None):
        """It serves again, at once, and as before where nothing may have changed."""
        now = self.reads()
        assert max(now) < 500 and (expected is None or now == expected), (way, now, expected)
        booked = self.site.book(self.own_trip, day(), "After")
        assert booked.status == 201, (way, booked)


def without_cause(site, ids):
    """The failures that no line of the log names with a cause. Those lines are expected, and not told again at the end."""
    lines, causes = site.servers[0].lines, {}
    for _ in range(50):
        told = [json.loads(line) for line in list(lines) if line and '"event":"unexpected"' in line]
        causes = {each.get("request_id"): each.get("cause") for each in told}
        if set(ids) <= set(causes):
            break
        time.sleep(0.1)
    lines[:] = [line for line in lines if not line or '"event":"unexpected"' not in line]
    return [each for each in ids if not causes.get(each)]


def all_broken(asking, tables, behind):
    """Every table at once, so that no route can answer from one that is whole: the routes that failed."""
    site, judge, routes, before = asking.site, asking.judge, asking.routes, asking.reads()
    with broken(site, renamed, behind):
        asking.ask("renamed", routes)
        with broken(site, renamed, {name: tables[name] for name in IDENTITY}):
            asking.ask("nothing there", routes)
            asking.ask("nothing there", routes, {"X-Svc-Booking-Token": asking.shop.about["guest"]["booking_token"]})
    asking.mended("renamed", before)
    with broken(site, raising, behind):
        asking.ask("raising", routes)
    asking.mended("raising", before)
    failed = set(judge.failed)
    with locked(site, behind):  # who waits, waits for seconds
        waited = asking.ask("locked", routes[::max(1, SHARE // 4)], at_once=AT_ONCE)
    assert 503 in waited, waited
    asking.mended("locked", before)
    return failed


def some_broken(asking, behind):
    """The others go on, and what is written is kept; how many tables were broken by themselves."""
    site, routes = asking.site, asking.routes
    lasting = [route for route in routes if route[1] != "DELETE" and route[0] != LONG]
    alone = list(behind)[::SHARE]
    for table in alone:
        for way in (renamed, without_a_column, raising):
            with broken(site, way, {table: behind[table]}):
                asking.ask(f"{table} {way.__name__}", lasting)
    asking.mended("each table")
    some = {table: behind[table] for table in list(behind)[::max(1, SHARE // 20)]}  # SQLite takes its time for each
    with broken(site, without_a_column, some):
        asking.ask("without_a_column", routes if len(some) == len(behind) else lasting)
    asking.mended("without_a_column")
    if not SQLITE:
        with all_ended(site):
            ended = asking.ask("ended", routes)
        assert 503 in ended, ended
        asking.mended("ended")
    return len(alone)


def main():
    finds_what_is_planted()
    with furnished(SVC, DATABASE, PRO, SVC_LISTEN_WORKERS=str(AT_ONCE), SVC_DATABASE_SESSIONS=str(AT_ONCE)) as shop:
        tables = columns(shop.site)
        assert IDENTITY < set(tables), tables
        judge, behind = Judge(tables), {name: named for name, named in tables.items() if name not in IDENTITY}
        asking = Asking(shop, judge)
        silent = {route[0] for route in asking.routes} - all_broken(asking, tables, behind)
        alone = some_broken(asking, behind)
        unnamed = without_cause(shop.site, judge.ids)
        statuses = ", ".join(f"{status} {count}" for status, count in sorted(judge.statuses.items()))
        figure(f"routes {len(asking.routes)}, failed with the database {len(asking.routes) - len(silent)};"
               f" tables {len(tables)}, by themselves {alone}; answers by status {statuses};"
               f" leaks {len(judge.leaks)}, errors not as agreed {len(judge.wrong)}; causes found"
               f" in the log {len(judge.ids) - len(unnamed)} of {len(judge.ids)}")
        assert not judge.leaks, "\n".join(map(str, judge.leaks[:20]))
        assert not judge.wrong, "\n".join(map(str, judge.wrong[:20]))
        assert not silent, silent
        assert len(set(judge.ids)) == len(judge.ids) and not unnamed, f"no line of the log names {unnamed[:5]}"


if __name__ == "__main__":
    sys.exit(main())
