#!/usr/bin/python3
"""R8 on the release itself: `svc migrate` of both editions is killed at seeded moments and at every so manieth write to its
database, and run again; the schema and the ledger are those of a run that nobody disturbed. Four processes started on an
empty database at once reach it too. Databases that had only the first steps, with a shop's rows in them, are migrated with
such kills as well: no row is lost and all is as in one go. On the schema of a later release, which adds to every table,
this one starts and sells; where a step took something away what is older, the base or Pro, says so and does not start.

killed_migrations.py SVC DATABASE PRO KILLS STRIDE OLDER     a kill at every STRIDE-th write; every OLDER-th older schema

A write is what reaches the disk on SQLite and what is sent to the server on PostgreSQL; strace kills before it happens.
"""
import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time

from furnished import furnished
from proving import SEED, Site, arguments, day, figure

SVC, DATABASE, (PRO, KILLS, STRIDE, OLDER) = arguments(5)
SQLITE = DATABASE == "sqlite"
CALL = "pwrite64" if SQLITE else "sendto"
SCHEMA = {
    "sqlite": ["SELECT type, name, tbl_name, replace(coalesce(sql, ''), char(10), ' ') FROM sqlite_master"
               " WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"],
    "postgres": ["SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, '')"
                 " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
                 "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
                 "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
                 " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
                 "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2"],
}
LEDGER = "SELECT edition, name, checksum FROM svc_migrations ORDER BY edition, name"
# As base/platform/store/migrate.cpp makes it; where the two differ the schemas do.
MADE_LEDGER = ("CREATE TABLE IF NOT EXISTS svc_migrations (edition TEXT NOT NULL, name TEXT NOT NULL, checksum TEXT NOT NULL,"
               " applied_at BIGINT NOT NULL, PRIMARY KEY (edition, name))")
# Relations with their columns and whether they are tables; what a full-text index keeps for itself is none.
COLUMNS = {
    "sqlite": "SELECT m.name, m.type = 'table', p.name FROM sqlite_master m, pragma_table_info(m.name) p, pragma_table_list l"
              " WHERE l.schema = 'main' AND l.name = m.name AND l.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'"
              " AND m.name <> 'svc_migrations' ORDER BY m.name, p.cid",
    "postgres": "SELECT c.table_name, CASE table_type WHEN 'BASE TABLE' THEN 1 ELSE 0 END, c.column_name"
                " FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)"
                " WHERE table_schema = 'public' AND c.is_generated = 'NEVER' AND c.table_name <> 'svc_migrations'"
                " ORDER BY c.table_name, c.ordinal_position",
}
STEPS = sorted(file.name for file in (pathlib.Path(__file__).parent.parent.parent / "migrations/base").glob("*.sql"))
# What a step says anew, by its table and words of the rows: 0054 lists the gateways, 0063 adds the counts up into tallies,
# which the invariants hold, 0065 lets all attributes be searched.
REWRITTEN = {"svc_settings": "payment_gateways", "svc_booking_counts": "", "svc_classifications": '"searchable":false'}
WITH_PAYMENTS = STEPS.index("0022_payments.sql") + 1  # so many steps, and there is a shop to keep


