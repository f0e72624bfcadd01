"""The catalogue's rows of bench.py: lists, filters, searches, one change, memory and start with many trips."""
import datetime
import http.client
import json
import random
import sys
import time
from urllib.parse import quote

from installation import Site

WORDS = ("river mountain temple market desert island coast forest valley glacier village harbour castle garden canyon "
         "lagoon volcano plateau monastery vineyard waterfall lighthouse cathedral bazaar savanna fjord terrace bridge "
         "sunrise sunset breakfast guide local hidden ancient quiet wild golden northern southern eastern western royal "
         "walking cycling sailing riding climbing diving tasting cooking painting photography history culture wildlife "
         "Zürich Łódź Tromsø São Málaga Kraków Göteborg Århus Réunion Curaçao").split()
TEMPLATES = 60


def template(number):
    """A trip of a usual size: a title, two sentences and two hundred words."""
    choice = random.Random(number)
    words = lambda count: " ".join(choice.choices(WORDS, k=count))
    return {"title": words(4).capitalize(), "summary": words(24).capitalize() + ".", "description": words(200) + ".",
            "regular_price": 100 + number, "duration": 2 + number % 13}


def fill(site, count):
    """`count` published trips: some by the interface, the rest copied from those by one statement a table."""
    made = [site.given_trip(**template(number))["id"] for number in range(min(TEMPLATES, count))]
    copies = count - len(made)
    if copies <= 0:
        return made
    sqlite = site.database == "sqlite"
    columns = [row[0] for row in site.sql(
        "SELECT name FROM pragma_table_info('svc_trips')" if sqlite else
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'svc_trips' ORDER BY ordinal_position")]
    columns.remove("id")
    other = {"title": "trip.title || ' ' || copy.i", "title_folded": "trip.title_folded || ' ' || copy.i",
             "slug": "trip.slug || '-copy-' || copy.i", "duration_days": "2 + copy.i % 13",
             "duration_nights": "1 + copy.i % 13", "regular_price_minor": "2000 + (copy.i * 37) % 30000",
             "created_at": "trip.created_at + copy.i"}
    numbers = (f"WITH RECURSIVE copy(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < {copies})" if sqlite
               else f"WITH copy AS (SELECT i FROM generate_series(1, {copies}) AS i)")
    values = ", ".join(other.get(column, f"trip.{column}") for column in columns)
    site.sql(f"{numbers} INSERT INTO svc_trips ({', '.join(columns)}) SELECT {values} FROM copy"
             f" JOIN svc_trips AS trip ON trip.id = {made[0]} + copy.i % {len(made)}")
    copied = f"SELECT trip.id, source.{{}} FROM svc_trips AS trip JOIN svc_trip_search AS source ON source.{{}} = {made[0]}" \
             f" + (trip.id - {made[-1]}) % {len(made)} WHERE trip.id > {made[-1]}"
    if sqlite:
        site.sql("INSERT INTO svc_trip_search (rowid, title, more, body) "
                 + copied.format("title, source.more, source.body", "rowid"))
    else:
        site.sql("INSERT INTO svc_trip_search (trip_id, words) " + copied.format("words", "trip_id"))
        site.sql("ANALYZE")
    return made


def percentiles(port, requests):
    """p50 and p99 of the requests, one after the other on one connection, and all answers' sizes together."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    took = []
    for method, target, body, headers in requests:
        began = time.perf_counter()
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status == 200, f"{target}: {answer.status} {text[:200]}"
    connection.close()
    took.sort()
    return {"p50_ms": round(took[len(took) // 2], 3), "p99_ms": round(took[len(took) * 99 // 100], 3)}


def gets(query, count=300):
    """That many requests with `query(number)` behind the public list; nearly no two alike, so that none is remembered."""
    return [("GET", "/svc/v1/trips/public?" + query(number), None, {}) for number in range(count)]


def words_of(number, count, cut=0):
    chosen = random.Random(number).sample(WORDS, count)
    chosen[-1] = chosen[-1][:len(chosen[-1]) - cut]
    return "+".join(quote(word) for word in chosen)


def day(ahead):
    return (datetime.date.today() + datetime.timedelta(days=ahead)).isoformat()


PAGES = {
    "sorted": lambda n: f"orderby=title&order=asc&per_page=20&page={1 + n}",
    "sorted_price": lambda n: f"orderby=price&order=asc&per_page=20&page={1 + n}",
    "filtered": lambda n: f"min_price={30 + n}&max_price={90 + n}&min_duration=3",
    "filtered_type_facets": lambda n: f"trip_type=multi_day&facets=1&min_duration={n % 14}&max_price={40 + n}",
    "filtered_dates": lambda n: f"from={day(30 + n)}&to={day(33 + n)}&max_price={90 + n}",
    "search_word": lambda n: f"search={words_of(n, 1)}&page={1 + n // 60}",
    "search_words": lambda n: f"search={words_of(n, 3)}",
    "search_prefix": lambda n: f"search={words_of(n, 2, cut=2)}",
}


def refreshes(server):
    """How many changes this server has taken into its memory of trips, and the seconds that took, by its own count."""
    text = server.ask("/metrics", admin=True)[2]
    name = "svc_trips_refresh_seconds_"
    found = dict(line.split() for line in text.splitlines() if line.startswith((name + "sum ", name + "count ")))
    return int(found[name + "count"]), float(found[name + "sum"])


class Catalogue:
    def __init__(self, bench):
        self.bench, self.rss = bench, {}

    def wants(self, *rows):
        return self.bench.wants("catalogue", *rows)

    def at(self, count):
        bench = self.bench
        with Site(bench.build / "bin/svc", bench.database, environment={"SVC_LISTEN_WORKERS": "4"},
                  log="server.log") as site:
            bench.site = site
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
            began = time.monotonic()
            made = fill(site, count)
            print(f"   {count} trips laid in {time.monotonic() - began:.1f} s", file=sys.stderr)
            shown = self.class_of_all(site) if count <= 10_000 else None
            slug = quote(site.as_staff("GET", f"/trips/{made[-1]}").data["slug"])
            site.servers[0].process.terminate()
            site.servers[0].process.wait()
            site.servers.clear()
            if self.wants(f"start@{count}"):
                bench.row(f"start@{count}", bench.start_times(), "ms")
            server = site.start()
            bench.ask_many(server.port, "/svc/v1/trips/public", {}, 1)
            self.rss[count] = bench_rss(server)
            counts = bench.counted if count <= 10_000 else lambda *_: None
            for name, target in ((f"trips_public@{count}", "/svc/v1/trips/public"),
                                 (f"trip@{count}", f"/svc/v1/trips/public/{slug}")):
                if self.wants(name):
                    bench.paired(name, server.port, target, [], server.process.pid, counts(target, {}))
            if count >= 10_000:
                self.pages(server, count)
            if self.wants(f"trip_changed@{count}", f"snapshot_rebuilt@{count}"):
                self.one_change(site, server, made, count)
            if shown and self.wants(f"class_renamed@{count}"):
                self.renamed_class(site, server, shown, count)

    def pages(self, server, count):
        for name, query in PAGES.items():
            if not self.wants(f"{name}@{count}"):
                continue
            figures = percentiles(server.port, gets(query))
            self.bench.row(f"{name}@{count}", figures["p50_ms"], "ms p50", figures=figures)

    def one_change(self, site, server, made, count):
        """A trip's change by the interface, until its answer: commit, words and the next snapshot."""
        headers = {**site.staff, "Content-Type": "application/json"}
        writes = [("PUT", f"/svc/v1/trips/{made[n % len(made)]}", json.dumps({"title": f"Changed {n} {WORDS[n % 50]}"}),
                   headers) for n in range(100)]
        before = refreshes(server)
        figures = percentiles(server.port, writes)
        after = refreshes(server)
        self.bench.row(f"trip_changed@{count}", figures["p50_ms"], "ms p50", figures=figures)
        # The server's own clock, from the commit on: the trip read, its JSON made, the next snapshot in place.
        self.bench.row(f"snapshot_rebuilt@{count}", (after[1] - before[1]) / (after[0] - before[0]) * 1000, "ms mean")

    @staticmethod
    def class_of_all(site):
        """A destination that all trips have, laid before the server starts, which looks at rows when it is told alone."""
        made = site.as_staff("POST", "/destinations", {"name": "Before", "status": "publish"}).data["id"]
        site.sql("INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, sort_order,"
                 f" is_featured, is_active) SELECT id, {made}, 'destination', 'primary', 0, 0, 1 FROM svc_trips")
        return made

    def renamed_class(self, site, server, made, count):
        """A destination's new name, until the answer to it, from when on all trips that it stands at show it."""
        headers = {**site.staff, "Content-Type": "application/json"}
        took = []
        for number in range(6):
            figures = percentiles(server.port, [("PUT", f"/svc/v1/destinations/{made}",
                                                json.dumps({"name": f"Renamed {number}"}), headers)])
            took.append(figures["p50_ms"])
            shown = site.call("GET", "/trips/public?per_page=1").data[0]["destinations"][0]["name"]
            assert shown == f"Renamed {number}", shown
        took = sorted(took[1:])
        self.bench.row(f"class_renamed@{count}", took[2], "ms p50", figures={"p50_ms": took[2], "p99_ms": took[-1]})

    def run(self, counts):
        for count in counts:
            self.at(count)
        first, *more = counts
        for count in more if self.wants("memory_a_trip") else ():
            each = (self.rss[count] - self.rss[first]) / (count - first)
            self.bench.row(f"memory_a_trip@{count}", each, "KiB", rss=self.rss[count])


def bench_rss(server):
    from bench import rss_kib, settled
    return rss_kib(settled(server).process.pid)
