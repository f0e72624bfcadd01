"""Costs of a request, against the bare transport and the bare database in the same run.

bench.py BUILD [--trips 1000] [--seconds 2] [--database sqlite|postgres|both] [--no-callgrind]
         [--only GROUP_OR_ROW,...] [--catalogue 100 10000 100000]

Groups: catalogue, dates, flow, growth, importing, pages, payments, people, transport, site. A row's name without its @size
means all its sizes.

Prints a table and writes BUILD/../bench/report.json; a part of the rows (--only, --database) takes its place among those
that are there. Ratios are value over floor of this run; absolute figures tell
of this machine alone. Floors: the same transport answering a constant body of the same size; the bare database doing
a booking's statements with the same durability. PostgreSQL is a throw-away cluster unless SVC_TEST_POSTGRES names one.
The rows of payments need Pro's library beside the program.
"""
import argparse
import concurrent.futures
import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]
from installation import Site, filled_in, postgres_conninfo  # noqa: E402
import dates  # noqa: E402
import pages  # noqa: E402
import slow_gateway  # noqa: E402
import statements  # noqa: E402
import webhook  # noqa: E402

# The rows that can be measured without the others of their group; flow and payments are parts of site by themselves.
ROWS = {"transport": ("transport", "transport_10k"),
        "pages": ("page_cached", "page_listing", "page_trip", "page_listing_filters", "page_listing_first", "page_trip_first",
                  "page_booking", "page_start", "page_memory"),
        "site": ("memory", "trips_public_short", "trip", "available_dates", "summary", "payment_status",
                 "payment_status_statements", "payment_status_database", "booking_flow", "booking_flow_statements", "webhook",
                 "webhook_statements", "beside_slow_gateway", "first_answer", "memory_with_bookings"),
        "catalogue": ("start", "trips_public", "trip", "sorted", "sorted_price", "filtered", "filtered_type_facets",
                      "filtered_dates", "search_word", "search_words", "search_prefix", "trip_changed", "snapshot_rebuilt",
                      "class_renamed", "memory_a_trip"),
        "people": ("people_lists", "enquiry_create"),
        "prices": ("price_calendar",)}
GROUPS = ("catalogue", "dates", "flow", "growth", "importing", "pages", "payments", "people", "prices", "transport", "site",
          "all")


def base_name(row):
    return row.split("@")[0].split(" ")[0]


DAY = (datetime.date.today() + datetime.timedelta(days=60)).isoformat()


def load(build, port, scenario, seconds, clients=4, **more):
    words = [build / "bin/bench_load", "--port", port, "--scenario", scenario, "--seconds", seconds,
             "--clients", clients]
    for name, value in more.items():
        for one in value if isinstance(value, list) else [value]:
            words += ["--" + name, one]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    if done.stderr:
        print("  ", done.stderr.strip(), file=sys.stderr)
    return json.loads(done.stdout)


class Floor:
    """The constant server, answering `size` bytes."""

    def __init__(self, build, size, prefix=()):
        self.process = subprocess.Popen([*prefix, str(build / "bin/bench_floor"), str(size)],
                                        stderr=subprocess.PIPE, text=True)
        line = ""
        while "listening" not in line:
            line = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def settled(server):
    """Waits until the server has given back what only its start read, which it does once the first answers are out."""
    time.sleep(1)
    return server


def rss_kib(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1])


