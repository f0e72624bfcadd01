// Reports: sums agree with each other and with the rows behind them, whatever was booked; money is for who may see it.
#include <cctype>
#include <fstream>

#include <doctest/doctest.h>

#include "base/admin/reports/range.hpp"
#include "base/admin/reports/report.hpp"
#include "base/platform/archives/archives.hpp"
#include "tests/support/random.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::int64_t cents(const Value& amount) { return Money::parse(amount.number_text(), Currency::usd()).value().minor(); }

std::int64_t column_sum(const Value& rows, std::string_view name, bool money) {
    std::int64_t sum = 0;
    for (const Value& row : rows.items())
        sum += money ? cents(row[name]) : row[name].integer();
    return sum;
}

// Of a file's amounts, which are words there.
std::int64_t sum_in_file(TestBase& base, const std::string& query) {
    const auto file = base.get("/reports/export?format=json&" + query, base.user("administrator"));
    CAPTURE(file.text);
    REQUIRE(file.status == 200);
    std::int64_t sum = 0;
    for (const Value& row : file.data().items())
        sum += Money::parse(row["amount"].text(), Currency::usd()).value().minor();
    return sum;
}

// A file within an XLSX.
std::string xlsx_member(const std::string& xlsx, const std::string& member) {
    const TempDir folder;
    std::ofstream(folder.file("book.xlsx"), std::ios::binary) << xlsx;
    const auto text = archives::member_of(folder.file("book.xlsx"), member, 1 << 20);
    REQUIRE(text);
    return *text;
}

std::string escaped(const std::string& text) {
    std::string all;
    for (const char c : text) {
        static const char* const digits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        all += std::isalnum(byte) != 0 ? std::string(1, c) : std::string{'%', digits[byte >> 4], digits[byte & 15]};
    }
    return all;
}

