// Media as JSON.
#pragma once

#include "base/catalog/media/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::media {

// Of Service::srcset_of.
api::Type srcset_type();

// Headers for a file's bytes: type, name, and a policy against scripts in it.
std::vector<std::pair<std::string, std::string>> file_headers(std::string_view mime_type, bool in_place,
                                                              std::string_view name);

}  // namespace svc::catalog::media
