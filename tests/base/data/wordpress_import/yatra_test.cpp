// A site with Yatra arrives as it was: each check reads the result as a visitor, or as staff.
#include "base/sales/booking/upkeep/repository.hpp"
#include "tests/base/data/wordpress_import/wordpress.hpp"
#include "tests/base/data/wordpress_import/yatra_sample.hpp"
#include "tests/support/invariants.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Moved {
    std::unique_ptr<Database> database = Database::sqlite();
    TestBase base{*database};
    Value progress = yatra::migrated(base);

    Value trip(const std::string& slug) { return base.get("/trips/public/" + slug).data(); }
    Value booking(const std::string& reference) {
        return base.get("/bookings?search=" + reference, base.user("administrator")).data()[std::size_t{0}];
    }
    std::string list() { return yatra::list_of(base, progress); }
    // What a party pays on that day, or the refusal.
    Answered quote(const Value& trip, int ahead, const Value& counts) {
        return base.post(
            "/booking/summary",
            Value::object({{"trip_id", trip["id"]}, {"travel_date", base.day(ahead)}, {"traveler_counts", counts}}));
    }
    std::string total(const Value& trip, int ahead, std::int64_t people) {
        const std::string category =
            trip["price_types"].size() > 0 ? trip["price_types"][std::size_t{0}]["category_id"].number_text() : "";
        const auto answer = category.empty()
                                ? base.post("/booking/summary", Value::object({{"trip_id", trip["id"]},
                                                                               {"travel_date", base.day(ahead)},
                                                                               {"travelers_count", people}}))
                                : quote(trip, ahead, Value::object({{category, people}}));
        return answer.status == 200 ? answer.data()["final_total"].number_text() : answer.text;
    }
    std::int64_t departures(const std::string& slug, const std::string& where = "1 = 1") {
        return base.number(
            ("SELECT COUNT(*) FROM svc_departures d JOIN svc_trips t ON t.id = d.trip_id WHERE t.slug = '" + slug +
             "' AND " + where)
                .c_str());
    }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Yatra's sample arrives whole on both databases, and again nothing arrives twice") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const Value done = yatra::migrated(base);
        CAPTURE(done.dump());
        CAPTURE(yatra::list_of(base, done));
        for (const auto& [kind, run] : done.members()) {
            CAPTURE(kind);
            CHECK(run["failed"].integer() == (kind == "pictures" ? 2 : 0));  // of an address that is not fetched
        }
        CHECK(done["trips"]["migrated"].integer() == 7);
        CHECK(done["bookings"]["migrated"].integer() == 4);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 0);
        check_invariants(*base.assembly->store);
        const Value again = migrate_all(base);
        for (const auto& [kind, run] : again.members()) {
            CAPTURE(kind);
            CHECK(run["migrated"].integer() == 0);
        }
    });
}

TEST_CASE("Yatra's price of a group is paid for each beginning group") {
    Moved moved;
    const Value trip = moved.trip("lantern-valley");
    CAPTURE(trip.dump());
    REQUIRE(trip["price_types"].size() == 1);
    const Value& type = trip["price_types"][std::size_t{0}];
    CHECK(type["pricing_mode"].text() == "per_group");
    CHECK(type["max_pax"].integer() == 5);
    CHECK(type["group_overflow"].text() == "per_block");
    CHECK(moved.total(trip, yatra::range_start + 2, 5) == "15400.00");
    CHECK(moved.total(trip, yatra::range_start + 2, 6) == "30800.00");
}

TEST_CASE("Yatra's prices by category keep groups, sales and limits of their own") {
    Moved moved;
    const Value trip = moved.trip("salt-river");
    CAPTURE(trip.dump());
    REQUIRE(trip["price_types"].size() == 2);
    const Value &adult = trip["price_types"][std::size_t{0}], &family = trip["price_types"][std::size_t{1}];
    CHECK(adult["sale_price"].number_text() == "650.00");
    CHECK(adult["max_quantity"].integer() == 8);
    CHECK(adult["pricing_mode"].text() == "per_person");
    CHECK(family["pricing_mode"].text() == "per_group");
    CHECK(family["max_pax"].integer() == 4);
    const auto nine = moved.quote(trip, 20, Value::object({{adult["category_id"].number_text(), 9}}));
    CHECK(nine.status == 400);
}