// Random bookings with payments and refunds, written past the rules: sums must agree of anything.
struct RandomSales {
    explicit RandomSales(TestBase& to) : base(to) {
        for (const char* title : {"Nile cruise", "Highlands by rail", "Kyoto by bicycle"})
            trips.push_back(base.given_trip(title));
        const auto place = base.call("POST", "/destinations", R"({"name":"Anywhere"})", base.user("administrator"));
        for (const auto trip : trips)
            base.call("PUT", "/trips/" + std::to_string(trip),
                      R"({"destinations":[)" + place.data()["id"].number_text() + "]}", base.user("administrator"));
        for (const auto trip : trips)
            for (const int day : {5, 20, 40, 70})
                base.given_departure(trip, day, 20);
    }
    std::int64_t pick(std::int64_t least, std::int64_t most) { return random.between(least, most); }
    void book() {
        static const char* const states[] = {
            "pending", "confirmed", "completed",  "cancelled",           "on-hold", "refunded", "trash",
            "failed",  "waitlist",  "processing", "pending_verification"};
        const int days[] = {5, 20, 40, 70};
        const auto booking = base.given_booking(trips[static_cast<std::size_t>(pick(0, 2))], days[pick(0, 3)]);
        const auto id = std::to_string(booking.id);
        const auto made =
            base.assembly->clock.now().micros() - pick(0, 100) * 86'400'000'000 - pick(0, 86'399) * 1'000'000;
        const auto total = pick(0, 200'000);
        base.run(("UPDATE svc_bookings SET created_at = " + std::to_string(made) +
                  ", total_minor = " + std::to_string(total) + ", travelers_count = " + std::to_string(pick(1, 6)) +
                  ", status = '" + states[pick(0, 10)] + "', contact_country = '" + (pick(0, 1) == 0 ? "GB" : "NP") +
                  "', amount_paid_minor = " + std::to_string(pick(0, total)) +
                  (pick(0, 9) == 0 ? ", currency = 'EUR'" : "") + " WHERE id = " + id)
                     .c_str());
        if (pick(0, 1) == 1)
            base.run(("INSERT INTO svc_booking_lines (booking_id, line_no, kind, label, quantity, unit_minor,"
                      " amount_minor) VALUES (" +
                      id + ", 90, 'tax', '" + (pick(0, 1) == 0 ? "VAT (20%)" : "City tax") + "', 1, 0, " +
                      std::to_string(pick(1, 9'999)) + ")")
                         .c_str());
        for (auto count = pick(0, 2); count > 0; --count)
            pay(id, made);
    }
    void pay(const std::string& booking, std::int64_t made) {
        static const char* const states[] = {"completed", "completed", "refunded", "pending", "failed"};
        const auto at = std::to_string(made + pick(0, 20) * 43'200'000'000);
        const auto amount = pick(2, 90'000);
        const std::string date = base.day(static_cast<int>(pick(-110, 0)));
        base.run(("INSERT INTO svc_payments (booking_id, gateway, method, amount_minor, currency, status, source,"
                  " payment_date, processed_at, created_at, updated_at) VALUES (" +
                  booking + ", '" + (pick(0, 1) == 0 ? "cash" : "paypal") + "', 'x', " + std::to_string(amount) +
                  ", '" + (pick(0, 9) == 0 ? "EUR" : "USD") + "', '" + states[pick(0, 4)] + "', 'manual', '" + date +
                  "', " + at + ", 0, 0)")
                     .c_str());
        const auto payment = base.number("SELECT MAX(id) FROM svc_payments");
        const std::string of = std::to_string(payment);
        base.run(("INSERT INTO svc_issued_documents (kind, number, series, position, booking_id, payment_id, seller,"
                  " customer, issued_on, issued_at) VALUES ('invoice', '" +
                  of + "', 'random', " + of + ", " + booking + ", " + of + ", '{}', '{}', '" + date + "', " + at + ")")
                     .c_str());
        for (const char* label : {"VAT (20%)", "City tax"})
            if (pick(0, 1) == 1)
                base.run(
                    ("INSERT INTO svc_issued_taxes (document_id, label, currency, amount_minor) SELECT MAX(id), '" +
                     std::string(label) + "', '" + (pick(0, 9) == 0 ? "EUR" : "USD") + "', " +
                     std::to_string(pick(-9'999, 9'999)) + " FROM svc_issued_documents")
                        .c_str());
        if (pick(0, 2) == 0)
            base.run(("INSERT INTO svc_refunds (payment_id, booking_id, gateway, call_key, amount_minor, currency,"
                      " status, source, ask_at, processed_at, created_at, updated_at) VALUES (" +
                      std::to_string(payment) + ", " + booking + ", 'cash', 'k" + std::to_string(payment) + "', " +
                      std::to_string(pick(1, amount)) + ", 'USD', '" + (pick(0, 3) == 0 ? "pending" : "completed") +
                      "', 'admin', 0, " + at + ", 0, 0)")
                         .c_str());
    }
    TestBase& base;
    test::Random random;
    std::vector<std::int64_t> trips;
};

// All rows of a figure, page by page, added up here.
struct Rows {
    Rows(TestBase& base, const std::string& query) {
        for (int page = 1;; ++page) {
            const auto answered = base.get("/reports/rows?per_page=7&page=" + std::to_string(page) + "&" + query,
                                           base.user("administrator"));
            CAPTURE(answered.text);
            REQUIRE(answered.status == 200);
            const Value& data = answered.data();
            listener_count = data["count"].integer();
            listener_amount = data["amount"].is_null() ? 0 : cents(data["amount"]);
            listener_quantity = data["quantity"].integer();
            for (const Value& row : data["rows"].items()) {
                ++count;
                amount += row["amount"].is_null() ? 0 : cents(row["amount"]);
                quantity += row["quantity"].integer();
            }
            if (data["rows"].size() < 7)
                break;
        }
        CHECK(count == listener_count);
        CHECK(amount == listener_amount);
        CHECK(quantity == listener_quantity);
    }
    std::int64_t count = 0, amount = 0, quantity = 0, listener_count = 0, listener_amount = 0, listener_quantity = 0;
};

void check_sums(TestBase& base, const std::string& span, const std::string& by) {
    CAPTURE(span);
    const auto answered = base.get("/reports?" + span + "&group_by=" + by, base.user("administrator"));
    CAPTURE(answered.text);
    REQUIRE(answered.status == 200);
    const Value& is = answered.data();
    const Rows all(base, span + "&figure=bookings"), booked(base, span + "&figure=booked"),
        cancelled(base, span + "&figure=cancelled"), paid(base, span + "&figure=payments"),
        refunded(base, span + "&figure=refunds"), owed(base, span + "&figure=outstanding"),
        tax(base, span + "&figure=taxes"), seats(base, span + "&figure=departures");
    const Value &bookings = is["booking_stats"], &revenue = is["revenue_stats"];
    CHECK(bookings["total"].integer() == all.count);
    CHECK(bookings["booked"].integer() == booked.count);
    CHECK(bookings["travelers"].integer() == booked.quantity);
    CHECK(bookings["cancelled"].integer() == cancelled.count);
    CHECK(column_sum(is["booking_trend"], "bookings", false) == all.count);
    CHECK(column_sum(is["booking_trend"], "booked", false) == booked.count);
    CHECK(column_sum(is["booking_trend"], "booked_value", true) == booked.amount);
    CHECK(column_sum(is["status_trend"], "bookings", false) == all.count);
    CHECK(column_sum(is["status_trend"], "total", true) == all.amount);
    CHECK(cents(revenue["booked_value"]) == booked.amount);
    CHECK(cents(revenue["payments"]) == paid.amount);
    CHECK(cents(revenue["total"]) == paid.amount - refunded.amount);
    CHECK(column_sum(is["revenue_trend"], "revenue", true) == paid.amount - refunded.amount);
    CHECK(sum_in_file(base, "type=revenue&" + span) == paid.amount - refunded.amount);
    CHECK(sum_in_file(base, "type=payments&" + span) == paid.amount);
    CHECK(sum_in_file(base, "type=bookings&" + span) == all.amount);
    CHECK(column_sum(is["revenue_by_trip"], "revenue", true) == paid.amount - refunded.amount);
    CHECK(column_sum(is["revenue_by_trip"], "booked_value", true) == booked.amount);
    CHECK(column_sum(is["payment_methods"], "amount", true) == paid.amount);
    CHECK(column_sum(is["refunds"]["byMethod"], "amount", true) == refunded.amount);
    CHECK(column_sum(is["trip_performance"], "bookings", false) == all.count);
    CHECK(column_sum(is["trip_performance"], "seats", false) == seats.quantity);
    CHECK(is["operational_stats"]["bookedCapacity"].integer() == seats.quantity);
    CHECK(column_sum(is["occupancy_trend"], "seats", false) == seats.quantity);
    CHECK(column_sum(is["seat_utilization"], "seats", false) == seats.quantity);
    CHECK(column_sum(is["seat_utilization"], "departures", false) == seats.count);
    CHECK(is["departures_table"].size() == static_cast<std::size_t>(std::min<std::int64_t>(seats.count, 50)));
    CHECK(is["bookings_table"].size() == static_cast<std::size_t>(std::min<std::int64_t>(all.count, 50)));
    const Value& segments = is["traveler_segments"];
    CHECK(segments["solo"].integer() + segments["couples"].integer() + segments["small_groups"].integer() +
              segments["large_groups"].integer() ==
          booked.count);
    CHECK(segments["travelers"].integer() == booked.quantity);
    CHECK(column_sum(is["party_sizes"], "bookings", false) == booked.count);
    CHECK(column_sum(is["sources"], "bookings", false) == booked.count);
    CHECK(column_sum(is["lead_time"]["buckets"], "bookings", false) == booked.count);
    CHECK(column_sum(is["payment_status"], "bookings", false) == booked.count);
    CHECK(cents(is["outstanding"]["amount"]) == owed.amount);
    CHECK(column_sum(is["tax_rates"], "amount", true) == tax.amount);
    CHECK(column_sum(is["cancellations"], "bookings", false) == cancelled.count);
    CHECK(column_sum(is["revenue_trend"], "payments", true) == paid.amount);
    CHECK(column_sum(is["revenue_trend"], "payments_count", false) == paid.count);
    CHECK(column_sum(is["revenue_trend"], "refunds", true) == refunded.amount);
    CHECK(column_sum(is["payment_methods"], "count", false) == paid.count);
    CHECK(column_sum(is["payment_status"], "total", true) == booked.amount);
    CHECK(column_sum(is["payment_status"], "due", true) == owed.amount);
    CHECK(is["outstanding"]["bookings"].integer() == owed.count);
    CHECK(column_sum(is["sources"], "total", true) == booked.amount);
    CHECK(column_sum(is["countries"], "bookings", false) == booked.count);
    CHECK(column_sum(is["countries"], "total", true) == booked.amount);
    CHECK(column_sum(is["trip_performance"], "booked_value", true) == booked.amount);
    CHECK(column_sum(is["trip_performance"], "travelers", false) == booked.quantity);
    CHECK(column_sum(is["top_destinations"], "bookings", false) == booked.count);  // each trip has one
    CHECK(is["operational_stats"]["departures"].integer() == seats.count);
    const Value& people = is["customer_analytics"];
    CHECK(people["new"].integer() + people["returning"].integer() == people["customers"].integer());
    // Sections of the other types.
    const auto of_type = [&](const char* type) {
        return base
            .get("/reports?type=" + std::string(type) + "&" + span + "&group_by=" + by, base.user("administrator"))
            .data();
    };
    const Value of_customers = of_type("customers"), of_payments = of_type("payments");
    CHECK(of_customers["top_customers"].size() == static_cast<std::size_t>(people["customers"].integer()));
    CHECK(column_sum(of_customers["top_customers"], "bookings", false) == booked.count);
    CHECK(column_sum(of_customers["top_customers"], "total", true) == booked.amount);
    CHECK(column_sum(of_payments["refund_methods"], "amount", true) == refunded.amount);
    CHECK(column_sum(of_payments["refund_methods"], "count", false) == refunded.count);
    // Whatever section is added has to be checked here too.
    for (const std::string_view section : reports::all_sections()) {
        CAPTURE(section);
        CHECK((is.find(section) || of_customers.find(section) || of_payments.find(section)));
    }
    CHECK(reports::all_sections().size() == 27);
}

// A row of a section and the rows behind it alone.
void check_parts(TestBase& base, const std::string& span) {
    CAPTURE(span);
    const Value is = base.get("/reports?" + span, base.user("administrator")).data();
    for (const Value& trip : is["revenue_by_trip"].items()) {
        const std::string of = span + "&trip_id=" + trip["trip_id"].number_text();
        CHECK(Rows(base, of + "&figure=payments").amount == cents(trip["payments"]));
        CHECK(Rows(base, of + "&figure=refunds").amount == cents(trip["refunds"]));
        CHECK(Rows(base, of + "&figure=booked").amount == cents(trip["booked_value"]));
    }
    const auto by_word = [&](const char* section, const char* name, const char* figure, const char* sum) {
        for (const Value& row : is[section].items()) {
            const Rows rows(base, span + "&figure=" + figure + "&word=" + escaped(row[name].text()));
            CAPTURE(row.dump());
            CHECK(rows.amount == cents(row[sum]));
        }
    };
    by_word("status_trend", "status", "bookings", "total");
    by_word("payment_methods", "method", "payments", "amount");
    by_word("tax_rates", "label", "taxes", "amount");
}

}  // namespace

TEST_CASE("sums of reports agree with one another and with their rows, of random bookings and spans") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        RandomSales sales(base);
        CAPTURE(sales.random.seed);
        for (int i = 0; i < 40; ++i)
            sales.book();
        REQUIRE(
            base.call("PUT", "/settings", R"({"timezone":"America/New_York"})", base.user("administrator")).status ==
            200);
        check_sums(base, "from=2020-01-01&to=2029-12-31", "month");
        check_sums(base, "from=2020-01-01&to=2029-12-31&basis=travel", "week");
        for (int i = 0; i < 3; ++i) {
            const auto from = sales.pick(-100, 20), to = from + sales.pick(0, 60);
            const std::string span =
                "from=" + base.day(static_cast<int>(from)) + "&to=" + base.day(static_cast<int>(to));
            check_sums(base, span, i == 0 ? "day" : i == 1 ? "week" : "month");
            check_sums(base, span + "&basis=travel", "day");
        }
        check_parts(base, "from=2020-01-01&to=2029-12-31");
        check_parts(base, "from=2020-01-01&to=2029-12-31&basis=travel");
        // Against the rows themselves, added up without a report.
        CHECK(Rows(base, "from=2020-01-01&to=2029-12-31&figure=payments").amount ==
              base.number("SELECT CAST(SUM(amount_minor) AS BIGINT) FROM svc_payments WHERE currency = 'USD' AND status"
                          " IN ('completed', 'refunded')"));
        CHECK(Rows(base, "from=2020-01-01&to=2029-12-31&figure=departures").quantity ==
              base.number("SELECT CAST(SUM(seats) AS BIGINT) FROM svc_booking_departures WHERE released_at IS NULL"));
        // A negative amount is a number to a spreadsheet program, not text.
        const auto csv =
            base.get("/reports/export?type=revenue&from=2020-01-01&to=2029-12-31", base.user("administrator"));
        CHECK(csv.text.find(",\"-") != std::string::npos);
        CHECK(csv.text.find("\"'-") == std::string::npos);
        // Each part of a trend drills down to its rows.
        const auto trend =
            base.get("/reports?type=bookings&group_by=week&compare=none&from=" + base.day(-60) + "&to=" + base.day(0),
                     base.user("administrator"));
        for (const auto& part : trend.data()["booking_trend"].items()) {
            const Date first = Date::parse(part["date"].text()).value();
            const Date from = std::max(first, Date::parse(base.day(-60)).value()),
                       to = std::min(first.plus_days(6), Date::parse(base.day(0)).value());
            CHECK(Rows(base, "figure=booked&from=" + from.text() + "&to=" + to.text()).amount ==
                  cents(part["booked_value"]));
        }
    });
}

TEST_CASE("each figure of a small site is what one counts by hand") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 8);
        const auto first = std::to_string(base.given_booking(trip, 30, "Ada").id),
                   second = std::to_string(base.given_booking(trip, 30, "Grace").id),
                   third = std::to_string(base.given_booking(trip, 30, "Mary").id);
        // Two days before the travel, paid in part by deposit, for four; staff entered it.
        base.run(("UPDATE svc_bookings SET travelers_count = 4, total_minor = 40000, payment_method = 'deposit',"
                  " pay_now_minor = 10000, amount_paid_minor = 4000, source = 'admin', traveler_counts ="
                  " '{\"1\":3,\"2\":1}', travel_date = '" +
                  base.day(2) + "' WHERE id = " + first)
                     .c_str());
        base.run(("UPDATE svc_bookings SET total_minor = 10000, amount_paid_minor = 10000, traveler_counts = '{}'"
                  " WHERE id = " +
                  second)
                     .c_str());
        base.run(
            ("UPDATE svc_bookings SET status = 'cancelled', cancelled_via = 'customer' WHERE id = " + third).c_str());
        base.run("DELETE FROM svc_booking_lines");
        base.run("DELETE FROM svc_booking_sessions");
        base.run(("UPDATE svc_bookings SET source = 'web' WHERE id <> " + first).c_str());
        base.run(("INSERT INTO svc_session_hours (hour, sessions) VALUES (" +
                  std::to_string(base.assembly->clock.now().micros() / 3'600'000'000 - 24) + ", 8)")
                     .c_str());
        for (const auto& [document, booking] : {std::pair{"1", first}, {"2", second}, {"3", second}})
            base.run(
                ("INSERT INTO svc_issued_documents (kind, number, series, position, booking_id, payment_id, seller,"
                 " customer, issued_on, issued_at) VALUES ('invoice', '" +
                 std::string(document) + "', 's', " + document + ", " + booking + ", " + document + ", '{}', '{}', '" +
                 base.day(0) + "', 0)")
                    .c_str());
        for (const auto& [document, label, amount] :
             {std::tuple{"1", "VAT 20 %", "800"}, {"2", "VAT 20 %", "200"}, {"3", "City tax", "50"}})
            base.run(("INSERT INTO svc_issued_taxes (document_id, label, currency, amount_minor) SELECT id, '" +
                      std::string(label) + "', 'USD', " + amount + " FROM svc_issued_documents WHERE number = '" +
                      document + "'")
                         .c_str());
        const auto is = base.get("/reports", base.user("administrator")).data();
        CHECK(is["lead_time"]["averageDays"].number_text() == "16.0");  // 2 and 30 days
        CHECK(is["lead_time"]["buckets"][std::size_t{0}]["bookings"].integer() == 1);
        CHECK(is["lead_time"]["buckets"][std::size_t{2}]["bookings"].integer() == 1);
        CHECK(is["booking_stats"]["cancellationRate"].number_text() == "33.3");
        CHECK(is["booking_stats"]["averageGroupSize"].number_text() == "2.5");
        CHECK(is["cancellations"].dump() == R"([{"via":"customer","bookings":1}])");
        CHECK(is["tax_rates"][std::size_t{0}]["label"].text() == "VAT 20 %");
        CHECK(is["tax_rates"][std::size_t{0}]["bookings"].integer() == 2);
        CHECK(cents(is["tax_rates"][std::size_t{0}]["amount"]) == 1000);
        CHECK(cents(is["tax_rates"][std::size_t{1}]["amount"]) == 50);
        CHECK(is["outstanding"]["deposits"].integer() == 1);
        CHECK(cents(is["outstanding"]["deposits_amount"]) == 6000);
        CHECK(cents(is["outstanding"]["amount"]) == 36000);
        CHECK(is["traveler_segments"]["solo"].integer() == 1);
        CHECK(is["traveler_segments"]["small_groups"].integer() == 1);
        CHECK(is["traveler_segments"]["categories"][std::size_t{0}]["travelers"].integer() == 3);
        // Of eight sessions two became bookings; what staff entered is nobody's conversion.
        CHECK(is["booking_stats"]["sessions"].integer() == 8);
        CHECK(is["booking_stats"]["conversionRate"].number_text() == "25.0");
        const auto seats =
            base.get("/reports?type=departures&from=" + base.day(30) + "&to=" + base.day(30), base.user("manager"))
                .data();
        CHECK(seats["operational_stats"]["totalCapacity"].integer() == 8);
        CHECK(seats["operational_stats"]["bookedCapacity"].integer() ==
              base.number("SELECT CAST(SUM(seats) AS BIGINT) FROM svc_booking_departures WHERE released_at IS NULL"));
        CHECK(seats["seat_utilization"][std::size_t{2}]["departures"].integer() == 1);  // three of eight
        CHECK(seats["departures_table"][std::size_t{0}]["capacity"].integer() == 8);
        CHECK(base.get("/reports?type=taxes", base.user("manager")).status == 403);
    });
}

