// RouteSpecs of discounts: staff's own, and the group discounts that everyone may see.
#include "base/discounts/routes.hpp"

#include "base/discounts/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/rehearsal.hpp"

namespace svc::discounts {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr const char* manage = "svc_manage_discounts";

Reply created_reply(const Discount& discount) {
    return api::created(to_json(discount), "/discounts/" + std::to_string(discount.id));
}
Reply shown_reply(const Discount& discount) { return api::ok(to_json(discount)); }

Service::Kept keeping(const Request& request, Reply (*reply)(const Discount&)) {
    if (!request.keep_reply)
        return {};
    return [&request, reply](store::Transaction& tx, const Discount& discount) {
        request.keep_reply(tx, reply(discount));
    };
}

Reply create(Service& discounts, const Request& request) {
    return api::respond(discounts.create(change_of(request.body, discounts.look().zone), request.caller.user_id,
                                         keeping(request, created_reply)),
                        created_reply);
}

Reply update(Service& discounts, const Request& request) {
    return api::respond(discounts.update(request.path_id(), change_of(request.body, discounts.look().zone),
                                         request.caller.user_id, keeping(request, shown_reply)),
                        shown_reply);
}

// What the rules look at beside a field.
const std::vector<std::pair<std::string_view, std::string_view>> compared{
    {"amount", "type"},
    {"code", "discount_mode"},
    {"amount", "discount_mode"},
    {"code", "is_group_discount"},
    {"amount", "is_group_discount"},
    {"group_discount_amount", "is_group_discount"},
    {"expiry_date", "valid_from"},
    {"max_group_size", "min_group_size"},
    {"group_discount_amount", "group_discount_type"},
    {"group_discount_amount", "discount_mode"},
    {"group_discount_amount", "group_discount_ranges"},
    {"group_discount_amount", "category_discounts"}};

void add_list(api::RouteTable& routes, Service& discounts) {
    routes.add(
        {.method = Method::get,
         .path = "/discounts",
         .who = Permission::can(manage),
         .summary = "List coupons and group discounts.",
         .query = api::Schema{{"type", api::choice({"percentage", "fixed"}), "Only discounts of this type."}}.plus(
             api::period_fields()),
         .is_list = true,
         .sortable = sort_keys(),
         .statuses = {status::all.begin(), status::all.end()},
         .answer = api::list(discount_answer(), 100),
         .handle = [&discounts](const Request& request) {
             const auto page = api::page_of(*request.route, request.query);
             if (!page)
                 return api::failed(page.error());
             const auto made = api::period_of(request.query, discounts.zone());
             if (!made)
                 return api::failed(made.error());
             const auto [found, total] = discounts.list({.status = request.query.text_or("status"),
                                                         .type = request.query.text_or("type"),
                                                         .search = request.query.text_or("search"),
                                                         .from = made->from,
                                                         .to = made->to,
                                                         .order_by = page->order_by,
                                                         .ascending = page->ascending,
                                                         .limit = page->per_page,
                                                         .offset = page->offset()});
             Value items = Value::array();
             for (const Discount& each : found)
                 items.push(to_json(each));
             return api::listed(std::move(items), *page, total);
         }});
}

void add_one(api::RouteTable& routes, Service& discounts) {
    routes.add({.method = Method::post,
                .path = "/discounts",
                .who = Permission::can(manage),
                .summary = "Create a discount; group fields require the module advanced_discount.",
                .body = written_fields(true),
                .answer = discount_answer(),
                .success = 201,
                .errors = {&errc::conflict},
                .keeps_own_reply = true,
                .handle = [&discounts](const Request& request) { return create(discounts, request); },
                .rules =
                    [&discounts](const Request& request) {
                        return api::rehearsed(request, [&](const Request& trial) { return create(discounts, trial); });
                    },
                .beside = compared});
    routes.add({.method = Method::get,
                .path = "/discounts/{id}",
                .who = Permission::can(manage),
                .summary = "Return a discount.",
                .answer = discount_answer(),
                .errors = {&errc::not_found},
                .handle = [&discounts](const Request& request) {
                    const auto found = discounts.find(request.path_id());
                    return found ? shown_reply(*found) : api::failed(errc::not_found);
                }});
    routes.add({.method = Method::put,
                .path = "/discounts/{id}",
                .who = Permission::can(manage),
                .summary = "Update a discount; existing bookings keep their discount.",
                .body = written_fields(false),
                .answer = discount_answer(),
                .errors = {&errc::not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&discounts](const Request& request) { return update(discounts, request); },
                .rules =
                    [&discounts](const Request& request) {
                        return api::rehearsed(request, [&](const Request& trial) { return update(discounts, trial); });
                    },
                .beside = compared});
    routes.add({.method = Method::del,
                .path = "/discounts/{id}",
                .who = Permission::can(manage),
                .summary = "Delete an unused discount; set the status trash for a used one.",
                .answer = api::deleted(),
                .errors = {&errc::not_found, &errc::in_use},
                .keeps_own_reply = true,
                .handle = [&discounts](const Request& request) {
                    Reply reply = api::ok(Value::object({{"id", request.path_id()}, {"deleted", true}}));
                    const api::Keeping keeping(request, reply);
                    const auto removed = discounts.remove(request.path_id());
                    return removed ? std::move(reply) : api::failed(removed.error());
                }});
    routes.add({.method = Method::get,
                .path = "/discounts/stats",
                .who = Permission::can(manage),
                .summary = "Count discounts by status; all excludes the trash.",
                .answer = api::object({{"all", api::integer(0), "", true},
                                       {"publish", api::integer(0), "", true},
                                       {"draft", api::integer(0), "", true},
                                       {"trash", api::integer(0), "", true},
                                       {"expired", api::integer(0), "", true}}),
                .handle = [&discounts](const Request&) {
                    const Counts counts = discounts.counts();
                    return api::ok(Value::object({{"all", counts.all},
                                                  {"publish", counts.publish},
                                                  {"draft", counts.draft},
                                                  {"trash", counts.trash},
                                                  {"expired", counts.expired}}));
                }});
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
    routes.add({.method = Method::get,
                .path = "/discounts/group-discounts",
                .who = Permission::everyone(),
                .summary = "List the group discounts of trips, by trip.",
                .query = {{"trip_ids", api::list(api::id(), most_trips, 1), "Ids of published trips.", true}},
                .answer = api::map(api::object({{"has_group_discounts", api::boolean(), "", true},
                                                {"discounts", api::list(public_answer(), most_shown), "", true},
                                                {"summary", api::text(20'000)}}),
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
    add_list(routes, parts.discounts);
    add_one(routes, parts.discounts);
    add_groups(routes, parts);
}

}  // namespace svc::discounts
