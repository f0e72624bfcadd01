// The history of a booking: who changed what, from what to what.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Sold {
    explicit Sold(Database& database) : base(database), clerk(base.user("manager")), trip(base.given_trip()) {
        for (const int days : {30, 40})
            departures.push_back(base.given_departure(trip, days));
        booking = base.given_booking(trip);
    }
    void edit(const Value& body) {
        const auto done = base.call("PUT", at(""), body.dump(), clerk);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
    }
    [[nodiscard]] std::string at(const char* part) const { return "/bookings/" + std::to_string(booking.id) + part; }
    // The events of one kind, newest first.
    std::vector<Value> events(const std::string& kind) {
        std::vector<Value> found;
        const auto history = base.get(at("/history"), clerk);
        for (const Value& each : history.data().items())
            if (each.text_or("kind") == kind)
                found.push_back(each);
        return found;
    }

    TestBase base;
    const Visitor& clerk;
    std::int64_t trip;
    std::vector<std::int64_t> departures;
    GivenBooking booking;
};

// "from > to" of a field; empty: the event does not have it.
std::string told(const Value& event, std::string_view field) {
    for (const Value& change : event["changes"].items())
        if (change.text_or("field") == field)
            return change["before"].dump() + " > " + change["after"].dump();
    return {};
}

}  // namespace

TEST_CASE("a change of date, party and price tells who made it and both values of each") {
    each_on<Sold>([](Sold& sold) {
        const std::string before = sold.base.day(30), after = sold.base.day(40);
        sold.edit(Value::object({{"travel_date", after}, {"travelers_count", 2}, {"recalculate", true}}));
        for (const char* kind : {"date", "party", "price"}) {
            CAPTURE(kind);
            const auto events = sold.events(kind);
            REQUIRE(events.size() == 1);
            CHECK(events.front().text_or("actor") == "a_manager");
        }
        CHECK(told(sold.events("date").front(), "travel_date") == "\"" + before + "\" > \"" + after + "\"");
        CHECK(told(sold.events("party").front(), "travelers_count") == "1 > 2");
        CHECK_FALSE(told(sold.events("price").front(), "total").empty());
        // What was not changed is not told, and a write of the same values tells nothing.
        CHECK(sold.events("contact").empty());
        sold.edit(Value::object({{"travelers_count", 2}}));
        CHECK(sold.events("party").size() == 1);
    });
}

TEST_CASE("a change of contact and travelers is told by field, without answers about health") {
    each_on<Sold>([](Sold& sold) {
        sold.edit(Value::object(
            {{"contact_email", "new@example.org"},
             {"contact_phone", "+49 30 1234567"},
             {"special_requests", "A window seat"},
             {"emergency_contact", Value::object({{"name", "Grace"}, {"phone", "+1 555 0100"}})},
             {"travelers", Value::array({Value::object(
                               {{"first_name", "Ada"}, {"last_name", "Byron"}, {"medical_conditions", "asthma"}})})}}));
        const auto contact = sold.events("contact");
        REQUIRE(contact.size() == 1);
        CHECK(told(contact.front(), "email").ends_with("> \"new@example.org\""));
        CHECK(told(contact.front(), "special_requests").ends_with("> \"A window seat\""));
        CHECK(told(contact.front(), "emergency_name").ends_with("> \"Grace\""));
        const auto travelers = sold.events("travelers");
        REQUIRE(travelers.size() == 1);
        CHECK(told(travelers.front(), "last_name").ends_with("> \"Byron\""));
        CHECK(told(travelers.front(), "medical_conditions") == "null > null");
        CHECK(sold.base.number("SELECT COUNT(*) FROM svc_booking_changes WHERE fields LIKE '%asthma%'") == 0);
    });
}

TEST_CASE("a departure that moves tells it at its bookings, and a refused change tells nothing") {
    each_on<Sold>([](Sold& sold) {
        const auto refused = sold.base.call(
            "PUT", sold.at(""), R"({"travel_date":"2020-01-01","contact_phone":"+49 30 7654321"})", sold.clerk);
        CHECK(refused.status >= 400);
        CHECK(sold.base.number("SELECT COUNT(*) FROM svc_booking_changes") == 0);
        const auto moved = sold.base.call(
            "PUT", "/trips/" + std::to_string(sold.trip) + "/departures/" + std::to_string(sold.departures.front()),
            "{\"start_date\":\"" + sold.base.day(33) + "\"}", sold.clerk);
        CAPTURE(moved.text);
        REQUIRE(moved.status == 200);
        const auto events = sold.events("date");
        REQUIRE(events.size() == 1);
        CHECK(events.front().text_or("actor") == "a_manager");
    });
}

TEST_CASE("payments and refunds name the person, and a refund that lowers the total tells the price") {
    each_on<Sold>([](Sold& sold) {
        const auto& boss = sold.base.user("administrator");
        const auto paid = sold.base.post(
            sold.at("/payments"), Value::object({{"amount", 20}, {"gateway", "cash"}, {"status", "completed"}}), boss);
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
        const auto refund = sold.base.post(
            "/payments/" + std::to_string(paid.data()["id"].integer()) + "/refunds",
            Value::object({{"amount", 5}, {"reason", "late bus"}, {"by_hand", true}, {"reduces_total", true}}), boss);
        CAPTURE(refund.text);
        REQUIRE(refund.status == 201);
        REQUIRE(sold.events("payment").size() == 1);
        CHECK(sold.events("payment").front().text_or("actor") == "a_administrator");
        const auto refunds = sold.events("refund");
        REQUIRE(refunds.size() == 1);
        CHECK(refunds.front().text_or("actor") == "a_administrator");
        CHECK(refunds.front().text_or("detail") == "late bus");
        CHECK(refunds.front()["amount"].number_text() == "5.00");
        REQUIRE(sold.events("price").size() == 1);
        CHECK(sold.events("price").front().text_or("actor") == "a_administrator");
    });
}
