// Codes at checkout: every check in its order, what is counted, and what a booking keeps.
#include <thread>

#include "tests/base/sales/booking/booking_site.hpp"
#include "tests/base/sales/discounts/given.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// 10 % with the code SAVE, with `more` in its body.
discounts::Discount given_coupon(BookingSite& site, const char* more = "{}") {
    Value body = Value::object({{"code", "SAVE"}, {"type", "percentage"}, {"status", "publish"}, {"amount", 10}});
    const Value further = json::parse(more).value();
    for (const auto& [name, value] : further.members())
        body.set(name, value);
    auto made = written(site.store, site.discounts, body);
    REQUIRE(made);
    return *made;
}

std::string session_with(BookingSite& site, std::int64_t trip, const std::string& code, std::int64_t travelers = 1) {
    const std::string secret = site.open_session(trip, travelers);
    REQUIRE(site.bookings.sessions.choose(secret, {.coupon_code = code}, {}));
    return secret;
}

Result<booking::CreatedBooking> book(BookingSite& site, std::int64_t trip, const std::string& email,
                                     const std::string& code, std::int64_t travelers = 1) {
    return site.bookings.creator.create(session_with(site, trip, code, travelers), BookingSite::wanted(email), {}, {});
}

std::int64_t active(BookingSite& site) {
    return site.number("SELECT COUNT(*) FROM svc_discount_redemptions WHERE status = 'active'");
}

Date day(int ahead) { return Date::parse("2027-01-10").value().plus_days(ahead); }

}  // namespace

TEST_CASE("a code's checks run in order, and the first that fails is reported") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip(), other = site.given_trip();
        const auto coupon = given_coupon(site, R"({"status":"draft"})");
        const auto told = [&](const std::string& code = "save") {
            const auto quote = site.bookings.sessions.summary(session_with(site, trip.id, code), {}, {});
            REQUIRE(quote);
            const bool free = !quote->coupon;
            CHECK(free == quote->coupon_error.has_value());
            return quote->coupon_error ? std::string(quote->coupon_error->code().name) : quote->total.decimal();
        };
        const auto now = [&](const Value& change) { REQUIRE(written(site.store, site.discounts, change, coupon.id)); };
        CHECK(told("NOBODY") == "coupon_not_found");
        CHECK(told(std::string(50, 'X')) == "coupon_not_found");
        now(Value::object({{"applicable_to", "specific_trips"},
                           {"min_amount", 1000},
                           {"usage_limit", 1},
                           {"valid_from", day(1)},
                           {"trip_ids", Value::array()}}));
        CHECK(told() == "coupon_inactive");
        now(Value::object({{"status", "publish"}}));
        CHECK(told() == "coupon_not_started");
        now(Value::object({{"valid_from", day(-9)}, {"expiry_date", day(-1)}}));
        CHECK(told() == "coupon_expired");
        now(Value::object({{"valid_from", day(0)}, {"expiry_date", day(0)}}));  // both days count
        CHECK(told() == "coupon_not_applicable");                               // no trip is named
        now(Value::object({{"trip_ids", Value::array({other.id})}}));
        CHECK(told() == "coupon_not_applicable");
        now(Value::object({{"trip_ids", Value::array({other.id, trip.id})}}));
        CHECK(told() == "coupon_min_amount");
        now(json::parse(R"({"min_amount":199.99})").value());
        CHECK(told() == "179.99");
        CHECK(told("  sAvE ") == "179.99");
        REQUIRE(book(site, trip.id, "a@example.org", "SAVE"));
        CHECK(told() == "coupon_usage_limit");
        now(Value::object({{"discount_mode", "group"}, {"group_discount_amount", 5}}));
        CHECK(told() == "coupon_inactive");
    });
}

TEST_CASE("what a code takes off is a line of the booking, and its use is counted with it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto coupon = given_coupon(site);
        const auto made = book(site, trip.id, "ada@example.org", "save", 2);
        REQUIRE(made);
        CHECK(made->booking.subtotal.decimal() == "399.98");
        CHECK(made->booking.discount.decimal() == "40.00");
        CHECK(made->booking.total.decimal() == "359.98");
        CHECK(site.number("SELECT amount_minor FROM svc_booking_lines WHERE kind = 'coupon'") == -4000);
        CHECK(site.number("SELECT SUM(amount_minor) FROM svc_booking_lines") == 35998);
        CHECK(site.number("SELECT amount_minor FROM svc_discount_redemptions") == 4000);
        CHECK(stored(site.store, coupon.id)->usage_count == 1);
    });
}

