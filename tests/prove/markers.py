"""S14: payloads of markup, formulas, line ends and template braces go into every text field of every write route; every
answer, page, e-mail, document, table and calendar that comes out is parsed, and none of them is anything but text there.

markers.py SVC DATABASE PRO
"""
import csv
import html.parser
import io
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

import icalendar

import needed
from furnished import PNG, furnished_with_mails
from proving import arguments, day, figure, filled_in
from walking import fetched, sample, texts_in, uploaded

SVC, DATABASE, (PRO,) = arguments(2)
# Each begins and ends with a word of ours, so that what became of what stands between is seen.
PAYLOADS = {
    "markup": 'svcmark<script>svcmark()</script><svcmark onsvcmark="1">"\'&svcend',
    "formula": "=svcmark+1,\"svcend",
    "lines": "svcmark\r\nX-Svcmark: 1\r\n\r\nBEGIN:VEVENT\nsvcend",
    "template": "svcmark{{reference}}{{{company_name}}}{{#trip_title}}{{/trip_title}}svcend"}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
# Writes with texts that take none of ours, and why; what they answer is looked at all the same.
UNTAKEN = {
    "POST /auth/login": "who signs in is known already",
    "POST /modules/bulk-toggle": "its texts are the names of modules",
    "POST /booking/coupons": "a code that no discount has is refused",
    "POST /payment/create-intent": "names of a gateway and a currency, addresses of the site, secrets",
    "POST /payment/remaining": "names of a session and a gateway, addresses of the site",
    "POST /payment/confirm": "names of a gateway and of one of its charges, secrets",
    "POST /payment/{gateway}/complete": "names of one of a gateway's charges, secrets",
    "POST /license/activate": "a key of another form is refused",
    "POST /license/save": "a key of another form is refused",
}
# Texts of another making, filled by hand below.
BY_HAND = {"POST /booking/create", "PUT /settings", "PUT /settings/booking-form", "POST /payment/gateways/{gateway}/config"}
# Settings by which mail is sent, people are told from robots and the license is asked for: all would end here.
LEFT = re.compile(r"^(smtp_|recaptcha_|license_|email_tpl_)")


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
        self.quoted = set()  # how cells of tables would have begun

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
                if "svcmark" in cell and cell.startswith("'"):
                    self.quoted.add(cell[1])

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
        if not data:  # a redirect
            return
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


class Filling:
    """One payload in every text of one shop; `taken` counts by write, `refused` tells what no text was taken by."""

    def __init__(self, shop, judge, name):
        self.shop, self.site, self.walk, self.judge = shop, shop.site, shop.walk, judge
        self.name, self.payload = name, PAYLOADS[name]
        self.line = self.payload if "\n" not in self.payload else "Harbour walk"
        self.taken, self.refused = {}, {}
        # A formula begins in each way in turn.
        self.turns = itertools.cycle([each + self.payload[1:] for each in FORMULA] if name == "formula" else [self.payload])

    def text(self, _, longest):
        if longest >= len(self.payload):
            return next(self.turns)
        return "<svcmark>"[:longest] if longest >= 9 else "plain"[:longest]

    def took(self, write, count):
        self.taken[write] = self.taken.get(write, 0) + count

    def count(self, write, answer, body):
        self.judge.answer(write, answer.status, list(answer.headers.items()), answer.text.encode())
        assert answer.status < 500, (write, answer)
        good = answer.status in (200, 201)
        self.took(write, sum("svcmark" in each for each in texts_in(body)) if good else 0)
        if not good:
            self.refused[write] = answer

    def settings(self):
        """All that are texts, the booking form's words, and what gateways say to customers."""
        for name, value in self.site.as_staff("GET", "/settings").data.items():
            if isinstance(value, str) and not LEFT.match(name):
                answer = self.site.as_staff("PUT", "/settings", {name: self.payload})
                self.took("PUT /settings", answer.status == 200 and not answer.data["rejected_keys"])
        form = worded(self.site.as_staff("GET", "/settings/booking-form").data, self.line)
        self.count("PUT /settings/booking-form", self.site.as_staff("PUT", "/settings/booking-form", form), form)
        for gateway, its in self.site.as_staff("GET", "/payment/gateways/definitions").data["gateways"].items():
            for field in its["fields"]:
                if field["type"] in ("text", "textarea") and not field["id"].endswith(("_key", "_key_id")):
                    answer = self.site.as_staff("POST", f"/payment/gateways/{gateway}/config", {field["id"]: self.payload})
                    assert answer.status in (200, 400), answer
                    self.took("POST /payment/gateways/{gateway}/config", answer.status == 200)

    def picture(self):
        name = f"a{self.payload}.png".replace('"', "%22").replace("\r\n", "%0D%0A").replace("\n", "%0A")
        status, _, data = uploaded(self.site, name, PNG + self.name.encode(), title=self.line, alt_text=self.line)
        assert status == 201, data
        self.shop.knows(media=json.loads(data)["data"]["id"])
        self.took("POST /media", 3)

    def writes(self):
        """Every write of the document that takes a text."""
        for method, path, route in self.walk.routes("post", "put"):
            write, schema = f"{method} {path}", self.walk.body_schema(route)
            if write in BY_HAND or not schema or not any("svcmark" in each for each in texts_in(sample(schema, text=self.text))):
                continue
            answer, body = needed.send(self.shop, method, path, route, self.text)
            assert answer is not None, f"no id for {write}"
            self.count(write, answer, body)


