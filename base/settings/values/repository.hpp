// The SQL of settings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::settings::repository {

void each(store::Session& session, const std::function<void(const std::string& key, const std::string& value)>& take);
std::optional<std::string> value_of(store::Session& session, std::string_view key);
// The same, locked until the transaction ends.
std::optional<std::string> locked(store::Session& tx, std::string_view key);
// `user_id` 0: no user, as from the command line.
void put(store::Transaction& tx, std::string_view key, std::string_view value, bool is_secret, std::int64_t user_id,
         Instant now);

}  // namespace svc::settings::repository
