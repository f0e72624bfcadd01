// Declares the records of additional services and of what bookings bought.
#include "pro/additional_services/additional_service.hpp"

#include <algorithm>
#include <map>

#include "shared/store/typed.hpp"

namespace svc::pro::additional_services {
namespace {

using Service = AdditionalService;

void read_trips(store::Session& session, const std::vector<record::Any>& records) {
    std::map<std::int64_t, Service*> by_id;
    std::vector<std::int64_t> ids;
    for (const record::Any& each : records) {
        auto* service = static_cast<Service*>(each.get());
        by_id[service->id] = service;
        ids.push_back(service->id);
    }
    static const auto titles = SVC_BY_IDS(
        "SELECT l.service_id, t.id, t.title FROM svc_additional_service_trips l JOIN svc_trip_v1 t ON t.id = l.trip_id"
        " WHERE l.service_id",
        "", "ORDER BY l.service_id, t.id");
    for (const auto& [service_id, trip_id, title] :
         store::tuples_of<std::int64_t, std::int64_t, std::string>(session, titles, ids))
        by_id[service_id]->trips.push(json::Value::object({{"id", trip_id}, {"title", title}}));
}

record::Layout service_layout() {
    return {.table = "svc_additional_services",
            .component = "AdditionalService",
            .search_column = "search",
            .sorts = {{"id", {"r.id"}},
                      {"price", {"r.price_type", "r.price_minor", "r.rate_ppm"}},
                      {"created_at", {"r.created_at"}},
                      {"updated_at", {"r.updated_at"}}},
            .default_sort = "sort_order",
            .place = "sort_order",
            .read_more = read_trips};
}

}  // namespace

std::string_view Price::unit_label() const {
    return is_share() ? "of the price" : per == "person" ? "per person" : per == "day" ? "per day" : "per booking";
}

bool AdditionalService::is_of(std::int64_t trip_id) const {
    return applicable_to == "all" || std::find(trip_ids.begin(), trip_ids.end(), trip_id) != trip_ids.end();
}

const record::Record<AdditionalService>& service_record() {
    using namespace record;
    static const Record<Service> service{
        service_layout(),
        {id(&Service::id),
         column("name", &Service::name, api::text(190, 1), by_client | required | searched | sortable,
                "Description for customers."),
         column("description", &Service::description, api::raw_text(2000), by_client | searched),
         // Taken by the resource, which knows the site's currency.
         computed<Service>(
             "price", api::decimal(0),
             [](const Service& s) {
                 return s.price.is_share() ? json::Value(s.price.rate) : json::Value(s.price.amount);
             },
             [](Service&, const json::Value&, Faults&) {}, by_client | default_value(0), "Amount or percentage."),
         column("price_type", within(&Service::price, &Price::type), api::choice({"fixed", "percentage"}),
                by_client | default_value("fixed"), "percentage: of the trip's price."),
         column("price_per", within(&Service::price, &Price::per), api::choice({"person", "booking", "day"}),
                by_client | default_value("person")),
         column("max_quantity", &Service::max_quantity, api::integer(1, 1000), by_client,
                "For a booking. Null: no limit."),
         column("max_per_traveler", &Service::max_per_traveler, api::integer(1, 1000), by_client,
                "For each traveler of a booking. Null: no limit."),
         column("stock_per_departure", &Service::stock_per_departure, api::integer(1, 1'000'000), by_client,
                "Pieces for all bookings of a departure together; one with a price per person is a piece for each "
                "traveler."
                " Null: no limit."),
         column("deadline_hours", &Service::deadline_hours, api::integer(0, 8760), by_client,
                "Hours before the departure from which only staff add it; a departure without a time begins with its"
                " day. Null: until the departure."),
         column("icon", &Service::icon, api::text(100), by_client),
         column("status", &Service::status, api::choice({"publish", "draft", "trash"}),
                by_client | default_value("draft") | sortable),
         column("sort_order", &Service::sort_order, api::integer(0, 1'000'000), by_client | sortable),
         column("applicable_to", &Service::applicable_to, api::choice({"all", "specific_trips"}),
                by_client | default_value("all")),
         linked("trip_ids", &Service::trip_ids,
                {.table = "svc_additional_service_trips",
                 .owner = "service_id",
                 .other = "trip_id",
                 .exists_in = "svc_trip_v1",
                 .noun = "trip"},
                by_client, "Trips for specific_trips."),
         column("is_required", &Service::is_required, api::boolean(), by_client, "Added to every booking."),
         column("is_included", &Service::is_included, api::boolean(), by_client, "Free of charge."),
         column("is_taxable", &Service::is_taxable, api::boolean(), by_client),
         column("currency", within(&Service::price, &Price::currency), api::text(3), by_server,
                "Currency of a fixed price and of total_revenue."),
         money("price_minor", within(&Service::price, &Price::amount), within(&Service::price, &Price::currency),
               api::money(), hidden | stored_as("price_minor")),
         column("rate_ppm", within(&Service::price, &Price::rate), api::percent(), hidden),
         computed<Service>(
             "trips",
             api::list(api::object({{.name = "id", .type = api::id()}, {.name = "title", .type = api::text(255)}})),
             [](const Service& s) { return s.trips; }),
         computed<Service>("trips_count", api::integer(0),
                           [](const Service& s) { return json::Value(static_cast<std::uint64_t>(s.trips.size())); }),
         derived("bookings_count", &Service::bookings_count,
                 "(SELECT COUNT(*) FROM svc_booking_services b WHERE b.service_id = r.id)", api::integer(0)),
         // Counts in the service's own currency, as bookings of another one cannot hold it.
         derived("revenue_currency", &Service::revenue_currency, "r.currency", api::text(3), {}, hidden),
         derived_money("total_revenue", &Service::total_revenue, &Service::revenue_currency,
                       "(SELECT CAST(COALESCE(SUM(b.amount_minor), 0) AS BIGINT) FROM svc_booking_services b"
                       " WHERE b.service_id = r.id)"),
         row_version<Service>(), timestamps<Service>(), authors<Service>(Names::left_out, hidden),
         trashed_at<Service>(), status_before_trash<Service>()}};
    return service;
}

const record::Rows<BookedService>& booked_record() {
    using namespace record;
    using Booked = BookedService;
    static const Rows<Booked> booked{
        {.table = "svc_booking_services", .joins = "JOIN svc_booking_v1 b ON b.id = r.booking_id"},
        {id(&Booked::id), column("booking_id", &Booked::booking_id, api::id(), hidden),
         column("service_id", &Booked::service_id, api::id()), column("name", &Booked::name, api::text(190)),
         column("price_type", &Booked::price_type, api::choice({"fixed", "percentage"})),
         column("price_per", &Booked::price_per, api::choice({"person", "booking", "day"})),
         derived("currency", &Booked::currency, "b.currency", api::text(3)),
         money("unit_price", &Booked::unit, &Booked::currency, api::money(), stored_as("unit_minor")),
         money("price", &Booked::price, &Booked::currency), money("amount", &Booked::amount, &Booked::currency),
         column("rate", &Booked::rate, api::percent(), stored_as("rate_ppm")),
         column("quantity", &Booked::quantity, api::integer(1)), column("days", &Booked::days, api::integer(1)),
         column("is_required", &Booked::is_required, api::boolean()),
         column("is_included", &Booked::is_included, api::boolean()),
         column("created_at", &Booked::created_at, api::instant(), by_server_on_create)}};
    return booked;
}

}  // namespace svc::pro::additional_services
