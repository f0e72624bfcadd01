// The form half filled in that a checkout page keeps in its session, so that it is there again after a reload.
#pragma once

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

inline constexpr std::size_t longest_draft = 16 * 1024;  // of its JSON text, in bytes

// Neither too long nor with anything of a payment card in it: a number that is one, or a member named like its code.
// Faults are named form_data, or form_data.<member> for what lies in a member of it.
Result<void> check_draft(const json::Value& answers);

}  // namespace svc::booking
