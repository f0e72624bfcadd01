"""Departures at their edges, as staff and visitors meet them by request: last days of the calendar, versions, overbooked
and sold-out dates, and who is served from the waitlist.

departures_test.py SVC DATABASE
"""
import base64
import datetime
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site, filled_in  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = datetime.date.today() + datetime.timedelta(days=40)
DAYS = iter(range(1, 1000))


def another_day():
    return (DAY + datetime.timedelta(days=next(DAYS))).isoformat()


class Departures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE).__enter__()
        cls.site.as_staff("PUT", "/settings", {"public_rate_limit": 0, "unproven_mails_per_hour": 0, "api_rate_limit": 0, "unpaid_seats_share": 100})

    @classmethod
    def tearDownClass(cls):
        cls.site.check_invariants()
        cls.site.__exit__(None, None, None)

    def staff(self, method, path, body=None, status=200, **more):
        answer = self.site.as_staff(method, path, body, **more)
        self.assertEqual(answer.status, status, answer)
        return answer

    def asks(self, trip, date, travelers=1, name="Ada", **fields):
        session = self.site.call("POST", "/booking/session",
                                 {"trip_id": trip, "travel_date": date, "travelers_count": travelers})
        return self.site.call("POST", "/booking/create", filled_in(
            {"session_id": session.data["session_id"], "contact_first_name": name, "payment_gateway": "pay_later",
             "contact_email": f"{name.lower()}@example.org", **fields})) if session.status == 201 else session

    def books(self, *words, **fields):
        made = self.asks(*words, **fields)
        self.assertEqual(made.status, 201, made)
        return made.data["booking_id"]

    def status(self, booking):
        return self.staff("GET", f"/bookings/{booking}").data["status"]

    def dates(self, trip):
        return self.site.call("GET", f"/trips/{trip}/available-dates").data

    def test_a_season_is_what_its_dates_cost_unless_they_have_a_price_of_their_own(self):
        trip = self.site.given_trip(regular_price=100)["id"]
        before, first, own, last, after = sorted(another_day() for _ in range(5))
        season = {"from": first, "to": last, "regular_price": 150, "seats": 6, "note": "high"}
        self.assertEqual(self.site.call("PUT", f"/trips/{trip}", {"seasons": [season]}).status, 401)
        self.staff("PUT", f"/trips/{trip}", {"seasons": [season]})
        refused = self.staff("PUT", f"/trips/{trip}", {"seasons": [season, {"from": last, "to": after}]}, 409)
        self.assertEqual(refused.json["data"]["field"], "seasons.1.from")
        refused = self.staff("PUT", f"/trips/{trip}", {"seasons": [{**season, "from": after}]}, 400)
        self.assertEqual(refused.json["data"]["field"], "seasons.0.from")
        self.staff("POST", "/availability", {"trip_id": trip, "departure_date": own, "seats_total": 4, "original_price": 190}, 201)
        rule = {"trip_id": trip, "rule_type": "weekly", "days_of_week": list(range(7)), "start_date": datetime.date.today().isoformat()}
        self.staff("POST", "/recurring-availability", rule, 201)
        listed = {date["date"]: date for date in self.dates(trip)}
        costs = {before: 100, first: 150, own: 190, last: 150, after: 100}
        self.assertEqual({day: listed[day]["price"] for day in costs}, costs)
        self.assertEqual([listed[day]["max_capacity"] for day in (before, first, own)], [20, 6, 4])
        for day, price in costs.items():
            with self.subTest(day):
                booked = self.books(trip, day, travelers=2)
                self.assertEqual(self.staff("GET", f"/bookings/{booked}").data["total"], 2 * price)
        shown = self.site.call("GET", f"/trips/public/{self.staff('GET', f'/trips/{trip}').data['slug']}")
        self.assertEqual([one["regular_price"] for one in shown.data["seasons"]], [150])
        self.assertNotIn("note", shown.data["seasons"][0])

    def test_lists_may_be_asked_up_to_the_last_day_of_the_calendar(self):
        trip = self.site.given_trip()["id"]
        self.site.given_departure(trip, another_day(), 4)
        for path in ("/departures", f"/trips/{trip}/departures", "/bookings", "/payments", f"/trips/{trip}/departures/past",
                     f"/availability?trip_id={trip}"):
            more = "&" if "?" in path else "?"
            self.staff("GET", f"{path}{more}from=0001-01-01&to=9999-12-31")

    def test_a_change_for_another_version_is_refused_whichever_way_it_is_named(self):
        trip, day = self.site.given_trip()["id"], another_day()
        departure = self.site.given_departure(trip, day, 4)["id"]
        rule = self.staff("POST", "/recurring-availability",
                          {"trip_id": trip, "rule_type": "weekly", "days_of_week": [1],
                           "start_date": datetime.date.today().isoformat()}, 201).data["id"]
        booking = self.books(trip, day)
        for path, body in ((f"/trips/{trip}/departures/{departure}", {"notes": "x"}), (f"/availability/{departure}", {
                "special_notes": "x"}), (f"/recurring-availability/{rule}", {"name": "x"}),
                (f"/trips/{trip}/recurring-rules/{rule}", {"max_capacity": 9}), (f"/bookings/{booking}", {
                    "internal_notes": "x"})):
            with self.subTest(path):
                for tag in ('"999"', "999", '"999", "998"'):
                    refused = self.site.as_staff("PUT", path, body, {"If-Match": tag})
                    self.assertEqual((refused.status, refused.json["code"]), (409, "svc_conflict"), refused)
                version = self.staff("GET", path).data.get("row_version") or 1
                self.staff("PUT", path, body, headers={"If-Match": f'"999", "{version}"'})
                self.staff("PUT", path, body, headers={"If-Match": "*"})

    def test_where_overbooking_is_allowed_staff_overbook_and_visitors_do_not(self):
        trip, day = self.site.given_trip()["id"], another_day()
        departure = self.site.given_departure(trip, day, 2, capacity_override=True)["id"]
        first = self.books(trip, day, 2)
        self.assertEqual(self.asks(trip, day).json["code"], "sold_out")
        self.staff("POST", "/bookings", filled_in({"trip_id": trip, "travel_date": day, "travelers_count": 1,
                                                   "contact_email": "by.staff@example.org"}), 201)
        self.staff("PUT", f"/bookings/{first}", {"traveler_count": 3})
        self.assertEqual(self.staff("GET", f"/availability/{departure}").data["booked_seats"], 4)
        row = next(each for each in self.dates(trip) if each["date"] == day)
        self.assertEqual((row["available_capacity"], row["status"], row["is_full"]), (0, "sold_out", True))

    def test_a_booking_out_of_the_trash_may_be_forced_onto_a_full_date(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 1)
        gone = self.books(trip, day)
        self.staff("DELETE", f"/bookings/{gone}")
        self.books(trip, day)
        self.assertEqual(self.site.as_staff("POST", f"/bookings/{gone}/restore").json["code"], "sold_out")
        self.staff("POST", f"/bookings/{gone}/restore", {"force": True})
        self.assertEqual(self.status(gone), "pending")

    def test_one_can_wait_as_long_as_there_is_room_to_wait(self):
        trip, day = self.site.given_trip(waitlist_capacity=1)["id"], another_day()
        self.site.given_departure(trip, day, 2)
        self.books(trip, day, 2)
        can_wait = lambda: next(each["waitlist"] for each in self.dates(trip) if each["date"] == day)  # noqa: E731
        self.assertTrue(can_wait())
        self.assertEqual(self.asks(trip, day, 3, join_waitlist=True).json["data"]["waitlist"], False)
        waits = self.books(trip, day, join_waitlist=True)
        self.assertFalse(can_wait())
        refused = self.asks(trip, day, join_waitlist=True)
        self.assertEqual((refused.status, refused.json["data"]["waitlist"]), (409, False), refused)
        self.staff("PUT", f"/bookings/{waits}/status", {"status": "cancelled"})
        self.assertTrue(can_wait())

    def test_who_stands_behind_is_served_when_the_head_that_did_not_fit_leaves(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 3)
        self.books(trip, day, 2)
        one = self.books(trip, day, 1)
        head, behind = self.books(trip, day, 2, join_waitlist=True), self.books(trip, day, 1, join_waitlist=True)
        self.staff("PUT", f"/bookings/{one}/status", {"status": "cancelled"})
        self.assertEqual((self.status(head), self.status(behind)), ("waitlist", "waitlist"))
        self.staff("PUT", f"/bookings/{head}/status", {"status": "cancelled"})
        self.assertEqual(self.status(behind), "pending")

    def test_nobody_is_given_seats_of_a_trip_that_is_not_sold_any_more(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 1)
        holds, waits = self.books(trip, day), self.books(trip, day, join_waitlist=True)
        self.staff("PUT", f"/trips/{trip}", {"status": "draft"})
        self.staff("PUT", f"/bookings/{holds}/status", {"status": "cancelled"})
        self.assertEqual(self.status(waits), "waitlist")

    def test_the_mail_that_offers_seats_has_the_bookings_link_by_which_they_are_paid_or_declined(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 1)
        holds, waits = self.books(trip, day), self.books(trip, day, name="Waiter", join_waitlist=True)
        self.staff("PUT", f"/bookings/{holds}/status", {"status": "cancelled"})
        of_waiter = " WHERE to_email = 'waiter@example.org'"
        for _ in range(1200):
            self.site.open_mails()
            texts = self.site.sql("SELECT REPLACE(body_html, char(10), ' ') FROM svc_email_outbox" + of_waiter if DATABASE == "sqlite"
                                  else "SELECT REPLACE(body_html, chr(10), ' ') FROM svc_email_outbox" + of_waiter)
            link = next((found for each in texts if (found := re.search(
                r'href="([^"]*booking_token=([^"&]+))"', "|".join(each)))), None)
            if link:
                break
            time.sleep(0.05)
        token = link[2]
        read = self.site.call("GET", f"/payment/status/{waits}?booking_token={token}")
        self.assertEqual((read.status, read.data["status"]), (200, "pending"), read)
        self.assertEqual(self.site.call("GET", f"/payment/status/{holds}?booking_token={token}").status, 403)
        opened = self.site.call("POST", "/booking/open", {"link": token})
        self.assertEqual((opened.status, bool(opened.data["booking_token"])), (200, True), opened)
        self.staff("POST", "/payments", {"booking_id": waits, "amount": 40, "status": "completed", "method": "pay_later"}, 201)
        self.assertEqual(self.site.call("GET", f"/payment/status/{waits}?booking_token={token}").status, 200)

    def test_too_many_people_are_told_so_before_seats_are_looked_at(self):
        trip, day = self.site.given_trip(max_travelers=4)["id"], another_day()
        self.site.given_departure(trip, day, 3)
        refused = self.asks(trip, day, 5)
        self.assertEqual((refused.status, refused.json["code"]), (400, "group_size"), refused)
        self.assertEqual(refused.json["data"]["field"], "travelers_count")

    def test_a_booking_for_any_time_knows_the_time_that_it_was_given(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 3, time="09:00")
        self.assertEqual(self.staff("GET", f"/bookings/{self.books(trip, day)}").data["departure_time"], "09:00")

    def test_a_departure_in_place_of_a_rules_date_has_its_seats_unless_told(self):
        trip = self.site.given_trip(max_travelers=6)["id"]
        self.staff("POST", "/recurring-availability",
                   {"trip_id": trip, "rule_type": "weekly", "days_of_week": [0, 1, 2, 3, 4, 5, 6], "seats_total": 13,
                    "start_date": datetime.date.today().isoformat()}, 201)
        made = self.staff("POST", f"/trips/{trip}/departures", {"start_date": another_day()}, 201).data
        self.assertEqual(made["max_capacity"], 13)
        self.assertEqual(self.staff("POST", f"/trips/{trip}/departures",
                                    {"start_date": another_day(), "max_capacity": 5}, 201).data["max_capacity"], 5)

    def test_lists_of_dates_on_sale_and_rules_take_a_period(self):
        trip = self.site.given_trip()["id"]
        first, second = another_day(), another_day()
        self.site.given_departure(trip, first, 3)
        self.site.given_departure(trip, second, 3)
        found = self.staff("GET", f"/availability?trip_id={trip}&from={second}&to={second}").data
        self.assertEqual([each["departure_date"] for each in found], [second])
        self.staff("POST", "/recurring-availability", {"trip_id": trip, "rule_type": "weekly", "days_of_week": [1],
                                                       "start_date": first, "end_date": second}, 201)
        rules = f"/recurring-availability?trip_id={trip}"
        self.assertEqual(self.staff("GET", f"{rules}&from={second}").json["meta"]["total"], 1)
        self.assertEqual(self.staff("GET", f"{rules}&from=2099-01-01").json["meta"]["total"], 0)
        for path in (f"/availability?trip_id={trip}", rules):
            refused = self.site.as_staff("GET", f"{path}&from=2026-02-30")
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "from"), refused)

    def test_a_list_of_nothing_has_no_page_and_rows_are_whole(self):
        empty = self.staff("GET", "/departures?search=nosuchthing")
        self.assertEqual(empty.json["meta"]["total_pages"], 0)
        self.assertEqual(empty.headers["x-host-totalpages"], "0")
        trip = self.site.given_trip()["id"]
        self.site.given_departure(trip, another_day(), 3)
        row, = self.staff("GET", f"/trips/{trip}/departures").data
        self.assertEqual(row["travelers"], [])

    def test_a_preview_for_no_trip_names_the_field(self):
        refused = self.site.as_staff("POST", "/recurring-availability/preview",
                                     {"trip_id": 99999, "rule_type": "weekly", "days_of_week": [1],
                                      "start_date": datetime.date.today().isoformat()})
        self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "trip_id"), refused)

    def test_a_booking_that_is_forced_opens_the_departure_to_nobody_else(self):
        trip, day = self.site.given_trip()["id"], another_day()
        departure = self.site.given_departure(trip, day, 1)["id"]
        gone = self.books(trip, day)
        self.staff("DELETE", f"/bookings/{gone}")
        held = self.books(trip, day)
        self.staff("POST", f"/bookings/{gone}/restore", {"force": True})
        by_staff = filled_in({"trip_id": trip, "travel_date": day, "travelers_count": 1, "contact_email": "desk@example.org"})
        self.assertEqual(self.site.as_staff("POST", "/bookings", by_staff).json["code"], "sold_out")
        shown = self.staff("GET", f"/trips/{trip}/departures/{departure}").data
        self.assertEqual((shown["booked_count"], shown["capacity_override"]), (2, False))
        self.staff("PUT", f"/trips/{trip}/departures/{departure}", {"notes": "as it is"})
        refused = self.site.as_staff("PUT", f"/availability/{departure}", {"capacity_override": False, "seats_total": 1})
        self.assertEqual(refused.status, 200, refused)
        self.staff("PUT", f"/bookings/{held}/status", {"status": "cancelled"})
        self.assertEqual(self.site.as_staff("POST", "/bookings", by_staff).json["code"], "sold_out")
        self.staff("PUT", f"/trips/{trip}/departures/{departure}", {"max_capacity": 2})
        self.staff("POST", "/bookings", by_staff, 201)

    def test_dates_of_a_deleted_rule_stay_where_they_are_booked_alone(self):
        trip = self.site.given_trip()["id"]
        days = [another_day() for _ in range(3)]
        rule = self.staff("POST", "/recurring-availability",
                          {"trip_id": trip, "rule_type": "interval", "interval_days": 1,
                           "start_date": datetime.date.today().isoformat()}, 201).data["id"]
        kept, left = self.books(trip, days[0]), self.books(trip, days[1])
        self.staff("PUT", f"/bookings/{left}/status", {"status": "cancelled"})
        self.staff("DELETE", f"/recurring-availability/{rule}")
        self.assertEqual([each["date"] for each in self.dates(trip)], [days[0]])
        self.assertEqual(self.status(kept), "pending")

    def test_a_cancelled_departure_is_reopened_by_a_status_alone_and_then_as_a_whole(self):
        trip, day = self.site.given_trip()["id"], another_day()
        departure = self.site.given_departure(trip, day, 2)["id"]
        booking = self.books(trip, day)
        one, sale = f"/trips/{trip}/departures/{departure}", f"/availability/{departure}"
        self.staff("PUT", one, {"status": "cancelled"})
        self.assertTrue(self.staff("GET", f"/bookings/{booking}").data["needs_attention"])
        for path, body in ((sale, {"is_blocked": False}), (one, {"sale_state": "open"})):
            self.staff("PUT", path, body)
            shown = self.staff("GET", one).data
            self.assertEqual((shown["status"], shown["sale_state"]), ("cancelled", "cancelled"), path)
        self.staff("PUT", one, {"status": "upcoming"})
        self.assertFalse(self.staff("GET", f"/bookings/{booking}").data["needs_attention"])
        self.staff("PUT", f"/bookings/{booking}/status", {"status": "cancelled"})
        self.staff("PUT", one, {"status": "cancelled"})
        self.staff("PUT", one, {"status": "trash"})
        self.staff("PUT", one, {"status": "upcoming"})
        shown = self.staff("GET", one).data
        self.assertEqual((shown["status"], shown["sale_state"]), ("upcoming", "open"))
        self.books(trip, day)

    def test_a_guide_sees_the_departures_that_are_theirs(self):
        self.site.run("user", "add", "guide", "--email", "guide@example.org", "--role", "guide", "--generate")
        password = self.site.run("password", "add", "guide", "--name", "tests").strip().splitlines()[-1]
        as_guide = {"Authorization": "Basic " + base64.b64encode(f"guide:{password}".encode()).decode()}
        (guide,), = self.site.sql("SELECT id FROM svc_users WHERE login = 'guide'")
        asks = lambda path: self.site.call("GET", path, headers=as_guide)  # noqa: E731
        trip = self.site.given_trip()["id"]
        mine = self.site.given_departure(trip, another_day(), 3, guide_user_id=int(guide))["id"]
        other = self.site.given_departure(trip, another_day(), 3)["id"]
        for path in (f"/trips/{trip}/departures", "/departures", "/departures/upcoming?per_page=100"):
            seen = [each["id"] for each in asks(path).data]
            self.assertEqual(seen, [mine], path)
        self.assertEqual(asks(f"/trips/{trip}/departures/{mine}").status, 200)
        self.assertEqual(asks(f"/trips/{trip}/departures/{other}").status, 404)

    def test_who_waits_again_has_the_old_place_and_there_must_be_room(self):
        trip, day = self.site.given_trip(waitlist_capacity=2)["id"], another_day()
        self.site.given_departure(trip, day, 1)
        holds = self.books(trip, day)
        first, second = self.books(trip, day, join_waitlist=True), self.books(trip, day, join_waitlist=True)
        self.staff("DELETE", f"/bookings/{first}")
        third = self.books(trip, day, join_waitlist=True)
        refused = self.site.as_staff("POST", f"/bookings/{first}/restore")
        self.assertEqual((refused.status, refused.json["code"]), (409, "sold_out"), refused)
        self.staff("PUT", f"/bookings/{third}/status", {"status": "cancelled"})
        self.staff("POST", f"/bookings/{first}/restore")
        self.staff("PUT", f"/bookings/{holds}/status", {"status": "cancelled"})
        self.assertEqual((self.status(first), self.status(second)), ("pending", "waitlist"))

    def test_who_waits_may_be_given_another_party_or_another_date_to_wait_for(self):
        trip, day, other = self.site.given_trip(waitlist_capacity=3)["id"], another_day(), another_day()
        self.site.given_departure(trip, day, 2)
        there = self.site.given_departure(trip, other, 2)["id"]
        holds = self.books(trip, day, 2)
        first, second = self.books(trip, day, join_waitlist=True), self.books(trip, day, join_waitlist=True)
        self.assertEqual(self.site.as_staff("PUT", f"/bookings/{first}", {"traveler_count": 3}).json["code"], "sold_out")
        self.staff("PUT", f"/bookings/{first}", {"traveler_count": 2})
        waiting = lambda date: next(each["waiting_count"] for each in self.staff(  # noqa: E731
            "GET", f"/trips/{trip}/departures").data if each["start_date"] == date)
        self.assertEqual(waiting(day), 3)
        moved = self.staff("PUT", f"/bookings/{second}", {"travel_date": other}).data
        self.assertEqual((moved["travel_date"], moved["status"], waiting(day), waiting(other)), (other, "waitlist", 2, 1))
        self.staff("PUT", f"/trips/{trip}/departures/{there}", {"max_capacity": 3})  # looks who waits, as the job does
        self.assertEqual(self.status(second), "pending")
        self.staff("PUT", f"/bookings/{holds}/status", {"status": "cancelled"})
        self.assertEqual(self.status(first), "pending")

    def test_seats_are_not_offered_beyond_the_start(self):
        trip = self.site.given_trip()["id"]
        day = (datetime.date.today() + datetime.timedelta(days=2)).isoformat()
        self.site.given_departure(trip, day, 1)
        self.staff("PUT", "/settings", {"waitlist_offer_hours": 96})
        holds, waits = self.books(trip, day), self.books(trip, day, join_waitlist=True)
        self.staff("PUT", f"/bookings/{holds}/status", {"status": "cancelled"})
        self.staff("PUT", "/settings", {"waitlist_offer_hours": 24})
        (ends,), = self.site.sql(f"SELECT offer_expires_at FROM svc_waitlist WHERE booking_id = {waits}")
        self.assertEqual(datetime.datetime.fromtimestamp(int(ends) / 1e6, datetime.timezone.utc).date().isoformat(), day)

    def test_the_last_day_of_booking_moves_with_the_departure(self):
        trip = self.site.given_trip()["id"]
        days = [datetime.date.fromisoformat(another_day()) for _ in range(3)]
        before = lambda day: (day - datetime.timedelta(days=3)).isoformat()  # noqa: E731
        departure = self.site.given_departure(trip, days[0].isoformat(), 3, cutoff_date=before(days[0]))["id"]
        copy = self.staff("POST", f"/availability/{departure}/duplicate", {"departure_date": days[1].isoformat()}, 201).data
        self.assertEqual(copy["cutoff_date"], before(days[1]))
        moved = self.staff("PUT", f"/trips/{trip}/departures/{departure}", {"start_date": days[2].isoformat()}).data
        self.assertEqual(moved["cutoff_date"], before(days[2]))

    def test_a_trip_that_a_query_names_and_that_there_is_not_is_a_fault_of_the_query(self):
        for path in ("/recurring-availability", "/recurring-availability/counts", "/availability/generated", "/availability"):
            refused = self.site.as_staff("GET", f"{path}?trip_id=99999")
            self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "trip_id"), path)

    def test_a_rule_stays_with_its_trip_and_a_lower_list_price_ends_its_sale(self):
        trip, other = self.site.given_trip()["id"], self.site.given_trip()["id"]
        rule = self.staff("POST", "/recurring-availability",
                          {"trip_id": trip, "rule_type": "weekly", "days_of_week": [1], "original_price": 100,
                           "sale_price": 80, "start_date": datetime.date.today().isoformat()}, 201).data["id"]
        refused = self.site.as_staff("PUT", f"/recurring-availability/{rule}", {"trip_id": other})
        self.assertEqual((refused.status, refused.json["data"]["field"]), (400, "trip_id"), refused)
        whole = lambda: self.staff("GET", f"/recurring-availability/{rule}").data  # noqa: E731
        for price, sale in ((90, 80), (70, None), (None, None)):
            self.staff("PUT", f"/trips/{trip}/recurring-rules/{rule}", {"base_price": price})
            self.assertEqual((whole()["original_price"], whole()["sale_price"]), (price, sale))

    def test_many_times_of_a_day_are_told_once_and_an_answer_that_is_cut_says_where_to_go_on(self):
        trip = self.site.given_trip()["id"]
        slots = [{"departure_time": f"{hour:02}:{minute:02}"} for hour in range(24) for minute in (0, 30)]
        self.staff("POST", "/recurring-availability",
                   {"trip_id": trip, "rule_type": "interval", "interval_days": 1, "time_slots": slots,
                    "start_date": datetime.date.today().isoformat()}, 201)
        answer = self.site.call("GET", f"/trips/{trip}/available-dates")
        rows = answer.data
        self.assertLess(len(answer.text), 700 * len(rows))
        day = rows[100]["date"]
        of_day = [each for each in rows if each["date"] == day]
        self.assertEqual([len(each["departure_times"]) for each in of_day], [48] + [0] * 47)
        self.assertGreaterEqual(len(rows), 10000)
        next_day = answer.json["meta"]["next_from_date"]
        self.assertEqual(datetime.date.fromisoformat(rows[-1]["date"]) + datetime.timedelta(days=1),
                         datetime.date.fromisoformat(next_day))
        rest = self.site.call("GET", f"/trips/{trip}/available-dates?from_date={next_day}")
        self.assertEqual(rest.data[0]["date"], next_day)
        self.assertIsNone(rest.json["meta"]["next_from_date"])
        cards = self.site.call("GET", f"/trips/{trip}/availability-template").data
        self.assertEqual(cards["total"], len(rows) + len(rest.data))

    def test_a_party_by_category_is_counted_as_a_whole(self):
        trip, day = self.site.given_trip()["id"], another_day()
        self.site.given_departure(trip, day, 5)
        asked = lambda query: self.site.call("GET", f"/trips/{trip}/date-pricing?date={day}&{query}")  # noqa: E731
        for few in ("traveler_counts[3]=2&traveler_counts[4]=3", "traveler_counts[]=2&traveler_counts[]=3", "travelers=5"):
            self.assertEqual(asked(few).data["status"], "available", few)
        for many in ("traveler_counts[3]=2&traveler_counts[4]=4", "traveler_counts[3]=6", "traveler_counts[]=6"):
            self.assertEqual(asked(many).data["status"], "sold_out", many)
        for wrong in ("traveler_counts[3]=x", "traveler_counts[3]=-1", "traveler_counts[3][4]=1", "traveler_counts=many"):
            refused = asked(wrong)
            self.assertEqual(refused.status, 400, wrong)
            self.assertTrue(refused.json["data"]["field"].startswith("traveler_counts"), refused)

    def test_a_calendar_tells_the_place_of_the_trip_and_that_a_trip_in_the_trash_is_off(self):
        trip = self.site.given_trip(title="Hills, woods; lakes", starting_location="Old pier, Bergen")["id"]
        self.site.given_departure(trip, another_day(), 3)
        path = re.sub(r"^.*/svc/v1", "", self.staff("POST", f"/trips/{trip}/departures/feed").data["url"])
        feed = self.site.call("GET", path).text
        self.assertIn("LOCATION:Old pier\\, Bergen", feed)
        self.assertIn("\r\nNAME:Hills\\, woods\\; lakes\r\n", feed)
        self.staff("DELETE", f"/trips/{trip}")
        refused = self.site.as_staff("POST", f"/trips/{trip}/departures", {"start_date": another_day()})
        self.assertEqual(refused.status, 409, refused)
        self.assertIn("STATUS:CANCELLED", self.site.call("GET", path).text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
