// The module saved_trips: account holders save published trips, and find them over the interface and on a page.
#include <doctest/doctest.h>

#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

void turn(TestBase& base, bool on) {
    REQUIRE(
        base.post("/modules/saved_trips/toggle", Value::object({{"enabled", on}}), base.user("administrator")).status ==
        200);
}

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database, &svc_plugin_entry);
        base.given_license("personal");
        const InnerCalls calls(*base.assembly);
        body(base);
    });
}

Value saved(std::int64_t trip_id) { return Value::object({{"trip_id", trip_id}}); }

std::vector<std::int64_t> ids_of(const Answered& answer) {
    REQUIRE(answer.status == 200);
    std::vector<std::int64_t> ids;
    for (const Value& trip : answer.data().items())
        ids.push_back(trip["id"].integer());
    return ids;
}

std::string path_of(std::int64_t trip_id) { return "/saved-trips/" + std::to_string(trip_id); }

}  // namespace

TEST_CASE("saved trips are listed, the latest first, with what the public list says of them") {
    each_base([](TestBase& base) {
        const std::int64_t lakes = base.given_trip("Three lakes"), nile = base.given_trip("Nile cruise");
        const Visitor& eva = base.user("svc_customer");
        CHECK(base.get("/saved-trips", eva).code() == "svc_no_route");
        turn(base, true);
        CHECK(ids_of(base.get("/saved-trips", eva)).empty());
        for (const std::int64_t id : {lakes, nile, lakes}) {
            const auto reply = base.post("/saved-trips", saved(id), eva);
            CHECK(reply.status == 200);
            CHECK(reply.data() == Value::object({{"trip_id", id}, {"is_saved", true}}));
        }
        const auto listed = base.get("/saved-trips", eva);
        CHECK(ids_of(listed) == std::vector<std::int64_t>{nile, lakes});
        const Value& first = listed.data().items().front();
        CHECK(first.text_or("title") == "Nile cruise");
        CHECK(first["display_price"].is_number());
        CHECK_FALSE(first.text_or("saved_at").empty());
        CHECK(listed.header("X-Host-Total") == "2");
        CHECK(ids_of(base.get("/saved-trips?per_page=1&page=2", eva)) == std::vector<std::int64_t>{lakes});
        CHECK(ids_of(base.get("/saved-trips?orderby=saved_at&order=asc", eva)) ==
              std::vector<std::int64_t>{lakes, nile});
        CHECK(ids_of(base.get("/saved-trips?orderby=title&order=desc", eva)) == std::vector<std::int64_t>{lakes, nile});
        CHECK(ids_of(base.get("/saved-trips?to=2001-01-01", eva)).empty());
        CHECK(base.get("/saved-trips/check/" + std::to_string(lakes), eva).data()["is_saved"].boolean());

        // Those of another account are its own.
        const Visitor& other = base.user("sales_agent");
        CHECK(ids_of(base.get("/saved-trips", other)).empty());
        CHECK_FALSE(base.get("/saved-trips/check/" + std::to_string(lakes), other).data()["is_saved"].boolean());

        for (int twice = 0; twice < 2; ++twice) {
            const auto removed = base.call("DELETE", path_of(lakes), {}, eva);
            CHECK(removed.status == 200);
            CHECK_FALSE(removed.data()["is_saved"].boolean());
        }
        CHECK(ids_of(base.get("/saved-trips", eva)) == std::vector<std::int64_t>{nile});
        turn(base, false);
        CHECK(base.get("/saved-trips", eva).status == 404);
        turn(base, true);
        CHECK(ids_of(base.get("/saved-trips", eva)) == std::vector<std::int64_t>{nile});
    });
}

TEST_CASE("only published trips are saved and shown, by account holders, where the site offers it") {
    each_base([](TestBase& base) {
        turn(base, true);
        const std::int64_t lakes = base.given_trip("Three lakes");
        const Visitor& eva = base.user("svc_customer");
        CHECK(base.post("/saved-trips", saved(lakes)).status == 401);
        CHECK(base.get("/saved-trips").status == 401);
        CHECK(base.post("/saved-trips", saved(lakes + 100), eva).code() == "trip_not_found");
        CHECK(base.post("/saved-trips", Value::object(), eva).field() == "trip_id");
        CHECK(base.post("/saved-trips", Value::object({{"tripId", lakes}}), eva).status == 200);
        REQUIRE(
            base.call("PUT", "/trips/" + std::to_string(lakes), R"({"status": "draft"})", base.user("administrator"))
                .status == 200);
        CHECK(ids_of(base.get("/saved-trips", eva)).empty());  // and is there again once it is published
        CHECK(base.post("/saved-trips", saved(lakes), eva).code() == "trip_not_found");
        REQUIRE(base.call("PUT", "/settings", R"({"enable_wishlist": false})", base.user("administrator")).status ==
                200);
        for (const auto& refused :
             {base.get("/saved-trips", eva), base.post("/saved-trips", saved(lakes), eva),
              base.call("DELETE", path_of(lakes), {}, eva), base.get("/saved-trips/check/1", eva)}) {
            CHECK(refused.status == 403);
            CHECK(refused.code() == "svc_forbidden");
        }
    });
}

TEST_CASE("an account saves at most 100 trips, and what is beyond saves none of a request") {
    each_base([](TestBase& base) {
        turn(base, true);
        std::vector<std::int64_t> trips;
        for (int i = 0; i < 101; ++i)
            trips.push_back(base.given_trip("Trip " + std::to_string(i)));
        const Visitor& eva = base.user("svc_customer");
        for (std::size_t i = 0; i < 100; ++i)
            REQUIRE(base.post("/saved-trips", saved(trips[i]), eva).status == 200);
        const auto beyond = base.post("/saved-trips", saved(trips.back()), eva);
        CHECK(beyond.status == 400);
        CHECK(beyond.field() == "trip_id");
        CHECK(base.number("SELECT COUNT(*) FROM svc_saved_trips") == 100);
    });
}

TEST_CASE("saved trips are in a person's export, and end with its erasure") {
    each_base([](TestBase& base) {
        turn(base, true);
        const Visitor& eva = base.user("svc_customer");
        REQUIRE(base.post("/saved-trips", saved(base.given_trip("Three lakes")), eva).status == 200);
        const std::string email = base.get("/auth/me", eva).data()["user"].text_or("email");
        REQUIRE_FALSE(email.empty());
        const auto exported = base.assembly->privacy.exported(email);
        REQUIRE(exported);
        REQUIRE((*exported)["more"]["saved_trips"].size() == 1);
        CHECK((*exported)["more"]["saved_trips"][0].text_or("trip") == "Three lakes");
        REQUIRE(base.assembly->privacy.erase(email));
        CHECK(base.number("SELECT COUNT(*) FROM svc_saved_trips") == 0);
    });
}
