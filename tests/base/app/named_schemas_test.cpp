// Named schemas of an OpenAPI document.
#include "base/app/named_schemas.hpp"

#include <doctest/doctest.h>

#include "shared/api/schema.hpp"

namespace svc::tests {
namespace {

using json::Value;

api::Schema guest(const char* field) { return api::Schema{{.name = field, .type = api::text(9)}}.named("Guest"); }

TEST_CASE("a named schema moves into the components once, and its place refers to it") {
    app::NamedSchemas named(Value::object());
    const api::Schema page{{.name = "guest", .type = api::object(guest("name")), .help = "Who comes."},
                           {.name = "others", .type = api::list(api::object(guest("name")))},
                           {.name = "host", .type = api::object(guest("name")).or_null()}};
    const Value properties = named.move_to_components(page.json_schema())["properties"];
    CHECK(properties["guest"]["$ref"].text() == "#/components/schemas/Guest");
    CHECK(properties["guest"]["description"].text() == "Who comes.");
    CHECK(properties["others"]["items"]["$ref"].text() == "#/components/schemas/Guest");
    CHECK(properties["host"]["oneOf"].size() == 2);
    CHECK(named.all().size() == 1);
    CHECK(named.all()["Guest"]["properties"].find("name"));
    CHECK_FALSE(named.all()["Guest"].find("title"));
}

TEST_CASE("a schema that has all properties of another one refers to it and adds the rest") {
    std::vector<api::Field> fields;
    for (const char* name : {"a", "b", "c", "d", "e"})
        fields.push_back({.name = name, .type = api::text(9), .required = name[0] == 'a'});
    const api::Schema card(fields);
    const api::Schema page = card.plus({{.name = "f", .type = api::text(9), .required = true}});
    app::NamedSchemas named(Value::object());
    static_cast<void>(named.move_to_components(card.named("Card").json_schema()));
    static_cast<void>(named.move_to_components(page.named("Page").json_schema()));
    const api::Schema less = card.partial().plus({{.name = "g", .type = api::text(9)}});
    static_cast<void>(named.move_to_components(less.named("Optional").json_schema()));
    const Value composed = named.composed();
    CHECK(composed["Card"] == named.all()["Card"]);
    CHECK(composed["Page"]["allOf"][std::size_t{0}]["$ref"].text() == "#/components/schemas/Card");
    const Value& rest = composed["Page"]["allOf"][1];
    CHECK(rest["properties"].size() == 1);
    CHECK(rest["properties"].find("f"));
    CHECK(rest["required"].dump() == R"(["f"])");
    CHECK(composed["Optional"].find("properties"));  // it requires less than a card
}

TEST_CASE("the common fields of a body that creates and one that updates become a schema of their own") {
    std::vector<api::Field> fields;
    for (const char* name : {"a", "b", "c", "d", "e", "f"})
        fields.push_back({.name = name, .type = api::text(9), .required = name[0] == 'a'});
    const api::Schema create(fields);
    const api::Schema update = create.partial().plus({{.name = "version", .type = api::integer(1)}});
    app::NamedSchemas named(Value::object());
    static_cast<void>(named.move_to_components(create.named("CreateTripBody").json_schema()));
    static_cast<void>(named.move_to_components(update.named("UpdateTripBody").json_schema()));
    const Value composed = named.composed();
    CHECK(composed["TripFields"]["properties"].size() == 6);
    CHECK_FALSE(composed["TripFields"].find("required"));
    for (const char* name : {"CreateTripBody", "UpdateTripBody"})
        CHECK(composed[name]["allOf"][std::size_t{0}]["$ref"].text() == "#/components/schemas/TripFields");
    CHECK(composed["CreateTripBody"]["allOf"].size() == 1);
    CHECK(composed["CreateTripBody"]["required"].dump() == R"(["a"])");
    CHECK(composed["UpdateTripBody"]["allOf"][1]["properties"].size() == 1);
}

TEST_CASE("a schema stays in its place where its name belongs to another schema") {
    app::NamedSchemas named(Value::object({{"Error", Value::object()}}));
    CHECK(named.move_to_components(guest("name").json_schema()).find("$ref"));
    CHECK(named.move_to_components(guest("age").json_schema())["properties"].find("age"));
    CHECK(named.move_to_components(guest("name").named("Error").json_schema())["properties"].find("name"));
    CHECK(named.all().size() == 1);
}

}  // namespace
}  // namespace svc::tests
