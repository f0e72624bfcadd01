// The OpenAPI document: names, groups, and nothing in it twice.
#include "tests/routes/openapi.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "base/feature/facts.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "shared/api/meaning.hpp"
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

// A number from 0 or 1 on without an upper bound, or a list of such.
bool may_be_ids(const json::Value& schema) {
    const auto is_type = [](const json::Value& one, std::string_view name) {
        if (one["type"].is_array())
            return std::any_of(one["type"].items().begin(), one["type"].items().end(),
                               [&](const json::Value& each) { return each.text() == name; });
        return one.text_or("type") == name;
    };
    if (is_type(schema, "array"))
        return may_be_ids(schema["items"]);
    const auto least = schema.maybe_integer("minimum");
    return is_type(schema, "integer") && least && *least <= 1 && !schema.find("maximum");
}

bool is_called_as_ids(std::string_view name) {
    return name != "id" && (name.ends_with("_id") || name.ends_with("_ids") || name == "ids" || name.ends_with("_by"));
}

// Ids that name no list, and why.
const std::map<std::string, std::string> ids_without_list{
    {"ids", "of the list that the path of the route names"},
    {"context_id", "a booking, an enquiry or a customer, as context_type says"},
    {"subject_id", "a booking, a customer or another record, as subject_type says"},
    {"ref_id", "a payment, a refund or an e-mail, as the type of the event says"},
    {"row_id", "a delivery of a webhook, which a ping answers once"},
    {"owner_id", "a destination, an activity or a category, as the type of the page says"},
    {"day_id", "a day of an itinerary, which has no list of its own"},
    {"day_ids", "days of an itinerary, which have no list of their own"},
    {"day_entry_id", "the entry that stands for a day, which has no list of its own"},
    {"page_id", "a page of the site's settings, which are read as one list"},
    {"terms_page_id", "a page of the site's settings, which are read as one list"},
    {"privacy_policy_page_id", "a page of the site's settings, which are read as one list"},
    {"restored_from_id", "a revision of the same trip, below the trip's own path"},
    {"refund_id", "a refund of the payment, below the payment's own path"},
    {"saved_method_id", "a payment method of the booking, below the booking's own path"},
};

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

TEST_CASE("each field that is an id of a record says what it refers to, or why it refers to nothing") {
    on_sqlite([](Walk& walk) {
        std::set<std::string> lists, unstated, met;
        std::size_t stated = 0;
        const auto check = [&](const std::string& name, const json::Value& schema) {
            const std::string list = schema.text_or("x-refers-to");
            if (!list.empty()) {
                CHECK(may_be_ids(schema["items"].is_object() && schema["items"].size() == 0
                                     ? json::Value::object({{"type", "integer"}, {"minimum", 1}})
                                     : schema));
                lists.insert(list);
                ++stated;
            } else if (is_called_as_ids(name) && may_be_ids(schema)) {
                met.insert(name);
                if (!ids_without_list.contains(name))
                    unstated.insert(name);
            }
        };
        const auto document = walk.get("/openapi.json").body;
        each_object(document, [&](const json::Value& schema) {
            for (const auto& [name, member] : schema["properties"].members())
                if (member.is_object())
                    check(name, member);
        });
        for (const auto& [path, methods] : document["paths"].members())
            for (const auto& [method, operation] : methods.members())
                if (operation["parameters"].is_array())
                    for (const json::Value& parameter : operation["parameters"].items())
                        if (parameter.text_or("in") == "query")
                            check(parameter["name"].text(), parameter["schema"]);
        for (const std::string& name : unstated) {
            CAPTURE(name);
            FAIL_CHECK("state it by Type::referring_to, or as an exception with its reason");
        }
        CHECK(stated > 100);
        for (const auto& [name, reason] : ids_without_list) {
            CAPTURE(name);
            CHECK(reason.size() >= 15);
            CHECK(met.contains(name));
        }
        for (const std::string& list : lists) {
            CAPTURE(list);
            // Staff are no list of the interface.
            CHECK((list == "." || list == "users" || document["paths"].find("/" + list)));
        }
    });
}

TEST_CASE("a field refers to the list of the table that the facts of its column name") {
    const std::map<std::string_view, std::string_view> tables{{"trips", "svc_trips"},
                                                              {"bookings", "svc_bookings"},
                                                              {"customers", "svc_customers"},
                                                              {"users", "svc_users"},
                                                              {"enquiries", "svc_enquiries"},
                                                              {"payments", "svc_payments"},
                                                              {"departures", "svc_departures"},
                                                              {"recurring-availability", "svc_availability_rules"},
                                                              {"media", "svc_media"},
                                                              {"traveler-categories", "svc_classifications"},
                                                              {"item-types", "svc_classifications"},
                                                              {"items", "svc_classifications"},
                                                              {"reviews", "svc_reviews"}};
    std::size_t compared = 0;
    for (const facts::Table& table : facts::of_base().tables())
        for (const facts::Reference& reference : table.refers)
            if (const auto list = api::referred_by(reference.column, api::id()); !list.empty()) {
                CAPTURE(table.name);
                CAPTURE(reference.column);
                REQUIRE(tables.contains(list));
                CHECK(tables.at(list) == reference.table);
                ++compared;
            }
    CHECK(compared > 40);
}

TEST_CASE("OpenAPI says what may follow a status, as the tables of transitions have it") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        const auto next_of = [&](const char* path) {
            const auto body = written_out(
                document, document["paths"][path]["put"]["requestBody"]["content"]["application/json"]["schema"]);
            return body["properties"]["status"]["x-next"];
        };
        const auto of_booking = next_of("/bookings/{id}/status"), of_payment = next_of("/payments/{id}");
        REQUIRE(of_booking.size() == std::size(booking::status::all));
        for (const std::string_view from : booking::status::all)
            for (const std::string_view to : booking::status::all) {
                const auto& next = of_booking[from].items();
                const bool is_next =
                    std::any_of(next.begin(), next.end(), [&](const json::Value& one) { return one.text() == to; });
                CHECK(is_next == (from != to && booking::may_change(from, to, booking::Cause::staff)));
            }
        CHECK(of_payment["completed"].dump() == R"(["pending","failed","cancelled"])");
        CHECK(of_payment["refunded"].size() == 0);
    });
}

TEST_CASE("a text that is kept as HTML is of that kind in bodies and in answers") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        for (const char* path : {"/destinations", "/difficulty-levels", "/attributes", "/items", "/trips"}) {
            CAPTURE(path);
            const auto body = written_out(
                document, document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]);
            CHECK(body["properties"]["description"].text_or("x-kind") == "html");
            const auto answer = written_out(document, response_of(document, path, "post", 201));
            CHECK(answer["content"]["application/json"]["schema"]["properties"]["data"]["properties"]["description"]
                      .text_or("x-kind") == "html");
        }
    });
}
