// The SQL of media, and of nothing else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/catalog/media/media.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::media {

struct MediaQuery {
    std::string search = {};                    // as typed: in the name and the texts
    std::optional<Instant> from = {}, to = {};  // uploaded from then on, and before then
    std::string order_by = "id";
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

// Each function runs on the session it is given. What it reads is withheld where a download that is not for everyone is
// made of it, shown elsewhere or not.
namespace rows {
std::optional<Media> find(store::Session& session, std::int64_t id);
// Those of them that are there, by id.
std::vector<Media> find(store::Session& session, std::span<const std::int64_t> ids);
std::optional<Media> with_content(store::Session& session, const std::string& sha256, bool is_private);
bool any_with_content(store::Session& session, const std::string& sha256);
std::vector<Media> list(store::Session& session, const MediaQuery& query);
std::int64_t count(store::Session& session, const MediaQuery& query);

std::int64_t insert(store::Transaction& tx, const Media& media);
bool update_texts(store::Transaction& tx, const Media& media);
// The next picture without copies, tried once more; nothing when there is none. One that failed thrice is left alone.
std::optional<Media> begin_sizes(store::Transaction& tx);
// Its copies and how it stands are as the record says from now on. False when it is gone.
bool update_sizes(store::Transaction& tx, const Media& media, Instant now);
// Throws store::ConstraintViolation while anything refers to it.
bool remove(store::Transaction& tx, std::int64_t id);
// Until the transaction ends, nobody else inserts or sweeps files.
void lock_contents(store::Transaction& tx);
}  // namespace rows

}  // namespace svc::catalog::media
