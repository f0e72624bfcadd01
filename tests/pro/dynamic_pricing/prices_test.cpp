// Dynamic prices through the whole base with Pro attached: one price wherever it is shown, charged and explained.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Priced : TestBase {
    explicit Priced(Database& database, bool enabled = true) : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip),
                     R"({"regular_price":250,"discounted_price":200,"sale_price":null,"duration":5})", admin())
                    .status == 200);
        given_departure(trip, 30);
        given_departure(trip, 60);
        if (enabled)
            turn("dynamic_pricing", true);
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(const std::string& module, bool on) {
        REQUIRE(post("/modules/" + module + "/toggle", Value::object({{"enabled", on}}), admin()).status == 200);
    }
    Answered make(const std::string& body) { return call("POST", "/dynamic-pricing/rules", body, admin()); }
    std::int64_t given(const std::string& body) {
        Value fields = json::parse(body).value();
        fields.set("status", "active");
        const auto made = make(fields.dump());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    void set(const std::string& settings) {
        REQUIRE(call("PUT", "/dynamic-pricing/settings", settings, admin()).status == 200);
    }
    std::string session_for(int days_ahead, Value fields = Value::object()) {
        return session_on(day(days_ahead), std::move(fields));
    }
    std::string session_on(const std::string& date, Value fields = Value::object()) {
        fields.set("trip_id", trip);
        fields.set("travel_date", date);
        if (!fields.find("traveler_counts"))
            fields.set("travelers_count", 2);
        const auto opened = post("/booking/session", fields);
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        return opened.data()["session_id"].text();
    }
    Value summary(const std::string& session) {
        const auto answered = get("/booking/summary?session_id=" + session);
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
        return answered.data();
    }
    std::string path() const { return "/trips/" + std::to_string(trip); }
    // The price of that day in the list of dates.
    std::string listed(int days_ahead) {
        const auto dates =
            get(path() + "/available-dates?from_date=" + day(days_ahead) + "&to_date=" + day(days_ahead));
        REQUIRE(dates.data().size() == 1);
        return dates.data()[std::size_t{0}]["price"].number_text();
    }

    std::int64_t trip = 0;
};

void with_each(const std::function<void(Priced&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Priced base(database);
        body(base);
    });
}

const char* const early =
    R"({"name":"Early bird","rule_type":"early_bird","adjustment_value":15,"min_days_before":20})";

}  // namespace

TEST_CASE("a dynamic price is the same in dates, cards, the date, the summary and the booking, with its reasons") {
    with_each([](Priced& base) {
        const auto rule = base.given(early);
        CHECK(base.listed(30) == "170.00");
        const auto date = base.get(base.path() + "/date-pricing?date=" + base.day(30)).data();
        CHECK(date["price"].number_text() == "170.00");
        CHECK(date["dynamic"]["applied"].boolean());
        CHECK(date["dynamic"]["original"].number_text() == "200.00");
        const auto cards = base.get(base.path() + "/availability-template").data();
        CHECK(cards["dates"][std::size_t{0}]["price"].number_text() == "170.00");
        const Value quote = base.summary(base.session_for(30));
        CHECK(quote["unit_price"].number_text() == "170.00");
        CHECK(quote["unit_price_before_dp"].number_text() == "200.00");
        CHECK(quote["dp_total_adjustment"].number_text() == "-60.00");
        CHECK(quote["final_total"].number_text() == "340.00");
        const Value& why = quote["dynamic_pricing"]["prices"][std::size_t{0}];
        CHECK(why["before"].number_text() == "200.00");
        CHECK(why["price"].number_text() == "170.00");
        CHECK(why["rules"][std::size_t{0}]["rule_id"].integer() == rule);
        CHECK(why["rules"][std::size_t{0}]["name"].text() == "Early bird");
        CHECK(why["rules"][std::size_t{0}]["adjustment"].number_text() == "-30.00");
        CHECK(why["capped"].is_null());
        const auto page = base.get("/booking/trip/" + std::to_string(base.trip)).data();
        CHECK(page["payment_methods"][std::size_t{0}]["amount"].number_text() == "170.00");  // once, not twice
        const auto preview =
            base.post("/dynamic-pricing/preview",
                      Value::object({{"trip_id", base.trip}, {"date", base.day(30)}, {"travelers", 2}}), base.admin());
        CHECK(preview.data()["base_price"].number_text() == "200.00");
        CHECK(preview.data()["final_price"].number_text() == "170.00");
        CHECK(preview.data()["applied"][std::size_t{0}]["rule_id"].integer() == rule);

        const auto booked = base.book(base.trip, 30);
        CAPTURE(booked.text);
        REQUIRE(booked.status == 201);
        CHECK(base.number("SELECT total_minor FROM svc_bookings") == 17000);
        const auto counts = base.get("/dynamic-pricing/statistics", base.admin()).data();
        CHECK(counts["bookings_affected"].integer() == 1);
        CHECK(counts["revenue_impact"].number_text() == "-30.00");
        CHECK(counts["average_adjustment"].number_text() == "-15");
        const auto read = base.get("/dynamic-pricing/rules/" + std::to_string(rule), base.admin()).data();
        CHECK(read["times_applied"].integer() == 1);
        CHECK(read["revenue_impact"].number_text() == "-30.00");
    });
}

