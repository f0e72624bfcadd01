// Who refers to a file, so that it is not deleted under them.
#pragma once

#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::catalog::media {

// In words for staff: "gallery of trip 12, Nile cruise". At most ten of each kind.
std::vector<std::string> users_of(store::Session& session, std::int64_t id);

}  // namespace svc::catalog::media