TEST_CASE("a payment counts on its date in reports, their rows and files, as in the list of payments") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip).id;
        const auto& owner = base.user("owner");
        const auto made = base.post("/payments",
                                    Value::object({{"booking_id", booking},
                                                   {"amount", 40},
                                                   {"gateway", "cash"},
                                                   {"status", "completed"},
                                                   {"date", base.day(-45)}}),
                                    owner);
        REQUIRE(made.status == 201);
        const auto days = [&](int from, int to) { return "from=" + base.day(from) + "&to=" + base.day(to); };
        const std::string then = days(-45, -45), today = days(-1, 1);
        CHECK(base.get("/payments?" + then, owner).data().size() == 1);
        CHECK(base.get("/payments?" + today, owner).data().size() == 0);
        CHECK(Rows(base, then + "&figure=payments").amount == 4000);
        CHECK(Rows(base, today + "&figure=payments").count == 0);
        CHECK(sum_in_file(base, "type=revenue&" + then) == 4000);
        CHECK(sum_in_file(base, "type=payments&" + today) == 0);
        const auto is = base.get("/reports?type=revenue&" + then, owner).data();
        CHECK(cents(is["revenue_stats"]["payments"]) == 4000);
        CHECK(cents(is["revenue_trend"][std::size_t{0}]["payments"]) == 4000);
        CHECK(cents(is["revenue_by_trip"][std::size_t{0}]["payments"]) == 4000);
        const auto after = base.get("/reports?type=revenue&compare=previous&" + today, owner).data();
        CHECK(cents(after["revenue_stats"]["payments"]) == 0);
        CHECK(cents(base.get("/reports?type=revenue&" + days(-44, -44), owner).data()["revenue_stats"]["previous"]) ==
              4000);
        const auto row = base.get("/reports/rows?figure=payments&" + then, owner).data()["rows"][std::size_t{0}];
        CHECK(row["date"].text() == base.day(-45));
    });
}