def worded(form, text):
    """A booking form with other words for all that it shows."""
    if isinstance(form, dict):
        return {name: text if name in ("title", "description", "placeholder", "label") else worded(value, text)
                for name, value in form.items()}
    return [worded(each, text) for each in form] if isinstance(form, list) else form


def book(filling):
    """A guest's booking whose every text is the payload where it is taken, paid, refunded and completed: a mail for each.
    Its token."""
    shop, site, walk, payload = filling.shop, filling.site, filling.walk, filling.payload
    trip = site.given_trip(title=filling.line[:250], summary=filling.line[:500], cancellation_policy=payload)
    site.given_departure(trip["id"], day(), 50, special_notes=payload, from_location=filling.line)
    opened = site.call("POST", "/booking/session", {"trip_id": trip["id"], "travel_date": day()})
    assert opened.status == 201, opened
    session = {"X-Svc-Session": opened.data["session_id"]}
    route = walk.paths["/booking/create"]["post"]
    fields = route["requestBody"]["content"]["application/json"]["schema"]["properties"]
    without = {name: fields.pop(name, None) for name in (
        "session_id", "create_account", "account_password", "account_password_confirm", "coupon_code", "trip_id",
        "expected_total", "traveler_counts", "additional_services", "selected_services", "departure_time",
        "payment_method", "travelers_count", "join_waitlist", "availability_id", "travel_date")}
    assert without["session_id"]
    given = filled_in({})  # where no text but a phone number, a date or one of a few words is taken
    lead = {**given["travelers"][0], **{name: payload for name in ("first_name", "last_name", "nationality", "note")}}
    answer, body = walk.send("POST", "/booking/create", route, lambda _, longest: next(filling.turns)[:longest]
                             if longest > 20 else "plain"[:longest],
                             {"payment_gateway": "pay_later", "contact_email": "ada@example.org",
                              "contact_phone": given["contact_phone"], "emergency_phone": given["emergency_phone"],
                              "travelers": [lead]}, session)
    fields |= without
    assert answer.status == 201, answer
    filling.count("POST /booking/create", answer, body)
    made = answer.data["id"]
    shop.knows(bookings=made, of_booking_id=made, booking=made, status=made, my_bookings=made, public=trip["slug"])
    paid = site.as_staff("POST", "/payments", {"booking_id": made, "amount": 1, "gateway": "cash", "status": "completed",
                                               "notes": payload})
    assert paid.status == 201, paid
    shop.knows(payments=paid.data["id"], of_payment_id=paid.data["id"])
    for status in ("confirmed", "completed"):
        assert site.as_staff("PUT", f"/bookings/{made}/status", {"status": status}).status == 200
    refunded = site.as_staff("POST", f"/payments/{paid.data['id']}/refunds", {"amount": 1, "reason": payload})
    assert refunded.status in (200, 201), refunded
    return answer.data["booking_token"]


