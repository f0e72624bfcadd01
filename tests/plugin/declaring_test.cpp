// A plugin's route declares all that a base route can, and is served like one.
#include <algorithm>

#include <doctest/doctest.h>

#include "base/app/discovery.hpp"
#include "base/app/notices.hpp"
#include "base/app/openapi.hpp"
#include "shared/core/no_wait.hpp"
#include "shared/hooks/registry.hpp"
#include "shared/plugin/codec.hpp"
#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

namespace {

constexpr const char* day = "2026-11-01";

api::RouteSpec thing_route(api::Method method, std::string path,
                           std::function<api::Reply(const api::Request&)> handle = {}) {
    if (!handle)
        handle = [](const api::Request& request) { return api::ok(request.body); };
    return {.method = method,
            .path = std::move(path),
            .who = api::Permission::everyone(),
            .summary = "For the test.",
            .handle = std::move(handle)};
}

// No member has its default.
api::RouteSpec full_route() {
    static const ErrorCode own{"svc_mine_only", 418, "Only this plugin knows this."};
    const api::Field old_field{.name = "old",
                               .type = api::text(9),
                               .says = "A field.",
                               .also = {"older"},
                               .otherwise = json::Value("x"),
                               .ignored = true,
                               .deprecated_since = day,
                               .instead = "new"};
    return {.method = api::Method::put,
            .path = "/things/{id}",
            .who = api::Permission::any_of({"manage_options"}),
            .module = "things",
            .summary = "For the test.",
            .query = {old_field},
            .body = {old_field, {.name = "need", .type = api::id(), .required = true}},
            .is_list = true,
            .sortable = {"id"},
            .ascending = true,
            .ranked = true,
            .statuses = {"open"},
            .pages_on_request = true,
            .answer = api::list(api::object({old_field})),
            .enveloped = false,
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
            .keeps_own_reply = true,
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

TEST_CASE("every member of a route's declaration crosses") {
    const api::RouteSpec given = full_route();
    std::deque<std::string> keep;
    const auto read = plugin::route_from(
        plugin::to_json(given, {"x-mine"}), nullptr, [](std::string_view) { return true; }, keep);
    // A member that is added to RouteSpec ends the build here: codec.cpp must let it cross, and CAPABILITIES.md say
    // what a base without it does.
    const auto& [method, path, who, module, summary, query, body, is_list, sortable, ascending, ranked, statuses,
                 pages_on_request, answer, enveloped, files, success, errors, since, deprecated_since, instead, waits,
                 brief, lane, body_limit, free_body, raw_body_only, raw_media, limit, keeps_replay, keeps_own_reply,
                 repeats_safely, handle, rules, beside] = read.spec;
    CHECK(method == given.method);
    CHECK(path == given.path);
    CHECK(who.capabilities() == given.who.capabilities());
    CHECK(module == given.module);
    CHECK(summary == given.summary);
    CHECK(has_equal_fields(query, given.query));
    CHECK(has_equal_fields(body, given.body));
    CHECK(is_list);
    CHECK(sortable == given.sortable);
    CHECK(ascending);
    CHECK(ranked);
    CHECK(statuses == given.statuses);
    CHECK(pages_on_request);
    CHECK(answer.item->members->find("old")->instead == "new");
    CHECK_FALSE(enveloped);
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
    CHECK(keeps_own_reply);
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
            return std::vector<FieldError>{{"code", "This code is taken."}, {"to", "This day is before the first."}};
        };
        spec.beside = {{"to", "from"}};
        host.need<plugin::Routes>().add(spec);
    }));
    const auto body = [](const char* text) { return json::parse(text).value(); };
    const auto faults =
        stand.call("POST", "/things", body(R"({"from":"2026-01-02","to":"2026-01-01","code":"a","seats":0})"));
    CHECK(faults.status == 400);
    CHECK(faults.body["data"]["errors"].size() == 3);
    CHECK(faults.body["data"]["errors"]["code"][std::size_t{0}].text() == "This code is taken.");
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

