// Rows of svc_modules.
#pragma once

#include <functional>
#include <string>

#include "shared/store/store.hpp"

namespace svc::modules {

class Repository {
  public:
    static void each(
        store::Session& session,
        const std::function<void(const std::string& slug, bool enabled, const std::string& settings)>& take);
    // False when it was so already.
    static bool set_enabled(store::Transaction& tx, std::string_view slug, bool enabled, Instant now);
    static void save_settings(store::Transaction& tx, std::string_view slug, const std::string& settings, Instant now);
};

}  // namespace svc::modules
