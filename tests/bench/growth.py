"""The rows of bench.py that tell how costs grow: with bookings, with departures, with server processes.

Rows are named KIND@SIZE; their ratio is to the smallest size of the same kind, so 1 is flat and less is slower; a booking's
is to a fresh site of the smallest size measured in turns with it. An answer of more departures is a longer one:
`departures` are told beside a constant of the same bytes instead.
"""
import contextlib
import datetime
import time

from catalogue import percentiles
from installation import Site

DAY = (datetime.date.today() + datetime.timedelta(days=60)).isoformat()
SMALLEST = 100
TURNS = 9
WEEK_AGO = (datetime.date.today() - datetime.timedelta(days=7)).isoformat()


def copied(site, table, source, count, other):
    """Inserts `count` rows like the one of `source`; `other`: column to expression over copy.i."""
    sqlite = site.database == "sqlite"
    columns = [row[0] for row in site.sql(
        f"SELECT name FROM pragma_table_info('{table}')" if sqlite else
        f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
        " AND table_schema = 'public' ORDER BY ordinal_position")]
    columns.remove("id")
    numbers = (f"WITH RECURSIVE copy(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < {count})" if sqlite
               else f"WITH copy AS (SELECT i FROM generate_series(1, {count}) AS i)")
    values = ", ".join(other.get(column, f"source.{column}") for column in columns)
    site.sql(f"{numbers} INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM copy"
             f" JOIN {table} AS source ON {source}")


def add_bookings(site, booking, count):
    """Cancelled ones of one departure: they weigh in the tables and hold no seat."""
    copied(site, "svc_bookings", f"source.id = {booking}", count, {
        "reference": "'GROWN' || (SELECT COUNT(*) FROM svc_bookings) || 'x' || copy.i", "status": "'cancelled'",
        "created_at": "source.created_at - copy.i * CAST(1000000 AS BIGINT)", "search": "source.search || ' grown' || copy.i"})
    copied(site, "svc_booking_departures", f"source.booking_id = {booking} AND source.released_at IS NULL", count,
           {"released_at": "source.linked_at", "release_reason": "'cancelled'"})


def settled(site):
    """What was written is where it stays: no log of a bulk load to be moved, no events that wait for their listeners, no
    counts of a second's thousand bookings that the job of each minute has still to add up."""
    postgres = site.database == "postgres"
    for statement in ("VACUUM (ANALYZE)", "CHECKPOINT") if postgres else ("PRAGMA wal_checkpoint(TRUNCATE)",):
        site.sql(statement)
    waiting = "SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL"
    if postgres:
        waiting += " UNION ALL SELECT COUNT(*) FROM svc_booking_count_changes"
    until = time.monotonic() + 90
    while any(row != ["0"] for row in site.sql(waiting)):
        assert time.monotonic() < until, "what was written waits for more than a minute"
        time.sleep(0.2)


@contextlib.contextmanager
def given_site(bench, database):
    """A site whose one departure takes every booking; with it the trip and a first booking."""
    with Site(bench.build / "bin/svc", database, environment={"SVC_LISTEN_WORKERS": "4"}, log="server.log",
              sound=False) as site:  # what is added weighs, and is no whole booking
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        trip = site.given_trip()["id"]
        site.given_departure(trip, DAY, 100_000)
        yield site, trip, site.book(trip, DAY).data["booking_id"]


def flow_beside_smallest(bench, database, load, site, trip, size):
    """Bookings here and on a fresh site of the smallest size, in turns, so that what else a machine does meets both, after
    as many uncounted ones, so that neither is the first to touch its pages. The turn in the middle by its ratio."""
    def run(where, its_trip):
        return load(bench.build, where.servers[0].port, "flow", bench.options.seconds, 4, trip=its_trip, date=DAY)

    with given_site(bench, database) as (small, small_trip, booking):
        add_bookings(small, booking, SMALLEST)
        settled(small)
        settled(site)
        turns = [(run(site, trip), run(small, small_trip)) for _ in range(2 + TURNS)][2:]
        for each in (site, small):
            settled(each)
    turns.sort(key=lambda turn: turn[0]["per_second"] / turn[1]["per_second"])
    here, there = turns[TURNS // 2]
    bench.row(f"bookings_flow@{size}", here["per_second"], "bookings/s", there["per_second"], here)


def one_site(bench, database, load):
    with given_site(bench, database) as (site, trip, booking):
        port, before = site.servers[0].port, 0
        for count in (SMALLEST, 10_000, 100_000):
            add_bookings(site, booking, count - before)
            before = count
            flow_beside_smallest(bench, database, load, site, trip, count)
            buyer = site.as_staff("GET", "/bookings?per_page=1").data[0]["customer_id"]
            for name, query in (("list", ""), ("search", "?search=lovelace"), ("status", "?status=pending"),
                                ("payment", "?payment_status=pending"), ("trip", f"?trip_id={trip}"),
                                ("days", f"?from={WEEK_AGO}"),
                                ("customer", f"?customer_id={buyer}")):
                took = percentiles(port, [("GET", "/svc/v1/bookings" + query, None, site.staff)] * 60)
                bench.row(f"bookings_{name}@{count}", took["p50_ms"], "ms", None, took)
        grown = site.given_trip(title="Every day")["id"]
        for number in range(365):
            if number in (1, 30, 364):
                bench.site = site
                bench.paired(f"departures@{number + 1}", port, f"/svc/v1/trips/{grown}/available-dates", [],
                             site.servers[0].process.pid)
            site.given_departure(grown, (datetime.date.today() + datetime.timedelta(days=3 + number)).isoformat(), 20)


def processes(bench, database, load):
    first = None
    for count in (1, 2, 4):
        with Site(bench.build / "bin/svc", database, servers=count, environment={"SVC_LISTEN_WORKERS": "4"},
                  log="server.log") as site:
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 100_000)
            site.wait_until_all_show(trip)
            together = bench.several([server.port for server in site.servers], trip, DAY)
            first = first or together
            bench.row(f"processes@{count}", together, "bookings/s", first)
            site.check_invariants()


def add_rows(bench, database, load):
    one_site(bench, database, load)
    processes(bench, database, load)
