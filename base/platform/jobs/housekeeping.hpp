// One job that deletes outdated rows; features add their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/platform/jobs/jobs.hpp"

namespace svc::jobs {

class Housekeeping {
  public:
    // Deletes up to `most` rows that are out of date at `now`; returns how many it deleted.
    using Piece = std::function<std::int64_t(store::Transaction& tx, Instant now, int most)>;

    // The store outlives it, and it outlives the job.
    explicit Housekeeping(store::Store& store) : store_(store) {}
    void add(std::string name, Piece piece) { pieces_.emplace_back(std::move(name), std::move(piece)); }  // [start-up]
    // Clears what is more than rows of one table, in its own transactions; returns how much.
    using Chore = std::function<Result<std::int64_t>(Instant now)>;
    void add_chore(std::string name, Chore chore) { chores_.emplace_back(std::move(name), std::move(chore)); }
    // Daily at 03:20. Each batch is a transaction, so that other writers wait briefly; a failing part does not stop the
    // others. Returns the rows deleted by part.
    [[nodiscard]] Job job();

  private:
    Result<json::Value> run(Instant now);
    Result<std::int64_t> clear(const Piece& piece, Instant now);
    store::Store& store_;
    std::vector<std::pair<std::string, Piece>> pieces_;
    std::vector<std::pair<std::string, Chore>> chores_;
};

}  // namespace svc::jobs