TEST_CASE("a code that does not count stops the booking, and nothing is left behind") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        CHECK(code_of(book(site, trip.id, "ada@example.org", "NOBODY")) == "coupon_not_found");
        given_coupon(site, R"({"min_amount":1000})");
        const auto refused = book(site, trip.id, "ada@example.org", "SAVE");
        CHECK(code_of(refused) == "coupon_min_amount");
        CHECK(refused.error().data()[0] == std::pair<std::string, std::string>("required", "1000.00"));
        CHECK(site.footprint() == std::vector<std::int64_t>(9, 0));
        CHECK(active(site) == 0);
    });
}

TEST_CASE("a code for one use of each customer is refused the second time under any spelling of the address") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site, R"({"usage_limit_per_customer":1})");
        REQUIRE(book(site, trip.id, "ada@example.org", "SAVE"));
        CHECK(code_of(book(site, trip.id, "ADA@Example.org", "SAVE")) == "coupon_customer_limit");
        CHECK(book(site, trip.id, "grace@example.org", "SAVE"));
        CHECK(active(site) == 2);
    });
}

TEST_CASE("a code for a first booking is refused to who holds one, not to who gave one up") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site, R"({"first_time_customer_only":true})");
        const auto first = site.bookings.creator.create(site.open_session(trip.id), BookingSite::wanted(), {}, {});
        REQUIRE(first);
        CHECK(code_of(book(site, trip.id, "ada@example.org", "SAVE")) == "coupon_first_time_only");
        REQUIRE(site.to_status(first->booking.id, "cancelled"));
        CHECK(book(site, trip.id, "ada@example.org", "SAVE"));
        CHECK(code_of(book(site, trip.id, "ada@example.org", "SAVE")) == "coupon_first_time_only");
    });
}

TEST_CASE("a use comes back when its booking ends or is trashed, and counts again if the limit allows") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site, R"({"usage_limit":1})");
        const auto first = book(site, trip.id, "a@example.org", "SAVE");
        REQUIRE(first);
        for (const char* ended : {"cancelled", "failed"}) {
            CAPTURE(ended);
            REQUIRE(site.to_status(first->booking.id, ended));
            CHECK(active(site) == 0);
            REQUIRE(site.to_status(first->booking.id, "pending"));
            CHECK(active(site) == 1);
        }
        REQUIRE(site.bookings.removal.trash(first->booking.id, site.staff));
        CHECK(active(site) == 0);
        const auto second = book(site, trip.id, "b@example.org", "SAVE");
        REQUIRE(second);
        // The first one's seats come back, its price stays, and the one use there is is the other's.
        REQUIRE(site.bookings.removal.restore(first->booking.id, site.staff));
        CHECK(active(site) == 1);
        CHECK(site.booking_of(first->booking.id).total.decimal() == "179.99");
        REQUIRE(site.to_status(second->booking.id, "refunded"));
        CHECK(active(site) == 0);
    });
}

TEST_CASE("a discount that a booking has or had is not deleted") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto coupon = given_coupon(site).id;
        const auto booked = book(site, trip.id, "a@example.org", "SAVE");
        REQUIRE(booked);
        const auto removed = [&](std::int64_t id) {
            return site.store.write(
                [&](store::Transaction& tx) { return site.discounts.resource().engine().remove(tx, id, {}, {}); });
        };
        CHECK(code_of(removed(coupon)) == "svc_in_use");
        REQUIRE(site.to_status(booked->booking.id, "cancelled"));
        CHECK(code_of(removed(coupon)) == "svc_in_use");
        CHECK(stored(site.store, coupon)->status == "publish");
        const auto other = given_coupon(site, R"({"code":"OTHER"})").id;
        const std::string session = session_with(site, trip.id, "OTHER");
        CHECK(removed(other));
        CHECK_FALSE(stored(site.store, other));
        CHECK(code_of(site.bookings.creator.create(session, BookingSite::wanted("b@example.org"), {}, {})) ==
              "coupon_not_found");
    });
}

TEST_CASE("a code that takes everything off leaves nothing to pay a deposit of, and the booking is paid") {
    each_booking_site([](BookingSite& site) {
        site.set("enable_deposit", true);
        site.set("deposit_percentage", 10);
        const auto trip = site.given_trip();
        given_coupon(site, R"({"amount":100})");
        const std::string secret = site.open_session(trip.id);
        REQUIRE(site.bookings.sessions.choose(secret, {.payment_method = "deposit"}, {}));
        const auto priced = site.bookings.sessions.set_coupon(secret, "SAVE", {});
        REQUIRE(priced);
        CHECK(priced->total.is_zero());
        CHECK(priced->amount_due.is_zero());
        CHECK(priced->payment_method == "full");
        const auto made = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {});
        REQUIRE(made);
        CHECK(made->booking.payment_status == "paid");
        CHECK(made->booking.payment_method == "full");
    });
}

