// Lists the records that refer to a file, so that a file in use is not deleted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::catalog::media {

struct User {
    std::string type;                // "trip", "destination", "setting"
    std::optional<std::int64_t> id;  // a setting has none
    std::string title;               // its key
};
struct Users {
    std::vector<User> first;
    std::int64_t total = 0;
};

// Trips, classifications and settings, each once; at most `most` of them by name. `root` is where everyone fetches
// files from: some are referred to by their addresses.
Users users_of(store::Session& session, std::int64_t id, std::string_view root, int most);
// Whether any of them shows it, other than as a download.
bool is_shown(store::Session& session, std::int64_t id, std::string_view root);

}  // namespace svc::catalog::media
