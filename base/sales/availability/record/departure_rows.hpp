// Whole departures, as staff read them, and their rows when they are new.
#pragma once

#include <string>
#include <vector>

#include "base/sales/availability/record/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

struct DepartureQuery {
    std::optional<std::int64_t> trip_id = {};
    std::string status = {};        // empty and "all": everything but the trash; upcoming: every future one, full too
    std::string availability = {};  // a capacity class, empty: any
    std::string search = {};        // as typed: in start date, end date or notes
    bool in_places = false;         // search in from and to location instead of the notes
    std::string site_dates = {};    // days whose text in the site's own format the search is in, as 2026-06-10
    std::string sale_status = {};   // of sale_status(); empty: any
    std::optional<Origin> origin = {};
    std::optional<std::int64_t> guide_id = {};  // only those that this user guides
    std::optional<Date> from = {}, to = {};     // start date, inclusive
    std::optional<Instant> updated_since = {};
    bool include_past = true;
    std::string order_by = "start_date";
    bool ascending = true;
    std::int64_t limit = INT64_MAX, offset = 0;
    Date today = {};
};

struct TabCounts {
    std::int64_t all = 0, upcoming = 0, full = 0, past = 0, cancelled = 0, trash = 0;
};

namespace rows {

std::optional<Departure> find(store::Session& session, std::int64_t id);  // the trash too
std::vector<Departure> list(store::Session& session, const DepartureQuery& query);
std::int64_t count(store::Session& session, const DepartureQuery& query);
TabCounts counts(store::Session& session, const DepartureQuery& query);  // ignores query.status

// Throws store::UniqueViolation when the trip's date and time are taken.
std::int64_t insert(store::Transaction& tx, const Departure& departure, std::optional<std::int64_t> user_id);
// As insert; nothing when another one is there first.
std::optional<Slot> insert_unless_there(store::Transaction& tx, const Departure& departure);

}  // namespace rows
}  // namespace svc::availability
