// Dynamic prices as visitors see them: at once in lists and pages, with a saving or few seats only where that is true.
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/before_start.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct PricedSite : TestBase {
    explicit PricedSite(Database& database) : TestBase(database, &svc_plugin_entry), gate(app::make_gate(*assembly)) {
        given_license("agency");
        pages().ask([this](const api::InnerRequest& request) { return gate.ask(request); });
        trip = given_trip("Nile cruise");
        REQUIRE(call("PUT", path(), R"({"regular_price":200,"discounted_price":null})", admin()).status == 200);
        given_departure(trip, 30);
        given_departure(trip, 60);
        turn("dynamic_pricing", true);
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(const std::string& module, bool on) {
        REQUIRE(post("/modules/" + module + "/toggle", Value::object({{"enabled", on}}), admin()).status == 200);
    }
    std::int64_t given(const std::string& body) {
        Value fields = json::parse(body).value();
        fields.set("status", "active");
        const auto made = post("/dynamic-pricing/rules", fields, admin());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    void change(std::int64_t rule, const std::string& body) {
        REQUIRE(call("PUT", "/dynamic-pricing/rules/" + std::to_string(rule), body, admin()).status == 200);
    }
    void set(const std::string& settings) {
        REQUIRE(call("PUT", "/dynamic-pricing/settings", settings, admin()).status == 200);
    }
    std::string path() const { return "/trips/" + std::to_string(trip); }
    Value listed() {
        const auto all = get("/trips/public").data();
        REQUIRE(all.size() == 1);
        return all[std::size_t{0}];
    }
    std::string page(const std::string& target) {
        pages().written();
        const HttpRequest request{.method = "GET", .target = target, .headers = {}, .body = {}, .peer = "192.0.2.7"};
        const HttpAnswer answer = pages().answer(request);
        REQUIRE(answer.status == 200);
        return *answer.body;
    }
    // In the list, in the trip's answer and in its page's data for search engines.
    void check_begins_at(const std::string& price) {
        CHECK(listed()["display_price"].number_text() == price);
        CHECK(get("/trips/public/nile-cruise").data()["display_price"].number_text() == price);
        CHECK(page("/trip/nile-cruise").find(R"("lowPrice":)" + price + ",") != std::string::npos);
    }
    // Changes that no request of this process makes are followed by a thread.
    void wait_for(const std::string& price) {
        for (int tries = 0; tries < 200 && listed()["display_price"].number_text() != price; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        check_begins_at(price);
    }
    pages::Pages& pages() { return assembly->pages.pages; }

    app::Gate gate;
    std::int64_t trip = 0;
};

void with_each(const std::function<void(PricedSite&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        PricedSite site(database);
        body(site);
    });
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const char* const early =
    R"({"name":"Early bird","rule_type":"early_bird","adjustment_value":15,"min_days_before":20})";

}  // namespace

TEST_CASE("lists, pages and JSON-LD show the price of a changed rule or setting at once") {
    with_each([](PricedSite& site) {
        site.check_begins_at("200.00");
        const auto rule = site.given(early);
        site.check_begins_at("170.00");
        CHECK(site.listed()["price_prefix"].text().empty());  // all dates cost that
        CHECK(has(site.page("/trip"), "170"));
        site.change(rule, R"({"adjustment_value":20})");
        site.check_begins_at("160.00");
        site.change(rule, R"({"min_days_before":45})");
        site.check_begins_at("160.00");
        CHECK(site.listed()["price_prefix"].text() == "From");  // the first date costs more
        site.set(R"({"maximum_discount_percent":5})");
        site.check_begins_at("190.00");
        const Value ids = Value::array({rule});
        for (const auto& [action, price] : {std::pair("deactivate", "200.00"), std::pair("activate", "190.00"),
                                            std::pair("trash", "200.00"), std::pair("delete", "200.00")}) {
            CAPTURE(action);
            REQUIRE(site.post("/dynamic-pricing/bulk-status", Value::object({{"action", action}, {"ids", ids}}),
                              site.admin())
                        .status == 200);
            site.check_begins_at(price);
        }
        CHECK(site.listed()["price_prefix"].text().empty());
        CHECK(site.listed()["discount_percent"].is_null());
    });
}

TEST_CASE("lists are ordered and filtered by the price at which dates begin") {
    with_each([](PricedSite& site) {
        const auto other = site.given_trip("Alpine huts");
        REQUIRE(site.call("PUT", "/trips/" + std::to_string(other), R"({"regular_price":180})", site.admin()).status ==
                200);
        const auto order = [&] {
            std::string ids;
            const Value trips = site.get("/trips/public?orderby=price&order=asc").data();
            for (const Value& each : trips.items())
                ids += each["slug"].text() + " ";
            return ids;
        };
        CHECK(order() == "alpine-huts nile-cruise ");
        site.given(R"({"name":"Early bird","rule_type":"early_bird","adjustment_value":15,"min_days_before":20,)"
                   R"("applicable_trips":"specific","trip_ids":[)" +
                   std::to_string(site.trip) + "]}");
        CHECK(order() == "nile-cruise alpine-huts ");
        CHECK(site.get("/trips/public?max_price=175").data().size() == 1);
        CHECK(site.get("/trips/public?min_price=195").data().size() == 0);
    });
}

TEST_CASE("each traveler category says where its price begins, on the trip's page too") {
    with_each([](PricedSite& site) {
        const auto category = [&](const char* name) {
            return site.post("/traveler-categories", Value::object({{"name", name}}), site.admin()).data()["id"];
        };
        const Value adult = category("Adult price"), child = category("Child price");
        const auto price = [](const Value& id, const char* amount) {
            return Value::object({{"category_id", id}, {"regular_price", json::Number{amount}}});
        };
        REQUIRE(
            site.call("PUT", site.path(),
                      Value::object({{"pricing_type", "traveler_based"},
                                     {"price_types", Value::array({price(adult, "180.00"), price(child, "95.55")})}})
                          .dump(),
                      site.admin())
                .status == 200);
        const auto said = [&](std::size_t at) {
            const Value type = site.listed()["price_types"][at];
            return type["effective_price"].number_text() + type.text_or("price_prefix");
        };
        CHECK(said(0) == "180.00");
        const auto rule = site.given(early);
        CHECK(said(0) == "153.00");
        CHECK(said(1) == "81.22");
        CHECK(site.listed()["traveler_min_price"].number_text() == "81.22");
        CHECK(site.listed()["traveler_max_price"].number_text() == "153.00");
        site.change(rule, R"({"min_days_before":45})");
        CHECK(said(0) == "153.00From");
        CHECK(said(1) == "81.22From");
        CHECK(has(site.page("/trip/nile-cruise"), "From"));
        site.change(rule, R"({"status":"inactive"})");
        CHECK(said(0) == "180.00");
    });
}

TEST_CASE("lists follow bookings that change seats, and the switch of the module") {
    with_each([](PricedSite& site) {
        site.given(R"({"name":"Last seats","rule_type":"inventory","adjustment_value":10,"min_inventory":19})");
        site.check_begins_at("200.00");
        for (const int days : {30, 60})
            static_cast<void>(site.given_booking(site.trip, days));
        site.wait_for("220.00");
        site.turn("dynamic_pricing", false);
        site.wait_for("200.00");
        site.turn("dynamic_pricing", true);
        site.wait_for("220.00");
        // A trip that changes begins at its new dynamic price, never at the plain one.
        REQUIRE(site.call("PUT", site.path(), R"({"regular_price":300})", site.admin()).status == 200);
        site.check_begins_at("330.00");
    });
}

TEST_CASE("a price that rose shows no saving; one that fell shows the price before and by how much, if wanted") {
    with_each([](PricedSite& site) {
        const auto rule =
            site.given(R"({"name":"Season","rule_type":"seasonal","adjustment_value":20,"start_date":"2020-01-01"})");
        const auto shown = [&] { return site.page("/trip") + site.page("/trip/nile-cruise"); };
        CHECK(site.listed()["display_price"].number_text() == "240.00");
        CHECK(site.listed()["display_regular_price"].number_text() == "240.00");
        CHECK(site.listed()["discount_percent"].is_null());
        CHECK_FALSE(has(shown(), "<del>"));
        CHECK_FALSE(has(shown(), " %</span>"));
        const Value dates = site.get(site.path() + "/available-dates").data();
        for (const Value& each : dates.items())
            CHECK(each["original_price"] == each["price"]);
        site.change(rule, R"({"adjustment_value":-25})");
        CHECK(site.listed()["display_price"].number_text() == "150.00");
        CHECK(site.listed()["display_regular_price"].number_text() == "200.00");
        CHECK(site.listed()["discount_percent"].integer() == 25);
        CHECK(has(site.page("/trip"), "<del>"));
        CHECK(has(site.page("/trip"), "25 %"));
        CHECK(has(site.page("/trip/nile-cruise"), "<del>"));
        site.set(R"({"show_original_price":false})");
        CHECK_FALSE(has(shown(), "<del>"));
        CHECK(has(site.page("/trip"), "25 %"));
        site.set(R"({"show_savings_badge":false})");
        CHECK_FALSE(has(shown(), "25 %"));
    });
}

TEST_CASE("seats left are named only while the setting wants it, and where five or fewer are left") {
    with_each([](PricedSite& site) {
        site.given_departure(site.trip, 90, 6);
        site.given_departure(site.trip, 120, 5);
        CHECK_FALSE(has(site.page("/trip/nile-cruise"), "5 left"));  // off at first
        site.set(R"({"show_urgency_messages":true})");
        const std::string page = site.page("/trip/nile-cruise");
        CHECK(has(page, "5 left"));
        CHECK_FALSE(has(page, "6 left"));
        CHECK_FALSE(has(page, "20 left"));
        static_cast<void>(site.given_booking(site.trip, 90));
        site.turn("dynamic_pricing", false);  // pages say it by themselves
        CHECK(has(site.page("/book/nile-cruise"), "5 left"));
    });
}

TEST_CASE("svc_dynamic_pricing_enabled says whether the stacking mode applies") {
    static bool answer = true;
    const BeforeStart listening([](app::Assembly& base) {
        REQUIRE(base.site.hooks.filter("svc_dynamic_pricing_enabled", {.name = "test"},
                                       [](store::Transaction*, const json::Array& given) -> Value {
                                           CHECK(given[0].boolean());
                                           return answer;
                                       }));
    });
    with_each([](PricedSite& site) {
        site.given(early);
        site.turn("advanced_discount", true);
        REQUIRE(
            site.post("/discounts",
                      Value::object({{"code", "TEN"}, {"type", "percentage"}, {"amount", 10}, {"status", "publish"}}),
                      site.admin())
                .status == 201);
        REQUIRE(site.call("PUT", "/settings", R"({"discount_stacking_mode":"dynamic_pricing_only"})", site.admin())
                    .status == 200);
        const auto total = [&] {
            const auto opened = site.post("/booking/session", Value::object({{"trip_id", site.trip},
                                                                             {"travel_date", site.day(30)},
                                                                             {"travelers_count", 1},
                                                                             {"coupon_code", "TEN"}}));
            REQUIRE(opened.status == 201);
            return site.get("/booking/summary?session_id=" + opened.data()["session_id"].text())
                .data()["final_total"]
                .number_text();
        };
        answer = true;
        CHECK(total() == "170.00");
        answer = false;  // both apply, as where only one of the modules is on
        CHECK(total() == "153.00");
    });
}

TEST_CASE("no rule makes a price negative or endless, in any place") {
    with_each([](PricedSite& site) {
        site.set(R"({"maximum_discount_percent":100,"maximum_markup_percent":1000})");
        const auto rule = site.given(R"({"name":"Season","rule_type":"seasonal","adjustment_type":"fixed",)"
                                     R"("adjustment_value":-500,"start_date":"2020-01-01"})");
        const auto one = [&] { return site.get(site.path() + "/date-pricing?date=" + site.day(30)).data()["price"]; };
        site.check_begins_at("0.00");
        CHECK(one().number_text() == "0.00");
        site.change(rule, R"({"adjustment_value":99999999999})");
        site.check_begins_at("2200.00");
        CHECK(one().number_text() == "2200.00");
        for (const char* bad : {R"({"adjustment_value":99999999999999999999})", R"({"adjustment_value":1e400})",
                                R"({"adjustment_value":"NaN"})", R"({"adjustment_value":1e-9})"}) {
            CAPTURE(bad);
            CHECK(site.call("PUT", "/dynamic-pricing/rules/" + std::to_string(rule), bad, site.admin()).status == 400);
        }
        site.check_begins_at("2200.00");
    });
}

TEST_CASE("a booking keeps why its price is what it is, whatever becomes of the rule") {
    with_each([](PricedSite& site) {
        const auto rule = site.given(early);
        const auto booking = site.given_booking(site.trip, 30);
        const std::string at = "/bookings/" + std::to_string(booking.id);
        const auto reason = [&] { return site.get(at, site.admin()).data()["dynamic_pricing"]; };
        const Value before = reason();
        REQUIRE(before["prices"].size() == 1);
        const Value& price = before["prices"][std::size_t{0}];
        CHECK(price["before"].number_text() == "200.00");
        CHECK(price["price"].number_text() == "170.00");
        CHECK_FALSE(price["label"].text().empty());
        CHECK(price["rules"][std::size_t{0}]["name"].text() == "Early bird");
        CHECK(price["rules"][std::size_t{0}]["adjustment"].number_text() == "-30.00");
        for (int twice = 0; twice < 2; ++twice)
            REQUIRE(site.call("DELETE", "/dynamic-pricing/rules/" + std::to_string(rule), {}, site.admin()).status ==
                    200);
        CHECK(reason() == before);
        const auto plain = site.given_booking(site.trip, 60);
        CHECK(site.get("/bookings/" + std::to_string(plain.id), site.admin()).data()["dynamic_pricing"].is_null());
    });
}
