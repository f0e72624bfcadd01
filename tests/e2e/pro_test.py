"""The Pro edition beside the base, seen from outside: attached, toggled, missing and broken.

pro_test.py SVC DATABASE PRO
"""
import datetime
import os
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from browser import DETAILS, SECOND, Visitors  # noqa: E402
from installation import Site  # noqa: E402

SVC, DATABASE, PRO = sys.argv[1:4]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


def given_site(library):
    return Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": str(library)})


def given_license(site):
    """A licence as the licence server's answer would leave it."""
    site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
             " VALUES (1, 'test', '', 'active', 'personal', 0, 0)")


def edition(site):
    return site.call("GET", "/").json["edition"]


class Pro(Visitors, unittest.TestCase):
    def test_a_module_brings_its_routes_and_its_storage_and_takes_the_routes_away(self):
        with given_site(os.path.abspath(PRO)) as site:
            self.assertEqual(edition(site), "pro")

            def is_on():
                return {m["slug"]: m["enabled"] for m in site.as_staff("GET", "/modules").data}["additional_services"]

            def told():
                return "/additional-services" in site.call("GET", "/").json["routes"]

            def toggle(enabled):
                answer = site.as_staff("POST", "/modules/additional_services/toggle", {"enabled": enabled})
                self.assertEqual(answer.status, 200, answer)
                self.assertEqual(answer.data["enabled"], enabled)

            self.assertEqual((is_on(), told()), (False, False))
            self.assertEqual(site.as_staff("GET", "/additional-services").status, 404)
            refused = site.as_staff("POST", "/modules/additional_services/toggle", {"enabled": True})
            self.assertEqual((refused.status, refused.json["code"]), (403, "module_not_available"))
            given_license(site)
            toggle(True)
            self.assertEqual((is_on(), told()), (True, True))
            self.assertEqual(site.call("GET", "/additional-services").status, 401)
            made = site.as_staff("POST", "/additional-services", {"name": "Transfer", "price": 12.5,
                                                                  "status": "publish"})
            self.assertEqual(made.status, 201, made)
            path = f"/additional-services/{made.data['id']}"
            self.assertEqual(site.as_staff("GET", path).data["price"], 12.5)
            toggle(False)
            self.assertEqual((is_on(), told()), (False, False))
            self.assertEqual(site.as_staff("GET", path).status, 404)
            self.assertEqual(site.as_staff("POST", "/additional-services", {"name": "x"}).status, 404)
            toggle(True)  # its data was kept
            self.assertEqual(site.as_staff("GET", path).data["name"], "Transfer")

    def test_every_module_is_listed_with_its_plan_and_what_it_depends_on(self):
        personal = {"google_calendar", "additional_services", "trip_consent", "email_automation", "dynamic_form_field",
                    "advanced_discount", "mailchimp", "facebook_pixel", "google_analytics", "flexible_payments",
                    "scheduled_payments", "dynamic_pricing", "custom_landing_pages", "abandoned_booking_recovery",
                    "saved_trips"}
        plans = {**dict.fromkeys(personal, "personal"), "messaging": "growth",
                 **dict.fromkeys(["webhooks", "channel_manager", "team", "white_label"], "agency")}
        for library in (os.path.abspath(PRO), "none"):
            with self.subTest(library=library), given_site(library) as site:
                modules = {module["slug"]: module for module in site.as_staff("GET", "/modules").data}
                self.assertEqual({slug: module["plan"] for slug, module in modules.items()}, plans)
                self.assertEqual({slug: module["depends_on"] for slug, module in modules.items()
                                  if module["depends_on"]}, {"scheduled_payments": ["flexible_payments"]})
                self.assertFalse(any(module["enabled"] for module in modules.values()))
                self.assertTrue(all(module["requires_pro"] for module in modules.values()))
                absent = site.as_staff("POST", "/modules/white_label/toggle", {"enabled": True})
                self.assertEqual((absent.status, absent.json["code"]), (403, "module_not_available"))

    def test_a_bank_transfer_is_offered_once_it_has_an_account_and_tells_where_to_pay(self):
        with given_site(os.path.abspath(PRO)) as site:
            def offered():
                return [g["id"] for g in site.call("GET", "/payment/gateways").data["gateways"]]

            trip = site.given_trip()["id"]
            self.assertNotIn("bank_transfer", offered())
            self.assertEqual(site.book(trip, DAY, payment_gateway="bank_transfer").json["code"], "invalid_gateway")
            saved = site.as_staff("POST", "/payment/gateways/bank_transfer/config",
                                  {"enabled": True, "bank_name": "First Bank", "account_name": "Peaks Ltd",
                                   "account_number": "DE02 1203 0000", "instructions": "Thank you."})
            self.assertEqual(saved.status, 200, saved)
            self.assertIn("bank_transfer", offered())
            made = site.book(trip, DAY, payment_gateway="bank_transfer")
            self.assertEqual((made.status, made.data["next"]["type"]), (201, "offline"), made)
            for words in ("Thank you.", "First Bank", "Peaks Ltd", "DE02 1203 0000", made.data["reference"]):
                self.assertIn(words, made.data["payment_instructions"])
            # Under mode `online` what staff record does not confirm, so nothing else is promised.
            self.assertIn("We confirm your booking after", made.data["payment_instructions"])
            site.as_staff("PUT", "/settings", {"auto_confirm_mode": "all"})
            other = site.book(trip, DAY, "Bea", payment_gateway="bank_transfer")
            self.assertEqual(other.status, 201, other)
            site.check_invariants()

    def test_a_visitor_without_scripts_books_by_bank_transfer_and_reads_where_to_pay(self):
        with given_site(os.path.abspath(PRO)) as self.site:
            self.site.as_staff("POST", "/payment/gateways/bank_transfer/config",
                               {"enabled": True, "bank_name": "First Bank", "account_name": "Peaks Ltd", "account_number": "DE02 1203 0000"})
            browser, page = self.at_pay(self.given())
            self.assertRegex(page.text, r'name="payment_gateway" value="bank_transfer"')
            page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "bank_transfer"}, ("action", "book"))
            self.assertEqual((page.status, page.headings), (200, ["Thank you, we have your booking"]), page.text[:600])
            self.assertSound(page)
            for words in ("First Bank", "Peaks Ltd", "DE02 1203 0000", "to pay"):
                self.assertIn(words, page.text)
            self.site.check_invariants()

    def test_a_visitor_without_scripts_adds_extras_answers_the_trip_s_questions_and_pays_a_deposit(self):
        with given_site(os.path.abspath(PRO)) as self.site:
            given_license(self.site)
            for module in ("additional_services", "dynamic_form_field", "flexible_payments"):
                self.assertEqual(self.site.as_staff("POST", f"/modules/{module}/toggle", {"enabled": True}).status, 200)
            extra = {}
            for name, more in (("Transfer", {"price": 25, "price_per": "person", "max_quantity": 2}),
                               ("Insurance", {"price": 4, "price_type": "percentage"}), ("Guide", {"price": 40, "price_per": "day"}),
                               ("Kit", {"price": 30, "is_included": True}), ("Park fee", {"price": 7, "is_required": True, "price_per": "person"})):
                made = self.site.as_staff("POST", "/additional-services", {"name": name, "status": "publish", **more})
                extra[name] = f"s{made.data['id']}"
            trip = self.given(regular_price=100, deposit_percentage=25)
            third = [{"id": name, "type": "number", "label": name, "required": True, "width": "third"} for name in ("depth", "shoe", "weight")]
            saved = self.site.as_staff("PUT", "/settings/booking-form", {"traveler_form": {"fields": [], "conditions": [
                {"id": "c", "targets": {"trips": [trip["id"]]}, "title": "Diver", "description": "For your suits.", "fields": third}]}})
            self.assertEqual(saved.status, 200, saved)
            self.site.as_staff("POST", "/discounts", {"code": "TEN", "type": "percentage", "amount": 10, "status": "publish"})
            self.site.as_staff("PUT", "/settings", {"enable_deposit": True, "enable_tax": True, "tax_rate": 5})

            # The trip's page asks for date and party alone; what can be added comes before the details.
            browser = self.browser()
            page = browser.get("/trip/" + trip["slug"])
            page = browser.submit(page, page.form("date"), {"date": DAY, "travelers": 2})
            self.assertEqual((page.status, page.headings, page.address), (200, [trip["title"]], f"/book/{trip['slug']}#f-extras"))
            self.assertSound(page)
            form = page.form("_extras")
            asked = dict(form.fields)
            self.assertEqual((asked["date"], asked["travelers"]), (DAY, "2"))
            for words in ("USD 25 per person", "4 % of the price", "USD 40 per day", "Included", "USD 7 per person", "Part of every booking"):
                self.assertIn(words, page.text)
            # What is priced by day or person is ticked for all of it, unless there may be several for each.
            self.assertEqual({name for name in asked if name in extra.values()}, {extra[n] for n in ("Transfer", "Insurance")})
            self.assertIn(f'type="checkbox" name="{extra["Guide"]}" value="1"', page.text)
            self.assertIn("USD 40 per day, for all days", page.text)
            self.assertIn("USD 25 per person; 1 is one for each of you", page.text)
            self.assertRegex(page.text, f'name="{extra["Transfer"]}" min="0" max="2"')
            page = browser.submit(page, form, {extra["Transfer"]: 1})

            # The trip's condition gives the section its title, text and fields; the names of travelers stay.
            self.assertEqual(page.headings, ["Your details"])
            for words in ("<legend>Diver 1</legend>", "<legend>Diver 2</legend>", "For your suits.", "2 × Transfer, USD 25", "2 × Park fee, USD 7",
                          "<dt>1 × Kit</dt><dd>Included</dd>"):
                self.assertIn(words, page.text)
            asked = dict(page.form("contact_email").fields)
            self.assertIn("travelers.1.last_name", asked)
            self.assertNotIn("travelers.1.gender", asked)
            self.assertEqual(page.text.count('<div class="svc-third">'), 6)
            details = {name: value for name, value in {**DETAILS, **SECOND}.items() if name in asked}
            details |= {f"travelers.{n}.{name}": "9" for n in (1, 2) for name in ("depth", "shoe", "weight")}
            less = browser.submit(page, page.form("contact_email"), {**details, "travelers.2.shoe": ""})
            self.assertIn('id="e-travelers.2.shoe"', less.text)

            # The extras and the coupon stay when the checkout's session ends between the steps.
            browser.jar["svc_checkout"] = "x" * 43
            page = browser.submit(page, page.form("contact_email"), details)
            self.assertEqual(page.headings, ["Check and pay"])
            self.assertIn("2 × Transfer, USD 25", page.text)
            page = browser.submit(page, page.form("code"), {"code": "TEN"}, ("action", "coupon"))
            self.assertEqual(re.findall(r"<dt>Coupon TEN</dt><dd>([^<]*)</dd>", page.text), ["−USD 20.00"])
            self.assertAddsUp(page)
            total = re.search(r'data-total>USD ([0-9.]+)<', page.text)[1]
            self.assertRegex(page.text, r"USD [0-9.]+ by \w+ \d+ \w+, the rest of USD [0-9.]+ by")
            browser.jar["svc_checkout"] = "x" * 43
            page = browser.submit(page, page.form("special_requests"), {"payment_gateway": "deposit:pay_later"}, ("action", "book"))
            self.assertEqual((page.status, page.headings), (200, ["Thank you, we have your booking"]), page.text[:900])
            self.assertAddsUp(page)
            self.assertEqual(page.text.count("Coupon TEN"), 1)
            now, later = re.search(r"<dt>Due now</dt><dd>USD ([0-9.]+)</dd>.*<dt>The rest</dt><dd>USD ([0-9.]+), by", page.text, re.S).groups()
            self.assertEqual(f"{float(now) + float(later):.2f}", total)
            reference = re.search(r"SVC-[0-9A-Z]{8}", page.address)[0]
            booking = self.site.as_staff("GET", f"/bookings?search={reference}").data[0]
            whole = self.site.as_staff("GET", f"/bookings/{booking['id']}").data
            self.assertEqual((f"{whole['total']:.2f}", whole["discount_code"]), (total, "TEN"))
            self.assertEqual({one["name"]: one["quantity"] for one in whole["additional_services"]}, {"Transfer": 1, "Kit": 1, "Park fee": 1})
            self.site.check_invariants()

    def assertAddsUp(self, page):
        """The lines above a total are what it is the sum of."""
        found = re.search(r'<dl class="svc-lines">(.*?)<div class="svc-total"><dt>Total</dt><dd>USD ([0-9.]+)', page.text, re.S)
        self.assertTrue(found, page.text[page.text.find('svc-lines') - 100:][:3000])
        lines, total = found.groups()
        amounts = re.findall(r"<dd>(−?)USD ([0-9.]+)</dd>", lines)
        self.assertEqual(f"{sum(float(amount) * (-1 if sign else 1) for sign, amount in amounts):.2f}", total, lines)

    def test_the_licence_is_told_masked_and_to_staff_alone(self):
        with given_site(os.path.abspath(PRO)) as site:
            self.assertEqual(site.call("GET", "/license").status, 401)
            told = site.as_staff("GET", "/license")
            self.assertEqual((told.status, told.data["is_pro"]), (200, True), told)
            key = "SVC-AAAA-BBBB-CCCC-1234567890"
            site.as_staff("POST", "/license/activate", {"license_key": key})  # its server is not to be reached here
            self.assertNotIn(key, site.as_staff("GET", "/license").text)

    def test_the_operator_evaluates_pro_once_beside_a_running_server(self):
        with given_site(os.path.abspath(PRO)) as site:
            told = site.run("license", "evaluate")
            self.assertIn("on: scheduled_payments\n", told)  # which needs another one

            def off():
                return [module["slug"] for module in site.as_staff("GET", "/modules").data
                        if module["is_available"] and not module["enabled"]]

            for _ in range(600):  # another process's modules are seen within a second
                if not off():
                    break
                time.sleep(0.05)
            self.assertEqual(off(), [])
            self.assertEqual(site.as_staff("GET", "/additional-services").status, 200)
            license = site.as_staff("GET", "/license").data
            self.assertEqual((license["license_info"]["status"], license["license_info"]["plan"]["name"]),
                             ("active", "Evaluation"))
            self.assertIn(license["evaluation"]["ends_at"], told)
            again = site.as_staff("POST", "/license/evaluate")
            self.assertEqual((again.status, again.json["code"]), (409, "evaluation_used"))
            self.assertEqual(site.call("POST", "/license/evaluate").status, 401)
            with self.assertRaisesRegex(AssertionError, "cannot begin again"):
                site.run("license", "evaluate")

    def test_without_pro_there_is_nothing_to_evaluate(self):
        with given_site("none") as site, self.assertRaisesRegex(AssertionError, "svc: Pro is not installed"):
            site.run("license", "evaluate")

    def test_without_pro_the_base_serves(self):
        with given_site("none") as site:
            self.assertEqual(edition(site), "base")
            self.assertEqual(site.as_staff("GET", "/license").status, 404)
            self.assertEqual(site.book(site.given_trip()["id"], DAY).status, 201)

    def test_with_a_broken_library_the_base_serves_on_and_says_why(self):
        with given_site("none") as site:
            trip = site.given_trip()["id"]
            bytes_of_pro = pathlib.Path(PRO).read_bytes()
            for name, content in (("text.so", b"this is no library\n"), ("empty.so", b""),
                                  ("cut.so", bytes_of_pro[:len(bytes_of_pro) // 2]), ("head.so", bytes_of_pro[:64])):
                with self.subTest(name):
                    broken = site.dir / name
                    broken.write_bytes(content)
                    site.environment["SVC_PRO_LIBRARY"] = str(broken)
                    site.servers.pop().__exit__()
                    site.start()
                    site.servers[-1].heard("goes on without Pro")
                    self.assertEqual(edition(site), "base")
                    self.assertEqual(site.book(trip, DAY).status, 201)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
