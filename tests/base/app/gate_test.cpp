// The gate from outside: what each kind of request is answered, without a database or a socket.
#include "base/app/gate.hpp"

#include <cstdio>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/app/discovery.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

using namespace svc;
using api::Method;
using api::Permission;

namespace {

struct FixedClock final : Clock {
    [[nodiscard]] Instant now() const override { return Instant::parse("2026-05-04T10:00:00Z").value(); }
};

struct House {
    FixedClock clock;
    api::RouteTable routes;
    api::Caller caller;
    std::optional<int> wait;
    int limit = 0;
    bool module_on = true;
    bool reads_at_once = false;
    int counted = 0;
    std::string log;
    std::string seen_route;
    int calls = 0;
    std::vector<HttpHeader> headers;

    House() { svc::log::redirect(&log); }
    ~House() { svc::log::redirect(nullptr); }

    [[nodiscard]] app::Gate gate() {
        return app::Gate{
            {.routes = routes,
             .clock = clock,
             .base_path = "/svc/v1",
             .cors_origins = {"https://shop.example"},
             .session_cookies = {"svc_session", "__Host-svc_session"},
             .reads_at_once = reads_at_once,
             .module_enabled = [this](std::string_view) { return module_on; },
             .client_address = [](std::string_view peer, const auto&) { return std::string(peer); },
             .is_trusted_proxy = [](std::string_view peer) { return peer == "127.0.0.1"; },
             .authenticate = [this](const auto&, const auto&) -> Result<api::Caller> { return caller; },
             .limited =
                 [this](const auto&, const auto&, const auto&, bool counts) {
                     counted += counts ? 1 : 0;
                     return app::Allowance{.wait = wait, .limit = limit, .rest = 7, .reset = 9};
                 },
             .perform = [](api::Request& request, const api::RouteSpec& route) { return route.handle(request); },
             .observe = [this](const api::RouteSpec* route, int,
                               std::int64_t) { seen_route = route ? route->path : ""; }}};
    }

    HttpAnswer call(std::string_view method, std::string_view target, std::string_view body = {},
                    std::string_view peer = "127.0.0.1") {
        if (!body.empty() && headers.empty())
            headers.emplace_back("Content-Type", "application/json");
        return gate().answer({.method = method, .target = target, .headers = headers, .body = body, .peer = peer});
    }

    void add(Method method, const std::string& path, Permission who, api::Schema body = {},
             std::function<api::Reply(const api::Request&)> handle = {}) {
        if (!handle)
            handle = [this](const api::Request& request) {
                ++calls;
                return api::ok(request.body);
            };
        routes.add({.method = method,
                    .path = path,
                    .who = std::move(who),
                    .summary = "For the test.",
                    .body = std::move(body),
                    .handle = std::move(handle)});
    }
};

json::Value read(const HttpAnswer& answer) { return json::parse(answer.body ? *answer.body : "null").value(); }

std::string header(const HttpAnswer& answer, std::string_view name) {
    for (const auto& [key, value] : answer.headers)
        if (key == name)
            return value;
    return {};
}

const api::Schema thing{{.name = "title", .type = api::text(10), .required = true},
                        {.name = "count", .type = api::integer(1, 5)}};

}  // namespace

TEST_CASE("in debug mode a request's names and sizes are logged and a refusal's fields, and no value") {
    House house;
    house.add(Method::post, "/things", Permission::everyone(),
              {{.name = "seats", .type = api::integer(1, 9), .required = true}});
    const auto asked = [&](const char* body) {
        house.log.clear();
        house.call("POST", "/svc/v1/things?token=nobodysbusiness&page=2", body);
        return house.log;
    };
    CHECK(asked(R"({"seats":1234567891})").find("\"debug\"") == std::string::npos);
    svc::log::least(svc::log::Level::debug);
    const std::string refused = asked(R"({"seats":1234567891})"), fine = asked(R"({"seats":3})");
    svc::log::least(svc::log::Level::info);
    CHECK(refused.find(R"("level":"debug","event":"refusal")") != std::string::npos);
    CHECK(refused.find(R"("code":"svc_validation_error","fields":"seats")") != std::string::npos);
    CHECK(refused.find(R"("query":"token page")") != std::string::npos);
    CHECK(refused.find(R"("body_bytes":20)") != std::string::npos);
    CHECK(fine.find("request_detail") != std::string::npos);
    CHECK(fine.find("\"refusal\"") == std::string::npos);
    for (const std::string& log : {refused, fine}) {
        CHECK(log.find("nobodysbusiness") == std::string::npos);
        CHECK(log.find("1234567891") == std::string::npos);
    }
}

