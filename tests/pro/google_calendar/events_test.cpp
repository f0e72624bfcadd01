// Google Calendar: what becomes an event, and how changes reach it.
#include "pro/google_calendar/event.hpp"
#include "tests/pro/google_calendar/connected.hpp"

using namespace svc;
using namespace svc::tests;
namespace calendar = pro::google_calendar;
using json::Value;

namespace {

std::string id_text(std::int64_t id) { return std::to_string(id); }

Answered change(Connected& base, std::int64_t departure, const std::string& fields) {
    const auto changed =
        base.call("PUT", "/trips/" + id_text(base.trip) + "/departures/" + id_text(departure), fields, base.admin());
    CAPTURE(changed.text);
    REQUIRE(changed.status == 200);
    return changed;
}

std::int64_t confirmed_booking(Connected& base) {
    const auto booking = base.given_booking(base.trip);
    const auto confirmed =
        base.call("PUT", "/bookings/" + id_text(booking.id) + "/status", R"({"status":"confirmed"})", base.admin());
    CAPTURE(confirmed.text);
    REQUIRE(confirmed.status == 200);
    return booking.id;
}

Value event_of_booking(const Connected& base, std::int64_t booking) {
    for (const auto& [id, event] : base.events)
        if (id.ends_with("b" + id_text(booking)))
            return event;
    return {};
}

void erase_contact(Connected& base, std::int64_t booking) {
    const auto customer = base.number("SELECT MAX(id) FROM svc_customers");
    base.run("UPDATE svc_bookings SET contact_first_name = '', contact_last_name = ''");
    REQUIRE(base.assembly->store->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        const auto rows =
            base.assembly->hooks.apply(hooks::Filter{"svc_person_erasure", "", json::Kind::number, {}}, Value(0),
                                       {"ada@example.org", 0, customer, Value::array({booking})}, &tx);
        CHECK(rows.integer() >= 1);
        return true;
    }));
}

}  // namespace

TEST_CASE("google_calendar: ids of events are of Google's letters, and of one subject of one installation") {
    const std::string uid = "0123456789abcdef";
    const auto id = calendar::event_id(uid, {.kind = "departure", .id = 17});
    CHECK(id.find_first_not_of("0123456789abcdefghijklmnopqrstuv") == std::string::npos);
    CHECK(id == calendar::event_id(uid, {.kind = "departure", .id = 17}));
    CHECK(id != calendar::event_id(uid, {.kind = "booking", .id = 17}));
    CHECK(id != calendar::event_id(uid, {.kind = "departure", .id = 171}));
    CHECK(id != calendar::event_id("fedcba9876543210", {.kind = "departure", .id = 17}));
}

TEST_CASE("google_calendar: an event has the departure's days or times in the site's zone, its load and its guide") {
    each_on<Connected>([](Connected& base) {
        REQUIRE(base.call("PUT", "/settings", R"({"timezone":"Europe/Berlin"})", base.admin()).status == 200);
        base.connect();
        const auto whole = base.given_departure(base.trip, 30, 8), timed = base.given_departure(base.trip, 31, 8),
                   night = base.given_departure(base.trip, 32, 8);
        change(base, timed, R"({"start_time":"09:30","arrival_time":"17:00"})");
        change(base, night, R"({"start_time":"22:00","arrival_time":"05:30"})");
        base.run("UPDATE svc_departures SET end_date = start_date");
        base.work();
        const std::string day = base.day(30), next = base.day(31), third = base.day(32), fourth = base.day(33);
        const Value first = base.event_of(whole);
        CHECK(first["status"].text() == "confirmed");
        CHECK(first["start"].dump() == R"({"date":")" + day + "\"}");
        CHECK(first["end"].dump() ==
              R"({"date":")" + Date::parse(first["start"]["date"].text())->plus_days(1).text() + "\"}");
        CHECK(base.event_of(timed)["start"].dump() ==
              R"({"dateTime":")" + next + R"(T09:30:00","timeZone":"Europe/Berlin"})");
        CHECK(base.event_of(timed)["end"]["dateTime"].text() == next + "T17:00:00");
        CHECK(base.event_of(night)["start"]["dateTime"].text() == third + "T22:00:00");
        CHECK(base.event_of(night)["end"]["dateTime"].text() == fourth + "T05:30:00");
        CHECK(first["summary"].text() == "Nile cruise (0/8)");
        CHECK(first["colorId"].text() == "2");
        CHECK(first["description"].text().find("Booked: 0/8\nGuide: no guide yet\n") == 0);
        CHECK(first["description"].text().ends_with("/admin/departures/" + id_text(base.trip) + "/" + id_text(whole)));
        base.run("UPDATE svc_departures SET booked_count = 8, status = 'full'");
        change(base, whole, R"({"special_notes":"Bring water."})");
        base.work();
        CHECK(base.event_of(whole)["colorId"].text() == "11");
        base.run("UPDATE svc_departures SET booked_count = 0, status = 'upcoming'");
    });
}

