// Create, read, update and delete at /additional-services.
#include "pro/additional_services/routes.hpp"

#include "shared/api/period.hpp"

namespace svc::pro::additional_services {
namespace {

// The fields a caller writes. A new one needs a name; an update changes what it is sent.
api::Schema written_schema(bool is_new) {
    const auto otherwise = [&](json::Value value) { return is_new ? std::optional(std::move(value)) : std::nullopt; };
    return {{.name = "name", .type = api::text(190, 1), .says = "As the customer reads it.", .required = is_new},
            {.name = "description", .type = api::raw_text(2000)},
            {.name = "price", .type = api::decimal(0), .says = "An amount, or a percent.", .otherwise = otherwise(0)},
            {.name = "price_type",
             .type = api::choice({"fixed", "percentage"}),
             .says = "percentage: of the trip's price.",
             .otherwise = otherwise("fixed")},
            {.name = "price_per", .type = api::choice({"person", "booking", "day"}), .otherwise = otherwise("person")},
            {.name = "max_quantity", .type = api::integer(1, 1000).or_null(), .says = "Null: any."},
            {.name = "icon", .type = api::text(100)},
            {.name = "status", .type = api::choice({"publish", "draft", "trash"}), .otherwise = otherwise("draft")},
            {.name = "sort_order", .type = api::integer(0, 1'000'000)},
            {.name = "applicable_to", .type = api::choice({"all", "specific_trips"}), .otherwise = otherwise("all")},
            {.name = "trip_ids", .type = api::list(api::id()), .says = "Of specific_trips."},
            {.name = "is_required", .type = api::boolean(), .says = "Comes with every booking."},
            {.name = "is_included", .type = api::boolean(), .says = "Costs nothing."},
            {.name = "is_taxable", .type = api::boolean()}};
}

api::Schema shown_schema() {
    const api::Schema trip{{.name = "id", .type = api::id()}, {.name = "title", .type = api::text(255)}};
    return api::Schema{{.name = "id", .type = api::id()}}
        .plus(written_schema(false))
        .plus({{.name = "currency", .type = api::text(3), .says = "Of a fixed price and of total_revenue."},
               {.name = "trips", .type = api::list(api::object(trip))},
               {.name = "trips_count", .type = api::integer(0)},
               {.name = "bookings_count", .type = api::integer(0)},
               {.name = "total_revenue", .type = api::money()},
               {.name = "created_at", .type = api::instant()},
               {.name = "updated_at", .type = api::instant()}});
}

json::Value shown(const AdditionalService& service) {
    auto ids = json::Value::array();
    auto trips = json::Value::array();
    for (const auto& [id, title] : service.trips) {
        ids.push(json::Value(id));
        trips.push(json::Value::object({{"id", id}, {"title", title}}));
    }
    const bool is_percentage = service.price.type == "percentage";
    return json::Value::object(
        {{"id", service.id},
         {"name", service.name},
         {"description", service.description},
         {"price", is_percentage ? json::Value(service.price.rate) : json::Value(service.price.amount)},
         {"price_type", service.price.type},
         {"price_per", service.price.per},
         {"max_quantity", service.max_quantity},
         {"icon", service.icon},
         {"status", service.status},
         {"sort_order", service.sort_order},
         {"applicable_to", service.applicable_to},
         {"trip_ids", std::move(ids)},
         {"is_required", service.is_required},
         {"is_included", service.is_included},
         {"is_taxable", service.is_taxable},
         {"currency", service.price.amount.currency().code()},
         {"trips", std::move(trips)},
         {"trips_count", static_cast<std::uint64_t>(service.trips.size())},
         {"bookings_count", service.bookings_count},
         {"total_revenue", service.total_revenue},
         {"created_at", service.created_at},
         {"updated_at", service.updated_at}});
}

Changes changes_from(const json::Value& body) {
    Changes changes;
    changes.name = body.maybe_text("name");
    changes.description = body.maybe_text("description");
    changes.price_type = body.maybe_text("price_type");
    changes.price_per = body.maybe_text("price_per");
    changes.icon = body.maybe_text("icon");
    changes.status = body.maybe_text("status");
    changes.applicable_to = body.maybe_text("applicable_to");
    if (const auto& price = body["price"]; price.is_number())
        changes.price = price.number_text();
    if (body.find("max_quantity"))
        changes.max_quantity = body.maybe_integer("max_quantity");
    changes.sort_order = body.maybe_integer("sort_order");
    if (const auto& ids = body["trip_ids"]; ids.is_array())
        for (const auto& id : changes.trip_ids.emplace(), ids.items())
            changes.trip_ids->push_back(id.integer());
    changes.is_required = body.maybe_boolean("is_required");
    changes.is_included = body.maybe_boolean("is_included");
    changes.is_taxable = body.maybe_boolean("is_taxable");
    return changes;
}

json::Value removed(std::int64_t id) { return json::Value::object({{"id", id}, {"deleted", true}}); }

api::Reply answer_created(const AdditionalService& service) {
    return api::created(shown(service), "/additional-services/" + std::to_string(service.id));
}

api::Reply answer_shown(const AdditionalService& service) { return api::ok(shown(service)); }

// What the write keeps for a repeat, when the request asks for it.
Service::Kept keeping(const api::Request& request, api::Reply (*answer)(const AdditionalService&)) {
    if (!request.keep_reply)
        return {};
    return [&request, answer](store::Transaction& tx, const AdditionalService& service) {
        request.keep_reply(tx, answer(service));
    };
}

api::RouteSpec route(api::Method method, std::string path, const char* capability, std::string summary) {
    api::RouteSpec spec{.method = method, .path = std::move(path), .who = api::Permission::can(capability)};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    return spec;
}

api::RouteSpec list_route(Service& services) {
    auto spec = route(api::Method::get, "/additional-services", "svc_view_trips", "The services offered with trips.");
    spec.is_list = true;
    spec.sortable = {"sort_order", "name", "price", "status", "id", "created_at", "updated_at"};
    spec.ascending = true;
    spec.statuses = {"publish", "draft", "trash"};
    spec.query = api::period_fields();
    spec.answer = api::list(api::object(shown_schema()), 100);
    spec.handle = [&](const api::Request& request) {
        const auto page = api::page_of(*request.route, request.query);
        if (!page)
            return api::failed(page.error());
        const auto period = api::period_of(request.query, services.zone());
        if (!period)
            return api::failed(period.error());
        const auto found = services.list({.status = request.query.text_or("status"),
                                          .search = request.query.text_or("search"),
                                          .from = period->from,
                                          .to = period->to,
                                          .order_by = page->order_by,
                                          .ascending = page->ascending,
                                          .limit = page->per_page,
                                          .offset = page->offset()});
        auto items = json::Value::array();
        for (const auto& service : found.services)
            items.push(shown(service));
        return api::listed(std::move(items), *page, found.total);
    };
    return spec;
}

api::RouteSpec read_route(Service& services) {
    auto spec = route(api::Method::get, "/additional-services/{id}", "svc_view_trips", "One service.");
    spec.answer = api::object(shown_schema());
    spec.errors = {&errc::not_found};
    spec.handle = [&](const api::Request& request) {
        return api::respond(services.read(request.path_id()), answer_shown);
    };
    return spec;
}

api::RouteSpec create_route(Service& services) {
    auto spec = route(api::Method::post, "/additional-services", "svc_edit_trips", "Add a service.");
    spec.body = written_schema(true);
    spec.answer = api::object(shown_schema());
    spec.success = 201;
    spec.handle = [&](const api::Request& request) {
        return api::respond(services.create(changes_from(request.body), request.caller.user_id, request.now,
                                            keeping(request, answer_created)),
                            answer_created);
    };
    return spec;
}

api::RouteSpec update_route(Service& services) {
    auto spec = route(api::Method::put, "/additional-services/{id}", "svc_edit_trips",
                      "Change a service; only what is sent changes.");
    spec.body = written_schema(false);
    spec.answer = api::object(shown_schema());
    spec.errors = {&errc::not_found};
    spec.handle = [&](const api::Request& request) {
        return api::respond(services.update(request.path_id(), changes_from(request.body), request.caller.user_id,
                                            request.now, keeping(request, answer_shown)),
                            answer_shown);
    };
    return spec;
}

api::RouteSpec remove_route(Service& services) {
    auto spec = route(api::Method::del, "/additional-services/{id}", "svc_edit_trips",
                      "Move a service to the trash; from there, delete it for good.");
    spec.answer = api::object({{.name = "id", .type = api::id()}, {.name = "deleted", .type = api::boolean()}});
    spec.errors = {&errc::not_found, &errc::in_use};
    spec.handle = [&](const api::Request& request) {
        const auto id = request.path_id();
        Service::KeptRemoval kept;
        if (request.keep_reply)
            kept = [&](store::Transaction& tx) { request.keep_reply(tx, api::ok(removed(id))); };
        const auto outcome = services.remove(id, request.caller.user_id, request.now, kept);
        return outcome ? api::ok(removed(id)) : api::failed(outcome.error());
    };
    return spec;
}

}  // namespace

void add_routes(plugin::Routes& routes, Service& services) {
    routes.add(list_route(services));
    routes.add(read_route(services));
    routes.add(create_route(services));
    routes.add(update_route(services));
    routes.add(remove_route(services));
}

}  // namespace svc::pro::additional_services
