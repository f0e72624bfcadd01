"""The pages in other languages: each sentence comes from the catalogues, pages say which language they are in, and the
style names no side, so that a script from right to left mirrors them.

languages_test.py SVC DATABASE
"""
import html.parser
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402
from browser import DAY, DETAILS, OTHER_DAY, SECOND, Browser  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
# Texts of staff, which no catalogue has: each begins with this sign.
OURS = "¤"
# Words that German, Spanish and French do not have.
WORDS = ("the|your|you|this|that|is|are|be|been|and|or|of|to|with|we|our|it|its|if|when|which|by|at|from|please|not|must|"
         "day|days|night|nights|people|person|choose|enter|show|book|trip|trips|seats?|traveler|travelers|date|dates")


def english_texts():
    """Texts of the catalogue that are others in German."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "base/i18n"))
    import collect
    translations, _ = collect.read_po(collect.I18N / "site/de.po")
    return {text for text, german in translations.items() if text != german and "{" not in text}


ENGLISH = english_texts()


class Texts(html.parser.HTMLParser):
    """The text that people read or hear of a page."""

    def __init__(self, text):
        super().__init__()
        self.found, self._hidden, self.root = [], 0, {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag == "html":
            self.root = a
        if tag in ("script", "style", "textarea"):
            self._hidden += 1
        names = ["alt", "aria-label", "title", "placeholder"] + (["content"] if a.get("name") == "description" else [])
        self.found += [a[name] for name in names if a.get(name)]

    def handle_endtag(self, tag):
        if tag in ("script", "style", "textarea"):
            self._hidden -= 1

    def handle_data(self, data):
        if not self._hidden and data.strip():
            self.found.append(data.strip())

    def english(self):
        """Those that are English, and that nobody typed: they have its words, or are a text of the catalogue in English."""
        return [text for text in self.found
                if text in ENGLISH or re.search(r"\b(?:" + WORDS + r")\b", re.sub(OURS + r"[^,.:|·–()<>]*", "", text))
                and not text.startswith("„nothing-like-it") and text != "Isle of Man"]  # names stay


class Languages(unittest.TestCase):
    password = ""

    @classmethod
    def setUpClass(cls):
        cls.stack = Site(SVC, DATABASE, sound=False)  # its bookings are set by hand
        site = cls.site = cls.stack.__enter__()
        site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0, "company_name": OURS + "Peaks",
                                           "seo_trip_meta_title": "", "admin_email": "office@example.org"})
        place = site.as_staff("POST", "/destinations", {"name": OURS + "Egypt", "slug": "egypt", "status": "publish"})
        assert place.status == 201, place
        cls.trip = site.given_trip(
            title=OURS + "Nile", slug="nile", summary=OURS + "River", description="<p>" + OURS + "Long</p>", duration=3,
            duration_nights=2, max_travelers=8, min_travelers=2, age_min=12, starting_location=OURS + "Cairo",
            best_season=OURS + "Spring", cancellation_policy=OURS + "Free", visa_requirements=OURS + "None",
            regular_price=80, destinations=[place.data["id"]], included_items=[{"title": OURS + "Tea", "description": ""}],
            excluded_items=[{"title": OURS + "Tips", "description": ""}],
            faqs=[{"question": OURS + "Why", "answer": "<p>" + OURS + "Because</p>"}])
        site.given_trip(title=OURS + "Walk", slug="walk", summary=OURS + "Short", destinations=[place.data["id"]])
        site.given_departure(cls.trip["id"], DAY, 4)
        site.given_departure(cls.trip["id"], OTHER_DAY, 10)

    @classmethod
    def tearDownClass(cls):
        cls.stack.__exit__(None, None, None)

    def visited(self):
        """Every kind of page that a visitor meets, as (what, page), also those with faults."""
        browser = Browser(self.site.servers[0])
        get = browser.get
        for address in ("/", "/trip", "/trip?search=nothing-like-it", "/trip/nile", "/trip/nile/enquiry", "/destination",
                        "/destination/egypt", "/activity", "/trip-category", "/book", "/trip/nile/review", "/book?payment=failed",
                        "/trip?min_price=1&max_price=900&min_duration=1&max_duration=9&trip_type=multi_day&sort=price",
                        f"/trip?from={DAY}&to={OTHER_DAY}", "/trip?min_rating=77", "/trip?min_rating=4&max_duration=1",
                        "/no-such-page", "/book/confirmation/SVC-ZZZZZZZZ", "/account/login", "/account/register",
                        "/account/forgot", "/book/nile", "/book/nile/details", "/trip/nile?q=%zz",
                        "/svc/v1/auth/verify-email?token=x", "/svc/v1/auth/password/reset?token=x",
                        "/svc/v1/customers/me/email/confirm?token=x", "/svc/v1/customers/me/export/confirm?token=x",
                        "/svc/v1/customers/me/erasure/confirm?token=x", "/svc/v1/booking/verify-email?token=x",
                        "/svc/v1/reviews/write?token=x"):
            yield address, get(address)
        question = get("/trip/nile/enquiry")
        yield "a form from elsewhere", browser.submit(question, question.form("message"), origin="https://other.example")
        yield "an empty question", browser.submit(question, question.form("message"),
                                                  {"customer_email": "no address", "travel_date": "x"})
        yield "a question", browser.submit(question, question.form("message"), {
            "customer_name": "Ada", "customer_email": "ada@example.org", "message": "Why?"})
        login = get("/account/login")
        yield "a wrong password", browser.submit(login, login.form("username"), {"username": "ada", "password": "no"})
        register = get("/account/register")
        yield "an empty registration", browser.submit(register, register.form("email"), {
            "email": "no address", "password": "short", "confirm_password": "other"})
        yield "a registration", browser.submit(register, register.form("email"), {
            "first_name": "Ada", "last_name": "Lovelace", "email": "new@example.org", "password": "long enough",
            "confirm_password": "long enough"})
        forgot = get("/account/forgot")
        yield "a forgotten password", browser.submit(forgot, forgot.form("email"), {"email": "ada@example.org"})
        yield from self.booked(browser)
        yield from self.account()

    def booked(self, browser):
        page = browser.get("/trip/nile")
        yield "no date", browser.submit(page, page.form("date"), {"travelers": 0})
        yield "too few", browser.submit(page, page.form("date"), {"date": DAY, "travelers": 1})
        details = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 2})
        yield "details", details
        yield "bad details", browser.submit(details, details.form("contact_email"), {
            **DETAILS, **SECOND, "contact_email": "no address", "contact_phone": "x", "emergency_name": "",
            "travelers.2.date_of_birth": "2999-01-01"})
        pay = browser.submit(details, details.form("contact_email"), {**DETAILS, **SECOND})
        yield "pay", pay
        yield "a wrong coupon", browser.submit(pay, pay.form("code"), {"code": "NOTHING"}, ("action", "coupon"))
        assert self.site.book(self.trip["id"], DAY, "Grace", travelers_count=4).status == 201
        sold = browser.submit(pay, pay.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        yield "sold out", sold
        page = browser.get("/book/nile")
        details = browser.submit(page, page.form("date"), {"date": OTHER_DAY, "travelers": 2})
        pay = browser.submit(details, details.form("contact_email"), {**DETAILS, **SECOND})
        done = browser.submit(pay, pay.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        yield "booked", done
        yield "a failed payment", browser.get(done.address + "?payment=failed")
        for row in self.site.as_staff("GET", "/bookings?per_page=100").data:
            if row["reference"] in done.address:
                for status in ("confirmed", "cancelled"):
                    self.site.as_staff("PUT", f"/bookings/{row['id']}/status", {"status": status})
                    yield status, browser.get(done.address)

    def account(self):
        browser = self.site_customer()
        booking = self.site.as_staff("GET", "/bookings?per_page=1").data[0]["id"]
        self.site.sql(f"UPDATE svc_bookings SET user_id = (SELECT id FROM svc_users WHERE login = 'eva'), status ="
                      f" 'pending' WHERE id = {booking}")
        for address in ("/account", f"/account/bookings/{booking}", "/account/profile", "/account/enquiries", "/account/reviews",
                        "/account/profile?done=saved", "/account/profile?done=mailed"):
            yield address, browser.get(address)
        profile = browser.get("/account/profile")
        yield "a bad profile", browser.submit(profile, profile.form("first_name"), {
            "date_of_birth": "2999-01-01", "country": "Nowhere", "phone": "x"}, ("action", "profile"))
        yield "two passwords", browser.submit(profile, profile.form("new_password"), {
            "current_password": "no", "new_password": "abcdefgh", "confirm_password": "hgfedcba"}, ("action", "password"))
        page = browser.get(f"/account/bookings/{booking}")
        yield "not sure", browser.submit(page, page.form("sure"), {"sure": None}, ("action", "cancel"))

    def site_customer(self):
        if not self.password:
            made = self.site.run("user", "add", "eva", "--email", "eva@example.org", "--role", "svc_customer", "--generate")
            Languages.password = made.strip().splitlines()[-1].split()[-1]
        browser = Browser(self.site.servers[0])
        login = browser.get("/account/login")
        page = browser.submit(login, login.form("username"), {"username": "eva", "password": self.password})
        assert page.status == 200, page.text[:500]
        return browser

    def test_no_page_says_a_sentence_in_english_where_the_site_speaks_german(self):
        self.site.as_staff("PUT", "/settings", {"site_language": "de"})
        untold = {}
        for what, page in self.visited():
            if english := Texts(page.text).english():
                untold[what] = english
        self.maxDiff = None
        self.assertEqual(untold, {})

    def test_pages_are_in_the_site_s_language_and_say_so(self):
        for language, heading, error in (("de", "Reisen", "Das ist keine gültige E-Mail-Adresse."),
                                         ("es", "Viajes", "Esta dirección de correo no es válida."),
                                         ("fr", "Voyages", "Cette adresse e-mail n’est pas valable.")):
            self.site.as_staff("PUT", "/settings", {"site_language": language})
            browser = Browser(self.site.servers[0])
            page = browser.get("/trip")
            self.assertEqual(Texts(page.text).root, {"lang": language, "dir": "ltr"})
            self.assertEqual(page.headings, [heading])
            question = browser.get("/trip/nile/enquiry")
            page = browser.submit(question, question.form("message"), {"customer_email": "no address"})
            self.assertEqual(page.status, 400)
            self.assertIn(error, page.text)

    def test_the_style_names_no_side(self):
        browser = Browser(self.site.servers[0])
        style = browser.get(re.search(r'href="(/svc-theme/[^"]+)"', browser.get("/").text)[1]).text
        sided = re.findall(r"[;{\s](?:(?:margin|padding|border)-(?:left|right)|(?:left|right))\s*:"
                           r"|(?:text-align|float|clear)\s*:\s*(?:left|right)", style)
        self.assertEqual(sided, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
