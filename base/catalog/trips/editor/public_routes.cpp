// The public catalogue: answers from memory, and what caches need to know of them.
#include <algorithm>
#include <array>

#include "base/catalog/trips/editor/routes.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/wire.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/log.hpp"
#include "shared/core/uri.hpp"

namespace svc::catalog::trips {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

constexpr std::array<std::string_view, 14> of_staff{"custom_fields",
                                                    "scheduled_publish_at",
                                                    "scheduled_unpublish_at",
                                                    "revenue_total",
                                                    "last_viewed_at",
                                                    "last_booked_at",
                                                    "version",
                                                    "row_version",
                                                    "created_by",
                                                    "created_by_name",
                                                    "updated_by",
                                                    "updated_by_name",
                                                    "status_before_trash",
                                                    "deleted_at"};

// The type that staff read, without staff's fields and without fields that are not cached.
api::Type for_everyone(const api::Type& answer, const Parts& parts) {
    const auto& all = answer.members->fields();
    std::vector<api::Field> fields(all.begin(), all.end());
    std::erase_if(fields, [&](const api::Field& field) {
        return std::find(of_staff.begin(), of_staff.end(), field.name) != of_staff.end() ||
               std::any_of(parts.begin(), parts.end(),
                           [&](const auto& part) { return part->name() == field.name && !part->is_content(); });
    });
    return api::object("Public" + answer.members->name(), api::Schema(std::move(fields)));
}

// Without what only the answer for one trip has, though rows for staff have it.
api::Type row_for_everyone(const Parts& parts) {
    const api::Type row = trip_row(parts);
    const auto& all = row.members->fields();
    std::vector<api::Field> fields(all.begin(), all.end());
    std::erase_if(fields, [](const api::Field& field) { return field.name == "seasons"; });
    return for_everyone(api::object(row.members->name(), api::Schema(std::move(fields))), parts);
}

PublicQuery query_of(const json::Value& given, const api::Page& page) {
    const auto decimal = [&](std::string_view name) -> std::optional<std::string> {
        const auto* value = given.find(name);
        return value && !value->is_null() ? std::optional(value->number_text()) : std::nullopt;
    };
    PublicQuery query{.page = page.page,
                      .per_page = page.per_page,
                      .order_by = page.order_by,
                      .ascending = page.ascending,
                      .search = given.text_or("search"),
                      .trip_type = given.text_or("trip_type"),
                      .min_price = decimal("min_price"),
                      .max_price = decimal("max_price"),
                      .min_duration = given.maybe_integer("min_duration"),
                      .max_duration = given.maybe_integer("max_duration"),
                      .facets = given.maybe_boolean("facets").value_or(false)};
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind)
        query.classes[kind] = given.text_or(kind_names[kind]);
    return query;
}

// The conditions on parts, from the query parameters with their names.
Result<std::vector<FactFilter>> filters_of(const json::Value& given, const Parts& parts) {
    std::vector<FactFilter> all;
    for (const auto& part : parts) {
        const json::Value* filter = part->filter_description().empty() ? nullptr : given.find(part->name());
        if (!filter || filter->is_null())
            continue;
        auto wishes = part->filters_for(*filter);
        if (!wishes)
            return wishes;
        all.insert(all.end(), wishes->begin(), wishes->end());
    }
    return all;
}

