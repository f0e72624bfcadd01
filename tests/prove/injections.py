"""S12: quotes, comments, conditions and waits in every query parameter of every GET: no answer is a failure, none differs
by a condition that a database would see, none waits. `sqlmap` asks the same parameters with sqlmap, which first has to
find a hole that is planted. Each is asked in a URL that is answered: what stands beside it is taken, and lists find
something, so that no parameter is refused for another one's sake before any SQL.

injections.py SVC DATABASE PRO probe|sqlmap
"""
import collections
import concurrent.futures
import dataclasses
import http.client
import http.server
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from furnished import FAR, furnished
from proving import arguments, day, figure
from walking import elsewhere, fetched, sample

SVC, DATABASE, (PRO, WHAT) = arguments(3)
# An expression that takes the database a while, and one that takes none.
WAITS, AT_ONCE = {"sqlite": ("RANDOMBLOB(400000000)", "RANDOMBLOB(1)"), "postgres": ("PG_SLEEP(3)", "PG_SLEEP(0)")}[DATABASE]
PLAIN = ["'", '"', "')", "\\", "';--", "x' OR '1'='1", "1 OR 1=1", "1)) OR ((1=1", "'; DROP TABLE svc_trips;--", "%", "\x00'",
         "1/**/UNION/**/SELECT/**/1", "'||(SELECT version())||'", "${jndi:x}", "';SELECT/*"]
CONDITIONS = [("x' AND '1'='1", "x' AND '1'='2"), ("1 AND 1=1", "1 AND 1=2"), ("x' OR 1=1--", "x' OR 1=2--"),
              ("x%' AND 'a'='a", "x%' AND 'a'='b")]
WAITING = [f"1 AND (SELECT {WAITS}) IS NOT NULL", f"x'||(SELECT {WAITS})||'", f"x' AND 1=(SELECT 1 FROM (SELECT {WAITS}) t)--",
           f"1;SELECT {WAITS}"]
# Parameters that no answer of 200 has, and why; asked all the same.
REFUSED = {
    ("/downloads/{id}", "booking_id"): "a link is signed for what it names: with another one it is no link",
}


# Members that every answer of 200 has, though the document does not require them.
NEEDED = {"/downloads/{id}": ("exp", "sig", "action"), "/booking/summary": ("session_id",)}


@dataclasses.dataclass
class Target:
    """A URL that is answered, and those of its parameters whose turn it is."""
    path: str
    query: dict
    asked: list
    taken: bool  # False: one of REFUSED

    def url(self, **other):
        return f"{self.path}?{urllib.parse.urlencode({**self.query, **other})}"


def session_of(shop):
    opened = shop.site.call("POST", "/booking/session", {"trip_id": shop.walk.ids["/trips"], "travel_date": day()}, elsewhere())
    assert opened.status == 201, opened
    return opened.data["session_id"]


def with_a_new_session(shop, url):
    """Codes of coupons are counted by the session they are tried in: each has one of its own."""
    if "coupon_code=" not in url:
        return url
    return re.sub(r"session_id=[\w-]+", f"session_id={session_of(shop)}", url)


