// Ownership of a booking: the columns that decide it, for any statement that reads bookings, and the rule.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/people/identity/tokens.hpp"
#include "base/sales/booking/record/guided.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

class Service;

// Returns one row whether or not the booking exists, and whether the secret is a guest's token for it.
#define SVC_ACCESS_COLUMNS "b.status, b.user_id, " SVC_TOKEN_COLUMNS
#define SVC_ACCESS_TYPES "ti" SVC_TOKEN_TYPES
#define SVC_ACCESS_FROM                                                                                          \
    " FROM (SELECT :id AS id) asked LEFT JOIN svc_bookings b ON b.id = asked.id" SVC_TOKEN_JOIN("booking_guest", \
                                                                                                "booking", "asked.id")

struct Access {
    std::string status;  // empty: there is no such booking
    std::optional<std::int64_t> user_id;
    identity::tokens::Joined guest;
};
Access read_access(const store::Row& row, std::size_t at = 0);
// The values that SVC_ACCESS_FROM and SVC_ACCESS_COLUMNS name.
store::Params access_params(std::int64_t booking_id, std::string_view secret, Instant now);

// Whether the request names a pay link: it is shown no more than amounts.
bool shows_pay_link(const api::Request& request);

// The caller is the booking's owner, a guest with its live booking_token or the session that created it, or staff with
// `staff_right`; staff without that right count as anonymous callers. The booking link proves what reads, and no more.
// Other signed-in callers get `not_theirs`. Copied freely, any thread.
class Ownership {
  public:
    struct Parts {
        Service& bookings;
        store::Store& store;
        limits::RateLimits& limits;
        const Clock& clock;
    };
    explicit Ownership(Parts parts, std::string staff_right = "svc_view_bookings",
                       const ErrorCode& not_theirs = errc::forbidden)
        : parts_(parts), staff_right_(std::move(staff_right)), not_theirs_(&not_theirs) {}

    // The same for routes that pay: pay links count, too.
    [[nodiscard]] Ownership paying() const {
        Ownership also = *this;
        also.takes_pay_links_ = true;
        return also;
    }

    Result<void> operator()(const api::Request& request, std::int64_t booking_id) const;
    // The same with a caller's statement, which can read more in the same trip. Not run for staff: the caller decides
    // whether the booking exists.
    using Read = std::function<Access(const store::Params&)>;
    Result<void> operator()(const api::Request& request, std::int64_t booking_id, const Read& read) const;

    // Of the booking that the path names.
    [[nodiscard]] api::Permission permission(std::string path_name) const;
    // For a route whose handler runs its own statement: the gate rejects callers without any proof.
    [[nodiscard]] api::Permission permission_of_handler() const;

  private:
    Result<void> prove(std::string_view secret, std::int64_t booking_id, const Access& access,
                       const api::Request& request) const;
    // The outcome of a mailed link; nothing: the secret is none.
    [[nodiscard]] std::optional<Result<void>> by_link(std::string_view secret, std::int64_t booking_id,
                                                      const api::Request& request, bool& is_old) const;
    void renew(const identity::tokens::Joined& token, Instant now) const;
    [[nodiscard]] std::string help() const;

    Parts parts_;
    std::string staff_right_;
    const ErrorCode* not_theirs_;
    bool takes_pay_links_ = false;
};

}  // namespace svc::booking
