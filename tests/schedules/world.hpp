// The site that schedules run on: the same at each one's start, and what must be true of it at each step and at the
// end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/base/sales/payment/paying_site.hpp"
#include "tests/schedules/baton.hpp"

namespace svc::tests {

// Promises to actors. The actor with the turn writes them.
struct Promised {
    struct Sold {
        std::int64_t id = 0;
        std::string reference = {};
    };
    struct Paid {
        std::int64_t booking = 0;
        std::string transaction = {};
        std::int64_t minor = 0;
    };
    std::vector<Sold> sold = {};
    std::vector<Paid> paid = {};
    std::int64_t unanswered = 0;  // bookings that may have been made or not
};

// On one database for many schedules. One thread, but for `site`.
class World {
  public:
    explicit World(const Database& database);

    // As it is before the first schedule, with so many seats on each departure.
    void begin(int seats);
    // Each statement of tests/invariants.sql that some row breaks, and seats that are counted or sold wrongly.
    std::vector<std::string> broken(bool whole);
    // Broken promises, and effects without a promise.
    std::vector<std::string> not_kept(const Promised& promised);
    // All that counts of the rows, without what is drawn by lot.
    std::string state();
    // Sessions that wait for a lock of another.
    std::vector<Baton::Waiting> waiting();
    void give_up_waiting(std::int64_t process);

    static constexpr const char* start = "2027-01-10T10:00:00Z";
    std::unique_ptr<PayingSite> site;
    catalog::trips::Trip trip;
    std::vector<std::int64_t> departures;
    std::vector<Date> days;  // of them

  private:
    std::vector<std::string> rows(std::string_view sql);  // of one column of text
    std::vector<std::string> tables();

    std::unique_ptr<store::Store> beside_;  // for looking
    std::vector<std::string> wiped_;        // tables that a schedule fills, those that refer to others first
};

}  // namespace svc::tests
