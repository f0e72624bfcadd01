// Keeps what a visitor types into the form of a booking, as far as consent goes, and lets go of it.
#pragma once

#include "pro/abandoned_bookings/configuration.hpp"
#include "pro/abandoned_bookings/repository.hpp"
#include "shared/plugin/host_bookings.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/plugin/host_limits.hpp"

namespace svc::pro::abandoned_bookings {

// What a page or a client reports of a checkout.
struct Report {
    std::string token;  // the secret of the session, or the mark of a page
    std::string email, name, phone;
    std::string country;  // two letters; empty: as the checkout says
    std::string locale, step, fault;
    bool agreed = false;    // the box is ticked
    bool declined = false;  // "no thanks": nothing of this checkout is kept
};

// Any thread, outside of transactions.
class Capture {
  public:
    Capture(const Site& site, const plugin::Calls& calls, const plugin::Bookings& bookings,
            const plugin::Limits* limits)
        : site_(site), calls_(calls), bookings_(bookings), limits_(limits) {}

    // Whether it is taken; false: the module does not track, or consent is missing. What is taken need not be kept: the
    // answer does not tell whether an address is known here. Errors: session_expired, rate_limited, and
    // validation_error for an address or name that is none.
    Result<bool> take(const Report& report, const api::Caller& caller, const std::string& address, Instant now) const;

    // The price of those choices now, as the checkout shows it. Refusals are the checkout's.
    [[nodiscard]] Result<json::Value> quote(const AbandonedBooking& row) const;

  private:
    [[nodiscard]] Result<Checkout> checkout_of(const Report& report, const api::Caller& caller,
                                               const std::string& address, Instant now) const;
    // Why it may be kept; empty: it may not.
    [[nodiscard]] std::string consent_of(const Report& report, const Checkout& checkout,
                                         std::string_view email_lower) const;
    void store(const Report& report, const Checkout& checkout, const std::string& email, const std::string& consent,
               Instant now) const;

    const Site& site_;
    const plugin::Calls& calls_;
    const plugin::Bookings& bookings_;
    const plugin::Limits* limits_;
};

}  // namespace svc::pro::abandoned_bookings
