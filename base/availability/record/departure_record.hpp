// Records of departures: the fields that selling needs, and all fields.
#pragma once

#include "base/availability/record/departure.hpp"
#include "shared/record/record.hpp"

namespace svc::availability {

// A slot with further columns of the same read.
struct TakenSlot : Slot {
    bool is_low = false;  // with this taking the seats left fell to the alert threshold
};
struct ChangedSlot : Slot {
    Instant changed_at;
};

// Without prices by traveler category.
const record::Record<Slot>& slot_record();
const record::Record<TakenSlot>& taken_slot_record();
const record::Record<ChangedSlot>& changed_record();
const record::Record<Departure>& departure_record();

}  // namespace svc::availability
