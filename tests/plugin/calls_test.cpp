// svc.calls/1: routes that a plugin calls in this process, through the gate; with a withheld, an old and a throwing
// base.
#include <doctest/doctest.h>

#include "base/app/inner_calls.hpp"
#include "shared/plugin/host_calls.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {
namespace {

using api::Method;
using json::Value;
using plugin::Calls;
using plugin::Host;

const Calls* calls = nullptr;
std::function<void(Host&)> besides;

const svc_plugin* caller_entry() {
    script([](Host& host) {
        calls = &host.need<Calls>();
        if (besides)
            besides(host);
    });
    return scripted_entry();
}

// The whole base with a plugin that calls it.
struct CalledSite {
    explicit CalledSite(const Database& database)
        : base(database, &caller_entry),
          gate(app::make_gate(*base.assembly)),
          call(app::inner_calls({.gate = gate,
                                 .base_path = base.assembly->options.base_path,
                                 .gatekeeper = base.assembly->identity.gatekeeper,
                                 .after_write = [this] { ++writes; }})) {
        base.assembly->plugins.calls.open(call);
    }
    static Calls::Reply made(const Calls::Request& request) {
        auto reply = (*calls)(request);
        REQUIRE(reply);
        return std::move(*reply);
    }
    static std::string refusal(const Calls::Request& request) {
        const auto reply = (*calls)(request);
        REQUIRE(!reply);
        return std::string(reply.error().code().name);
    }

    TestBase base;
    int writes = 0;
    app::Gate gate;
    plugins::Call call;
};

const auto each_called_site = each_on<CalledSite>;

Calls::Request new_trip(const std::string& title) {
    return {
        .method = Method::post, .path = "/trips", .body = Value::object({{"title", title}}), .as = Calls::As::system};
}

}  // namespace

TEST_CASE("a plugin's call has the rights of its visitor, its user or the system") {
    each_called_site([](CalledSite& site) {
        site.base.given_trip("Nile cruise");
        const auto trips = CalledSite::made({.path = "/trips/public", .query = Value::object({{"per_page", 5}})});
        CHECK(trips.status == 200);
        CHECK(trips.data().size() == 1);
        CHECK(trips.body["meta"]["per_page"].integer() == 5);
        CHECK(trips.header("x-host-total") == "1");

        const Calls::Request bookings{.path = "/bookings"};
        CHECK(CalledSite::made(bookings).status == 401);
        for (const auto& [role, status] : {std::pair{"svc_customer", 403}, std::pair{"administrator", 200}}) {
            Calls::Request by_user = bookings;
            by_user.as = Calls::As::user;
            by_user.user_id = site.base.user(role).user_id;
            CHECK(CalledSite::made(by_user).status == status);
        }
        Calls::Request by_system = bookings;
        by_system.as = Calls::As::system;
        CHECK(CalledSite::made(by_system).status == 200);
    });
}

TEST_CASE("a plugin's call in a user's name has that user's rights of now, and none once they are inactive") {
    each_called_site([](CalledSite& site) {
        Calls::Request request{.path = "/bookings", .as = Calls::As::user};
        request.user_id = site.base.user("administrator").user_id;
        CHECK(CalledSite::made(request).status == 200);
        site.base.run("UPDATE svc_users SET status = 'blocked' WHERE login = 'a_administrator'");
        CHECK(CalledSite::refusal(request) == "svc_unauthorized");
        site.base.run("UPDATE svc_users SET status = 'active' WHERE login = 'a_administrator'");
        request.user_id = 987654;
        CHECK(CalledSite::refusal(request) == "svc_unauthorized");
    });
}

TEST_CASE("what the system writes by a plugin's call is validated, has no author, and a key makes it once") {
    each_called_site([](CalledSite& site) {
        const auto fault = CalledSite::made(
            {.method = Method::post, .path = "/trips", .body = Value::object({{"title", 5}}), .as = Calls::As::system});
        CHECK(fault.status == 400);
        CHECK(fault.body["data"].text_or("field") == "title");
        auto request = new_trip("Desert night");
        request.headers = {{"Idempotency-Key", "trip-of-the-plugin"}};
        const auto made = CalledSite::made(request);
        CAPTURE(made.body.dump());
        REQUIRE(made.status == 201);
        CHECK(CalledSite::made(request).data()["id"].integer() == made.data()["id"].integer());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_trips WHERE title = 'Desert night'") == 1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_trips WHERE created_by IS NOT NULL") == 0);
        CHECK(site.writes >= 2);
        const std::string trip = "/trips/" + std::to_string(made.data()["id"].integer());
        for (const Calls::Request& each : std::vector<Calls::Request>{
                 {.method = Method::put, .path = trip, .body = Value::object({{"title", "Desert nights"}})},
                 {.method = Method::put, .path = "/settings", .body = Value::object({{"company_name", "Ada's trips"}})},
                 {.method = Method::post,
                 .path = "/customers",
                 .body = Value::object({{"first_name", "A"}, {"last_name", "B"}, {"email", "a@example.org"}})},
                 {.method = Method::del, .path = trip}}) {
            Calls::Request by_system = each;
            by_system.as = Calls::As::system;
            const auto reply = CalledSite::made(by_system);
            CAPTURE(each.path);
            CAPTURE(reply.body.dump());
            CHECK(reply.is_good());
        }
    });
}

