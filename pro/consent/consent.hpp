// Names that all parts of the module trip_consent share.
#pragma once

#include <string_view>

#include "shared/core/error_codes.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pro::consent {

inline constexpr std::string_view module_slug = "trip_consent", capability = "manage_svc";

// Of a request.
namespace status {
inline constexpr std::string_view pending = "pending", signed_ = "signed", expired = "expired", revoked = "revoked";
}
// Why a request was revoked.
namespace why {
inline constexpr std::string_view staff = "staff", booking = "booking", form = "form", withdrawn = "withdrawn",
                                  replaced = "replaced";
}

inline constexpr ErrorCode already_signed{"already_signed", 409, "This form is signed already."};

inline const hooks::Action consent_signed{
    "svc_consent_signed",
    "A traveler, or the guardian of one, signed a consent form; its signed copy is stored.",
    {"signed_id", "request_id", "booking_id"}};

}  // namespace svc::pro::consent
