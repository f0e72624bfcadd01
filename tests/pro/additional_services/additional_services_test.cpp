// The module additional_services: there when it is on, gone when it is off, on both databases.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

struct Services : Stand {
    explicit Services(std::unique_ptr<Database> on = Database::sqlite(), bool enabled = true)
        : Stand(std::move(on), Schema::real) {
        REQUIRE(attach(&svc_plugin_entry));
        if (enabled)
            REQUIRE(modules.toggle("additional_services", true, 7));
    }
    Reply create(json::Value body) { return call("POST", "/additional-services", body); }
    Reply list(const std::string& query = "") { return call("GET", "/additional-services" + query); }
    std::int64_t given(const char* name, const char* status = "publish") {
        const auto reply = create(json::Value::object({{"name", name}, {"status", status}, {"price", 10}}));
        REQUIRE(reply.status == 201);
        return reply.data()["id"].integer();
    }
    std::vector<std::string> names(const std::string& query) {
        std::vector<std::string> found;
        const auto reply = list(query);
        REQUIRE(reply.status == 200);
        for (const auto& item : reply.data().items())
            found.push_back(item["name"].text());
        return found;
    }
};
using Names = std::vector<std::string>;

void each_kind(const std::function<void(Services&)>& body) {
    each_database([&](Database& kind) {
        CAPTURE(kind.name());
        Services services(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        body(services);
    });
}

std::string path(std::int64_t id) { return "/additional-services/" + std::to_string(id); }

}  // namespace

TEST_CASE("the module is listed, off at first, and its routes and storage do not exist until it is on") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Services base(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql(), false);
        const auto& declared = base.modules.declared;
        const auto module = std::find_if(declared.begin(), declared.end(),
                                         [](const auto& one) { return one.slug == "additional_services"; });
        REQUIRE(module != declared.end());
        CHECK(module->plan == "personal");
        CHECK(module->requires_pro);
        const auto steps = "SELECT COUNT(*) FROM svc_migrations WHERE name = '0001_additional_services.sql'";
        CHECK(base.number(steps) == 0);
        CHECK(base.list().code() == "svc_no_route");

        REQUIRE(base.modules.toggle("additional_services", true, 7));
        CHECK(base.number(steps) == 1);
        CHECK(base.list().status == 200);
        const auto id = base.given("Transfer");

        REQUIRE(base.modules.toggle("additional_services", false, 7));
        for (const auto* method : {"GET", "PUT", "DELETE"})
            CHECK(base.call(method, path(id), json::Value::object()).status == 404);
        CHECK(base.list().status == 404);
        CHECK(base.create(json::Value::object({{"name", "x"}})).status == 404);

        REQUIRE(base.modules.toggle("additional_services", true, 7));  // what was stored is kept
        CHECK(base.call("GET", path(id)).data()["name"].text() == "Transfer");
        CHECK(base.number(steps) == 1);
    });
}

TEST_CASE("a service is created whole and read back as it was sent") {
    each_kind([](Services& base) {
        const auto made = base.create(json::Value::object({{"name", "  Airport   transfer "},
                                                           {"description", "From the airport\nand back."},
                                                           {"price", json::Number{"49.90"}},
                                                           {"price_per", "booking"},
                                                           {"max_quantity", 3},
                                                           {"icon", "bus"},
                                                           {"status", "publish"},
                                                           {"sort_order", 5},
                                                           {"applicable_to", "specific_trips"},
                                                           {"trip_ids", json::Value::array({2, 1, 2})},
                                                           {"is_required", true},
                                                           {"is_taxable", false}}));
        REQUIRE(made.status == 201);
        const auto id = made.data()["id"].integer();
        CHECK(made.header("Location").ends_with(path(id)));
        const auto read = base.call("GET", path(id));
        CHECK(read.data() == made.data());
        const auto& data = read.data();
        CHECK(data["description"].text() == "From the airport\nand back.");
        CHECK(data["price"].number_text() == "49.90");
        CHECK(data["currency"].text() == "USD");
        CHECK(data["price_type"].text() == "fixed");
        CHECK(data["price_per"].text() == "booking");
        CHECK(data["max_quantity"].integer() == 3);
        CHECK(data["trip_ids"] == json::Value::array({1, 2}));
        CHECK(data["trips"][std::size_t{0}]["title"].text() == "Nile cruise");
        CHECK(data["trips_count"].integer() == 2);
        CHECK(data["is_required"].boolean());
        CHECK_FALSE(data["is_included"].boolean());
        CHECK_FALSE(data["is_taxable"].boolean());
        CHECK(data["bookings_count"].integer() == 0);
        CHECK(data["total_revenue"].number_text() == "0.00");
        CHECK(data["created_at"].text() == "2026-05-04T10:00:00Z");
    });
}

