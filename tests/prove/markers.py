"""S14: payloads of markup, formulas, line ends and template braces go into every text field of every write route; every
answer, page, e-mail, document, table and calendar that comes out is parsed, and none of them is anything but text there.

markers.py SVC DATABASE PRO
"""
import csv
import html.parser
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

import icalendar

from proving import Site, arguments, day, figure, filled_in, free_port
from walking import Walk, fetched, texts_in, uploaded, with_everything

SVC, DATABASE, (PRO,) = arguments(2)
SINK = pathlib.Path(__file__).parent.parent / "support/smtp_sink.py"
# Each begins and ends with a word of ours, so that what became of what stands between is seen.
PAYLOADS = {
    "markup": 'svcmark<script>svcmark()</script><svcmark onsvcmark="1">"\'&svcend',
    "formula": "=svcmark+1,\"svcend",
    "lines": "svcmark\r\nX-Svcmark: 1\r\n\r\nBEGIN:VEVENT\nsvcend",
    "template": "svcmark{{reference}}{{{company_name}}}{{#trip_title}}{{/trip_title}}svcend"}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
# Left alone: what signs in and out, ends things, calls others, or is the operator's own template of an e-mail.
APART = re.compile(r"/auth/|/license/|/modules/|/sample-data|/bulk$|/webhook/|/payment/(create-intent|confirm|remaining)|"
                   r"/booking/session|/permanent-delete|/test$|/cancel$|/complete$|/config$")
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")