TEST_CASE("a month's taxes stay when a booking of it is refunded later: the refund is negative on its own day") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& owner = base.user("owner");
        REQUIRE(base.call("PUT", "/settings", R"({"enable_tax":true,"tax_inclusive":false,"tax_rate":10})",
                          base.user("administrator"))
                    .status == 200);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        std::vector<std::int64_t> paid;
        for (const char* name : {"Lovelace", "Hopper"}) {
            const auto booking = base.given_booking(trip, 30, name);
            const auto total =
                base.number(("SELECT total_minor FROM svc_bookings WHERE id = " + std::to_string(booking.id)).c_str());
            REQUIRE(total == 11'000);
            for (const int part : {30, 80}) {  // a deposit and the rest
                const auto made = base.post(
                    "/payments",
                    Value::object(
                        {{"booking_id", booking.id}, {"amount", part}, {"gateway", "cash"}, {"status", "completed"}}),
                    owner);
                REQUIRE(made.status == 201);
                paid.push_back(made.data()["id"].integer());
                REQUIRE(base.get("/payment/" + std::to_string(paid.back()) + "/invoice", owner).status == 200);
            }
        }
        // Forty days pass.
        base.run(("UPDATE svc_issued_documents SET issued_on = '" + base.day(-40) + "'").c_str());
        const std::string july = "from=" + base.day(-50) + "&to=" + base.day(-30),
                          august = "from=" + base.day(-29) + "&to=" + base.day(0);
        const auto tax_of = [&](const std::string& span) {
            const auto rates = base.get("/reports?type=taxes&" + span, owner).data()["tax_rates"];
            const auto sum = column_sum(rates, "amount", true);
            CHECK(Rows(base, span + "&figure=taxes").amount == sum);
            return sum;
        };
        CHECK(tax_of(july) == 2000);
        for (const auto& [payment, amount, closes] : {std::tuple{paid[0], 30, true}, {paid[1], 80, true}}) {
            const auto refund =
                base.post("/payments/" + std::to_string(payment) + "/refunds",
                          Value::object({{"amount", amount}, {"by_hand", true}, {"close", closes}}), owner);
            REQUIRE(refund.status == 201);
            REQUIRE(base.get("/payment/" + std::to_string(payment) +
                                 "/credit-note?refund_id=" + refund.data()["id"].number_text(),
                             owner)
                        .status == 200);
        }
        CHECK(tax_of(july) == 2000);
        CHECK(tax_of(august) == -1000);
        // Part of the other one, by which its price goes down, and then its trash: no month changes but today's.
        const auto refund = base.post("/payments/" + std::to_string(paid[3]) + "/refunds",
                                      Value::object({{"amount", 55}, {"by_hand", true}}), owner);
        REQUIRE(refund.status == 201);
        REQUIRE(base.get("/payment/" + std::to_string(paid[3]) +
                             "/credit-note?refund_id=" + refund.data()["id"].number_text(),
                         owner)
                    .status == 200);
        CHECK(tax_of(july) == 2000);
        CHECK(tax_of(august) == -1500);
        base.run("UPDATE svc_bookings SET status = 'trash'");
        CHECK(tax_of(july) == 2000);
        CHECK(tax_of(august) == -1500);
        base.leaves_what_holds = false;
    });
}

