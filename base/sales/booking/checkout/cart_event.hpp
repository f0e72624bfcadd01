// The id of a checkout's event add_to_cart, as the visitor's browser reported it to partners that count visits: a
// report of the server has the same one, so that both count once.
#pragma once

#include <string_view>

#include "shared/api/schema.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Of a body; empty or absent: nothing was reported.
api::Field cart_event_field();
// Whether the text is such an id: 8 to 64 small letters, digits and hyphens.
bool is_cart_event(std::string_view text);
// A checkout keeps its first one. Nothing is stored for a text that is none.
Result<void> keep_cart_event(store::Store& store, std::int64_t session_id, std::string_view event_id, Instant now);

}  // namespace svc::booking