def values_of(shop):
    """The value of each parameter, by its name, where a sample of its schema finds nothing."""
    ids, site = shop.walk.ids, shop.site
    link = site.as_staff("GET", f"/downloads/{ids['/downloads']}/download-url?booking_id={ids['/bookings']}")
    signed = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(link.data["download_url"]).query))
    names = {"search": ["Harbour", "Dora", "Gast"], "keyword": "harbour", "q": "Harbour", "slug": "harbour",
             "group": "smtp", "month": "all",
             "month_filter": "all", "from": day(-400), "to": day(400), "from_date": day(1), "to_date": day(FAR + 1),
             "date": day(), "travel_date": day(), "country": "GB", "coupon_code": "HARBOUR", "format": "json",
             "destination": ids["/destinations"], "activity": ids["/activities"], "trip_category": ids["/trip-categories"],
             "difficulty": ids["/difficulty-levels"], "type_id": ids["/item-types"], "type": "percentage",
             "status": "all", "field_type": "select", "source": "fixed", "availability": "available", "gateway": "stripe",
             "payment_status": "partial", "max_price": 1000, "min_price": 0, "min_rating": 0, "parent_id": 0, "page": 1,
             "min_duration": 1, "max_duration": 30, "trip_type": "multi_day", "context": "initial", "rule_type": "weekly",
             "travelers": 1,
             "num_travelers": 1, "exclude_id": 0, "session_id": session_of(shop), "trip_ids": ids["/trips"],
             "availability_id": ids["/availability"], "selected_services": None, "additional_services": None,
             "selected_services[]": ids["/additional-services"], "additional_services[]": ids["/additional-services"],
             "needs_attention": "false", "refund_due": "false",
             f"attributes[{ids['/attributes']}]": "easy", "traveler_counts": None, "attributes": None,
             "traveler_counts[0]": 1, "customer_id": site.sql(
                 f"SELECT customer_id FROM svc_bookings WHERE id = {ids['/bookings']}")[0][0], 
             # The one of its dates that has a time.
             ("/booking/summary", "travel_date"): day(50), **signed}
    return names


def value_of(shop, names, path, each):
    name, schema = each["name"], each.get("schema", {})
    if (path, name) in names:
        return names[path, name]
    if name in names:
        return names[name]
    found = shop.walk.references({name: 1}).get(name) if name.endswith("_id") else None
    value = found or sample(schema, name)
    return str(value).lower() if isinstance(value, bool) else value


def answered(shop, path, query):
    """Whether the URL is answered, and with something in its list."""
    status, _, data = fetched(shop.site, "GET", f"/svc/v1{path}?{urllib.parse.urlencode(query)}", headers={
        **shop.site.staff, **elsewhere()})
    if status >= 400:
        return False, False
    body = json.loads(data) if data.startswith(b"{") else {}
    return True, body.get("data") != []


def targets(shop):
    """Every query parameter of every GET, each once: together in a URL that finds something, or else in one apart."""
    names = values_of(shop)
    for _, path, route in shop.walk.routes("get"):
        listed = [each for each in route.get("parameters", []) if each["in"] == "query"]
        target = shop.walk.filled(path)
        if not listed:
            continue
        assert target, f"no id for {path}"
        query, apart = {}, {}
        for each in sorted(listed, key=lambda each: not each.get("required")):
            if (value := value_of(shop, names, path, each)) is not None:
                apart[each["name"]] = value
        apart |= {name: value for name, value in names.items() if "[" in str(name) and name.split("[")[0] in
                  {each["name"] for each in listed}}
        needed = {name: value for name, value in apart.items() if name in NEEDED.get(path, ()) or any(
            each["name"] == name and each.get("required") for each in listed)}
        for name, value in needed.items():
            del apart[name]
        query = dict(needed)
        for _ in range(2):  # one may need another that comes later
            for name, values in list(apart.items()):
                if name == "coupon_code":
                    continue
                for value in values if isinstance(values, list) else [values]:
                    if answered(shop, target, {**query, name: value}) == (True, True):
                        query[name] = value
                        del apart[name]
                        break
        if query and not answered(shop, target, query)[0]:
            query, apart, needed = {}, {**query, **apart}, {}
        if query:
            yield Target(target, query, list(query), True)
        for name, value in apart.items():
            value = value[0] if isinstance(value, list) else value
            taken, found = answered(shop, target, {**needed, name: value})
            assert taken == ((path, name) not in REFUSED), (path, name, value, taken)
            assert found or name != "search", f"{path} finds nothing by {value!r}"
            yield Target(target, {**needed, name: value}, [name], taken)


def seconds_of(ask, value):
    began = time.monotonic()
    ask(value)
    return time.monotonic() - began


