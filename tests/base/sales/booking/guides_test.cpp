// A guide sees the departures that they guide, with travelers, bookings and payments, and no more.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// Two booked and paid departures of one trip, of which a guide has the first.
struct Guided {
    explicit Guided(Database& database) : base(database, &svc_plugin_entry), guide(base.user("guide")) {
        base.given_license("agency");
        for (const char* module : {"flexible_payments", "scheduled_payments"})
            REQUIRE(base.assembly->modules.toggle(module, true, boss().user_id));
        const auto first = base.given_departure(trip, 30, 10);
        base.given_departure(trip, 40, 10);
        mine = base.given_booking(trip, 30, "Lovelace");
        foreign = base.given_booking(trip, 40, "Hopper");
        for (const auto& [booking, payment] : {std::pair{&mine, &my_payment}, {&foreign, &foreign_payment}}) {
            const auto paid = base.post(
                "/payments",
                Value::object(
                    {{"booking_id", booking->id}, {"amount", 10}, {"gateway", "cash"}, {"status", "completed"}}),
                boss());
            REQUIRE(paid.status == 201);
            *payment = paid.data()["id"].integer();
            base.run(("INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type,"
                      " amount_minor, currency, planned_total_minor, scheduled_date, status, max_attempts, gateway,"
                      " created_at, updated_at) VALUES (" +
                      std::to_string(booking->id) +
                      ", 1, 1, 'charge', 'balance', 100, 'USD', 100, '2030-01-01', 'scheduled', 3, 'stripe', 1, 1)")
                         .c_str());
        }
        const auto given = base.call("PUT", "/trips/" + std::to_string(trip) + "/departures/" + std::to_string(first),
                                     "{\"guide_user_id\":" + std::to_string(guide.user_id) + "}", boss());
        REQUIRE(given.status == 200);
    }
    const Visitor& boss() { return base.user("administrator"); }
    // How many a list tells the guide, by its rows and by its sum.
    std::pair<std::size_t, std::int64_t> told(const std::string& target) {
        CAPTURE(target);
        const auto answer = base.get(target, guide);
        CHECK(answer.status == 200);
        return {answer.data().size(), answer.body["meta"]["total"].integer()};
    }

    TestBase base;
    const Visitor& guide;
    const std::int64_t trip = base.given_trip();
    GivenBooking mine, foreign;
    std::int64_t my_payment = 0, foreign_payment = 0;
};

const auto each_guided = each_on<Guided>;

std::string id(std::int64_t number) { return std::to_string(number); }

}  // namespace

TEST_CASE("a guide's lists have bookings on their own departures alone") {
    each_guided([](Guided& guided) {
        const std::pair<std::size_t, std::int64_t> one{1, 1}, none{0, 0};
        for (const char* list :
             {"/bookings", "/bookings?search=lovelace", "/bookings?status=all&orderby=amount&order=asc", "/travelers",
              "/travelers?orderby=travel_date&order=asc", "/payments", "/payments?status=completed",
              "/payments?from=2020-01-01", "/scheduled-payments"}) {
            CAPTURE(list);
            CHECK(guided.told(list) == one);
        }
        for (const char* list : {"/bookings?search=hopper", "/travelers?search=hopper", "/payments?search=hopper",
                                 "/bookings?refund_due=true", "/bookings?needs_attention=true", "/payments/pending",
                                 "/scheduled-payments?search=hopper", "/scheduled-payments/outstanding"}) {
            CAPTURE(list);
            CHECK(guided.told(list) == none);
        }
        CHECK(guided.told("/payments?booking_id=" + id(guided.foreign.id)) == none);
        const auto counts = guided.base.get("/bookings", guided.guide).body["meta"]["counts"];
        CHECK(counts["all"].integer() == 1);
        CHECK(guided.base.get("/bookings", guided.boss()).body["meta"]["counts"]["all"].integer() == 2);
        const auto file = guided.base.get("/travelers?format=csv", guided.guide).text;
        CHECK(file.find(guided.mine.reference) != std::string::npos);
        CHECK(file.find(guided.foreign.reference) == std::string::npos);
        CHECK(guided.told("/travelers?booking_id=" + id(guided.foreign.id)) == none);
    });
}

TEST_CASE("a guide gets sums of bookings on their own departures alone") {
    each_guided([](Guided& guided) {
        const auto bookings = guided.base.get("/bookings/stats", guided.guide).data();
        CHECK(bookings["all"].integer() == 1);
        for (const char* sum : {"total_revenue", "total_collected"})
            CHECK(bookings[sum].is_null());
        CHECK(bookings["this_month"].integer() == 1);
        CHECK(bookings["upcoming"].integer() == 1);
        CHECK(guided.base.get("/bookings/stats", guided.boss()).data()["total_collected"].number_text() == "20.00");
        const auto payments = guided.base.get("/payments/stats", guided.guide).data();
        CHECK(payments["completed"].integer() == 1);
        CHECK(payments["all"].integer() == 1);
        CHECK(guided.base.get("/payments/stats", guided.boss()).data()["all"].integer() == 2);
        CHECK(guided.base.get("/scheduled-payments/stats", guided.guide).data()["scheduled"].integer() == 1);
        CHECK(guided.base.get("/scheduled-payments/stats", guided.boss()).data()["scheduled"].integer() == 2);
    });
}

