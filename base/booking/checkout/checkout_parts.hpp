// What the routes of checkout share.
#pragma once

#include "base/booking/checkout/routes.hpp"
#include "base/identity/tokens.hpp"

namespace svc::booking {

// A session's secret: of a header, then of the body, then of the query; booking_token is its other name. Empty: none.
std::string secret_of(const api::Request& request);

// What a session's secret opens. A secret that no session ever had is a guess, counted against who sent it. `doors` has
// sessions and limits.
template <class T, class Doors>
Result<T> opened(const Doors& doors, const api::Request& request,
                 const std::function<Result<T>(const std::string& secret)>& open) {
    const std::string secret = secret_of(request);
    if (!secret.empty())
        if (auto may = identity::tokens::may_try(doors.limits, request.address); !may)
            return may.error();
    auto result = open(secret);
    if (!result && &result.error().code() != &errc::session_expired)
        return by_field(std::move(result.error()), request);
    if (result || secret.empty() || doors.sessions.knows(secret))
        return result;
    if (auto may = identity::tokens::wrong_guess(doors.limits, request.address); !may)
        return may.error();
    return result;
}

// Where a session's secret may stand besides its header.
api::Schema session_fields();
// The price that a session's secret opens; secrets that no session ever had are counted against who sent them.
Result<pricing::Quote> quote_of(const CheckoutRoutes& checkout, const api::Request& request,
                                const std::function<Result<pricing::Quote>(const std::string& secret)>& price);

// Answers of the form that may also stand in a member as a whole: nothing is missing from one that does not fit.
inline std::vector<std::pair<std::string_view, std::string_view>> answers_beside() {
    return {{"contact_*", "contact_data"}, {"emergency_*", "emergency_contact"}, {"travelers", "travelers_count"}};
}
// A code that comes with a choice and is not the session's yet is a try at one, as at /booking/coupons: 20 in ten
// minutes of a session, however many addresses they come from, and 40 wrong ones of a network, however many sessions
// they come for. too_many_attempts.
Result<void> may_try_code(const CheckoutRoutes& checkout, const api::Request& request, const std::string& secret,
                          const std::string& code);

void add_session_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);
void add_coupon_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);

}  // namespace svc::booking
