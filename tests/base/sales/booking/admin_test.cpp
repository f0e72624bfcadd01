// Bookings as staff make, change, find and remove them, over REST.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const auto each_base = each_on<TestBase>;

struct Desk {
    explicit Desk(TestBase& given) : base(given), boss(given.user("owner")) {
        trip = base.given_trip();
        departure = base.given_departure(trip, 30, 10);
    }
    Answered make(Value more = Value::object()) {
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", base.day(30)},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/bookings", body, boss);
    }
    std::int64_t id_of(Value more = Value::object()) {
        const auto made = make(std::move(more));
        if (made.status != 201)
            throw std::logic_error(made.text);
        return made.data()["id"].integer();
    }
    Answered put(const std::string& path, const Value& body) { return base.call("PUT", path, body.dump(), boss); }
    Answered change(std::int64_t id, const Value& body) { return put("/bookings/" + std::to_string(id), body); }
    Answered read(std::int64_t id) { return base.get("/bookings/" + std::to_string(id), boss); }
    std::int64_t seats() {
        return base.number(("SELECT booked_count FROM svc_departures WHERE id = " + std::to_string(departure)).c_str());
    }
    static std::string total(const Answered& answer) { return answer.data()["total"].number_text(); }

    TestBase& base;
    Visitor boss;
    std::int64_t trip = 0, departure = 0;
};

}  // namespace

TEST_CASE("staff make a booking for a customer, with a status, a total and what was paid") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto made = desk.make(Value::object({{"travelers_count", 3},
                                                   {"status", "confirmed"},
                                                   {"total", json::Number{"300.00"}},
                                                   {"amount_paid", json::Number{"100.00"}},
                                                   {"internal_notes", "vip"}}));
        REQUIRE(made.status == 201);
        CHECK(made.data()["status"].text() == "confirmed");
        CHECK(Desk::total(made) == "300.00");
        CHECK(made.data()["payment_status"].text() == "partial");
        CHECK(made.data()["amount_due"].number_text() == "200.00");
        CHECK(desk.seats() == 3);
        const auto known = desk.read(made.data()["id"].integer());
        CHECK(known.data()["internal_notes"].text() == "vip");
        CHECK(known.data()["source"].text() == "admin");
        CHECK(known.data()["customer_id"].integer() == made.data()["customer_id"].integer());

        // The same customer by the record's number.
        const auto again = base.post(
            "/bookings",
            Value::object(
                {{"trip_id", desk.trip}, {"travel_date", base.day(30)}, {"customer_id", made.data()["customer_id"]}}),
            desk.boss);
        REQUIRE(again.status == 201);
        CHECK(again.data()["customer_email"].text() == "ada@example.org");
        CHECK(again.data()["contact"]["last_name"].text() == "Lovelace");

        CHECK(desk.make(Value::object({{"travelers_count", 7}})).code() == "sold_out");
        CHECK(desk.make(Value::object({{"amount_paid", json::Number{"99999"}}})).field() == "amount_paid");
        CHECK(desk.make(Value::object({{"customer_id", 4711}})).field() == "customer_id");
        CHECK(desk.make(Value::object({{"travel_date", base.day(-3)}})).code() == "date_unavailable");
        CHECK(desk.seats() == 4);
    });
}

TEST_CASE("a changed party or date moves the seats; the price stays until it is asked anew") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto other = base.given_departure(desk.trip, 40, 4);
        const auto id = desk.id_of(Value::object({{"travelers_count", 2}}));
        const auto price = Desk::total(desk.read(id));

        const auto more = desk.change(id, Value::object({{"travelers_count", 4}}));
        REQUIRE(more.status == 200);
        CHECK(Desk::total(more) == price);
        CHECK(desk.seats() == 4);
        const auto priced = desk.change(id, Value::object({{"recalculate", true}}));
        REQUIRE(priced.status == 200);
        CHECK(Money::parse(Desk::total(priced), Currency::usd()).value().minor() ==
              2 * Money::parse(price, Currency::usd()).value().minor());

        const auto moved = desk.change(id, Value::object({{"travel_date", base.day(40)}}));
        REQUIRE(moved.status == 200);
        CHECK(moved.data()["availability_id"].integer() == other);
        CHECK(moved.data()["travel_date"].text() == base.day(40));
        CHECK(desk.seats() == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_booking_rescheduled'") == 1);
        // Full there, so that a fifth traveler is one too many and nothing has changed.
        CHECK(desk.change(id, Value::object({{"travelers_count", 5}})).code() == "sold_out");
        CHECK(desk.read(id).data()["travelers_count"].integer() == 4);

        // A total of their own is a line of its own.
        const auto manual = desk.change(id, Value::object({{"total", json::Number{"10.5"}}}));
        REQUIRE(manual.status == 200);
        CHECK(Desk::total(manual) == "10.50");
        CHECK(desk.change(id, Value::object({{"total", json::Number{"20"}}})).data()["lines"].size() ==
              manual.data()["lines"].size());
    });
}