def waits(ask, value):
    """By how many seconds the answer is later for what the value lets the database do, whenever it is asked. A busy machine
    is slow now and then, with the wait and without: so each is asked in turn, and the quickest of each counts."""
    others = [(seconds_of(ask, value), seconds_of(ask, value.replace(WAITS, AT_ONCE) if WAITS in value else "x"))
              for _ in range(3)]
    return min(long for long, _ in others) - min(short for _, short in others)


def probe(shop):
    site = shop.site
    figures, slowest, wrong = collections.Counter(), 0.0, []
    # A hole of ours, and how late it is; a third of that is suspected, as this machine may be quicker at other times, and
    # no more than it takes a machine that is very quick.
    planted = waits(lambda value: site.sql(f"SELECT 1 WHERE 1={value}"), WAITING[0])
    late = min(planted / 3, 0.3)
    assert late > 0.05, f"the planted hole waits {planted} s"

    def fetch(target, name, value):
        return fetched(site, "GET", "/svc/v1" + with_a_new_session(shop, target.url(**{name: value})),
                       headers={**site.staff, **elsewhere()})

    def ask(target, name, value):
        nonlocal slowest
        began = time.monotonic()
        status, _, data = fetch(target, name, value)
        took = time.monotonic() - began
        slowest, figures["requests"] = max(slowest, took), figures["requests"] + 1
        if took > late:
            figures["suspected"] += 1
            if (by := waits(lambda other: fetch(target, name, other), value)) > late:
                wrong.append((target.path, name, value, status, f"{by:.1f} s later each time"))
        text = data.decode(errors="replace")
        text = re.sub(r"[A-Za-z0-9+/=]{200,}", "", text)  # a packed document spells any word by chance
        for echo in (value, json.dumps(value)[1:-1], urllib.parse.quote_plus(value)):
            text = re.sub(re.escape(echo), "", text, flags=re.I)
        if status >= 500 or re.search(r"syntax error|sqlite|psql|SELECT .* FROM|unrecognized token", text, re.I):
            wrong.append((target.path, name, value, status, text[:200]))
        return status, text
    for target in targets(shop):
        for name in target.asked:
            figures["parameters"] += 1
            figures["answered"] += target.taken
            for value in PLAIN + WAITING:
                figures["let through"] += ask(target, name, value)[0] < 400
            for true, false in CONDITIONS:
                first, second = ask(target, name, true), ask(target, name, false)
                figures["conditions"] += 1
                if 429 in (first[0], second[0]) or first[0] != second[0] or len(first[1]) != len(second[1]):
                    wrong.append((target.path, name, true, first[0], second[0]))
    assert not wrong, "\n".join(map(str, wrong[:10]))
    assert figures["parameters"] > 350 and figures["let through"] > 500, figures
    assert int(site.sql("SELECT COUNT(*) FROM svc_trips")[0][0]) > 0
    figure(f"parameters {figures['parameters']}, of them {figures['answered']} in a URL that is answered, requests"
           f" {figures['requests']}, failures 0, conditions told apart 0 of {figures['conditions']}, slowest answer"
           f" {slowest * 1000:.0f} ms, slow and asked again {figures['suspected']}, waiting 0; a planted hole waits"
           f" {planted:.1f} s")


