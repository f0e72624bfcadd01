// Media as JSON.
#pragma once

#include "base/catalog/media/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::media {

// Of Service::srcset_of.
api::Type srcset_type();

// Headers of an answer that is a file's bytes: what it is, its name, and that nothing in it runs as a page of ours.
std::vector<std::pair<std::string, std::string>> file_headers(std::string_view mime_type, bool in_place,
                                                              std::string_view name);

}  // namespace svc::catalog::media
