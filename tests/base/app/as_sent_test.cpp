// Paths of fields at fault as clients count and name them.
#include "base/app/as_sent.hpp"

#include <doctest/doctest.h>

using namespace svc;
using json::Value;

TEST_CASE("items of lists are named by their index from 0, names of maps as they are, and aliases as they were sent") {
    const api::Schema query{{.name = "ids", .type = api::list(api::id())}};
    const api::Schema body{
        {.name = "travelers", .type = api::list(api::map(api::anything())), .also = {"people"}},
        {.name = "counts", .type = api::map(api::integer())},
        {.name = "form",
         .type = api::object(
             {{.name = "fields", .type = api::list(api::object({{.name = "id", .type = api::text(10)}}))}})},
        {.name = "free", .type = api::anything()}};
    const Value sent_query = *json::parse(R"({"ids":"1,x"})");
    const Value sent = *json::parse(R"({"people":[{}],"counts":{"3":1},"free":{"list":[1,2],"7":0}})");
    const auto named = [&](const char* field) {
        return app::as_sent(invalid(field, "No."_sentence), {query, sent_query, body, sent}).fields().front().field;
    };
    CHECK(named("travelers.1.first_name") == "people.0.first_name");
    CHECK(named("travelers.12.first_name") == "people.11.first_name");
    CHECK(named("travelers") == "people");
    CHECK(named("counts.3") == "counts.3");
    CHECK(named("form.fields.2.id") == "form.fields.1.id");
    CHECK(named("free.list.2") == "free.list.1");
    CHECK(named("free.7") == "free.7");
    CHECK(named("ids.2") == "ids.1");
    CHECK(named("elsewhere.4") == "elsewhere.4");
}
