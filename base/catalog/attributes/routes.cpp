// Public lists from memory, staff's look-ups, and a trip's values.
#include "base/catalog/attributes/routes.hpp"

#include <algorithm>
#include <charconv>

#include "base/catalog/attributes/wire.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/public_answer.hpp"
#include "shared/core/slug.hpp"

namespace svc::catalog::attributes {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using classifications::Type;
using json::Value;

constexpr std::size_t most_at_once = 200;

Permission may_read() { return Permission::any_of({"svc_view_trips", "svc_edit_trips", "svc_manage_trip_taxonomies"}); }
Permission may_write() { return Permission::can("svc_manage_trip_taxonomies"); }

bool is_staff(const api::Caller& caller) {
    return caller.can("svc_view_trips") || caller.can("svc_edit_trips") || caller.can("svc_manage_trip_taxonomies");
}

// The values of a body: {"attributes": {"12": …}} or {"attribute_id": 12, "value": …}, or both.
Result<std::vector<std::pair<std::int64_t, Value>>> values_of(const Value& body) {
    std::vector<std::pair<std::int64_t, Value>> values;
    if (const Value* map = body.find("attributes"); map && map->is_object())
        for (const auto& [name, value] : map->members()) {
            std::int64_t id = 0;
            const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), id);
            if (failure != std::errc{} || end != name.data() + name.size() || id < 1)
                return invalid("attributes." + name, "This attribute does not exist."_sentence);
            values.emplace_back(id, value);
        }
    if (const auto id = body.maybe_integer("attribute_id")) {
        const Value* value = body.find("value");
        if (!value)
            return missing("value");
        values.emplace_back(*id, *value);
    }
    if (values.empty())
        return missing("attributes");
    return values;
}

// The version of the trip that If-Match requires.
Result<Service::Seen> version_seen(const Service& service, const Request& request) {
    return api::if_match_version(request, [&] { return service.version(request.path_id()); });
}

Reply set(Service& service, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto values, values_of(request.body));
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(service, request));
    return api::respond_once(
        request, [&] { return service.set(request.path_id(), values, api::author(request.caller), seen); },
        [](store::Transaction& tx, const trips::Trip& trip) { return api::ok(to_json(Service::values(tx, trip.id))); });
}

Reply remove(Service& service, const Request& request) {
    const auto id = request.path_id("attribute_id");
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(service, request));
    return api::respond_once(
        request, [&] { return service.remove(request.path_id(), id, api::author(request.caller), seen); },
        api::deleted(id));
}

Reply search(const classifications::Service& service, const Request& request) {
    auto items = Value::array();
    for (const auto& attribute : service.list(
             Type::attribute,
             {.search = request.query.text_or("q"), .order_by = "display_order", .ascending = true, .limit = 100}))
        items.push(classifications::to_json(attribute));
    return api::ok(std::move(items));
}

Reply check_slug(const classifications::Service& service, const Request& request) {
    auto slug = text::slug_of(request.query.text_or("slug"), text::longest_slug);
    if (slug.empty())
        return api::failed(invalid("slug", "A slug must contain letters or digits."_sentence));
    const auto [exists, free] =
        service.look_at_slug(Type::attribute, slug, request.query.maybe_integer("exclude_id").value_or(0));
    return api::ok(Value::object({{"exists", exists}, {"suggested_slug", free}}));
}

Reply published(const Request& request, Body body) {
    Reply reply = api::public_answer(request, std::move(body.text), body.etag);
    reply.page = api::PageMeta{.page = 1, .per_page = std::max<std::int64_t>(1, body.total), .total = body.total};
    return reply;
}

