"""Checkout and the staff's bookings as a stranger asks for them who has read names and rules and nothing else.

checkout_test.py SVC DATABASE
"""
import datetime
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Answer, Site, filled_in  # noqa: E402
from paypal_stub import PayPalStub  # noqa: E402

SVC, DATABASE = sys.argv[1:3]


def day(number):
    return (datetime.date.today() + datetime.timedelta(days=number)).isoformat()


class Checkout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE, environment={"SVC_PRO_LIBRARY": "none"}).__enter__()
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0})
        cls.site.as_staff("POST", "/payment/gateways/paypal/config", {
            "enabled": True, "client_id": PayPalStub.CLIENT, "client_secret": PayPalStub.SECRET})
        cls.trip = cls.site.given_trip(regular_price=100)["id"]

    @classmethod
    def tearDownClass(cls):
        cls.site.check_invariants()
        cls.site.__exit__(None, None, None)

    def session(self):
        opened = self.site.call("POST", "/booking/session", {"trip_id": self.trip, "travel_date": day(40)})
        self.assertEqual(opened.status, 201, opened)
        return opened.data["session_id"]

    def create(self, **more):
        return self.site.call("POST", "/booking/create", filled_in({"session_id": self.session(), **more}))

    def made_by_staff(self, **more):
        return self.site.as_staff("POST", "/bookings", {
            "trip_id": self.trip, "travel_date": day(50), "traveler_count": 1, "contact_first_name": "Ada",
            "contact_email": "ada@example.org", **more})

    def test_answers_to_the_operators_own_fields_go_by_the_names_that_errors_give_them(self):
        form = {"contact_form": {"fields": [{"id": "hotel", "type": "text", "required": True}]},
                "emergency_contact_form": {"fields": [{"id": "doctor", "type": "text", "required": True}]}}
        self.assertEqual(self.site.as_staff("PUT", "/settings/booking-form", form).status, 200)
        self.addCleanup(self.site.as_staff, "PUT", "/settings/booking-form", {})
        missed = self.create()
        self.assertEqual(sorted(missed.json["data"]["errors"]), ["contact_hotel", "emergency_doctor"], missed)
        made = self.create(contact_hotel="Ritz", emergency_doctor="Who")
        self.assertEqual(made.status, 201, made)
        kept = self.site.as_staff("GET", f"/bookings/{made.data['booking_id']}").data
        self.assertEqual((kept["contact_data"]["hotel"], kept["emergency_contact"]["doctor"]), ("Ritz", "Who"))
        self.assertNotIn("first_name", kept["contact_data"])
        self.assertEqual(self.create(contact_hotel=["Ritz"], emergency_doctor="Who").json["data"]["field"],
                         "contact_hotel")

    def test_who_has_booked_with_an_online_gateway_is_told_to_ask_for_a_charge(self):
        def next_of(answer):
            self.assertEqual(answer.status, 201, answer)
            return answer.data["next"]["type"]

        self.assertEqual(next_of(self.create(payment_gateway="paypal")), "intent")
        self.assertNotEqual(next_of(self.create(payment_gateway="pay_later")), "intent")
        free = {"code": "FREE", "type": "percentage", "amount": 100, "status": "publish"}
        self.assertEqual(self.site.as_staff("POST", "/discounts", free).status, 201)
        self.assertEqual(next_of(self.create(payment_gateway="paypal", coupon_code="FREE")), "done")

    def test_a_code_that_staff_give_counts_by_either_of_its_names(self):
        code = {"code": "TENTH", "type": "percentage", "amount": 10, "status": "publish"}
        self.assertEqual(self.site.as_staff("POST", "/discounts", code).status, 201)
        for name in ("discount_code", "coupon_code"):
            made = self.made_by_staff(**{name: "tenth"})
            self.assertEqual((made.status, made.data["discount_code"], made.data["total"]), (201, "TENTH", 90), made)
            refused = self.made_by_staff(**{name: "NOPE"})
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, name), refused)

    def test_what_was_made_is_found_where_location_says(self):
        made = self.made_by_staff()
        found = Answer(*self.site.servers[0].ask(made.headers["location"], "GET", None, self.site.staff))
        self.assertEqual((found.status, found.data["id"]), (200, made.data["id"]), found)

    def test_a_session_is_named_in_the_body_of_every_method(self):
        session = self.session()
        self.assertEqual(self.site.call("DELETE", "/booking/coupons", {"session_id": session}).status, 200)
        self.assertEqual(self.site.call("DELETE", "/booking/session", {"session_id": session}).status, 200)
        self.assertEqual(self.site.call("GET", f"/booking/session?session_id={session}").status, 404)

    def test_on_hold_may_be_written_with_an_underscore_wherever_a_status_is(self):
        made = self.made_by_staff(status="on_hold")
        self.assertEqual((made.status, made.data["status"]), (201, "on-hold"), made)
        path = f"/bookings/{made.data['id']}"
        self.assertEqual(self.site.as_staff("PUT", path, {"status": "pending"}).data["status"], "pending")
        self.assertEqual(self.site.as_staff("PUT", path, {"status": "on_hold"}).data["status"], "on-hold")
        listed = self.site.as_staff("GET", "/bookings?status=on_hold")
        self.assertIn(made.data["id"], [one["id"] for one in listed.data], listed)

    def test_staff_who_make_a_booking_are_answered_all_of_it_and_so_are_repeats(self):
        key = {"Idempotency-Key": "checkout-test-one"}
        wanted = {"trip_id": self.trip, "travel_date": day(60), "traveler_count": 1, "contact_first_name": "Ada",
                  "contact_email": "ada@example.org", "total": 80, "amount_paid": 30}
        made, again = (self.site.as_staff("POST", "/bookings", wanted, key) for _ in range(2))
        self.assertEqual((made.status, again.status), (201, 201), made)
        read = self.site.as_staff("GET", f"/bookings/{made.data['id']}").data
        self.assertEqual(made.data, read)
        self.assertEqual(again.data, read)
        self.assertEqual([one["amount"] for one in made.data["payments"]], [30])

    def attention(self, booking):
        now = self.site.as_staff("GET", f"/bookings/{booking}").data
        return now["needs_attention"], now["attention_reason"]

    def test_a_booking_wants_attention_until_somebody_has_looked_or_the_cause_is_gone(self):
        booking = self.made_by_staff().data["id"]
        paid = self.site.as_staff("POST", f"/bookings/{booking}/payments",
                                  {"amount": 130, "gateway": "cash", "status": "completed"})
        self.assertEqual(self.attention(booking), (True, "overpaid"))
        back = self.site.as_staff("POST", f"/payments/{paid.data['id']}/refunds", {"amount": 30})
        self.assertEqual(back.status, 201, back)
        self.assertEqual(self.attention(booking), (False, None))
        self.site.as_staff("PUT", f"/bookings/{booking}", {"total": 90})
        self.assertEqual(self.attention(booking), (True, "overpaid"))
        self.site.as_staff("PUT", f"/bookings/{booking}", {"total": 120})
        self.assertEqual(self.attention(booking), (False, None))
        self.site.as_staff("PUT", f"/payments/{paid.data['id']}", {"notes": "counted"})
        self.site.as_staff("PUT", f"/bookings/{booking}", {"total": 50})
        looked = self.site.as_staff("PUT", f"/bookings/{booking}", {"needs_attention": False})
        self.assertEqual((looked.status, looked.data["needs_attention"]), (200, False), looked)
        self.assertEqual(self.attention(booking), (False, None))

    def test_the_mail_of_a_payment_sent_again_is_the_one_of_a_part_while_something_is_owed(self):
        self.site.as_staff("PUT", "/settings", {"email_template_partial_payment": True})
        self.addCleanup(self.site.as_staff, "PUT", "/settings", {"email_template_partial_payment": False})
        booking = self.made_by_staff().data["id"]

        def sent_again_after(amount):
            self.site.as_staff("POST", f"/bookings/{booking}/payments",
                               {"amount": amount, "gateway": "cash", "status": "completed"})
            return self.site.as_staff("POST", f"/bookings/{booking}/email", {"type": "payment_confirmation"}).data["template"]

        self.assertEqual(sent_again_after(40), "partial_payment_received")
        self.assertEqual(sent_again_after(60), "payment_received")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
