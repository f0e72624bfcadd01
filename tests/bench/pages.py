"""The rows of bench.py about the site's pages: from memory against a constant, rendering against the same data as JSON,
a whole booking by forms against one by the interface, and what pages cost a process that starts.

Rendering is measured with one client, in turns with its data, as the median of the turns' differences. Every request for
a page has a query of its own, so that the cache of pages never has it; all other caches are on, as in production. The
renderer remembers cards, texts and dates by the bytes of the data that they were made of (base/website/pages/part_cache.hpp), so
there are rows of both kinds:

- page_listing, page_trip: the same page again, as after a booking or a second: all its parts were shown before.
- page_listing_filters: listings by one filter after the other, with sorts: their cards were mostly shown before, their
  filters' links and counts are made each time, and every answer of the interface is another.
- page_listing_first, page_trip_first: pages of trips that were not shown since their parts made room for others.

The 10,000 trips have usual texts and one destination, activity and category each of 12, 8 and 6; the trip of page_trip has
what pages of trips show, and eleven dates. Memory is what the process alone holds, its private pages that were written: code, templates and assets are
read from the program's files, which its processes share and the system drops when memory is short. Both bookings are made
by the same client in this process, so that what it costs itself is in both.
"""
import datetime
import html
import http.client
import itertools
import json
import pathlib
import re
import time
import urllib.parse

import catalogue
from installation import filled_in

CARDS = 20
QUERIES = itertools.count()


def mean_us(bench, load, port, target, seconds):
    return 1_000_000 / load(bench.build, port, "get", seconds, 1, target=target)["per_second"]


def uncached(pages, count=4000):
    """The pages in their order, again and again, each time with another query that changes nothing."""
    return [page + ("&" if "?" in page else "?") + f"utm_id={next(QUERIES)}"
            for page, _ in zip(itertools.cycle(pages), range(count))]


