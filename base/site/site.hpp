// What a feature is built from: the services of the platform, by reference.
#pragma once

#include <string>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/jobs/housekeeping.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/settings/settings.hpp"
#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc {

// Everything outlives the features. Copied freely.
struct Site {
    store::Store& store;
    hooks::Hooks& hooks;
    settings::Settings& settings;
    const Clock& clock;
    const crypto::Keyring& keyring;
    api::RouteTable& routes;
    jobs::Jobs& jobs;
    jobs::Housekeeping& housekeeping;
    std::string address;  // of the pages, without a slash at the end: "https://example.org"
};

}  // namespace svc
