// A traveler as the database has it: the answers in two parts, the sensitive ones sealed.
#pragma once

#include <optional>
#include <string>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/sealing.hpp"

namespace svc::booking {

struct TravelerRow {
    std::int64_t id = 0, booking_id = 0, index = 1;
    bool is_lead = false;
    json::Value fields = {};                 // readable in the database
    std::optional<std::string> sealed = {};  // nothing: stored before there was sealing
    std::optional<std::int64_t> category_id = {};

    // With the sealed answers opened by `sealing`, if any; else without them.
    [[nodiscard]] Traveler traveler(const Sealing* sealing) const;
};

}  // namespace svc::booking
