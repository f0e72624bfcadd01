// Dates and parties of a trip as templates show them.
#pragma once

#include <string>
#include <string_view>

#include "base/website/views/views.hpp"
#include "shared/json/value.hpp"

namespace svc::pages {

struct DateOptions {
    std::string selected = {};  // "2026-12-11" or "2026-12-11T18:30"
    std::size_t most = 0;       // 0: all
    bool original = true;       // prices before a discount
    bool urgency = true;        // how few seats are left
};
// Pictures and texts of a trip, which are long and change seldom: gallery, highlights, days, lists, notes, questions
// and downloads, with the members below.
json::Value about_of(const Views& views, const json::Value& trip, const Format& words);
inline constexpr std::string_view about_members[] = {
    "gallery",  "many_pictures", "text_html",    "highlights", "has_highlights", "days",
    "has_days", "included",      "has_included", "excluded",   "has_excluded",   "has_lists",
    "notes",    "has_notes",     "faqs",         "has_faqs",   "downloads",      "has_downloads"};
// The answer of /trips/{id}/available-dates by months, with these members at least.
inline constexpr std::string_view month_members[] = {"date",     "time",    "end_date", "available_capacity",
                                                     "status",   "is_full", "price",    "original_price",
                                                     "currency", "waitlist"};
json::Value dates_by_month(const json::Value& dates, const Format& words, const DateOptions& options);
// Whether one amount of that currency is more than another; not where either is none.
bool is_more(const json::Value& one, const json::Value& other, std::string_view currency);
// A field for each traveler category, or one for all travelers. `counts` by category, as a checkout session has them.
json::Value party_of(const json::Value& price_types, const Format& words, const std::string& currency,
                     const json::Value& counts, std::int64_t travelers, std::int64_t most);

}  // namespace svc::pages
