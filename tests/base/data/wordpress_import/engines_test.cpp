// WP Travel and WP Travel Engine by the names in their sources: groups, recurring dates, discounts and taxes.
#include "tests/base/data/wordpress_import/wordpress.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value trip_of(TestBase& base, const char* slug) { return base.get(std::string("/trips/public/") + slug).data(); }

std::int64_t departures(TestBase& base, const std::string& slug) {
    return base.number(
        ("SELECT COUNT(*) FROM svc_departures d JOIN svc_trips t ON t.id = d.trip_id WHERE t.slug = '" + slug + "'")
            .c_str());
}

std::string compact(std::string day) {
    day.erase(7, 1);
    day.erase(4, 1);
    return day;
}

}  // namespace

TEST_CASE("packages of WP Travel Engine keep prices per group, least parties and recurring dates") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const std::string start = base.day(30), until = base.day(30 + 20);
    const auto dates = Value::object(
        {{compact(start), Value::object({{"dtstart", start},
                                         {"seats", "8"},
                                         {"is_recurring", "1"},
                                         {"rrule", Value::object({{"r_frequency", "WEEKLY"}, {"r_until", until}})}})}});
    const auto staged = stage(
        base,
        wxr(post(7, "trip", "Cliff path", "publish",
                 php_meta(
                     "wp_travel_engine_setting",
                     R"({"trip_duration":"2","trip_minimum_pax":"2","trip_maximum_pax":"9","trip_facts":{"1":"x"}})")) +
            post(
                8, "trip-packages", "Default", "publish",
                meta("trip_ID", "7") + meta("package-dates", php(dates)) +
                    php_meta(
                        "package-categories",
                        R"({"c_ids":{"31":"31"},"labels":{"31":"Adult"},"prices":{"31":"900"},"pricing_types":{"31":"per-group"},"enabled_sale":{"31":""},"sale_prices":{"31":""}})"))));
    CAPTURE(staged.text);
    REQUIRE(staged.status == 200);
    CHECK(staged.data()["left_out"]["Trips with facts"].integer() == 1);
    const Value done = migrate_all(base);
    CAPTURE(done.dump());
    for (const auto& [kind, run] : done.members())
        CHECK(run["failed"].integer() == 0);
    const Value trip = trip_of(base, "cliff-path");
    CAPTURE(trip.dump());
    CHECK(trip["min_travelers"].integer() == 2);
    REQUIRE(trip["price_types"].size() == 1);
    CHECK(trip["price_types"][std::size_t{0}]["pricing_mode"].text() == "per_group");
    CHECK(trip["price_types"][std::size_t{0}]["max_pax"].integer() == 9);
    CHECK(trip["price_types"][std::size_t{0}]["group_overflow"].text() == "block");
    CHECK(departures(base, "cliff-path") == 3);
    CHECK(base.number("SELECT COUNT(*) FROM svc_departures WHERE capacity = 8") == 3);
}

TEST_CASE("bookings of WP Travel Engine keep discounts, in percent or fixed, and taxes") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const auto booking = [&](int id, const char* cart) {
        return post(
            id, "booking", "Booking", "publish",
            php_meta("cart_info", cart) +
                meta("order_trips", php(Value::object({{"c", Value::object({{"ID", 13},
                                                                            {"datetime", base.day(30)},
                                                                            {"pax", Value::object({{"a", 2}})}})}}))) +
                php_meta("billing_info", R"({"fname":"Ada","lname":"L","email":"ada@example.org"})") +
                meta("wp_travel_engine_booking_status", "booked") + meta("paid_amount", "10"));
    };
    REQUIRE(
        stage(
            base,
            wxr(post(13, "trip", "Cliff path", "publish",
                     php_meta("wp_travel_engine_setting", R"({"trip_price":"500","trip_duration":"2"})")) +
                booking(
                    1,
                    R"({"subtotal":"1000","total":"1017","currency":"USD","tax_amount":"13","discounts":{"k":{"name":"TENTH","type":"percentage","value":"10"}}})") +
                booking(
                    2,
                    R"({"subtotal":"1000","total":"1062.2","currency":"USD","discounts":{"k":{"name":"SIXTY","type":"fixed","value":"60"}},"totals":{"total_tax":"122.2"}})")))
            .status == 200);
    const Value done = migrate_all(base);
    CAPTURE(done.dump());
    CHECK(done["bookings"]["migrated"].integer() == 2);
    const auto of = [&](const char* reference) {
        return base.get(std::string("/bookings?search=") + reference, base.user("administrator"))
            .data()[std::size_t{0}];
    };
    CHECK(of("WTE-1")["discount_amount"].number_text() == "100.00");
    CHECK(of("WTE-1")["tax_amount"].number_text() == "117.00");
    CHECK(of("WTE-1")["discount_code"].text() == "TENTH");
    CHECK(of("WTE-2")["discount_amount"].number_text() == "60.00");
    CHECK(of("WTE-2")["tax_amount"].number_text() == "122.20");
    CHECK_FALSE(of("WTE-1")["payments_unknown"].boolean());  // they keep what was paid
}