class Bench:
    def __init__(self, options):
        self.build, self.options, self.rows = pathlib.Path(options.build).resolve(), options, []
        self.buyers = 0  # numbers given away: nobody buys twice
        self.database, self.machine = "sqlite", f"{platform.machine()}, {os.cpu_count()} cores"

    def has(self, group):
        """Whether anything of this group was asked for."""
        return not {"all", group}.isdisjoint(self.options.only) or any(
            base_name(one) in ROWS.get(group, ()) for one in self.options.only if one not in GROUPS)

    def wants(self, group, *rows):
        """Whether one of these rows was asked for, by its own name or by the group."""
        if not {"all", group}.isdisjoint(self.options.only):
            return True
        return any(one == row or one == base_name(row) or ("@" not in row and base_name(one) == row)
                   for one in self.options.only if one not in GROUPS for row in rows)

    def row(self, name, value, unit, floor=None, figures=None, instructions=None, rss=None):
        ratio = value / floor if floor else None
        self.rows.append({
            "name": name, "database": self.database, "value": round(value, 2), "unit": unit,
            "floor": round(floor, 2) if floor else None, "ratio": round(ratio, 3) if ratio else None,
            "p50_ms": figures and figures["p50_ms"], "p99_ms": figures and figures["p99_ms"],
            "instructions": instructions, "rss_kib": rss})
        of_floor = f"{ratio:6.2f} of {floor:10.1f}" if floor else " " * 20
        p50 = f"p50 {figures['p50_ms']:.3f} ms  p99 {figures['p99_ms']:.3f} ms" if figures else ""
        count = f"  {instructions:>9} instructions" if instructions else ""
        print(f"{self.database:9}{name:22} {value:11.1f} {unit:10} {of_floor}  {p50}{count}", flush=True)

    # Floor and subject in short turns, so that what else a machine does meets both; the median of the turns' ratios, which
    # noise in one turn does not move.
    def paired(self, name, subject_port, target, headers, site_pid, instructions=None, turns=9):
        size = len(self.site.call("GET", target.removeprefix("/svc/v1"), headers=dict(headers)).text.encode())
        raw = [f"{k}: {v}" for k, v in headers]
        each = self.options.seconds * 3 / turns
        pairs = []
        with Floor(self.build, size) as floor:
            load(self.build, subject_port, "get", each, target=target, header=raw)  # warms both up
            load(self.build, floor.port, "get", each, target="/")
            for _ in range(turns):
                pairs.append((load(self.build, subject_port, "get", each, target=target, header=raw),
                              load(self.build, floor.port, "get", each, target="/")))
        pairs.sort(key=lambda pair: pair[0]["per_second"] / pair[1]["per_second"])
        ours, base = pairs[turns // 2]
        self.row(name, ours["per_second"], "answers/s", base["per_second"], ours, instructions, rss_kib(site_pid))

    def transport(self):
        for size, name in ((100, "transport"), (10_000, "transport_10k")):
            if not self.wants("transport", name):
                continue
            with Floor(self.build, size) as floor:
                figures = load(self.build, floor.port, "get", self.options.seconds, target="/")
                rss = rss_kib(floor.process.pid)
            self.row(name, figures["per_second"], "answers/s", None, figures, self.counted_floor(size), rss)

    def counted_floor(self, size):
        if not self.options.callgrind:
            return None

        def run(folder):
            return Floor(self.build, size, ("valgrind", "--tool=callgrind", "--instr-atstart=yes",
                                            f"--callgrind-out-file={folder}/out"))
        totals = []
        for requests in (200, 1200):
            with tempfile.TemporaryDirectory() as folder:
                with run(folder) as floor:
                    self.ask_many(floor.port, "/", {}, requests)
                totals.append(self.callgrind_total(folder))
        return round((totals[1] - totals[0]) / 1000)

    @staticmethod
    def callgrind_total(folder):
        text = (pathlib.Path(folder) / "out").read_text(errors="replace")
        return int(re.search(r"^(?:totals|summary): (\d+)", text, re.M)[1])

    @staticmethod
    def ask_many(port, target, headers, count):
        import http.client
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(count):
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, body[:300]
        connection.close()

    def counted(self, target, headers):
        return self.counted_runs(lambda port, count: self.ask_many(port, target, dict(headers), count), 100, 3100)

    # Instructions of one round: a long run less a short one, both under callgrind, divided by the difference.
    def counted_runs(self, ask, short, long):
        if not self.options.callgrind:
            return None
        totals = []
        for count in (short, long):
            with tempfile.TemporaryDirectory() as folder:
                wrapper = pathlib.Path(folder) / "svc"
                wrapper.write_text("#!/bin/sh\nexec valgrind --tool=callgrind --callgrind-out-file="
                                   f"{folder}/out {self.site.svc} \"$@\"\n")
                wrapper.chmod(0o755)
                kept, self.site.svc = self.site.svc, str(wrapper)
                try:
                    server = self.site.start()
                finally:
                    self.site.svc = kept
                ask(server.port, count)
                server.process.terminate()
                server.process.wait()
                self.site.servers.remove(server)
                totals.append(self.callgrind_total(folder))
        return round((totals[1] - totals[0]) / (long - short))

    # The `flow` of bench_load, one buyer after the other.
    @staticmethod
    def book_many(port, trip, count, first=0):
        import http.client
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def ask(method, path, body=None, headers=None):
            sent = {**({"Content-Type": "application/json"} if body else {}), **(headers or {})}
            connection.request(method, "/svc/v1/booking/" + path, json.dumps(body) if body else None, sent)
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status in (200, 201), text[:300]
            return json.loads(text)["data"]
        for number in range(first, first + count):
            held = {"X-Svc-Session": ask("POST", "session", {"trip_id": trip, "travel_date": DAY,
                                                             "travelers_count": 1})["session_id"]}
            ask("GET", "summary", None, held)
            ask("POST", "create", filled_in({"contact_last_name": f"Buyer {number}",
                                             "contact_email": f"ada.{port}.{number}@example.org",
                                             "payment_gateway": "pay_later"}), held)
        connection.close()

    def bare_commits(self, threads):
        tool = "bare_sqlite" if self.database == "sqlite" else "bare_postgres"
        with tempfile.TemporaryDirectory(prefix="svc-bench-") as folder:
            words = [str(self.build / "bin" / tool)]
            if self.database == "sqlite":
                words += [f"{folder}/bare.db"]
            else:
                words += [self.site.environment["SVC_DATABASE_URL"].removeprefix("postgresql:")]
            done = subprocess.run([*words, "3000"], capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{tool}: {done.stdout}{done.stderr}")
            runs = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            return max(run["per_second"] for run in runs if run["threads"] == threads)

    def fill(self, count):
        def make(number):
            made = self.site.given_trip(title=f"Walk number {number}", regular_price=20 + number % 300,
                                        duration=1 + number % 14)
            return made["id"]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(make, range(count)))

    def start_times(self):
        times = []
        for _ in range(3):
            began = time.monotonic()
            server = self.site.start()
            self.ask_many(server.port, "/svc/v1/trips/public", {}, 1)
            times.append((time.monotonic() - began) * 1000)
            server.process.terminate()
            server.process.wait()
            self.site.servers.remove(server)
        return sorted(times)[1]

    # The floor before and after, so that a drifting machine drifts for both.
    def flow(self, server, trip, clients, instructions):
        threads = 1 if clients == 1 else 4
        before = self.bare_commits(threads)
        figures = self.buyers_of(server, trip, self.options.seconds * 2, clients)
        floor = (before + self.bare_commits(threads)) / 2
        self.row(f"booking_flow@{clients}", figures["per_second"], "bookings/s", floor, figures, instructions,
                 rss_kib(server.process.pid))

    def buyers_of(self, server, trip, seconds, clients):
        self.buyers += 1_000_000
        return load(self.build, server.port, "flow", seconds, clients, trip=trip, date=DAY, first=self.buyers)

    def status_of_a_payment(self, server, made):
        """Against a constant answer; and one client against the same statements without a server."""
        target, headers = f"/svc/v1/payment/status/{made['booking_id']}", [("X-Svc-Booking-Token", made["booking_token"])]
        self.paired("payment_status", server.port, target, headers, server.process.pid, self.counted(target, headers))

        def one():
            return load(self.build, server.port, "get", self.options.seconds, 1, target=target,
                        header=[f"{name}: {value}" for name, value in headers])["per_second"]

        def deed(port, _):
            assert self.site.call("GET", target.removeprefix("/svc/v1"), headers=dict(headers),
                                  server=next(i for i, s in enumerate(self.site.servers) if s.port == port)).status == 200
        statements.add_row(self, "payment_status_statements", one, None, deed, turns=3)
        size = len(self.site.call("GET", target.removeprefix("/svc/v1"), headers=dict(headers)).text.encode())
        with Floor(self.build, size) as floor:
            statements.add_bound(self, "payment_status_database", lambda: load(
                self.build, floor.port, "get", self.options.seconds, target="/")["per_second"], deed)

    def flows(self, server, trip):
        def wanted(*rows):
            return self.has("flow") or self.wants("site", *rows)
        counted = None
        if wanted("booking_flow@1", "booking_flow@8"):
            counted = self.counted_runs(lambda port, count: self.book_many(port, trip, count), 20, 120)
        if wanted("booking_flow@1"):
            self.flow(server, trip, 1, counted)
        if wanted("booking_flow_statements"):
            self.flow_by_statements(server, trip, 1)
        # SQLite has one writer: more connections do its statements no faster.
        if self.database == "sqlite" and wanted("booking_flow_statements@8"):
            self.flow_by_statements(server, trip, 8)
        if wanted("booking_flow@8"):
            self.flow(server, trip, 8, counted)

    def flow_by_statements(self, server, trip, clients):
        statements.add_row(self, "booking_flow_statements" + ("" if clients == 1 else f"@{clients}"),
                           lambda: self.buyers_of(server, trip, self.options.seconds, clients)["per_second"],
                           "svc_bookings", lambda port, number: self.book_many(port, trip, 1, number), turns=5)

    @contextlib.contextmanager
    def installed(self, database, sound=True):
        """A site that limits nobody, as self.site; not `sound`: what is added to it weighs, and is no whole booking."""
        self.database = database
        with Site(self.build / "bin/svc", database,
                  environment={"SVC_LISTEN_WORKERS": "4"}, log="server.log", sound=sound) as self.site:
            self.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
            yield self.site

    def bookings(self, database):
        """The rows of the booking's flow alone."""
        with self.installed(database):
            trip = self.site.given_trip(regular_price=80)["id"]
            self.site.given_departure(trip, DAY, 100_000)
            self.flows(self.site.servers[0], trip)
            self.site.check_invariants()

    def several(self, ports, trip, date):
        """Bookings a second of eight clients spread over these servers."""
        each = 8 // len(ports)
        with concurrent.futures.ThreadPoolExecutor(len(ports)) as pool:
            runs = [pool.submit(load, self.build, port, "flow", self.options.seconds * 2, each, trip=trip, date=date)
                    for port in ports]
            return sum(run.result()["per_second"] for run in runs)

    def run(self, database):
        with self.installed(database) as site:
            trips = self.fill(self.options.trips)
            trip = trips[len(trips) // 2]
            slug = site.as_staff("GET", f"/trips/{trip}").data["slug"]
            for month in range(10):
                date = datetime.date.today() + datetime.timedelta(days=30 + 3 * month)
                site.given_departure(trip, date.isoformat(), 20)
            site.given_departure(trip, DAY, 100_000)
            if self.wants("site", f"memory@{self.options.trips}"):
                self.row_of_memory(f"memory@{self.options.trips}")
            server = site.servers[0]
            made = site.book(trip, DAY).data
            session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY}).data["session_id"]
            held = [("X-Svc-Session", session)]
            for name, target, headers in (
                    ("trips_public_short", "/svc/v1/trips/public", []),  # trips with little text; catalogue.py has usual ones
                    ("trip", f"/svc/v1/trips/public/{slug}", []),
                    ("available_dates", f"/svc/v1/trips/{trip}/available-dates", []),
                    ("summary", "/svc/v1/booking/summary", held)):
                if self.wants("site", name):
                    self.paired(name, server.port, target, headers, server.process.pid, self.counted(target, headers))
            if self.wants("site", "payment_status", "payment_status_statements", "payment_status_database"):
                self.status_of_a_payment(server, made)
            if self.wants("site", "booking_flow@1", "booking_flow@8", "booking_flow_statements", "booking_flow_statements@8"):
                self.flows(server, trip)
            if self.wants("site", "webhook", "webhook_statements"):
                webhook.add_row(self, trip, DAY, load)
            if self.wants("site", "beside_slow_gateway"):
                slow_gateway.add_rows(self, made, load)
            site.check_invariants()
            if self.wants("site", f"first_answer@{self.options.trips}"):
                self.row(f"first_answer@{self.options.trips}", self.start_times(), "ms")
            if self.wants("site", f"memory_with_bookings@{self.options.trips}"):
                self.row_of_memory(f"memory_with_bookings@{self.options.trips}")

    def row_of_memory(self, name):
        """Memory of a process of this site once it has answered."""
        fresh = self.site.start()
        self.ask_many(fresh.port, "/svc/v1/trips/public", {}, 1)
        settled(fresh)
        self.row(name, rss_kib(fresh.process.pid) / 1024, "MiB", rss=rss_kib(fresh.process.pid))
        fresh.process.terminate()
        fresh.process.wait()
        self.site.servers.remove(fresh)

    def prices(self):
        """A year of prices for five categories by fifty rules; the slowest of the three modes."""
        took = subprocess.run([str(self.build / "bin/bench_price_calendar")], check=True, capture_output=True, text=True)
        self.row("price_calendar", max(float(one) for one in took.stdout.split()), "ms")

    def payments(self, database):
        """The rows of payments alone."""
        with self.installed(database):
            trip = self.site.given_trip(regular_price=80)["id"]
            self.site.given_departure(trip, DAY, 100_000)
            made = self.site.book(trip, DAY).data
            self.status_of_a_payment(self.site.servers[0], made)
            webhook.add_row(self, trip, DAY, load)
            slow_gateway.add_rows(self, made, load)
            self.site.check_invariants()

    def dates(self, database):
        """The rows of dates alone."""
        with self.installed(database, sound=False):
            dates.add_rows(self, self.site.servers[0], load)

    def site_pages(self, database):
        """The rows of the site's pages."""
        with self.installed(database):
            pages.add_rows(self, load, settled)
            self.site.check_invariants()

    def write(self):
        commit = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        folder = self.build.parent / "bench"
        folder.mkdir(exist_ok=True)
        file = folder / "report.json"
        rows = self.rows
        if self.options.only != ["all"] or self.options.database != "both":  # the others stay as they were measured before
            new = {(row["database"], row["name"]) for row in rows}
            before = json.loads(file.read_text())["rows"] if file.exists() else []
            rows = [row for row in before if (row["database"], row["name"]) not in new] + rows
        file.write_text(json.dumps({"machine": self.machine, "commit": commit.stdout.strip(), "rows": rows}, indent=1)
                        + "\n")
        print(f"written {file}")


