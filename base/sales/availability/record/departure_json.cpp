// A departure's JSON.
#include "base/sales/availability/record/departure_json.hpp"

namespace svc::availability {

using json::Value;

namespace {

Value prices_json(const Departure& departure) {
    if (departure.prices.empty())
        return {};
    Value prices = Value::object();
    for (const CategoryPrice& price : departure.prices)
        prices.set(std::to_string(price.category_id), price.lowered.value_or(price.regular));
    return prices;
}

}  // namespace

void set_common(Value& shown, const Departure& departure) {
    shown.set("arrival_time", departure.arrival_time);
    shown.set("return_date", departure.return_date.value_or(departure.end_date));
    shown.set("capacity_override", departure.may_be_overbooked);
    shown.set("block_reason", departure.block_reason);
    shown.set("source", source_of(departure.origin));
    shown.set("pricing_type", pricing_type_of(departure.traveler_based));
    shown.set("currency", departure.currency.code());
    shown.set("cutoff_date", departure.cutoff_date);
    shown.set("cutoff_hours", departure.cutoff_hours);
    shown.set("alert_threshold", departure.alert_threshold);
    shown.set("guide_user_id", departure.guide_user_id);
    shown.set("equipment_included", departure.equipment_included);
    shown.set("special_notes", departure.special_notes);
    shown.set("notes", departure.notes);
    shown.set("row_version", departure.row_version);
    shown.set("created_at", departure.created_at);
    shown.set("updated_at", departure.updated_at);
    const auto set = [&](const std::string& which, const std::optional<catalog::trips::Place>& place) {
        shown.set(which + "_latitude", place ? Value(json::Number{place->latitude.decimal()}) : Value());
        shown.set(which + "_longitude", place ? Value(json::Number{place->longitude.decimal()}) : Value());
    };
    shown.set("from_location", departure.from_location);
    shown.set("to_location", departure.to_location);
    set("from", departure.from_place);
    set("to", departure.to_place);
    shown.set("pickup_location", departure.pickup_location);
    shown.set("dropoff_location", departure.dropoff_location);
}

Value to_json(const Departure& departure, const std::vector<std::int64_t>& booking_ids, const Party* party) {
    Value ids = json::array_of(booking_ids);
    Value shown = Value::object({
        {"id", departure.id},
        {"trip_id", departure.trip_id},
        {"start_date", departure.start_date},
        {"end_date", departure.end_date},
        {"date", departure.start_date},
        {"arrival_date", departure.arrives_on()},
        {"time", departure.time},
        {"max_capacity", departure.capacity},
        {"booked_count", departure.booked},
        {"available_capacity", departure.available()},
        {"waiting_count", departure.waiting},
        {"availability", capacity_class(departure.capacity, departure.booked)},
        {"status", name_of(departure.status)},
        {"sale_state", name_of(departure.sale_state)},
        {"price_override", departure.regular_price},
        {"regular_price", departure.regular_price},
        {"sale_price", departure.sale_price},
        {"price_by_traveler_type", prices_json(departure)},
        {"trip",
         Value::object({{"id", departure.trip_id}, {"title", departure.trip_title}, {"slug", departure.trip_slug}})},
        {"booking_ids", ids},
        {"bookings_count", static_cast<std::int64_t>(booking_ids.size())},
        {"total_revenue", party ? party->paid : Money::zero(departure.currency)},
        {"travelers", party ? party->travelers : Value::array()},
        {"travelers_count", party ? party->people : std::int64_t{0}},
    });
    set_common(shown, departure);
    return shown;
}

}  // namespace svc::availability