TEST_CASE("an unknown path is 404 svc_no_route and a known one with another method 405 with Allow") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    CHECK(read(house.call("GET", "/svc/v1/nothing"))["code"].text() == "svc_no_route");
    CHECK(house.call("GET", "/elsewhere").status == 404);
    const HttpAnswer answer = house.call("DELETE", "/svc/v1/things");
    CHECK(answer.status == 405);
    CHECK(header(answer, "Allow").find("GET") != std::string::npos);
    CHECK(house.call("OPTIONS", "/svc/v1/things").status == 204);
}

TEST_CASE("one answer lists all that the schema, the query and the route's rules reject") {
    House house;
    std::vector<std::string> asked;
    house.routes.add({.method = Method::post,
                      .path = "/tours",
                      .who = Permission::everyone(),
                      .summary = "For the test.",
                      .query = {{.name = "depth", .type = api::integer(1, 5)}},
                      .body = {{.name = "title", .type = api::text(10), .required = true},
                               {.name = "first", .type = api::date()},
                               {.name = "last", .type = api::date()},
                               {.name = "seats", .type = api::integer(1)}},
                      .handle = [](const api::Request& request) { return api::ok(request.body); },
                      .rules = [&](const api::Request& request) -> std::vector<FieldError> {
                          asked.push_back(request.body.dump());
                          return {{"title", Sentence::verbatim("A rule's word.")},
                                  {"last", Sentence::verbatim("Before the first.")},
                                  {"seats", Sentence::verbatim("Too many.")}};
                      },
                      .beside = {{"last", "first"}}});
    const auto errors = [&](const char* target, const char* body) {
        return read(house.call("POST", target, body))["data"]["errors"].dump();
    };
    SUBCASE("a rule is asked about what fits alone") {
        CHECK(errors("/svc/v1/tours", R"({"title":7,"seats":99})") ==
              R"({"title":["This must be a text."],"last":["Before the first."],"seats":["Too many."]})");
        CHECK(asked == std::vector<std::string>{R"({"seats":99})"});
    }
    SUBCASE("a rule between two fields waits until the other fits") {
        CHECK(
            errors("/svc/v1/tours", R"({"title":"x","first":"soon","last":"2026-01-01"})") ==
            R"({"first":["This must be a date of the form YYYY-MM-DD."],"title":["A rule's word."],"seats":["Too many."]})");
    }
    SUBCASE("the query's faults come first") {
        CHECK(errors("/svc/v1/tours?depth=9", R"({"title":"x","first":"soon","seats":1})")
                  .starts_with(R"({"depth":["This must be a number from 1 to 5."],"first":["This must)"));
        CHECK(errors("/svc/v1/tours?depth=9", R"({"title":"x"})") ==
              R"({"depth":["This must be a number from 1 to 5."]})");
    }
    SUBCASE("rules that fail leave the schema's word") {
        house.routes.add(
            {.method = Method::post,
             .path = "/broken",
             .who = Permission::everyone(),
             .summary = "For the test.",
             .body = {{.name = "title", .type = api::text(10), .required = true}},
             .handle = [](const api::Request& request) { return api::ok(request.body); },
             .rules = [](const api::Request&) -> std::vector<FieldError> { throw store::Unavailable("gone"); }});
        CHECK(errors("/svc/v1/broken", "{}") == R"({"title":["This field is required."]})");
    }
    SUBCASE("who may not do it is told of the schema alone") {
        house.routes.add({.method = Method::post,
                          .path = "/owned",
                          .who = Permission::decided_by(
                              "owner", [](const api::Request&) -> Result<void> { return Error{errc::forbidden}; }),
                          .summary = "For the test.",
                          .body = {{.name = "title", .type = api::text(10), .required = true},
                                   {.name = "seats", .type = api::integer()}},
                          .handle = [](const api::Request& request) { return api::ok(request.body); },
                          .rules = [](const api::Request&) -> std::vector<FieldError> {
                              return {{"seats", Sentence::verbatim("There are 7.")}};
                          }});
        CHECK(errors("/svc/v1/owned", R"({"seats":9})") == R"({"title":["This field is required."]})");
    }
}

TEST_CASE("a refusal names the first field at fault and every other one") {
    House house;
    house.add(Method::post, "/things", Permission::everyone(), thing);
    const HttpAnswer answer = house.call("POST", "/svc/v1/things", R"({"count":9})");
    CHECK(answer.status == 400);
    const json::Value body = read(answer);
    CHECK(body["code"].text() == "svc_validation_error");
    CHECK(body["data"]["status"].integer() == 400);
    CHECK(body["data"]["field"].text() == "title");
    CHECK(body["data"]["errors"]["count"].size() == 1);
    CHECK(house.calls == 0);
}

TEST_CASE("a field at fault is named as it was sent, whoever found the fault") {
    House house;
    const api::Schema party{{.name = "people", .type = api::integer(1, 5), .also = {"guests", "heads"}},
                            {.name = "by_age", .type = api::map(api::integer(0, 5)), .also = {"ages"}}};
    house.add(Method::post, "/party", Permission::everyone(), party, [](const api::Request&) {
        Error error{errc::group_size};
        error.at("by_age.7", "Too many."_sentence).at("people", "Too many."_sentence).with("most", "3").after(9);
        return api::failed(std::move(error));
    });
    const auto refused = [&](const char* body) { return house.call("POST", "/svc/v1/party", body); };
    CHECK(read(refused(R"({"people":9})"))["data"]["field"].text() == "people");
    CHECK(read(refused(R"({"guests":9})"))["data"]["field"].text() == "guests");
    CHECK(read(refused(R"({"heads":9})"))["data"]["field"].text() == "heads");
    CHECK(read(refused(R"({"people":9,"heads":3})"))["data"]["field"].text() == "people");
    CHECK(read(refused(R"({"ages":{"7":9}})"))["data"]["field"].text() == "ages.7");

    const auto answer = refused(R"({"ages":{"7":4},"heads":4})");
    const json::Value told = read(answer);
    CHECK(told["code"].text() == "group_size");
    CHECK(told["data"]["field"].text() == "ages.7");
    CHECK(told["data"]["errors"]["heads"].size() == 1);
    CHECK(told["data"]["most"].integer() == 3);
    CHECK(header(answer, "Retry-After") == "9");
    CHECK(read(refused("{}"))["data"]["field"].text() == "by_age.7");
}

TEST_CASE("a brief route is asked at once where the database is a file, unless who calls has to be proven") {
    House house;
    house.routes.add({.method = Method::get,
                      .path = "/brief",
                      .who = Permission::everyone(),
                      .summary = "For the test.",
                      .brief = true,
                      .handle = [](const api::Request&) { return api::ok({}); }});
    const auto waits = [&] { return house.gate().plan("GET", "/svc/v1/brief", house.headers).waits; };
    CHECK(waits());
    house.reads_at_once = true;
    CHECK_FALSE(waits());
    house.headers = {{"Authorization", "Basic eA=="}};
    CHECK(waits());
}

TEST_CASE("what would wait is left alone, and counted by the limits once though it is asked twice") {
    House house;
    house.add(Method::get, "/brief", Permission::everyone(), {}, [&](const api::Request&) {
        NoWait::refuse();
        ++house.calls;
        return api::ok({});
    });
    const app::Gate gate = house.gate();
    HttpRequest request{
        .method = "GET", .target = "/svc/v1/brief", .headers = house.headers, .body = {}, .peer = "::1"};
    CHECK_FALSE(gate.answer_at_once(request));
    request.tried = true;
    CHECK(gate.answer(request).status == 200);
    CHECK(house.calls == 1);
    CHECK(house.counted == 1);
    CHECK(gate.answer_at_once(
                  {.method = "GET", .target = "/nowhere", .headers = house.headers, .body = {}, .peer = "::1"})
              ->status == 404);
}

TEST_CASE("malformed JSON, another media type and a body that is no object are refused before the handler") {
    House house;
    house.add(Method::post, "/things", Permission::everyone(), thing);
    CHECK(read(house.call("POST", "/svc/v1/things", "{\"title\":"))["code"].text() == "svc_invalid_json");
    CHECK(read(house.call("POST", "/svc/v1/things", "[1]"))["code"].text() == "svc_invalid_json");
    CHECK(read(house.call("POST", "/svc/v1/things", R"({"title":"a","title":"b"})"))["code"].text() ==
          "svc_invalid_json");
    house.headers = {{"Content-Type", "text/plain"}};
    CHECK(house.call("POST", "/svc/v1/things", R"({"title":"a"})").status == 415);
    CHECK(house.calls == 0);
}

TEST_CASE("an anonymous caller gets 401 and one without the right 403, before the input is looked at") {
    House house;
    house.add(Method::post, "/things", Permission::can("svc_edit_trips"), thing);
    CHECK(house.call("POST", "/svc/v1/things", "{").status == 401);
    house.caller.kind = api::Caller::Kind::user;
    house.caller.user_id = 7;
    CHECK(house.call("POST", "/svc/v1/things", "{").status == 403);
    house.caller.capabilities = {"svc_edit_trips"};
    CHECK(house.call("POST", "/svc/v1/things", R"({"title":"a"})").status == 200);
    house.caller.capabilities = {"manage_options"};
    CHECK(house.call("POST", "/svc/v1/things", R"({"title":"a"})").status == 200);
}

TEST_CASE("a page's script gets a challenge that opens no dialog of the browser, other clients get Basic") {
    House house;
    house.add(Method::get, "/things", Permission::can("svc_edit_trips"), thing);
    const auto challenge = [&house](std::vector<HttpHeader> headers) {
        house.headers = std::move(headers);
        for (const auto& [name, value] : house.call("GET", "/svc/v1/things").headers)
            if (name == "WWW-Authenticate")
                return std::string(value);
        return std::string();
    };
    CHECK(challenge({}).starts_with("Basic "));
    CHECK(challenge({{"Sec-Fetch-Mode", "navigate"}}).starts_with("Basic "));
    CHECK(challenge({{"Sec-Fetch-Mode", "cors"}}).starts_with("Session "));
}

TEST_CASE("a right decided by looking at the request is decided before the handler") {
    House house;
    house.add(Method::get, "/things/{id}", Permission::decided_by("its owner", [](const api::Request& request) {
                  return request.path_id() == 1 ? Result<void>{} : Result<void>{errc::forbidden};
              }));
    CHECK(house.call("GET", "/svc/v1/things/1").status == 200);
    CHECK(house.call("GET", "/svc/v1/things/2").status == 403);
    CHECK(house.calls == 1);
}

TEST_CASE("an exception in a handler is a 500 that contains nothing but the id of its log line") {
    House house;
    house.add(Method::get, "/text", Permission::everyone(), {},
              [](const api::Request&) -> api::Reply { throw std::runtime_error("SELECT secret FROM svc_users"); });
    house.add(Method::get, "/number", Permission::everyone(), {}, [](const api::Request&) -> api::Reply { throw 42; });
    house.add(Method::get, "/gone", Permission::everyone(), {},
              [](const api::Request&) -> api::Reply { throw store::Unavailable("gone"); });
    const HttpAnswer answer = house.call("GET", "/svc/v1/text");
    CHECK(answer.status == 500);
    CHECK(answer.body->find("SELECT") == std::string::npos);
    CHECK(read(answer)["data"]["log_id"].text() == header(answer, "X-Request-Id"));
    CHECK(house.log.find("SELECT secret") != std::string::npos);
    CHECK(house.log.find(header(answer, "X-Request-Id")) != std::string::npos);
    CHECK(house.call("GET", "/svc/v1/number").status == 500);
    const HttpAnswer gone = house.call("GET", "/svc/v1/gone");
    CHECK(gone.status == 503);
    CHECK(!header(gone, "Retry-After").empty());
}

TEST_CASE("a disabled module's routes do not exist") {
    House house;
    house.routes.add({.method = Method::get,
                      .path = "/extras",
                      .who = Permission::everyone(),
                      .module = "extras",
                      .summary = "Of a module.",
                      .handle = [](const api::Request&) { return api::ok(true); }});
    CHECK(house.call("GET", "/svc/v1/extras").status == 200);
    house.module_on = false;
    CHECK(house.call("GET", "/svc/v1/extras").status == 404);
    const app::About about{.version = "3.0.0",
                           .edition = [] { return std::string("base"); },
                           .base_path = "/svc/v1",
                           .site_url = "http://localhost",
                           .session_cookie = "__Host-svc_session",
                           .module_enabled = [&](std::string_view) { return house.module_on; }};
    CHECK(app::discovery_document(house.routes, about)["routes"].size() == 0);
    house.module_on = true;
    CHECK(app::discovery_document(house.routes, about)["routes"].find("/extras") != nullptr);
    const auto schemes = app::openapi_document(house.routes, about)["components"]["securitySchemes"];
    CHECK(schemes["session_cookie"]["name"].text() == "__Host-svc_session");
}

TEST_CASE("a request id is taken from a trusted proxy alone, and only when it is well formed") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    house.headers = {{"X-Request-Id", "abcdef-123456"}};
    CHECK(header(house.call("GET", "/svc/v1/things"), "X-Request-Id") == "abcdef-123456");
    CHECK(header(house.call("GET", "/svc/v1/things", {}, "203.0.113.9"), "X-Request-Id") != "abcdef-123456");
    house.headers = {{"X-Request-Id", "bad id\"}"}};
    CHECK(header(house.call("GET", "/svc/v1/things"), "X-Request-Id") != "bad id\"}");
}

TEST_CASE("over a limit the answer is 429 with Retry-After") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    house.wait = 7;
    const HttpAnswer answer = house.call("GET", "/svc/v1/things");
    CHECK(answer.status == 429);
    CHECK(header(answer, "Retry-After") == "7");
}

