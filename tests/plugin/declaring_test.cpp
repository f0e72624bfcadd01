// A plugin's route declares all that a base route can, and is served like one.
#include <algorithm>

#include <doctest/doctest.h>

#include "shared/core/no_wait.hpp"
#include "shared/plugin/codec.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/plugin/thing_route.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

namespace {

// No member has its default.
api::RouteSpec full_route() {
    static const ErrorCode own{"svc_mine_only", 418, "Only this plugin knows this."};
    const api::Field old_field{.name = "old",
                               .type = api::text(9),
                               .help = "A field.",
                               .also = {"older"},
                               .otherwise = json::Value("x"),
                               .ignored = true,
                               .deprecated_since = day,
                               .instead = "new"};
    return {.method = api::Method::put,
            .path = "/things/{id}",
            .name = "updateThingByPlugin",
            .who = api::Permission::any_of({"manage_options"}),
            .module = "things",
            .summary = "For the test.",
            .query = {old_field,
                      {.name = "owner", .type = api::id().referring_to("customers")},
                      {.name = "story", .type = api::html(900)},
                      {.name = "state",
                       .type = api::choice({"open", "closed"})
                                   .followed_by(std::make_shared<const api::NextStatuses>(
                                       api::NextStatuses{{"open", {"closed"}}, {"closed", {}}}))}},
            .body = api::Schema{old_field, {.name = "need", .type = api::id(), .required = true}}.named("ThingUpdate"),
            .is_list = true,
            .sortable = {"id"},
            .ascending = true,
            .ranked = true,
            .statuses = {"open"},
            .columns = {"old"},
            .pages_on_request = true,
            .answer = api::list(api::object(api::Schema{old_field}.named("Thing"))),
            .enveloped = false,
            .has_etag = true,
            .files = {"text/csv"},
            .success = 202,
            .errors = {&own},
            .since = "3.0.1",
            .deprecated_since = day,
            .instead = "/others/{id}",
            .waits = false,
            .brief = true,
            .lane = api::Lane::provider,
            .body_limit = 77,
            .free_body = true,
            .raw_body_only = true,
            .raw_media = "text/plain",
            .limit = {.burst = 3, .seconds = 7, .per = api::RateLimit::Per::credential},
            .keeps_replay = false,
            .stores_reply = true,
            .repeats_safely = true,
            .handle = [](const api::Request&) { return api::ok(true); },
            .rules = [](const api::Request&) { return Result<std::vector<FieldError>>{std::vector<FieldError>{}}; },
            .beside = {{"old", "need"}}};
}

// A base whose table of routes ends before add_route, as those before minor 3 do.
const svc_plugin* on_base_without_add_route() {
    static svc_plugin table;
    static svc_status (*attach)(const svc_host*, void**, svc_answer*);
    static const svc_host* real;
    static svc_routes_1 shorter;
    table = scripted_table();
    attach = table.attach;
    table.attach = [](const svc_host* host, void** self, svc_answer* why_not) {
        static svc_host older;
        real = host;
        older = *host;
        older.service = [](void*, const char* id) -> const void* {
            const void* found = real->service(real->self, id);
            if (std::string_view(id) != SVC_ROUTES_1)
                return found;
            shorter = *static_cast<const svc_routes_1*>(found);
            shorter.size = offsetof(svc_routes_1, add_route);
            return &shorter;
        };
        return attach(&older, self, why_not);
    };
    return &table;
}

// Schemas are equal only where they share their fields; what crossed shares none.
bool has_equal_fields(const api::Schema& one, const api::Schema& other) {
    const auto fields = one.fields(), others = other.fields();
    return fields.size() == others.size() && std::equal(fields.begin(), fields.end(), others.begin());
}

const api::RouteSpec& only_route(const Stand& stand) { return *stand.routes.all().back(); }

}  // namespace

TEST_CASE("every lane crosses; a base that does not know one takes the general lane") {
    const auto read = [](const json::Value& value) {
        std::deque<std::string> keep;
        return plugin::route_from(
                   value, nullptr, [](std::string_view) { return true; }, keep)
            .spec.lane;
    };
    api::RouteSpec given = full_route();
    for (const auto lane :
         {api::Lane::general, api::Lane::webhook, api::Lane::admin, api::Lane::provider, api::Lane::checkout}) {
        given.lane = lane;
        CHECK(read(plugin::to_json(given, {})) == lane);
    }
    json::Value crossed = plugin::to_json(given, {});
    CHECK(crossed["lane"].text() == "general");  // what a base of before reads
    crossed.set("later_lane", "express");        // of a plugin newer than this base
    CHECK(read(crossed) == api::Lane::general);
    crossed.set("lane", "express");
    CHECK_THROWS(read(crossed));
}

