// The services of one trip: what visitors can read, and which of them staff offer on it.
#include <algorithm>
#include <set>

#include "pro/additional_services/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/engine.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::additional_services {
namespace {

using json::Value;

api::Type public_answer() {
    using namespace api;
    using api::text;
    return object(
        "TripService",
        {{.name = "id", .type = id(), .required = true},
         {.name = "name", .type = text(190), .required = true},
         {.name = "description", .type = raw_text(2000)},
         {.name = "icon", .type = text(100)},
         {.name = "price",
          .type = decimal(0),
          .help = "An amount, or a percentage of the trip's price.",
          .required = true},
         {.name = "price_type", .type = choice({"fixed", "percentage"}), .required = true},
         {.name = "price_per",
          .type = choice({"person", "booking", "day"}),
          .help = "Without meaning for a percentage.",
          .required = true},
         {.name = "unit_label",
          .type = text(20),
          .help = "What one costs it for, in English: per person.",
          .required = true},
         {.name = "currency", .type = text(3), .help = "Of a fixed price.", .required = true},
         {.name = "max_quantity", .type = integer(1).or_null(), .help = "For a booking."},
         {.name = "max_per_traveler", .type = integer(1).or_null(), .help = "For each traveler of a booking."},
         {.name = "deadline_hours",
          .type = integer(0).or_null(),
          .help = "Hours before the departure until which it can be added."},
         {.name = "is_required", .type = boolean(), .help = "Part of every booking."},
         {.name = "is_included", .type = boolean(), .help = "Free of charge."},
         {.name = "is_taxable", .type = boolean()}});
}

Value public_json(const AdditionalService& service) {
    const Price& price = service.price;
    return Value::object({{"id", service.id},
                          {"name", service.name},
                          {"description", service.description},
                          {"icon", service.icon},
                          {"price", price.is_share() ? Value(price.rate) : Value(price.amount)},
                          {"price_type", price.type},
                          {"price_per", price.per},
                          {"unit_label", price.unit_label()},
                          {"currency", price.currency.code()},
                          {"max_quantity", service.max_quantity},
                          {"max_per_traveler", service.max_per_traveler},
                          {"deadline_hours", service.deadline_hours},
                          {"is_required", service.is_required},
                          {"is_included", service.is_included},
                          {"is_taxable", service.is_taxable}});
}

std::vector<AdditionalService> services_of(store::Session& session, std::int64_t trip_id, std::string status) {
    auto all = service_record().list(
        session, {.status = std::move(status), .order_by = "sort_order", .ascending = true, .limit = most_services});
    std::erase_if(all, [&](const AdditionalService& one) { return one.status == "trash" || !one.is_of(trip_id); });
    return all;
}

// Empty: there is no such trip.
std::string status_of_trip(store::Session& session, std::int64_t trip_id) {
    return store::value<std::string>(session, "SELECT status FROM svc_trip_v2 WHERE id = :id AND deleted_at IS NULL",
                                     {{"id", trip_id}})
        .value_or("");
}

// Links the named services of specific trips with this one, and no others. Services of all trips stay as they are.
Result<std::vector<AdditionalService>> offer(store::Transaction& tx, std::int64_t trip_id,
                                             const std::set<std::int64_t>& wanted, const record::Writer& writer) {
    for (const std::int64_t id : wanted)
        if (const auto service = service_record().find(tx, id); !service || service->status == "trash")
            return invalid("service_ids", "There is no service {id}."_sentence.with("id", id));
    const auto known = service_record().list(tx, {.order_by = "id", .ascending = true, .limit = most_services});
    for (const AdditionalService& each : known) {
        const bool is_wanted = wanted.contains(each.id);
        if (each.applicable_to == "all" || each.status == "trash" || each.is_of(trip_id) == is_wanted)
            continue;
        service_record().lock(tx, each.id, false);
        auto after = service_record().find(tx, each.id);
        if (!after || after->is_of(trip_id) == is_wanted)
            continue;
        if (is_wanted)
            after->trip_ids.push_back(trip_id);
        else
            std::erase(after->trip_ids, trip_id);
        if (!service_record().update(tx, *after, writer))
            return errc::conflict;
    }
    return services_of(tx, trip_id, "");
}

Value whole_json(const std::vector<AdditionalService>& services) {
    return json::array_of(services, [](const AdditionalService& each) { return service_record().to_json(each); });
}

}  // namespace

void add_trip_routes(const Site& site, std::function<void()> written,
                     std::function<void(store::Transaction&)> note_change) {
    api::RouteSpec read{.method = api::Method::get, .path = "/trips/{id}/services", .who = api::Permission::everyone()};
    read.module = module_slug;
    read.summary = "List the additional services offered on a trip; of an unpublished one for svc_view_trips.";
    read.answer = api::list(public_answer(), most_services);
    read.errors = {&errc::trip_not_found};
    read.handle = [&site](const api::Request& request) -> api::Reply {
        const std::int64_t trip_id = request.path_id();
        std::string status;
        auto services = site.store.reading<std::vector<AdditionalService>>([&](store::Session& session) {
            status = status_of_trip(session, trip_id);
            return services_of(session, trip_id, "publish");
        });
        if (status.empty() || (status != "publish" && !request.caller.can("svc_view_trips")))
            return api::failed(errc::trip_not_found);
        return api::ok(json::array_of(services, public_json));
    };
    site.routes.add(std::move(read));

    api::RouteSpec write{
        .method = api::Method::put, .path = "/trips/{id}/services", .who = api::Permission::can("svc_edit_trips")};
    write.module = module_slug;
    write.summary = "Offer these services on a trip, of those that are not for all trips, and no others.";
    write.body = {{.name = "service_ids",
                   .type = api::list(api::id(), most_services),
                   .help = "Ids of services; those for all trips may be among them.",
                   .required = true}};
    write.answer = api::list(api::object(service_record().answer_schema()), most_services);
    write.errors = {&errc::trip_not_found, &errc::conflict};
    write.stores_reply = true;
    write.repeats_safely = true;
    write.handle = [&site, written = std::move(written),
                    note_change = std::move(note_change)](const api::Request& request) -> api::Reply {
        std::set<std::int64_t> wanted;
        for (const Value& each : request.body["service_ids"].items())
            wanted.insert(each.integer());
        using Services = std::vector<AdditionalService>;
        auto reply = api::respond_once(
            request,
            [&] {
                return site.store.transact<Services>([&](store::Transaction& tx) -> Result<Services> {
                    if (status_of_trip(tx, request.path_id()).empty())
                        return errc::trip_not_found;
                    auto offered = offer(tx, request.path_id(), wanted, resource::writer_of(request));
                    if (offered && note_change)
                        note_change(tx);
                    return offered;
                });
            },
            [](const Services& services) { return api::ok(whole_json(services)); });
        written();
        return reply;
    };
    site.routes.add(std::move(write));
}

}  // namespace svc::pro::additional_services
