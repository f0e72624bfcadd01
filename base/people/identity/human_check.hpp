// Whether a person sent a public form, by reCAPTCHA's answer. A protected form fails closed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/platform/outbound/fetch.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::identity {

void declare_human_check(settings::Settings& settings, hooks::Hooks& hooks);  // [start-up]

// Any thread. Asks the operator's verification address: never inside a transaction.
class HumanCheck {
  public:
    using Fetch = std::function<Result<outbound::FetchAnswer>(const outbound::FetchRequest&)>;

    HumanCheck(const settings::Settings& settings, const hooks::Hooks& hooks, Fetch fetch)
        : settings_(settings), hooks_(hooks), fetch_(std::move(fetch)) {}

    [[nodiscard]] bool protects(std::string_view form) const;
    // `form`: booking, enquiry, registration. Accepts everything for a form that is not protected.
    [[nodiscard]] Result<void> check(std::string_view form, const std::string& token, const std::string& address) const;

  private:
    const settings::Settings& settings_;
    const hooks::Hooks& hooks_;
    const Fetch fetch_;
};

}  // namespace svc::identity