TEST_CASE("Yatra's plain prices and sale prices are per person") {
    Moved moved;
    const Value trip = moved.trip("plain-lake");
    CHECK(trip["regular_price"].number_text() == "500.00");
    CHECK(trip["sale_price"].number_text() == "450.00");
    CHECK(trip["max_travelers"].integer() == 12);
    CHECK(moved.total(trip, 20, 3) == "1350.00");
}

TEST_CASE("Yatra's limit of a booking stays below the seats of a day, and the least party stays") {
    Moved moved;
    const Value trip = moved.trip("six-at-most");
    CAPTURE(trip.dump());
    CHECK(trip["max_travelers"].integer() == 30);
    CHECK(has(moved.total(trip, 20, 7), "at most 6"));
    CHECK(moved.total(trip, 20, 6) == "540.00");
    CHECK(trip["price_types"][std::size_t{0}]["category_label"].text() == "Hiker");
    CHECK(moved.trip("lantern-valley")["min_travelers"].integer() == 2);
}

TEST_CASE(
    "Yatra's tours whose booking is off, that are sold elsewhere or behind a password are drafts that are named") {
    Moved moved;
    const std::string list = moved.list();
    CAPTURE(list);
    for (const char* slug : {"closed-tour", "sold-elsewhere", "secret-garden"}) {
        CAPTURE(slug);
        CHECK(moved.base.get(std::string("/trips/public/") + slug).status == 404);
        CHECK(moved.base.number(
                  ("SELECT COUNT(*) FROM svc_trips WHERE status = 'draft' AND slug = '" + std::string(slug) + "'")
                      .c_str()) == 1);
        CHECK(has(list, "\"" + std::string(slug) + "\""));
    }
    CHECK(has(list, "Its booking was switched off."));
    CHECK(has(list, "https://partner.example.org/x"));
    CHECK(has(list, "Its page was behind a password."));
}

TEST_CASE("Yatra's ranges of dates are one departure a day, and no other day is open") {
    Moved moved;
    CHECK(moved.departures("lantern-valley") == yatra::range_days);
    CHECK(moved.departures("lantern-valley", "d.end_date > d.start_date") == yatra::range_days);
    CHECK(moved.departures("lantern-valley", "d.capacity = 20") == yatra::range_days);
    const Value trip = moved.trip("lantern-valley");
    CHECK(has(moved.total(trip, yatra::range_start + 20, 5), "date_unavailable"));
}

TEST_CASE("Yatra's table of days closes days, keeps prices of their own, and leaves the other days open") {
    Moved moved;
    const Value trip = moved.trip("plain-lake");
    CHECK(has(moved.total(trip, yatra::booked_day + 2, 1), "date_"));  // neither booking nor enquiry
    CHECK(has(moved.total(trip, yatra::booked_day + 3, 1), "date_"));  // enquiries only
    CHECK(moved.total(trip, yatra::booked_day + 4, 1) == "450.00");    // the day follows the tour
    CHECK(moved.total(trip, yatra::booked_day + 5, 1) == "600.00");
    CHECK(moved.departures("plain-lake", "d.start_date = '" + moved.base.day(yatra::booked_day + 5) +
                                             "' AND d.capacity = 4 AND d.notes = 'Early'") == 1);
    CHECK(moved.total(trip, yatra::booked_day + 9, 1) == "450.00");
    // Of the other tour: one day is closed, one is outside of its range.
    CHECK(moved.departures("lantern-valley", "d.sale_state = 'closed'") == 1);
    const auto left = moved.base.get("/migration/status", moved.base.user("administrator")).data()["left_out"];
    CHECK(left["Days of the table that follow the tour"].integer() == 1);
    CHECK(left["Days of the table for enquiries only, which are closed"].integer() == 1);
    CHECK(left["Days of the table outside of the dates of their tour"].integer() == 1);
}

TEST_CASE("Yatra's bookings keep discount and total, and their coupon counts as used") {
    Moved moved;
    const Value booking = moved.booking("coupon22");
    CAPTURE(booking.dump());
    CHECK(booking["subtotal"].number_text() == "1400.00");
    CHECK(booking["discount_amount"].number_text() == "140.00");
    CHECK(booking["total_amount"].number_text() == "1260.00");
    CHECK(booking["discount_code"].text() == "TENTH");
    CHECK(moved.base.number("SELECT COUNT(*) FROM svc_discount_redemptions WHERE status = 'active'") == 1);
}

