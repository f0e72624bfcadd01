// The deprecated fields of a request, and declarations that are rejected.
#include "shared/api/deprecation.hpp"

#include <doctest/doctest.h>

using namespace svc;
using namespace svc::api;

namespace {

Field old_field(std::string name, Type type, std::string instead = {}) {
    return {.name = std::move(name),
            .type = std::move(type),
            .deprecated_since = "2026-11-01",
            .instead = std::move(instead)};
}

RouteSpec route_with(Schema body) {
    return {.method = Method::post, .path = "/things", .who = Permission::everyone(), .body = std::move(body)};
}

}  // namespace

TEST_CASE("a deprecated field counts as used when it is sent by any of its names, at any depth, and is noted once") {
    Field renamed = old_field("note", text(20), "remark");
    renamed.also = {"comment"};
    const Schema body{
        renamed,
        {.name = "travelers", .type = list(object({old_field("age", integer()), {.name = "name", .type = text(20)}}))},
        {.name = "extra", .type = map(object({old_field("age", integer())}))}};
    CHECK(has_deprecated(body));
    CHECK_FALSE(has_deprecated(Schema{{.name = "name", .type = text(20)}}));

    std::vector<Notice> notices;
    add_used(body, json::parse(R"({"travelers":[{"name":"a"}],"extra":{}})").value(), Notice::Of::body, notices);
    CHECK(notices.empty());
    add_used(body,
             json::parse(R"({"comment":"x","travelers":[{"name":"a"},{"age":3},{"age":4}],"extra":{"b":{"age":1}}})")
                 .value(),
             Notice::Of::body, notices);
    REQUIRE(notices.size() == 3);
    CHECK(notices[0].name == "note");
    CHECK(notices[0].instead == "remark");
    CHECK(notices[1].name == "travelers.1.age");
    CHECK(notices[2].name == "extra.b.age");
    const auto shown = to_json(notices[0]);
    CHECK(shown.text_or("in") == "body");
    CHECK(shown.text_or("deprecated_since") == "2026-11-01");
    CHECK(shown.text_or("message").find("Use remark instead.") != std::string::npos);
    CHECK(to_json(notices[1])["instead"].is_null());
}

TEST_CASE("a value of another kind than declared uses nothing below it") {
    const Schema body{{.name = "travelers", .type = list(object({old_field("age", integer())}))}};
    std::vector<Notice> notices;
    for (const char* sent : {R"({"travelers":{"age":1}})", R"({"travelers":[1,"age",null]})", R"({"travelers":null})"})
        add_used(body, json::parse(sent).value(), Notice::Of::body, notices);
    CHECK(notices.empty());
}

TEST_CASE("the schema shows a deprecated field as deprecated and names what replaces it") {
    const auto shown = Schema{old_field("note", text(20), "remark")}.json_schema()["properties"]["note"];
    CHECK(shown["deprecated"].boolean());
    CHECK(shown.text_or("description") == "Deprecated since 2026-11-01. Use `remark` instead.");
}

TEST_CASE("a deprecation without a day, or with none of the calendar, is refused at start-up") {
    RouteTable routes;
    CHECK_THROWS_AS(routes.add(route_with({{.name = "a", .type = text(9), .instead = "b"}})), std::logic_error);
    CHECK_THROWS_AS(routes.add(route_with({{.name = "a", .type = text(9), .deprecated_since = "3.1.0"}})),
                    std::logic_error);
    RouteSpec route = route_with({});
    route.deprecated_since = "2026-02-30";
    CHECK_THROWS_AS(routes.add(route), std::logic_error);
    route.deprecated_since = "2026-02-28";
    CHECK_NOTHROW(routes.add(route));
}
