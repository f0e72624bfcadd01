// Records of departures: the fields that selling needs, and all fields.
#pragma once

#include "base/sales/availability/record/departure.hpp"
#include "shared/record/rows.hpp"

namespace svc::availability {

// A slot with further columns of the same read.
struct TakenSlot : Slot {
    bool is_low = false;  // with this taking the seats left fell to the alert threshold
};
struct ChangedSlot : Slot {
    Instant changed_at;
};

// Without prices by traveler category.
const record::Rows<Slot>& slot_record();
const record::Rows<TakenSlot>& taken_slot_record();
const record::Rows<ChangedSlot>& changed_record();
const record::Rows<Departure>& departure_record();

}  // namespace svc::availability