TEST_CASE("an edit takes away nothing that a booking cannot be without") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto id = desk.id_of();
        CHECK(desk.change(id, Value::object({{"contact_first_name", " "}})).field() == "contact_first_name");
        CHECK(desk.change(id, Value::object({{"payment_gateway", ""}})).field() == "payment_gateway");
        const auto nobody =
            base.call("PUT", "/bookings/" + std::to_string(id) + "/travellers", R"({"travelers":[]})", desk.boss);
        CHECK(nobody.status == 400);
        CHECK(nobody.field() == "travelers");
        CHECK(desk.read(id).data()["contact"]["first_name"].text() == "Ada");
    });
}

TEST_CASE("marking a booking as paid records one payment of its balance") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto id = desk.id_of(Value::object({{"amount_paid", json::Number{"1"}}}));
        for (int again = 0; again < 2; ++again) {
            const auto paid = desk.change(id, Value::object({{"payment_status", "paid"}}));
            REQUIRE(paid.status == 200);
            CHECK(paid.data()["payment_status"].text() == "paid");
            CHECK(paid.data()["amount_paid"] == paid.data()["total"]);
        }
        const auto payments = base.get("/bookings/" + std::to_string(id) + "/payments", desk.boss);
        CHECK(payments.data().size() == 2);
        CHECK(desk.change(id, Value::object({{"payment_status", "refunded"}})).field() == "payment_status");
        // A lower total makes it overpaid, which a person should see.
        const auto less = desk.change(id, Value::object({{"total", json::Number{"0.5"}}}));
        CHECK(less.data()["payment_status"].text() == "paid");
        CHECK(less.data()["needs_attention"].boolean());
    });
}

TEST_CASE("a status in an edit needs its own right") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto id = desk.id_of();
        const Visitor editor = base.holding({"svc_edit_bookings", "svc_view_bookings"});
        const auto path = "/bookings/" + std::to_string(id);
        CHECK(base.call("PUT", path, R"({"status":"confirmed"})", editor).status == 403);
        CHECK(base.call("PUT", path, R"({"internal_notes":"x"})", editor).status == 200);
        const auto confirmed = desk.change(id, Value::object({{"status", "confirmed"}}));
        CHECK(confirmed.data()["status"].text() == "confirmed");
        CHECK(desk.change(id, Value::object({{"status", "waitlist"}})).code() == "svc_invalid_transition");
        const auto& log = confirmed.data()["status_log"];
        REQUIRE(log.size() == 2);
        CHECK(log[0]["from"].text().empty());
        CHECK(log[0]["to"].text() == "pending");
        CHECK(log[1]["from"].text() == "pending");
        for (std::size_t at = 0; at < log.size(); ++at) {
            CHECK(log[at]["actor"].text() == "admin");
            CHECK(log[at]["actor_name"].text() == "a_owner");
            CHECK(log[at]["through"].text() == "application_password");
        }
    });
}

TEST_CASE("the history of a visitor's booking begins with its making at checkout") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto id = base.given_booking(base.given_trip()).id;
        const auto log_of = [&] { return base.get("/bookings/" + std::to_string(id), desk.boss).data()["status_log"]; };
        REQUIRE(log_of().size() == 1);
        CHECK(log_of()[0]["to"].text() == "pending");
        REQUIRE(desk.change(id, Value::object({{"status", "confirmed"}})).status == 200);
        const Value log = log_of();
        REQUIRE(log.size() == 2);
        CHECK(log[0]["from"].text().empty());
        CHECK(log[0]["to"].text() == "pending");
        CHECK(log[0]["actor"].text() == "customer");
        CHECK(log[0]["through"].text() == "checkout");
        CHECK(log[1]["to"].text() == "confirmed");
    });
}

TEST_CASE("the first DELETE is the trash, the second is for good, and paid bookings stay") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto id = desk.id_of(Value::object({{"travelers_count", 2}}));
        const auto path = "/bookings/" + std::to_string(id);
        const auto trashed = base.call("DELETE", path, {}, desk.boss);
        CHECK(trashed.data()["status"].text() == "trash");
        CHECK(desk.seats() == 0);
        CHECK(desk.change(id, Value::object({{"internal_notes", "x"}})).status == 409);
        const auto gone = base.call("DELETE", path, {}, desk.boss);
        CHECK(gone.status == 200);
        CHECK(gone.data()["status"].is_null());
        CHECK(desk.read(id).code() == "booking_not_found");
        CHECK(base.call("DELETE", path, {}, desk.boss).status == 404);

        const auto paid = desk.id_of(Value::object({{"amount_paid", json::Number{"1"}}}));
        const auto kept = "/bookings/" + std::to_string(paid) + "?force=true";
        CHECK(base.call("DELETE", kept, {}, desk.boss).code() == "svc_in_use");
        CHECK(desk.read(paid).data()["status"].text() == "pending");  // refused, it changes nothing
    });
}

