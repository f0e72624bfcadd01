"""R9: a backup each few seconds while clients book, each restored: it is whole, keeps every invariant and has all that was
acknowledged before it was begun. In the full set a last one of a grown database, with the seconds until it serves again.

backups.py SVC DATABASE COUNT SECONDS MEBIBYTES    SECONDS: between two backups; MEBIBYTES: of the last one; 0: none
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
import uuid

from proving import Buyers, Site, arguments, day, figure, not_limited, references

SVC, DATABASE, (COUNT, SECONDS, MEBIBYTES) = arguments(4)
AT_ONCE = 20_000  # bookings that a grown database is made of, each with its lines, events and e-mails


def restored(site, copy):
    """The URL of a database made of the copy, as operating.md says; what fails ends it."""
    if DATABASE == "sqlite":
        place = site.dir / f"restored-{uuid.uuid4().hex[:8]}.db"
        shutil.copyfile(copy, place)
        return f"sqlite:{place}"
    name = "site_" + uuid.uuid4().hex[:12]
    subprocess.run(["psql", site.sql_admin, "-qc", f"CREATE DATABASE {name}"], check=True)
    site.stack.callback(subprocess.run, ["psql", site.sql_admin, "-qc", "SET client_min_messages = error", "-c",
                         f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"])
    address = " ".join([*(w for w in site.sql_admin.split() if not w.startswith("dbname=")), f"dbname={name}"])
    subprocess.run(["pg_restore", "--no-owner", "--single-transaction", "-d", address, str(copy)], check=True)
    return "postgresql:" + address


def drop(site, url):
    if DATABASE == "sqlite":
        pathlib.Path(url.removeprefix("sqlite:")).unlink()
    else:
        name = url.rsplit("dbname=", 1)[1]
        subprocess.run(["psql", site.sql_admin, "-qc", f"DROP DATABASE {name} WITH (FORCE)"], check=True)


@contextlib.contextmanager
def looking_at(site, url):
    """What the site asks of its database, it asks of the restored one."""
    kept = site.environment["SVC_DATABASE_URL"]
    site.environment["SVC_DATABASE_URL"] = url
    try:
        yield
    finally:
        site.environment["SVC_DATABASE_URL"] = kept


def what_is_wrong(site, url, before):
    """Of a restored database; nothing when it is whole."""
    with looking_at(site, url):
        if DATABASE == "sqlite" and (said := site.sql("PRAGMA integrity_check")) != [["ok"]]:
            return said
        try:
            site.check_invariants()
        except AssertionError as broken:
            return str(broken)
        return sorted(set(before) - set(references(site)))[:5]


def planted_faults_are_found(site, url, before):
    """Of a whole one a booking is lost to its name, another to its lines: the look at it has to see either."""
    for fault in (f"UPDATE svc_bookings SET reference = 'LOST' WHERE reference = '{before[0]}'",
                  "DELETE FROM svc_booking_lines WHERE booking_id = (SELECT MIN(id) FROM svc_bookings)"):
        with looking_at(site, url):
            site.sql(fault)
        assert what_is_wrong(site, url, before), f"not found: {fault}"
        before = []


def one_backup(site, buyers, number):
    """Seconds it took, what is wrong with it, and where it is restored."""
    with buyers.lock:
        before = list(buyers.acknowledged)
    copy, began = site.dir / f"copy-{number}", time.monotonic()
    site.run("backup", str(copy))
    took = time.monotonic() - began
    url = restored(site, copy)
    copy.unlink()
    return took, what_is_wrong(site, url, before), url, before


def copies_of(site, table, number, source, other):
    """For each booking of this number's growth the rows of `table` that the first booking has."""
    names = ("SELECT name FROM pragma_table_info('{}')" if DATABASE == "sqlite" else
             "SELECT column_name FROM information_schema.columns WHERE table_name = '{}' AND table_schema = 'public'")
    columns = [row[0] for row in site.sql(names.format(table)) if row[0] != "id"]
    values = ", ".join(other.get(column, f"source.{column}") for column in columns)
    site.sql(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} AS source JOIN svc_bookings AS made"
             f" ON made.reference LIKE 'G{number}x%' WHERE {source}")


