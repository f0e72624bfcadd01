"""The rows of bench.py about dates: recurring rules, times and many departures; warm against a constant, and cold.

Cold is the answer to a span that is asked for by its dates, which nothing remembers, less the same bytes from memory:
what finding and writing the dates costs. Rows @1000000 are asked beside as many bookings of another trip.
"""
import datetime

import growth

MANY = 1_000_000


def rule(site, trip, **fields):
    made = site.as_staff("POST", "/recurring-availability",
                         {"trip_id": trip, "start_date": datetime.date.today().isoformat(), **fields})
    assert made.status == 201, made
    return made.data


def weekly_trip(site):
    """One rule, one date a week."""
    trip = site.given_trip(title="Every Wednesday")["id"]
    rule(site, trip, rule_type="weekly", days_of_week=[3])
    return trip


def full_trip(site):
    """Five rules with two times each, and two hundred departures."""
    trip = site.given_trip(title="Every other day")["id"]
    for number, days in enumerate(([1], [2], [3], [4], [5, 6])):
        rule(site, trip, rule_type="weekly", days_of_week=days, seats_total=12 + number, priority=number,
             time_slots=[{"departure_time": "09:00", "price": 40 + number}, {"departure_time": "14:30", "seats": 8}],
             day_overrides={str(days[0]): {"original_price": 55}})
    today = datetime.date.today()
    for number in range(200):
        site.given_departure(trip, (today + datetime.timedelta(days=2 + number)).isoformat(), 20, time="19:00")
    return trip


def horizon(site):
    today = datetime.date.today()
    months = site.as_staff("GET", "/settings").data.get("availability_horizon_months", 12)
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    for day in range(today.day, 0, -1):
        try:
            return datetime.date(year, month + 1, day)
        except ValueError:
            continue
    raise AssertionError("no such month")


def measured(bench, server, load, name, trip, last, scale=""):
    """Two rows: the answer from memory beside a constant, and what finding and writing it costs."""
    build, seconds = bench.build, bench.options.seconds
    target = f"/svc/v1/trips/{trip}/available-dates"
    bench.paired(name + scale, server.port, target, [], server.process.pid, None if scale else bench.counted(target, []))
    spans = []
    for _ in range(3):
        warm = load(build, server.port, "get", seconds, 1, target=target)
        cold = load(build, server.port, "get", seconds, 1, target=f"{target}?to_date={last}")
        spans.append((cold["p50_ms"] - warm["p50_ms"]) * 1000)
    bench.row(f"{name}_cold{scale}", sorted(spans)[1], "us")


def add_rows(bench, server, load):
    site = bench.site
    last = horizon(site).isoformat()
    measured(bench, server, load, "available_dates_weekly", weekly_trip(site), last)
    trip = full_trip(site)
    measured(bench, server, load, "available_dates_rules", trip, last)
    other = site.given_trip(title="What everybody books")["id"]
    site.given_departure(other, last, 100_000)
    growth.add_bookings(site, site.book(other, last).data["booking_id"], MANY)
    measured(bench, server, load, "available_dates_rules", trip, last, f"@{MANY}")