TEST_CASE("a plugin's call passes the limits of its visitor's address; the system has none") {
    each_called_site([](CalledSite& site) {
        const auto trip_id = site.base.given_trip();
        static_cast<void>(site.base.assembly->settings.write(Value::object({{"public_rate_limit", 1}}), 0));
        const auto hold = [&](Calls::As as, const std::string& address) {
            return CalledSite::made({.method = Method::post,
                                     .path = "/booking/session",
                                     .body = Value::object({{"trip_id", trip_id}}),
                                     .as = as,
                                     .address = address})
                .status;
        };
        CHECK(hold(Calls::As::visitor, "203.0.113.7") != 429);
        CHECK(hold(Calls::As::visitor, "203.0.113.7") == 429);
        CHECK(hold(Calls::As::visitor, "198.51.100.7") != 429);
        CHECK(hold(Calls::As::system, "203.0.113.7") != 429);
    });
}

TEST_CASE("a plugin's call proves no identity by headers, and a malformed one is refused before the gate") {
    each_called_site([](CalledSite& site) {
        const auto& admin = site.base.user("administrator");
        for (const auto& name : {"Authorization", "Cookie", "X-Forwarded-For", "Host"})
            CHECK(CalledSite::refusal({.path = "/bookings", .headers = {{name, admin.headers[0].second}}}) ==
                  "svc_validation_error");
        CHECK(CalledSite::refusal({.path = "trips"}) == "svc_validation_error");
        CHECK(CalledSite::refusal({.path = "/trips/public?per_page=1"}) == "svc_validation_error");
        CHECK(CalledSite::refusal({.path = "/trips/public", .language = "de\r\nCookie: a"}) == "svc_validation_error");
        CHECK(CalledSite::made({.path = "/no/such/route"}).code() == "svc_no_route");
        auto large = new_trip(std::string(std::size_t{9} << 20U, 'x'));
        CHECK(CalledSite::made(large).status == 413);
        const auto docs = CalledSite::made({.path = "/docs"});
        CHECK(docs.status == 200);
        CHECK(docs.body.is_null());
        CHECK(docs.raw.find("<html") != std::string::npos);
    });
}

TEST_CASE("a plugin's call inside a transaction or a session's callback is refused, and nothing is done") {
    const plugin::Store* store = nullptr;
    besides = [&](Host& host) { store = &host.need<plugin::Store>(); };
    each_called_site([&](CalledSite& site) {
        auto& own = const_cast<plugin::Store&>(*store);
        CHECK_THROWS_AS(own.read([&](store::Session&) { (void)(*calls)(new_trip("Of a read")); }), plugin::Failed);
        CHECK_THROWS_AS(static_cast<void>(own.write([&](store::Transaction&) -> Result<void> {
                            (void)(*calls)(new_trip("Of a write"));
                            return {};
                        })),
                        plugin::Failed);
        // Of the base's own, which lent nothing to the plugin.
        CHECK_THROWS_AS(static_cast<void>(site.base.assembly->store->write([&](store::Transaction&) -> Result<void> {
                            (void)(*calls)(new_trip("Of the base"));
                            return {};
                        })),
                        plugin::Failed);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_trips") == 0);
        CHECK(CalledSite::made(new_trip("Afterwards")).status == 201);
    });
    besides = nullptr;
}

TEST_CASE("handlers and jobs of a plugin call the base, and a route that calls itself ends") {
    int depth = 0;
    besides = [&](Host& host) {
        const auto outer = [&depth](const api::Request&) -> api::Reply {
            ++depth;
            const auto reply = (*calls)({.path = "/again"});
            return reply ? api::ok(reply->status) : api::failed(reply.error());
        };
        host.need<plugin::Routes>().add({.method = Method::get,
                                         .path = "/again",
                                         .who = api::Permission::everyone(),
                                         .summary = "Calls itself.",
                                         .answer = api::anything(),
                                         .handle = outer});
        host.need<plugin::Jobs>().add(
            {.name = "calling", .help = "Calls the base.", .run = [](Instant) -> Result<Value> {
                 return Value::object({{"status", CalledSite::made(new_trip("Of a job")).status}});
             }});
    };
    each_called_site([&](CalledSite& site) {
        depth = 0;
        CHECK(site.base.get("/again").status == 200);
        CHECK(depth == 9);  // the client's and eight calls
        site.base.assembly->jobs.prepare();
        const auto ran = site.base.assembly->jobs.run_now("calling");
        REQUIRE(ran);
        CHECK((*ran)["status"].integer() == 201);
    });
    besides = nullptr;
}

TEST_CASE("a plugin finds no calls on a base that withholds them, or whose table is older than its wrapper") {
    Stand withheld;
    bool found = true;
    REQUIRE(withheld.attach([&](Host& host) { found = host.find<Calls>() != nullptr; }));
    CHECK(!found);
    svc_calls_1 shorter{};
    shorter.size = offsetof(svc_calls_1, call);
    CHECK(!Calls::usable(&shorter));
    CHECK(!Calls::usable(nullptr));
}

TEST_CASE("a base that throws in a call fails it, and one that does not serve yet is unavailable") {
    Stand stand;
    stand.calls = [](const plugins::CallRequest& request) -> Result<plugins::CallReply> {
        if (request.path == "/busy")
            throw store::Unavailable("gone");
        throw std::runtime_error("secret 12");
    };
    const Calls* found = nullptr;
    REQUIRE(stand.attach([&](Host& host) { found = host.find<Calls>(); }));
    REQUIRE(found);
    CHECK_THROWS_AS(static_cast<void>((*found)({.path = "/busy"})), store::Unavailable);
    CHECK_THROWS_AS(static_cast<void>((*found)({.path = "/broken"})), plugin::Failed);
    const plugins::CallDoor closed;
    CHECK_THROWS_AS(static_cast<void>(closed({.method = "GET", .path = "/trips"})), store::Unavailable);
}

}  // namespace svc::tests
