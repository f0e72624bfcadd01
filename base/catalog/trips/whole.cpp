// Puts trips and the members of their parts together.
#include <algorithm>

#include "base/catalog/trips/wire.hpp"

namespace svc::catalog::trips {

std::vector<Whole> with_members(store::Session& session, std::vector<Trip> trips, const Parts& parts, Members members) {
    std::vector<Whole> wholes;
    std::vector<std::pair<std::int64_t, std::size_t>> at;
    std::vector<std::int64_t> ids;
    for (Trip& trip : trips) {
        at.emplace_back(trip.id, wholes.size());
        ids.push_back(trip.id);
        wholes.push_back({std::move(trip), {}});
    }
    std::sort(at.begin(), at.end());
    for (const auto& part : parts) {
        if ((members == Members::of_rows && !part->in_rows()) || (members != Members::all && !part->is_content()))
            continue;
        for (Whole& each : wholes)
            each.members.emplace_back(part->name(), part->none());
        part->read(session, ids, [&](std::int64_t trip_id, json::Value value) {
            const auto found = std::lower_bound(at.begin(), at.end(), std::pair(trip_id, std::size_t{0}));
            if (found != at.end() && found->first == trip_id)
                wholes[found->second].members.back().second = std::move(value);
        });
    }
    return wholes;
}

}  // namespace svc::catalog::trips
