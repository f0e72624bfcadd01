// Itineraries as JSON, the same in their own routes and as a member of the trip.
#pragma once

#include "base/catalog/itineraries/service.hpp"
#include "base/catalog/media/service.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::itineraries {

// An entry; without one the day itself, in the same members.
json::Value to_json(const Day& day, const Entry* entry, const media::Service& media);
api::Type entry_answer();

// The fields of an entry, and of its day, in a body.
api::Schema entry_fields();
api::Schema day_fields();
Result<EntryChange> entry_change(const json::Value& clean, const std::string& before = {});
// The members of a day next to those of its entry: day_title, day_description; in mode day also title and description.
DayChange day_change(const json::Value& clean, bool is_day);

// An entry of a bulk write, validated by itself so that each one reports its own errors.
BulkEntry bulk_entry_of(const json::Value& sent, std::size_t number);
api::Type bulk_answer();

}  // namespace svc::catalog::itineraries