TEST_CASE("Yatra's coupons without a type are percentages, and their uses count") {
    Moved moved;
    const auto coupons = moved.base.get("/discounts", moved.base.user("administrator")).data();
    CAPTURE(coupons.dump());
    Value tenth, once;
    for (const Value& each : coupons.items())
        (each["code"].text() == "TENTH" ? tenth : once) = each;
    CHECK(tenth["type"].text() == "percentage");
    CHECK(tenth["usage_count"].integer() == 1);
    CHECK(tenth["usage_limit"].integer() == 3);  // two of five uses are of bookings that are gone
    CHECK(tenth["expiry_date"].text() == moved.base.day(90));
    CHECK(once["status"].text() == "draft");
    CHECK(has(moved.list(), "It ended at 23:00 of its last day."));
    CHECK(has(moved.list(), "It was used as often as it may be."));
}

TEST_CASE("Yatra's seats are those of its bookings, and a trip that starts on every day goes on to do so") {
    Moved moved;
    CHECK(moved.departures("plain-lake", "d.booked_count = 3 AND d.start_date = '" +
                                             moved.base.day(yatra::booked_day + 1) + "'") == 1);
    CHECK(moved.departures("salt-river", "d.booked_count = 2") == 1);
    const Value trip = moved.trip("salt-river");
    CHECK(moved.total(trip, 100, 1) == "650.00");
}

TEST_CASE("Yatra's included and excluded things, highlights of the office and questions come as lists") {
    Moved moved;
    const Value trip = moved.trip("lantern-valley");
    CAPTURE(trip.dump());
    REQUIRE(trip["included_items"].size() == 2);
    CHECK(trip["included_items"][std::size_t{1}]["title"].text() == "Guide");
    REQUIRE(trip["excluded_items"].size() == 2);
    CHECK(trip["excluded_items"][std::size_t{0}]["title"].text() == "Flights");
    CHECK(trip["faqs"][std::size_t{0}]["question"].text() == "1. What to bring?");
    CHECK(has(trip["faqs"][std::size_t{0}]["answer"].text(), "<p>Shoes.</p>"));
    CHECK(trip["featured_priority"].text() == "featured");
}

TEST_CASE("Yatra's days keep their headings, and those beyond the duration stay readable") {
    Moved moved;
    const Value trip = moved.trip("lantern-valley");
    REQUIRE(trip["itinerary_days"].size() == 2);
    CHECK(trip["itinerary_days"][std::size_t{0}]["title"].text() == "Day 1");
    CHECK(trip["itinerary_days"][std::size_t{1}]["title"].text() == "The lamps");
    const std::string last = trip["itinerary_days"][std::size_t{1}]["description"].text();
    CAPTURE(last);
    CHECK(has(last, "Third stop"));
    CHECK(has(last, "Bus."));
    CHECK(trip["duration"].integer() == 2);
    CHECK(has(moved.list(), "The trip lasts 2 days, its itinerary has 4."));
}

TEST_CASE("Yatra's overview comes before the text, with paragraphs, a figure and the words of shortcodes") {
    Moved moved;
    const std::string text = moved.trip("lantern-valley")["description"].text();
    CAPTURE(text);
    CHECK(text.find("<p>A valley of lamps.</p>") < text.find("The first morning"));
    CHECK(has(text, "<p>For small groups.</p>"));
    CHECK(has(text, "<strong>old gate</strong>.<br>"));
    CHECK(has(text, "<figcaption>The gate at dawn</figcaption>"));
    CHECK(has(text, "Ask us about [sic] prices [1]."));
    CHECK_FALSE(has(text, "[caption"));
    CHECK_FALSE(has(text, "button_box"));
    CHECK(has(moved.list(), "Of these shortcodes only the words are kept: [button_box], [gallery]."));
}

TEST_CASE("Yatra's places have parents and pictures, attributes their type and values") {
    Moved moved;
    const auto& admin = moved.base.user("administrator");
    CHECK(
        moved.base.number("SELECT COUNT(*) FROM svc_classifications c JOIN svc_classifications p ON p.id = c.parent_id"
                          " WHERE c.slug = 'north-hills' AND p.slug = 'hill-country'") == 1);
    const auto attributes = moved.base.get("/attributes", admin).data();
    CHECK(attributes[std::size_t{0}]["field_type"].text() == "number");
    CHECK(attributes[std::size_t{0}]["default_value"].text() == "900");
    CHECK(moved.base.number("SELECT COUNT(*) FROM svc_trip_classifications WHERE attribute_value = '1400'") == 1);
    CHECK(has(moved.list(), "http://127.0.0.1:1/hills.jpg"));  // its picture was asked for
    CHECK(has(moved.list(), "http://127.0.0.1:1/c.jpg"));      // of the gallery in the text
}