TEST_CASE("every member of a route's declaration crosses") {
    const api::RouteSpec given = full_route();
    std::deque<std::string> keep;
    const auto read = plugin::route_from(
        plugin::to_json(given, {"x-mine"}), nullptr, [](std::string_view) { return true; }, keep);
    // A member that is added to RouteSpec ends the build here: codec.cpp must let it cross, and CAPABILITIES.md say
    // what a base without it does.
    const auto& [method, path, name, who, module, summary, query, body, is_list, sortable, ascending, ranked, statuses,
                 columns, pages_on_request, answer, enveloped, has_etag, files, success, errors, since,
                 deprecated_since, instead, waits, brief, lane, body_limit, free_body, raw_body_only, raw_media, limit,
                 keeps_replay, stores_reply, repeats_safely, handle, rules, beside] = read.spec;
    CHECK(method == given.method);
    CHECK(path == given.path);
    CHECK(name == given.name);
    CHECK(who.capabilities() == given.who.capabilities());
    CHECK(module == given.module);
    CHECK(summary == given.summary);
    CHECK(query.json_schema() == given.query.json_schema());  // next statuses are equal only where they are shared
    CHECK(query.json_schema()["properties"]["state"]["x-next"].dump() == R"({"open":["closed"],"closed":[]})");
    CHECK(has_equal_fields(body, given.body));
    CHECK(is_list);
    CHECK(sortable == given.sortable);
    CHECK(ascending);
    CHECK(ranked);
    CHECK(statuses == given.statuses);
    CHECK(columns == given.columns);
    CHECK(pages_on_request);
    CHECK(answer.item->members->find("old")->instead == "new");
    CHECK(body.name() == "ThingUpdate");
    CHECK(answer.item->members->name() == "Thing");
    CHECK_FALSE(enveloped);
    CHECK(has_etag);
    CHECK(files == given.files);
    CHECK(success == 202);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front()->name == "svc_mine_only");
    CHECK(since == "3.0.1");
    CHECK(deprecated_since == day);
    CHECK(instead == given.instead);
    CHECK_FALSE(waits);
    CHECK(brief);
    CHECK(lane == api::Lane::provider);
    CHECK(body_limit == 77);
    CHECK(free_body);
    CHECK(raw_body_only);
    CHECK(raw_media == "text/plain");
    CHECK(limit.burst == 3);
    CHECK(limit.seconds == 7);
    CHECK(limit.per == api::RateLimit::Per::credential);
    CHECK_FALSE(keeps_replay);
    CHECK(stores_reply);
    CHECK(repeats_safely);
    CHECK_FALSE(static_cast<bool>(handle));  // handle and rules are functions of the table
    CHECK_FALSE(static_cast<bool>(rules));
    CHECK(beside == given.beside);
    CHECK(read.headers == std::vector<std::string>{"x-mine"});
}

TEST_CASE("a plugin's rules are reported with the schema's faults, but not beside a field that does not fit") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto spec = thing_route(api::Method::post, "/things");
        spec.body = {{.name = "from", .type = api::date(), .required = true},
                     {.name = "to", .type = api::date()},
                     {.name = "code", .type = api::text(9)},
                     {.name = "seats", .type = api::integer(1, 9)}};
        spec.rules = [](const api::Request& request) -> Result<std::vector<FieldError>> {
            if (request.body.text_or("code") == "gone")
                return Error{errc::booking_not_found};
            return std::vector<FieldError>{{"code", "This code is already in use."_sentence},
                                           {"to", "This day is before the first."_sentence}};
        };
        spec.beside = {{"to", "from"}};
        host.need<plugin::Routes>().add(spec);
    }));
    const auto body = [](const char* text) { return json::parse(text).value(); };
    const auto faults =
        stand.call("POST", "/things", body(R"({"from":"2026-01-02","to":"2026-01-01","code":"a","seats":0})"));
    CHECK(faults.status == 400);
    CHECK(faults.body["data"]["errors"].size() == 3);
    CHECK(faults.body["data"]["errors"]["code"][std::size_t{0}].text() == "This code is already in use.");
    CHECK(faults.body["data"]["errors"].find("to"));
    const auto unfit = stand.call("POST", "/things", body(R"({"from":"soon","to":"2026-01-01","code":"a"})"));
    CHECK(unfit.body["data"]["errors"].find("code"));
    CHECK_FALSE(unfit.body["data"]["errors"].find("to"));
    CHECK(stand.call("POST", "/things", body(R"({"from":"soon","code":"gone"})")).code() == "booking_not_found");
    CHECK(stand.call("POST", "/things", body(R"({"from":"2026-01-02"})")).status == 200);
}

