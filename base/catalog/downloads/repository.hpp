// The SQL of downloads that their record does not have.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/catalog/downloads/download.hpp"

namespace svc::catalog::downloads::rows {

// Of those trips, by trip and order, in one statement.
using Take = std::function<void(std::int64_t trip_id, std::vector<Download> downloads)>;
void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take);

void count_one(store::Transaction& tx, std::int64_t id);

// The name of a file, empty when there is no such file.
std::string file_name(store::Session& session, std::int64_t media_id);

}  // namespace svc::catalog::downloads::rows
