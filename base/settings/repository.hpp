// The SQL of settings.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::settings::repository {

void each(store::Session& session, const std::function<void(const std::string& key, const std::string& value)>& take);
// `user_id` 0: nobody, as from the command line.
void put(store::Transaction& tx, std::string_view key, std::string_view value, bool is_secret, std::int64_t user_id,
         Instant now);

}  // namespace svc::settings::repository