TEST_CASE("google_calendar: an event names the guide of its departure") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        const auto guide = base.user("guide").user_id;
        change(base, departure, R"({"guide_user_id":)" + id_text(guide) + "}");
        base.work();
        const auto guides = base.get("/departures/guides", base.admin()).data();
        REQUIRE(guides.size() == 1);
        CHECK(base.event_of(departure)["description"].text().find("Guide: " + guides[std::size_t{0}]["name"].text() +
                                                                  "\n") != std::string::npos);
    });
}

TEST_CASE("google_calendar: reminders and the language of the site") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.set(R"({"reminder_days":[7,1]})");
        REQUIRE(base.call("PUT", "/settings", R"({"site_language":"de"})", base.admin()).status == 200);
        const auto departure = base.given_departure(base.trip);
        base.work();
        CHECK(base.event_of(departure)["description"].text().starts_with("Gebucht: 0/20\nReiseleitung: noch keine"));
        CHECK(
            base.event_of(departure)["reminders"].dump() ==
            R"({"useDefault":false,"overrides":[{"method":"popup","minutes":1440},{"method":"popup","minutes":10080}]})");
        for (const char* wrong : {R"({"reminder_days":[29]})", R"({"reminder_days":[1,2,3,4,5,6]})"})
            CHECK(base.call("PUT", "/google-calendar/settings", wrong, base.admin()).status == 400);
    });
}

TEST_CASE("google_calendar: a booking changes the load of its departure, and a cancelled one gives it back") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        base.work();
        const auto booking = base.given_booking(base.trip);
        base.work();
        CHECK(base.event_of(departure)["summary"].text() == "Nile cruise (1/20)");
        REQUIRE(
            base.call("PUT", "/bookings/" + id_text(booking.id) + "/status", R"({"status":"cancelled"})", base.admin())
                .status == 200);
        base.work();
        CHECK(base.event_of(departure)["summary"].text() == "Nile cruise (0/20)");
        CHECK(base.events.size() == 1);
    });
}

TEST_CASE("google_calendar: a listener stores a row and asks nobody") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        const auto asked = InPlaceOfGoogle::asked.size();
        base.given_booking(base.trip);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(InPlaceOfGoogle::asked.size() == asked);
        CHECK(base.settings()["queued"].integer() == 1);
    });
}

TEST_CASE("google_calendar: without a connection nothing is queued, and by hand alone where staff want it so") {
    each_on<Connected>([](Connected& base) {
        base.given_departure(base.trip);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(base.settings()["queued"].integer() == 0);
        base.set(R"({"auto_sync":false})");
        base.connect();
        base.given_departure(base.trip, 40);
        base.work();
        CHECK(base.events.empty());
        REQUIRE(base.post("/google-calendar/sync-all", Value::object(), base.admin()).status == 200);
        base.work();
        CHECK(base.events.size() == 2);
    });
}

TEST_CASE("google_calendar: what is unchanged costs no call") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        base.work();
        const auto asked = InPlaceOfGoogle::asked.size();
        change(base, departure, R"({"special_notes":"Bring water."})");
        base.work();
        CHECK(InPlaceOfGoogle::asked.size() == asked);
        CHECK(base.settings()["queued"].integer() == 0);
    });
}

TEST_CASE("google_calendar: a change while its event is being sent is not lost") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        bool has_changed = false;
        base.before = [&](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event() && !has_changed) {
                has_changed = true;
                base.run("UPDATE svc_google_calendar_items SET revision = revision + 1");  // as the listener does
                base.run("UPDATE svc_departures SET capacity = 30");
            }
            return std::nullopt;
        };
        base.work();
        base.work();
        CHECK(base.event_of(departure)["summary"].text() == "Nile cruise (0/30)");
        CHECK(base.settings()["queued"].integer() == 0);
    });
}

TEST_CASE("google_calendar: what a process that died had claimed is sent when the claim has ended") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        REQUIRE(base.assembly->hooks.drain());
        base.run("UPDATE svc_google_calendar_items SET claimed_until = 9000000000000000");
        base.work();
        CHECK(base.events.empty());
        base.run("UPDATE svc_google_calendar_items SET claimed_until = 1");
        base.work();
        CHECK(base.events.size() == 1);
    });
}

