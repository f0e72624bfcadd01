// The route table: which request meets which route.
#include "shared/api/route.hpp"

#include <set>
#include <stdexcept>

#include <doctest/doctest.h>

#include "shared/api/named.hpp"
#include "shared/api/public_answer.hpp"
#include "shared/api/query.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using api::Method;
using api::Permission;
using api::RouteTable;

namespace {

api::RouteSpec spec(Method method, std::string path, std::string module = {}) {
    return {.method = method, .path = std::move(path), .who = Permission::everyone(), .module = std::move(module)};
}

struct Table {
    Table() {
        for (const auto* path :
             {"/", "/trips", "/trips/{id}", "/trips/public", "/trips/public/{slug}", "/trips/{slug}/itinerary",
              "/trips/{trip_id}/departures/{id}", "/modules/{slug}", "/payment/{gateway}/info",
              "/payment/status/{booking_id}", "/tools/jobs/{job_id}", "/recover/{token}", "/block-editor/{taxonomy}"})
            routes.add(spec(Method::get, path));
        routes.add(spec(Method::post, "/trips"));
        routes.add(spec(Method::put, "/trips/{id}"));
        routes.add(spec(Method::del, "/trips/{id}"));
        routes.add(spec(Method::post, "/payment/{gateway}/complete"));
        routes.add(spec(Method::patch, "/settings"));
        routes.add(spec(Method::get, "/saved", "saved_trips"));
        routes.add(spec(Method::post, "/trips/{id}", "saved_trips"));
        routes.add(spec(Method::get, "/webhooks/events", "webhooks"));
        routes.add(spec(Method::get, "/webhooks/{slug}"));
    }

    RouteTable::Match match(std::string_view method, std::string_view path) const {
        return routes.match(method, path, [this](std::string_view module) { return module == on; });
    }
    // The path of the route met, with its parameters; else what is allowed, or "404".
    std::string get(std::string_view path, std::string_view method = "GET") const {
        const auto met = match(method, path);
        if (!met.route)
            return met.allow.empty() ? "404" : "405 " + met.allow;
        return met.route->path + (met.path.size() > 0 ? " " + met.path.dump() : "");
    }

    RouteTable routes;
    std::string on;
};

}  // namespace

TEST_CASE("a path meets its route, and parameters have their kinds") {
    const Table table;
    CHECK(table.get("/trips") == "/trips");
    CHECK(table.get("/trips/12") == R"(/trips/{id} {"id":12})");
    CHECK(table.get("/trips/12/departures/9223372036854775807") ==
          R"(/trips/{trip_id}/departures/{id} {"trip_id":12,"id":9223372036854775807})");
    CHECK(table.get("/payment/bank_transfer/info") == R"(/payment/{gateway}/info {"gateway":"bank_transfer"})");
    CHECK(table.get("/tools/jobs/aB-1_x") == R"(/tools/jobs/{job_id} {"job_id":"aB-1_x"})");
    CHECK(table.get("/recover/aB.1_x-") == R"(/recover/{token} {"token":"aB.1_x-"})");
    CHECK(table.get("/block-editor/trip_category") == R"(/block-editor/{taxonomy} {"taxonomy":"trip_category"})");
    CHECK(table.get("/") == "/");
    CHECK(table.get("") == "/");
    CHECK(table.match("GET", "/trips").path.is_object());
}

TEST_CASE("an id in a path is digits alone, from 1 to 2^63-1") {
    const Table table;
    for (const auto* id : {"0", "012", "+12", "-1", "12abc", "1.0", "1e2", "9223372036854775808",
                           "99999999999999999999999", "%2B12", "12%20", "\xD9\xA1", "12%00", "0x1"}) {
        CAPTURE(id);
        CHECK(table.get("/payment/status/" + std::string(id)) == "404");
    }
    CHECK(table.get("/trips/%31%32") == R"(/trips/{id} {"id":12})");
}

TEST_CASE("literals win over parameters, and a dead end behind them is left again") {
    const Table table;
    CHECK(table.get("/trips/public") == "/trips/public");
    CHECK(table.get("/trips/public/nile") == R"(/trips/public/{slug} {"slug":"nile"})");
    CHECK(table.get("/trips/public/itinerary") == R"(/trips/public/{slug} {"slug":"itinerary"})");
    CHECK(table.get("/trips/nile/itinerary") == R"(/trips/{slug}/itinerary {"slug":"nile"})");
    CHECK(table.get("/trips/12/itinerary") == R"(/trips/{slug}/itinerary {"slug":"12"})");
    CHECK(table.get("/payment/status/info") == R"(/payment/{gateway}/info {"gateway":"status"})");
}