TEST_CASE("tables of WP Travel keep prices per group and recurring dates") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    REQUIRE(stage(base, wxr(post(77, "itineraries", "Cliff path", "publish",
                                 meta("wp_travel_price", "500") + meta("wp_travel_trip_duration", "2"))))
                .status == 200);
    const auto weekday = Date::parse(base.day(30))->weekday();
    const char* const names[] = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};
    REQUIRE(stage(base,
                  "trip_id,title,regular_price,sale_price,price_per,min_pax,max_pax\n77,Boat,800,,group,1,6\n"
                  "77,Adult,200,150,person,1,9\n",
                  "traveler_categories")
                .status == 200);
    REQUIRE(stage(base,
                  "trip_id,recurring,years,months,days,date_days,start_date,end_date,max_pax\n77,1,,every_month," +
                      std::string(names[weekday]) + ",," + base.day(30) + "," + base.day(30 + 15) + ",7\n",
                  "tour_dates")
                .status == 200);
    const Value done = migrate_all(base);
    CAPTURE(done.dump());
    for (const auto& [kind, run] : done.members())
        CHECK(run["failed"].integer() == 0);
    const Value trip = trip_of(base, "cliff-path");
    CAPTURE(trip.dump());
    REQUIRE(trip["price_types"].size() == 2);
    CHECK(trip["price_types"][std::size_t{0}]["pricing_mode"].text() == "per_group");
    CHECK(trip["price_types"][std::size_t{0}]["max_pax"].integer() == 6);
    CHECK(trip["price_types"][std::size_t{1}]["pricing_mode"].text() == "per_person");
    CHECK(trip["price_types"][std::size_t{1}]["max_quantity"].integer() == 9);
    CHECK(departures(base, "cliff-path") == 3);
    CHECK(base.number("SELECT COUNT(*) FROM svc_departures WHERE capacity = 7") == 3);
}

TEST_CASE("payments of WP Travel that the export lacks leave the booking flagged") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const auto booking = [&](int id, const char* payments) {
        return post(id, "itinerary-booking", "Booking", "publish",
                    meta("wp_travel_post_id", "12") + meta("wp_travel_arrival_date", base.day(30)) +
                        meta("wp_travel_pax", "2") + meta("wp_travel_booking_status", "booked") +
                        meta("wp_travel_email", "ada@example.org") + meta("wp_travel_fname", "Ada") +
                        php_meta("order_totals", R"({"total":"900"})") + php_meta("wp_travel_payment_id", payments));
    };
    REQUIRE(
        stage(base, wxr(post(12, "itineraries", "Cliff path", "publish", meta("wp_travel_price", "500")) +
                        booking(1, "[32]") + booking(2, "[33]") +
                        post(32, "wp-travel-payment", "Payment", "publish", meta("wp_travel_payment_amount", "300"))))
            .status == 200);
    migrate_all(base);
    const auto of = [&](const char* reference) {
        return base.get(std::string("/bookings?search=") + reference, base.user("administrator"))
            .data()[std::size_t{0}];
    };
    CHECK_FALSE(of("WPT-1")["payments_unknown"].boolean());
    CHECK(of("WPT-1")["amount_due"].number_text() == "600.00");
    CHECK(of("WPT-2")["payments_unknown"].boolean());
    CHECK(of("WPT-2")["amount_due"].number_text() == "0.00");
}