TEST_CASE("every limited answer says the limit, the rest and the reset; an unlimited one says nothing of them") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    CHECK(header(house.call("GET", "/svc/v1/things"), "RateLimit-Limit").empty());
    house.limit = 100;
    for (const bool refused : {false, true}) {
        house.wait = refused ? std::optional(3) : std::nullopt;
        const HttpAnswer answer = house.call("GET", "/svc/v1/things");
        CHECK(answer.status == (refused ? 429 : 200));
        CHECK(header(answer, "RateLimit-Limit") == "100");
        CHECK(header(answer, "RateLimit-Remaining") == "7");
        CHECK(header(answer, "RateLimit-Reset") == "9");
    }
}

TEST_CASE("a large body is taken from a caller alone whose credential was looked up, and who may send it") {
    House house;
    constexpr std::size_t large = std::size_t{20} << 20, small = std::size_t{1} << 20;
    for (const bool is_public : {false, true})
        house.routes.add({.method = Method::post,
                          .path = is_public ? "/events" : "/things",
                          .who = is_public ? Permission::everyone() : Permission::can("svc_edit_trips"),
                          .summary = "For the test.",
                          .body_limit = large,
                          .handle = [&house](const api::Request&) {
                              ++house.calls;
                              return api::ok({});
                          }});
    const auto gate = house.gate();
    const std::vector<HttpHeader> none, some{{"Authorization", "Basic bm9ib2R5"}};
    const auto plan = [&](const char* path, const auto& headers) { return gate.plan("POST", path, headers); };
    CHECK(plan("/svc/v1/things", none).body_limit == small);
    CHECK(plan("/svc/v1/things", none).proven_body_limit == 0);
    CHECK(plan("/svc/v1/things", some).body_limit == small);
    CHECK(plan("/svc/v1/things", some).proven_body_limit == large);
    CHECK(plan("/svc/v1/events", some).body_limit == large);
    const auto refused = [&]() {
        const auto answer = gate.refusal_of_head(
            {.method = "POST", .target = "/svc/v1/things?a=1", .headers = some, .body = {}, .peer = "::1"});
        return answer ? answer->status : 0;
    };
    CHECK(refused() == 401);
    house.caller.kind = api::Caller::Kind::user;
    house.caller.user_id = 7;
    CHECK(refused() == 403);
    house.caller.capabilities = {"svc_edit_trips"};
    CHECK(refused() == 0);
    CHECK(house.calls == 0);
}