TEST_CASE("while the module is off nothing changes a price, and what was stored is kept") {
    with_each([](Priced& base) {
        base.given(early);
        CHECK(base.listed(30) == "170.00");
        base.turn("dynamic_pricing", false);
        CHECK(base.listed(30) == "200.00");
        CHECK(base.summary(base.session_for(30))["final_total"].number_text() == "400.00");
        CHECK(base.get("/dynamic-pricing/rules", base.admin()).status == 404);
        base.turn("dynamic_pricing", true);
        CHECK(base.listed(30) == "170.00");
    });
}

TEST_CASE("each traveler category has its own dynamic price, the same in dates and summary") {
    with_each([](Priced& base) {
        const auto category = [&](const char* label) {
            const auto made = base.post("/traveler-categories", Value::object({{"name", label}}), base.admin());
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        const auto adult = category("Adult price"), child = category("Child price");
        const auto price = [](std::int64_t id, const char* amount) {
            return Value::object({{"category_id", id}, {"regular_price", json::Number{amount}}});
        };
        const auto changed =
            base.call("PUT", base.path(),
                      Value::object({{"pricing_type", "traveler_based"},
                                     {"price_types", Value::array({price(adult, "180.00"), price(child, "95.55")})}})
                          .dump(),
                      base.admin());
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        base.given(early);
        const auto date = base.get(base.path() + "/date-pricing?date=" + base.day(30)).data();
        REQUIRE(date["price_types"].size() == 2);
        CHECK(date["price_types"][std::size_t{0}]["price"].number_text() == "153.00");
        CHECK(date["price_types"][std::size_t{1}]["price"].number_text() == "81.22");
        const Value counts = Value::object({{std::to_string(adult), 2}, {std::to_string(child), 1}});
        const auto quote = [&] {
            return base.summary(
                base.session_for(30, Value::object({{"traveler_counts", counts}, {"coupon_code", "TEN"}})));
        };
        CHECK(quote()["base_amount"].number_text() == "387.22");

        // Worked examples 9, 9b, 9c and 9d: the coupon, the dynamic price, both, and the better of the two.
        base.turn("advanced_discount", true);
        const auto coupon =
            base.post("/discounts",
                      Value::object({{"code", "TEN"}, {"type", "percentage"}, {"amount", 10}, {"status", "publish"}}),
                      base.admin());
        CAPTURE(coupon.text);
        REQUIRE(coupon.status == 201);
        for (const auto& [mode, total] :
             {std::pair("both", "348.50"), std::pair("discount_only", "409.99"),
              std::pair("dynamic_pricing_only", "387.22"), std::pair("best_for_customer", "387.22")}) {
            CAPTURE(mode);
            REQUIRE(
                base.call("PUT", "/settings", Value::object({{"discount_stacking_mode", mode}}).dump(), base.admin())
                    .status == 200);
            CHECK(quote()["final_total"].number_text() == total);
        }
    });
}

TEST_CASE("a price that was shown stays for its session, date and party while rules change") {
    with_each([](Priced& base) {
        const auto rule = base.given(early);
        const std::string session = base.session_for(30);
        CHECK(base.summary(session)["final_total"].number_text() == "340.00");
        REQUIRE(
            base.call("PUT", "/dynamic-pricing/rules/" + std::to_string(rule), R"({"status":"inactive"})", base.admin())
                .status == 200);
        CHECK(base.listed(30) == "200.00");
        CHECK(base.summary(session)["final_total"].number_text() == "340.00");
        CHECK(base.summary(session)["dynamic_pricing"]["prices"][std::size_t{0}]["rules"].size() == 1);
        CHECK(base.summary(base.session_for(30))["final_total"].number_text() == "400.00");
        // Another date is another price.
        REQUIRE(base.call("PUT", "/booking/session",
                          Value::object({{"session_id", session}, {"travel_date", base.day(60)}}).dump())
                    .status == 200);
        CHECK(base.summary(session)["final_total"].number_text() == "400.00");
        // All else is computed again: a new list price counts.
        REQUIRE(base.call("PUT", "/booking/session",
                          Value::object({{"session_id", session}, {"travel_date", base.day(30)}}).dump())
                    .status == 200);
        REQUIRE(base.call("PUT", base.path(), R"({"discounted_price":210})", base.admin()).status == 200);
        CHECK(base.summary(session)["final_total"].number_text() == "360.00");
    });
}

TEST_CASE("settings decide modes and limits, and a body with a fault changes none") {
    with_each([](Priced& base) {
        base.given(R"({"name":"Season","rule_type":"seasonal","adjustment_value":80,"start_date":"2020-01-01"})");
        CHECK(base.listed(30) == "300.00");  // 50 % at most
        base.set(R"({"maximum_markup_percent":10})");
        CHECK(base.listed(30) == "220.00");
        base.set(R"({"calculation_base":"regular","maximum_markup_percent":100})");
        CHECK(base.listed(30) == "450.00");
        CHECK(base.summary(base.session_for(30))["unit_price"].number_text() == "450.00");
        const auto before = base.get("/dynamic-pricing/settings", base.admin()).data();
        for (const char* bad : {R"({"rule_priority_mode":"loudest"})", R"({"maximum_discount_percent":101})",
                                R"({"maximum_markup_percent":-1})", R"({"calculation_period":0})"}) {
            CAPTURE(bad);
            CHECK(base.call("PUT", "/dynamic-pricing/settings", bad, base.admin()).status == 400);
        }
        CHECK(base.get("/dynamic-pricing/settings", base.admin()).data() == before);
        CHECK(before["calculation_base"].text() == "regular");
    });
}

TEST_CASE("rules are made, changed, trashed by PUT, restored and deleted, one or many at once") {
    with_each([](Priced& base) {
        const auto first = base.given(early);
        const auto second = base.given(
            R"({"name":"Weekend","rule_type":"time_based","adjustment_type":"fixed","adjustment_value":-5,"priority":9,)"
            R"("start_date":"2001-01-01","end_date":"2001-12-31"})");  // whatever weekday today is
        const auto at = [&](std::int64_t id) { return "/dynamic-pricing/rules/" + std::to_string(id); };
        const auto read = base.get(at(second), base.admin()).data();
        CHECK(read["adjustment_value"].number_text() == "-5.00");
        CHECK(read["weekend_days"] == Value::array({"5", "6"}));
        CHECK(read["demand_threshold_high"].integer() == 80);
        CHECK(base.get("/dynamic-pricing/rules?rule_type=early_bird", base.admin()).data().size() == 1);
        CHECK(base.get("/dynamic-pricing/rules?status=inactive", base.admin()).data().size() == 0);
        CHECK(base.call("PUT", at(first), R"({"status":"trash"})", base.admin()).status == 200);
        CHECK(base.listed(60) == "200.00");
        CHECK(base.get("/dynamic-pricing/rules", base.admin()).data().size() == 1);
        CHECK(base.get("/dynamic-pricing/statistics", base.admin()).data()["trash_rules"].integer() == 1);
        const auto bulk = [&](const char* action) {
            return base.post("/dynamic-pricing/bulk-status",
                             Value::object({{"action", action}, {"ids", Value::array({first, second})}}), base.admin());
        };
        CHECK(bulk("restore").data()["affected"].integer() == 1);
        CHECK(bulk("deactivate").data()["affected"].integer() == 2);
        CHECK(base.get("/dynamic-pricing/rules?status=inactive", base.admin()).data().size() == 2);
        CHECK(bulk("activate").data()["affected"].integer() == 2);
        CHECK(base.listed(60) == "170.00");
        CHECK(bulk("trash").data()["affected"].integer() == 2);
        CHECK(bulk("delete").data()["affected"].integer() == 2);
        CHECK(base.get(at(first), base.admin()).status == 404);
        CHECK(bulk("explode").status == 400);
    });
}

TEST_CASE("a rule that would make no sense is rejected with its field") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Priced base(database);
        const std::pair<const char*, const char*> bad[]{
            {R"({"rule_type":"seasonal","adjustment_value":5,"start_date":"2026-01-01"})", "name"},
            {R"({"name":"x","rule_type":"lunar","adjustment_value":5})", "rule_type"},
            {R"({"name":"x","rule_type":"seasonal","adjustment_value":5})", "start_date"},
            {R"({"name":"x","rule_type":"seasonal","adjustment_value":-101,"start_date":"2026-01-01"})",
             "adjustment_value"},
            {R"({"name":"x","rule_type":"seasonal","adjustment_value":1000.5,"start_date":"2026-01-01"})",
             "adjustment_value"},
            {R"({"name":"x","rule_type":"seasonal","adjustment_value":5,"start_date":"2026-02-01","end_date":"2026-01-01"})",
             "end_date"},
            {R"({"name":"x","rule_type":"early_bird","adjustment_value":5})", "min_days_before"},
            {R"({"name":"x","rule_type":"early_bird","adjustment_value":5,"min_days_before":9,"max_days_before":3})",
             "max_days_before"},
            {R"({"name":"x","rule_type":"inventory","adjustment_value":5,"min_inventory":9,"max_inventory":9})",
             "max_inventory"},
            {R"({"name":"x","rule_type":"demand","adjustment_value":5,"demand_threshold_low":80})",
             "demand_threshold_low"},
            {R"({"name":"x","rule_type":"time_based","adjustment_value":5,"weekend_days":[]})", "weekend_days"},
            {R"({"name":"x","rule_type":"time_based","adjustment_value":5,"applicable_trips":"specific"})", "trip_ids"},
            {R"({"name":"x","rule_type":"time_based","adjustment_value":5,"priority":101})", "priority"},
            {R"({"name":"x","rule_type":"time_based","adjustment_value":5,"conditions":{"match":"all"}})",
             "conditions"},
        };
        for (const auto& [body, field] : bad) {
            CAPTURE(body);
            const auto refused = base.make(body);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
            const auto simulated = base.call("POST", "/dynamic-pricing/simulate-rule", body, base.admin());
            CHECK(simulated.status == 400);
            CHECK(simulated.field() == field);
        }
        std::string deep = R"({"field":"demand","operator":"is","value":1})";
        for (int level = 0; level < 50; ++level)
            deep = R"({"match":"all","conditions":[)" + deep + "]}";
        CHECK(base.make(R"({"name":"x","rule_type":"time_based","adjustment_value":5,"conditions":)" + deep + "}")
                  .status == 400);
        CHECK(base.get("/dynamic-pricing/statistics", base.admin()).data()["total_rules"].integer() == 0);
        CHECK(base.call("POST", "/dynamic-pricing/rules", early).status == 401);
        CHECK(base.call("POST", "/dynamic-pricing/rules", early, base.user("svc_customer")).status == 403);
    });
}

