// A small travel company's site with Yatra, as WordPress exports it: invented tours in the shapes that the plugin
// stores.
#pragma once

#include <string>

#include "tests/support/test_base.hpp"

namespace svc::tests::yatra {

// Days are as many days ahead as their names say; the first one of a range is `range_start`.
inline constexpr int range_start = 30, range_days = 10, booked_day = 45;

// Tours, places, attributes, pictures, customers, coupons and bookings.
std::string exported(const TestBase& base);
// The tables that the export lacks, as CSV.
std::string dates_table(const TestBase& base);
std::string payments_table();

// Stages the export and the dates, and migrates all. Returns the progress by kind.
json::Value migrated(TestBase& base);
// The rows of the last migration's list.
std::string list_of(TestBase& base, const json::Value& progress);

}  // namespace svc::tests::yatra