TEST_CASE("an answer is kept by no cache unless its route says so") {
    House house;
    house.add(Method::get, "/private", Permission::everyone());
    house.add(Method::get, "/shown", Permission::everyone(), {}, [](const api::Request&) {
        auto reply = api::ok({});
        reply.headers.emplace_back("Cache-Control", "public, max-age=60");
        return reply;
    });
    CHECK(header(house.call("GET", "/svc/v1/private"), "Cache-Control") == "no-store");
    CHECK(header(house.call("GET", "/svc/v1/nothing"), "Cache-Control") == "no-store");
    CHECK(header(house.call("OPTIONS", "/svc/v1/private"), "Cache-Control") == "no-store");
    CHECK(header(house.call("GET", "/svc/v1/shown"), "Cache-Control") == "public, max-age=60");
    CHECK(header(house.gate().failure(413, {}), "Cache-Control") == "no-store");
}

TEST_CASE("metrics and log know the route's template, never the path") {
    House house;
    house.add(Method::get, "/things/{id}", Permission::everyone());
    house.call("GET", "/svc/v1/things/77?booking_token=s3cr3t");
    CHECK(house.seen_route == "/things/{id}");
    CHECK(house.log.find("s3cr3t") == std::string::npos);
    CHECK(house.log.find("things/77") == std::string::npos);
}

