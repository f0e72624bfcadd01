// Bookable dates as JSON. Hundreds of them are one answer, so their text is made at once, without values in between.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/availability/dates/dates.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

// A JSON array of the dates in order, each with all times of its day. `waitlist`: people may wait where it is full.
// `more` may add members to each, with a comma before each.
using MoreMembers = std::function<void(std::string& out, const Bookable& date)>;
std::string dates_json(const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more = {});
// Appends to the text.
void add_dates(std::string& out, const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more = {});
api::Schema date_members();
api::Type date_answer();

}  // namespace svc::availability
