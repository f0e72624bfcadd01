// Reads and restores revisions of trips.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/editor/editor.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips {

// Any thread.
class History {
  public:
    History(const Needs& needs, Editor& editor) : needs_(needs), editor_(editor) {}

    struct Revisions {
        std::vector<Revision> revisions;
        std::int64_t total = 0;
    };
    [[nodiscard]] Result<Revisions> revisions(std::int64_t trip_id, const RevisionFilter& filter,
                                              const api::Page& page) const;
    [[nodiscard]] Result<Revision> revision(std::int64_t trip_id, std::int64_t id) const;
    // Restores everything but status and schedule. `left_out` receives missing references: "destinations.7".
    Result<Trip> restore_revision(std::int64_t trip_id, std::int64_t id, std::optional<std::int64_t> user_id,
                                  std::vector<std::string>& left_out, Seen seen = {});

  private:
    const Needs& needs_;
    Editor& editor_;
};

}  // namespace svc::catalog::trips