TEST_CASE("Yatra's customers come with phone and country") {
    Moved moved;
    CHECK(moved.base.number("SELECT COUNT(*) FROM svc_customers WHERE email_lower = 'li@example.org' AND country = 'CN'"
                            " AND first_name = 'Li' AND last_name = 'Na'") == 1);
}

TEST_CASE("Yatra's enquiries keep subject, country and further fields in their message") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        REQUIRE(stage(base, yatra::exported(base)).status == 200);
        const std::string table =
            "id,tour_id,fullname,email,country,phone_number,number_of_adults,number_of_childs,message,subject,"
            "additional_fields,ip_address,created_at\n"
            "1,13,Zoe Miller,zoe@example.org,NO,+47 1,2,1,A cabin?,Winter,"
            R"("a:1:{s:5:""hotel"";s:10:""Four stars"";}",192.0.2.9,2024-01-02 03:04:05)"
            "\n"
            "2,13,Ida,ida@example.org,,,1,0,,Only a subject,,,2024-01-03 03:04:05\n"
            R"(3,13,Kim,kim@example.org,DE,,1,0,Is there snow?,,,,2024-01-04 03:04:05)"
            "\n";
        const auto staged = stage(base, table, "enquiries");
        CAPTURE(staged.text);
        REQUIRE(staged.status == 200);
        const Value done = migrate_all(base);
        CAPTURE(done.dump());
        CHECK(done["enquiries"]["migrated"].integer() == 3);
        const auto of = [&](const char* email) {
            return base.get("/enquiries?search=" + std::string(email), base.user("administrator"))
                .data()[std::size_t{0}];
        };
        const Value zoe = of("zoe@example.org");
        CHECK(zoe["message"].text() == "Winter\n\nA cabin?\nCountry: NO\nhotel: Four stars");
        CHECK(zoe["customer_name"].text() == "Zoe Miller");
        CHECK(zoe["travelers_count"].integer() == 3);
        CHECK(zoe["trip_id"].is_number());
        CHECK(of("ida@example.org")["message"].text() == "Only a subject");
        CHECK(of("kim@example.org")["message"].text() == "Is there snow?\nCountry: DE");
        CHECK(base.number("SELECT COUNT(*) FROM svc_enquiries") == 3);
    });
}

TEST_CASE("what Yatra has and no trip here is counted by name") {
    Moved moved;
    const auto status = moved.base.get("/migration/status", moved.base.user("administrator")).data();
    const Value& left = status["left_out"];
    CAPTURE(left.dump());
    for (const char* what :
         {"Trips with a map", "Trips with a country", "Trips whose booking was switched off, which are drafts",
          "Trips that are sold on another site, which are drafts", "Trips behind a password, which are drafts",
          "Trips with the shortcode 'gallery', of which the words are kept", "Tags of articles",
          "Coupons that ended at a time of day, which end with their day"})
        CHECK_MESSAGE(left.maybe_integer(what).value_or(0) == 1, what);
    CHECK(status["currencies"]["USD"].integer() == 4);
}