void add_public_routes(api::RouteTable& routes, const Service& service) {
    routes.add({.method = Method::get,
                .path = "/attributes/frontend",
                .who = Permission::everyone(),
                .summary = "List the published attributes shown on pages, in order.",
                .answer = public_answer(),
                .waits = false,
                .handle = [&service](const Request& request) { return published(request, service.frontend()); }});
    routes.add({.method = Method::get,
                .path = "/attributes/filterable",
                .who = Permission::everyone(),
                .summary = "List the published attributes that visitors can filter by, in order.",
                .answer = public_answer(),
                .waits = false,
                .handle = [&service](const Request& request) { return published(request, service.filterable()); }});
    routes.add({.method = Method::get,
                .path = "/attributes/values/{id}",
                .name = "listAttributeValues",
                .who = Permission::everyone(),
                .summary = "List the values that published trips have for a public attribute, most frequent first.",
                .answer = api::list(api::object({{.name = "value", .type = api::anything()},
                                                 {.name = "count", .type = api::integer(1)}}),
                                    10'000),
                .errors = {&errc::not_found},
                .handle = [&service](const Request& request) {
                    return api::respond(service.value_counts(request.path_id(), is_staff(request.caller)),
                                        [](const auto& counted) {
                                            auto items = Value::array();
                                            for (const auto& [value, count] : counted)
                                                items.push(Value::object({{"value", value}, {"count", count}}));
                                            return api::ok(std::move(items));
                                        });
                }});
}

void add_staff_routes(api::RouteTable& routes, classifications::Service& classifications) {
    const auto attribute = classifications::answer_of(classifications::kind_of(Type::attribute));
    routes.add({.method = Method::get,
                .path = "/attributes/search",
                .who = may_read(),
                .summary = "Search attributes by name, slug and description; at most 100.",
                .query = {{.name = "q", .type = api::text(200, 2), .help = "At least two letters.", .required = true}},
                .answer = api::list(attribute),
                .handle = [&](const Request& request) { return search(classifications, request); }});
    routes.add({.method = Method::get,
                .path = "/attributes/check-slug",
                .who = may_read(),
                .summary = "Check whether an attribute has this slug, and suggest a free one.",
                .query = {{.name = "slug", .type = api::text(200), .required = true},
                          {.name = "exclude_id",
                           .type = api::integer(0).referring_to("attributes"),
                           .help = "Id of an attribute to ignore."}},
                .answer = api::object(
                    {{.name = "exists", .type = api::boolean()}, {.name = "suggested_slug", .type = api::text(220)}}),
                .handle = [&](const Request& request) { return check_slug(classifications, request); }});
    const auto order =
        api::object({{.name = "id", .type = api::id(), .required = true},
                     {.name = "display_order", .type = api::integer(0, 1'000'000'000), .required = true}});
    routes.add({.method = Method::post,
                .path = "/attributes/orders",
                .name = "reorderAttributes",
                .who = may_write(),
                .summary = "Reorder attributes.",
                .body = {{.name = "orders", .type = api::list(order, 1000, 1), .required = true}},
                .answer = api::object({{.name = "updated", .type = api::integer(0)}}),
                .repeats_safely = true,
                .handle = [&](const Request& request) {
                    std::vector<std::pair<std::int64_t, std::int64_t>> orders;
                    for (const Value& each : request.body["orders"].items())
                        orders.emplace_back(each["id"].integer(), each["display_order"].integer());
                    return api::ok(Value::object({{"updated", classifications.reorder(Type::attribute, orders)}}));
                }});
}

void add_trip_routes(api::RouteTable& routes, Service& service) {
    routes.add({.method = Method::get,
                .path = "/trips/{id}/attributes",
                .who = Permission::everyone(),
                .summary = "List a published trip's public attribute values; staff see all attributes of any trip.",
                .answer = values_answer(),
                .errors = {&errc::trip_not_found},
                .handle = [&service](const Request& request) {
                    return api::respond(service.values(request.path_id(), is_staff(request.caller)),
                                        [](const auto& all) { return api::ok(to_json(all)); });
                }});
    routes.add({.method = Method::post,
                .path = "/trips/{id}/attributes",
                .who = may_write(),
                .summary = "Set a trip's values of these attributes; an empty value removes one.",
                .body = {{.name = "attributes",
                          .type = api::map(api::anything(), most_at_once),
                          .help = "Values by attribute id; each is validated against its attribute."},
                         {.name = "attribute_id", .type = api::id(), .help = "Id of a single attribute."},
                         {.name = "value",
                          .type = api::anything(),
                          .help = "Value of the single attribute; null removes it."}},
                .answer = values_answer(),
                .errors = {&errc::trip_not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&service](const Request& request) { return set(service, request); }});
    routes.add({.method = Method::del,
                .path = "/trips/{id}/attributes/{attribute_id}",
                .who = may_write(),
                .summary = "Remove a trip's value of an attribute.",
                .answer = api::deleted(),
                .errors = {&errc::trip_not_found, &errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&service](const Request& request) { return remove(service, request); }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& service, classifications::Service& classifications) {
    add_public_routes(routes, service);
    add_staff_routes(routes, classifications);
    add_trip_routes(routes, service);
}

}  // namespace svc::catalog::attributes
