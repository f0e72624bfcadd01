// Stored travelers who are written because an answer of the contact hides some of theirs.
#pragma once

#include "base/sales/booking/desk/desk.hpp"

namespace svc::booking {

// The travelers of the edit, as they were read: those that were sent, or the stored ones where `answers` has any.
void take_travelers(const std::vector<Traveler>& stored, json::Value answers, Edit& edit);

}  // namespace svc::booking
