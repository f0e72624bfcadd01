// Trips as JSON, in requests and answers. A separate file because routes and memory both need it.
#pragma once

#include <functional>

#include "base/catalog/trips/record/change.hpp"
#include "base/catalog/trips/record/display.hpp"
#include "base/catalog/trips/record/part.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::trips {

// Of which parts: those that rows of lists have, those that are content, all.
enum class Members : std::uint8_t { of_rows, of_content, all };

// A trip with the members of its parts.
struct Whole {
    Trip trip;
    json::Object members;  // as Part::read or Part::none gave them
};

std::vector<Whole> with_members(store::Session& session, std::vector<Trip> trips, const Parts& parts, Members members);

// How far JSON is read that we have written ourselves.
inline constexpr json::Limits stored_limits{.depth = 32, .elements = 1'000'000, .text = std::size_t{1} << 20};

// The sources of a trip's answer besides the trip.
struct Showing {
    const Parts& parts;
    Asks asks;
    std::function<std::string()> trip_address;  // the address that a slug completes: "https://example.org/trip/"
};

// The public members of a trip in lists, and the further ones of the answer for one trip.
json::Value public_json(const Whole& whole, const Display& display, const Showing& showing);
json::Value public_more(const Whole& whole, const Showing& showing);
// Applies the filter svc_trip_loaded_with_relations.
json::Value as_loaded(json::Value answer, const Trip& trip, const hooks::Hooks& hooks);
// The same of an answer in its two parts.
void take_loaded(json::Value& row, json::Value& more, const Trip& trip, const hooks::Hooks& hooks);
// All that was read, and what only staff see.
json::Value staff_json(const Whole& whole, const Display& display, const Showing& showing);

// The same, with the requested members of parts.
json::Value staff_json(store::Session& session, const Trip& trip, const Showing& showing, const hooks::Hooks& hooks,
                       Members members);

// Members that are written as they are answered.
api::Type included_items();
api::Type frontend_tabs();

// The body of a write; `title` required, see Schema::partial for updates.
api::Schema trip_fields(const Parts& parts);
// Takes what trip_fields lets through, and what staff_json has made.
TripChange change_of(const json::Value& clean_body, const Parts& parts);
// The shapes of the answers for OpenAPI: one trip, and a row of lists.
api::Type trip_answer(const Parts& parts);
api::Type trip_row(const Parts& parts);

}  // namespace svc::catalog::trips
