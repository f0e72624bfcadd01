// Sessions for paying a balance: a token valid for half an hour and the data of the page.
#pragma once

#include "base/people/identity/tokens.hpp"
#include "base/sales/payment/checkout/offers.hpp"

namespace svc::payment {

api::Type balance_session_answer();  // the data a page needs to pay a balance

// Any thread.
class Balances {
  public:
    Balances(const CheckoutParts& parts, const Offers& offers) : parts_(parts), offers_(offers) {}

    // Opens a session for the owner's page: a token valid for half an hour, the booking, the gateways.
    Result<json::Value> open(std::int64_t booking_id);
    // The booking that such a token was given for; session_expired.
    Result<std::int64_t> booking_of(std::string_view token);
    // The current balance of that session; session_expired, also to another account.
    // A read renews it, as it does any session.
    Result<json::Value> read(std::string_view token, const api::Caller& caller);
    // Ends it: the token proves nothing any more.
    Result<void> close(std::string_view token, const api::Caller& caller);

  private:
    [[nodiscard]] json::Value session_json(const booking::Booking& booking, Instant opened_at,
                                           Instant expires_at) const;
    std::optional<std::pair<identity::Token, booking::Booking>> find(std::string_view token, const api::Caller& caller);

    const CheckoutParts& parts_;
    const Offers& offers_;
};

}  // namespace svc::payment
