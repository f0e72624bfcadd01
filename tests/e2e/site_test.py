"""The site's pages as a browser without scripts uses them: links, plain forms and a cookie jar, over a real socket.

site_test.py SVC DATABASE
"""
import pathlib
import re
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import DAY, DETAILS, OTHER_DAY, SECOND, Visitors  # noqa: E402
from installation import Site, filled_in  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


class Pages(Visitors, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = Site(SVC, DATABASE)
        cls.site = cls.stack.__enter__()
        cls.site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0})

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.stack.__exit__(None, None, None)

    def test_a_visitor_finds_a_trip_and_books_it_without_scripts_and_pays_later(self):
        trip = self.given(regular_price=199.5, title="Nile cruise")
        browser = self.browser()
        for address in ("/", "/trip", "/trip?search=Nile"):
            page = browser.get(address)
            self.assertEqual(page.status, 200)
            self.assertSound(page)
            self.assertIn("/trip/" + trip["slug"], page.links)
            self.assertNotIn("set-cookie", page.headers)
        browser, page = self.booked(trip, browser)
        self.assertSound(page)
        self.assertRegex(page.address, r"^/book/confirmation/SVC-[0-9A-Z]{8}$")
        self.assertIn("USD 399.00", page.text)
        self.assertEqual(page.headers["cache-control"], "private, no-store")
        found = self.site.as_staff("GET", "/bookings?search=lovelace&per_page=100").data
        mine = next(row for row in found if row["reference"] in page.address)
        whole = self.site.as_staff("GET", f"/bookings/{mine['id']}").data
        self.assertEqual((whole["status"], whole["total"], whole["payment_gateway"]), ("pending", 399, "pay_later"))
        names = [t["fields"]["first_name"] for t in whole["travelers"]]
        self.assertEqual(names, ["Ada", "Charles"])  # the lead's name is the contact's
        document = browser.get(page.address + "/documents/invoice")
        self.assertEqual((document.status, document.raw[:5]), (200, b"%PDF-"))
        calendar = browser.get(page.address + "/documents/calendar")
        self.assertIn("DTSTART;VALUE=DATE:" + DAY.replace("-", ""), calendar.text)

    def test_a_booking_is_shown_to_nobody_without_its_proof(self):
        _, page = self.booked(self.given())
        stranger = self.browser().get(page.address)
        self.assertEqual(stranger.status, 403)
        self.assertNotIn("Lovelace", stranger.text)
        unknown = self.browser().get("/book/confirmation/SVC-ZZZZZZZZ")
        self.assertEqual((unknown.status, unknown.headings), (403, stranger.headings))

    def test_the_total_is_told_for_what_is_chosen_before_anything_is_kept(self):
        trip = self.given(capacity=4, regular_price=120)
        browser = self.browser()
        page = browser.get("/trip/" + trip["slug"])
        form = page.form("date")
        form.action = f"/book/{trip['slug']}/price"
        part = browser.submit(page, form, {"date": DAY, "travelers": 3})
        self.assertEqual((part.status, part.headers["cache-control"]), (200, "private, no-store"))
        self.assertIn("USD 360.00", part.text)
        self.assertNotIn("<main", part.text)
        self.assertNotIn("set-cookie", part.headers)
        self.assertIn("svc-error", browser.submit(page, form, {"date": DAY, "travelers": 9}).text)
        self.assertNotIn("svc-error", browser.submit(page, form, {"date": "", "travelers": 2}).text)
        self.assertEqual(browser.submit(page, form, {"date": DAY}, origin="https://evil.example").status, 403)
        # Looking at one trip leaves what was begun for another as it is.
        browser, page = self.at_details(self.given(regular_price=50))
        self.assertIn("USD 240.00", browser.submit(page, form, {"date": DAY, "travelers": 2}).text)
        going_on = browser.submit(page, page.form("contact_email"), {**DETAILS, **SECOND})
        self.assertEqual(going_on.headings, ["Check and pay"])

    def test_faults_of_a_booking_are_told_before_it_is_made_and_nothing_is_booked(self):
        trip = self.given(capacity=1, regular_price=80)
        ask = lambda **body: self.site.call("POST", "/booking/validate", body)  # noqa: E731
        opened = self.site.call("POST", "/booking/session", {"trip_id": trip["id"], "travel_date": DAY})
        session = {"session_id": opened.data["session_id"]}
        refused = ask(**session, contact_email="no address")
        self.assertEqual(refused.status, 400)
        self.assertIn("contact_email", refused.json["data"]["errors"])
        good = ask(**filled_in(session))
        self.assertEqual((good.status, good.data["final_total"]), (200, 80), good)
        self.assertEqual(self.site.book(trip["id"], DAY, "Grace").status, 201)
        self.assertEqual(ask(**filled_in(session)).json["code"], "sold_out")
        self.assertEqual(self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").json["meta"]["total"], 1)
        self.assertEqual(self.site.call("POST", "/booking/summary", {"trip_id": 999999, "travel_date": DAY}).status, 404)

    def test_a_refused_form_is_shown_again_with_what_was_typed(self):
        browser, page = self.at_details(self.given())
        page = browser.submit(page, page.form("contact_email"),
                              {**DETAILS, **SECOND, "contact_email": "no address", "contact_phone": "x"})
        self.assertEqual(page.status, 400)
        self.assertSound(page)
        form = dict(page.form("contact_email").fields)
        self.assertEqual((form["contact_email"], form["travelers.2.first_name"]), ("no address", "Charles"))
        self.assertIn('id="e-contact_email"', page.text)
        self.assertIn('aria-describedby="e-contact_email"', page.text)
        self.assertIn('href="#f-contact_phone"', page.text)
        # The summary names the fields in the order in which they stand below it.
        page = browser.submit(page, page.form("contact_email"), {name: "" for name in {**DETAILS, **SECOND}})
        named = re.findall(r'href="#f-([^"]+)"', page.text)
        self.assertGreater(len(named), 4)
        self.assertEqual(named, sorted(named, key=lambda name: page.text.index(f'id="f-{name}"')))

    def test_sold_out_at_the_last_step_keeps_what_was_typed(self):
        trip = self.given(capacity=2)
        browser, page = self.at_pay(trip)
        self.assertEqual(self.site.book(trip["id"], DAY, "Grace").status, 201)
        page = browser.submit(page, page.form("special_requests"), {"special_requests": "A window seat"}, ("action", "book"))
        self.assertEqual(page.status, 409, page.text[-800:])
        self.assertSound(page)
        self.assertIn("A window seat", page.text)
        # Only what still helps is offered: no coupon, no way of paying.
        self.assertNotIn('name="code"', page.text)
        self.assertNotIn('type="radio" name="payment_gateway"', page.text)
        choose = f"/book/{trip['slug']}"
        page = browser.get(choose)
        page = browser.submit(page, page.form("date"), {"date": OTHER_DAY})
        self.assertEqual(page.headings, ["Your details"])
        self.assertEqual(dict(page.form("contact_email").fields)["contact_email"], "ada@example.org")

    def test_an_expired_session_goes_on_with_what_the_form_carries(self):
        trip = self.given()
        browser, page = self.at_details(trip)
        browser.jar["svc_checkout"] = "x" * 43
        again = browser.submit(page, page.form("contact_email"), {**DETAILS, **SECOND})
        self.assertEqual((again.status, again.headings), (200, ["Check and pay"]))
        # So it does at the last step, where the details are no longer asked for; also where only a coupon is tried.
        browser.jar["svc_checkout"] = "x" * 43
        tried = browser.submit(again, again.form("code"), {"code": "NOTHING"}, ("action", "coupon"))
        self.assertEqual((tried.status, tried.headings), (400, ["Check and pay"]))
        browser.jar["svc_checkout"] = "x" * 43
        booked = browser.submit(tried, tried.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual((booked.status, booked.headings), (200, ["Thank you, we have your booking"]), booked.text[-800:])
        self.assertIn(DETAILS["contact_email"], booked.text)
        browser.jar["svc_checkout"] = "x" * 43
        gone = browser.get(f"/book/{trip['slug']}/pay")
        self.assertEqual(gone.status, 410)
        self.assertIn(f"/book/{trip['slug']}", gone.links)

    def test_without_cookies_a_page_says_that_they_are_needed(self):
        trip = self.given()
        browser = self.browser(cookies=False)
        page = browser.get("/trip/" + trip["slug"])
        page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 1})
        self.assertEqual(page.status, 400)
        self.assertIn("cookies", page.headings[0])

    def test_who_may_not_book_as_a_guest_is_told_before_typing_and_goes_on_with_the_same_choice_after_signing_in(self):
        trip = self.given()
        password = self.site.run("user", "add", "hedy", "--email", "hedy@example.org", "--role", "svc_customer",
                                 "--generate").split()[-1]
        self.site.as_staff("PUT", "/settings", {"allow_guest_checkout": False})
        try:
            browser, page = self.at_details(trip)
            self.assertIn("This trip is booked with an account.", page.text)
            login = next(link for link in page.links if link.startswith("/account/login"))
            page = browser.get(login)
            page = browser.submit(page, page.form("username"), {"username": "hedy@example.org", "password": password})
            self.assertEqual(page.headings, ["Your details"])
            self.assertNotIn("This trip is booked with an account.", page.text)
            self.assertEqual(dict(page.form("contact_email").fields)["contact_email"], "hedy@example.org")
        finally:
            self.site.as_staff("PUT", "/settings", {"allow_guest_checkout": True})

    def test_a_form_from_elsewhere_does_nothing(self):
        trip = self.given()
        browser, page = self.at_pay(trip)
        form = page.form("special_requests")
        for origin in ("https://evil.example", "null", False):
            refused = browser.submit(page, form, button=("action", "book"), origin=origin)
            self.assertEqual(refused.status, 403, origin)
        self.assertEqual(self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").json["meta"]["total"], 0)

    def test_a_form_sent_twice_makes_one_booking(self):
        trip = self.given()
        browser, page = self.at_pay(trip)
        jar = dict(browser.jar)
        form = page.form("special_requests")
        first = browser.submit(page, form, button=("action", "book"))
        browser.jar = {**browser.jar, **jar}  # the back button: the page and its cookies as they were
        second = browser.submit(page, form, button=("action", "book"))
        self.assertEqual((first.status, second.status), (200, 200), second.text[-600:])
        self.assertEqual(first.address, second.address)
        self.assertEqual(self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").json["meta"]["total"], 1)

    def test_two_tabs_of_one_browser_book_what_each_shows(self):
        first, second = self.given(title="First tab"), self.given(title="Second tab")
        browser, one = self.at_details(first)
        _, two = self.at_details(second, browser=browser)  # the browser's one session is now the second's
        for trip, page in ((first, one), (second, two)):
            page = browser.submit(page, page.form("contact_email"), {**DETAILS, **SECOND})
            self.assertEqual((page.status, page.headings), (200, ["Check and pay"]), page.text[-800:])
            self.assertIn(trip["title"], page.text)
            page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
            self.assertEqual(page.status, 200, page.text[:600])
        for trip in (first, second):
            self.assertEqual(self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").json["meta"]["total"], 1)

    def total(self, trip):
        return self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").json["meta"]["total"]

    def test_the_back_button_after_booking_leads_to_the_booking(self):
        trip = self.given()
        browser, page = self.at_pay(trip)
        details = browser.get(f"/book/{trip['slug']}/details")
        done = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        for ended in (False, True):
            if ended:  # the checkout's session is over, as it is half an hour later
                self.site.sql("UPDATE svc_booking_sessions SET expires_at = created_at")
            for step in ("details", "pay"):
                back = browser.get(f"/book/{trip['slug']}/{step}")
                self.assertEqual((back.status, back.address), (200, done.address), step)
            for form in (page.form("special_requests"), details.form("contact_email")):
                for changed in ({}, {"special_requests": "And a boat"}):
                    again = browser.submit(page if form in page.forms else details, form,
                                           {"payment_gateway": "pay_later", **changed}, ("action", "book"))
                    self.assertEqual((again.status, again.address), (200, done.address), again.text[:400])
            self.assertEqual(self.total(trip), 1)
        # A customer may book the same trip again, from its first step on.
        _, page = self.at_pay(trip, browser)
        second = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual(second.headings, ["Thank you, we have your booking"])
        self.assertNotEqual(second.address, done.address)
        self.assertEqual(self.total(trip), 2)
        for address in (done.address, second.address):
            self.assertEqual(browser.get(address).headings, ["Thank you, we have your booking"])

    def test_a_double_click_makes_one_booking_and_both_answers_lead_to_it(self):
        trip = self.given()
        browser, page = self.at_pay(trip)
        form, pages = page.form("special_requests"), []

        def click():
            other = self.browser()
            other.jar = dict(browser.jar)
            got = other.submit(page, form, {"payment_gateway": "pay_later"}, ("action", "book"))
            for _ in range(1200):
                if "refresh" not in got.headers:  # the booking was still being made: the page goes on by itself
                    break
                seconds, address = got.headers["refresh"].split("; url=")
                time.sleep(int(seconds))
                got = other.get(address)
            pages.append(got)

        clicks = [threading.Thread(target=click) for _ in range(6)]
        for one in clicks:
            one.start()
        for one in clicks:
            one.join()
        self.assertEqual({(one.status, tuple(one.headings)) for one in pages},
                         {(200, ("Thank you, we have your booking",))}, [one.text[:300] for one in pages])
        self.assertEqual(len({one.address for one in pages}), 1)
        self.assertEqual(self.total(trip), 1)

    def test_a_page_that_waits_for_its_booking_looks_again_and_gives_up_in_the_end(self):
        trip = self.given()
        browser, _ = self.at_pay(trip)
        for look in (1, 20):
            waiting = browser.get(f"/book/{trip['slug']}/pay?look={look}")
            self.assertEqual(waiting.headings, ["Your booking is being made"])
            self.assertTrue(waiting.headers["refresh"].endswith(f"/pay?look={look + 1}"), waiting.headers["refresh"])
            self.assertIn(f"/book/{trip['slug']}/pay?look={look + 1}", waiting.links)
            self.assertIn(">Look again</a>", waiting.text)
        for none in ("21", "0", "01", "x", "1%3Burl%3Dhttps%3A%2F%2Fexample.org"):
            self.assertEqual(browser.get(f"/book/{trip['slug']}/pay?look={none}").headings, ["Check and pay"])

    def test_the_last_step_in_two_tabs_makes_one_booking(self):
        trip = self.given()
        browser, one = self.at_pay(trip)
        two = browser.get(f"/book/{trip['slug']}/pay")
        self.assertEqual(two.headings, ["Check and pay"])
        done = browser.submit(one, one.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        late = browser.submit(two, two.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual((late.status, late.address), (200, done.address))
        self.assertEqual(self.total(trip), 1)

    def test_two_tabs_of_one_trip_book_the_day_that_each_shows(self):
        trip = self.given()
        browser, one = self.at_pay(trip)
        two = browser.get(f"/book/{trip['slug']}")
        two = browser.submit(two, two.form("date"), {"date": OTHER_DAY, "travelers": 2})
        self.assertEqual(two.headings, ["Your details"])
        done = browser.submit(one, one.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual(done.headings, ["Thank you, we have your booking"], done.text[:600])
        stored = self.site.as_staff("GET", f"/bookings?trip_id={trip['id']}").data
        self.assertEqual([booking["travel_date"] for booking in stored], [DAY])

    def test_forged_marks_and_cookies_of_bookings_open_nothing(self):
        trip = self.given()
        browser, page = self.booked(trip)
        stranger = self.browser()
        for value in (browser.jar["svc_booked"].split(".")[0] + ".x!" + "a" * 16 + "!//evil.example", "~~~!!!...", "." * 3000,
                      "1.!" + "a" * 16 + "!%2e%2e%2faccount", "1.x!" + "a" * 16 + "!javascript:alert(1)"):
            stranger.jar["svc_booked"] = value
            got = stranger.ask("POST", f"/book/{trip['slug']}/pay", "_mark=" + "a" * 16, {
                "Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{stranger.port}"}, follow=False)
            self.assertIn(got.status, (303, 410), value)
            if got.status == 303:
                self.assertTrue(got.headers["location"].startswith("/book/confirmation/"), got.headers["location"])
            self.assertEqual(stranger.get(page.address).status, 403)

    def test_a_wrong_coupon_is_said_at_its_field(self):
        browser, page = self.at_pay(self.given())
        page = browser.submit(page, page.form("code"), {"code": "NOPE"}, ("action", "coupon"))
        self.assertEqual(page.status, 400)
        self.assertIn('id="coupon-error"', page.text)
        self.assertIn('value="NOPE"', page.text)

    def test_terms_that_are_missing_are_said_on_top_and_at_their_field(self):
        self.site.as_staff("PUT", "/settings/pages", {"pages": [{"id": 1, "title": "Terms of sale", "content": "<p>Be kind</p>"}]})
        self.site.as_staff("PUT", "/settings", {"terms_page_id": 1})
        try:
            browser, page = self.at_pay(self.given())
            typed = {"payment_gateway": "pay_later", "create_account": "1", "special_requests": "Tea"}
            page = browser.submit(page, page.form("special_requests"), typed, ("action", "book"))
            self.assertEqual(page.status, 400)
            self.assertIn('<a href="#f-terms_accepted">Terms of sale</a>', page.text)
            self.assertIn('id="e-terms"', page.text)
            self.assertSound(page)
            self.assertIn("Tea", page.text)
            self.assertNotIn('type="password"', page.text)  # the mailed page asks for it
            page = browser.submit(page, page.form("special_requests"), {**typed, "terms_accepted": "1"}, ("action", "book"))
            self.assertEqual(page.headings, ["Thank you, we have your booking"])
        finally:
            self.site.as_staff("PUT", "/settings", {"terms_page_id": 0})
            self.site.as_staff("PUT", "/settings/pages", {"pages": []})

    def test_a_customer_signs_in_sees_the_bookings_and_cancels_one(self):
        browser, page = self.booked(self.given(title="Alpine huts"))
        reference = page.address.rsplit("/", 1)[1]
        self.site.run("user", "add", "ada", "--email", "ada@example.org", "--role", "svc_customer", "--generate")
        password = self.site.run("user", "add", "ada2", "--email", "ada2@example.org", "--role", "svc_customer",
                                 "--generate").strip().splitlines()[-1].split()[-1]
        other = self.browser()
        led = other.get("/account")
        self.assertEqual((led.headings, led.address), (["Sign in"], "/account/login?next=/account"))
        wrong = other.submit(led, led.form("username"), {"username": "ada2@example.org", "password": "wrong"})
        self.assertEqual(wrong.status, 400)
        self.assertIn('value="ada2@example.org"', wrong.text)
        inside = other.submit(wrong, wrong.form("username"), {"username": "ada2@example.org", "password": password})
        self.assertEqual((inside.status, inside.headings), (200, ["My bookings"]), inside.text[-900:])
        self.assertNotIn(reference, inside.text)
        for part in ("profile", "enquiries"):
            self.assertSound(other.get("/account/" + part))
        forged = other.submit(inside, inside.forms[0], {"_nonce": "f" * 40})
        self.assertEqual(forged.status, 403)
        out = other.submit(inside, inside.forms[0])
        self.assertEqual(out.address, "/")
        self.assertEqual(other.get("/account").headings, ["Sign in"])

    def test_an_enquiry_is_stored_with_its_trip(self):
        trip = self.given()
        browser = self.browser()
        page = browser.get(f"/trip/{trip['slug']}/enquiry")
        self.assertSound(page)
        refused = browser.submit(page, page.form("message"), {"customer_name": "Ada", "customer_email": "x", "message": "?"})
        self.assertEqual(refused.status, 400)
        sent = browser.submit(refused, refused.form("message"), {"customer_email": "ada@example.org", "message": "In May?"})
        self.assertEqual(sent.status, 200)
        stored = self.site.as_staff("GET", "/enquiries?search=In+May").data
        self.assertEqual(stored[0]["trip_id"], trip["id"])

    def test_addresses_that_are_no_page_are_404_pages_and_old_ones_lead_on(self):
        trip = self.given(title="Old name")
        self.site.as_staff("PUT", f"/trips/{trip['id']}", {"slug": "new-name"})
        browser = self.browser()
        moved = browser.get("/trip/" + trip["slug"], follow=False)
        self.assertEqual((moved.status, moved.headers["location"]), (301, "/trip/new-name"))
        self.assertEqual(browser.get("/trip/", follow=False).headers["location"], "/trip")
        for address in ("/nowhere", "/trip/nothing", "/book/nothing", "/destination/nothing", "/account/x/y/z",
                        "/trip/%00", "/trip/%ff", "/../etc/passwd"):
            page = browser.get(address)
            self.assertEqual(page.status, 404, address)
        for address in ("//evil.example/", "///evil.example/", "/\\evil.example/"):
            page = browser.get(address, follow=False)
            self.assertEqual((page.status, page.headers.get("location")), (404, None), address)
        self.assertEqual(browser.get("/trip?min_price=x").status, 200)
        self.assertEqual(browser.ask("DELETE", "/trip").status, 405)
        self.assertEqual(browser.get("/trip?" + "&".join(f"a{n}=1" for n in range(600))).status, 400)

    def test_a_shared_page_has_an_etag_and_follows_a_change_at_once(self):
        trip = self.given(title="Before")
        browser = self.browser()
        page = browser.get("/trip/" + trip["slug"])
        tag = page.headers["etag"]
        self.assertEqual(page.headers["cache-control"], "public, max-age=0, must-revalidate")
        self.assertEqual(browser.ask("GET", "/trip/" + trip["slug"], headers={"If-None-Match": tag}).status, 304)
        self.site.as_staff("PUT", f"/trips/{trip['id']}", {"title": "After"})
        self.assertEqual(browser.get("/trip/" + trip["slug"]).headings, ["After"])
        style = re.search(r'href="(/svc-theme/[^"]+)"', page.text)[1]
        self.assertIn("immutable", browser.get(style).headers["cache-control"])

    def test_markup_of_a_trip_s_texts_is_cleaned_before_it_is_shown(self):
        trip = self.given(title="Marked up")
        self.site.as_staff("PUT", f"/trips/{trip['id']}", {
            "cancellation_policy": "<script>alert(1)</script>Until <b>May</b>",
            "accommodation_details": "<img src=x onerror=alert(2)>Huts",
            "faqs": [{"question": "<i>Why?</i>", "answer": "<script>alert(3)</script>So."}]})
        text = self.browser().get("/trip/" + trip["slug"]).text
        self.assertIn("Until <b>May</b>", text)
        self.assertIn("Huts", text)
        self.assertIn("&lt;i&gt;Why?", text)
        for part in ("alert(1)", "onerror", "alert(3)"):
            self.assertNotIn(part, text)

    def test_search_engines_find_each_trip_once(self):
        trip = self.given(title="Findable")
        browser = self.browser()
        self.assertIn(f"/trip/{trip['slug']}</loc>", browser.get("/sitemap.xml").text)
        self.assertIn("Sitemap: ", browser.get("/robots.txt").text)
        page = browser.get("/trip/" + trip["slug"])
        self.assertIn(f'rel="canonical" href="', page.text)
        self.assertIn('"@type":"AggregateOffer"', page.text)
        self.assertIn('content="noindex,follow"', browser.get("/trip?sort=price").text)
        self.site.as_staff("PUT", "/settings", {"enable_sitemap": False})
        try:
            self.assertEqual(browser.get("/sitemap.xml").status, 404)
        finally:
            self.site.as_staff("PUT", "/settings", {"enable_sitemap": True})

    def test_a_chosen_filter_is_named_by_its_label_also_where_nothing_is_found(self):
        level = self.site.as_staff("POST", "/difficulty-levels", {"name": "Quite easy", "slug": "easy", "status": "publish"}).data
        trip = self.given(title="Dune walk", difficulty_level=level["id"])
        self.site.wait_until_all_show(trip["id"])
        for search in ("Dune", "zzzz"):
            chips = re.findall(r'<li><a href="[^"]*" rel="nofollow">([^<]*)', self.browser().get(f"/trip?search={search}&difficulty=easy").text)
            self.assertIn("Quite easy", [chip.strip() for chip in chips])

    def test_a_destination_of_few_trips_has_no_filters_and_a_trip_without_dates_asks_for_none(self):
        place = self.site.as_staff("POST", "/destinations", {"name": "Lewis", "status": "publish"}).data
        trips = [self.given(title=f"Isle walk {i}", destinations=[place["id"]]) for i in range(4)]
        self.site.wait_until_all_show(trips[3]["id"])
        page = lambda: self.browser().get("/destination/" + place["slug"]).text  # noqa: E731
        self.assertIn("svc-filters", page())
        self.site.as_staff("PUT", f"/trips/{trips[0]['id']}", {"status": "draft"})
        few = page()
        self.assertNotIn("svc-filters", few)
        self.assertIn("Isle walk 3", few)
        self.assertIn("svc-filters", self.browser().get(f"/destination/{place['slug']}?max_price=9999").text)
        bar = lambda: self.browser().get("/trip/" + trips[1]["slug"]).text.split("svc-mobile-bar")[1]  # noqa: E731
        self.assertIn('href="#book"', bar())
        self.site.as_staff("PUT", f"/trips/{trips[1]['id']}", {"available_from": "2040-01-01"})
        self.assertNotIn('href="#book"', bar())
        self.assertIn(f"/trip/{trips[1]['slug']}/enquiry", bar())

    def test_settings_of_the_listing_take_effect(self):
        self.given(title="Any trip")
        browser = self.browser()

        def with_setting(key, value, look):
            before = self.site.as_staff("GET", "/settings").data[key]
            self.assertEqual(self.site.as_staff("PUT", "/settings", {key: value}).status, 200, key)
            try:
                look(browser.get("/trip"))
            finally:
                self.site.as_staff("PUT", "/settings", {key: before})

        for key, field in (("search_show_keyword", 'name="search"'), ("search_show_destination", 'name="destination"'),
                           ("search_show_activities", 'name="activity"'), ("search_show_duration", 'id="s-days"'),
                           ("search_show_budget", 'id="s-budget"')):
            with_setting(key, True, lambda page, f=field: self.assertIn(f, page.text))
            with_setting(key, False, lambda page, f=field: self.assertNotIn(f, page.text))
        with_setting("search_show_date", True, lambda page: self.assertIn('id="s-date"', page.text))
        with_setting("trip_card_layout", "compact", lambda page: self.assertIn("svc-cards-compact", page.text))
        with_setting("seo_trip_meta_title", "Journeys", lambda page: self.assertIn("<title>Journeys", page.text))
        with_setting("company_name", "Blue Boots", lambda page: self.assertIn("Blue Boots", page.text))
        with_setting("trip_base", "reise", lambda page: self.assertEqual((page.status, page.address), (200, "/reise")))
        with_setting("home_page", "listing", lambda _: self.assertIn("svc-page-listing-trip", browser.get("/").text))
        self.assertIn("svc-cards-compact", browser.get("/trip?card_layout=compact").text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
