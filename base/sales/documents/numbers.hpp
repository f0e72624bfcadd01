// Numbers of invoices and credit notes, made by a pattern of the settings: "INV-{year}-{number:5}" is INV-2026-00042.
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::documents {

// The check of such a setting: {number} or {number:WIDTH} once, {year} at most once, no other braces.
Result<void> check_number_pattern(const json::Value& pattern);
// The series within which numbers have no gap: the pattern with its year. Without {year} there is one series for ever.
std::string series_of(std::string_view pattern, int year);
// The number at a position of the series; filled up with zeros to the pattern's width.
std::string number_at(std::string_view pattern, int year, std::int64_t position);

}  // namespace svc::documents