TEST_CASE("files of reports have the site's clock, dates that a spreadsheet counts with, and a method of payments") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip).id;
        const auto& owner = base.user("owner");
        REQUIRE(base.post("/payments",
                          Value::object({{"booking_id", booking},
                                         {"amount", 40},
                                         {"gateway", "cash"},
                                         {"status", "completed"},
                                         {"date", base.day(0)}}),
                          owner)
                    .status == 201);
        base.run("UPDATE svc_bookings SET created_at = 1782860400000000");  // 2026-06-30T23:00Z
        base.run("UPDATE svc_payments SET payment_date = '2026-07-01', processed_at = 1782860400000000");
        REQUIRE(base.call("PUT", "/settings", R"({"timezone":"Europe/Berlin"})", base.user("administrator")).status ==
                200);
        const std::string july = "&from=2026-07-01&to=2026-07-31";
        const auto bookings = base.get("/reports/export?type=bookings" + july, owner).text;
        CAPTURE(bookings);
        CHECK(bookings.find("\"2026-07-01 01:00\"") != std::string::npos);
        const auto revenue = base.get("/reports/export?type=revenue" + july, owner).text;
        CAPTURE(revenue);
        CHECK(revenue.find("\"method\",\"amount\",\"currency\",\"kind\"") != std::string::npos);
        CHECK(revenue.find("\"2026-07-01\",\"2026-07-01 01:00\"") != std::string::npos);
        CHECK(revenue.find("travelers") == std::string::npos);
        const auto sheet = xlsx_member(base.get("/reports/export?type=revenue&format=xlsx" + july, owner).text,
                                       "xl/worksheets/sheet1.xml");
        CAPTURE(sheet);
        CHECK(sheet.find("<v>46204</v>") != std::string::npos);       // 1 July 2026
        CHECK(sheet.find("<v>46204.04166666") != std::string::npos);  // its 1 o'clock
    });
}