api::Schema public_filters(const Parts& parts) {
    using namespace api;
    using api::text;
    constexpr std::size_t most_wishes = 20, most_included = 100;
    std::vector<Field> of_parts;
    for (const auto& part : parts)
        if (const auto help = part->filter_description(); !help.empty())
            of_parts.push_back(
                {.name = std::string(part->name()), .type = map(anything(), most_wishes), .help = std::string(help)});
    const Schema own{
        {.name = "destination", .type = text(200), .help = "Only trips of this destination, given by id or slug."},
        {.name = "activity", .type = text(200), .help = "Only trips with this activity, given by id or slug."},
        {.name = "trip_category", .type = text(200), .help = "Only trips of this category, given by id or slug."},
        {.name = "difficulty", .type = text(200), .help = "Only trips of this difficulty level, given by id or slug."},
        {.name = "trip_type", .type = choice({"single_day", "multi_day"}), .help = "Only trips of this type."},
        {.name = "min_price", .type = money(), .help = "Minimum bookable price."},
        {.name = "max_price", .type = money(), .help = "Maximum bookable price."},
        {.name = "min_duration", .type = integer(0, 100'000), .help = "Minimum number of days."},
        {.name = "max_duration", .type = integer(0, 100'000), .help = "Maximum number of days."},
        {.name = "min_rating", .type = money(), .help = "Minimum average rating, such as 4.5."},
        {.name = "include",
         .type = list(id(), most_included, 1),
         .help = "The trips with these ids, in this order; then no other filter and no orderby counts."},
        {.name = "facets", .type = boolean(), .help = "Whether to return counts by filter value in meta.facets."}};
    return own.plus(period_fields()).plus(Schema(std::move(of_parts)));
}

// The answer of facets_of.
api::Schema facet_members() {
    using namespace api;
    using api::text;
    std::vector<Field> fields;
    fields.reserve(kind_names.size());
    for (const std::string_view kind : kind_names)
        fields.push_back({.name = std::string(kind),
                          .type = list(object("Facet", {{.name = "id", .type = id()},
                                                        {.name = "name", .type = api::text(255)},
                                                        {.name = "slug", .type = api::text(200)},
                                                        {.name = "count", .type = integer(1)}}),
                                       10'000)});
    fields.push_back({.name = "trip_type",
                      .type = list(object({{.name = "trip_type", .type = choice({"single_day", "multi_day"})},
                                           {.name = "count", .type = integer(1)}}))});
    fields.push_back(
        {.name = "rating",
         .type = list(object({{.name = "min_rating", .type = integer(1, 5)}, {.name = "count", .type = integer(1)}})),
         .help = "Trips with at least that average rating."});
    fields.push_back({.name = "price",
                      .type = list(object({{.name = "currency", .type = api::text(3)},
                                           {.name = "min", .type = money()},
                                           {.name = "max", .type = money()}}))});
    const Type counted = object({{.name = "value", .type = api::text(10'000)}, {.name = "count", .type = integer(1)}});
    fields.push_back({.name = "attributes",
                      .type = list(object({{.name = "id", .type = id()},
                                           {.name = "min", .type = api::text(40), .help = "Only for ranges."},
                                           {.name = "max", .type = api::text(40), .help = "Only for ranges."},
                                           {.name = "values", .type = list(counted, 100'000)}}),
                                   1000)});
    return Schema(std::move(fields));
}

// Hundredths of a star.
Result<std::optional<std::int64_t>> rating_of(const json::Value& query) {
    const auto* given = query.find("min_rating");
    if (!given || given->is_null())
        return std::optional<std::int64_t>();
    const auto stars = parse_exact(given->number_text(), Currency::usd());
    if (!stars || stars->minor() > 500)
        return Error{errc::validation_error, "Enter a rating from 0 to 5."_sentence}.at(
            "min_rating", "Enter a rating from 0 to 5 with at most two decimals."_sentence);
    return std::optional(stars->minor());
}

// The filters of the list after the listeners.
json::Value filters_after_hooks(const hooks::Hooks& hooks, const Request& request) {
    json::Value filtered = hooks.apply(listing_filters, request.query, {});
    if (filtered == request.query)
        return filtered;
    auto clean = api::list_parameters(*request.route).plus(request.route->query).check(filtered);
    if (clean)
        return std::move(*clean);
    log::warning("filter_ignored", {{"filter", listing_filters.name}, {"why", clean.error().message().english()}});
    return request.query;
}

std::int64_t most_per_page(const hooks::Hooks& hooks, const json::Value& query) {
    constexpr std::int64_t most = 100;
    static const api::Type allowed = api::integer(1, most);
    const auto filtered = allowed.check(hooks.apply(listing_max_per_page, most, {query}), "per_page");
    return filtered ? filtered->integer() : most;
}

// The page with the listeners' trips and extra fields; never cached.
Reply page_after_hooks(const hooks::Hooks& hooks, const PublicPage& shown, const json::Value& query) {
    Reply reply = api::ok(hooks.apply(listing, shown.data(), {query}));
    reply.more_meta = hooks.apply(listing_context, json::Value::object(), {query});
    for (const std::string_view ours : {"page", "per_page", "total", "total_pages"})
        reply.more_meta.erase(ours);
    if (const json::Value nonce = hooks.apply(listing_nonce, "", {query}); !nonce.text().empty())
        reply.more_meta.set("nonce", nonce);
    if (shown.facets)
        reply.more_meta.set("facets", *shown.facets);
    return reply;
}

// A page as memory has it: the text for sockets, the rows for callers in this process.
Reply page_as_held(const PublicTrips& trips, const Request& request, const std::shared_ptr<const PublicPage>& shown) {
    if (!request.takes_held)
        return trips.bodies().answer(request, shown->body().text, shown->body().etag);
    Reply reply;
    if (shown->facets)
        reply.more_meta = json::Value::object({{"facets", *shown->facets}});
    reply.held = shown;
    return reply;
}

// The published ones among these trips, in the given order, each once.
Result<Reply> chosen_trips(const Service& trips, const json::Value& ids, const api::Page& page) {
    std::vector<std::int64_t> wanted;
    for (const json::Value& id : ids.items())
        if (std::find(wanted.begin(), wanted.end(), id.integer()) == wanted.end() &&
            trips.public_trips().published(id.integer()))
            wanted.push_back(id.integer());
    json::Array rows;
    const auto total = static_cast<std::int64_t>(wanted.size());
    for (std::int64_t i = page.offset(); i < std::min(total, page.offset() + page.per_page); ++i)
        if (const Shown trip = trips.public_trips().published(wanted[static_cast<std::size_t>(i)]))
            rows.push_back(trip->row());
    return api::list_reply(std::move(rows), page, total);
}

Reply public_list(const Service& trips, const Request& request) {
    const auto asks = [&](const hooks::Filter& filter) { return trips.asks(filter); };
    const bool anew = asks(listing) || asks(listing_context) || asks(listing_nonce);
    const bool filtered = (asks(listing_filters) || asks(listing_max_per_page) || anew) &&
                          trips.hooks().apply(is_trip_listing, true, {request.query}).boolean();
    const json::Value given = filtered ? filters_after_hooks(trips.hooks(), request) : request.query;
    SVC_ASSIGN_OR_RETURN(auto page, api::page_of(*request.route, given));
    if (filtered)
        page.per_page = std::min(page.per_page, most_per_page(trips.hooks(), given));
    if (const auto* ids = given.find("include"); ids && ids->is_array()) {
        SVC_ASSIGN_OR_RETURN(auto reply, chosen_trips(trips, *ids, page));
        return reply;
    }
    PublicQuery query = query_of(given, page);
    SVC_ASSIGN_OR_RETURN(auto rating, rating_of(given));
    query.min_rating = rating;
    SVC_ASSIGN_OR_RETURN(auto wishes, filters_of(given, trips.showing().parts));
    query.wishes = std::move(wishes);
    if (given.find("from") || given.find("to")) {
        const Zone zone = trips.zone();
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(given, zone));
        if (period.from)
            query.from = zone.date_at(*period.from);
        if (period.to)
            query.to = zone.date_at(period.to->plus(std::chrono::microseconds(-1)));
    }
    const auto shown = trips.public_trips().page(query);
    Reply reply = filtered && anew ? page_after_hooks(trips.hooks(), *shown, given)
                                   : page_as_held(trips.public_trips(), request, shown);
    reply.page = api::PageMeta{page.page, page.per_page, shown->total};
    return reply;
}

// Permanent: an address that was published leads to the trip's current one.
Reply moved_to(const Trip& trip) {
    Reply reply;
    reply.status = 301;
    reply.headers.emplace_back("Location", text::uri_component(trip.slug));
    reply.headers.emplace_back("Cache-Control", "public, no-cache");
    return reply;
}

Reply public_one(Service& trips, const Request& request) {
    const std::string& slug = request.path["slug"].text();
    const Shown trip = trips.public_trips().by_slug(slug);
    if (!trip) {
        const Shown moved = trips.public_trips().by_old_slug(slug);
        return moved ? moved_to(moved->trip) : api::failed(errc::trip_not_found);
    }
    // Does not count staff's views.
    if (!request.caller.can("svc_view_trips"))
        trips.views().count(trip->trip.id);
    if (request.takes_held) {
        Reply reply;
        reply.held = std::make_shared<const HeldTrip>(trip);
        return reply;
    }
    return trips.public_trips().bodies().answer(request, trip->body.text, trip->body.etag);
}

}  // namespace

void add_public_routes(api::RouteTable& routes, Service& trips) {
    routes.add({.method = Method::get,
                .path = "/trips/public",
                .who = Permission::everyone(),
                .summary = "List published trips.",
                .query = public_filters(trips.showing().parts),
                .is_list = true,
                .sortable = {"created_at", "title", "price", "duration", "avg_rating"},
                .ranked = true,
                .statuses = {"publish"},
                .answer = api::with_meta(
                    api::list(row_for_everyone(trips.showing().parts)),
                    {{.name = "facets", .type = api::object(facet_members()), .help = "Only with facets."}}),
                .waits = false,
                .handle = [&trips](const Request& request) { return public_list(trips, request); }});
    routes.add({.method = Method::get,
                .path = "/trips/public/{slug}",
                .who = Permission::everyone(),
                .summary = "Return a published or archived trip by its slug; redirects (301) from former slugs.",
                .answer = for_everyone(trip_answer(trips.showing().parts), trips.showing().parts),
                .errors = {&errc::trip_not_found},
                .waits = false,
                .handle = [&trips](const Request& request) { return public_one(trips, request); }});
}

}  // namespace svc::catalog::trips
