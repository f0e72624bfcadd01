// Bookable dates as JSON. Hundreds of them are one answer, so their text is made at once, without values in between;
// pages take the few members that they show, as values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/sales/availability/dates/dates.hpp"
#include "shared/api/held.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

// A JSON array of the dates in order, each with all times of its day. `waitlist`: people may wait where it is full.
// `more` may add members to each, with a comma before each.
using MoreMembers = std::function<void(std::string& out, const Bookable& date)>;
std::string dates_json(const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more = {});
// Appends to the text.
void add_dates(std::string& out, const std::vector<Bookable>& dates, bool waitlist, const MoreMembers& more = {});
// The same dates as values, with these members; without names with all. Refers to the dates.
class DateValues {
  public:
    DateValues(const std::vector<Bookable>& dates, bool waitlist, api::Members members = {});
    [[nodiscard]] json::Value at(std::size_t index) const;

  private:
    [[nodiscard]] json::Value times_beside(std::size_t index) const;

    const std::vector<Bookable>& dates_;
    const bool waitlist_;
    std::uint32_t wanted_ = 0;  // a bit for each member
};
api::Schema date_members();
api::Type date_answer();

}  // namespace svc::availability