TEST_CASE("a percentage is exact to four decimals and never above 100") {
    each_kind([](Services& base) {
        const auto with = [&](const char* price) {
            return base.create(json::Value::object(
                {{"name", "Insurance"}, {"price_type", "percentage"}, {"price", json::Number{price}}}));
        };
        CHECK(with("12.3456").data()["price"].number_text() == "12.3456");
        CHECK(with("100").data()["price"].number_text() == "100");
        for (const auto* bad : {"100.0001", "12.34567", "-1"}) {
            CAPTURE(bad);
            const auto refused = with(bad);
            CHECK(refused.status == 400);
            CHECK(refused.body["data"]["field"].text() == "price");
        }
    });
}

TEST_CASE("what cannot be is refused, names its field and stores nothing") {
    Services base;
    struct Bad {
        json::Value body;
        const char* field;
    };
    const std::vector<Bad> bads{
        {json::Value::object(), "name"},
        {json::Value::object({{"name", "   "}}), "name"},
        {json::Value::object({{"name", std::string(191, 'x')}}), "name"},
        {json::Value::object({{"name", "x"}, {"price", -1}}), "price"},
        {json::Value::object({{"name", "x"}, {"price", "much"}}), "price"},
        {json::Value::object({{"name", "x"}, {"price_type", "free"}}), "price_type"},
        {json::Value::object({{"name", "x"}, {"price_per", "hour"}}), "price_per"},
        {json::Value::object({{"name", "x"}, {"status", "sold"}}), "status"},
        {json::Value::object({{"name", "x"}, {"max_quantity", 0}}), "max_quantity"},
        {json::Value::object({{"name", "x"}, {"applicable_to", "specific_trips"}}), "trip_ids"},
        {json::Value::object(
             {{"name", "x"}, {"applicable_to", "specific_trips"}, {"trip_ids", json::Value::array({1, 99})}}),
         "trip_ids"},
        {json::Value::object({{"name", "x"}, {"is_required", "perhaps"}}), "is_required"}};
    for (const auto& bad : bads) {
        CAPTURE(bad.body.dump());
        const auto reply = base.create(bad.body);
        CHECK(reply.status == 400);
        CHECK(reply.body["data"]["field"].text() == bad.field);
    }
    CHECK(base.list("?status=all").body["meta"]["total"].integer() == 0);
}

TEST_CASE("an update changes what it is sent and leaves the rest") {
    each_kind([](Services& base) {
        const auto id = base.given("Transfer");
        base.clock.at = Instant::parse("2026-05-05T10:00:00Z").value();
        const auto reply = base.call("PUT", path(id), json::Value::object({{"name", "Shuttle"}, {"max_quantity", 4}}));
        CHECK(reply.status == 200);
        CHECK(reply.data()["name"].text() == "Shuttle");
        CHECK(reply.data()["price"].number_text() == "10.00");
        CHECK(reply.data()["status"].text() == "publish");
        CHECK(reply.data()["max_quantity"].integer() == 4);
        CHECK(reply.data()["created_at"].text() == "2026-05-04T10:00:00Z");
        CHECK(reply.data()["updated_at"].text() == "2026-05-05T10:00:00Z");
        const auto cleared = base.call("PATCH", path(id), json::Value::object({{"max_quantity", nullptr}}));
        CHECK(cleared.data()["max_quantity"].is_null());
        CHECK(cleared.data()["name"].text() == "Shuttle");
        CHECK(base.call("PUT", path(id + 1), json::Value::object({{"name", "x"}})).code() == "svc_not_found");
    });
}

TEST_CASE("an amount never turns into a percentage unsaid") {
    Services base;
    const auto id = base.given("Transfer");
    const auto refused = base.call("PUT", path(id), json::Value::object({{"price_type", "percentage"}}));
    CHECK(refused.status == 400);
    CHECK(refused.body["data"]["field"].text() == "price");
    const auto changed = base.call("PUT", path(id), json::Value::object({{"price_type", "percentage"}, {"price", 5}}));
    CHECK(changed.data()["price"].number_text() == "5");
}

