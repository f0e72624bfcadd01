// How many seats a party needs; the operator may exempt categories.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "base/sales/booking/record/booking.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/core/result.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::booking {

// Travelers without those of categories in the setting seat_hold_categories_excluded.
inline std::int64_t seated(std::int64_t travelers, const std::map<std::int64_t, std::int64_t>& counts,
                           const settings::Settings& settings) {
    std::int64_t seats = travelers;
    const json::Value excluded = settings.get("seat_hold_categories_excluded");
    for (const json::Value& category : excluded.items())
        if (const auto found = counts.find(category.integer()); found != counts.end())
            seats -= found->second;
    return seats;
}

// The seats of a party: at least one, none for an empty party. Decided when a booking takes seats: later changes of the
// setting do not apply.
inline std::int64_t seats_of(std::int64_t travelers, const std::map<std::int64_t, std::int64_t>& counts,
                             const settings::Settings& settings) {
    return std::max(seated(travelers, counts, settings), std::min<std::int64_t>(travelers, 1));
}

// Rejects a party without a seat: exempt travelers need company.
inline Result<void> check_seated(std::int64_t travelers, const std::map<std::int64_t, std::int64_t>& counts,
                                 const settings::Settings& settings) {
    if (travelers < 1 || seated(travelers, counts, settings) > 0)
        return {};
    constexpr SentenceId sentence =
        "At least one traveler must occupy a seat; add a traveler of another category."_sentence;
    return Error{errc::group_size, sentence}.at("traveler_counts", sentence);
}

// Travelers by category, as stored; empty if unknown.
inline std::map<std::int64_t, std::int64_t> counts_of(const Booking& booking) {
    std::map<std::int64_t, std::int64_t> counts;
    if (booking.traveler_counts.is_object())
        for (const auto& [category, count] : booking.traveler_counts.members())
            if (count.is_number() && category != "0" && !category.empty() &&
                category.find_first_not_of("0123456789") == std::string::npos)
                counts.emplace(std::stoll(category), count.integer());
    return counts;
}

// Whether a booking of that status takes its seats, by the listeners' leave.
bool consumes_seats(const hooks::Hooks& hooks, store::Transaction& tx, std::string_view status);

inline std::int64_t seats_of(const Booking& booking, const settings::Settings& settings) {
    return seats_of(booking.travelers_count, counts_of(booking), settings);
}

}  // namespace svc::booking
