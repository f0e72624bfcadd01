// Lists the records that refer to a file, so that a file in use is not deleted.
#pragma once

#include <string_view>

#include "shared/record/facts.hpp"

namespace svc::catalog::media {

// Trips, classifications, settings and what else states that it uses files, each once; at most `most` of them by name.
// `root` is where everyone fetches files from: some are referred to by their addresses.
facts::Users users_of(store::Session& session, std::int64_t id, std::string_view root, int most);
// Whether any of them shows it, other than as a download.
bool is_shown(store::Session& session, std::int64_t id, std::string_view root);

}  // namespace svc::catalog::media
