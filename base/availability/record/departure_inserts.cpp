// Statements that make departures.
#include "base/availability/record/departure_rows.hpp"
#include "base/availability/record/slot_rows.hpp"
#include "shared/core/words.hpp"

namespace svc::availability::rows {
namespace {

using catalog::trips::Place;

std::optional<std::int64_t> angle(const std::optional<Place>& place, catalog::trips::Degrees Place::*which) {
    return place ? std::optional(((*place).*which).e7) : std::nullopt;
}

#define SVC_DEPARTURE_INSERT                                                                                       \
    "INSERT INTO svc_departures (trip_id, origin, start_date, end_date, start_time, arrival_time, return_date,"    \
    " capacity, capacity_override, booked_count, sale_state, block_reason, status, pricing_type, currency,"        \
    " regular_price_minor, sale_price_minor, cutoff_date, cutoff_hours, rule_id, alert_threshold, from_location, " \
    "to_location,"                                                                                                 \
    " pickup_location, dropoff_location, places_folded, from_latitude, from_longitude, to_latitude, to_longitude," \
    " guide_user_id, equipment_included, special_notes, notes, notes_folded, row_version, revision, created_at,"   \
    " updated_at, created_by, updated_by)"                                                                         \
    " VALUES (:trip_id, :origin, :start_date, :end_date, :start_time, :arrival_time, :return_date, :capacity,"     \
    " :capacity_override, 0, :sale_state, :block_reason, :status, :pricing_type, :currency, :regular, :sale,"      \
    " :cutoff_date, :cutoff_hours, :rule_id, :alert_threshold, :from_location, :to_location, :pickup_location,"    \
    " :dropoff_location, :places_folded, :from_latitude, :from_longitude, :to_latitude, :to_longitude,"            \
    " :guide_user_id, :equipment_included, :special_notes, :notes, :notes_folded, 1, 1, :updated_at, :updated_at," \
    " :user_id, :user_id)"

store::Params insert_values(const Departure& departure, std::optional<std::int64_t> user_id) {
    auto params = values_of(departure);
    params.emplace_back("origin", name_of(departure.origin));
    params.emplace_back("status", name_of(departure.status));
    params.emplace_back("user_id", user_id);
    return params;
}

}  // namespace

store::Params values_of(const Departure& departure) {
    const auto minor = [](const std::optional<Money>& money) {
        return money ? std::optional(money->minor()) : std::nullopt;
    };
    return {
        {"trip_id", departure.trip_id},
        {"start_date", departure.start_date},
        {"end_date", departure.end_date},
        {"start_time", departure.time},
        {"capacity", departure.capacity},
        {"sale_state", name_of(departure.sale_state)},
        {"currency", departure.currency.code()},
        {"regular", minor(departure.regular_price)},
        {"sale", minor(departure.sale_price)},
        {"cutoff_date", departure.cutoff_date},
        {"rule_id", departure.rule_id},
        {"cutoff_hours", departure.cutoff_hours ? std::optional<std::int64_t>(*departure.cutoff_hours) : std::nullopt},
        {"notes", departure.notes},
        {"notes_folded", text::search_key(departure.notes)},
        {"arrival_time", departure.arrival_time},
        {"return_date", departure.return_date},
        {"capacity_override", departure.may_be_overbooked},
        {"block_reason", departure.block_reason},
        {"pricing_type", pricing_type_of(departure.traveler_based)},
        {"alert_threshold", departure.alert_threshold},
        {"from_location", departure.from_location},
        {"to_location", departure.to_location},
        {"pickup_location", departure.pickup_location},
        {"dropoff_location", departure.dropoff_location},
        {"places_folded", text::search_key(departure.from_location + "\n" + departure.to_location)},
        {"from_latitude", angle(departure.from_place, &Place::latitude)},
        {"from_longitude", angle(departure.from_place, &Place::longitude)},
        {"to_latitude", angle(departure.to_place, &Place::latitude)},
        {"to_longitude", angle(departure.to_place, &Place::longitude)},
        {"guide_user_id", departure.guide_user_id},
        {"equipment_included", departure.equipment_included},
        {"special_notes", departure.special_notes},
        {"updated_at", departure.updated_at}};
}

std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id) {
    return tx.insert(SVC_DEPARTURE_INSERT " RETURNING id", insert_values(departure, user_id));
}

std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure) {
    return tx.first<Slot>(SVC_DEPARTURE_INSERT
                          " ON CONFLICT (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL"
                          " DO NOTHING RETURNING " SVC_SLOT_COLUMNS,
                          slot_types, insert_values(departure, std::nullopt), slot_of);
}

}  // namespace svc::availability::rows