TEST_CASE("a guide sees departures and trips without what they earn") {
    each_guided([](Guided& guided) {
        const auto earned = [&](const std::string& target, const Visitor& who, const char* name) {
            const auto answer = guided.base.get(target, who);
            CAPTURE(target);
            REQUIRE(answer.status == 200);
            const Value& row = answer.data().is_array() ? answer.data()[0] : answer.data();
            REQUIRE(row.find(name) != nullptr);
            return row[name];
        };
        const auto departure = guided.base.get("/departures?per_page=5", guided.guide).data()[0]["id"].integer();
        const std::string of_trip = "/trips/" + id(guided.trip), one = of_trip + "/departures/" + id(departure);
        for (const std::string& target : {std::string("/departures"), std::string("/departures?per_page=5"),
                                          std::string("/departures/upcoming"), of_trip + "/departures", one}) {
            CHECK(earned(target, guided.guide, "total_revenue").is_null());
            CHECK_FALSE(earned(target, guided.boss(), "total_revenue").is_null());
        }
        for (const std::string& target : {std::string("/trips"), of_trip}) {
            CHECK(earned(target, guided.guide, "revenue_total").is_null());
            CHECK_FALSE(earned(target, guided.boss(), "revenue_total").is_null());
        }
        const Value report = guided.base.get("/reports", guided.guide).data();
        CHECK(report.find("revenue_stats") == nullptr);
    });
}

TEST_CASE("no answer tells a guide an amount of a booking, and reports are of their own departures") {
    each_guided([](Guided& guided) {
        TestBase& base = guided.base;
        // Amounts that nothing else has.
        REQUIRE(base.call("PUT", "/bookings/" + id(guided.mine.id), R"({"total":7391.17})", guided.boss()).status ==
                200);
        const auto paid = base.post("/payments",
                                    Value::object({{"booking_id", guided.mine.id},
                                                   {"amount", json::Number{"4217.53"}},
                                                   {"gateway", "cash"},
                                                   {"status", "completed"}}),
                                    guided.boss());
        REQUIRE(paid.status == 201);
        const auto back =
            base.post("/payments/" + id(paid.data()["id"].integer()) + "/refunds",
                      Value::object({{"amount", json::Number{"311.29"}}, {"by_hand", true}}), guided.boss());
        CAPTURE(back.text);
        REQUIRE(back.status / 100 == 2);
        REQUIRE(base.assembly->hooks.drain());
        const auto tells = [](const Answered& answer) {
            const std::string text = answer.text.starts_with("%PDF") ? PdfFile(answer.text).text() : answer.text;
            for (const char* amount : {"7391.17", "7,391.17", "4217.53", "4,217.53", "311.29", "3474.93", "3,474.93"})
                if (text.find(amount) != std::string::npos)
                    return true;
            return false;
        };
        int read = 0, told_to_boss = 0;
        for (const auto& route : base.assembly->routes.all()) {
            if (route->method != api::Method::get)
                continue;
            for (int number = 1; number <= 3; ++number) {
                std::string target = route->path;
                for (auto at = target.find('{'); at != target.npos; at = target.find('{'))
                    target.replace(at, target.find('}') - at + 1, std::to_string(number));
                const auto answer = base.get(target, guided.guide);
                CAPTURE(target);
                if (answer.status == 200) {
                    ++read;
                    CHECK_FALSE(tells(answer));
                    told_to_boss += tells(base.get(target, guided.boss())) ? 1 : 0;
                }
                if (target == route->path)
                    break;
            }
        }
        CHECK(read > 40);
        CHECK(told_to_boss > 8);  // where there is something to hide
        const std::string booking = "/bookings/" + id(guided.mine.id);
        const Value seen = base.get(booking, guided.guide).data();
        CHECK(seen["total"].is_null());
        CHECK(seen["amount_paid"].is_null());
        CHECK(seen["payment_status"].text() == "partial");
        CHECK(seen["travelers"].size() == 1);
        CHECK(base.get("/booking/" + id(guided.mine.id) + "/invoice", guided.guide).status == 403);
        CHECK(base.get(booking + "/voucher", guided.guide).status == 200);
        for (const char* refused :
             {"/reports?type=revenue", "/reports?type=payments", "/reports?type=taxes", "/reports?type=customers",
              "/reports?sections=booking_stats", "/reports?sections=revenue_stats", "/reports/rows?figure=payments",
              "/reports/export?type=revenue", "/reports/export?type=payments"}) {
            CAPTURE(refused);
            CHECK(base.get(refused, guided.guide).status == 403);
        }
        const std::string span = "/reports?from=" + base.day(0) + "&to=" + base.day(60);
        const Value own = base.get(span, guided.guide).data(), all = base.get(span, guided.boss()).data();
        CHECK(all["operational_stats"]["departures"].integer() == 2);
        CHECK(own["operational_stats"]["departures"].integer() == 1);
        CHECK(own["operational_stats"]["bookedCapacity"].integer() == 1);
        CHECK(own["departures_table"].size() == 1);
        CHECK(own["bookings_table"].size() == 1);
        for (const char* section : {"booking_stats", "sources", "trip_performance", "booking_trend", "lead_time"}) {
            CAPTURE(section);
            CHECK(all.find(section) != nullptr);
            CHECK(own.find(section) == nullptr);
        }
    });
}