TEST_CASE("the transport's rejections have their status in the body, and their log line has the request's id") {
    House house;
    const app::Gate gate = house.gate();
    for (const int status : {400, 408, 413, 414, 417, 431, 500, 501, 503, 505}) {
        CAPTURE(status);
        const auto answer = gate.failure(status, {});
        CHECK(answer.status == status);
        CHECK(read(answer)["data"]["status"].integer() == status);
        CHECK(header(answer, "X-Content-Type-Options") == "nosniff");
        CHECK(header(answer, "Referrer-Policy") == "no-referrer");
        const std::string id = header(answer, "X-Request-Id");
        REQUIRE(id.size() == 24);
        const auto at = house.log.find("\"request_id\":\"" + id + "\"");
        REQUIRE(at != std::string::npos);
        const auto line = house.log.substr(at, house.log.find('\n', at) - at);
        CHECK(line.find("\"status\":" + std::to_string(status)) != std::string::npos);
    }
}

TEST_CASE("a redirect into the namespace is logged with its id and counted") {
    House house;
    house.seen_route = "none yet";
    house.headers = {{"X-Request-Id", "abcdef-123456"}, {"Origin", "https://shop.example"}};
    const HttpAnswer answer = house.gate().redirected(
        {.method = "GET", .target = "/docs?token=secret", .headers = house.headers, .body = {}, .peer = "127.0.0.1"},
        "/svc/v1/docs");
    CHECK(answer.status == 302);
    CHECK(header(answer, "Location") == "/svc/v1/docs");
    CHECK(header(answer, "X-Request-Id") == "abcdef-123456");
    CHECK(header(answer, "X-Content-Type-Options") == "nosniff");
    CHECK(header(answer, "Access-Control-Allow-Origin") == "https://shop.example");
    CHECK(house.log.find("\"request_id\":\"abcdef-123456\",\"method\":\"GET\",\"route\":\"\",\"status\":302") !=
          std::string::npos);
    CHECK(house.log.find("secret") == std::string::npos);
    CHECK(house.seen_route.empty());
}