TEST_CASE("of forty who book at once with a code for five, five hold it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 100);
        const auto coupon = given_coupon(site, R"({"usage_limit":5})");
        std::vector<std::string> sessions;
        for (int i = 0; i < 40; ++i)
            sessions.push_back(session_with(site, trip.id, "SAVE"));
        std::atomic<int> made{0}, refused{0}, others{0};
        std::vector<std::thread> buyers;
        for (int i = 0; i < 40; ++i)
            buyers.emplace_back([&, i] {
                const auto booked =
                    site.bookings.creator.create(sessions[static_cast<std::size_t>(i)],
                                                 BookingSite::wanted("b" + std::to_string(i) + "@example.org"), {}, {});
                const std::string code = code_of(booked);
                ++(booked ? made : code == "coupon_usage_limit" ? refused : others);
            });
        for (std::thread& buyer : buyers)
            buyer.join();
        CHECK(made == 5);
        CHECK(refused == 35);
        CHECK(others == 0);
        CHECK(active(site) == 5);
        CHECK(stored(site.store, coupon.id)->usage_count == 5);
        CHECK(site.seats_of(departure) == 5);
        CHECK(site.number("SELECT COUNT(*) FROM svc_bookings") == 5);
    });
}

TEST_CASE("a group discount comes by itself while its module is on, and its uses are counted too") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site, R"({"code":null,"amount":null,"discount_mode":"group","group_discount_amount":20,
            "usage_limit":1,"min_group_size":3})");
        const auto total = [&](std::int64_t travelers) {
            return site.bookings.sessions.summary(site.open_session(trip.id, travelers), {}, {})
                .value()
                .total.decimal();
        };
        CHECK(total(2) == "399.98");
        CHECK(total(3) == "479.98");
        site.modules_off.insert("advanced_discount");
        CHECK(total(3) == "599.97");
        site.modules_off.clear();
        const auto made = site.try_booking(trip.id, 3);
        REQUIRE(made);
        CHECK(made->booking.total.decimal() == "479.98");
        CHECK(active(site) == 1);
        CHECK(total(3) == "599.97");
    });
}

TEST_CASE("an applied code is checked at once and replaced by the next; another trip takes it off") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip(), other = site.given_trip();
        given_coupon(site);
        given_coupon(site, R"({"code":"MORE","amount":50})");
        const std::string secret = site.open_session(trip.id);
        CHECK(site.bookings.sessions.set_coupon(secret, "save", {}).value().total.decimal() == "179.99");
        CHECK(code_of(site.bookings.sessions.set_coupon(secret, "NOBODY", {})) == "coupon_not_found");
        CHECK(site.bookings.sessions.summary(secret, {}, {}).value().total.decimal() == "179.99");
        CHECK(site.bookings.sessions.set_coupon(secret, "MORE", {}).value().total.decimal() == "99.99");
        CHECK(site.bookings.sessions.summary(secret, {}, {}).value().total.decimal() == "99.99");
        CHECK(site.bookings.sessions.set_coupon(secret, "", {}).value().total.decimal() == "199.99");
        REQUIRE(site.bookings.sessions.set_coupon(secret, "MORE", {}));
        REQUIRE(site.bookings.sessions.choose(secret, {.trip_id = other.id, .travel_date = travel_day}, {}));
        CHECK(site.bookings.sessions.summary(secret, {}, {}).value().total.decimal() == "199.99");
    });
}

TEST_CASE("a valid code on a price that excludes codes is reported, and the booking is made at that price") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site);
        REQUIRE(site.hooks.filter(
            "svc_booking_trip_price", {.name = "test"},
            [](store::Transaction*, const json::Array&) -> json::Value { return json::Number{"150.00"}; }));
        for (const char* mode : {"dynamic_pricing_only", "best_for_customer"}) {
            CAPTURE(mode);
            site.set("discount_stacking_mode", mode);
            const std::string secret = site.open_session(trip.id);
            const auto put = site.bookings.sessions.set_coupon(secret, "SAVE", {});
            REQUIRE(put);
            CHECK(put->total.decimal() == "150.00");
            CHECK(put->shown["coupon_discount"]["error"]["code"].text() == "coupon_not_applicable");
            const auto made = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {});
            REQUIRE(made);
            CHECK(made->booking.total.decimal() == "150.00");
            CHECK(made->booking.coupon_code.empty());
            CHECK(active(site) == 0);
            CHECK(site.bookings.desk.edit(made->booking.id, {.choice = {.coupon_code = "SAVE"}, .recalculate = true}));
            // One that is no good is refused all the same.
            CHECK(code_of(book(site, trip.id, "bob@example.org", "NOBODY")) == "coupon_not_found");
        }
        // Where the discount is the better way it counts.
        given_coupon(site, R"({"code":"HALF","amount":50})");
        const auto made = book(site, trip.id, "cay@example.org", "HALF");
        REQUIRE(made);
        CHECK(made->booking.coupon_code == "HALF");
        CHECK(active(site) == 1);
    });
}

