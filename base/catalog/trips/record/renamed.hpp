// Updates trips in memory after classifications were renamed, without reading the database.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/catalog/trips/record/shown_trip.hpp"

namespace svc::catalog::trips {

// The data of a classification that trips show; `rest` is everything except name and slug.
struct ClassRow {
    std::int64_t id = 0;
    std::string type;
    std::int64_t row_version = 0;
    std::string name, slug, rest;
};
using ClassRows = std::vector<ClassRow>;  // by id

// Differences of classifications between two reads.
struct Renames {
    bool names_alone = false;              // only names changed, so trips can be updated in memory
    std::map<std::int64_t, ClassName> to;  // by id
};
Renames renames_between(const ClassRows& before, const ClassRows& now);
ClassNames with_renames(ClassNames names, const Renames& renames);

// The trip with the new names, as the database would return it; null when this cannot be decided. `before` and `after`
// are the names in the search index.
Draft renamed(const ShownTrip& trip, const Renames& renames, const ClassNames& before, const ClassNames& after);

}  // namespace svc::catalog::trips