TEST_CASE("segments are decoded once, and only what its kind allows is a parameter") {
    const Table table;
    CHECK(table.get("/%74rips") == "/trips");
    CHECK(table.get("/modules/caf%C3%A9") == "/modules/{slug} {\"slug\":\"caf\xC3\xA9\"}");
    CHECK(table.get("/modules/cafe%CC%81") == "/modules/{slug} {\"slug\":\"caf\xC3\xA9\"}");
    for (const auto* path : {"/modules/a%2Fb", "/modules/a%252Fb", "/modules/..", "/modules/%2e%2e", "/modules/a%00",
                             "/modules/%FF", "/modules/%C3", "/modules/%4", "/modules/a+b", "/modules/a%20b",
                             "/payment/Stripe/info", "/payment/a-b/info", "/tools/jobs/a.b", "/recover/a%2Fb"}) {
        CAPTURE(path);
        CHECK(table.get(path) == "404");
    }
    CHECK(table.get("/modules/" + std::string(1025, 'a')) == "404");
}

TEST_CASE("empty segments, a slash at the end and longer or shorter paths do not match") {
    const Table table;
    for (const auto* path :
         {"//", "//trips", "/trips/", "/trips//12", "/trips/12/", "trips", "/trip", "/tripss", "/trips/12/x", "/TRIPS",
          "/trips;a=1", "/{id}", "/trips/{id}", "/payment", "/payment/status"}) {
        CAPTURE(path);
        CHECK(table.get(path) == "404");
    }
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "/trips";
    CHECK(table.get(deep) == "404");
}