TEST_CASE("google_calendar: an id that was used before is updated, and an event that is gone is made again") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event() && one.method == "POST")
                return GoogleReply{.status = 409, .body = R"({"error":{"errors":[{"reason":"duplicate"}]}})"};
            return std::nullopt;
        };
        base.work();
        CHECK(base.events.size() == 1);
        CHECK(Connected::asked_of("PUT", "/events/") == 1);
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event() && one.method == "PUT")
                return GoogleReply{.status = 410, .body = "{}"};
            return std::nullopt;
        };
        change(base, departure, R"({"max_capacity":30})");
        base.work();
        CHECK(base.event_of(departure)["summary"].text() == "Nile cruise (0/30)");
    });
}

TEST_CASE("google_calendar: quotas and failures make it rest, and a refusal holds up nothing else") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto bad = base.given_departure(base.trip, 30), good = base.given_departure(base.trip, 31);
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event())
                return GoogleReply{.status = 403,
                                   .body = R"({"error":{"errors":[{"reason":"userRateLimitExceeded"}]}})",
                                   .headers = {{"retry-after", "120"}}};
            return std::nullopt;
        };
        base.work();
        CHECK(Connected::asked_of("POST", "/events") == 1);
        const auto rest =
            Instant::parse(base.settings()["rests_until"].text()).value().seconds() - SystemClock().now().seconds();
        CHECK(rest > 110);
        CHECK(rest <= 120);
        base.work();
        CHECK(Connected::asked_of("POST", "/events") == 1);
        base.before = [&](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event() && one.body.find("d" + id_text(bad) + "\"") != std::string::npos)
                return GoogleReply{.status = 400, .body = R"({"error":{"errors":[{"reason":"invalid"}]}})"};
            return std::nullopt;
        };
        base.pass_waits();
        base.work();
        CHECK(base.event_of(good)["summary"].text() == "Nile cruise (0/20)");
        CHECK(base.settings()["failing"].integer() == 1);
        const auto failures = base.get("/google-calendar/sync-all", base.admin()).data()["failures"];
        REQUIRE(failures.size() == 1);
        CHECK(failures[std::size_t{0}]["id"].integer() == bad);
        CHECK(failures[std::size_t{0}]["error"].text() == "invalid");
    });
}

TEST_CASE("google_calendar: Retry-After is kept also by a run that sent something before") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip, 30);
        base.given_departure(base.trip, 31);
        base.before = [&](const Asked& one) -> std::optional<GoogleReply> {
            if (one.is_event() && !base.events.empty())
                return GoogleReply{.status = 429, .body = "{}", .headers = {{"retry-after", "120"}}};
            return std::nullopt;
        };
        base.work();
        CHECK(base.events.size() == 1);
        REQUIRE(base.settings()["rests_until"].is_string());
        const auto asked = Connected::asked_of("POST", "/events");
        base.work();
        CHECK(Connected::asked_of("POST", "/events") == asked);
        CHECK(base.settings()["last_sync"].is_string());
    });
}

TEST_CASE("google_calendar: a page of a proxy and another's event are no answer of Google") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        for (const char* body : {"<html>Sign in</html>", R"({"id":"other"})", "[]", "\"id\""}) {
            base.before = [&](const Asked& one) -> std::optional<GoogleReply> {
                return one.is_event() ? std::optional(GoogleReply{.body = body}) : std::nullopt;
            };
            base.pass_waits();
            base.work();
            CHECK(base.settings()["queued"].integer() == 1);
            CHECK(base.settings()["rests_until"].is_string());
        }
    });
}

TEST_CASE("google_calendar: bookings have events without personal data unless a setting asks, and lose names") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.set(R"({"sync_bookings":true})");
        const auto booking = confirmed_booking(base);
        base.work();
        const auto plain = event_of_booking(base, booking);
        CHECK(plain["summary"].text().ends_with(" · Nile cruise"));
        for (const Asked& one : InPlaceOfGoogle::asked) {
            CHECK(one.body.find("Lovelace") == std::string::npos);
            CHECK(one.body.find("ada@") == std::string::npos);
        }
        CHECK(base.call("PUT", "/google-calendar/settings", R"({"send_invitations":true})", base.admin()).field() ==
              "send_invitations");
        base.set(R"({"share_names":true})");
        base.work();
        CHECK(event_of_booking(base, booking)["summary"].text().ends_with("Lovelace"));
        // An erasure reaches the calendar too.
        erase_contact(base, booking);
        base.work();
        CHECK(event_of_booking(base, booking)["summary"].text().find("Lovelace") == std::string::npos);
        REQUIRE(base.call("PUT", "/bookings/" + id_text(booking) + "/status", R"({"status":"cancelled"})", base.admin())
                    .status == 200);
        base.work();
        CHECK(event_of_booking(base, booking).is_null());
    });
}