TEST_CASE("CORS answers listed origins alone") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    house.headers = {{"Origin", "https://shop.example"}};
    CHECK(header(house.call("GET", "/svc/v1/things"), "Access-Control-Allow-Origin") == "https://shop.example");
    house.headers = {{"Origin", "https://evil.example"}};
    CHECK(header(house.call("GET", "/svc/v1/things"), "Access-Control-Allow-Origin").empty());
}

TEST_CASE("pages of listed origins can read the transport's errors like any other error") {
    House house;
    const app::Gate gate = house.gate();
    for (const int status : {408, 413, 503}) {
        CAPTURE(status);
        const auto told = gate.failure(status, {{"Host", "x"}, {"Origin", "https://shop.example"}});
        CHECK(header(told, "Access-Control-Allow-Origin") == "https://shop.example");
        CHECK(header(told, "Access-Control-Expose-Headers").find("X-Request-Id") != std::string::npos);
        CHECK(header(told, "Vary") == "Origin");
        CHECK(
            header(gate.failure(status, {{"Origin", "https://evil.example"}}), "Access-Control-Allow-Origin").empty());
        CHECK(header(gate.failure(status, {}), "Access-Control-Allow-Origin").empty());
    }
}

TEST_CASE("lists return page, totals and their headers") {
    House house;
    house.routes.add({.method = Method::get,
                      .path = "/list",
                      .who = Permission::everyone(),
                      .summary = "A list.",
                      .is_list = true,
                      .sortable = {"id"},
                      .handle = [](const api::Request& request) {
                          const api::Page page = api::page_of(*request.route, request.query).value();
                          return api::list_reply(json::Value::array({1, 2}), page, 205);
                      }});
    const HttpAnswer answer = house.call("GET", "/svc/v1/list?per_page=500&page=2");
    CHECK(answer.status == 200);
    CHECK(read(answer)["meta"]["per_page"].integer() == 100);
    CHECK(read(answer)["meta"]["total_pages"].integer() == 3);
    CHECK(header(answer, "X-Host-Total") == "205");
    CHECK(header(answer, "X-Host-TotalPages") == "3");
    for (const char* query : {"per_page=0", "page=-1", "page=x", "order=up", "orderby=password"}) {
        CAPTURE(query);
        const HttpAnswer refused = house.call("GET", std::string("/svc/v1/list?") + query);
        CHECK(refused.status == 400);
        const std::string field{query, std::string_view(query).find('=')};
        CHECK(read(refused)["data"]["field"].text() == field);
    }
}

TEST_CASE("a request that may prove who calls leaves the I/O thread: by either session cookie's exact name") {
    House house;
    house.add(Method::get, "/things", Permission::everyone());
    auto from_memory = *house.routes.all().front();
    from_memory.path = "/quick";
    from_memory.waits = false;
    house.routes.add(from_memory);
    const auto gate = house.gate();
    const auto waits = [&](std::vector<HttpHeader> headers) {
        return gate.plan("GET", "/svc/v1/quick", headers).waits;
    };
    CHECK_FALSE(waits({}));
    CHECK(waits({{"Authorization", "Basic eA=="}}));
    for (const char* cookie : {"svc_session=x", "__Host-svc_session=x", "theme=dark; svc_session=x",
                               "a=b;\t__Host-svc_session =x", "svc_session"})
        CHECK(waits({{"Cookie", cookie}}));
    CHECK(waits({{"Cookie", "theme=dark"}, {"cookie", "svc_session=x"}}));
    for (const char* cookie : {"", "theme=svc_session", "my_svc_session=x", "svc_session_hint=x", "Svc_Session=x",
                               "a=b; svc_sessions=1;", "x__Host-svc_session=1", "=svc_session"})
        CHECK_FALSE(waits({{"Cookie", cookie}}));
}