def rendering(bench, server, load, name, pages, data, turns=5):
    """Microseconds that these pages take longer than what they show, as JSON: lists of data in the pages' order."""
    if not bench.wants("pages", name):
        return
    differences = []
    each = max(bench.options.seconds / 2, 0.5)
    for target in (uncached(pages), *data):
        load(bench.build, server.port, "get", 0.3, 1, target=target)
    for _ in range(turns):
        whole = mean_us(bench, load, server.port, uncached(pages), each)
        as_json = sum(mean_us(bench, load, server.port, target, each) for target in data)
        differences.append((whole - as_json, whole, as_json))
    differences.sort()
    more, whole, as_json = differences[turns // 2]
    bench.row(name, more, "us more")
    print(f"          {name}: {whole:.0f} us the page, {as_json:.0f} us its data")


class Client:
    """One buyer after the other over one connection; the cookies of one."""

    def __init__(self, port):
        self.port, self.jar = port, {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, target, body=None, headers=None):
        sent = {**(headers or {})}
        if self.jar:
            sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.jar.items())
        self.connection.request(method, target, body, sent)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            self.jar[name] = value
        return answer, text

    def post(self, target, fields):
        return self.ask("POST", target, urllib.parse.urlencode(fields),
                        {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{self.port}"})


def by_forms(port, slug, date, number):
    """A booking as a browser without scripts makes it: the trip's page, three forms, the confirmation."""
    client = Client(port)
    client.ask("GET", f"/trip/{slug}")
    answer, text = client.post(f"/book/{slug}", {"date": date, "travelers": 1})
    assert answer.status == 303, text[:500]
    client.ask("GET", answer.headers["Location"])
    lead = filled_in({})
    fields = {k: v for k, v in lead.items() if isinstance(v, str)}
    fields.update({f"travelers.1.{k}": v for k, v in lead["travelers"][0].items()})
    fields.update({"contact_last_name": f"Buyer {number}", "contact_email": f"forms.{port}.{number}@example.org"})
    answer, text = client.post(f"/book/{slug}/details", fields)
    assert answer.status == 303, text[:500]
    _, text = client.ask("GET", answer.headers["Location"])
    hidden = {html.unescape(k): html.unescape(v)
              for k, v in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)}
    answer, text = client.post(f"/book/{slug}/pay", {**hidden, "payment_gateway": "pay_later", "action": "book"})
    assert answer.status == 303, text[:500]
    answer, text = client.ask("GET", answer.headers["Location"])
    assert answer.status == 200 and "SVC-" in text, text[:500]
    client.connection.close()


def by_interface(port, trip, date, number):
    client = Client(port)

    def ask(method, path, body=None, headers=None):
        answer, text = client.ask(method, "/svc/v1" + path, json.dumps(body) if body else None,
                                  {**({"Content-Type": "application/json"} if body else {}), **(headers or {})})
        assert answer.status in (200, 201), text[:300]
        return json.loads(text)["data"]
    held = {"X-Svc-Session": ask("POST", "/booking/session",
                                 {"trip_id": trip, "travel_date": date, "travelers_count": 1})["session_id"]}
    ask("GET", "/booking/summary", None, held)
    ask("POST", "/booking/create", filled_in({"contact_last_name": f"Buyer {number}", "payment_gateway": "pay_later",
                                              "contact_email": f"json.{port}.{number}@example.org"}), held)
    client.connection.close()


def bookings(bench, server, trip, slug, date, turns=5, each=15):
    rates = []
    number = 0
    for _ in range(turns):
        pair = []
        for book in (lambda n: by_forms(server.port, slug, date, n), lambda n: by_interface(server.port, trip, date, n)):
            began = time.monotonic()
            for _ in range(each):
                number += 1
                book(number)
            pair.append(each / (time.monotonic() - began))
        rates.append(pair)
    rates.sort(key=lambda pair: pair[0] / pair[1])
    forms, interface = rates[turns // 2]
    bench.row("page_booking", forms, "bookings/s", interface)


def held_kib(pid):
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(re.search(rf"^{name}:\s+(\d+)", text, re.M)[1]) for name in ("Private_Dirty", "Swap"))


def starting(bench, settled, pages):
    """The first page's extra time over the first answer, and the extra memory of a process that has shown pages."""
    times, memory = [], []
    for _ in range(3):
        one = {}
        for kind, target in (("answer", "/svc/v1/trips/public"), ("page", "/trip")):
            began = time.monotonic()
            server = bench.site.start()
            bench.ask_many(server.port, target, {}, 1)
            one[kind] = (time.monotonic() - began) * 1000
            bench.ask_many(server.port, "/svc/v1/trips/public", {}, 1)
            settled(server)
            before = held_kib(server.process.pid)
            if kind == "page":
                for target in pages * 3:
                    bench.ask_many(server.port, target, {}, 1)
                memory.append((held_kib(server.process.pid) - before) / 1024)
            server.process.terminate()
            server.process.wait()
            bench.site.servers.remove(server)
        times.append(one["page"] - one["answer"])
    bench.row("page_start", sorted(times)[1], "ms more")
    bench.row("page_memory", sorted(memory)[1], "MiB held")


TEXTS = {"duration": 7, "what_makes_special": "Quiet paths.", "accommodation_details": "<p>Huts and one hotel.</p>",
         "cancellation_policy": "<p>Free until a week before.</p>", "visa_requirements": "None for most.",
         "starting_location": "Cairo", "best_season": "March to May", "age_min": 12, "min_travelers": 1, "max_travelers": 12,
         "included_items": [{"title": f"Included {n}", "description": "All of it"} for n in range(6)],
         "excluded_items": [{"title": f"Not included {n}", "description": ""} for n in range(3)],
         "highlight_details": [{"title": f"Highlight {n}", "description": "Worth the way"} for n in range(5)],
         "faqs": [{"question": f"Question {n}?", "answer": "<p>" + "A long answer. " * 12 + "</p>"} for n in range(6)],
         "itinerary_days": [{"day_number": n, "title": f"Day {n}", "description": "<p>" + "We walk on. " * 30 + "</p>"}
                            for n in range(1, 8)]}


def given_catalogue(site, size):
    """Published trips with usual texts and classes, one of them with all that its page shows: a server of them, that
    trip's id and slug, and the filters that some trips fit."""
    made = catalogue.fill(site, size)
    filters = []
    for path, kind, name, count in (("destinations", "destination", "Place", 12), ("activities", "activity", "Deed", 8),
                                    ("trip-categories", "trip_category", "Category", 6)):
        for number in range(count):
            one = site.as_staff("POST", f"/{path}", {"name": f"{name} {number}", "status": "publish"})
            assert one.status == 201, one
            site.sql("INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, sort_order,"
                     f" is_featured, is_active) SELECT id, {one.data['id']}, '{kind}', 'primary', 0, 0, 1 FROM svc_trips"
                     f" WHERE id % {count} = {number}")
            filters.append(f"{kind}={one.data['slug']}")
    trip = next(one for one in made if one % 6 == 1)
    changed = site.as_staff("PUT", f"/trips/{trip}", TEXTS)
    assert changed.status == 200, changed
    site.servers[0].process.terminate()  # what statements change, a server sees that starts after them
    site.servers[0].process.wait()
    site.servers.clear()
    return site.start(), trip, urllib.parse.quote(changed.data["slug"]), filters


def add_rows(bench, load, settled):
    site = bench.site
    size = max(bench.options.trips, 10_000)  # what the limits of rendering are said for
    server, trip, slug, filters = given_catalogue(site, size)
    today = datetime.date.today()
    for month in range(10):
        site.given_departure(trip, (today + datetime.timedelta(days=30 + 3 * month)).isoformat(), 20)
    date = (today + datetime.timedelta(days=61)).isoformat()
    site.given_departure(trip, date, 100_000)
    site.as_staff("PUT", "/settings", {"trips_per_page": CARDS})
    listing, page = "/trip", f"/trip/{slug}"
    if bench.wants("pages", "page_cached"):
        for name, target in (("page_cached", page), ("page_cached_listing", listing)):
            bench.paired(name, server.port, target, [], server.process.pid)
    if bench.wants("pages", "page_booking"):
        bookings(bench, server, trip, slug, date)
    public = "/svc/v1/trips/public"
    rendering(bench, server, load, f"page_listing@{size}", [listing], [f"{public}?facets=1&per_page={CARDS}"])
    rendering(bench, server, load, f"page_trip@{size}", [page],
              [f"{public}/{slug}", f"/svc/v1/trips/{trip}/available-dates", f"{public}?per_page=4&trip_category=category-1"])
    chosen = [f"{one}{sort}" for one in filters for sort in ("", "&sort=price")]
    rendering(bench, server, load, f"page_listing_filters@{size}", [f"{listing}?{one}" for one in chosen],
              [[f"{public}?facets=1&per_page={CARDS}&" + one.replace("sort=price", "orderby=price&order=asc")
                for one in chosen]])
    numbers = range(1, size // CARDS)
    rendering(bench, server, load, f"page_listing_first@{size}", [f"{listing}?page={number}" for number in numbers],
              [[f"{public}?facets=1&per_page={CARDS}&page={number}" for number in numbers]])
    shown = [one for number in range(1, 11) for one in site.call("GET", f"/trips/public?per_page=100&page={number}").data]
    slugs = [urllib.parse.quote(one["slug"]) for one in shown]
    rendering(bench, server, load, f"page_trip_first@{size}", ["/trip/" + one for one in slugs],
              [[f"{public}/{one}" for one in slugs],
               [f"/svc/v1/trips/{one['id']}/available-dates" for one in shown],
               [f"{public}?per_page=4&trip_category={one['trip_category'][0]['slug']}" for one in shown]])
    if bench.wants("pages", "page_start", "page_memory"):
        starting(bench, settled, ["/", listing, page, "/destination", f"/book/{slug}", "/account/login", "/nowhere"][:6])