TEST_CASE("one action on many bookings returns the outcome of each") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto a = desk.id_of(), b = desk.id_of();
        const auto all = [&](const char* action) {
            return desk.put("/bookings/bulk",
                            Value::object({{"action", action}, {"ids", Value::array({b, a, 99'999})}}));
        };
        const auto confirmed = all("mark_confirmed");
        REQUIRE(confirmed.status == 200);
        CHECK(confirmed.data()["affected"].integer() == 2);
        CHECK(confirmed.data()["failed"].integer() == 1);
        CHECK(desk.read(a).data()["status"].text() == "confirmed");
        CHECK(all("trash").data()["affected"].integer() == 2);
        CHECK(all("restore").data()["affected"].integer() == 2);
        CHECK(desk.read(b).data()["status"].text() == "confirmed");
        CHECK(all("mark_nothing").status == 400);
        CHECK(desk.put("/bookings/bulk", Value::object({{"action", "trash"}, {"ids", Value::array({a, a})}})).field() ==
              "ids");
        const Visitor front = base.holding({"svc_change_booking_status"});
        CHECK(base.call("PUT", "/bookings/bulk", R"({"action":"delete","ids":[1]})", front).status == 403);
    });
}

TEST_CASE("the figures of bookings count by status and leave out what was called off") {
    each_base([](TestBase& base) {
        Desk desk(base);
        desk.id_of(Value::object({{"total", json::Number{"100"}}, {"amount_paid", json::Number{"40"}}}));
        desk.id_of(Value::object({{"total", json::Number{"50"}}, {"status", "cancelled"}}));
        const auto stats = base.get("/bookings/stats", desk.boss);
        REQUIRE(stats.status == 200);
        CHECK(stats.data()["all"].integer() == 2);
        CHECK(stats.data()["by_status"]["cancelled"]["count"].integer() == 1);
        CHECK(stats.data()["total_revenue"].number_text() == "100.00");
        CHECK(stats.data()["total_collected"].number_text() == "40.00");
        CHECK(stats.data()["this_month"].integer() == 2);
        CHECK(stats.data()["upcoming"].integer() == 1);
        CHECK(base.get("/bookings/stats?from=" + base.day(1), desk.boss).data()["all"].integer() == 0);
    });
}

TEST_CASE("travelers are found over all bookings and leave as a sheet") {
    each_base([](TestBase& base) {
        Desk desk(base);
        const auto person = [](const char* name) {
            return Value::object({{"first_name", name}, {"nationality", "=cmd"}});
        };
        const auto id = desk.id_of(
            Value::object({{"travelers_count", 2}, {"travelers", Value::array({person("Grace"), person("Edsger")})}}));
        const auto found = base.get("/travelers?search=gra&trip_id=" + std::to_string(desk.trip), desk.boss);
        REQUIRE(found.status == 200);
        REQUIRE(found.data().size() == 1);
        CHECK(found.data()[0]["booking_id"].integer() == id);
        CHECK(found.data()[0]["is_lead"].boolean());
        CHECK(found.body["meta"]["available_trips"][0]["id"].integer() == desk.trip);
        CHECK(base.get("/travelers?departure_id=" + std::to_string(desk.departure), desk.boss).data().size() == 2);
        CHECK(base.get("/travelers?travel_date=" + base.day(31), desk.boss).data().size() == 0);

        const auto csv = base.get("/travelers?format=csv", desk.boss);
        CHECK(csv.header("Content-Type") == "text/csv; charset=utf-8");
        CHECK(csv.text.find("\"Edsger\"") != std::string::npos);
        CHECK(csv.text.find("\"'=cmd\"") != std::string::npos);
        const auto xlsx = base.get("/travelers?format=xlsx", desk.boss);
        CHECK(xlsx.text.starts_with("PK"));
        CHECK(xlsx.header("Content-Disposition") == "attachment; filename=\"travelers.xlsx\"");

        const auto replaced = desk.put("/bookings/" + std::to_string(id) + "/travellers",
                                       Value::object({{"travelers", Value::array({person("Barbara")})}}));
        REQUIRE(replaced.status == 200);
        REQUIRE(replaced.data().size() == 1);
        // Whoever read the booking before that writes over nobody.
        const auto version = base.get("/bookings/" + std::to_string(id), desk.boss).data()["row_version"].integer();
        const auto renamed = [&](const char* name, std::int64_t seen) {
            return desk.put("/bookings/" + std::to_string(id) + "/travellers",
                            Value::object({{"travelers", Value::array({person(name)})}, {"row_version", seen}}));
        };
        const auto late = renamed("Alan", version - 1);
        CHECK(late.status == 409);
        CHECK(late.body["code"].text() == "svc_conflict");
        CHECK(base.get("/travelers?search=barb", desk.boss).data().size() == 1);
        const auto kept = renamed("Barbara", version);
        REQUIRE(kept.status == 200);
        const auto lead = kept.data()[0]["id"].integer();
        const auto bulk = Value::object({{"action", "delete"}, {"ids", Value::array({lead})}});
        CHECK(desk.put("/travelers/bulk", bulk).data()["failed"].integer() == 1);
        CHECK(desk.change(id, Value::object({{"status", "cancelled"}})).status == 200);
        CHECK(desk.put("/travelers/bulk", bulk).data()["affected"].integer() == 1);
    });
}
