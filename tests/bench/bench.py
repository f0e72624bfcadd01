"""What a request costs, against the bare transport and the bare database in the same run.

bench.py BUILD [--trips 1000] [--seconds 2] [--database sqlite|postgres] [--no-callgrind]
         [--only catalogue] [--catalogue 100 10000 100000]

Prints a table and writes BUILD/../bench/report.json. Ratios are value over floor of this run; absolute figures tell
of this machine alone. Floors: the same transport answering a constant body of the same size; the bare database doing
a booking's statements with the same durability.
"""
import argparse
import concurrent.futures
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
from installation import Site  # noqa: E402

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


def rss_kib(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1])


class Bench:
    def __init__(self, options):
        self.build, self.options, self.rows = pathlib.Path(options.build).resolve(), options, []

    def row(self, name, value, unit, floor=None, figures=None, instructions=None, rss=None):
        self.rows.append({
            "name": name, "database": self.options.database, "value": round(value, 2), "unit": unit,
            "floor": round(floor, 2) if floor else None, "ratio": round(value / floor, 3) if floor else None,
            "p50_ms": figures and figures["p50_ms"], "p99_ms": figures and figures["p99_ms"],
            "instructions": instructions, "rss_kib": rss})
        ratio = f"{value / floor:6.2f} of {floor:10.1f}" if floor else " " * 20
        p50 = f"p50 {figures['p50_ms']:.3f} ms  p99 {figures['p99_ms']:.3f} ms" if figures else ""
        count = f"  {instructions:>9} instructions" if instructions else ""
        print(f"{name:28} {value:11.1f} {unit:10} {ratio}  {p50}{count}", flush=True)

    # Floor and subject in turn, three times; the medians, so that a drifting machine drifts for both.
    def paired(self, name, subject_port, target, headers, site_pid, instructions=None):
        size = len(self.site.call("GET", target.removeprefix("/svc/v1"), headers=dict(headers)).text.encode())
        raw = [f"{k}: {v}" for k, v in headers]
        ours, floors = [], []
        with Floor(self.build, size) as floor:
            for _ in range(3):
                floors.append(load(self.build, floor.port, "get", self.options.seconds, target="/"))
                ours.append(load(self.build, subject_port, "get", self.options.seconds, target=target, header=raw))
        best = sorted(ours, key=lambda f: f["per_second"])[1]
        base = sorted(floors, key=lambda f: f["per_second"])[1]
        self.row(name, best["per_second"], "answers/s", base["per_second"], best, instructions, rss_kib(site_pid))

    def transport(self):
        for size, name in ((100, "transport"), (10_000, "transport_10k")):
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

    # Instructions of one request: a long run less a short one, both under callgrind, divided by the difference.
    def counted(self, target, headers):
        if not self.options.callgrind:
            return None
        totals = []
        for requests in (50, 350):
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
                self.ask_many(server.port, target, dict(headers), requests)
                server.process.terminate()
                server.process.wait()
                self.site.servers.remove(server)
                totals.append(self.callgrind_total(folder))
        return round((totals[1] - totals[0]) / 300)

    def bare_commits(self, threads):
        tool = "bare_sqlite" if self.options.database == "sqlite" else "bare_postgres"
        with tempfile.TemporaryDirectory(prefix="svc-bench-") as folder:
            words = [str(self.build / "bin" / tool)]
            if self.options.database == "sqlite":
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

    def run(self):
        if os.uname().nodename:
            self.machine = f"{platform.machine()}, {os.cpu_count()} cores"
        self.transport()
        with Site(self.build / "bin/svc", self.options.database,
                  environment={"SVC_LISTEN_WORKERS": "4"}, log="server.log") as self.site:
            site = self.site
            site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
            trips = self.fill(self.options.trips)
            trip = trips[len(trips) // 2]
            slug = site.as_staff("GET", f"/trips/{trip}").data["slug"]
            for month in range(10):
                date = datetime.date.today() + datetime.timedelta(days=30 + 3 * month)
                site.given_departure(trip, date.isoformat(), 20)
            site.given_departure(trip, DAY, 100_000)
            server = site.servers[0]
            made = site.book(trip, DAY).data
            session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY}).data["session_id"]
            token = [("X-Svc-Booking-Token", made["booking_token"])]
            held = [("X-Svc-Session", session)]
            for name, target, headers in (
                    (f"trips_public@{self.options.trips}", "/svc/v1/trips/public", []),
                    ("trip", f"/svc/v1/trips/public/{slug}", []),
                    ("available_dates", f"/svc/v1/trips/{trip}/available-dates", []),
                    ("summary", "/svc/v1/booking/summary", held),
                    ("payment_status", f"/svc/v1/payment/status/{made['booking_id']}", token)):
                self.paired(name, server.port, target, headers, server.process.pid, self.counted(target, headers))
            for clients in (1, 8):
                floor = self.bare_commits(1 if clients == 1 else 4)
                figures = load(self.build, server.port, "flow", self.options.seconds * 2, clients, trip=trip, date=DAY)
                self.row(f"booking_flow@{clients}", figures["per_second"], "bookings/s", floor, figures,
                         None, rss_kib(server.process.pid))
            site.check_invariants()
            self.row(f"first_answer@{self.options.trips}", self.start_times(), "ms")
            fresh = site.start()
            self.ask_many(fresh.port, "/svc/v1/trips/public", {}, 1)
            self.row(f"memory@{self.options.trips}", rss_kib(fresh.process.pid) / 1024, "MiB",
                     rss=rss_kib(fresh.process.pid))

    def write(self):
        commit = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        folder = self.build.parent / "bench"
        folder.mkdir(exist_ok=True)
        file = folder / "report.json"
        rows = self.rows
        if file.exists():  # the other database's rows of the same commit stay
            old = json.loads(file.read_text())
            if old["commit"] == commit.stdout.strip():
                rows = [r for r in old["rows"] if r["database"] != self.options.database] + rows
        file.write_text(json.dumps({"machine": self.machine, "commit": commit.stdout.strip(), "rows": rows}, indent=1) + "\n")
        print(f"written {file}")


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("build")
    words.add_argument("--trips", type=int, default=1000)
    words.add_argument("--seconds", type=float, default=2)
    words.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    words.add_argument("--only", choices=("catalogue", "all"), default="all")
    words.add_argument("--catalogue", type=int, nargs="*", default=(100, 10_000, 100_000), metavar="TRIPS")
    words.add_argument("--no-callgrind", dest="callgrind", action="store_false")
    options = words.parse_args()
    if options.callgrind and not shutil.which("valgrind"):
        raise SystemExit("valgrind is not installed; --no-callgrind goes without instruction counts")
    bench = Bench(options)
    bench.machine = f"{platform.machine()}, {os.cpu_count()} cores"
    if options.only == "all":
        bench.run()
    if options.catalogue:
        from catalogue import Catalogue
        Catalogue(bench).run(list(options.catalogue))
    bench.write()


if __name__ == "__main__":
    main()