class Fresh(Site):
    """A database of its own that nothing has been done to, or a copy of another site's."""

    def __init__(self, like=None, environment=None):
        self.like = like
        super().__init__(SVC, DATABASE, servers=0, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO), **(environment or {})},
                         sound=False)  # there may be no table to look at

    def _database_url(self):
        url = super()._database_url()
        there = self.like and url_of(self.like)
        if there and SQLITE:
            shutil.copy(there, url.removeprefix("sqlite:"))
        elif there:
            name = url.rpartition("dbname=")[2]
            for statement in f"DROP DATABASE {name}", f"CREATE DATABASE {name} TEMPLATE {there.rpartition('dbname=')[2]}":
                subprocess.run(["psql", self.sql_admin, "-qc", statement], check=True)
        return url

    def run(self, *words):
        return "none\n" if words[0] in ("migrate", "user", "password") else super().run(*words)

    def migrating(self, under=()):
        return subprocess.Popen([*under, self.svc, "migrate"], cwd=self.dir, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def migrate(self):
        process = self.migrating()
        _, said = process.communicate()
        assert process.returncode == 0, said

    def killed_at(self, k):
        """Whether a migration was killed at its k-th write; else it ended well before that."""
        process = self.migrating(("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={CALL}", "-e",
                                  f"inject={CALL}:signal=KILL:when={k}"))
        _, said = process.communicate()
        assert process.returncode in (0, -9), said
        return process.returncode != 0

    def applied(self):
        """How many steps stand in the ledger."""
        try:
            return len(self.sql(LEDGER))
        except subprocess.CalledProcessError:
            return 0

    def up_to(self, steps):
        """Migrated with the first steps only: the next one stands in the ledger as something that it is not."""
        self.sql(f"{MADE_LEDGER}; INSERT INTO svc_migrations VALUES ('base', '{STEPS[steps]}', 'another', 0)")
        process = self.migrating()
        _, said = process.communicate()
        assert process.returncode != 0 and "with another text" in said, said
        self.sql(f"DELETE FROM svc_migrations WHERE name = '{STEPS[steps]}'")
        assert self.applied() == steps, self.applied()


def state(site):
    return [site.sql(question) for question in (*SCHEMA[DATABASE], LEDGER)]


def url_of(site):
    return site.environment["SVC_DATABASE_URL"].partition(":")[2]


def columns_of(site, tables_only=True):
    found = {}
    for name, is_table, column in site.sql(COLUMNS[DATABASE]):
        if is_table == "1" or not tables_only:
            found.setdefault(name, []).append(column)
    return found


def rows_of(site, columns):
    """The rows of each table, by its name."""
    rows, name = {}, None
    for line in site.sql(";\n".join(
            f"SELECT '=', '{table}'; SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(names)}"
            for table, names in columns.items())):
        if line[0] == "=":
            name = line[1]
            rows[name] = []
        else:
            rows[name].append(line)
    return rows


def copied(source, target):
    """All that the older tables have a place for, as it is in the newer ones; no trigger does anything about it."""
    there = columns_of(source, tables_only=False)
    fits = {table: [name for name in names if name in there.get(table, ())] for table, names in columns_of(target).items()}
    fits = {table: names for table, names in fits.items() if names}
    if SQLITE:
        with contextlib.closing(sqlite3.connect(url_of(target))) as db:
            db.execute("ATTACH ? AS newer", (url_of(source),))
            triggers = db.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                db.execute(f"DROP TRIGGER main.{name}")
            for table, names in fits.items():
                db.execute(f"DELETE FROM main.{table}")
                db.execute(f"INSERT INTO main.{table} ({', '.join(names)}) SELECT {', '.join(names)} FROM newer.{table}")
            for _, text in triggers:
                db.execute(text)
            db.commit()
        return fits
    out, back = [], ["SET session_replication_role = replica;"]
    for table, names in fits.items():
        out.append(f"\\copy (SELECT {', '.join(names)} FROM {table}) TO '{target.dir}/{table}'")
        back += [f"DELETE FROM {table};", f"\\copy {table} ({', '.join(names)}) FROM '{target.dir}/{table}'"]
        if "id" in names:
            back.append(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
                        f" WHERE pg_get_serial_sequence('{table}', 'id') IS NOT NULL;")
    for site, lines in (source, out), (target, back):
        subprocess.run(["psql", url_of(site), "-qXv", "ON_ERROR_STOP=1",
                        "-f", "-"], input="\n".join(lines), text=True, check=True, stdout=subprocess.DEVNULL)
    return fits


class Count:
    kills = between = 0


def ends_as(expected, count, like=None, whole=None):
    """Killed at every STRIDE-th write of a migration of a copy each, it ends in the same schema, and with the same rows.
    What writes less often than that is killed within all the same."""
    k = killed = 0
    stride = int(STRIDE)
    while True:
        k += stride
        with Fresh(like) as site:
            before = site.applied()
            if not site.killed_at(k):
                if killed:
                    break
                k, stride = 0, stride // 2
                assert stride, "no write at all"
                continue
            killed += 1
            count.between += before < site.applied() < len(expected[-1])
            site.migrate()
            assert state(site) == expected, f"write {k}: another schema than undisturbed"
            if whole:
                assert rows_of(site, columns_of(site)) == whole, f"write {k}: other rows than undisturbed"
    count.kills += killed


def at_any_moment(expected, seconds, count):
    chance = random.Random(SEED)
    for _ in range(int(KILLS)):
        with Fresh() as site:
            while True:
                process = site.migrating()
                time.sleep(chance.uniform(0, seconds))
                process.kill()
                process.communicate()
                if process.returncode == 0:
                    break
                count.kills += 1
                count.between += 0 < site.applied() < len(expected[-1])
                if chance.random() < 0.5:  # else it is killed once more, from where it is
                    break
            site.migrate()
            assert state(site) == expected, "another schema than undisturbed"


def sells(site, trip):
    """A server of this release starts there, sells, takes money and gives it back."""
    site.start()
    sold = site.book(trip, day(), "Nora")
    assert sold.status == 201, sold
    booking = sold.data["booking_id"]
    paid = site.as_staff("POST", "/payments", {"booking_id": booking, "amount": 10, "gateway": "cash", "status": "completed"})
    assert paid.status == 201, paid
    back = site.as_staff("POST", f"/payments/{paid.data['id']}/refunds", {"amount": 4, "reason": "asked for"})
    assert back.status in (200, 201), back
    for path in (f"/bookings/{booking}", "/bookings", "/payments", f"/trips/{trip}", "/trips"):
        answer = site.as_staff("GET", path)
        assert answer.status == 200, (path, answer)
    site.check_invariants()
    server = site.servers.pop().process
    server.terminate()
    assert server.wait(60) == 0


def older_is_kept(shop, steps, expected, count):
    """A database that had only so many steps, with the rows of a shop; the rows kept."""
    source = shop.site
    with shop_like(shop) as older:
        older.up_to(steps)
        fits = copied(source, older)
        before = rows_of(older, fits)
        with shop_like(shop, older) as site:
            site.migrate()
            assert state(site) == expected, f"from {STEPS[steps - 1]}: another schema than from nothing"
            after, whole = rows_of(site, fits), rows_of(site, columns_of(site))
            for table, rows in before.items():
                lost = [row for row in rows if row not in after[table]
                        and not (table in REWRITTEN and any(REWRITTEN[table] in text for text in row))]
                assert not lost, f"from {STEPS[steps - 1]}: {table} has no longer {lost[:3]}"
            site.check_invariants()
            sells(site, shop.walk.ids["/trips"])
        ends_as(expected, count, older, whole)
        return sum(map(len, before.values()))


def shop_like(shop, like=None):
    """With the shop's keys and files."""
    names = ("SVC_FILES_KEY_FILE", "SVC_FILES_DATA_DIR", "SVC_PAYMENT_API_BASES", "SVC_OUTBOUND_PRIVATE_HOSTS")

    class Like(Fresh):
        def __enter__(self):
            super().__enter__()
            self.staff = shop.site.staff
            return self
    return Like(like, {name: shop.site.environment[name] for name in names})


def newer_is_served(shop):
    """As a later release would leave it: a column more in every table, a table, an index, a trigger, and its steps."""
    with shop_like(shop, shop.site) as site:
        tables = columns_of(site)
        later = [f"ALTER TABLE {table} ADD COLUMN later_{table} TEXT NOT NULL DEFAULT 'later'" for table in tables]
        later += ["CREATE TABLE svc_later (booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE)",
                  "CREATE INDEX svc_bookings_later ON svc_bookings (later_svc_bookings, id)"]
        editions = sorted({row[0] for row in site.sql(LEDGER)})
        later += [f"INSERT INTO svc_migrations VALUES ('{edition}', '9001_later.sql', 'of a later release', 0)"
                  for edition in editions]
        site.sql(";\n".join(later))
        newer = state(site)
        site.migrate()
        assert state(site) == newer, "the older release changed the newer schema"
        sells(site, shop.walk.ids["/trips"])
        told = subprocess.run([site.svc, "doctor"], cwd=site.dir, env=site.environment, capture_output=True, text=True)
        assert "9001_later.sql" in told.stdout + told.stderr, told
        for edition in editions:  # the base does not start then; Pro at most leaves the base to serve without it
            site.sql(f"INSERT INTO svc_migrations VALUES ('{edition}', '9002_later_contract.sql', 'of a later release', 0)")
            before = rows_of(site, columns_of(site))
            try:
                said = "\n".join(line or "" for line in site.start().lines)
            except AssertionError as refusal:
                said = str(refusal)
                assert rows_of(site, columns_of(site)) == before, "a server that refused to start wrote"
            else:
                assert edition != "base" and '"plugin_attached"' not in said, (
                    f"{edition} serves on a schema whose step 9002_later_contract.sql it does not know: {said}")
            assert f"{edition}/9002_later_contract.sql" in said, said
            site.sql("DELETE FROM svc_migrations WHERE name = '9002_later_contract.sql'")
        return len(tables)


def main():
    count = Count()
    with Fresh() as site:
        began = time.monotonic()
        site.migrate()
        seconds, expected, steps = time.monotonic() - began, state(site), site.applied()
    assert steps > 50 and any(row[0] != "base" for row in expected[-1]), steps
    at_any_moment(expected, seconds, count)
    ends_as(expected, count)
    with Fresh() as site:
        together = [site.migrating() for _ in range(4)]
        assert [process.communicate() and process.returncode for process in together] == [0] * 4
        assert state(site) == expected
    assert count.between > 0, "no kill came between two steps"
    figure(f"steps {steps}, kills {count.kills}, between steps {count.between}, other schemas 0, processes at once 4")
    with furnished(SVC, DATABASE, PRO) as shop:
        server = shop.site.servers.pop().process
        server.terminate()
        server.wait()
        count, schemas = Count(), range(WITH_PAYMENTS, len(STEPS), int(OLDER))
        expected = state(shop.site)  # its abilities of Pro are on: their steps run too
        rows = [older_is_kept(shop, steps, expected, count) for steps in schemas]
        figure(f"older schemas {len(rows)}, rows {min(rows)} to {max(rows)} of a shop, kills {count.kills}, rows lost 0")
        figure(f"newer schema: {newer_is_served(shop)} tables with a column more, sells; without what it needs, refuses")


if __name__ == "__main__":
    sys.exit(main())
