// The columns of files of travelers, which go back in by an import: the booking and the traveler, what belongs to the
// booking, and each answer by the id of its field.
#pragma once

#include <algorithm>
#include <array>
#include <string>

namespace svc::booking {

inline constexpr std::array traveler_columns{"booking_reference", "traveler_id", "booking_status", "trip",
                                             "travel_date",       "traveler",    "lead",           "contact_email",
                                             "contact_phone"};

// The column of an answer whose field may have the name of another column.
inline std::string column_of_answer(const std::string& field) {
    const bool is_taken = std::find(traveler_columns.begin(), traveler_columns.end(), field) != traveler_columns.end();
    return (is_taken ? "answer_" : "") + field;
}

}  // namespace svc::booking