def grow(site, booking, number):
    """Cancelled bookings as the one that is there, each with all that belongs to it."""
    rows = (f"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {AT_ONCE}) SELECT i FROM n)"
            if DATABASE == "sqlite" else f"(SELECT i FROM generate_series(1, {AT_ONCE}) AS i)")
    names = ("SELECT name FROM pragma_table_info('svc_bookings')" if DATABASE == "sqlite" else
             "SELECT column_name FROM information_schema.columns WHERE table_name = 'svc_bookings'"
             " AND table_schema = 'public'")
    columns = [row[0] for row in site.sql(names) if row[0] != "id"]
    other = {"reference": f"'G{number}x' || n.i", "status": "'cancelled'", "search": "b.search || ' grown' || n.i",
             "created_at": f"b.created_at - ({number} * {AT_ONCE} + n.i) * CAST(1000000 AS BIGINT)"}
    values = ", ".join(other.get(column, f"b.{column}") for column in columns)
    site.sql(f"INSERT INTO svc_bookings ({', '.join(columns)}) SELECT {values} FROM svc_bookings AS b JOIN {rows} AS n"
             f" ON b.id = {booking}")
    of_one = f"source.booking_id = {booking}"
    copies_of(site, "svc_booking_lines", number, of_one, {"booking_id": "made.id"})
    copies_of(site, "svc_booking_travelers", number, of_one, {"booking_id": "made.id"})
    copies_of(site, "svc_booking_departures", number, of_one, {
        "booking_id": "made.id", "released_at": "source.linked_at", "release_reason": "'cancelled'"})
    copies_of(site, "svc_domain_events", number,
              f"source.subject_type = 'booking' AND source.subject_id = {booking}",
              {"subject_id": "made.id", "dispatched_at": "source.occurred_at"})
    copies_of(site, "svc_email_outbox", number, of_one, {"booking_id": "made.id", "dedupe_key": "NULL",
                                                         "status": "'sent'"})


def size_of(site):
    """Mebibytes of the database."""
    if DATABASE == "sqlite":
        site.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return os.stat(site.environment["SVC_DATABASE_URL"].removeprefix("sqlite:")).st_size >> 20
    return int(site.sql("SELECT pg_database_size(current_database())")[0][0]) >> 20


def grown_one(site, trip, booking):
    """A backup of a grown database while somebody books: what it says of itself."""
    number = 0
    while (size := size_of(site)) < int(MEBIBYTES):
        grow(site, booking, number)
        number += 1
    site.check_invariants()
    buyers = Buyers(lambda _: site.servers[-1].port, trip, clients=2)
    buyers.wait_for_more(10)
    before, copy, began = list(buyers.acknowledged), site.dir / "copy", time.monotonic()
    site.run("backup", str(copy))
    made = time.monotonic() - began
    buyers.wait_for_more(1)
    buyers.stop()
    weighs, began = copy.stat().st_size >> 20, time.monotonic()
    url = restored(site, copy)
    with looking_at(site, url):
        server = site.start()
        assert server.ask("/readyz", admin=True)[0] == 200
        took = time.monotonic() - began
        server.process.kill()
        server.process.wait()
    wrong = what_is_wrong(site, url, before)
    assert not wrong, wrong
    return f"; one of {size} MiB (a copy of {weighs} MiB) made in {made:.1f} s, restored and served in {took:.1f} s"


def main():
    with Site(SVC, DATABASE) as site:
        not_limited(site)
        trip = site.given_trip()["id"]
        days = [day(40 + number) for number in range(4)]
        for each in days:
            site.given_departure(trip, each, 100_000)
        booking = site.book(trip, day()).data["booking_id"]
        server = site.servers[-1]
        buyers, bad, times, most = Buyers(lambda _: server.port, trip, days=days), [], [], 0
        try:
            for number in range(int(COUNT)):
                buyers.wait_for_more(10)
                began = time.monotonic()
                took, wrong, url, before = one_backup(site, buyers, number)
                times.append(took)
                most = max(most, len(before))
                if wrong:
                    bad.append(wrong)
                if number < int(COUNT) - 1:
                    drop(site, url)
                    time.sleep(max(0.0, float(SECONDS) - (time.monotonic() - began)))
        finally:
            buyers.stop()
        assert not bad, bad[0]
        with looking_at(site, url):
            anew = site.start()
            assert site.book(trip, day(), server=-1).status == 201  # the key opens what it sealed
            anew.process.kill()
            anew.process.wait()
            site.servers.remove(anew)
        planted_faults_are_found(site, url, before)
        drop(site, url)
        site.check_invariants()
        grown = grown_one(site, trip, booking) if int(MEBIBYTES) else ""
        figure(f"backups {len(times)} of up to {most} bookings while {len(buyers.acknowledged)} were made, bad {len(bad)},"
               f" planted faults found 2 of 2, slowest {max(times):.2f} s{grown}")


if __name__ == "__main__":
    sys.exit(main())
