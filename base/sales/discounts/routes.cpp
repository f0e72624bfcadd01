// RouteSpecs of discounts: staff's own, and the group discounts that everyone may see.
#include "base/sales/discounts/routes.hpp"

#include "base/sales/discounts/wire.hpp"

namespace svc::discounts {
namespace {

using api::Method;
using api::Permission;
using api::Request;
using json::Value;

void add_staff_routes(api::RouteTable& routes, const resource::Resource<Discount>& discounts) {
    auto list = discounts.list_route();
    list.summary = "Coupons and group discounts.";
    auto create = discounts.create_route();
    create.summary = "Make a discount; its fields about groups need the module advanced_discount.";
    auto update = discounts.update_route();
    update.summary = "Change a discount; only what is sent changes, and bookings keep what they have.";
    for (api::RouteSpec* write : {&create, &update}) {
        write->body = with_written_forms(write->body);
        write->beside = compared_fields;
    }
    auto remove = discounts.remove_route();
    remove.summary = "Delete a discount that no booking had; one that bookings had goes to the trash by its status.";
    for (auto& spec : {std::move(list), std::move(create), discounts.read_route(), std::move(update), std::move(remove),
                       discounts.stats_route(), discounts.bulk_route()})
        routes.add(spec);
}

Value groups_json(const std::vector<Shared>& groups, const settings::Look& look) {
    Value list = Value::array();
    std::string summary;
    for (const Shared& each : groups) {
        Value shown = to_public_json(*each, look);
        summary += (summary.empty() ? "" : "; ") + shown["range_label"].text() + ": " + shown["discount_label"].text();
        list.push(std::move(shown));
    }
    return Value::object(
        {{"has_group_discounts", !groups.empty()}, {"discounts", std::move(list)}, {"summary", summary}});
}

void add_groups(api::RouteTable& routes, const Routes& parts) {
    constexpr std::size_t most_trips = 100, most_shown = 100;
    routes.add(
        {.method = Method::get,
         .path = "/discounts/group-discounts",
         .who = Permission::everyone(),
         .summary = "List the group discounts of trips, by trip.",
         .query = {{.name = "trip_ids",
                    .type = api::list(api::id(), most_trips, 1),
                    .help = "Ids of published trips.",
                    .required = true}},
         .answer = api::map(
             api::object({{.name = "has_group_discounts", .type = api::boolean(), .required = true},
                          {.name = "discounts", .type = api::list(public_answer(), most_shown), .required = true},
                          {.name = "summary", .type = api::text(20'000)}}),
             most_trips),
         .handle = [parts](const Request& request) {
             Value trips = Value::object();
             const settings::Look look = parts.discounts.look();
             for (const Value& each : request.query["trip_ids"].items()) {
                 const std::int64_t trip = each.integer();
                 const auto currency = parts.trip_currency(trip);
                 if (!currency)
                     continue;
                 auto groups = parts.discounts.has_groups() ? parts.discounts.groups_of(trip, *currency, nullptr)
                                                            : std::vector<Shared>();
                 if (groups.size() > most_shown)
                     groups.resize(most_shown);
                 trips.set(std::to_string(trip), groups_json(groups, look));
             }
             return api::ok(std::move(trips));
         }});
}

}  // namespace

void add_routes(api::RouteTable& routes, const Routes& parts) {
    add_staff_routes(routes, parts.discounts.resource());
    add_groups(routes, parts);
}

}  // namespace svc::discounts
