"""The calendars of departures, read back by another implementation of RFC 5545 (python3-icalendar), and their
addresses: signed, renewed, closed.

calendar_test.py SVC DATABASE
"""
import datetime
import pathlib
import sys
import unittest
from zoneinfo import ZoneInfo

from icalendar import Calendar

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from installation import Site  # noqa: E402

SVC, DATABASE = sys.argv[1:3]
DAY = datetime.date.today() + datetime.timedelta(days=40)


def path_of(url):
    return url[url.index("/svc/v1") + len("/svc/v1"):]


class Calendars(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site(SVC, DATABASE).__enter__()
        cls.site.as_staff("PUT", "/settings", {"timezone": "Europe/Berlin", "company_name": "Harbour, & Sons; Ltd"})
        cls.trip = cls.site.given_trip(title="Hafenrundgang, groß; mit \\ und Kaffee", duration=2)["id"]
        cls.other = cls.site.given_trip(title="Other")["id"]
        cls.timed = cls.site.given_departure(cls.trip, DAY.isoformat(), 12, time="09:00", arrival_time="18:30",
                                             special_notes="Bring:\na hat, " + "gute Schuhe " * 20,
                                             from_location="Pier 1; North")["id"]
        cls.whole = cls.site.given_departure(cls.trip, (DAY + datetime.timedelta(days=1)).isoformat(), 8)["id"]
        cls.off = cls.site.given_departure(cls.other, DAY.isoformat(), 4)["id"]

    @classmethod
    def tearDownClass(cls):
        cls.site.__exit__(None, None, None)

    def feed(self, path):
        answer = self.site.as_staff("POST", path)
        self.assertEqual(answer.status, 200, answer)
        return path_of(answer.data["url"])

    def read(self, path):
        answer = self.site.call("GET", path)
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer.headers["content-type"], "text/calendar; charset=utf-8")
        self.uids = {str(event["UID"]) for event in Calendar.from_ical(answer.text).walk("VEVENT")}
        # departure-7-1764150000000000@svc: the id, when it was made, and no address of the site
        return {str(event["UID"]).rsplit("-", 1)[0]: event for event in Calendar.from_ical(answer.text).walk("VEVENT")}

    def test_another_implementation_reads_days_times_and_texts(self):
        path = self.feed(f"/trips/{self.trip}/departures/feed")
        events = self.read(path)
        self.assertEqual(set(events), {f"departure-{self.timed}", f"departure-{self.whole}"})
        timed, whole = events[f"departure-{self.timed}"], events[f"departure-{self.whole}"]
        self.assertEqual(str(timed["SUMMARY"]), "Hafenrundgang, groß; mit \\ und Kaffee (0/12)")
        self.assertEqual(str(timed["LOCATION"]), "Pier 1; North")
        self.assertRegex(str(timed["URL"]), r"^https?://[!-~]+-gro%C3%9F-")  # a URI is ASCII
        self.assertIn("Bring:\na hat, " + "gute Schuhe " * 19, str(timed["DESCRIPTION"]))
        berlin = ZoneInfo("Europe/Berlin")
        self.assertEqual(timed.decoded("DTSTART"),
                         datetime.datetime.combine(DAY, datetime.time(9), berlin))
        self.assertEqual(timed.decoded("DTEND"),
                         datetime.datetime.combine(DAY + datetime.timedelta(days=1), datetime.time(18, 30), berlin))
        self.assertEqual(whole.decoded("DTSTART"), DAY + datetime.timedelta(days=1))
        self.assertEqual(whole.decoded("DTEND"), DAY + datetime.timedelta(days=3))
        self.assertEqual(str(whole["STATUS"]), "CONFIRMED")

    def test_trips_of_some_hours_end_after_them_for_staff_and_for_their_guests(self):
        berlin = ZoneInfo("Europe/Berlin")
        trip = self.site.given_trip(title="Harbour by kayak", duration=1, duration_hours=7, starting_location="Pier 9")["id"]
        one = self.site.given_departure(trip, DAY.isoformat(), 6, time="09:30")["id"]
        self.site.wait_until_all_show(trip)
        path = self.feed(f"/trips/{trip}/departures/feed")
        event = self.read(path)[f"departure-{one}"]
        self.assertEqual(event.decoded("DTEND"), datetime.datetime.combine(DAY, datetime.time(16, 30), berlin))
        made = self.site.book(trip, DAY.isoformat())
        self.assertEqual(made.status, 201, made)
        file = self.site.call("GET", f"/bookings/{made.data['booking_id']}/calendar?booking_token={made.data['booking_token']}")
        self.assertEqual(file.status, 200, file)
        own = Calendar.from_ical(file.text).walk("VEVENT")[0]
        self.assertEqual(own.decoded("DTSTART"), datetime.datetime.combine(DAY, datetime.time(9, 30), berlin))
        self.assertEqual(own.decoded("DTEND"), datetime.datetime.combine(DAY, datetime.time(16, 30), berlin))
        self.assertEqual((str(own["LOCATION"]), str(own["SUMMARY"])), ("Pier 9", "Harbour by kayak"))
        self.assertEqual(str(own["UID"]), f"{made.data['reference']}@127.0.0.1")

    def test_a_feed_has_a_name_also_where_the_operator_has_none(self):
        path, of_trip = self.feed("/departures/feed"), self.feed(f"/trips/{self.trip}/departures/feed")
        self.site.as_staff("PUT", "/settings", {"company_name": ""})
        try:
            named = [str(Calendar.from_ical(self.site.call("GET", each).text)["X-WR-CALNAME"]) for each in (path, of_trip)]
        finally:
            self.site.as_staff("PUT", "/settings", {"company_name": "Harbour, & Sons; Ltd"})
        self.assertRegex(named[0], r"^127\.0\.0\.1")
        self.assertTrue(named[1].startswith("Hafenrundgang"), named)

    def test_seats_and_cancellations_show_with_a_higher_sequence(self):
        path = self.feed("/departures/feed")
        before = self.read(path)
        self.assertEqual(len(before), 3)
        self.site.wait_until_all_show(self.trip)
        booked = self.site.book(self.trip, (DAY + datetime.timedelta(days=1)).isoformat(), travelers_count=3)
        self.assertEqual(booked.status, 201, booked)
        cancelled = self.site.as_staff("PUT", f"/trips/{self.other}/departures/{self.off}", {"status": "cancelled"})
        self.assertEqual(cancelled.status, 200, cancelled)
        after = self.read(path)
        whole, off = f"departure-{self.whole}", f"departure-{self.off}"
        self.assertTrue(str(after[whole]["SUMMARY"]).endswith("(3/8)"))
        self.assertEqual(str(after[off]["STATUS"]), "CANCELLED")
        for each in (whole, off):
            self.assertGreater(after[each]["SEQUENCE"], before[each]["SEQUENCE"])
        self.assertNotIn("Lovelace", str(after))

    def test_drafts_are_left_out_and_a_new_title_raises_the_sequence(self):
        trip = self.site.given_trip(title="Night ferry")["id"]
        one = self.site.given_departure(trip, DAY.isoformat(), 4, time="22:00", arrival_time="02:00")["id"]
        path, name = self.feed(f"/trips/{trip}/departures/feed"), f"departure-{one}"
        before = self.read(path)[name]
        self.assertEqual(before.decoded("DTEND").astimezone(ZoneInfo("Europe/Berlin")).date(),
                         DAY + datetime.timedelta(days=1))
        tag = self.site.call("GET", path).headers["etag"]
        self.assertEqual(self.site.call("GET", path, headers={"If-None-Match": tag}).status, 304)
        self.assertEqual(self.site.as_staff("PUT", f"/trips/{trip}", {"title": "Late ferry"}).status, 200)
        after = self.read(path)[name]
        self.assertTrue(str(after["SUMMARY"]).startswith("Late ferry"))
        self.assertGreater(after["SEQUENCE"], before["SEQUENCE"])
        self.assertEqual(after["UID"], before["UID"])
        self.assertEqual(self.site.as_staff("PUT", f"/trips/{trip}", {"status": "draft"}).status, 200)
        self.assertEqual(self.read(path), {})

    def test_an_address_is_dead_once_it_is_renewed_closed_or_altered(self):
        where = f"/trips/{self.other}/departures/feed"
        self.assertEqual(self.site.as_staff("GET", where).data, {"enabled": False, "url": None})
        first = self.feed(where)
        self.read(first)
        self.assertEqual(path_of(self.site.as_staff("GET", where).data["url"]), first)
        second = self.feed(where)
        self.assertNotEqual(first, second)
        self.read(second)
        dead = [first, second[:-5] + ("0" if second[-5] != "0" else "1") + ".ics", second.replace(".ics", "")[:-1],
                "/departures/calendar/0.1.00.ics", "/departures/calendar/x.ics",
                second.replace(f"/{self.other}.", f"/{self.trip}."), second.replace(f"/{self.other}.", "/0.")]
        for path in dead:
            self.assertEqual(self.site.call("GET", path).status, 404, path)
        self.assertEqual(self.site.as_staff("DELETE", where).data["enabled"], False)
        self.assertEqual(self.site.call("GET", second).status, 404)
        third = self.feed(where)
        self.assertEqual(self.site.call("GET", second).status, 404)
        self.read(third)
        self.assertEqual(self.site.call("POST", where).status, 401)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
