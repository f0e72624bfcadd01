// Checks days and entries before they are written.
#pragma once

#include <string>
#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::itineraries {

struct Strictness {
    std::string before = {};  // in front of each field's name in errors: "itinerary_days.1.entries.2."
    // Set: missing references are left out and their fields added here; null: they are errors.
    std::vector<std::string>* left_out = nullptr;
    // References of these days are accepted even in the trash, as are the references that the entry had before.
    const std::vector<DayPlan>* own = nullptr;
};

// The day as it will be. A day beyond the length of a published trip is refused, of others it is not.
Result<Day> ready(store::Session& session, const trips::Trip& trip, Day day, const DayChange& change,
                  const Strictness& strictness);
// The entry as it will be, with an item's type and name where none is given.
Result<Entry> ready(store::Session& session, const trips::Trip& trip, Entry entry, const EntryChange& change,
                    const Strictness& strictness);

}  // namespace svc::catalog::itineraries
