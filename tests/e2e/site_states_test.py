"""What becomes of a booking and an account on the site's pages, without scripts: paying, cancelling, expiring, waiting,
reviewing, and the links that are mailed.

site_states_test.py SVC DATABASE
"""
import html
import pathlib
import re
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import DAY, DETAILS, SECOND, Visitors  # noqa: E402
from installation import Site  # noqa: E402
from paypal_stub import PayPalStub  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


class States(Visitors, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paypal = PayPalStub().__enter__()
        cls.stack = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none", **cls.paypal.environment})
        cls.site = cls.stack.__enter__()
        cls.site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0, "unproven_mails_per_hour": 0})
        cls.site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"})  # bookings expire from its first run on

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.stack.__exit__(None, None, None)
            cls.paypal.__exit__(None, None, None)

    def with_paypal(self):
        saved = self.site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": PayPalStub.CLIENT, "client_secret": PayPalStub.SECRET,
            "webhook_id": PayPalStub.WEBHOOK})
        self.assertEqual(saved.status, 200, saved)

    def id_of(self, page):
        reference = re.search(r"SVC-[0-9A-Z]{8}", page.address or page.text)[0]
        return self.site.as_staff("GET", f"/bookings?search={reference}").data[0]["id"]

    def mailed(self, template, address, pattern=r"https?://[^\s\"'<>]+token=[^\s\"'<>]+"):
        """The path of the link in the latest e-mail of that kind, once it is there."""
        for _ in range(1200):
            self.site.open_mails()
            rows = self.site.sql(f"SELECT id FROM svc_email_outbox WHERE template_key = '{template}'"
                                 f" AND to_email = '{address}' ORDER BY id DESC LIMIT 1")
            text = "" if not rows else "\n".join("|".join(row) for row in self.site.sql(
                f"SELECT body_html FROM svc_email_outbox WHERE id = {rows[0][0]}"))
            if found := re.search(pattern, text):
                link = urllib.parse.urlsplit(html.unescape(found[0]))
                return link._replace(scheme="", netloc="").geturl()
            time.sleep(0.05)
        self.fail(f"no {template} went to {address}")

    def customer(self, name):
        """An account whose address is proven, signed in."""
        password = self.site.run("user", "add", name, "--email", f"{name}@example.org", "--role", "svc_customer",
                                 "--generate").split()[-1]
        browser = self.browser()
        page = browser.get("/account/login")
        page = browser.submit(page, page.form("username"), {"username": f"{name}@example.org", "password": password})
        self.assertEqual(page.headings, ["My bookings"], page.text[-600:])
        browser.password = password
        return browser

    def test_paypal_is_paid_on_its_own_pages_and_the_browser_comes_back_to_the_booking(self):
        self.with_paypal()
        browser, page = self.at_pay(self.given(regular_price=80))
        self.assertIn("https://www.paypal.com", page.headers["content-security-policy"])
        led = browser.submit(page, page.form("special_requests"), {"payment_gateway": "paypal"}, ("action", "book"),
                             follow=False)
        self.assertEqual(led.status, 303)
        order = list(self.paypal.orders)[-1]
        self.assertIn(order, led.headers["location"])
        self.paypal.approve(order)
        back = browser.get(f"/svc/v1/payment/callback/paypal?token={order}")
        self.assertEqual((back.status, back.headings), (200, ["Your trip is booked"]), back.text[:400])
        self.assertIn("USD 160.00", back.text)
        self.assertNotIn('id="pay"', back.text)

    def test_who_turns_back_at_paypal_is_told_and_pays_in_a_second_try(self):
        self.with_paypal()
        browser, page = self.at_pay(self.given(regular_price=80))
        browser.submit(page, page.form("special_requests"), {"payment_gateway": "paypal"}, ("action", "book"), follow=False)
        booking = self.site.as_staff("GET", "/bookings?per_page=1").data[0]
        address = f"/book/confirmation/{booking['reference']}"
        page = browser.get(address + "?payment=cancelled")
        self.assertSound(page)
        self.assertIn("nothing has been charged", page.text)
        led = browser.submit(page, page.form("payment_gateway"), button=("action", "pay"), follow=False)
        self.assertEqual((led.status, "paypal" in led.headers["location"] or "token=" in led.headers["location"]),
                         (303, True), led.headers)
        self.paypal.on[("POST", "orders")] = lambda _: (503, {})
        try:
            other, page = self.at_pay(self.given(regular_price=90))
            page = other.submit(page, page.form("special_requests"), {"payment_gateway": "paypal"}, ("action", "book"))
            self.assertIn(page.status, (200, 502))
        finally:
            self.paypal.on.clear()

    def test_the_rest_of_a_booking_is_paid_from_its_page(self):
        self.with_paypal()
        browser, page = self.booked(self.given(regular_price=80))
        booking, address = self.id_of(page), page.address
        paid = self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 100, "method": "pay_later", "status": "completed"})
        self.assertIn(paid.status, (200, 201), paid)
        page = browser.get(address)
        self.assertIn("USD 60.00", page.text)
        led = browser.submit(page, page.form("payment_gateway"), {"payment_gateway": "paypal"}, ("action", "pay"), follow=False)
        self.assertEqual(led.status, 303, led.text[:600])
        order = list(self.paypal.orders)[-1]
        self.assertEqual(self.paypal.orders[order]["purchase_units"][0]["amount"]["value"], "60.00")
        self.paypal.approve(order)
        browser.get(f"/svc/v1/payment/callback/paypal?token={order}")
        self.assertEqual(self.site.as_staff("GET", f"/bookings/{booking}").data["amount_due"], 0)
        self.assertNotIn('id="pay"', browser.get(address).text)

    def expired(self, booking, browser, address):
        self.site.sql(f"UPDATE svc_bookings SET pay_by = created_at - {100 * 3600 * 1_000_000} WHERE id = {booking}")
        for _ in range(1200):
            self.site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"})
            page = browser.get(address)
            if page.headings == ["This booking has expired"]:
                break
            time.sleep(0.05)
        self.assertEqual(page.headings, ["This booking has expired"])
        return page

    def standings(self, browser, booking):
        """The status of an account's booking in the list and on its own page."""
        own = f"/account/bookings/{booking}"
        row = next(part for part in re.split(r"<tr>|<li class=\"svc-card\">", browser.get("/account").text) if f'href="{own}"' in part)
        return [re.search(r'<span class="svc-badge [\w-]+">[^<]+</span>', text)[0] for text in (row, browser.get(own).text)]

    def test_a_guest_whose_unpaid_booking_expired_is_told_and_books_again_with_what_was_typed(self):
        trip = self.given(title="Unpaid")
        browser, page = self.booked(trip)
        booking, address = self.id_of(page), page.address
        token = browser.jar["svc_booked"].split("!")[0].split(".", 1)[1]
        page = self.expired(booking, browser, address)
        self.assertSound(page)
        self.assertNotIn('id="pay"', page.text)
        self.assertNotIn("Cancel the booking", page.text)
        self.assertEqual(browser.get(address + "/documents/voucher").status, 403)
        again = browser.submit(page, next(form for form in page.forms if ("action", "again") in form.buttons),
                               button=("action", "again"))
        self.assertEqual((again.status, again.headings), (200, ["Your details"]), again.text[-800:])
        typed = dict(again.form("contact_email").fields)
        self.assertEqual((typed["contact_email"], typed["contact_phone"], typed["travelers.2.first_name"],
                          typed["emergency_name"]), ("ada@example.org", DETAILS["contact_phone"], "Charles", "Annabella"))
        pay = browser.submit(again, again.form("contact_email"))
        done = browser.submit(pay, pay.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        self.assertEqual(done.headings, ["Thank you, we have your booking"], done.text[:600])
        self.assertNotEqual(self.id_of(done), booking)
        # The token proves it in any browser; nobody sees it without, and nothing else opens it.
        self.assertEqual(self.browser().get(f"{address}?booking_token={token}").headings, ["This booking has expired"])
        self.assertEqual(self.site.call("GET", f"/customers/my-bookings/{booking}?booking_token={token}").status, 403)
        stranger = self.browser()
        for secret in ("", "x" * 43, "p2.1." + "0" * 64, f"b1.{booking}." + "0" * 64):
            stranger.jar["svc_booked"] = f"{booking}.{secret}"
            refused = stranger.get(address)
            self.assertEqual((refused.status, refused.headings), (403, ["Please show that this is your booking"]), secret)
            self.assertNotIn("ada@example.org", refused.text)
            self.assertEqual(stranger.ask("POST", address, "action=again", {
                "Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{stranger.port}"}).headings,
                ["Please show that this is your booking"])
        # A week later it is over.
        self.site.sql(f"UPDATE svc_bookings SET cancelled_at = cancelled_at - {8 * 86400 * 1_000_000} WHERE id = {booking}")
        self.assertEqual(self.browser().get(f"{address}?booking_token={token}").status, 403)

    def test_a_token_that_another_address_or_a_cancellation_ended_opens_no_expired_booking(self):
        browser, page = self.booked(self.given())
        booking, address = self.id_of(page), page.address
        changed = self.site.as_staff("PUT", f"/bookings/{booking}", {"contact_email": "other@example.org"})
        self.assertEqual(changed.status, 200, changed)
        self.site.sql(f"UPDATE svc_bookings SET pay_by = created_at - {100 * 3600 * 1_000_000} WHERE id = {booking}")
        for _ in range(1200):
            self.site.as_staff("POST", "/tools/cron-run", {"hook": "svc_booking_expiry"})
            if self.site.as_staff("GET", f"/bookings/{booking}").data["status"] == "cancelled":
                break
            time.sleep(0.05)
        self.assertEqual(browser.get(address).status, 403)
        browser, page = self.booked(self.given())
        booking, address = self.id_of(page), page.address
        self.assertEqual(self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"}).status, 200)
        self.assertEqual(browser.get(address).status, 403)

    def test_the_mailed_link_of_a_booking_tells_that_it_expired_unpaid(self):
        trip = self.given(capacity=1, regular_price=70)
        browser, page = self.at_details(trip, people=1)
        page = browser.submit(page, page.form("contact_email"), {**DETAILS, "contact_email": "mia@example.org"})
        first = self.site.book(trip["id"], DAY, "Grace")
        page = browser.submit(page, page.form("special_requests"), button=("action", "book"))
        page = browser.submit(page, page.form("special_requests"), button=("action", "waitlist"))
        booking, address = self.id_of(page), page.address
        self.site.as_staff("PUT", f"/bookings/{first.data['booking_id']}/status", {"status": "cancelled"})
        link = self.mailed("waitlist_offer", "mia@example.org", r"https?://[^\s\"'<>]+booking_token=[^\s\"'<>]+")
        other = self.browser()
        self.assertIn('id="pay"', other.get(link).text)
        page = self.expired(booking, other, address)
        self.assertIn(("action", "again"), [button for form in page.forms for button in form.buttons])
        self.assertEqual(self.browser().get(link).headings, ["This booking has expired"])

    def test_an_unpaid_booking_that_expired_says_so_and_is_booked_again_with_what_was_typed(self):
        browser = self.customer("erna")
        trip = self.given()
        page = browser.get(f"/book/{trip['slug']}")
        page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 2})
        page = browser.submit(page, page.form("contact_email"), {**DETAILS, **SECOND, "contact_email": "erna@example.org"})
        page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        booking, address = self.id_of(page), page.address
        self.assertIn("to keep your seats", page.text)
        self.assertEqual(self.standings(browser, booking), ['<span class="svc-badge svc-calm">Received</span>'] * 2)
        page = self.expired(booking, browser, address)
        self.assertEqual(self.standings(browser, booking), ['<span class="svc-badge svc-still">Expired</span>'] * 2)
        self.assertSound(page)
        again = browser.submit(page, next(form for form in page.forms if ("action", "again") in form.buttons),
                               button=("action", "again"))
        self.assertEqual((again.status, again.headings), (200, ["Your details"]), again.text[-800:])
        typed = dict(again.form("contact_email").fields)
        self.assertEqual((typed["contact_email"], typed["contact_phone"], typed["travelers.2.first_name"],
                          typed["emergency_name"]), ("erna@example.org", DETAILS["contact_phone"], "Charles", "Annabella"))
        pay = browser.submit(again, again.form("contact_email"))
        self.assertEqual(pay.headings, ["Check and pay"])

    def test_who_came_too_late_joins_the_waitlist_and_gets_the_seats_that_come_free(self):
        trip = self.given(capacity=1, regular_price=70)
        browser, page = self.at_details(trip, people=1)
        page = browser.submit(page, page.form("contact_email"), DETAILS)
        self.assertEqual(page.headings, ["Check and pay"])
        first = self.site.book(trip["id"], DAY, "Grace")
        page = browser.submit(page, page.form("special_requests"), {"special_requests": "By the window"}, ("action", "book"))
        self.assertEqual(page.status, 409)
        self.assertIn(("action", "waitlist"), page.form("special_requests").buttons)
        self.assertIn("By the window", page.text)
        page = browser.submit(page, page.form("special_requests"), button=("action", "waitlist"))
        self.assertEqual((page.status, page.headings), (200, ["You are on the waitlist"]), page.text[-600:])
        self.assertSound(page)
        self.assertNotIn('id="pay"', page.text)
        gone = self.site.as_staff("PUT", f"/bookings/{first.data['booking_id']}/status", {"status": "cancelled"})
        self.assertEqual(gone.status, 200)
        link = self.mailed("waitlist_offer", "ada@example.org", r"https?://[^\s\"'<>]+booking_token=[^\s\"'<>]+")
        guest = self.browser()
        offered = guest.get(link)  # in any browser: the link proves it
        self.assertEqual(offered.status, 200, offered.address)
        self.assertNotIn("booking_token", offered.address)
        self.assertEqual(offered.headings, ["A seat is free for you"])
        self.assertIn('id="pay"', offered.text)
        self.assertRegex(offered.text, r"We keep your place until [^<]*20\d\d, \d\d:\d\d, UTC: pay by then to take it, or decline")
        self.assertIn("to keep your seats", offered.text)
        self.assertSound(offered)
        # Declined, it goes to the next in line, and the page says what became of it.
        declined = guest.submit(offered, offered.form("reason"), button=("action", "cancel"))
        self.assertEqual((declined.status, declined.headings), (200, ["This booking is cancelled"]))
        self.assertEqual(self.site.as_staff("GET", f"/bookings/{self.id_of(page)}").data["status"], "cancelled")

    def test_the_list_of_bookings_says_of_an_offer_what_its_own_page_says(self):
        browser = self.customer("olga")
        trip = self.given(capacity=1, regular_price=70)
        page = browser.get(f"/book/{trip['slug']}")
        page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 1})
        page = browser.submit(page, page.form("contact_email"), {**DETAILS, "contact_email": "olga@example.org"})
        first = self.site.book(trip["id"], DAY, "Grace")
        page = browser.submit(page, page.form("special_requests"), button=("action", "book"))
        page = browser.submit(page, page.form("special_requests"), button=("action", "waitlist"))
        booking = self.id_of(page)
        self.assertEqual(self.standings(browser, booking), ['<span class="svc-badge svc-warn">Waitlist</span>'] * 2)
        self.site.as_staff("PUT", f"/bookings/{first.data['booking_id']}/status", {"status": "cancelled"})
        for _ in range(1200):
            if self.site.as_staff("GET", f"/bookings/{booking}").data["status"] == "pending":
                break
            time.sleep(0.05)
        self.assertEqual(self.standings(browser, booking), ['<span class="svc-badge svc-warn">Offered to you</span>'] * 2)

    def test_a_customer_sees_what_was_paid_and_the_conditions_before_cancelling(self):
        browser = self.customer("carol")
        trip = self.given(regular_price=60, cancellation_policy="Until a week before, all of it is paid back.")
        page = browser.get(f"/book/{trip['slug']}")
        page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 1})
        page = browser.submit(page, page.form("contact_email"), {**DETAILS, "contact_email": "carol@example.org"})
        page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "pay_later"}, ("action", "book"))
        booking = self.id_of(page)
        self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 20, "method": "pay_later", "status": "completed"})
        page = browser.get(f"/account/bookings/{booking}")
        self.assertSound(page)
        for part in ("Until a week before", "<dt>Paid so far</dt><dd>USD 20.00</dd>", "<dt>Paid back at most</dt><dd>USD 20.00</dd>",
                     "follows from the conditions above", "Nothing is paid back by itself", "Cancel the booking"):
            self.assertIn(part, page.text)
        form = page.form("reason")
        unsure = browser.submit(page, form, button=("action", "cancel"))
        self.assertEqual((unsure.status, self.site.as_staff("GET", f"/bookings/{booking}").data["status"]), (400, "pending"))
        done = browser.submit(unsure, unsure.form("reason"), {"sure": "1", "reason": "Ill"}, ("action", "cancel"))
        self.assertEqual(done.status, 200)
        whole = self.site.as_staff("GET", f"/bookings/{booking}").data
        self.assertEqual((whole["status"], whole["cancellation_reason"]), ("cancelled", "Ill"))
        self.assertNotIn("Cancel the booking", done.text)
        self.assertIn("Our staff decide by the conditions of the trip how much", done.text)
        payment = self.site.as_staff("GET", f"/bookings/{booking}").data["payments"][0]["id"]
        back = self.site.as_staff("POST", f"/payments/{payment}/refunds", {"amount": 5})
        self.assertIn(back.status, (200, 201), back)
        self.assertIn("<dt>Paid</dt><dd>USD 20.00</dd></div><div><dt>Refunded</dt><dd>USD 5.00</dd>",
                      browser.get(f"/account/bookings/{booking}").text)
        self.assertEqual(self.customer("mallory").get(f"/account/bookings/{booking}").status, 404)

    def test_a_guest_cancels_with_the_proof_of_the_booking_alone(self):
        browser, page = self.booked(self.given())
        booking = self.id_of(page)
        done = browser.submit(page, page.form("reason"), {"sure": "1"}, ("action", "cancel"))
        self.assertEqual((done.status, self.site.as_staff("GET", f"/bookings/{booking}").data["status"]), (200, "cancelled"))
        stranger = self.browser().ask("POST", page.address, "action=cancel&sure=1", {
            "Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{browser.port}"})
        self.assertEqual((stranger.status, stranger.headings), (403, ["Please show that this is your booking"]))

    def test_every_link_in_a_mail_opens_a_page_for_who_has_the_mail_alone(self):
        self.site.as_staff("PUT", "/settings", {"company_email": "office@example.org"})
        trip = self.given(capacity=4, regular_price=70)
        browser, page = self.booked(trip)
        booking = self.id_of(page)
        self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 20, "method": "pay_later", "status": "completed"})
        self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 120, "method": "pay_later", "status": "completed"})
        self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "completed"})
        small = self.given(capacity=1, regular_price=70)
        browser, page = self.at_details(small, people=1)
        page = browser.submit(page, page.form("contact_email"), DETAILS)
        first = self.site.book(small["id"], DAY, "Grace")
        page = browser.submit(page, page.form("special_requests"), button=("action", "book"))
        page = browser.submit(page, page.form("special_requests"), button=("action", "waitlist"))
        self.site.as_staff("PUT", f"/bookings/{first.data['booking_id']}/status", {"status": "cancelled"})
        page = browser.get("/account/register")
        browser.submit(page, page.form("email"), {"first_name": "Mary", "last_name": "Somerville", "email": "mary@example.org"})
        page = browser.get(f"/trip/{trip['slug']}/enquiry")
        browser.submit(page, page.form("message"), {"customer_name": "Ada", "customer_email": "ada@example.org", "message": "When?"})
        wanted = {"waitlist_offer", "customer_email_verification", "enquiry_received", "booking_completed"}
        for _ in range(1200):
            sent = {row[0] for row in self.site.sql("SELECT DISTINCT template_key FROM svc_email_outbox")}
            if wanted <= sent:
                break
            time.sleep(0.05)
        self.assertLessEqual(wanted, sent)
        self.site.open_mails()
        links = set()
        for template, text in ((row[0], row[1]) for row in self.site.sql(
                "SELECT template_key, replace(body_html, char(10), ' ') FROM svc_email_outbox" if DATABASE == "sqlite" else
                "SELECT template_key, replace(body_html, chr(10), ' ') FROM svc_email_outbox")):
            links |= {(template, html.unescape(link)) for link in re.findall(r'href="(https?://[^"]+)"', text)}
        self.assertGreater(len({template for template, _ in links}), 5)
        for template, link in sorted(links):
            path = urllib.parse.urlsplit(link)._replace(scheme="", netloc="").geturl() or "/"
            opened = self.browser().get(path)
            with self.subTest(template=template, link=path):
                self.assertIn(opened.status, (200, 400, 403, 410), opened.text[:300])
                if path.startswith("/admin") or opened.headers.get("content-type") == "application/pdf":
                    continue
                self.assertEqual(len(opened.headings), 1)
                self.assertNotIn(opened.headings[0], ("This page does not exist", "Something went wrong on our side"))
                if "token=" in path and template in wanted:  # not used by another test
                    self.assertEqual(opened.status, 200, opened.text[:300])

    def test_an_account_is_registered_confirmed_and_its_password_set_anew_by_mailed_pages(self):
        browser = self.browser()
        page = browser.get("/account/register")
        self.assertSound(page)
        self.assertNotIn('type="password"', page.text)
        typed = {"first_name": "Win at evil.example", "email": "edith@example.org"}
        refused = browser.submit(page, page.form("email"), typed)
        self.assertEqual((refused.status, dict(refused.form("email").fields)["email"]), (400, "edith@example.org"))
        good = {"password": "a long password", "confirm_password": "a long password"}
        self.assertEqual(browser.submit(refused, refused.form("email"), {"first_name": "Edith"}).headings,  # one name suffices
                         ["Look into your mailbox"])
        page = browser.get(self.mailed("customer_email_verification", "edith@example.org"))
        self.assertIn("svc-page", page.text)
        done = browser.submit(page, page.forms[-1], good)
        self.assertEqual(done.status, 200, done.text[:400])
        self.assertIn("You are signed in.", done.text)
        self.assertEqual(browser.get("/account").headings, ["My bookings"])
        other = self.browser()
        page = other.get("/account/login")
        page = other.submit(page, page.form("username"), {"username": "edith@example.org", "password": good["password"]})
        self.assertEqual(page.headings, ["My bookings"])
        other = self.browser()
        page = other.get("/account/forgot")
        unknown = other.submit(page, page.form("email"), {"email": "nobody@example.org"})
        page = other.get("/account/forgot")
        known = other.submit(page, page.form("email"), {"email": "edith@example.org"})
        self.assertEqual((unknown.status, unknown.headings), (known.status, known.headings))
        page = other.get(self.mailed("account_password_reset", "edith@example.org"))
        done = other.submit(page, page.forms[-1], {"password": "another password", "confirm_password": "another password"})
        self.assertEqual(done.status, 200, done.text[:400])
        self.assertEqual(browser.get("/account").headings, ["Sign in"])  # its sessions have ended
        page = other.get("/account/login")
        page = other.submit(page, page.form("username"), {"username": "edith@example.org", "password": "another password"})
        self.assertEqual(page.headings, ["My bookings"])

    def test_a_customer_changes_profile_address_and_password_and_asks_for_the_data(self):
        browser = self.customer("dora")
        page = browser.get("/account/profile")
        self.assertSound(page)
        page = browser.submit(page, page.form("last_name"), {"first_name": "Dora", "last_name": "Maar"}, ("action", "profile"))
        self.assertEqual(dict(page.form("last_name").fields)["last_name"], "Maar")
        page = browser.submit(page, page.form("last_name"), {"country": "DE"}, ("action", "profile"))
        self.assertIn('<option value="DE" selected>Germany</option>', page.text)
        self.site.as_staff("PUT", "/settings", {"site_language": "de"})
        try:  # the names are the language's, and so is their order: Österreich stands at O
            german = re.findall(r'<option value="[A-Z]{2}"(?: selected)?>([^<]*)</option>', browser.get("/account/profile").text)
        finally:
            self.site.as_staff("PUT", "/settings", {"site_language": "en"})
        self.assertGreater(len(german), 200)
        self.assertIn("Deutschland", german)
        self.assertLess(german.index("Norwegen"), german.index("Österreich"))
        self.assertLess(german.index("Österreich"), german.index("Peru"))
        wrong = browser.submit(page, page.form("email"), {"email": "new@example.org", "current_password": "?"}, ("action", "email"))
        self.assertIn(wrong.status, (400, 403))
        page = browser.submit(page, page.form("email"), {"email": "new@example.org", "current_password": browser.password},
                              ("action", "email"))
        self.assertEqual(page.status, 200)
        self.assertIn("new@example.org", page.text)
        link = self.mailed("account_email_change_request", "new@example.org")
        # Another browser must know the account's password; this one is signed in to the account.
        elsewhere = self.browser()
        self.site.as_staff("PUT", "/settings", {"site_language": "de"})
        try:
            asked = elsewhere.get(link)
            self.assertIn("Passwort dieses Kontos", asked.text)
            self.assertIn("***@example.org", asked.text)
            refused = elsewhere.submit(asked, asked.forms[-1], {"current_password": "no idea"})
            self.assertEqual(refused.status, 400)
            self.assertIn("Passwort dieses Kontos", refused.text)
        finally:
            self.site.as_staff("PUT", "/settings", {"site_language": "en"})
        confirm = browser.get(link)
        self.assertNotIn('name="current_password"', confirm.text)
        self.assertEqual(browser.submit(confirm, confirm.forms[-1]).status, 200)
        self.assertIn("new@example.org", browser.get("/account/profile").text)
        page = browser.get("/account/profile")
        differ = browser.submit(page, page.form("new_password"), {"current_password": browser.password, "new_password": "one long enough",
                                                                  "confirm_password": "another long one"}, ("action", "password"))
        self.assertEqual(differ.status, 400)
        page = browser.submit(page, page.form("new_password"), {"current_password": browser.password, "new_password": "one long enough",
                                                                "confirm_password": "one long enough"}, ("action", "password"))
        self.assertEqual(page.status, 200)
        forms = [form for form in page.forms if ("action", "export") in form.buttons]
        page = browser.submit(page, forms[0], {"current_password": "one long enough"}, ("action", "export"))
        self.assertEqual(page.status, 200)
        link = browser.get(self.mailed("account_privacy_link", "new@example.org"))
        self.assertEqual(link.status, 200)
        page = browser.submit(page, forms[0], {"current_password": "one long enough"}, ("action", "erasure"))
        self.assertEqual(page.status, 200)
        gone = browser.get(self.mailed("account_privacy_link", "new@example.org"))
        self.assertEqual(browser.submit(gone, gone.forms[-1]).status, 200)
        self.assertEqual(browser.get("/account").headings, ["Sign in"])

    def test_an_enquiry_and_its_answer_stand_in_the_account(self):
        browser, trip = self.customer("emil"), self.given(title="Tram museum")
        self.assertEqual((browser.get("/account/me").text, self.browser().get("/account/me").text), ('{"name":"emil"}', "{}"))
        self.assertIn("No questions yet", browser.get("/account/enquiries").text)
        page = browser.get(f"/trip/{trip['slug']}/enquiry")
        browser.submit(page, page.form("message"), {"customer_name": "Emil", "customer_email": "emil@example.org",
                                                    "message": "Are dogs welcome?"})
        asked = self.site.as_staff("GET", "/enquiries?search=dogs").data[0]
        self.site.as_staff("POST", f"/enquiries/{asked['id']}/respond", {"response": "Small ones are."})
        page = browser.get("/account/enquiries")
        for part in ("Tram museum", "Are dogs welcome?", "Small ones are."):
            self.assertIn(part, page.text)

    def test_reviews_are_shown_with_stars_that_say_the_printed_number(self):
        trip = self.given(title="Rated")
        page = self.browser().get("/trip/" + trip["slug"])
        self.assertIn(f"/trip/{trip['slug']}/review", page.links)
        for number, (rating, text) in enumerate(((5, "Splendid"), (4, "<b>Good</b>"), (4, "Nice"))):
            made = self.site.as_staff("POST", "/reviews", {"trip_id": trip["id"], "rating": rating, "status": "approved",
                                                           "author_name": f"Reader {number}", "content": text})
            self.assertEqual(made.status, 201, made)
        self.site.as_staff("PUT", f"/reviews/{made.data['id']}", {"reply": "Come again!"})
        page = self.browser().get("/trip/" + trip["slug"])
        self.assertSound(page)
        self.assertIn('<b class="svc-mean">4.3</b>', page.text)
        self.assertIn('<svg width="86" height="20">', page.text)  # 4.3 of 5 stars of 20
        self.assertIn("&lt;b&gt;Good&lt;/b&gt;", page.text)
        self.assertIn("Come again!", page.text)
        self.assertIn('"ratingValue":4.33', page.text)
        for _ in range(6):
            self.site.as_staff("POST", "/reviews", {"trip_id": trip["id"], "rating": 1, "status": "approved",
                                                    "author_name": "Many", "content": "So so"})
        page = self.browser().get("/trip/" + trip["slug"])
        self.assertEqual(page.text.count('class="svc-review'), 6)
        self.assertEqual(self.browser().get(f"/trip/{trip['slug']}?reviews=all").text.count('class="svc-review'), 9)

    def test_a_review_is_written_by_who_may_and_changed_while_nobody_has_read_it(self):
        trip = self.given(title="To review")
        address = f"/trip/{trip['slug']}/review"
        self.assertEqual(self.browser().get(address).headings, ["Sign in"])
        browser = self.customer("frida")
        self.assertEqual(browser.get(address).headings, ["To review"])  # nobody who has not traveled
        self.site.as_staff("PUT", "/settings", {"require_booking": False})
        try:
            page = browser.get(address)
            self.assertSound(page)
            refused = browser.submit(page, page.form("content"), {"title": "Fine", "content": ""})
            self.assertEqual(refused.status, 400)
            self.assertIn('value="Fine"', refused.text)
            self.assertIn('id="e-rating"', refused.text)
            thanks = browser.submit(refused, refused.form("content"), {"rating": "4", "content": "A fine day out."})
            self.assertEqual((thanks.status, thanks.headings), (200, ["Thank you for your review"]), thanks.text[-600:])
            self.assertNotIn("A fine day out.", self.browser().get("/trip/" + trip["slug"]).text)
            self.assertIn("already", browser.get(address).text)
            mine = browser.get("/account/reviews")
            self.assertSound(mine)
            changed = browser.submit(mine, mine.form("content"), {"content": "A very fine day out.", "rating": "5"})
            self.assertEqual(changed.status, 200)
            self.assertIn("A very fine day out.", changed.text)
            stored = self.site.as_staff("GET", f"/reviews?trip_id={trip['id']}").data[0]
            self.assertEqual((stored["rating"], stored["status"]), (5, "pending"))
            stranger = self.customer("gina")
            theirs = stranger.get("/account/reviews")
            forged = stranger.submit(theirs, theirs.forms[0], {"id": stored["id"], "rating": "1", "content": "Bad"})
            self.assertNotEqual(self.site.as_staff("GET", f"/reviews/{stored['id']}").data["content"], "Bad", forged.status)
        finally:
            self.site.as_staff("PUT", "/settings", {"require_booking": True})

    def test_pages_of_the_operator_have_their_text_and_what_their_shortcodes_stand_for(self):
        trip = self.given(title="Short code")
        put = self.site.as_staff("PUT", "/settings/pages", {"pages": [
            {"title": "About us", "slug": "about-us",
             "content": f"<p>Hello</p><script>bad()</script>[svc_trip slug=\"{trip['slug']}\"]<p>[svc_trips count=2 card_layout=compact]</p>[svc_account]"}]})
        self.assertEqual(put.status, 200, put)
        try:
            page = self.browser().get("/about-us")
            self.assertEqual((page.status, page.headings), (200, ["About us"]))
            self.assertSound(page)
            self.assertIn("/trip/" + trip["slug"], page.links)
            self.assertIn("/account", page.links)
            self.assertEqual(page.text.count("svc-cards-compact"), 1)  # over the setting, which is standard
            self.assertNotIn("bad()", page.text)
            self.assertNotIn("[svc_", page.text)
            self.assertIn("/about-us", self.browser().get("/").links)
        finally:
            self.site.as_staff("PUT", "/settings/pages", {"pages": []})

    def test_the_theme_is_copied_out_changed_and_checked_by_commands(self):
        self.assertIn("sound", self.site.run("theme", "check"))
        path = pathlib.Path(self.site.dir) / self.site.run("theme", "eject", "not-found").strip()
        text = path.read_text()
        path.write_text(text.replace("<h1>", "<h1>Oh no: "))
        for _ in range(1200):
            if "Oh no: " in self.browser().get("/nothing-here").text:
                break
            time.sleep(0.1)
        page = self.browser().get("/nothing-here")
        self.assertIn("Oh no: ", page.text)
        path.write_text("{{#open}}")
        for _ in range(1200):
            if "Oh no: " not in self.browser().get("/nothing-here").text:
                break
            time.sleep(0.1)
        page = self.browser().get("/nothing-here")
        self.assertEqual((page.status, len(page.headings)), (404, 1))  # the bundled one in its place
        path.unlink()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