class Forwarder(http.server.BaseHTTPRequestHandler):
    """Hands requests on to the server, each from another address."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.shop.site.servers[0].port, timeout=60)
        try:
            kept = {name: self.headers[name] for name in ("Authorization", "User-Agent", "Accept") if name in self.headers}
            connection.request("GET", with_a_new_session(self.server.shop, self.path), headers={**kept, **elsewhere()})
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"] or "text/plain")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Holed(http.server.BaseHTTPRequestHandler):
    """What sqlmap must find: a search by pasting, beside a parameter that is looked at first, as svc looks at its own."""

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        word, page = query.get("search", [""])[0], query.get("per_page", [""])[0]
        rows = []
        try:
            if page.isdigit():
                rows = sqlite3.connect(self.server.file).execute(
                    f"SELECT title FROM trips WHERE title LIKE '%{word}%'").fetchall()
            self.send_response(200 if page.isdigit() else 400)
        except sqlite3.Error as error:
            rows = [str(error)]
            self.send_response(500)
        self.end_headers()
        self.wfile.write(repr(rows).encode())

    def log_message(self, *_):
        pass


def asked_by_sqlmap(place, url, parameters, headers=(), dbms="sqlite"):
    """The parameters that sqlmap says are injectable; it must have tried each of them."""
    # Several run at once: each keeps what it knows of the one server in a folder of its own.
    with tempfile.TemporaryDirectory(dir=place) as own:
        done = subprocess.run(
            ["sqlmap", "-u", url, "-p", ",".join(parameters), "--batch", "--level", "2", "--dbms", dbms, "--flush-session",
             "--disable-coloring", "--technique", "BEUST", "--time-sec", "2", "--output-dir", own, "--threads", "4",
             "--ignore-code", "400,404", *(word for each in headers for word in ("-H", each))],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=1200)
    assert "[CRITICAL] unable to connect" not in done.stdout and done.returncode == 0, done.stdout[-1500:]
    failures = set(re.findall(r"(\d{3}) \([^)]*\) - \d+ times", done.stdout)) - {"400", "403", "404"}
    assert not failures or not headers, f"{url}: answers {failures}"  # the planted server fails, as it is built to
    found = set(re.findall(r"^Parameter: (\S+) \(GET\)", done.stdout, re.M))
    tested = set(re.findall(r"GET parameter '([^']+)' does not seem to be injectable", done.stdout)) | found
    assert tested == set(parameters), f"{url}: not tried {set(parameters) - tested}\n{done.stdout[-3000:]}"
    return found


def finds_what_is_planted(place):
    planted = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Holed)
    planted.file = str(pathlib.Path(place) / "planted.db")
    with sqlite3.connect(planted.file) as data:
        data.executescript("CREATE TABLE trips (title TEXT); INSERT INTO trips VALUES ('harbour'), ('hill');")
    threading.Thread(target=planted.serve_forever, daemon=True).start()
    found = asked_by_sqlmap(place, f"http://127.0.0.1:{planted.server_port}/?per_page=10&search=har", ["per_page", "search"])
    assert found == {"search"}, "sqlmap does not find the planted hole"
    planted.shutdown()


def by_sqlmap(shop):
    site = shop.site
    staff = f"Authorization: {site.staff['Authorization']}"

    forwarder = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forwarder)
    forwarder.daemon_threads, forwarder.shop = True, shop
    threading.Thread(target=forwarder.serve_forever, daemon=True).start()

    def run(target):
        assert not target.taken or answered(shop, target.path, target.query)[0], target
        found = asked_by_sqlmap(place, f"http://127.0.0.1:{forwarder.server_port}/svc/v1{target.url()}", target.asked, [staff],
                                {"sqlite": "sqlite", "postgres": "postgresql"}[DATABASE])
        assert not target.taken or answered(shop, target.path, target.query)[0], target  # still: all was asked of an answer
        return [(target.path, name) for name in found]
    with tempfile.TemporaryDirectory(prefix="svc-sqlmap-") as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        finds_what_is_planted(place)
        wanted = list(targets(shop))
        injectable = [each for found in pool.map(run, wanted) for each in found]
    forwarder.shutdown()
    assert not injectable, injectable
    tried = sum(len(target.asked) for target in wanted)
    assert tried > 350, tried
    figure(f"sqlmap: planted hole found, parameters {tried} in {len(wanted)} URLs, of them"
           f" {sum(len(target.asked) for target in wanted if target.taken)} in one that is answered; injectable 0")


def main():
    with furnished(SVC, DATABASE, PRO) as shop:
        (probe if WHAT == "probe" else by_sqlmap)(shop)
        shop.site.check_invariants()


if __name__ == "__main__":
    sys.exit(main())