TEST_CASE("rules that fail leave the schema's faults alone") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto spec = thing_route(api::Method::post, "/things");
        spec.body = {{.name = "seats", .type = api::integer(1, 9)}};
        spec.rules = [](const api::Request&) -> Result<std::vector<FieldError>> { throw std::runtime_error("mine"); };
        host.need<plugin::Routes>().add(spec);
    }));
    const auto reply = stand.call("POST", "/things", json::Value::object({{"seats", 0}}));
    CHECK(reply.status == 400);
    CHECK(reply.body["data"]["errors"].size() == 1);
    CHECK(stand.log_lines("rules_not_asked") == 1);
}

TEST_CASE("a plugin's list can be ranked and answered whole, and its body free") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        auto list = thing_route(api::Method::get, "/things", [](const api::Request& request) {
            const auto page = api::page_of(*request.route, request.query).value();
            return api::ok(json::Value::object({{"order", page.order_by}, {"whole", !request.query.find("per_page")}}));
        });
        list.is_list = true;
        list.sortable = {"id", "name"};
        list.ranked = true;
        list.pages_on_request = true;
        routes.add(list);
        auto settings = thing_route(api::Method::put, "/things/settings");
        settings.free_body = true;
        routes.add(settings);
    }));
    CHECK(stand.call("GET", "/things?search=nile").data().text_or("order") == api::relevance);
    CHECK(stand.call("GET", "/things").data().text_or("order") == "id");
    CHECK(stand.call("GET", "/things").data()["whole"].boolean());
    CHECK_FALSE(stand.call("GET", "/things?per_page=5").data()["whole"].boolean());
    CHECK(stand.call("PUT", "/things/settings", json::parse(R"({"any":{"b":[1]}})").value()).data().dump() ==
          R"({"any":{"b":[1]}})");
}

TEST_CASE("a plugin's brief route is answered on the I/O thread, unless it asks for something that waits") {
    Stand stand;
    int calls = 0;
    REQUIRE(stand.attach([&](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        auto* store = host.find<plugin::Store>();
        auto reads = thing_route(api::Method::get, "/things", [store](const api::Request&) {
            std::int64_t count = 0;
            store->read([&](store::Session& session) { count = session.number("SELECT COUNT(*) FROM svc_trips", {}); });
            return api::ok(count);
        });
        reads.brief = true;
        routes.add(reads);
        auto writes = thing_route(api::Method::get, "/things/{id}", [store, &calls](const api::Request& request) {
            ++calls;
            try {
                (void)store->write([&](store::Transaction& tx) -> Result<void> {
                    tx.run("INSERT INTO things (id, name) VALUES (:id, :name)",
                           {{"id", request.path_id()}, {"name", "x"}});
                    return {};
                });
            } catch (const std::exception&) {
                return api::ok("the failure was swallowed");
            }
            return api::ok("written");
        });
        writes.brief = true;
        routes.add(writes);
    }));
    const auto gate = stand.gate();
    const auto at_once = [&](const std::string& target) {
        return gate.answer_at_once(
            {.method = "GET", .target = target, .headers = stand.headers, .body = {}, .peer = "203.0.113.9"});
    };
    (void)stand.call("GET", "/things");  // opens a session
    const auto read = at_once("/svc/v1/things");
    REQUIRE(read);
    CHECK(json::parse(*read->body).value()["data"].integer() == 2);
    CHECK_FALSE(at_once("/svc/v1/things/5"));
    CHECK(calls == 1);
    CHECK(stand.number("SELECT COUNT(*) FROM things") == 0);
    CHECK(stand.call("GET", "/things/5").data().text() == "written");
}

TEST_CASE("on a base from before add_route a free body works, and rules are left to the handler") {
    Stand stand;
    script([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        auto settings = thing_route(api::Method::put, "/things/settings");
        settings.free_body = true;
        routes.add(settings);
        auto ruled = thing_route(api::Method::post, "/things");
        ruled.body = {{.name = "seats", .type = api::integer(1, 9)}};
        ruled.rules = [](const api::Request&) -> Result<std::vector<FieldError>> {
            return std::vector<FieldError>{{"code", "Not this one."_sentence}};
        };
        ruled.who = api::Permission::decided_by("anyone who asks", [](const api::Request&) { return Result<void>{}; });
        routes.add(ruled);
    });
    REQUIRE(stand.attach(&on_base_without_add_route));
    CHECK(stand.call("PUT", "/things/settings", json::parse(R"({"any":[1]})").value()).data().dump() ==
          R"({"any":[1]})");
    CHECK(stand.call("PUT", "/things/settings", json::Value(1)).code() == "svc_invalid_json");
    CHECK_FALSE(static_cast<bool>(only_route(stand).rules));
    CHECK(stand.call("POST", "/things", json::Value::object({{"seats", 0}})).body["data"]["errors"].size() == 1);
    CHECK(stand.call("POST", "/things", json::Value::object({{"seats", 1}})).status == 200);
}
