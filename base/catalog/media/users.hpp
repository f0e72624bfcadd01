// Who refers to a file, so that it is not deleted under them.
#pragma once

#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::catalog::media {

struct User {
    std::string type;  // "trip", "destination"
    std::int64_t id = 0;
    std::string title;
};
struct Users {
    std::vector<User> first;
    std::int64_t total = 0;
};

// Trips and classifications, each once; at most `most` of them by name.
Users users_of(store::Session& session, std::int64_t id, int most);

}  // namespace svc::catalog::media