TEST_CASE("a deprecated route and a deprecated field of a plugin are told of in headers, envelope and OpenAPI") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        auto route = thing_route(api::Method::get, "/things/{id}");
        route.deprecated_since = day;
        route.instead = "/others/{id}";
        routes.add(route);
        auto field = thing_route(api::Method::post, "/things");
        field.body = {{.name = "name", .type = api::text(20)},
                      {.name = "title", .type = api::text(20), .deprecated_since = "2026-11-02", .instead = "name"}};
        field.query = {{.name = "sort", .type = api::text(20), .deprecated_since = "2026-10-01"}};
        routes.add(field);
        auto answer = thing_route(api::Method::get, "/things");
        answer.answer =
            api::object({{.name = "title", .type = api::text(9), .deprecated_since = day, .instead = "name"}});
        routes.add(answer);
    }));
    const auto route = stand.call("GET", "/things/12");
    CHECK(route.header("Deprecation") == "@1793491200");  // 2026-11-01T00:00:00Z
    CHECK(route.header("Link") ==
          "</svc/v1/others/12>; rel=\"successor-version\", "
          "</svc/v1/docs#get_things__id_>; rel=\"deprecation\"; type=\"text/html\"");
    REQUIRE(route.body["notices"].size() == 1);
    CHECK(route.body["notices"][0].text_or("in") == "route");
    CHECK(route.body["notices"][0].text_or("instead") == "/others/{id}");

    const auto plain = stand.call("POST", "/things", json::Value::object({{"name", "a"}}));
    CHECK(plain.header("Deprecation").empty());
    CHECK(plain.header("Link").empty());
    CHECK_FALSE(plain.body.find("notices"));
    const auto used = stand.call("POST", "/things", json::Value::object({{"title", "a"}}));
    CHECK(used.header("Deprecation") == "@1793577600");
    CHECK(used.header("Link") == "</svc/v1/docs#post_things>; rel=\"deprecation\"; type=\"text/html\"");
    REQUIRE(used.body["notices"].size() == 1);
    CHECK(used.body["notices"][0].text_or("name") == "title");
    CHECK(used.body["notices"][0].text_or("in") == "body");
    CHECK(used.data().text_or("title") == "a");
    const auto both = stand.call("POST", "/things?sort=up", json::Value::object({{"title", "a"}}));
    CHECK(both.header("Deprecation") == "@1790812800");  // the earlier of the two
    CHECK(both.body["notices"].size() == 2);

    const auto shown = stand.call("GET", "/things");
    CHECK(shown.header("Deprecation").empty());  // the client used nothing that is deprecated
    CHECK(shown.body["notices"][0].text_or("in") == "answer");

    const app::About about{.version = "3.0.0",
                           .edition = [] { return std::string("base"); },
                           .base_path = "/svc/v1",
                           .site_url = "https://site.example",
                           .session_cookie = "svc_session",
                           .module_enabled = [](std::string_view) { return true; }};
    const auto document = app::openapi_document(stand.routes, about);
    CHECK(document["paths"]["/things/{id}"]["get"]["deprecated"].boolean());
    const auto post = document["paths"]["/things"]["post"];
    CHECK_FALSE(post.find("deprecated"));
    CHECK(post["parameters"][0]["deprecated"].boolean());
    const auto schema = post["requestBody"]["content"]["application/json"]["schema"]["properties"];
    CHECK(schema["title"]["deprecated"].boolean());
    CHECK_FALSE(schema["name"].find("deprecated"));
    CHECK(document["components"]["schemas"].find("Notice"));
    const auto page = app::docs_page(stand.routes, about);
    CHECK(page.find("id=\"get_things__id_\"") != std::string::npos);
    CHECK(page.find("Deprecated since 2026-11-02. Use `name` instead.") != std::string::npos);
}

TEST_CASE("a refusal of a deprecated route has the headers and no envelope") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto route = thing_route(api::Method::get, "/things/{id}",
                                 [](const api::Request&) { return api::failed(errc::not_found); });
        route.deprecated_since = day;
        host.need<plugin::Routes>().add(route);
    }));
    const auto reply = stand.call("GET", "/things/12");
    CHECK(reply.status == 404);
    CHECK(reply.header("Deprecation") == "@1793491200");
    CHECK(reply.header("Link").find("successor") == std::string::npos);
    CHECK_FALSE(reply.body.find("notices"));
}

TEST_CASE("a plugin's deprecated hooks cross, and a listener of one is logged once and still called") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        host.hooks().declare(hooks::Action{"svc_old_action", "3.0.0", "For the test.", {"id"}, day, "svc_new_action"});
        hooks::Filter filter{"svc_old_filter", "3.0.0", "For the test.", json::Kind::object, {}, R"({"a":1})"};
        filter.deprecated_since = day;
        host.hooks().declare(filter);
    }));
    const auto& action = stand.hooks.declared_actions.back();
    const auto& filter = stand.hooks.declared_filters.back();
    CHECK(action.deprecated_since == day);
    CHECK(action.instead == "svc_new_action");
    CHECK(filter.deprecated_since == day);
    CHECK(filter.like == R"({"a":1})");
    hooks::Registry registry({});
    registry.declare(action);
    int calls = 0;
    for (int i = 0; i < 2; ++i)
        REQUIRE(registry.on("svc_old_action", {.name = "mine"}, [&](const json::Array&) { ++calls; }));
    registry.fire("svc_old_action", {1});
    CHECK(calls == 2);
    CHECK(stand.log_lines("deprecated_hook") == 1);
}

TEST_CASE("a plugin is refused whose deprecation has no day or whose example does not fit its filter") {
    const auto refused = [](std::function<void(Host&)> script) {
        Stand stand;
        const bool is_refused = !stand.attach(std::move(script));
        return is_refused && stand.registered() == 0;
    };
    CHECK(refused([](Host& host) {
        auto route = thing_route(api::Method::get, "/things");
        route.deprecated_since = "3.1.0";
        host.need<plugin::Routes>().add(route);
    }));
    CHECK(refused([](Host& host) { host.hooks().declare(hooks::Action{"svc_old_action", "3.0.0", "", {}, "soon"}); }));
    CHECK(refused([](Host& host) {
        host.hooks().declare(hooks::Filter{"svc_old_filter", "3.0.0", "", json::Kind::object, {}, "[1]"});
    }));
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
            return std::vector<FieldError>{{"code", "Not this one."}};
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