TEST_CASE("open bookings without payments are flagged: no money is asked for, none expires, staff may end that") {
    Moved moved;
    const auto& admin = moved.base.user("administrator");
    for (const char* reference : {"over2025", "coupon22", "open23"}) {
        CAPTURE(reference);
        const Value booking = moved.booking(reference);
        CHECK(booking["payments_unknown"].boolean());
        CHECK(booking["amount_due"].number_text() == "0.00");
    }
    CHECK_FALSE(moved.booking("gone24")["payments_unknown"].boolean());
    CHECK(moved.base.get("/migration/status", admin).data()["payments_unknown"].integer() == 3);
    const std::string id = moved.booking("open23")["id"].number_text();
    // What the clock looks for: unpaid ones, and those to remind.
    using Upkeep = booking::UpkeepRepository;
    const auto found = [&] {
        return moved.base.assembly->store->reading<std::size_t>([&](store::Session& session) {
            const Instant far = Instant::parse("2100-01-01T00:00:00Z").value();
            return Upkeep::unpaid(session, Instant{}, far, far, 10).size() +
                   Upkeep::due_for_reminder(session, Date(), Date::parse("2100-01-01").value(), std::nullopt, 10)
                       .size();
        });
    };
    moved.base.run("UPDATE svc_bookings SET status = 'pending' WHERE reference = 'open23'");
    CHECK(found() == 0);
    const auto changed = moved.base.call("PUT", "/bookings/" + id, R"({"payments_unknown":false})", admin);
    CAPTURE(changed.text);
    CHECK(changed.status == 200);
    CHECK(moved.booking("open23")["amount_due"].number_text() == "2373.00");
    CHECK(found() == 1);
    moved.base.leaves_what_holds = false;  // the status was set by hand
}

TEST_CASE("a table of payments pays the migrated bookings once, and their payments are known then") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        yatra::migrated(base);
        const auto staged = stage(base, yatra::payments_table(), "payments");
        CAPTURE(staged.text);
        REQUIRE(staged.status == 200);
        CHECK(staged.data()["left_out"]["Payments that were not completed"].integer() == 1);
        const auto migrate_payments = [&](bool dry) {
            REQUIRE(base.post("/migration/migrate", Value::object({{"data_type", "payments"}, {"dry_run", dry}}), admin)
                        .status == 202);
            base.assembly->jobs.prepare();
            base.assembly->jobs.run_due();
            return base.get("/migration/progress", admin).data()["progress"]["payments"];
        };
        const Value rehearsed = migrate_payments(true);
        CHECK(rehearsed["migrated"].integer() == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings WHERE payments_unknown = 1") == 3);
        const Value done = migrate_payments(false);
        CAPTURE(done.dump());
        CHECK(done["migrated"].integer() == 2);
        CHECK(done["failed"].integer() == 2);  // an unknown booking, another currency
        const auto of = [&](const char* reference) {
            return base.get(std::string("/bookings?search=") + reference, admin).data()[std::size_t{0}];
        };
        CHECK(of("open23")["amount_paid"].number_text() == "2373.00");
        CHECK(of("open23")["payment_status"].text() == "paid");
        CHECK_FALSE(of("coupon22")["payments_unknown"].boolean());
        CHECK(of("coupon22")["amount_due"].number_text() == "1260.00");
        CHECK(of("over2025")["payments_unknown"].boolean());  // its payment could not be stored
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments WHERE payment_date = '2026-02-01'") == 1);
        const Value again = migrate_payments(false);
        CHECK(again["skipped"].integer() == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments") == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 0);
        check_invariants(*base.assembly->store);
    });
}

TEST_CASE("a dry run of Yatra's sample counts what the run does") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    REQUIRE(stage(base, yatra::exported(base)).status == 200);
    REQUIRE(stage(base, yatra::dates_table(base), "tour_dates").status == 200);
    const Value rehearsed = migrate_all(base, R"({"dry_run":true})");
    CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 0);
    const std::string rehearsed_list = yatra::list_of(base, rehearsed);
    const Value done = migrate_all(base);
    const std::string list = yatra::list_of(base, done);
    for (const auto& [kind, run] : done.members()) {
        CAPTURE(kind);
        for (const char* count : {"migrated", "skipped", "failed"})
            CHECK(rehearsed[kind][count].integer() == run[count].integer());
    }
    // The same sentences, behind what only a dry run lists.
    CAPTURE(rehearsed_list);
    CHECK(rehearsed_list.ends_with(list.substr(list.find("\r\n") + 2)));
    CHECK(has(rehearsed_list, "left out,1,\"Trips with a map\""));
}

TEST_CASE("a dry run compares the currency of the bookings with the site's") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    REQUIRE(base.call("PUT", "/settings", R"({"currency":"EUR"})", base.user("administrator")).status == 200);
    REQUIRE(stage(base, yatra::exported(base)).status == 200);
    const std::string list = yatra::list_of(base, migrate_all(base, R"({"dry_run":true})"));
    CAPTURE(list.substr(0, 400));
    CHECK(has(list, "currency,4,\"USD\",\"These bookings are in USD, and prices here are in EUR."));
}