TEST_CASE("a booking keeps its tax when the settings change") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.set("enable_tax", true);
        site.set("tax_rate", json::Number{"7.5"});
        const auto made = site.given_booking(trip.id, 2);
        CHECK(made.tax.decimal() == "30.00");
        CHECK(made.total.decimal() == "429.98");
        site.set("tax_rate", 20);
        site.set("tax_inclusive", true);
        const auto after = site.booking_of(made.id);
        CHECK(after.tax.decimal() == "30.00");
        CHECK(after.total.decimal() == "429.98");
        CHECK_FALSE(after.tax_inclusive);
        const auto other = site.given_booking(trip.id, 2);
        CHECK(other.tax.decimal() == "66.66");
        CHECK(other.total.decimal() == "399.98");
        CHECK(other.tax_inclusive);
        // Each booking tells its tax; where the prices hold it, it is not added.
        CHECK(site.number("SELECT amount_minor FROM svc_booking_lines WHERE kind = 'tax' AND booking_id = :id",
                          {{"id", made.id}}) == 3000);
        CHECK(site.number("SELECT amount_minor FROM svc_booking_lines WHERE kind = 'tax' AND booking_id = :id",
                          {{"id", other.id}}) == 6666);
    });
}

TEST_CASE("a listener may put another code in place of the typed one, and one that does not count leaves it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto typed = given_coupon(site);
        const auto better = given_coupon(site, R"({"code":"MEMBER","amount":50})");
        given_coupon(site, R"({"code":"LARGE","min_amount":1000})");
        json::Value wanted;
        std::string heard;
        REQUIRE(site.hooks.filter("svc_before_calculation_params", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& given) {
                                      json::Value params = given.front();
                                      heard = params["coupon_code"].is_string() ? params["coupon_code"].text() : "-";
                                      params.set("coupon_code", wanted);
                                      return params;
                                  }));
        const auto told = [&](const std::string& code, const json::Value& other) {
            wanted = other;
            const auto quote = site.bookings.sessions.summary(session_with(site, trip.id, code), {}, {});
            REQUIRE(quote);
            CHECK_FALSE(quote->coupon_error);
            return (quote->coupon ? quote->coupon->code : "none") + " " + quote->total.decimal();
        };
        CHECK(told("SAVE", "member") == "MEMBER 99.99");
        CHECK(heard == "SAVE");
        CHECK(told("", "MEMBER") == "MEMBER 99.99");
        CHECK(heard == "-");
        CHECK(told("SAVE", "SAVE") == "SAVE 179.99");
        CHECK(told("SAVE", json::Value()) == "none 199.99");
        CHECK(told("SAVE", "") == "none 199.99");
        // Nobody at the page could mend these.
        CHECK(told("SAVE", "NOBODY") == "SAVE 179.99");
        CHECK(told("SAVE", "LARGE") == "SAVE 179.99");
        CHECK(told("", "LARGE") == "none 199.99");
        CHECK(told("SAVE", 5) == "SAVE 179.99");

        wanted = "MEMBER";
        const auto made = book(site, trip.id, "ada@example.org", "SAVE");
        REQUIRE(made);
        CHECK(made->booking.coupon_code == "MEMBER");
        CHECK(made->booking.total.decimal() == "99.99");
        CHECK(stored(site.store, better.id)->usage_count == 1);
        CHECK(stored(site.store, typed.id)->usage_count == 0);
    });
}

TEST_CASE("a group discount asks nothing of who books, and only its uses can run out") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        given_coupon(site, R"({"code":null,"amount":null,"discount_mode":"group","group_discount_amount":20,
            "usage_limit":2,"usage_limit_per_customer":1,"min_group_size":2,"first_time_customer_only":true})");
        const auto total = [&] {
            const auto booked = book(site, trip.id, "ada@example.org", "", 2);
            REQUIRE(booked);
            return booked->booking;
        };
        const auto first = total(), second = total(), third = total();
        CHECK(first.total.decimal() == "319.98");
        CHECK(second.total.decimal() == "319.98");
        CHECK(third.total.decimal() == "399.98");
        REQUIRE(site.to_status(second.id, "cancelled"));
        CHECK(active(site) == 1);
        REQUIRE(site.to_status(second.id, "pending"));
        CHECK(active(site) == 2);
    });
}
