"""A guest's way back to a booking, in a second browser without cookies and without scripts: the mailed link, the link mailed
again, the pay link, the cancellation; and the waitlist joined from a trip's page.

booking_links_test.py SVC DATABASE
"""
import html
import pathlib
import re
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import DAY, Visitors  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
LOCKED = ["Please show that this is your booking"]


class Links(Visitors, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"})
        cls.site = cls.stack.__enter__()
        cls.site.as_staff("PUT", "/settings", {"api_rate_limit": 0, "public_rate_limit": 0, "unproven_mails_per_hour": 0})

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.stack.__exit__(None, None, None)

    def id_of(self, page):
        reference = re.search(r"SVC-[0-9A-Z]{8}", page.address or page.text)[0]
        return self.site.as_staff("GET", f"/bookings?search={reference}").data[0]["id"]

    def mailed(self, template, booking, address="ada@example.org"):
        """The path of the booking's link in the latest e-mail of that kind about it, once it is there."""
        for _ in range(1200):
            self.site.open_mails()
            rows = self.site.sql(f"SELECT id FROM svc_email_outbox WHERE template_key = '{template}' AND booking_id = {booking}"
                                 f" AND to_email = '{address}' ORDER BY id DESC LIMIT 1")
            text = "" if not rows else "\n".join("|".join(row) for row in self.site.sql(
                f"SELECT body_html FROM svc_email_outbox WHERE id = {rows[0][0]}"))
            if found := re.search(r"https?://[^\s\"'<>]+booking_token=[^\s\"'<>]+", text):
                return urllib.parse.urlsplit(html.unescape(found[0]))._replace(scheme="", netloc="").geturl()
            time.sleep(0.05)
        self.fail(f"no {template} went to {address}")

    def test_the_link_of_the_first_mail_opens_the_booking_elsewhere_with_documents_and_cancelling(self):
        trip = self.given(regular_price=80, cancellation_policy="Free until a week before.")
        _, page = self.booked(trip)
        booking, address = self.id_of(page), page.address
        link = self.mailed("booking_confirmation", booking)
        other = self.browser()
        opened = other.get(link)
        self.assertEqual((opened.status, opened.headings), (200, ["Thank you, we have your booking"]), opened.text[-600:])
        self.assertNotIn("booking_token", opened.address)
        self.assertSound(opened)
        self.assertIn("Cancel this booking", opened.text)
        invoice = other.get(address + "/documents/invoice")
        self.assertEqual((invoice.status, invoice.raw[:5]), (200, b"%PDF-"))
        calendar = other.get(address + "/documents/calendar")
        self.assertIn("BEGIN:VEVENT", calendar.text)
        self.assertIn(f"UID:{address.split('/')[-1]}@127.0.0.1", calendar.text)
        self.assertNotIn("booking_token", calendar.text)
        # A mail scanner that opens it changes nothing: no token is made before a form is sent.
        self.assertEqual(self.site.sql(f"SELECT COUNT(*) FROM svc_access_tokens WHERE subject_id = {booking}"
                                       " AND purpose = 'booking_guest'")[0][0], "1")
        done = other.submit(opened, opened.form("reason"), {"sure": "1", "reason": "Ill"}, ("action", "cancel"))
        self.assertEqual((done.status, done.headings), (200, ["This booking is cancelled"]), done.text[-800:])
        self.assertEqual(self.site.as_staff("GET", f"/bookings/{booking}").data["status"], "cancelled")
        # Afterwards it still reads, here and in a third browser, by the old link and by that of the mail about it.
        self.assertEqual(other.get(address).headings, ["This booking is cancelled"])
        for path in (link, self.mailed("booking_cancelled", booking)):
            third = self.browser().get(path)
            self.assertEqual((third.status, third.headings), (200, ["This booking is cancelled"]))
            self.assertNotIn("Cancel the booking", third.text)

    def test_a_booking_that_was_paid_back_says_so_by_its_link(self):
        _, page = self.booked(self.given(regular_price=80))
        booking = self.id_of(page)
        paid = self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 160, "method": "cash", "status": "completed"})
        self.assertIn(paid.status, (200, 201), paid)
        link = self.mailed("payment_received", booking)
        self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
        back = self.site.as_staff("POST", f"/payments/{paid.data['id']}/refunds", {"amount": 160, "by_hand": True, "reason": "Ill"})
        self.assertIn(back.status, (200, 201), back)
        guest = self.browser()
        shown = guest.get(link)
        self.assertEqual(shown.headings, ["This booking is cancelled"])
        self.assertEqual(guest.get(shown.address + "/documents/invoice").status, 200)
        token = link.split("booking_token=")[1].split("&")[0]
        read = self.site.call("GET", f"/customers/my-bookings/{booking}?booking_token={token}")
        self.assertEqual((read.status, read.data["amount_paid"], read.data["payment_status"]), (200, 0, "refunded"), read)

    def test_who_has_no_link_is_offered_a_new_one_and_gets_it(self):
        _, page = self.booked(self.given())
        booking, address = self.id_of(page), page.address
        stranger = self.browser()
        locked = stranger.get(address)
        self.assertEqual((locked.status, locked.headings), (403, LOCKED))
        self.assertSound(locked)
        sent = stranger.submit(locked, locked.form("email"), {"email": "Ada@Example.org"})
        self.assertEqual((sent.status, sent.headings), (200, ["Look into your mailbox"]), sent.text[-600:])
        self.assertEqual(stranger.get(self.mailed("booking_link", booking)).headings, ["Thank you, we have your booking"])
        # The same page for a pair that does not exist, and no mail.
        before = self.site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_link'")
        page = stranger.get("/account/find-booking")
        self.assertEqual((page.status, page.headings), (200, ["Find my booking"]))
        self.assertSound(page)
        other = stranger.submit(page, page.form("reference"), {"reference": address.split("/")[-1], "email": "eve@example.org"})
        self.assertEqual((other.status, other.headings), (200, sent.headings))
        self.assertEqual(self.site.sql("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_link'"), before)
        page = stranger.get("/account/find-booking")
        wrong = stranger.submit(page, page.form("reference"), {"reference": address.split("/")[-1], "email": "no address"})
        self.assertEqual(wrong.status, 400)
        self.assertIn("no address", wrong.text)
        for start in ("/", "/account/login"):
            self.assertIn("/account/find-booking", stranger.get(start).links)

    def test_staffs_new_link_and_another_address_end_the_links_before(self):
        _, page = self.booked(self.given())
        booking, address = self.id_of(page), page.address
        link = self.mailed("booking_confirmation", booking)
        reader = self.browser()
        self.assertEqual(reader.get(link).status, 200)
        self.assertEqual(self.site.as_staff("POST", f"/bookings/{booking}/new-link", {}).status, 200)
        self.assertEqual(reader.get(address).headings, LOCKED)
        self.assertEqual(reader.get(link).headings, LOCKED)
        fresh = self.mailed("booking_link", booking)
        self.assertEqual(reader.get(fresh).status, 200)
        for new in ("eve@example.org", "ada@example.org"):
            self.assertEqual(self.site.as_staff("PUT", f"/bookings/{booking}", {"contact_email": new}).status, 200)
            self.assertEqual(reader.get(fresh).headings, LOCKED)

    def test_the_waitlist_of_a_sold_out_date_is_joined_from_the_trips_page_by_one_short_form(self):
        trip = self.given(capacity=1, regular_price=70)
        first = self.site.book(trip["id"], DAY, "Grace")
        browser = self.browser()
        page = browser.get("/trip/" + trip["slug"])
        form = page.form("date")
        priced = page.form("date")
        priced.action = f"/book/{trip['slug']}/price"
        part = browser.submit(page, priced, {"date": DAY, "travelers": 1})
        self.assertIn("nobody is charged", part.text)
        self.assertNotIn("svc-error", part.text)
        form.action = f"/book/{trip['slug']}"
        page = browser.submit(page, form, {"date": DAY, "travelers": 1})
        self.assertEqual((page.status, page.headings), (200, ["Join the waitlist"]), page.text[-800:])
        self.assertSound(page)
        self.assertIn("nobody is charged", page.text)
        asked = {name for name, _ in page.form("contact_email").fields if not name.startswith("_")}
        self.assertEqual(asked, {"date", "travelers", "contact_first_name", "contact_last_name", "contact_email", "contact_phone"})
        refused = browser.submit(page, page.form("contact_email"), {"contact_first_name": "Mia", "contact_email": "mia"})
        self.assertEqual(refused.status, 400)
        self.assertIn('value="Mia"', refused.text)
        self.assertSound(refused)
        joined = browser.submit(refused, refused.form("contact_email"), {
            "contact_first_name": "Mia", "contact_last_name": "Moon", "contact_email": "mia@example.org",
            "contact_phone": "+44 20 7946 0003"})
        self.assertEqual((joined.status, joined.headings), (200, ["You are on the waitlist"]), re.findall(r"svc-note svc-bad.*?</ul>", joined.text, re.S))
        self.assertNotIn('id="pay"', joined.text)
        booking = self.id_of(joined)
        waits = self.site.as_staff("GET", f"/bookings/{booking}").data
        self.assertEqual((waits["status"], waits["customer_email"], waits["amount_due"]), ("waitlist", "mia@example.org", 0))
        link = self.mailed("waitlist_joined", booking, "mia@example.org")
        self.assertEqual(self.browser().get(link).headings, ["You are on the waitlist"])
        # A seat comes free: the offer's link takes it or declines it, in any browser.
        self.site.as_staff("PUT", f"/bookings/{first.data['booking_id']}/status", {"status": "cancelled"})
        offer = self.mailed("waitlist_offer", booking, "mia@example.org")
        guest = self.browser()
        offered = guest.get(offer)
        self.assertEqual(offered.headings, ["A seat is free for you"])
        declined = guest.submit(offered, offered.form("reason"), button=("action", "cancel"))
        self.assertEqual((declined.status, declined.headings), (200, ["This booking is cancelled"]))
        # Where seats are free, nobody has to wait.
        page = browser.get(f"/book/{trip['slug']}/waitlist?date={DAY}&travelers=1")
        free = browser.submit(page, page.form("contact_email"), {
            "contact_first_name": "Mia", "contact_email": "mia@example.org", "contact_phone": "+44 20 7946 0003"})
        self.assertEqual((free.status, free.headings), (200, ["Seats have just become free"]), free.text[-800:])

    def test_the_link_is_mailed_and_opened_in_german(self):
        self.site.as_staff("PUT", "/settings", {"site_language": "de"})
        try:
            _, page = self.booked_in_german()
            link = self.mailed("booking_confirmation", self.id_of(page))
            opened = self.browser().get(link)
            self.assertEqual(opened.status, 200)
            locked = self.browser().get(page.address)
            self.assertIn("Neuen Link zusenden", locked.text)
            self.assertIn("Meine Buchung finden", locked.text)
        finally:
            self.site.as_staff("PUT", "/settings", {"site_language": "en"})

    def booked_in_german(self):
        trip = self.given()
        made = self.site.book(trip["id"], DAY)
        self.assertEqual(made.status, 201, made)
        page = self.browser().get(f"/book/confirmation/{made.data['reference']}")
        return None, page


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
