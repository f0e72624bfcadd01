// Answers about health and papers, and files that were sent, as staff read them: masked without a right of its own. One
// right for booking forms and for consents (docs/rules.md, booking form).
#pragma once

#include <string_view>

#include "shared/api/permission.hpp"

namespace svc::api {

// Beside the right to read the record that has them.
inline constexpr std::string_view reads_sealed_answers = "svc_view_sensitive_answers";
// In place of such an answer. Sent back, it means the stored one.
inline constexpr std::string_view masked_answer = "•••";

inline bool may_read_sealed(const Caller& caller) { return caller.can(reads_sealed_answers); }

}  // namespace svc::api