TEST_CASE("google_calendar: a cancelled departure and one in the trash have no event") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto departure = base.given_departure(base.trip);
        base.work();
        REQUIRE(base.events.size() == 1);
        REQUIRE(
            base.call("DELETE", "/trips/" + id_text(base.trip) + "/departures/" + id_text(departure), {}, base.admin())
                .status == 200);
        base.work();
        CHECK(base.events.empty());
        CHECK(base.settings()["events"].integer() == 0);
    });
}

TEST_CASE("google_calendar: the dry run says what would change and sends nothing; the run says how far it is") {
    each_on<Connected>([](Connected& base) {
        base.set(R"({"auto_sync":false})");
        base.connect();
        const auto kept = base.given_departure(base.trip, 30), changed = base.given_departure(base.trip, 31),
                   gone = base.given_departure(base.trip, 32);
        CHECK(base.get("/google-calendar/sync-all", base.admin()).data()["state"].text() == "never");
        const auto begun = base.post("/google-calendar/sync-all", Value::object(), base.admin());
        CHECK(begun.data()["state"].text() == "running");
        CHECK(begun.data()["total"].integer() == 3);
        CHECK(begun.data()["waiting"].integer() == 3);
        base.work();
        const auto done = base.get("/google-calendar/sync-all", base.admin()).data();
        CHECK(done["state"].text() == "done");
        CHECK(done["synced"].integer() == 3);
        CHECK(done["failed"].integer() == 0);
        const auto fresh = base.given_departure(base.trip, 33);
        change(base, changed, R"({"max_capacity":30})");
        REQUIRE(base.call("DELETE", "/trips/" + id_text(base.trip) + "/departures/" + id_text(gone), {}, base.admin())
                    .status == 200);
        const auto asked = InPlaceOfGoogle::asked.size();
        const auto plan =
            base.post("/google-calendar/sync-all", Value::object({{"dry_run", true}}), base.admin()).data()["plan"];
        CHECK(InPlaceOfGoogle::asked.size() == asked);
        std::map<std::int64_t, std::string> changes;
        for (const Value& one : plan["changes"].items())
            changes[one["id"].integer()] = one["change"].text();
        CHECK(changes == std::map<std::int64_t, std::string>{{changed, "update"}, {gone, "remove"}, {fresh, "create"}});
        CHECK(plan["unchanged"].integer() == 1);
        // A copy of everything sends also what looks unchanged: somebody may have deleted it there.
        base.events.clear();
        REQUIRE(base.post("/google-calendar/sync-all", Value::object(), base.admin()).status == 200);
        base.work();
        CHECK_FALSE(base.event_of(kept).is_null());
        CHECK(base.events.size() == 3);
    });
}

TEST_CASE("google_calendar: another calendar gets the events, and the first loses them") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.work();
        base.set(R"({"calendar_id":"second@group.calendar.google.com"})");
        base.work();
        CHECK(Connected::asked_of("DELETE", "ours%40group.calendar.google.com/events/") == 1);
        CHECK(Connected::asked_of("POST", "second%40group.calendar.google.com/events") == 1);
        CHECK(base.settings()["calendar_name"].text() == "second@group.calendar.google.com");
    });
}

TEST_CASE("google_calendar: an event that is over stays in its first calendar, and an erasure reaches it there") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.set(R"({"sync_bookings":true,"share_names":true})");
        const auto booking = confirmed_booking(base);
        base.work();
        CHECK(event_of_booking(base, booking)["summary"].text().ends_with("Lovelace"));
        base.run("UPDATE svc_bookings SET travel_date = '2020-02-01', end_date = '2020-02-03'");
        base.set(R"({"calendar_id":"second@group.calendar.google.com"})");
        base.work();
        const std::string first = "ours%40group.calendar.google.com/events/";
        const auto before = Connected::asked_of("PUT", first);
        erase_contact(base, booking);
        base.work();
        CHECK(Connected::asked_of("PUT", first) == before + 1);
        CHECK(event_of_booking(base, booking)["summary"].text().find("Lovelace") == std::string::npos);
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE kind = 'booking' AND calendar_id ="
                          " 'ours@group.calendar.google.com' AND due_at IS NULL") == 1);
    });
}

