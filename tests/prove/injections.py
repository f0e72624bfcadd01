"""S12: quotes, comments, conditions and waits in every query parameter of every list and search: no answer is a failure,
none differs by a condition that a database would see, none waits. `sqlmap` asks the same of the searches with sqlmap,
which first has to find a hole that is planted.

injections.py SVC DATABASE probe|sqlmap
"""
import collections
import http.server
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from proving import Site, arguments, day, figure
from walking import Walk, fetched, sample

SVC, DATABASE, (WHAT,) = arguments(2)
WAITS = {"sqlite": "RANDOMBLOB(400000000)", "postgres": "PG_SLEEP(3)"}[DATABASE]
PLAIN = ["'", '"', "')", "\\", "';--", "x' OR '1'='1", "1 OR 1=1", "1)) OR ((1=1", "'; DROP TABLE svc_trips;--", "%", "\x00'",
         "1/**/UNION/**/SELECT/**/1", "'||(SELECT version())||'", "${jndi:x}", "';SELECT/*"]
CONDITIONS = [("x' AND '1'='1", "x' AND '1'='2"), ("1 AND 1=1", "1 AND 1=2"), ("x' OR 1=1--", "x' OR 1=2--"),
              ("x%' AND 'a'='a", "x%' AND 'a'='b")]
WAITING = [f"1 AND (SELECT {WAITS}) IS NOT NULL", f"x'||(SELECT {WAITS})||'", f"x' AND 1=(SELECT 1 FROM (SELECT {WAITS}) t)--",
           f"1;SELECT {WAITS}"]
MOST_SECONDS = 1200  # of sqlmap, in which every parameter of its list has its turn


def targets(walk):
    """(path, its parameters with values that are taken) of every GET with a query."""
    for _, path, route in walk.routes("get"):
        query = {each["name"]: sample(each.get("schema", {}), each["name"]) for each in route.get("parameters", [])
                 if each["in"] == "query"}
        target = walk.filled(path)
        if query and target and "format" not in query and "booking_token" not in query:
            yield target, {name: value for name, value in query.items() if not isinstance(value, (dict, list))}


def probe(site, walk):
    figures, slowest, wrong = collections.Counter(), 0.0, []

    def ask(path, name, value):
        nonlocal slowest
        began = time.monotonic()
        status, _, data = fetched(site, "GET", f"/svc/v1{path}?{urllib.parse.urlencode({name: value})}", headers=site.staff)
        took = time.monotonic() - began
        slowest, figures["requests"] = max(slowest, took), figures["requests"] + 1
        text = data.decode(errors="replace")
        if status >= 500 or re.search(r"syntax error|sqlite|psql|SELECT .* FROM|unrecognized token", text, re.I):
            wrong.append((path, name, value, status, text[:200]))
        return status, text.replace(value, "")
    for path, query in targets(walk):
        for name in query:
            figures["parameters"] += 1
            for value in PLAIN + WAITING:
                ask(path, name, value)
            for true, false in CONDITIONS:
                first, second = ask(path, name, true), ask(path, name, false)
                figures["conditions"] += 1
                if 429 in (first[0], second[0]):  # a secret that was guessed at too often
                    continue
                if first[0] != second[0] or len(first[1]) != len(second[1]):
                    wrong.append((path, name, true, first[0], second[0]))
    assert not wrong, "\n".join(map(str, wrong[:10]))
    assert slowest < 2.5, f"an answer took {slowest:.1f} s"
    assert figures["parameters"] > 100, figures
    assert int(site.sql("SELECT COUNT(*) FROM svc_trips")[0][0]) > 0
    figure(f"parameters {figures['parameters']}, requests {figures['requests']}, failures 0, conditions told apart 0 of"
           f" {figures['conditions']}, slowest answer {slowest * 1000:.0f} ms")


class Holed(http.server.BaseHTTPRequestHandler):
    """What sqlmap must find: a search by pasting."""

    def do_GET(self):
        word = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query).get("search", [""])[0]
        try:
            rows = sqlite3.connect(self.server.file).execute(f"SELECT title FROM trips WHERE title LIKE '%{word}%'").fetchall()
            self.send_response(200)
        except sqlite3.Error as error:
            rows = [str(error)]
            self.send_response(500)
        self.end_headers()
        self.wfile.write(repr(rows).encode())

    def log_message(self, *_):
        pass


def asked_by_sqlmap(place, url, parameters, headers=(), dbms="sqlite"):
    """The parameters that sqlmap says are injectable, and how many requests it made."""
    done = subprocess.run(
        ["sqlmap", "-u", url, "-p", ",".join(parameters), "--batch", "--level", "2", "--dbms", dbms, "--flush-session",
         "--disable-coloring", "--technique", "BEUST", "--time-sec", "2", "--output-dir", place, "--threads", "4",
         "--ignore-code", "401,400,404", *(word for each in headers for word in ("-H", each))],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    assert "[CRITICAL] unable to connect" not in done.stdout and done.returncode == 0, done.stdout[-1500:]
    tested = set(re.findall(r"GET parameter '([^']+)' (?:does not seem to be|is) (?:injectable|vulnerable)?", done.stdout))
    return set(re.findall(r"^Parameter: (\S+) \(GET\)", done.stdout, re.M)), tested


def by_sqlmap(site, walk):
    with tempfile.TemporaryDirectory(prefix="svc-sqlmap-") as place:
        planted = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Holed)
        planted.file = str(pathlib.Path(place) / "planted.db")
        with sqlite3.connect(planted.file) as data:
            data.executescript("CREATE TABLE trips (title TEXT); INSERT INTO trips VALUES ('harbour'), ('hill');")
        threading.Thread(target=planted.serve_forever, daemon=True).start()
        found, _ = asked_by_sqlmap(place, f"http://127.0.0.1:{planted.server_port}/?search=har", ["search"])
        assert found == {"search"}, "sqlmap does not find the planted hole"
        planted.shutdown()
        began, tried, injectable, left = time.monotonic(), 0, [], 0
        staff = f"Authorization: {site.staff['Authorization']}"
        # What is free text reaches SQL in most places; the others are numbers, dates and lists of words.
        wanted = sorted(targets(walk), key=lambda each: ("search" not in each[1], each[0]))
        for path, query in wanted:
            if time.monotonic() - began > MOST_SECONDS:
                left += len(query)
                continue
            url = f"http://127.0.0.1:{site.servers[0].port}/svc/v1{path}?{urllib.parse.urlencode(query)}"
            found, _ = asked_by_sqlmap(place, url, list(query), [staff], {"sqlite": "sqlite", "postgres": "postgresql"}[DATABASE])
            tried += len(query)
            injectable += [(path, name) for name in found]
        assert not injectable, injectable
        assert tried > 50, tried
        figure(f"sqlmap: planted hole found, parameters {tried}, injectable 0, not reached in {MOST_SECONDS} s {left}")


def main():
    with Site(SVC, DATABASE, log="server.log") as site:
        site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "api_rate_limit": 0})
        trip = site.given_trip(title="Harbour plain walk")["id"]
        site.given_departure(trip, day(), 50)
        booked = site.book(trip, day(), "Plain").data["id"]
        walk = Walk(site)
        walk.ids |= {"/trips": trip, "{trip_id}": trip, "/bookings": booked, "{booking_id}": booked}
        (probe if WHAT == "probe" else by_sqlmap)(site, walk)


if __name__ == "__main__":
    sys.exit(main())
