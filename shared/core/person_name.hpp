// Validates names of people, since they are mailed to an address that the caller chooses: no address and no link.
#pragma once

#include <string_view>

#include "shared/core/result.hpp"

namespace svc {

// 400 naming `field` for a name that holds an e-mail or web address. Any thread.
Result<void> check_person_name(const char* field, std::string_view name);

}  // namespace svc
