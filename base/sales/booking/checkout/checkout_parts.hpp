// Shared by the routes of checkout.
#pragma once

#include "base/people/identity/tokens.hpp"
#include "base/sales/booking/checkout/routes.hpp"

namespace svc::booking {

// A session's secret: of a header, then of the body, then of the query; booking_token is its other name. Empty: none.
std::string secret_of(const api::Request& request);

// Opens a session by its secret. An unknown secret is a guess, counted against the sender. `doors` has sessions and
// limits.
template <class T, class Doors>
Result<T> with_session(const Doors& doors, const api::Request& request,
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
    SVC_RETURN_IF_ERROR(identity::tokens::wrong_guess(doors.limits, request.address));
    return result;
}

// The places of a session's secret besides its header.
api::Schema session_fields();
// The price that a session's secret opens; secrets that no session ever had are counted against who sent them.
Result<pricing::Quote> quote_of(const CheckoutRoutes& checkout, const api::Request& request,
                                const std::function<Result<pricing::Quote>(const std::string& secret)>& price);

// Answers of the form that may also be sent in a member: when the member is invalid, none of them is reported missing.
inline std::vector<std::pair<std::string_view, std::string_view>> form_answer_pairs() {
    return {{"contact_*", "contact_data"}, {"emergency_*", "emergency_contact"}, {"travelers", "travelers_count"}};
}
// A code that is sent with a choice and is not the session's yet counts as an attempt, as at /booking/coupons: 20 in
// ten minutes per session from any address, and 40 wrong ones per network with any session. too_many_attempts.
Result<void> may_try_code(const CheckoutRoutes& checkout, const api::Request& request, const std::string& secret,
                          const std::string& code);

// The body of a booking to be made, and what it says; draft_to_make also asks for the way of paying and the account.
api::Schema create_fields();
NewBooking draft_of(const api::Request& request);
NewBooking draft_to_make(const api::Request& request);

void add_session_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);
void add_coupon_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);

}  // namespace svc::booking
