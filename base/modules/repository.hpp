// The SQL of modules.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::modules::repository {

struct Stored {
    std::string slug;
    bool enabled = false;
    std::string settings;
    std::optional<Instant> enabled_at;
};

void each(store::Session& session, const std::function<void(Stored)>& take);
// When each was last switched or set up, by slug.
std::map<std::string, Instant, std::less<>> changed_at(store::Session& session);
// False when it was in that state already. `user_id` 0: none.
bool set_enabled(store::Transaction& tx, std::string_view slug, bool on, std::int64_t user_id, Instant now);
// Whether it is on, and stays so until the transaction ends.
bool holds_enabled(store::Transaction& tx, std::string_view slug);
// The stored settings, "{}" without any; locked until the transaction ends.
std::string settings_for_update(store::Transaction& tx, std::string_view slug, Instant now);
void put_settings(store::Transaction& tx, std::string_view slug, std::string_view settings, Instant now);

}  // namespace svc::modules::repository
