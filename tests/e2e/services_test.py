"""Additional services with a stock, through the whole program: buyers of two processes want the last units at once, with a
booking and after it, and none is sold twice; a guest without scripts adds extras to a booking and pays them.

services_test.py SVC DATABASE PRO
"""
import collections
import concurrent.futures
import datetime
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import Visitors  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=40)).isoformat()
BUYERS = 24


class Services(Visitors, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE, servers=2, environment={"SVC_PRO_LIBRARY": os.path.abspath(PRO)}).__enter__()
        cls.addClassCleanup(cls.site.__exit__, None, None, None)
        cls.site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                     " VALUES (1, 'site', '', 'active', 'personal', 0, 0)")
        turned = cls.site.as_staff("POST", "/modules/additional_services/toggle", {"enabled": True})
        assert turned.status == 200, turned
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        cls.trip = cls.site.given_trip()["id"]
        cls.site.given_departure(cls.trip, DAY, 1000)
        cls.site.wait_until_all_show(cls.trip)

    def service(self, name, stock):
        made = self.site.as_staff("POST", "/additional-services", {
            "name": name, "price": 10, "price_per": "booking", "stock_per_departure": stock, "status": "publish",
            "applicable_to": "specific_trips", "trip_ids": [self.trip]})
        self.assertEqual(made.status, 201, made)
        service = made.data["id"]
        for server in (0, 1):  # the process that did not make it follows within a second
            for _ in range(1200):
                if any(one["id"] == service for one in self.site.call(
                        "GET", f"/booking/trip/{self.trip}", server=server).data["additional_services"]):
                    break
            else:
                self.fail(f"server {server} never knew {name}")
        return service

    def at_once(self, count, buy):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            answers = list(pool.map(buy, range(count)))
        counts = collections.Counter((a.status, a.json.get("code") if a.status not in (200, 201) else None)
                                     for a in answers)
        print(f"figure: {dict(counts)}")
        return counts, answers

    def sold(self, service):
        return int(self.site.sql(
            "SELECT COALESCE(SUM(s.quantity), 0) FROM svc_booking_services s JOIN svc_bookings b ON b.id = s.booking_id"
            f" WHERE s.service_id = {service} AND b.status <> 'cancelled'")[0][0])

    def test_the_last_units_are_sold_once_with_bookings_of_all_processes(self):
        service = self.service("Bicycle", 5)

        def buy(number):
            return self.site.book(self.trip, DAY, f"Racer{number}", selected_services={str(service): 1},
                                  server=number % 2)
        counts, answers = self.at_once(BUYERS, buy)
        self.assertEqual(counts, {(201, None): 5, (400, "svc_validation_error"): BUYERS - 5})
        self.assertEqual(self.sold(service), 5)
        booking = next(a for a in answers if a.status == 201).data["booking_id"]
        self.assertEqual(self.site.as_staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"}).status, 200)
        counts, _ = self.at_once(8, buy)
        self.assertEqual(counts, {(201, None): 1, (400, "svc_validation_error"): 7})
        self.assertEqual(self.sold(service), 5)
        self.site.check_invariants()

    def test_the_last_unit_is_sold_once_after_the_booking_and_one_order_is_one_order(self):
        service = self.service("Telescope", 3)
        bookings = [self.site.book(self.trip, DAY, f"Guest{number}").data for number in range(8)]

        def add(number):
            booking = bookings[number % len(bookings)]
            return self.site.call("POST", f"/customers/my-bookings/{booking['booking_id']}/services",
                                  {"selected_services": {str(service): 1}, "row_version": booking["row_version"]},
                                  headers={"X-Svc-Booking-Token": booking["booking_token"]}, server=number % 2)
        counts, answers = self.at_once(16, add)
        self.assertEqual(counts[(200, None)], 3, counts)
        self.assertEqual(self.sold(service), 3)
        for answer in answers:
            self.assertIn((answer.status, answer.json.get("code")),
                          [(200, None), (400, "svc_validation_error"), (409, "svc_conflict")], answer)

        plenty = self.service("Lunch", 500)
        booking = self.site.book(self.trip, DAY, "Presser").data

        def press(number):
            return self.site.call("POST", f"/customers/my-bookings/{booking['booking_id']}/services",
                                  {"selected_services": {str(plenty): 1}},
                                  headers={"X-Svc-Booking-Token": booking["booking_token"],
                                           "Idempotency-Key": "one-press-of-one-button"}, server=number % 2)
        answers = self.at_once(12, press)[1]
        self.assertTrue(any(a.status == 200 for a in answers), answers[0])
        self.assertEqual(self.sold(plenty), 1)
        self.assertEqual(press(0).status, 200)
        self.assertEqual(self.sold(plenty), 1)
        self.site.check_invariants()

    def test_a_guest_without_scripts_adds_extras_to_a_booking_and_reads_what_is_left_to_pay(self):
        trip = self.site.given_trip(regular_price=100)
        self.site.given_departure(trip["id"], DAY, 10)
        self.site.wait_until_all_show(trip["id"])
        browser, page = self.booked(trip)
        only = {"applicable_to": "specific_trips", "trip_ids": [trip["id"]]}
        kite = self.site.as_staff("POST", "/additional-services", {
            "name": "Kite", "price": 15, "price_per": "booking", "stock_per_departure": 3, "max_quantity": 2,
            "status": "publish", **only}).data["id"]
        reference = re.search(r"SVC-[0-9A-Z]{8}", page.address)[0]
        booking = self.site.as_staff("GET", f"/bookings?search={reference}").data[0]["id"]
        paid = self.site.as_staff("POST", f"/bookings/{booking}/payments", {"amount": 200, "gateway": "cash", "status": "completed"})
        self.assertEqual(paid.status, 201, paid)
        page = browser.get(page.address)
        self.assertSound(page)
        self.assertIn("Anything else for your trip?", page.text)
        self.assertIn("3 left on your date", page.text)
        self.assertRegex(page.text, f'name="s{kite}" min="0" max="2"')

        # What it costs is shown first, and nothing is ordered by asking.
        asked = browser.submit(page, page.form(f"s{kite}"), {f"s{kite}": 2}, ("action", "extras"))
        self.assertEqual(asked.status, 200, asked.text[:600])
        self.assertSound(asked)
        for words in ("<dt>2 × Kite, USD 15</dt><dd>USD 30.00</dd>", "<dt>New total</dt><dd>USD 230.00</dd>",
                      "<dt>Left to pay</dt><dd>USD 30.00</dd>"):
            self.assertIn(words, asked.text, re.findall('<dt>.*?</dd>', asked.text))
        self.assertEqual(self.site.as_staff("GET", f"/bookings/{booking}").data["total"], 200)
        too_many = browser.submit(page, page.form(f"s{kite}"), {f"s{kite}": 9}, ("action", "extras"))
        self.assertEqual(too_many.status, 400)
        self.assertIn("At most 2 of this service.", too_many.text)

        # Pressed twice it is one order: by the same form, and by one that was open in another window.
        order = asked.form("expected")
        done = browser.submit(asked, order, button=("action", "add-extras"))
        self.assertEqual((done.status, done.address.partition("?")[2]), (200, "extras=added#pay"), done.text[:600])
        again = browser.submit(asked, order, button=("action", "add-extras"))
        self.assertEqual(again.status, 200)
        fresh = [(name, value if name != "_key" else "another-window-of-the-guest") for name, value in order.fields]
        order.fields = fresh
        late = browser.submit(asked, order, button=("action", "add-extras"))
        self.assertEqual(late.status, 400)
        self.assertIn("Your booking has changed meanwhile.", late.text)
        whole = self.site.as_staff("GET", f"/bookings/{booking}").data
        self.assertEqual((whole["total"], whole["amount_due"], whole["payment_status"]), (230, 30, "partial"))
        self.assertEqual([(one["name"], one["quantity"]) for one in whole["additional_services"]], [("Kite", 2)])
        page = browser.get(f"/book/confirmation/{reference}")
        self.assertSound(page)
        self.assertIn("USD 30.00", page.text)
        self.assertIn("2 × Kite", page.text)
        self.site.check_invariants()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