class Markup(html.parser.HTMLParser):
    """What a browser would make of a page: elements and attributes of ours are not text any more."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.raw, self.text, self.inside = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        if "svcmark" in tag or any("svcmark" in name or ("svcmark" in (value or "") and name.startswith("on"))
                                   for name, value in attrs):
            self.raw.append(self.get_starttag_text())

    def handle_data(self, data):
        if self.inside in ("script", "style") and "svcmark" in data:
            self.raw.append(data)
        self.text.append(data)

    def handle_endtag(self, tag):
        self.inside = ""


class Judge:
    def __init__(self):
        self.looked, self.marked, self.raw = {}, {}, []

    def saw(self, kind, text):
        self.looked[kind] = self.looked.get(kind, 0) + 1
        self.marked[kind] = self.marked.get(kind, 0) + ("svcmark" in text)

    def wrong(self, where, what):
        self.raw.append((where, what[:200]))

    def words(self, where, text):
        """Braces came through as they were sent: nobody filled them in."""
        for inner in re.findall(r"svcmark(\{.*?)svcend", " ".join(text.split())):
            if inner != PAYLOADS["template"][len("svcmark"):-len("svcend")]:
                self.wrong(where, f"braces were filled in: {inner}")

    def headers(self, where, pairs):
        for name, value in pairs:
            if "svcmark" in name.lower() or "\n" in value or "\r" in value:
                self.wrong(where, f"header {name}: {value}")

    def page(self, where, text, kind="html"):
        self.saw(kind, text)
        parsed = Markup()
        parsed.feed(text)
        for each in parsed.raw:
            self.wrong(where, each)
        self.words(where, "".join(parsed.text))

    def json(self, where, text, pairs):
        self.saw("json", text)
        kinds = {name.lower(): value for name, value in pairs}
        if not kinds["content-type"].startswith("application/json") or kinds["x-content-type-options"] != "nosniff":
            self.wrong(where, str(kinds))
        for each in texts_in(json.loads(text)):
            self.words(where, each)

    def table(self, where, rows, kind):
        self.saw(kind, repr(rows))
        for row in rows:
            for cell in row:
                if "svcmark" in cell and cell.startswith(FORMULA):
                    self.wrong(where, cell)

    def sheet(self, where, data):
        self.saw("xlsx", "svcmark" if any(b"svcmark" in text for text in self.parts(data)) else "")
        for text in self.parts(data):
            if re.search(rb"<f>[^<]*svcmark|<(?:x:)?svcmark|<hyperlink", text):
                self.wrong(where, text.decode()[:200])

    @staticmethod
    def parts(data):
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return [file.read(name) for name in file.namelist()]

    def calendar(self, where, data):
        self.saw("calendar", data.decode())
        parsed = icalendar.Calendar.from_ical(data)
        if any("SVCMARK" in name.upper() for each in parsed.walk() for name in each) or \
                re.search(rb"^(X-Svcmark|BEGIN:VEVENT\r?\nsvcend)", data, re.M):
            self.wrong(where, data.decode()[:300])
        for event in parsed.walk("VEVENT"):
            self.words(where, str(event.get("SUMMARY", "")))

    def document(self, where, data):
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.write(data)
            file.flush()
            text = subprocess.run(["pdftotext", "-raw", file.name, "-"], check=True, capture_output=True).stdout.decode()
            info = subprocess.run(["pdfinfo", "-js", file.name], check=True, capture_output=True).stdout
            links = subprocess.run(["pdfinfo", "-url", file.name], check=True, capture_output=True).stdout
        self.saw("pdf", text)
        if b"svcmark" in info or b"svcmark" in links:
            self.wrong(where, "a script or a link in a document")

    def mail(self, mail):
        where = f"mail {mail['subject'][:40]!r}"
        self.headers(where, mail["headers"])
        self.page(where, mail["html"] or "", "mail")
        self.words(where, mail["text"] or "")

    def answer(self, where, status, pairs, data):
        self.headers(where, pairs)
        kind = next((value for name, value in pairs if name.lower() == "content-type"), "")
        if kind.startswith("application/json"):
            self.json(where, data.decode(), pairs)
        elif kind.startswith("text/html"):
            self.page(where, data.decode())
        elif kind.startswith("text/csv"):
            self.table(where, list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))), "csv")
        elif kind.startswith("text/calendar"):
            self.calendar(where, data)
        elif "spreadsheetml" in kind:
            self.sheet(where, data)
        elif kind.startswith("application/pdf"):
            self.document(where, data)


def given_mails(site, port):
    saved = site.as_staff("PUT", "/settings", {
        "smtp_enabled": True, "smtp_host": "127.0.0.1", "smtp_port": port, "smtp_encryption": "none",
        "from_email": "office@example.org", "admin_email": "staff@example.org"})
    assert saved.status == 200, saved


def fill(site, walk, payload):
    """Every write route with every text; how many texts it took with the payload in."""
    taken = routes = 0

    def text(name, longest):
        if longest >= len(payload):
            return payload
        return "<svcmark>"[:longest] if longest >= 9 else "plain"[:longest]
    settings = {name: payload for name in ("company_name", "company_address", "company_city", "company_phone", "tax_label",
                                           "from_name", "vat_number", "company_country") if "\n" not in payload}
    for name, value in settings.items():
        taken += site.as_staff("PUT", "/settings", {name: value}).status == 200
    for method, path, route in walk.routes("post", "put"):
        if APART.search(path):
            continue
        if path == "/booking/create":
            continue  # by book() below, which goes on with what it made
        answer, body = walk.send(method, path, route, text)
        if answer is not None:
            assert answer.status < 500, (method, path, answer)
            routes += 1
            if answer.status in (200, 201):
                taken += sum("svcmark" in each for each in texts_in(body))
    return routes, taken


def book(site, walk, trip, payload):
    """A guest's booking whose every text is the payload where it is taken, paid, refunded and cancelled: a mail for each."""
    opened = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": day()})
    assert opened.status == 201, opened
    session = {"X-Svc-Session": opened.data["session_id"]}
    route = walk.paths["/booking/create"]["post"]
    without = {name: route["requestBody"]["content"]["application/json"]["schema"]["properties"].pop(name, None)
               for name in ("session_id", "create_account", "account_password", "account_password_confirm", "coupon_code",
                            "trip_id", "expected_total", "traveler_counts", "additional_services", "selected_services",
                            "departure_time", "payment_method", "travelers_count", "join_waitlist")}
    assert without["session_id"]
    people = filled_in({})  # where no text but a phone number, a date or one of a few words is taken
    lead = {**people["travelers"][0], **{name: payload for name in ("first_name", "last_name", "nationality", "note")}}
    answer, body = walk.send("POST", "/booking/create", route, lambda _, longest: payload[:longest] if longest > 20 else
                             "plain"[:longest], {"payment_gateway": "pay_later", "contact_email": "ada@example.org",
                                                 "contact_phone": people["contact_phone"],
                                                 "emergency_phone": people["emergency_phone"],
                                                 "travelers": [lead]}, session)
    route["requestBody"]["content"]["application/json"]["schema"]["properties"] |= without
    assert answer.status == 201, answer
    made = answer.data["id"]
    walk.ids |= {"/bookings": made, "{booking_id}": made}
    walk.send("PUT", "/bookings/{id}/travellers", walk.paths["/bookings/{id}/travellers"]["put"],
              lambda _, longest: payload[:longest])
    paid = site.as_staff("POST", "/payments", {"booking_id": made, "amount": 1, "gateway": "cash", "status": "completed"})
    assert paid.status == 201, paid
    walk.ids |= {"/payments": paid.data["id"], "{payment_id}": paid.data["id"]}
    for status in ("confirmed", "completed"):
        assert site.as_staff("PUT", f"/bookings/{made}/status", {"status": status}).status == 200
    site.as_staff("POST", f"/payments/{paid.data['id']}/refunds", {"amount": 1, "reason": payload})
    return sum("svcmark" in each for each in texts_in(body))


