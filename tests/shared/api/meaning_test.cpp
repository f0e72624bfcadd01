// What OpenAPI says of a field beyond its shape: kinds, references and next statuses; and the names of operations.
#include "shared/api/meaning.hpp"

#include <doctest/doctest.h>

#include "shared/api/route.hpp"

using namespace svc;
using api::FieldKind;

namespace {

// The property of a field with that name and type.
json::Value property(const std::string& name, const api::Type& type) {
    return api::Schema{{.name = name, .type = type}}.json_schema()["properties"][name];
}
std::string mark(const char* which, const std::string& name, const api::Type& type) {
    return property(name, type).text_or(which);
}

std::string name_of(api::Method method, const std::string& path, const std::string& name = {}) {
    return api::operation_name({.method = method, .path = path, .name = name, .who = api::Permission::everyone()});
}

}  // namespace

TEST_CASE("a reference is stated by the type, or by a name that means the same everywhere") {
    CHECK(mark("x-refers-to", "trip_id", api::id()) == "trips");
    CHECK(mark("x-refers-to", "trip_id", api::integer(0).or_null()) == "trips");
    CHECK(mark("x-refers-to", "trip_ids", api::list(api::id())) == "trips");
    CHECK(mark("x-refers-to", "destinations", api::list(api::anything())) == "destinations");
    CHECK(mark("x-refers-to", "form_id", api::id().referring_to("consent/forms")) == "consent/forms");
    CHECK(mark("x-refers-to", "rule_id", api::id().referring_to("dynamic-pricing/rules")) == "dynamic-pricing/rules");
}

TEST_CASE("a name alone refers to nothing where the type holds no ids") {
    CHECK(mark("x-refers-to", "source_id", api::text(191)).empty());
    CHECK(mark("x-refers-to", "trips", api::integer(0)).empty());  // how many
    CHECK(mark("x-refers-to", "trip_id", api::integer(1, 5)).empty());
    CHECK(mark("x-refers-to", "destinations", api::list(api::text(100))).empty());
    CHECK(mark("x-refers-to", "trip_ids", api::id()).empty());
    CHECK(mark("x-refers-to", "unheard_of_id", api::id()).empty());
}

TEST_CASE("a kind is stated by the type, or by a name that means the same everywhere") {
    CHECK(mark("x-kind", "description", api::html(5000)) == "html");
    CHECK(mark("x-kind", "price", api::money()) == "money");
    CHECK(mark("x-kind", "share", api::percent().or_null()) == "percentage");
    CHECK(mark("x-kind", "opens", api::time()) == "time");
    CHECK(mark("x-kind", "featured_image", api::id()) == "picture");
    CHECK(mark("x-kind", "gallery", api::list(api::id())) == "picture");
    CHECK(mark("x-kind", "color", api::text(7)) == "color");
    CHECK(mark("x-kind", "slug", api::text(200)) == "slug");
    CHECK(mark("x-kind", "country", api::text(60)) == "country");
    CHECK(mark("x-kind", "currency", api::text(3, 3)) == "currency");
    CHECK(mark("x-kind", "timezone", api::text(64)) == "zone");
    CHECK(mark("x-kind", "locale", api::text(20)) == "language");
    CHECK(mark("x-kind", "phone", api::text(40)) == "phone");
    CHECK(mark("x-kind", "password", api::raw_text(1024)) == "secret");
    CHECK(mark("x-kind", "video", api::text(2000).of_kind(FieldKind::url)) == "url");
    CHECK(mark("x-kind", "color", api::map(api::anything())).empty());
    CHECK(mark("x-kind", "name", api::text(255)).empty());
}

TEST_CASE("a long text that keeps its line breaks is of lines") {
    CHECK(mark("x-kind", "remark", api::raw_text(301)) == "lines");
    CHECK(mark("x-kind", "remark", api::raw_text(300)).empty());
    CHECK(mark("x-kind", "remark", api::text(5000)).empty());
}

TEST_CASE("each kind has a name, by which it is found; an unknown name is no kind") {
    std::size_t known = 0;
    for (std::uint8_t i = 1; i <= static_cast<std::uint8_t>(FieldKind::percentage); ++i, ++known) {
        const auto kind = static_cast<FieldKind>(i);
        CAPTURE(api::name_of(kind));
        CHECK_FALSE(api::name_of(kind).empty());
        CHECK(api::kind_named(api::name_of(kind)) == kind);
    }
    CHECK(known > 15);
    CHECK(api::kind_named("hologram") == FieldKind::none);
    CHECK(api::kind_named("") == FieldKind::none);
}

TEST_CASE("a status says what may follow it, by the rule of its feature") {
    constexpr std::string_view all[] = {"open", "held", "closed"};
    const auto next = api::next_statuses(
        all, [](std::string_view from, std::string_view to) { return from != "closed" && to != "held"; });
    CHECK(property("status", api::text(20).followed_by(next))["x-next"].dump() ==
          R"({"open":["closed"],"held":["open","closed"],"closed":[]})");
    CHECK_FALSE(property("status", api::text(20)).find("x-next"));
}

TEST_CASE("an operation is named by its route, else by its method and path") {
    using api::Method;
    CHECK(name_of(Method::post, "/booking/create", "placeBooking") == "placeBooking");
    CHECK(name_of(Method::get, "/trips/{id}") == "getTrip");
    CHECK(name_of(Method::post, "/trip-categories") == "createTripCategory");
    CHECK(name_of(Method::post, "/trips/{id}/restore") == "restoreTrip");
    CHECK(name_of(Method::del, "/trips/{trip_id}/departures/{id}") == "deleteTripDeparture");
    CHECK(name_of(Method::put, "/customers/bulk") == "bulkUpdateCustomers");
}
