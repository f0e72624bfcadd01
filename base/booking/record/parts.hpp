// Dependencies of the services of bookings.
#pragma once

#include <functional>
#include <string_view>

#include "base/availability/services.hpp"
#include "base/booking/record/ports.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/discounts/service.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/pricing/quote.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// The platform and the features below, by reference; everything outlives the services. Copied freely.
struct Parts {
    store::Store& store;
    hooks::Hooks& hooks;
    settings::Settings& settings;
    catalog::trips::Service& trips;
    availability::Services& availability;
    pricing::Pricing& pricing;
    discounts::Service& discounts;
    const Clock& clock;
    const crypto::Keyring& keyring;
    std::function<bool(std::string_view module)> module_enabled = {};  // empty: no module is enabled
};

}  // namespace svc::booking
