// A departure on the wire, in its two views: as operated (/departures) and as sold (/availability).
#pragma once

#include "base/sales/availability/departures/change.hpp"
#include "base/sales/availability/record/departure_json.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

// -- as operated (wire.cpp); to_json of departure_json.hpp renders one
json::Value to_json(const TabCounts& counts);
// The body of a write; start_date required, see Schema::partial for updates.
api::Schema departure_fields();
// Additional fields of an update.
api::Schema departure_update_fields();
DepartureChange change_of(const json::Value& clean_body);
api::Type departure_answer();

// -- as sold (sale_wire.cpp)
json::Value to_sale_json(const Departure& departure);
api::Schema sale_fields();  // without trip_id; an update takes common_update_fields() besides
DepartureChange sale_change_of(const json::Value& clean_body);
api::Type sale_answer();

// -- for both
template <class T>
Sent<T> sent(const json::Value& body, std::string_view name) {
    const json::Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    if (value->is_null())
        return Sent<T>(std::in_place, std::nullopt);
    if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>)
        return Sent<T>(static_cast<T>(value->integer()));
    else if constexpr (std::is_same_v<T, std::string>)
        return Sent<T>(value->is_number() ? value->number_text() : value->text());
    else
        return Sent<T>(T::parse(value->text()));
}
// Places, cut-off, notes and what else both views call by the same names.
api::Schema common_fields();
api::Schema common_update_fields();  // additional fields of an update
api::Schema common_answer();
void take_common(DepartureChange& change, const json::Value& body);

}  // namespace svc::availability