TEST_CASE("HEAD is where GET is, PATCH where PUT is, and others are told what is allowed") {
    const Table table;
    CHECK(table.get("/trips/12", "HEAD") == R"(/trips/{id} {"id":12})");
    CHECK(table.match("PATCH", "/trips/12").route->method == Method::put);
    CHECK(table.get("/settings", "PUT") == "/settings");
    CHECK(table.get("/settings", "PATCH") == "/settings");
    CHECK(table.get("/trips", "DELETE") == "405 GET, HEAD, POST, OPTIONS");
    CHECK(table.get("/trips/12", "OPTIONS") == "405 GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
    CHECK(table.get("/settings") == "405 PUT, PATCH, OPTIONS");
    CHECK(table.get("/trips", "get") == "405 GET, HEAD, POST, OPTIONS");
    CHECK(table.get("/trips", "") == "405 GET, HEAD, POST, OPTIONS");
    CHECK(table.get("/payment/stripe/complete", "HEAD") == "405 POST, OPTIONS");
    CHECK(table.get("/nowhere", "OPTIONS") == "404");
}

TEST_CASE("the routes of a disabled module do not exist") {
    Table table;
    CHECK(table.get("/saved") == "404");
    CHECK(table.get("/trips/12", "POST") == "405 GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
    CHECK(table.get("/webhooks/events") == R"(/webhooks/{slug} {"slug":"events"})");
    table.on = "saved_trips";
    CHECK(table.get("/saved") == "/saved");
    CHECK(table.get("/trips/12", "POST") == R"(/trips/{id} {"id":12})");
    CHECK(table.get("/trips/12", "DELETE") == R"(/trips/{id} {"id":12})");
    table.on = "webhooks";
    CHECK(table.get("/webhooks/events") == "/webhooks/events");
    CHECK(table.get("/saved") == "404");
}

TEST_CASE("a route that cannot be told from another, or has no proper path, is refused") {
    Table table;
    const auto before = table.routes.all().size();
    CHECK_THROWS_AS(table.routes.add(spec(Method::get, "/trips")), std::logic_error);
    CHECK_THROWS_AS(table.routes.add(spec(Method::get, "/trips/{trip_id}")), std::logic_error);
    CHECK_THROWS_AS(table.routes.add(spec(Method::patch, "/trips/{id}")), std::logic_error);
    for (const auto* path : {"", "trips", "/trips/", "//", "/a//b", "/trips/{id", "/trips/x{id}", "/trips/{}",
                             "/trips/{a}{b}", "/trips/{id}/{id}", "/trips/{unheard}", "/trips/}{"}) {
        CAPTURE(path);
        CHECK_THROWS_AS(table.routes.add(spec(Method::get, path)), std::logic_error);
    }
    CHECK(table.routes.all().size() == before);
    CHECK(table.get("/trips/12") == R"(/trips/{id} {"id":12})");
}

TEST_CASE("matching takes any path") {
    const Table table;
    static constexpr std::string_view pieces[] = {"/",    "trips",  "12",   "%",  "%2", "%2F",
                                                  "{id}", "public", "\xFF", "..", "?",  "itinerary"};
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 20'000; ++round) {
        std::string path = "/trips";
        for (auto count = random.between(0, 8); count > 0; --count)
            path += random.one_of(pieces);
        const auto met = table.match("GET", path);
        if (met.route)
            REQUIRE(met.path.is_object());
    }
}

TEST_CASE("a list's page has limits: more than 100 a page is 100, below 1 is refused") {
    api::RouteSpec route = spec(Method::get, "/trips");
    route.sortable = {"created_at", "title"};
    route.statuses = {"draft", "publish"};
    const auto page = [&](std::string_view raw) { return api::page_of(route, api::parse_query(raw).value()); };
    const auto faults = [&](std::string_view raw) {
        std::string names;
        const auto asked = page(raw);
        if (!asked)
            for (const auto& fault : asked.error().fields())
                names += (names.empty() ? "" : " ") + fault.field;
        return names;
    };
    CHECK(page("").value().page == 1);
    CHECK(page("").value().per_page == 20);
    CHECK(page("").value().order_by == "created_at");
    CHECK_FALSE(page("").value().ascending);
    CHECK(page("per_page=100").value().per_page == 100);
    CHECK(page("per_page=101").value().per_page == 100);
    CHECK(page("per_page=1000000000").value().per_page == 100);
    CHECK(page("page=3&per_page=50").value().offset() == 100);
    CHECK(page("page=1000000000").value().offset() == 19'999'999'980);
    CHECK(page("page=2147483647&per_page=100").value().offset() == 214'748'364'600);
    CHECK(faults("page=2147483648") == "page");
    // However long, it is more than 100, but no page.
    for (const std::string digits :
         {"9223372036854775808", "99999999999999999999", "1000000000000000000000000000000"}) {
        CAPTURE(digits);
        CHECK(page("per_page=" + digits).value().per_page == 100);
        CHECK(faults("page=" + digits) == "page");
    }
    CHECK(page("order=ASC&orderby=title").value().ascending);
    CHECK(page("orderby=title").value().order_by == "title");
    CHECK(page("status=all&search=nile"));
    CHECK(page("status=publish&unknown=1"));
    for (const auto* bad : {"page=0", "page=-1", "page=abc", "page=", "page=1.5", "page=1&page=2",
                            "page=-99999999999999999999", "page=99999999999999999999.0", "page=9e19"})
        CHECK(faults(bad) == "page");
    for (const auto* bad : {"per_page=0", "per_page=-1", "per_page=x", "per_page=-99999999999999999999"})
        CHECK(faults(bad) == "per_page");
    CHECK(faults("order=up") == "order");
    CHECK(faults("orderby=password") == "orderby");
    CHECK(faults("orderby=TITLE") == "orderby");
    CHECK(faults("status=trash") == "status");
    CHECK(faults("search=" + std::string(201, 'a')) == "search");
    CHECK(faults("page=0&per_page=0&order=x&orderby=x&status=x") == "page per_page order orderby status");
}

TEST_CASE("a list's parameters as a schema agree with its page") {
    api::RouteSpec route = spec(Method::get, "/trips");
    route.sortable = {"title", "id"};
    route.statuses = {"draft"};
    route.ascending = true;
    const auto schema = api::list_parameters(route);
    const auto clean = schema.check(api::parse_query("per_page=500&order=DESC").value(), true).value();
    CHECK(clean.dump() == R"({"page":1,"per_page":500,"order":"desc","orderby":"title"})");
    const auto page = api::page_of(route, clean).value();
    CHECK(page.per_page == 100);
    CHECK_FALSE(page.ascending);
    CHECK(schema.find("status")->type.values == std::vector<std::string>{"all", "draft"});
    CHECK(api::list_parameters(spec(Method::get, "/x")).find("orderby") == nullptr);
}

TEST_CASE("a list that pages on request knows whether per_page was sent") {
    api::RouteSpec route = spec(Method::get, "/departures");
    route.is_list = true;
    route.pages_on_request = true;
    const auto clean = [&](const char* query) {
        return api::list_parameters(route).check(api::parse_query(query).value(), true).value();
    };
    CHECK_FALSE(clean("page=2").find("per_page"));
    CHECK(clean("per_page=5")["per_page"].integer() == 5);
    route.pages_on_request = false;
    CHECK(clean("")["per_page"].integer() == 20);
}

TEST_CASE("a tag is found among those a client has, weak or not, and nothing but a whole one") {
    for (const char* given : {"\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", " \"x\" ,W/\"abc\"", "*"})
        CHECK(api::has_tag(given, "\"abc\""));
    for (const char* given : {"", "abc", "\"abc", "\"abcd\"", "\"ab\"", "W/", ",", "abc\""})
        CHECK_FALSE(api::has_tag(given, "\"abc\""));
}

TEST_CASE("replies have the handler's status, headers and body") {
    const auto made = api::created(json::Value{1}, "/trips/1");
    CHECK(made.status == 201);
    CHECK(made.headers.front() == std::pair<std::string, std::string>{"Location", "/trips/1"});
    CHECK(api::ok(json::Value{1}).status == 200);
    const auto list =
        api::list_reply(json::Value::array({1}), {.page = 2, .per_page = 10, .ascending = false, .order_by = {}}, 11);
    CHECK(list.page->total == 11);
    CHECK(list.page->page == 2);
    CHECK(list.page->pages() == 2);
    const auto refused = api::failed(Error{errc::sold_out});
    CHECK(refused.status == 409);
    CHECK(refused.error->code().name == "sold_out");
    const auto text = std::make_shared<const std::string>("{}");
    CHECK(api::prebuilt(text).raw == text);
    const auto answered = [](Result<int> result) {
        return api::respond(std::move(result), [](int n) { return api::ok(n); });
    };
    CHECK(answered(7).data.integer() == 7);
    CHECK(answered(errc::not_found).status == 404);
    CHECK(api::name_of(Method::del) == "DELETE");
}

TEST_CASE("an entity tag is the same for the same text and another for every other one") {
    std::string text(1000, 'x');
    const std::string tag = api::entity_tag(text);
    CHECK(tag.size() == 34);
    CHECK(tag.front() == '"');
    CHECK(tag == api::entity_tag(std::string(1000, 'x')));
    std::set<std::string> tags{tag};
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto other = text;
        other[i] = 'y';
        tags.insert(api::entity_tag(other));
        tags.insert(api::entity_tag(std::string_view(text).substr(0, i)));
    }
    CHECK(tags.size() == 2001);
}

TEST_CASE("routes that declare the same fields share them, and each keeps its differences") {
    const auto answer = [](bool always) {
        const api::Field title{.name = "title", .type = api::text(20)};
        return api::list(
            api::object({{.name = "id", .type = api::id(), .required = true},
                         {.name = "seats", .type = api::object({{.name = "left", .type = api::integer(0)}})},
                         always ? title : api::sometimes_sent(title)}));
    };
    RouteTable routes;
    for (const auto& [path, always] : {std::pair{"/one", true}, {"/two", true}, {"/three", false}}) {
        auto route = spec(Method::get, path);
        route.answer = answer(always);
        routes.add(std::move(route));
    }
    const auto of = [&](const char* path) {
        return routes.match("GET", path, [](std::string_view) { return true; }).route->answer.item;
    };
    CHECK(of("/one") == of("/two"));
    CHECK(of("/three") != of("/one"));
    CHECK(of("/three")->members->find("seats") == of("/one")->members->find("seats"));
    CHECK(of("/one")->members->find("title")->required);
    CHECK_FALSE(of("/three")->members->find("title")->required);
}

TEST_CASE("a member of an answer is required unless it is sent sometimes; a body keeps what it requires and takes") {
    const api::Type picture =
        api::object("Picture", {{.name = "url", .type = api::text(20), .required = true},
                                {.name = "size", .type = api::integer(0), .otherwise = json::Value(5)},
                                api::sometimes_sent({.name = "caption", .type = api::text(20)})});
    RouteTable routes;
    auto route = spec(Method::post, "/one");
    route.body = {{.name = "pictures", .type = api::list(picture)}};
    route.answer = picture;
    routes.add(std::move(route));
    auto again = spec(Method::get, "/two");
    again.answer = routes.match("POST", "/one", [](std::string_view) { return true; }).route->answer;
    routes.add(std::move(again));
    for (const auto& [method, path] : {std::pair{"POST", "/one"}, {"GET", "/two"}}) {
        CAPTURE(path);
        const api::Schema& answer =
            *routes.match(method, path, [](std::string_view) { return true; }).route->answer.members;
        CHECK(answer.name() == "Picture");
        CHECK(answer.json_schema()["required"] == json::Value::array({"url", "size"}));
        CHECK(answer.json_schema().dump().find("default") == std::string::npos);
    }
    const api::Schema& body = routes.match("POST", "/one", [](std::string_view) { return true; }).route->body;
    CHECK(body.find("pictures")->type.item->members->name() == "PictureInput");
    const auto checked = body.check(json::parse(R"({"pictures":[{"url":"a"}]})").value());
    REQUIRE(checked);
    CHECK(checked->dump() == R"({"pictures":[{"url":"a","size":5}]})");
}