TEST_CASE("a request that uses a deprecated parameter gets its notice beside the page's links, in no coding") {
    House house;
    std::string coding;
    house.routes.add({.method = Method::get,
                      .path = "/things",
                      .who = Permission::everyone(),
                      .summary = "For the test.",
                      .query = {{.name = "kind",
                                 .type = api::text(9),
                                 .also = {"sort_of"},
                                 .otherwise = json::Value("all"),
                                 .deprecated_since = "2026-11-01",
                                 .instead = "type"}},
                      .is_list = true,
                      .sortable = {"id"},
                      .handle = [&](const api::Request& request) {
                          coding = request.header("Accept-Encoding");
                          const auto page = api::page_of(*request.route, request.query).value();
                          if (request.query.text_or("kind") == "bytes") {
                              api::Reply reply =
                                  api::prebuilt(std::make_shared<const std::string>(R"({"success":true,"data":[1]})"));
                              reply.headers.emplace_back("ETag", "\"7\"");
                              return reply;
                          }
                          return api::list_reply(json::Value::array({1}), page, 42);
                      }});
    house.headers = {{"Accept-Encoding", "gzip"}};
    const auto header = [](const HttpAnswer& answer, std::string_view wanted) {
        std::string all;
        for (const auto& [name, value] : answer.headers)
            if (name == wanted)
                all += value;
        return all;
    };
    const auto plain = house.call("GET", "/svc/v1/things");  // its default is not the client's use
    CHECK(header(plain, "Deprecation").empty());
    CHECK(plain.body->find("notices") == std::string::npos);
    CHECK(coding == "gzip");

    const auto used = house.call("GET", "/svc/v1/things?sort_of=a");
    CHECK(header(used, "Deprecation") == "@1793491200");
    CHECK(header(used, "Link").find("rel=\"next\"") != std::string::npos);
    CHECK(header(used, "Link").find("</svc/v1/docs#listThings>; rel=\"deprecation\"") != std::string::npos);
    const auto body = json::parse(*used.body).value();
    REQUIRE(body["notices"].size() == 1);
    CHECK(body["notices"][0].text_or("name") == "kind");
    CHECK(body["notices"][0].text_or("in") == "query");
    CHECK(body["meta"]["total"].integer() == 42);
    CHECK(coding.empty());

    const auto prebuilt = json::parse(*house.call("GET", "/svc/v1/things?kind=bytes").body).value();
    CHECK(prebuilt["data"].size() == 1);
    CHECK(prebuilt["notices"].size() == 1);
}

TEST_CASE("a call by values is refused, read, answered and logged as a request is") {
    House house;
    house.add(Method::post, "/things", Permission::signed_in(), thing);
    house.add(Method::get, "/broken", Permission::everyone(), {},
              [](const api::Request&) -> api::Reply { throw std::runtime_error("the cause"); });
    house.routes.add(
        {.method = Method::get,
         .path = "/list",
         .who = Permission::everyone(),
         .summary = "For the test.",
         .is_list = true,
         .sortable = {"id"},
         .handle = [](const api::Request& request) {
             return api::list_reply(json::Value::array({1, 2}), api::page_of(*request.route, request.query).value(), 5);
         }});
    const auto ask = [&](std::string_view method, std::string_view path, const json::Value& query,
                         const json::Value& body = {}) {
        return house.gate().ask({.method = method,
                                 .path = path,
                                 .query = query,
                                 .body = body,
                                 .headers = house.headers,
                                 .peer = "127.0.0.1"});
    };
    const json::Value none = json::Value::object(), good = json::Value::object({{"title", "a"}, {"count", 2}});
    CHECK(ask("GET", "/nothing", none).body["code"].text() == "svc_no_route");
    CHECK(ask("DELETE", "/things", none).status == 405);
    CHECK(ask("POST", "/things", none, good).status == 401);
    house.caller.kind = api::Caller::Kind::user;
    CHECK(ask("POST", "/things", none, good).body.dump() == R"({"success":true,"data":{"title":"a","count":2}})");
    const auto refused = ask("POST", "/things", none, json::Value::object({{"title", "a"}, {"count", 9}}));
    CHECK(refused.status == 400);
    CHECK(refused.body["data"]["field"].text() == "count");
    CHECK(ask("POST", "/things", none, json::Value::array()).body["code"].text() == "svc_invalid_json");
    house.wait = 3;
    const auto late = ask("POST", "/things", none, good);
    CHECK(late.status == 429);
    CHECK(late.header("retry-after") == "3");
    house.wait.reset();
    CHECK(house.calls == 1);
    const auto broken = ask("GET", "/broken", none);
    CHECK(broken.status == 500);
    CHECK(broken.body["code"].text() == "svc_internal_error");
    CHECK(broken.body.dump().find("the cause") == std::string::npos);
    CHECK(house.log.find("the cause") != std::string::npos);
    const auto list = ask("GET", "/list", json::Value::object({{"per_page", "2"}, {"page", "2"}}));
    CHECK(list.body.dump() ==
          R"({"success":true,"data":[1,2],"meta":{"page":2,"per_page":2,"total":5,"total_pages":3}})");
    CHECK(list.header("Link").find("</svc/v1/list?per_page=2&page=3>; rel=\"next\"") != std::string::npos);
    CHECK(house.seen_route == "/list");
}

