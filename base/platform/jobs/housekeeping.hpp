// One job that deletes outdated rows; features add their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/platform/jobs/jobs.hpp"

namespace svc::jobs {

class Housekeeping {
  public:
    // Deletes up to `most` rows that are out of date at `now`; answers how many it deleted.
    using Piece = std::function<std::int64_t(store::Transaction& tx, Instant now, int most)>;

    // The store outlives it, and it outlives the job.
    explicit Housekeeping(store::Store& store) : store_(store) {}
    void add(std::string name, Piece piece) { pieces_.emplace_back(std::move(name), std::move(piece)); }  // [start-up]
    // Daily at 03:20. Each batch is a transaction of its own, so that nobody waits for long; a failing part does not
    // stop the others. Returns the rows deleted by part.
    [[nodiscard]] Job job();

  private:
    Result<json::Value> run(Instant now);
    store::Store& store_;
    std::vector<std::pair<std::string, Piece>> pieces_;
};

}  // namespace svc::jobs
