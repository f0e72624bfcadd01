"""A browser without scripts: links, plain forms and a cookie jar, over a real socket."""
import datetime
import html.parser
import re
import urllib.parse

from server import Connection


class Form:
    def __init__(self, attributes):
        self.action, self.method = attributes.get("action"), attributes.get("method", "get").lower()
        self.fields, self.buttons, self.required = [], [], set()


class Page(html.parser.HTMLParser):
    """A page as tests read it: its forms with what they would send, its links, its words."""

    def __init__(self, status, headers, text, address):
        super().__init__()
        self.status, self.headers, self.text, self.address = status, headers, text, address
        self.forms, self.links, self.headings, self.ids, self.labels = [], [], [], [], set()
        self._select, self._area, self._heading = None, None, None
        if "html" in headers.get("content-type", ""):
            self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "form":
            self.forms.append(Form(a))
        elif tag == "a" and "href" in a:
            self.links.append(a["href"])
        elif tag == "label" and "for" in a:
            self.labels.add(a["for"])
        elif tag == "h1":
            self._heading = ""
        if not self.forms:
            return
        form = self.forms[-1]
        if "required" in a and "name" in a:
            form.required.add(a["name"])
        if tag == "input" and "name" in a and "disabled" not in a:
            if a.get("type") in ("radio", "checkbox"):
                if "checked" in a:
                    form.fields.append((a["name"], a.get("value", "on")))
            else:
                form.fields.append((a["name"], a.get("value", "")))
        elif tag == "select":
            self._select = [a.get("name"), None]
        elif tag == "option" and self._select and (self._select[1] is None or "selected" in a):
            self._select[1] = a.get("value", "")
        elif tag == "textarea":
            self._area = [a.get("name"), ""]
        elif tag == "button" and "name" in a:
            form.buttons.append((a["name"], a.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "select" and self._select:
            self.forms[-1].fields.append((self._select[0], self._select[1] or ""))
            self._select = None
        elif tag == "textarea" and self._area:
            self.forms[-1].fields.append(tuple(self._area))
            self._area = None
        elif tag == "h1" and self._heading is not None:
            self.headings.append(self._heading.strip())
            self._heading = None

    def handle_data(self, data):
        if self._area:
            self._area[1] += data
        if self._heading is not None:
            self._heading += data

    def form(self, has):
        return next(form for form in self.forms
                    if any(name == has for name, _ in form.fields + form.buttons) or has in form.required)


class Browser:
    def __init__(self, server, cookies=True):
        self.port, self.jar, self.keeps = server.port, {}, cookies

    def ask(self, method, target, body=None, headers=None, follow=True):
        for _ in range(6):
            connection = Connection("127.0.0.1", self.port, timeout=60)
            sent = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
            if self.jar:
                sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.jar.items())
            connection.request(method, target.partition("#")[0], body, sent)
            answer = connection.getresponse()
            raw = answer.read()
            text = raw.decode("utf-8", "replace")
            for line in (answer.headers.get_all("Set-Cookie") or []) if self.keeps else []:
                name, _, value = line.split(";")[0].partition("=")
                if "Max-Age=0" in line:
                    self.jar.pop(name, None)
                else:
                    self.jar[name] = value
            connection.close()
            if not follow or answer.status not in (301, 302, 303):
                break
            target = answer.headers["Location"]
            if target.startswith("http"):
                target = urllib.parse.urlsplit(target)._replace(scheme="", netloc="").geturl()
            method, body = "GET", None
            headers = {}
        page = Page(answer.status, {k.lower(): v for k, v in answer.headers.items()}, text, target)
        page.raw = raw
        return page

    def get(self, target, **more):
        return self.ask("GET", target, **more)

    def submit(self, page, form, values=None, button=None, origin=True, follow=True):
        fields = [(k, v) for k, v in form.fields if k not in (values or {})]
        fields += [(k, v) for k, v in (values or {}).items() if v is not None]
        if button:
            fields.append(button)
        action = urllib.parse.urljoin(page.address, form.action or page.address)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if origin:
            headers["Origin"] = origin if isinstance(origin, str) else f"http://127.0.0.1:{self.port}"
        return self.ask("POST", action, urllib.parse.urlencode(fields), headers, follow)


# The standard form's fields of a lead traveler and of a second one.
DETAILS = {"contact_first_name": "Ada", "contact_last_name": "Lovelace", "contact_email": "ada@example.org",
           "contact_phone": "+44 20 7946 0001", "contact_country": "GB", "emergency_name": "Annabella",
           "emergency_phone": "+44 20 7946 0002", "travelers.1.date_of_birth": "1990-12-10",
           "travelers.1.gender": "female", "travelers.1.nationality": "British"}
SECOND = {"travelers.2.first_name": "Charles", "travelers.2.last_name": "Babbage",
          "travelers.2.date_of_birth": "1985-12-26", "travelers.2.gender": "male",
          "travelers.2.nationality": "British"}
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
OTHER_DAY = (datetime.date.today() + datetime.timedelta(days=47)).isoformat()


class Visitors:
    """Common steps of the site's tests; `self.site` is the installation."""

    def browser(self, **more):
        return Browser(self.site.servers[0], **more)

    def given(self, capacity=10, **trip):
        made = self.site.given_trip(**trip)
        self.site.given_departure(made["id"], DAY, capacity)
        self.site.given_departure(made["id"], OTHER_DAY, 10)
        return made

    def at_details(self, trip, people=2, browser=None):
        browser = browser or self.browser()
        page = browser.get("/trip/" + trip["slug"])
        self.assertEqual(page.status, 200)
        page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": people})
        self.assertEqual((page.status, page.headings), (200, ["Your details"]), page.text[-1500:])
        return browser, page

    def at_pay(self, trip, browser=None):
        browser, page = self.at_details(trip, browser=browser)
        page = browser.submit(page, page.form("contact_email"), {**DETAILS, **SECOND})
        self.assertEqual((page.status, page.headings), (200, ["Check and pay"]), re.findall(r"svc-error[^<]*>[^<]*", page.text))
        return browser, page

    def booked(self, trip, browser=None):
        browser, page = self.at_pay(trip, browser)
        page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual(page.status, 200, page.text[:600])
        return browser, page

    def assertSound(self, page):
        self.assertEqual(len(page.headings), 1, page.headings)
        self.assertEqual(len(page.ids), len(set(page.ids)), sorted(page.ids))
        self.assertIn("default-src 'none'", page.headers["content-security-policy"])
        self.assertNotIn("style=", page.text)
        self.assertIn("<main", page.text)
