// Checkout sessions: a visitor's choices so far, and their price.
#pragma once

#include <string>
#include <string_view>

#include "base/sales/booking/checkout/choice.hpp"
#include "base/sales/booking/checkout/offers.hpp"
#include "base/sales/booking/record/parts.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/api/permission.hpp"

namespace svc::booking {

// Any thread. A secret that opens nothing is session_expired.
class Sessions {
  public:
    Sessions(const Parts& parts, const Ports& ports, const Offers& offers)
        : parts_(parts), ports_(ports), offers_(offers), sealing_(parts.keyring) {}

    Result<OpenSession> open(const Choice& choice, const api::Caller& caller);
    Result<OpenSession> resume(std::string_view secret, const api::Caller& caller);  // slides its expiry
    Result<OpenSession> choose(std::string_view secret, const Choice& choice, const api::Caller& caller);
    Result<void> close(std::string_view secret, const api::Caller& caller);
    // Whether that secret was a session's; for a week after its end.
    bool knows(std::string_view secret);
    // The price of the session with `choice` applied but not stored.
    Result<pricing::Quote> summary(std::string_view secret, const Choice& choice, const api::Caller& caller);
    // Whether that code is another one than the session has: then it is a try at a code. Without a secret it is one.
    bool tries_code(std::string_view secret, std::string_view code);
    // Puts a code on the session, in place of another; the errors of discounts::Service::look_up.
    Result<pricing::Quote> set_coupon(std::string_view secret, std::string_view code, const api::Caller& caller);
    // The session of that secret, if it may be used by that caller.
    Result<CheckoutSession> live(store::Session& session, std::string_view secret, const api::Caller& caller) const;

  private:
    void keep_alive(CheckoutSession& session);
    // Checks the parts of a choice that only a session stores.
    [[nodiscard]] Result<void> keepable(const Choice& choice) const;
    void keep_draft(CheckoutSession& session, const Choice& choice) const;
    void add_quote(OpenSession& open) const;  // or the reason for none
    // Whether the trip offers the session's choice.
    Result<void> check_offer(const CheckoutSession& session, const Choice& choice) const;
    // The session's content as it can be shown now.
    OpenSession open_session(CheckoutSession session, std::string secret = {}) const;

    Parts parts_;
    const Ports& ports_;
    const Offers& offers_;
    Sealing sealing_;
};

}  // namespace svc::booking
