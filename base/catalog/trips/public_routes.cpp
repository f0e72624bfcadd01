// The public catalogue: answers from memory, and what caches need to know of them.
#include "base/catalog/trips/routes.hpp"
#include "base/catalog/trips/wire.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::catalog::trips {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

Reply public_list(const Service& trips, const Request& request) {
    const auto page = api::page_of(*request.route, request.query);
    if (!page)
        return api::failed(page.error());
    const auto decimal = [&](std::string_view name) -> std::optional<std::string> {
        const auto* value = request.query.find(name);
        return value && !value->is_null() ? std::optional(value->number_text()) : std::nullopt;
    };
    auto shown = trips.shown().page({.page = page->page,
                                     .per_page = page->per_page,
                                     .order_by = page->order_by,
                                     .ascending = page->ascending,
                                     .search = request.query.text_or("search"),
                                     .trip_type = request.query.text_or("trip_type"),
                                     .min_price = decimal("min_price"),
                                     .max_price = decimal("max_price")});
    Reply reply = api::public_answer(request, std::move(shown.body.text), shown.body.etag);
    reply.page = api::PageMeta{page->page, page->per_page, shown.total};
    return reply;
}

Reply public_one(const Service& trips, const Request& request) {
    const Shown trip = trips.shown().by_slug(request.path["slug"].text());
    if (!trip)
        return api::failed(errc::trip_not_found);
    return api::public_answer(request, trip->body.text, trip->body.etag);
}

}  // namespace

void add_public_routes(api::RouteTable& routes, const Service& trips) {
    routes.add(
        {.method = Method::get,
         .path = "/trips/public",
         .who = Permission::everyone(),
         .summary = "The published trips.",
         .query = {{.name = "trip_type", .type = api::choice({"single_day", "multi_day"}), .says = "Only these."},
                   {.name = "min_price", .type = api::money(), .says = "Least displayed price."},
                   {.name = "max_price", .type = api::money(), .says = "Most displayed price."}},
         .is_list = true,
         .sortable = {"created_at", "title", "price", "duration"},
         .answer = api::list(trip_answer()),
         .waits = false,
         .handle = [&trips](const Request& request) { return public_list(trips, request); }});
    routes.add({.method = Method::get,
                .path = "/trips/public/{slug}",
                .who = Permission::everyone(),
                .summary = "One published trip by its slug; an archived one too, which cannot be booked.",
                .answer = trip_answer(),
                .errors = {&errc::trip_not_found},
                .waits = false,
                .handle = [&trips](const Request& request) { return public_one(trips, request); }});
}

}  // namespace svc::catalog::trips