def look(filling, token, customer):
    """Every GET route, as staff, as a visitor, as who booked and as a customer who is signed in, and what is made of records:
    tables, calendars, documents."""
    site, walk, judge = filling.site, filling.walk, filling.judge
    targets = []
    for _, path, _ in walk.routes("get"):
        target = walk.filled(path)
        assert target, f"no id for {path}"
        targets.append(target)
    booking = walk.ids["/bookings"]
    targets += ["/trips/public?search=svcmark", "/trips?search=svcmark&status=all", "/bookings?search=svcmark",
                "/travelers?format=csv", "/travelers?format=xlsx", f"/bookings/{booking}/travellers?format=csv",
                f"/bookings/{booking}/travellers?format=xlsx"]
    targets += [f"/bookings/{booking}/{each}{how}" for each in ("invoice", "voucher", "itinerary") for how in ("", "?preview=1")]
    assert site.call("GET", "/customers/me/payment-methods", headers=customer).status == 200
    for headers in (site.staff, {}, {"X-Svc-Booking-Token": token}, customer):
        for target in targets:
            status, pairs, data = fetched(site, "GET", "/svc/v1" + target, headers=headers)
            assert status < 500, (target, status, data[:300])
            judge.answer(target, status, pairs, data)


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
    for each in FORMULA:
        before = len(judge.raw)
        judge.table("planted", [[each + PAYLOADS["formula"][1:]]], "csv")
        assert len(judge.raw) == before + 1, each
    judge.calendar("planted", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX-SVCMARK:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    assert {each[0] for each in judge.raw} == {"planted"} and len(judge.raw) >= 6, judge.raw


def one_payload(name, judge):
    """A shop of its own for each payload: what became of it."""
    with furnished_with_mails(SVC, DATABASE, PRO) as (shop, port, log):
        given_mails(shop.site, port)
        customer, _ = shop.account("Cora", shop.walk.ids["/trips"])
        filling = Filling(shop, judge, name)
        filling.settings()
        filling.picture()
        filling.writes()
        look(filling, book(filling), customer)
        for mail in mails_of(shop.site, log):
            judge.mail(mail)
        shop.site.check_invariants()
        late = [line for server in shop.site.servers for line in server.lines if line and "answer_kept_late" in line]
        assert not late, late[:5]
        return filling


def main():
    finds_what_is_planted()
    judge = Judge()
    fillings = [one_payload(name, judge) for name in PAYLOADS]
    assert not judge.raw, "\n".join(map(str, judge.raw[:20]))
    assert all(judge.marked.get(kind) for kind in ("json", "mail", "csv", "xlsx", "calendar", "pdf")), judge.marked
    assert judge.looked["html"], judge.looked  # the one page there is tells of routes, of no record
    # The texts of a record do not begin with a tab or a line's end: those are cut off where they are taken.
    assert judge.quoted >= set("=+-@"), judge.quoted
    refused = [(filling.name, write, answer) for filling in fillings for write, answer in filling.refused.items()
               if write not in UNTAKEN]
    assert not refused, "\n".join(map(str, refused[:20]))
    taken = {write: sum(filling.taken.get(write, 0) for filling in fillings) for write in fillings[0].taken}
    never = {write for write, count in taken.items() if count == 0}
    assert never == set(UNTAKEN), (never - set(UNTAKEN), set(UNTAKEN) - never)
    looked = ", ".join(f"{kind} {count} ({judge.marked[kind]} with a payload)" for kind, count in sorted(judge.looked.items()))
    figure(f"payloads {len(PAYLOADS)}, writes with a text {len(taken)}, of them {len(taken) - len(never)} took payloads,"
           f" {sum(taken.values())} texts in all; looked at {looked}; raw 0,"
           f" cells that would have begun with one of {''.join(sorted(judge.quoted))!r} quoted")


if __name__ == "__main__":
    sys.exit(main())
