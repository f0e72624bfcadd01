// The SQL of media, and of nothing else.
#pragma once

#include <string>

#include "base/catalog/media/media.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::media {

// Each function runs on the session it is given. What it reads is withheld where a download that is not for everyone is
// made of it, shown elsewhere or not.
namespace rows {
std::optional<Media> find(store::Session& session, std::int64_t id);
std::optional<Media> with_content(store::Session& session, const std::string& sha256, bool is_private);
bool any_with_content(store::Session& session, const std::string& sha256);
std::int64_t insert(store::Transaction& tx, Media media);
// The next picture without copies, tried once more; nothing when there is none. One that failed thrice is left alone.
std::optional<Media> begin_sizes(store::Transaction& tx);
// Its copies and how it stands are as the record says from now on. False when it is gone.
bool update_sizes(store::Transaction& tx, const Media& media, Instant now);
// Until the transaction ends, nobody else inserts or sweeps files.
void lock_contents(store::Transaction& tx);
}  // namespace rows

}  // namespace svc::catalog::media