TEST_CASE("a simulation says what a rule would do and stores nothing") {
    with_each([](Priced& base) {
        Value body = json::parse(early).value();
        body.set("base_price", 200);
        const auto answered = base.post("/dynamic-pricing/simulate-rule", body, base.admin());
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
        CHECK(answered.data()["rule_type"].text() == "early_bird");
        CHECK(answered.data()["current_date"].text() == base.day(0));
        int applied = 0;
        for (const Value& each : answered.data()["scenarios"].items()) {
            const bool far = each["departure_date"].text() >= base.day(20);
            CHECK(each["applies"].boolean() == far);
            CHECK(each["final_price"].number_text() == (far ? "170.00" : "200.00"));
            CHECK(each["adjustment_percent"].number_text() == (far ? "-15" : "0"));
            applied += far ? 1 : 0;
        }
        CHECK(applied > 0);
        CHECK(base.get("/dynamic-pricing/rules", base.admin()).data().size() == 0);
        CHECK(base.listed(30) == "200.00");
    });
}

TEST_CASE("on each day of a year the list of dates, the date itself and the summary have one price") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Priced base(database);
        base.set(R"({"rule_priority_mode":"cumulative"})");
        base.given(early);
        base.given(R"({"name":"Weekend","rule_type":"time_based","adjustment_value":12.5})");
        base.given(
            R"({"name":"Seats","rule_type":"inventory","adjustment_value":9,"min_inventory":3,"max_inventory":8})");
        const auto rule = base.post("/recurring-availability",
                                    Value::object({{"trip_id", base.trip},
                                                   {"rule_type", "weekly"},
                                                   {"days_of_week", Value::array({0, 1, 2, 3, 4, 5, 6})},
                                                   {"start_date", base.day(1)},
                                                   {"end_date", base.day(360)},
                                                   {"seats_total", 8}}),
                                    base.admin());
        CAPTURE(rule.text);
        REQUIRE(rule.status == 201);
        const auto dates = base.get(base.path() + "/available-dates");
        REQUIRE(dates.status == 200);
        int tried = 0;
        for (const Value& each : dates.data().items()) {
            const std::string date = each["date"].text();
            CAPTURE(date);
            const auto one = base.get(base.path() + "/date-pricing?date=" + date).data();
            CHECK(one["price"] == each["price"]);
            if (tried++ % 10 == 0)
                CHECK(base.summary(base.session_on(date))["unit_price"] == each["price"]);
        }
        CHECK(tried > 300);
    });
}
