// The SQL of media, and of nothing else.
#pragma once

#include <string>

#include "base/catalog/media/media.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::media {

// Each function runs on the given session. A file is withheld when a download restricts it, even if a page shows it.
namespace rows {
std::optional<Media> find(store::Session& session, std::int64_t id);
std::optional<Media> with_content(store::Session& session, const std::string& sha256, bool is_private);
bool any_with_content(store::Session& session, const std::string& sha256);
std::int64_t insert(store::Transaction& tx, Media media);
// The next picture without copies; counts the attempt. Empty when there is none. Gives up after three failures.
std::optional<Media> begin_sizes(store::Transaction& tx);
// Stores its copies and orientation. False when it no longer exists.
bool update_sizes(store::Transaction& tx, const Media& media, Instant now);
// Locks out other inserts and sweeps of files until the transaction ends.
void lock_contents(store::Transaction& tx);
}  // namespace rows

}  // namespace svc::catalog::media
