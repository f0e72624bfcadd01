// Stored travelers who are written because an answer of the contact hides some of theirs.
#pragma once

#include "base/booking/desk/desk.hpp"

namespace svc::booking {

// Makes them the travelers of the edit; `answers` are theirs as they are from now on.
void write_stored(const std::vector<Traveler>& stored, json::Value answers, Edit& edit);

}  // namespace svc::booking
