"""One booking, end to end, over a real socket: what staff and a visitor do on the first day.

main_job_test.py SVC DATABASE
"""
import datetime
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site, filled_in  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()


class MainJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = Site(SVC, DATABASE)
        cls.site = cls.stack.__enter__()

    @classmethod
    def tearDownClass(cls):
        try:
            cls.site.check_invariants()
        finally:
            cls.stack.__exit__(None, None, None)

    def given_date(self, capacity=10, **trip):
        made = self.site.given_trip(**trip)
        return made["id"], self.site.given_departure(made["id"], DAY, capacity)["id"]

    def test_a_trip_is_made_published_and_seen(self):
        site = self.site
        made = site.as_staff("POST", "/trips", {"title": "Nile cruise", "summary": "Four days on the river.",
                                                "regular_price": 199.99, "duration": 4})
        self.assertEqual(made.status, 201, made)
        self.assertEqual(made.data["status"], "draft")
        self.assertEqual(site.call("GET", "/trips/public?search=Nile").json["meta"]["total"], 0)
        trip = site.as_staff("PUT", f"/trips/{made.data['id']}", {"status": "publish"})
        self.assertEqual(trip.status, 200, trip)
        listed = site.call("GET", "/trips/public?per_page=100")
        self.assertEqual(listed.status, 200)
        self.assertIn(made.data["id"], [row["id"] for row in listed.data])
        self.assertEqual(listed.headers["x-host-total"], str(listed.json["meta"]["total"]))
        self.assertIn("x-host-totalpages", listed.headers)

    def test_a_visitor_books_with_pay_later_and_reads_the_status_with_the_token_alone(self):
        site = self.site
        trip, departure = self.given_date(regular_price=199.99)
        dates = site.call("GET", f"/trips/{trip}/available-dates")
        self.assertEqual([(d["date"], d["available_capacity"]) for d in dates.data], [(DAY, 10)])
        session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY, "travelers": 2})
        self.assertEqual(session.status, 201, session)
        proof = {"X-Svc-Session": session.data["session_id"]}
        summary = site.call("GET", "/booking/summary", headers=proof)
        self.assertEqual(summary.status, 200, summary)
        self.assertIn('"final_total":399.98', summary.text.replace(" ", ""))
        made = site.call("POST", "/booking/create",
                         filled_in({"payment_gateway": "pay_later"}), proof)
        self.assertEqual(made.status, 201, made)
        self.assertRegex(made.data["reference"], r"^SVC-[0-9A-HJKMNP-TV-Z]{8}$")
        self.assertEqual((made.data["status"], made.data["payment_status"]), ("pending", "pending"))
        status = f"/payment/status/{made.data['booking_id']}"
        self.assertEqual(site.call("GET", status).status, 401)
        self.assertEqual(site.call("GET", status, headers={"X-Svc-Booking-Token": "x" * 43}).status, 403)
        told = site.call("GET", f"{status}?booking_token={made.data['booking_token']}")
        self.assertEqual(told.status, 200, told)
        self.assertEqual((told.data["amount_due"], told.data["amount_paid"], told.data["payment"]), (399.98, 0, None))
        self.assertEqual([told.data[name] for name in ("amount", "gateway", "transaction_id", "created_at")], [None] * 4)
        paid = site.as_staff("POST", "/payments", {"booking_id": made.data["booking_id"], "amount": 99.98,
                                                   "gateway": "pay_later", "transaction_id": "T-1",
                                                   "status": "completed"})
        self.assertEqual(paid.status, 201, paid)
        told = site.call("GET", f"{status}?booking_token={made.data['booking_token']}")
        self.assertEqual([told.data[name] for name in ("amount", "gateway", "transaction_id", "created_at")],
                         [99.98, "pay_later", "T-1", paid.data["created_at"]])
        whole = site.as_staff("GET", f"/bookings/{made.data['booking_id']}").data
        self.assertEqual(whole["meta"]["terms_accepted_at"], whole["terms_accepted_at"])
        self.assertEqual((whole["meta"]["cancelled_via"], whole["meta"]["expired_at"]), (None, None))
        self.assertEqual(site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data["booked_count"], 2)
        self.assertEqual(site.call("GET", f"/trips/{trip}/available-dates").data[0]["available_capacity"], 8)

    def test_the_same_session_makes_one_booking(self):
        site = self.site
        trip, departure = self.given_date()
        session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY}).data["session_id"]
        form = filled_in({"session_id": session})
        first, second = site.call("POST", "/booking/create", form), site.call("POST", "/booking/create", form)
        self.assertEqual((first.status, second.status), (201, 200))
        self.assertEqual(first.data["reference"], second.data["reference"])
        self.assertEqual(site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data["booked_count"], 1)

    def test_an_idempotency_key_makes_a_repeat_the_same_answer(self):
        site = self.site
        trip, _ = self.given_date()
        session = site.call("POST", "/booking/session", {"trip_id": trip, "travel_date": DAY}).data["session_id"]
        form = filled_in({"session_id": session})
        key = {"Idempotency-Key": "one-booking-please"}
        first, second = (site.call("POST", "/booking/create", form, key) for _ in range(2))
        self.assertEqual(first.status, 201, first)
        self.assertEqual((second.status, second.text), (201, first.text))
        other = site.call("POST", "/booking/create", {**form, "contact_first_name": "Eve"}, key)
        self.assertEqual(other.status, 422, other)

    def test_staff_find_settle_and_cancel(self):
        site = self.site
        trip, departure = self.given_date(regular_price=80)
        made = site.book(trip, DAY, "Grace")
        self.assertEqual(made.status, 201, made)
        number, reference = made.data["booking_id"], made.data["reference"]
        for words in (reference, reference.lower(), "Grace", "lovelace", "grace@example"):
            found = site.as_staff("GET", f"/bookings?search={words}&per_page=100")
            self.assertIn(number, [row["id"] for row in found.data], words)
        self.assertEqual(site.as_staff("GET", "/bookings?search=100%25").json["meta"]["total"], 0)

        part = site.as_staff("POST", "/payments", {"booking_id": number, "amount": 30, "gateway": "cash",
                                                   "status": "completed"})
        self.assertEqual(part.status, 201, part)
        self.assertEqual(site.as_staff("GET", f"/bookings/{number}").data["payment_status"], "partial")
        rest = site.as_staff("POST", "/payments", {"booking_id": number, "amount": 50, "gateway": "cash",
                                                   "status": "completed", "transaction_id": "T-" + reference})
        self.assertEqual(rest.status, 201, rest)
        settled = site.as_staff("GET", f"/bookings/{number}").data
        # Money that staff record settles the booking; under mode `online` confirming it stays theirs.
        self.assertEqual((settled["payment_status"], settled["amount_due"], settled["status"]), ("paid", 0, "pending"))
        again = site.as_staff("POST", "/payments", {"booking_id": number, "amount": 50, "gateway": "cash",
                                                    "transaction_id": "T-" + reference})
        self.assertEqual(again.json["code"], "duplicate_transaction")

        for _ in range(2):
            ended = site.as_staff("PUT", f"/bookings/{number}/status", {"status": "cancelled"})
            self.assertEqual(ended.status, 200, ended)
        self.assertEqual(site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data["booked_count"], 0)

    def test_auto_confirm_mode_all_confirms_what_staff_record(self):
        site = self.site
        trip, _ = self.given_date(regular_price=80)
        number = site.book(trip, DAY, "Mary").data["booking_id"]
        self.assertEqual(site.as_staff("PUT", "/settings", {"auto_confirm_mode": "all"}).status, 200)
        try:
            site.as_staff("POST", f"/bookings/{number}/payments",
                          {"amount": 80, "gateway": "cash", "status": "completed"})
            self.assertEqual(site.as_staff("GET", f"/bookings/{number}").data["status"], "confirmed")
        finally:
            site.as_staff("PUT", "/settings", {"auto_confirm_mode": "online"})

    def test_unknown_booking_unknown_status_and_wrong_amount_are_400_with_the_field(self):
        site = self.site
        trip, _ = self.given_date()
        number = site.book(trip, DAY, "Joan").data["booking_id"]
        for body, field in (({"booking_id": 99999999, "amount": 1, "gateway": "cash"}, "booking_id"),
                            ({"booking_id": number, "amount": 1, "gateway": "cash", "status": "partial"}, "status"),
                            ({"booking_id": number, "amount": 0, "gateway": "cash"}, "amount"),
                            ({"booking_id": number, "gateway": "cash"}, "amount"),
                            ({"booking_id": number, "amount": 1, "gateway": "cash", "currency": "EUR"}, "currency")):
            answer = site.as_staff("POST", "/payments", body)
            self.assertEqual((answer.status, answer.json["data"]["field"]), (400, field), answer)

    def test_a_trashed_booking_frees_its_seat_and_takes_it_again_when_restored(self):
        site = self.site
        trip, departure = self.given_date(capacity=1)
        first = site.book(trip, DAY, "Ann").data["booking_id"]
        self.assertEqual(site.book(trip, DAY, "Bea").json["code"], "sold_out")
        self.assertEqual(site.as_staff("DELETE", f"/bookings/{first}").status, 200)
        second = site.book(trip, DAY, "Cat")
        self.assertEqual(second.status, 201, second)
        refused = site.as_staff("POST", f"/bookings/{first}/restore")
        self.assertEqual((refused.status, refused.json["code"]), (409, "sold_out"))
        site.as_staff("PUT", f"/bookings/{second.data['booking_id']}/status", {"status": "cancelled"})
        self.assertEqual(site.as_staff("POST", f"/bookings/{first}/restore").data["status"], "pending")
        self.assertEqual(site.as_staff("GET", f"/trips/{trip}/departures/{departure}").data["booked_count"], 1)

    def test_discovery_openapi_docs_and_the_route_list_tell_the_same_routes(self):
        site = self.site
        discovered = site.call("GET", "/").json
        self.assertEqual(discovered["namespace"], "svc/v1")
        listed = {tuple(line.split()[:2]) for line in site.run("routes").splitlines()}
        told = {(m, path) for path, entry in discovered["routes"].items() for m in entry["methods"]}
        self.assertTrue(told <= listed)
        document = site.call("GET", "/openapi.json").json
        self.assertEqual(document["openapi"], "3.1.0")
        self.assertEqual({(m.upper(), p) for p, ops in document["paths"].items() for m in ops}, told)
        # Linked in the admin's system status.
        status, _, notices = site.servers[0].ask("/svc-assets/admin/third-party.txt")[:3]
        self.assertEqual(status, 200)
        self.assertIn("preact ", notices)
        page = site.call("GET", "/docs").text
        for _, path in told:
            self.assertIn(path.replace("&", "&amp;"), page)
        print(f"routes: {len(told)}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
