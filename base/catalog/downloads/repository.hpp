// The SQL of downloads, and of nothing else.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/catalog/downloads/download.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::downloads::rows {

std::optional<Download> find(store::Session& session, std::int64_t id);
// Of those trips, by trip and order, in one statement.
using Take = std::function<void(std::int64_t trip_id, std::vector<Download> downloads)>;
void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take);

std::int64_t insert(store::Transaction& tx, const Download& download);
bool update(store::Transaction& tx, const Download& download);
void remove(store::Transaction& tx, std::int64_t id);
void count_one(store::Transaction& tx, std::int64_t id);

// The name of a file, empty when there is no such file.
std::string file_name(store::Session& session, std::int64_t media_id);

}  // namespace svc::catalog::downloads::rows