def look(site, walk, judge, slug):
    """Every GET route, as staff and as a visitor, and what is made of records: tables, calendars, documents."""
    targets = [target for _, path, _ in walk.routes("get") if (target := walk.filled(path)) and "/media" not in path]
    targets += [f"/trips/public/{slug}", "/trips/public?search=svcmark", "/trips?search=svcmark&status=all",
                "/bookings?search=svcmark", "/travelers?format=csv", "/travelers?format=xlsx"]
    for headers in (site.staff, {}):
        for target in targets:
            status, pairs, data = fetched(site, "GET", "/svc/v1" + target, headers=headers)
            assert status < 500, (target, status, data[:300])
            judge.answer(target, status, pairs, data)
    feed = site.as_staff("POST", "/departures/feed")
    url = feed.data["url"]
    path = url[url.index("/svc/v1"):]
    judge.answer("calendar", *fetched(site, "GET", path))


def mails_of(site, log):
    for _ in range(600):
        open_ones = site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE status IN ('queued', 'sending')")
        events = site.sql("SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NULL")
        if open_ones == events == [["0"]]:
            break
        time.sleep(0.1)
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def finds_what_is_planted():
    """The judge itself: what would be wrong is seen as wrong."""
    judge = Judge()
    for page in (PAYLOADS["markup"], '<p title="x" onsvcmark="1">', "<p>svcmark{Peaks}svcend</p>"):
        judge.page("planted", page)
    judge.headers("planted", [("X-Svcmark", "1")])
    judge.table("planted", [[PAYLOADS["formula"]]], "csv")
    judge.calendar("planted", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX-SVCMARK:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    assert {each[0] for each in judge.raw} == {"planted"} and len(judge.raw) >= 6, judge.raw


def main():
    finds_what_is_planted()
    judge, routes, taken = Judge(), 0, 0
    with Site(SVC, DATABASE, servers=0, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}) as site:
        port, log = free_port(), site.dir / "mails"
        sink = subprocess.Popen([sys.executable, str(SINK), str(log), "--port", str(port)], stdout=subprocess.PIPE, text=True)
        try:
            assert sink.stdout.readline() == f"port {port}\n"
            site.environment["SVC_OUTBOUND_PRIVATE_HOSTS"] = f"127.0.0.1:{port}"
            site.start()
            with_everything(site)
            given_mails(site, port)
            for name, payload in PAYLOADS.items():
                walk = Walk(site)
                for each in site.as_staff("GET", "/attributes?per_page=100").data:
                    # What an earlier payload's walk made required would hold back the trip of this one.
                    eased = site.as_staff("PUT", f"/attributes/{each['id']}", {"required": False})
                    assert eased.status == 200, eased
                line = payload if "\n" not in payload else "Harbour walk"
                trip = site.given_trip(title=line[:250], summary=line[:500], cancellation_policy=payload)
                site.given_departure(trip["id"], day(), 50, special_notes=payload, from_location=line)
                status, pairs, data = uploaded(site, f"a{payload}.png".replace('"', "%22").replace("\r\n", "%0D%0A")
                                               .replace("\n", "%0A"), PNG, title=line, alt_text=line)
                if status == 201:
                    picture = json.loads(data)["data"]["id"]
                    walk.ids |= {"/media": picture, "{image_id}": picture, "{attachment_id}": picture}
                    judge.answer("file", *fetched(site, "GET", f"/svc/v1/media/{picture}/file"))
                walk.ids |= {"/trips": trip["id"], "{trip_id}": trip["id"]}
                taken += book(site, walk, trip["id"], payload)
                asked, more = fill(site, walk, payload)
                routes, taken = max(routes, asked), taken + more
                look(site, walk, judge, trip["slug"])
                booking = site.sql(f"SELECT MIN(id) FROM svc_bookings WHERE trip_id = {trip['id']}")[0][0]
                for target in (f"/bookings/{booking}/{each}" for each in ("invoice", "voucher", "itinerary")):
                    judge.answer(target, *fetched(site, "GET", "/svc/v1" + target, headers=site.staff))
            for mail in mails_of(site, log):
                judge.mail(mail)
        finally:
            sink.kill()
            sink.wait()
        site.check_invariants()
        assert not judge.raw, "\n".join(map(str, judge.raw[:20]))
        assert all(judge.marked.get(kind) for kind in ("json", "mail", "csv", "xlsx", "calendar", "pdf")), judge.marked
        looked = ", ".join(f"{kind} {count} ({judge.marked[kind]} with a payload)" for kind, count in sorted(judge.looked.items()))
        figure(f"payloads {len(PAYLOADS)}, write routes {routes}, texts taken {taken}; looked at {looked}; raw 0")


if __name__ == "__main__":
    sys.exit(main())
