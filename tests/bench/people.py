"""The rows of bench.py about people: staff's lists of a hundred thousand customers, reviews, enquiries and bookings, and
what an enquiry costs beside its statements.

A row of people_lists is named after the list and what is asked of it: `first` is the first page, `search` finds eleven
of the rows by more than three letters, `deep` is the thousandth page.
"""
import datetime
import http.client
import json
import tempfile
import time

import statements
from catalogue import percentiles
from growth import add_bookings, copied, settled
from installation import Site

DAY = (datetime.date.today() + datetime.timedelta(days=60)).isoformat()
WEEK_AGO = (datetime.date.today() - datetime.timedelta(days=7)).isoformat()
COUNT = 100_000

LISTS = {
    "customers": {"first": "", "deep": "page=1000&per_page=20", "search": "search=grown4711", "status": "status=active",
                  "sort_name": "orderby=name&order=asc", "sort_spent": "orderby=total_spent",
                  "sort_bookings": "orderby=total_bookings", "days": f"from={WEEK_AGO}", "stats": None},
    "reviews": {"first": "", "deep": "page=1000&per_page=20", "search": "search=grown4711", "status": "status=approved",
                "sort_rating": "orderby=rating", "rating": "rating=5", "stats": None},
    "enquiries": {"first": "", "deep": "page=1000&per_page=20", "search": "search=grown4711", "status": "status=new",
                  "sort_name": "orderby=name&order=asc", "days": f"from={WEEK_AGO}", "stats": None},
    "bookings": {"first": "", "deep": "page=1000&per_page=20", "search": "search=grown4711", "status": "status=cancelled",
                 "sort_customer": "orderby=customer&order=asc", "days": f"from={WEEK_AGO}", "stats": None},
}


def form(number):
    return {"name": "Ada Lovelace", "email": f"ada.{number}@example.org", "phone": "+44 20 7946 0001",
            "message": f"Is there a seat for two in May? We are {number} and would like the window.",
            "travel_date": DAY, "travelers_count": 2}


def from_another(number):
    """Each visitor asks from an address of its own, so that no limit by address is met."""
    return f"10.{number // 65536 % 250}.{number // 256 % 256}.{number % 256}"


def first_of(site, table):
    return int(site.sql(f"SELECT MIN(id) FROM {table}")[0][0])


def fill(site, trip, booking):
    """A hundred thousand of each, the bookings spread over the customers."""
    when = {"created_at": "source.created_at - copy.i * CAST(1000000 AS BIGINT)"}
    customer = first_of(site, "svc_customers")
    copied(site, "svc_customers", f"source.id = {customer}", COUNT, {
        **when, "email": "'grown' || copy.i || '@example.org'", "email_lower": "'grown' || copy.i || '@example.org'",
        "user_id": "NULL", "email_key": "'grown' || copy.i || '@example.org'", "phone_key": "''", "person_key": "''",
        "last_name": "'Grown' || copy.i", "full_name": "'Ada Grown' || copy.i", "name_order": "'ada grown' || copy.i",
        "search": "'ada grown' || copy.i"})
    made = site.as_staff("POST", "/reviews", {"trip_id": trip, "rating": 5, "author_name": "Ada", "content": "Fine.",
                                              "status": "approved"})
    assert made.status == 201, made
    copied(site, "svc_reviews", f"source.id = {made.data['id']}", COUNT, {
        **when, "author_key": "NULL", "email_lower": "''", "rating": "1 + copy.i % 5",
        "search": "source.search || ' grown' || copy.i"})
    made = site.call("POST", "/enquiries", form(0))
    assert made.status == 201, made
    copied(site, "svc_enquiries", f"source.id = {made.data['enquiry_id']}", COUNT, {
        **when, "email": "'grown' || copy.i || '@example.org'", "email_lower": "'grown' || copy.i || '@example.org'",
        "name": "'Grown ' || copy.i", "name_folded": "'grown ' || copy.i",
        "search": "source.search || ' grown' || copy.i"})
    add_bookings(site, booking, COUNT)
    most = int(site.sql("SELECT MAX(id) FROM svc_customers")[0][0])
    site.sql(f"UPDATE svc_bookings SET status = 'completed', customer_id = {most} - (id * 7) % {COUNT}"
             f" WHERE id <> {booking}")
    settled(site)


def lists(bench, site):
    port = site.servers[0].port
    for name, asked in LISTS.items():
        for what, query in asked.items():
            target = f"/svc/v1/{name}" + ("/stats" if query is None else "?" + query if query else "")
            began = time.monotonic()
            first = site.as_staff("GET", target.removeprefix("/svc/v1"))
            count = 100 if time.monotonic() - began < 0.1 else 10  # what is slow is asked less often
            assert first.status == 200, first
            if what == "search":
                assert first.json["meta"]["total"] == 11, first.json["meta"]
            took = percentiles(port, [("GET", target, None, site.staff)] * count)
            bench.row(f"people_lists {name}_{what}", took["p50_ms"], "ms", None, took)


def enquiry_create(bench, site, load):
    asked = [10_000_000]

    def one():
        """One client's enquiries a second."""
        with tempfile.NamedTemporaryFile("w", suffix=".requests") as file:
            for _ in range(2000):
                asked[0] += 1
                file.write("\t".join(("/svc/v1/enquiries", f"X-Forwarded-For: {from_another(asked[0])}",
                                      "Content-Type: application/json", json.dumps(form(asked[0])))) + "\n")
            file.flush()
            return load(bench.build, site.servers[0].port, "send", bench.options.seconds, 1, file=file.name)["per_second"]

    def deed(port, number):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", "/svc/v1/enquiries", json.dumps(form(9_000_000 + number)),
                           {"Content-Type": "application/json", "X-Forwarded-For": from_another(9_000_000 + number)})
        answer = connection.getresponse()
        assert answer.status == 201, answer.read()[:300]
        connection.close()

    statements.add_row(bench, "enquiry_create", one, "svc_enquiries", deed, turns=5)


def add_rows(bench, database, load):
    with Site(bench.build / "bin/svc", database, environment={"SVC_LISTEN_WORKERS": "4"}, log="server.log",
              sound=False) as site:  # what is added weighs, and is no whole booking
        bench.site, bench.database = site, database
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        if bench.wants("people", "enquiry_create"):
            enquiry_create(bench, site, load)
        if bench.wants("people", "people_lists"):
            trip = site.given_trip()["id"]
            site.given_departure(trip, DAY, 100_000)
            fill(site, trip, site.book(trip, DAY).data["booking_id"])
            lists(bench, site)