TEST_CASE("a name that a spreadsheet would compute is text in both files") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip("=HYPERLINK(\"http://x\")");
        base.given_departure(trip);
        base.given_booking(trip);
        const auto& owner = base.user("owner");
        for (const char* path : {"/reports/export?type=bookings", "/reports?type=bookings&format=csv"}) {
            const auto csv = base.get(path, owner);
            CAPTURE(csv.text);
            CHECK(csv.text.find("'=HYPERLINK") != std::string::npos);
            CHECK(csv.text.find("\"=HYPERLINK") == std::string::npos);
        }
    });
}

TEST_CASE("a period with more rows than a file holds is rejected, and no sum is of a part of them") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = std::to_string(base.given_booking(trip).id);
        const auto now = std::to_string(base.assembly->clock.now().micros());
        const auto pay = [&](int count) {
            base.run(("INSERT INTO svc_payments (booking_id, gateway, method, amount_minor, currency, status, source,"
                      " payment_date, processed_at, created_at, updated_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL"
                      " SELECT i + 1 FROM n WHERE i < " +
                      std::to_string(count) + ") SELECT " + booking +
                      ", 'cash', 'x', 100, 'USD', 'completed', 'manual', '" + base.day(0) + "', " + now +
                      ", 0, 0 FROM n")
                         .c_str());
        };
        const auto& owner = base.user("owner");
        pay(50'000);
        CHECK(base.get("/reports/export?type=payments", owner).status == 200);
        pay(1);
        for (const char* type : {"payments", "revenue"}) {
            const auto rejected = base.get("/reports/export?type=" + std::string(type), owner);
            CHECK(rejected.status == 400);
            CHECK(rejected.field() == "from");
        }
        CHECK(base.get("/reports/export?type=bookings", owner).status == 200);
    });
}

