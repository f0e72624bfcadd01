// The draft of the form in a checkout page's session, so that a reload restores it.
#pragma once

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

inline constexpr std::size_t longest_draft = 16 * 1024;  // of its JSON text, in bytes

// Rejects drafts that are too long or contain a payment card: a card number, or a member named like its code. Errors
// name form_data or form_data.<member>.
Result<void> check_draft(const json::Value& answers);

}  // namespace svc::booking
