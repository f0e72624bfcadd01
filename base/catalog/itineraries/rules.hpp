// What a day and an entry must be before they are written, by whichever way they come.
#pragma once

#include <string>
#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::itineraries {

struct Strictness {
    std::string before = {};  // in front of each field's name in errors: "itinerary_days.1.entries.2."
    // Set: what is referred to and gone is left out and told here; else it is an error.
    std::vector<std::string>* left_out = nullptr;
    // What entries of these days refer to is taken in the trash too, as is what an entry referred to before.
    const std::vector<DayPlan>* own = nullptr;
};

// The day as it will be. A day beyond the length of a published trip is refused, of others it is not.
Result<Day> ready(store::Session& session, const trips::Trip& trip, Day day, const DayChange& change,
                  const Strictness& strictness);
// The entry as it will be, with an item's type and name where none is given.
Result<Entry> ready(store::Session& session, const trips::Trip& trip, Entry entry, const EntryChange& change,
                    const Strictness& strictness);

}  // namespace svc::catalog::itineraries