TEST_CASE("the list hides the trash, filters, searches without case, sorts and pages") {
    each_kind([](Services& base) {
        base.given("Transfer");
        base.given("Äußere Kabine");
        base.given("Breakfast 100%", "draft");
        const auto gone = base.given("Lunch");
        REQUIRE(base.call("DELETE", path(gone)).status == 200);
        CHECK(base.names("?orderby=name") == Names{"Breakfast 100%", "Transfer", "Äußere Kabine"});
        CHECK(base.names("?status=trash") == Names{"Lunch"});
        CHECK(base.names("?status=draft") == Names{"Breakfast 100%"});
        CHECK(base.names("?status=all").size() == 3);
        CHECK(base.names("?search=TRANS") == Names{"Transfer"});
        CHECK(base.names("?search=%C3%84USSERE") == Names{"Äußere Kabine"});
        CHECK(base.names("?search=%25") == Names{"Breakfast 100%"});
        CHECK(base.names("?orderby=id&order=desc&per_page=2") == Names{"Breakfast 100%", "Äußere Kabine"});
        const auto page = base.list("?orderby=id&per_page=2&page=2");
        CHECK(page.data().size() == 1);
        CHECK(page.header("X-Host-Total") == "3");
        CHECK(page.header("X-Host-TotalPages") == "2");
        CHECK(base.list("?orderby=secret").body["data"]["field"].text() == "orderby");
        for (const auto* order : {"sort_order", "name", "price", "status", "id", "created_at", "updated_at"})
            for (const auto* direction : {"asc", "desc"})
                CHECK(base.names(std::string("?orderby=") + order + "&order=" + direction).size() == 3);
    });
}

TEST_CASE("deleting moves to the trash, deleting there is for good, and a service bookings hold stays") {
    each_kind([](Services& base) {
        const auto id = base.given("Transfer");
        const auto first = base.call("DELETE", path(id));
        CHECK(first.status == 200);
        CHECK(first.data()["deleted"].boolean());
        CHECK(base.call("GET", path(id)).data()["status"].text() == "trash");
        CHECK(base.call("DELETE", path(id)).status == 200);
        CHECK(base.call("DELETE", path(id)).status == 404);

        const auto sold = base.given("Sold");
        REQUIRE(base.store->write([&](store::Transaction& tx) -> Result<void> {
            tx.run(
                "INSERT INTO svc_booking_services (booking_id, service_id, name, price_type, price_per, unit_minor,"
                " quantity, days, amount_minor, is_required, is_included, created_at)"
                " VALUES (50, :id, 'Sold', 'fixed', 'person', 1000, 2, 1, 2000, 0, 0, 0)",
                {{"id", sold}});
            return {};
        }));
        const auto kept = base.call("DELETE", path(sold));
        CHECK(kept.status == 409);
        CHECK(kept.code() == "svc_in_use");
        const auto read = base.call("GET", path(sold)).data();
        CHECK(read["status"].text() == "publish");
        CHECK(read["bookings_count"].integer() == 1);
        CHECK(read["total_revenue"].number_text() == "20.00");
    });
}

TEST_CASE("reading needs svc_view_trips, writing svc_edit_trips") {
    Services base;
    const auto id = base.given("Transfer");
    base.caller.capabilities = {"svc_view_trips"};
    CHECK(base.list().status == 200);
    CHECK(base.call("GET", path(id)).status == 200);
    CHECK(base.create(json::Value::object({{"name", "x"}})).status == 403);
    CHECK(base.call("PUT", path(id), json::Value::object({{"name", "x"}})).status == 403);
    CHECK(base.call("DELETE", path(id)).status == 403);
    base.caller = {};
    CHECK(base.list().status == 401);
}

TEST_CASE("each write keeps its answer for a repeat in its own transaction") {
    Services base;
    base.keeps_replies = true;
    const auto id = base.given("Transfer");
    CHECK(base.call("PUT", path(id), json::Value::object({{"name", "Shuttle"}})).status == 200);
    CHECK(base.call("DELETE", path(id)).status == 200);
    REQUIRE(base.kept.size() == 3);
    CHECK(base.kept[1].find("Shuttle") != std::string::npos);
    CHECK(base.kept[2].find("deleted") != std::string::npos);
    CHECK(base.create(json::Value::object(
                          {{"name", "x"}, {"applicable_to", "specific_trips"}, {"trip_ids", json::Value::array({99})}}))
              .status == 400);
    CHECK(base.kept.size() == 3);
}