TEST_CASE("google_calendar: a calendar that was deleted is shown, and another is made on demand alone") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            return one.is_event() ? std::optional(GoogleReply{.status = 404, .body = "{}"}) : std::nullopt;
        };
        base.work();
        base.work();
        CHECK(base.settings()["problem"].text() == "calendar_gone");
        CHECK(base.settings()["calendar_id"].text().empty());
        CHECK(base.settings()["queued"].integer() == 1);
        const auto made = Connected::asked_of("POST", "/calendar/v3/calendars");
        base.before = nullptr;
        base.work();
        CHECK(Connected::asked_of("POST", "/calendar/v3/calendars") == made);
        CHECK(base.post("/google-calendar/calendars", Value::object(), base.admin()).status == 200);
        base.work();
        CHECK(base.settings()["problem"].text().empty());
        CHECK(base.events.size() == 1);
    });
}

TEST_CASE("google_calendar: our events are deleted before the access is given back") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip, 30);
        base.given_departure(base.trip, 31);
        base.work();
        const auto left =
            base.post("/google-calendar/disconnect", Value::object({{"delete_events", true}}), base.admin());
        CHECK(left.data()["events_left"].integer() == 2);
        CHECK(base.settings()["state"].text() == "leaving");
        base.work();
        CHECK(base.events.empty());
        CHECK(base.settings()["state"].text() == "off");
        CHECK(InPlaceOfGoogle::asked.back().url == "https://oauth2.googleapis.com/revoke");
    });
}

TEST_CASE("google_calendar: without Google's consent events cannot be deleted, and the refusal says what to do") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip, 30);
        base.work();
        base.set(R"({"client_id":"client-2"})");
        REQUIRE(base.settings()["state"].text() == "reconnect");
        const auto refused =
            base.post("/google-calendar/disconnect", Value::object({{"delete_events", true}}), base.admin());
        CHECK(refused.status == 409);
        CHECK(refused.body.text_or("message").find("Connect again and disconnect then") != std::string::npos);
        CHECK(base.settings()["state"].text() == "reconnect");
        const auto left = base.post("/google-calendar/disconnect", Value::object(), base.admin());
        CHECK(left.status == 200);
        CHECK(left.data()["events_left"].integer() == 1);
        CHECK(base.events.size() == 1);
    });
}

TEST_CASE("google_calendar: rows of events that were over a year ago are removed, unless they may name somebody") {
    each_on<Connected>([](Connected& base) {
        base.set(R"({"sync_bookings":true})");
        base.connect();
        base.given_departure(base.trip, 30);
        const auto booking = confirmed_booking(base);
        base.work();
        REQUIRE(base.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE calendar_id <> ''") == 2);
        base.run("UPDATE svc_departures SET start_date = '2020-01-01', end_date = '2020-01-02', return_date = NULL");
        base.run(("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02' WHERE id = " +
                  id_text(booking))
                     .c_str());
        base.set(R"({"share_names":true})");
        base.work();
        REQUIRE(base.assembly->jobs.run_now("google_calendar_check"));
        base.work();
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE kind = 'departure'") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE kind = 'booking'") == 1);
        // While changes are not copied, the event in the calendar has the name still.
        base.set(R"({"auto_sync":false})");
        base.set(R"({"share_names":false})");
        base.work();
        REQUIRE(base.assembly->jobs.run_now("google_calendar_check"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE kind = 'booking'") == 1);
        base.set(R"({"auto_sync":true})");
        base.set(R"({"share_names":true})");
        base.set(R"({"share_names":false})");
        base.work();  // without the name
        REQUIRE(base.assembly->jobs.run_now("google_calendar_check"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_items") == 0);
        CHECK(base.events.size() == 2);  // they stay in the calendar
    });
}

TEST_CASE("google_calendar: a calendar with a long name can be chosen") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.set(Value::object({{"calendar_id", "long@example.org"}, {"calendar_name", std::string(700, 'x')}}).dump());
        CHECK(base.settings()["calendar_name"].text() == std::string(300, 'x'));
    });
}

TEST_CASE("google_calendar: the log has the latest calls without ids of calendars, and exists while the module is on") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.work();
        const auto log = base.get("/google-calendar/log", base.admin());
        REQUIRE(log.status == 200);
        CHECK(log.data()[std::size_t{0}]["path"].text() == "/calendar/v3/calendars/{calendar}/events");
        CHECK(log.text.find("ours@") == std::string::npos);
        CHECK(log.text.find("access-") == std::string::npos);
        base.turn(false);
        CHECK(base.get("/google-calendar/log", base.admin()).code() == "svc_no_route");
        CHECK(base.work().dump() == R"({"sent":0,"failed":0})");
        base.turn(true);
        CHECK(base.settings()["state"].text() == "connected");
    });
}