TEST_CASE("amounts are for who may see financial reports; others get the rest") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given_booking(trip);
        const auto& manager = base.user("manager");  // operational reports alone
        const auto seen = base.get("/reports", manager);
        REQUIRE(seen.status == 200);
        CHECK(seen.data()["booking_stats"]["total"].integer() == 1);
        CHECK(seen.data()["revenue_stats"].is_null());
        CHECK(seen.data()["booking_stats"].find("averageBookingValue") == nullptr);
        CHECK(seen.data()["booking_trend"][std::size_t{0}].find("booked_value") == nullptr);
        CHECK(base.get("/reports?type=revenue", manager).status == 403);
        CHECK(base.get("/reports?sections=revenue_stats", manager).status == 403);
        CHECK(base.get("/reports/rows?figure=payments", manager).status == 403);
        CHECK(base.get("/reports/rows?figure=booked", manager).data()["amount"].is_null());
        CHECK(base.get("/reports/export?type=revenue", manager).status == 403);
        const auto csv = base.get("/reports/export?type=bookings", manager);
        CHECK(csv.text.find("amount") == std::string::npos);
        CHECK(base.get("/reports/export?type=bookings", base.user("accountant")).text.find("\"100.00\"") !=
              std::string::npos);
        CHECK(base.get("/reports", base.user("sales_agent")).status == 403);
        CHECK(base.get("/reports").status == 401);
    });
}

