// The OpenAPI document: names, groups, and nothing in it twice.
#include "tests/routes/openapi.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// Calls `with` for each object schema at any depth.
void each_object(const json::Value& value, const std::function<void(const json::Value&)>& with) {
    if (value.is_array())
        for (const auto& item : value.items())
            each_object(item, with);
    if (!value.is_object())
        return;
    if (value["properties"].is_object())
        with(value);
    for (const auto& [name, member] : value.members())
        each_object(member, with);
}

// The schema, wherever it is used.
json::Value kernel(json::Value schema) {
    for (const char* own : {"title", "description", "default", "deprecated", "x-also"})
        schema.erase(own);
    return schema.set("type", "object");
}

json::Value without_examples(const json::Value& value) {
    if (value.is_array())
        return json::array_of(value.items(), without_examples);
    if (!value.is_object())
        return value;
    json::Value rest = json::Value::object();
    for (const auto& [name, member] : value.members())
        if (name != "example" && name != "headers")
            rest.set(name, without_examples(member));
    return rest;
}

}  // namespace

TEST_CASE("each operation has a name of its own, and each group a description") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        std::set<std::string> names, tags;
        for (const auto& [path, methods] : document["paths"].members())
            for (const auto& [method, operation] : methods.members()) {
                const std::string name = operation["operationId"].text();
                CAPTURE(name);
                CHECK(names.insert(name).second);
                CHECK(std::islower(static_cast<unsigned char>(name.front())));
                CHECK(std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c); }));
                tags.insert(operation["tags"][std::size_t{0}].text());
            }
        for (const char* name : {"listTrips", "getTrip", "createTrip", "updateTrip", "deleteTrip", "restoreTrip",
                                 "createBooking", "placeBooking", "listPublicTrips", "listAdditionalServices"})
            CHECK(names.contains(name));
        std::set<std::string> described;
        for (const auto& tag : document["tags"].items()) {
            CHECK_FALSE(tag["description"].text().empty());
            described.insert(tag["name"].text());
        }
        CHECK(described == tags);
    });
}

TEST_CASE("the OpenAPI document defines each object once and refers to it") {
    on_sqlite([](Walk& walk) {
        const auto answered = walk.get("/openapi.json");
        std::map<std::string, int> times;
        for (const char* part : {"paths", "components"})
            each_object(answered.body[part], [&](const json::Value& schema) {
                if (schema["properties"].size() > 2)
                    ++times[canonical(kernel(schema)).dump()];
            });
        for (const auto& [schema, count] : times) {
            CAPTURE(schema);
            CHECK(count == 1);
        }
        std::cout << "figure: OpenAPI document " << answered.text.size() << " bytes" << std::endl;
        // As many bytes for an operation, besides its examples and headers, as when there were 376 of them: each lists
        // what is its own.
        std::size_t operations = 0;
        for (const auto& [path, methods] : answered.body["paths"].members())
            operations += methods.size();
        CHECK(without_examples(answered.body).dump().size() < operations * 725'000 / 376);
    });
}

TEST_CASE("two different objects have two names") {
    on_sqlite([](Walk& walk) {
        std::map<std::string, json::Value> known;
        for (const auto& route : walk.routes())
            for (const auto& schema : {route->answer.json_schema(), route->body.json_schema()})
                each_object(schema, [&](const json::Value& one) {
                    if (!one["title"].is_string())
                        return;
                    const std::string name = one["title"].text();
                    CAPTURE(name);
                    CHECK(known.emplace(name, kernel(one)).first->second == kernel(one));
                });
        CHECK(known.size() > 100);
    });
}

TEST_CASE("a member that is the same as another one is required when that one is") {
    on_sqlite([](Walk& walk) {
        int pairs = 0;
        each_object(walk.get("/openapi.json").body, [&](const json::Value& schema) {
            const auto is_required = [&](const std::string& name) {
                const auto& required = schema["required"];
                return required.is_array() && std::any_of(required.items().begin(), required.items().end(),
                                                          [&](const json::Value& one) { return one.text() == name; });
            };
            for (const auto& [name, member] : schema["properties"].members()) {
                const std::string help = member.is_object() ? member.text_or("description") : std::string();
                const auto at = help.find("ame as ");
                if (at == std::string::npos || at > 5)
                    continue;
                const std::string other = help.substr(at + 7, help.find_first_of(".,;", at) - at - 7);
                CAPTURE(name);
                CAPTURE(other);
                if (!schema["properties"].find(other))
                    continue;
                CHECK(is_required(name) == is_required(other));
                ++pairs;
            }
        });
        CHECK(pairs > 20);
    });
}
