"""Times each report of a year over 100,000 bookings, over HTTP: reports.py SVC DATABASE [BOOKINGS].

Bookings of 400 days, 20 trips and 40,000 customers, four of five of them sold and paid, each with a tax line and a place
in the ledger of one of 1,000 departures, one of twenty paid back. A row per report: p50 and p99 of 20 answers, and what they cost the
server, which tells more while the machine does other things.
"""
import datetime
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from catalogue import percentiles  # noqa: E402
from growth import DAY, copied, settled  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
BOOKINGS = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
TRIPS, CUSTOMERS, DEPARTURES, DAYS = 20, 40_000, 1_000, 400
TIMES = 20
TYPES = ("overview", "bookings", "revenue", "trips", "customers", "payments", "taxes", "departures")
MOST_MS = 150  # of the revenue report; the others are told beside it


def day_text(site, expression):
    return f"date('now', ({expression}) || ' days')" if site.database == "sqlite" else \
        f"to_char(CURRENT_DATE + CAST({expression} AS INTEGER), 'YYYY-MM-DD')"


def fill(site):
    """Copies one booking of each kind of row, by statements: what they hold agrees, as a site's own would."""
    trips = [site.given_trip(title=f"Trip {number}")["id"] for number in range(TRIPS)]
    site.given_departure(trips[0], DAY, 100_000)
    booking = site.book(trips[0], DAY).data["booking_id"]
    customer, = site.sql(f"SELECT customer_id FROM svc_bookings WHERE id = {booking}")[0]
    departure, = site.sql("SELECT MAX(id) FROM svc_departures")[0]
    paid = site.as_staff("POST", "/payments", {"booking_id": booking, "amount": 40, "gateway": "other",
                                               "status": "completed"})
    assert paid.status == 201, paid
    first = min(trips)
    copied(site, "svc_customers", f"source.id = {customer}", CUSTOMERS, {
        name: "'c' || copy.i || '@example.org'" for name in ("email", "email_lower", "email_key")})
    customers, = site.sql("SELECT MIN(id) FROM svc_customers WHERE email LIKE 'c%'")[0]
    copied(site, "svc_departures", f"source.id = {departure}", DEPARTURES, {
        "trip_id": f"{first} + (copy.i - 1) / {DEPARTURES // TRIPS}", "capacity": "150",
        "start_date": day_text(site, f"30 - copy.i % {DAYS}"), "end_date": day_text(site, f"30 - copy.i % {DAYS}")})
    ago = f"(copy.i % {DAYS}) * CAST(86400000000 AS BIGINT) + copy.i * 1000"
    gone = "copy.i % 5 = 0"
    copied(site, "svc_bookings", f"source.id = {booking}", BOOKINGS, {
        "reference": "'GROWN' || copy.i", "search": "'grown ' || copy.i",
        "trip_id": f"{first} + copy.i % {TRIPS}", "customer_id": f"{customers} + copy.i % {CUSTOMERS}",
        "status": f"CASE WHEN {gone} THEN 'cancelled' WHEN copy.i % 3 = 0 THEN 'completed' ELSE 'confirmed' END",
        "cancelled_via": f"CASE WHEN {gone} THEN 'customer' END",
        "amount_paid_minor": f"CASE WHEN {gone} THEN 0 WHEN copy.i % 7 = 0 THEN 1000 ELSE source.total_minor END",
        "travelers_count": "1 + copy.i % 6", "contact_country": "CASE WHEN copy.i % 2 = 0 THEN 'GB' ELSE 'NP' END",
        "travel_date": day_text(site, f"30 - copy.i % {DAYS} + copy.i % 60"),
        "end_date": day_text(site, f"30 - copy.i % {DAYS} + copy.i % 60"),
        "created_at": f"source.created_at - {ago}", "updated_at": f"source.created_at - {ago}"})
    begin, = site.sql("SELECT MIN(id) FROM svc_bookings WHERE reference LIKE 'GROWN%'")[0]
    nth = f"(b.id - {begin})"
    columns = "booking_id, customer_id, gateway, method, amount_minor, currency, status, source, payment_date, processed_at," \
        " created_at, updated_at"
    site.sql(f"INSERT INTO svc_payments ({columns}) SELECT b.id, b.customer_id, CASE WHEN b.id % 3 = 0 THEN 'bank' ELSE 'other'"
             " END, 'other', b.amount_paid_minor, b.currency, 'completed', 'manual', b.travel_date, b.created_at, b.created_at,"
             f" b.created_at FROM svc_bookings b WHERE b.id >= {begin} AND b.amount_paid_minor > 0")
    site.sql("INSERT INTO svc_refunds (payment_id, booking_id, gateway, call_key, amount_minor, currency, status, source,"
             " ask_at, processed_at, created_at, updated_at) SELECT p.id, p.booking_id, p.gateway, 'grown' || p.id, 500,"
             " p.currency, 'completed', 'admin', p.created_at, p.processed_at, p.created_at, p.created_at FROM svc_payments p"
             f" WHERE p.booking_id >= {begin} AND p.id % 20 = 0")
    site.sql("INSERT INTO svc_booking_lines (booking_id, line_no, kind, label, quantity, unit_minor, amount_minor) SELECT b.id,"
             " 9, 'tax', CASE WHEN b.id % 2 = 0 THEN 'VAT 13 %' ELSE 'City tax' END, 1, 200, 200 FROM svc_bookings b"
             f" WHERE b.id >= {begin}")
    departures, = site.sql(f"SELECT MIN(id) FROM svc_departures WHERE id > {departure}")[0]
    site.sql("INSERT INTO svc_booking_departures (booking_id, departure_id, seats, hold_kind, linked_at, released_at,"
             f" release_reason) SELECT b.id, {departures} + {nth} % {DEPARTURES}, 1, 'firm', b.created_at, CASE WHEN b.status ="
             " 'cancelled' THEN b.created_at END, CASE WHEN b.status = 'cancelled' THEN 'cancelled' END FROM svc_bookings b"
             f" WHERE b.id >= {begin}")
    settled(site)
    if site.database == "sqlite":
        site.sql("PRAGMA analysis_limit = 1000; ANALYZE")


def cpu_ms(pid):
    """Of the server process; of PostgreSQL it has no part in it."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main():
    today = datetime.date.today()
    year = f"from={today - datetime.timedelta(days=364)}&to={today}"
    slow = []
    with Site(SVC, DATABASE, environment={"SVC_LISTEN_WORKERS": "2", "SVC_PRO_LIBRARY": "none"}, sound=False) as site:
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        fill(site)
        for basis in ("booking", "travel"):
            for name in TYPES:
                target = f"/svc/v1/reports?type={name}&{year}&group_by=month&basis={basis}"
                began = cpu_ms(site.servers[0].process.pid)
                took = percentiles(site.servers[0].port, [("GET", target, None, site.staff)] * TIMES)
                busy = round((cpu_ms(site.servers[0].process.pid) - began) / TIMES)
                print(f"{DATABASE:<11}{basis:<9}{name:<12}p50 {took['p50_ms']:>9} ms   p99 {took['p99_ms']:>9} ms   server's CPU"
                      f" {busy:>5} ms", flush=True)
                if name == "revenue" and took["p50_ms"] > MOST_MS:
                    slow.append(f"{name} by {basis}")
    if slow:
        raise SystemExit(f"over {MOST_MS} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
