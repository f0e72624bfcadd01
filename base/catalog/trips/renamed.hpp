// Trips in memory whose destinations, activities or categories got new names: made anew without the database.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/catalog/trips/shown_trip.hpp"

namespace svc::catalog::trips {

// A classification as far as trips show it; `rest` is whatever they show beside name and slug.
struct ClassRow {
    std::int64_t id = 0;
    std::string type;
    std::int64_t row_version = 0;
    std::string name, slug, rest;
};
using ClassRows = std::vector<ClassRow>;  // by id

// What has become of classifications between two looks at them.
struct Renames {
    bool names_alone = false;              // so that trips can be made anew by it
    std::map<std::int64_t, ClassName> to;  // by id
};
Renames renames_between(const ClassRows& before, const ClassRows& now);
ClassNames with_renames(ClassNames names, const Renames& renames);

// The trip with those names, as it would be read from the database; null where that cannot be told for sure.
// `before` and `after` are the names that trips are found by.
Draft renamed(const ShownTrip& trip, const Renames& renames, const ClassNames& before, const ClassNames& after);

}  // namespace svc::catalog::trips