TEST_CASE("guides are listed by name for those who plan, and departures inherit the guide of their rule") {
    each_guided([](Guided& guided) {
        TestBase& base = guided.base;
        const auto listed = base.get("/departures/guides", guided.boss());
        REQUIRE(listed.status == 200);
        REQUIRE(listed.data().size() == 1);
        CHECK(listed.data()[0]["id"].integer() == guided.guide.user_id);
        CHECK(base.get("/departures/guides", guided.guide).status == 403);

        const auto trip = base.given_trip("Rhine");
        const auto rule_body = [&](const Value& guide) {
            return Value::object({{"trip_id", trip},
                                  {"rule_type", "weekly"},
                                  {"days_of_week", Value::array({0, 1, 2, 3, 4, 5, 6})},
                                  {"start_date", base.day(1)},
                                  {"seats_total", 8},
                                  {"guide_user_id", guide},
                                  {"status", "active"}});
        };
        CHECK(base.post("/recurring-availability", rule_body(999'999), guided.boss()).field() == "guide_user_id");
        const auto rule = base.post("/recurring-availability", rule_body(guided.guide.user_id), guided.boss());
        CAPTURE(rule.text);
        REQUIRE(rule.status == 201);
        CHECK(rule.data()["guide_user_id"].integer() == guided.guide.user_id);
        // A booking makes the departure, and staff may put one in the place of the rule's date.
        base.given_booking(trip, 12, "Curie");
        REQUIRE(base.post("/trips/" + id(trip) + "/departures", Value::object({{"start_date", base.day(13)}}),
                          guided.boss())
                    .status == 201);
        const auto seen = [&] { return base.get("/trips/" + id(trip) + "/departures", guided.guide).data().size(); };
        CHECK(seen() == 2);
        // Another guide of the rule takes over what it made, not what was given to somebody by hand.
        const std::string one = "/recurring-availability/" + id(rule.data()["id"].integer());
        const auto other = base.user("sales_agent").user_id;
        const auto changed = base.call("PUT", one, "{\"guide_user_id\":" + id(other) + "}", guided.boss());
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(seen() == 1);
    });
}

TEST_CASE("a booking on nobody's or another's departure is to a guide as one that there is not") {
    each_guided([](Guided& guided) {
        const auto read = [&](const std::string& before, std::int64_t number, const std::string& after) {
            return guided.base.get(before + id(number) + after, guided.guide).status;
        };
        for (const char* part : {"", "/travellers", "/travellers?format=csv", "/payments", "/payment-methods"}) {
            CAPTURE(part);
            CHECK(read("/bookings/", guided.mine.id, part) == 200);
            CHECK(read("/bookings/", guided.foreign.id, part) == 404);
            CHECK(read("/bookings/", guided.foreign.id + 1000, part) == 404);
        }
        for (const char* part : {"", "/refunds"}) {
            CAPTURE(part);
            CHECK(read("/payments/", guided.my_payment, part) == 200);
            CHECK(read("/payments/", guided.foreign_payment, part) == 404);
        }
        // Where owners and guests come too, who is neither is refused, be there such a booking or not.
        CHECK(read("/payment/status/", guided.mine.id, "") == 200);
        CHECK(read("/payment/status/", guided.foreign.id, "") == 403);
        CHECK(read("/payment/status/", guided.foreign.id + 1000, "") == 403);
        CHECK(read("/bookings/", guided.mine.id, "/itinerary") == 200);
        CHECK(read("/bookings/", guided.foreign.id, "/itinerary") == 403);
        // A booking that left the departure is hidden from its guide.
        REQUIRE(
            guided.base
                .call("PUT", "/bookings/" + id(guided.mine.id) + "/status", R"({"status":"cancelled"})", guided.boss())
                .status == 200);
        CHECK(read("/bookings/", guided.mine.id, "") == 404);
    });
}

TEST_CASE("who sees customers or works on bookings sees them all, whoever guides") {
    each_guided([](Guided& guided) {
        for (const char* role : {"front_desk", "accountant", "auditor", "sales_agent", "manager"}) {
            CAPTURE(role);
            CHECK(guided.base.get("/bookings", guided.base.user(role)).data().size() == 2);
            CHECK(guided.base.get("/bookings/" + id(guided.foreign.id), guided.base.user(role)).status == 200);
        }
        const Visitor editor = guided.base.holding({"svc_view_bookings", "svc_edit_bookings"});
        CHECK(guided.base.get("/bookings", editor).data().size() == 2);
    });
}
