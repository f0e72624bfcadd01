// The feature of privacy: a person's data as a file, and its erasure; by command, and by an account's mailed link.
#pragma once

#include "base/feature/feature.hpp"
#include "base/people/customers/feature.hpp"
#include "base/people/my_account/feature.hpp"
#include "base/people/privacy/person.hpp"
#include "base/people/reviews/feature.hpp"
#include "base/sales/booking/feature.hpp"

namespace svc::privacy {

// The requests that the holder of an account can make.
enum class Wish : std::uint8_t { data, erasure };

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    struct Needs {
        customers::Feature& customers;
        my_account::Feature& account;
        booking::Feature& bookings;
        reviews::Feature& reviews;
    };
    Feature(const Site& site, const Needs& lower)
        : svc::Feature(site),
          customers_(lower.customers),
          own_(lower.account.own),
          bookings_(lower.bookings),
          reviews_(lower.reviews) {}

    void declare() override;
    void add_routes() override;

    // All stored data of that address's holder. svc_not_found without any.
    [[nodiscard]] Result<json::Value> exported(const std::string& email) const;
    // Blanks it and returns the rows changed by table. svc_not_found; svc_conflict for a staff's account and while a
    // booking is ahead. Issued invoices stay; amounts and references of payments too.
    Result<json::Value> erase(const std::string& email);

    // The mailed link's; empty for a user that is gone.
    [[nodiscard]] std::string token(Wish wish, std::int64_t user_id, Instant sent_at) const;

  private:
    [[nodiscard]] api::RouteSpec ask_route(Wish wish);
    [[nodiscard]] api::RouteSpec page_route(Wish wish);
    [[nodiscard]] api::RouteSpec act_route(Wish wish);
    Result<void> ask(Wish wish, const api::Request& request);
    Result<void> spend_link(const api::Request& request);
    // The address that the link proves: invalid_token, token_expired, 429.
    [[nodiscard]] Result<std::string> proven_by(Wish wish, const api::Request& request) const;

    const customers::Feature& customers_;
    identity::OwnAccount& own_;
    const booking::Feature& bookings_;
    const reviews::Feature& reviews_;
};

}  // namespace svc::privacy
