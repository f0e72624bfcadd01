// Accounts of those who book: made by the registration of the site.
#pragma once

#include "base/people/identity/registration.hpp"
#include "base/sales/booking/record/ports.hpp"

namespace svc::booking {

// Any thread.
class RegisteredAccounts final : public Accounts {
  public:
    explicit RegisteredAccounts(identity::Registration& registration) : registration_(registration) {}

    [[nodiscard]] Result<Create> prepare(const customers::Contact& contact, const std::string& password) const override;
    [[nodiscard]] Result<void> admit(const std::string& recaptcha_token, const std::string& address,
                                     bool is_person) const override {
        return registration_.admit(recaptcha_token, address, is_person);
    }

  private:
    identity::Registration& registration_;
};

}  // namespace svc::booking
