// Dependencies of the services of bookings.
#pragma once

#include <functional>
#include <string_view>

#include "base/catalog/trips/editor/service.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/sales/availability/services.hpp"
#include "base/sales/booking/record/ports.hpp"
#include "base/sales/discounts/service.hpp"
#include "base/sales/pricing/quote.hpp"
#include "base/settings/values/settings.hpp"
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