TEST_CASE("reports compare with the span before and the year before, and are files for spreadsheets") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto old = base.given_booking(trip, 30, "Babbage").id;
        base.given_booking(trip);
        base.run(("UPDATE svc_bookings SET created_at = created_at - " +
                  std::to_string(std::int64_t{40} * 86'400'000'000) + " WHERE id = " + std::to_string(old))
                     .c_str());
        const auto& owner = base.user("owner");
        const auto is = base.get("/reports", owner).data();  // the last 30 days
        CHECK(is["booking_stats"]["total"].integer() == 1);
        CHECK(is["booking_stats"]["previous"].integer() == 1);
        CHECK(is["date_range"]["prev_to"].text() == base.day(-30));
        const auto year = base.get("/reports?compare=year", owner).data();
        CHECK(year["booking_stats"]["previous"].integer() == 0);
        CHECK(year["booking_stats"]["change"].is_null());
        CHECK(base.get("/reports?from=2026-02-01&to=2026-01-01", owner).field() == "from");
        CHECK(base.get("/reports?from=1990-01-01&to=2026-01-01", owner).field() == "from");
        const auto csv = base.get("/reports?format=csv", owner);
        CHECK(csv.header("Content-Type") == "text/csv; charset=utf-8");
        CHECK(csv.text.find("booking_trend") != std::string::npos);
        const auto xlsx = base.get("/reports/export?type=payments&format=xlsx", owner);
        CHECK(xlsx.text.starts_with("PK"));
        CHECK(xlsx.header("Content-Disposition").find(".xlsx") != std::string::npos);
        CHECK(base.get("/reports/export?type=customers&format=json", owner).data().size() == 1);
    });
}

TEST_CASE("a span is cut where clocks change, so that each moment falls on its local day") {
    const Zone zone = Zone::named("Europe/Berlin").value();
    const auto stretches = reports::stretches_of({Date::from(2026, 1, 1), Date::from(2026, 12, 31)}, zone);
    CHECK(stretches.size() == 5);  // winter, the day of 23 hours, summer, the day of 25, winter
    for (const auto& stretch : stretches)
        for (const auto moment : {stretch.from, stretch.until.minus(std::chrono::microseconds(1))})
            CHECK(stretch.day_of((moment.micros() + stretch.offset) / 86'400'000'000) == zone.date_at(moment));
}