TEST_CASE("a service has a version: its ETag answers 304, and an older one is a conflict") {
    each_kind([](Services& base) {
        const auto id = base.given("Transfer");
        const auto read = base.call("GET", path(id));
        CHECK(read.data()["row_version"].integer() == 1);
        CHECK(read.header("ETag").starts_with("\"1-"));
        base.headers = {{"If-None-Match", read.header("ETag")}};
        CHECK(base.call("GET", path(id)).status == 304);
        base.headers.clear();
        const auto changed = base.call("PUT", path(id), json::Value::object({{"name", "Shuttle"}, {"row_version", 1}}));
        CHECK(changed.data()["row_version"].integer() == 2);
        CHECK(base.call("PUT", path(id), json::Value::object({{"name", "Bus"}, {"row_version", 1}})).status == 409);
        CHECK(base.call("GET", path(id)).data()["name"].text() == "Shuttle");
    });
}

TEST_CASE("all rules that a service breaks are reported at once") {
    Services base;
    const auto refused = base.create(json::Value::object({{"name", "x"},
                                                          {"price_type", "percentage"},
                                                          {"price", 101},
                                                          {"applicable_to", "specific_trips"},
                                                          {"trip_ids", json::Value::array({99})}}));
    CHECK(refused.status == 400);
    for (const char* field : {"price", "trip_ids"})
        CHECK(refused.body["data"]["errors"].find(field) != nullptr);
}

TEST_CASE("several services change their status at once, and are counted by it") {
    each_kind([](Services& base) {
        const auto one = base.given("Transfer"), two = base.given("Lunch", "draft");
        const auto bulk = [&](const char* action) {
            return base.call("POST", "/additional-services/bulk",
                             json::Value::object({{"action", action}, {"ids", json::Value::array({one, two, 999})}}));
        };
        CHECK(bulk("trash").data()["affected"].integer() == 2);
        CHECK(bulk("trash").data()["failed"].integer() == 1);
        CHECK(base.call("GET", "/additional-services/stats").data()["trash"].integer() == 2);
        CHECK(bulk("restore").data()["affected"].integer() == 2);
        const auto counts = base.call("GET", "/additional-services/stats").data();
        CHECK(counts["publish"].integer() == 1);
        CHECK(counts["draft"].integer() == 1);
        CHECK(counts["all"].integer() == 2);
        CHECK(bulk("delete").data()["affected"].integer() == 2);
        CHECK(base.call("GET", path(one)).status == 404);
    });
}

TEST_CASE("the list takes days of the site's zone") {
    each_kind([](Services& base) {
        base.settings.values["timezone"] = "Asia/Tokyo";
        base.given("Transfer");
        base.clock.at = Instant::parse("2026-05-04T16:00:00Z").value();  // an hour into the next day there
        base.given("Lunch");
        CHECK(base.names("?to=2026-05-04") == Names{"Transfer"});
        CHECK(base.names("?from=2026-05-05&to=2026-05-05") == Names{"Lunch"});
        CHECK(base.names("?from=2026-05-04T10:00:00Z").size() == 2);
        CHECK(base.list("?from=soon").body["data"]["field"].text() == "from");
    });
}

TEST_CASE("a search finds a service without its accents, one of an earlier version after the job ran") {
    each_kind([](Services& base) {
        base.given("Äußere Kabine");
        CHECK(base.names("?search=AUSSERE") == Names{"Äußere Kabine"});
        REQUIRE(base.store->write([](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_additional_services SET search = :search", {{"search", "äussere kabine\n"}});
            return {};
        }));
        CHECK(base.names("?search=aussere").empty());
        const auto fold = [&] { return base.jobs.run_now("additional_services_search").value()["folded"].integer(); };
        CHECK(fold() == 1);
        CHECK(fold() == 0);
        CHECK(base.names("?search=aussere") == Names{"Äußere Kabine"});
        REQUIRE(base.modules.toggle("additional_services", false, 7));
        CHECK(fold() == 0);
    });
}