TEST_CASE("a call by values gets a route's bytes, its file, and what memory holds where it takes that") {
    class Numbers final : public api::Held {
      public:
        [[nodiscard]] std::size_t size() const override { return 2; }
        [[nodiscard]] json::Value read(std::size_t index, api::Members) const override {
            return static_cast<std::int64_t>(index);
        }
    };
    House house;
    house.add(Method::get, "/bytes", Permission::everyone(), {}, [](const api::Request&) {
        api::Reply reply = api::prebuilt(std::make_shared<const std::string>("a,b"));
        reply.content_type = "text/csv";
        return reply;
    });
    house.add(Method::get, "/file", Permission::everyone(), {}, [](const api::Request&) {
        std::FILE* file = std::tmpfile();
        std::fputs("0123456789", file);
        std::fflush(file);
        api::Reply reply;
        reply.file = std::make_shared<const OpenFile>(::dup(::fileno(file)), 10);
        std::fclose(file);
        return reply;
    });
    house.add(Method::get, "/held", Permission::everyone(), {}, [](const api::Request&) {
        api::Reply reply;
        reply.held = std::make_shared<const Numbers>();
        reply.page = api::PageMeta{.page = 1, .per_page = 2, .total = 2};
        return reply;
    });
    const json::Value none = json::Value::object(), nothing;
    const auto ask = [&](std::string_view path, bool takes_held = false) {
        return house.gate().ask({.method = "GET",
                                 .path = path,
                                 .query = none,
                                 .body = nothing,
                                 .headers = house.headers,
                                 .peer = "127.0.0.1",
                                 .takes_held = takes_held});
    };
    const auto bytes = ask("/bytes");
    CHECK(*bytes.bytes == "a,b");
    CHECK(bytes.header("content-type") == "text/csv");
    CHECK(bytes.body.is_null());
    CHECK(api::content_of(ask("/file"), 10).value() == "0123456789");
    CHECK(!api::content_of(ask("/file"), 9));
    house.headers = {{"Range", "bytes=2-4"}};
    CHECK(api::content_of(ask("/file"), 10).value() == "234");
    house.headers.clear();
    const auto held = ask("/held", true);
    REQUIRE(held.held);
    CHECK(held.held->data() == json::Value::array({0, 1}));
    CHECK(held.body["meta"]["total"].integer() == 2);
    // A socket gets the text of what is held, also where the handler gives nothing else.
    CHECK(read(house.call("GET", "/svc/v1/held"))["data"] == json::Value::array({0, 1}));
}

TEST_CASE("errors are said in the language that the caller asks for, with their fields, and in English otherwise") {
    House house;
    house.add(Method::post, "/things", Permission::everyone(), thing);
    const auto refused = [&](const char* language, const char* body) {
        house.headers = {{"Content-Type", "application/json"}};
        if (language)
            house.headers.emplace_back("Accept-Language", language);
        return house.call("POST", "/svc/v1/things", body);
    };
    const char* const bad = R"({"title":"","count":9})";
    const auto english = read(refused(nullptr, bad)), german = read(refused("de-AT,de;q=0.9,en;q=0.5", bad));
    CHECK(english["message"].text() == "This field is required.");
    CHECK(german["message"].text() == "Dieses Feld muss ausgefüllt werden.");
    CHECK(german["code"] == english["code"]);
    CHECK(german["data"]["field"].text() == "title");
    CHECK(german["data"]["errors"]["count"][std::size_t{0}].text() == "Das muss eine Zahl von 1 bis 5 sein.");
    CHECK(header(refused("de", bad), "Content-Language") == "de");
    CHECK(header(refused("en", bad), "Content-Language").empty());
    house.headers = {{"Accept-Language", "fr"}};
    CHECK(read(house.call("GET", "/svc/v1/nothing"))["message"].text() == "Cette route n’existe pas.");
}

TEST_CASE("a handler says parts of its answer in the caller's language, and the log stays English") {
    House house;
    house.add(Method::get, "/things", Permission::everyone(), {}, [](const api::Request& request) {
        return api::ok(json::Value(request.say("This field is required."_sentence)));
    });
    house.add(Method::get, "/bad", Permission::everyone(), {},
              [](const api::Request&) { return api::failed(Error{errc::not_found}.because("gone since yesterday")); });
    house.headers = {{"Accept-Language", "de"}};
    CHECK(read(house.call("GET", "/svc/v1/things"))["data"].text() == "Dieses Feld muss ausgefüllt werden.");
    CHECK(read(house.call("GET", "/svc/v1/bad"))["message"].text() != errc::not_found.sentence);
    CHECK(house.log.find("gone since yesterday") != std::string::npos);
    house.headers.clear();
    CHECK(read(house.call("GET", "/svc/v1/things"))["data"].text() == "This field is required.");
}