@contextlib.contextmanager
def cluster():
    """A PostgreSQL for this run, unless the caller named one."""
    if postgres_conninfo():
        yield
        return
    with tempfile.TemporaryDirectory(prefix="svc-bench-pg-") as folder:
        tool = [sys.executable, str(HERE.parent / "support/postgres.py")]
        os.chmod(folder, 0o755)
        place = f"{folder}/postgres"
        subprocess.run([*tool, "start", place], check=True, stdout=subprocess.DEVNULL)
        os.environ["SVC_TEST_POSTGRES_FILE"] = place + ".conninfo"
        try:
            yield
        finally:
            subprocess.run([*tool, "stop", place], check=True, stdout=subprocess.DEVNULL)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("build")
    words.add_argument("--trips", type=int, default=1000)
    words.add_argument("--seconds", type=float, default=2)
    words.add_argument("--database", choices=("sqlite", "postgres", "both"), default="both")
    words.add_argument("--only", type=lambda names: names.split(","), default=["all"], metavar="GROUP_OR_ROW,...")
    words.add_argument("--catalogue", type=int, nargs="*", default=(100, 1000, 10_000, 100_000), metavar="TRIPS")
    words.add_argument("--no-callgrind", dest="callgrind", action="store_false")
    options = words.parse_args()
    if options.callgrind and not shutil.which("valgrind"):
        raise SystemExit("valgrind is not installed; --no-callgrind goes without instruction counts")
    known = {*GROUPS, *(name for names in ROWS.values() for name in names)}
    if unknown := [one for one in options.only if base_name(one) not in known]:
        raise SystemExit(f"no such group or row: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    bench = Bench(options)
    if bench.has("transport"):
        bench.transport()
    if bench.has("prices"):
        bench.prices()
    for database, place in (("sqlite", contextlib.nullcontext), ("postgres", cluster)):
        if options.database in (database, "both"):
            with place():
                if bench.has("site"):
                    bench.run(database)
                    bench.write()
                if "flow" in options.only:
                    bench.bookings(database)
                if "payments" in options.only:
                    bench.payments(database)
                if bench.has("dates"):
                    bench.dates(database)
                    bench.write()
                if bench.has("pages"):
                    bench.site_pages(database)
                    bench.write()
                if bench.has("growth"):
                    import growth
                    bench.database = database
                    growth.add_rows(bench, database, load)
                if bench.has("importing"):
                    import importing
                    bench.database = database
                    importing.add_rows(bench, database, load)
                if bench.has("people"):
                    import people
                    people.add_rows(bench, database, load)
                if options.catalogue and bench.has("catalogue"):
                    from catalogue import Catalogue
                    bench.database = database
                    Catalogue(bench).run(list(options.catalogue))
            bench.write()  # after each, as a whole run takes long


if __name__ == "__main__":
    main()
