// What pages say about cancelling: of a trip, of a booking that is being made, and of one that is made.
#pragma once

#include "base/website/views/checkout.hpp"

namespace svc::pages {

// Of the trip's page: `cancelling` with its sentences, and `free_rule`, the first of them where cancelling is free at
// first. `trip` has cancellation_terms and currency; without terms the setting's count.
void add_trip_cancelling(const Views& views, const json::Value& trip, const Format& words, json::Value& model);
// Of the checkout's steps: the summary at the side, and `free_rule`, the last day on which cancelling is free, while
// that is true of the chosen date.
void add_summary(const Views& views, const Checkout& checkout, const Format& words, json::Value& model);
// Of its last step: the same, with `cancelling`: the days and the amounts of what would be booked, and the trip's own
// words.
void add_whole_summary(const Views& views, const Checkout& checkout, const Format& words, json::Value& model);
// Of a booking: what its customer agreed to, and what cancelling costs today. `can_cancel`: its page offers to.
void add_booked_cancelling(const json::Value& booking, bool can_cancel, const Format& words, json::Value& model);

}  // namespace svc::pages
