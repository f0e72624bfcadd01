// Puts trips and the members of their parts together.
#include <algorithm>

#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/wire.hpp"

namespace svc::catalog::trips {

std::vector<Whole> with_members(store::Session& session, std::vector<Trip> trips, const Parts& parts, Members members) {
    std::vector<Whole> wholes;
    std::vector<std::pair<std::int64_t, std::size_t>> at;
    std::vector<std::int64_t> ids;
    wholes.reserve(trips.size());
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

json::Value staff_json(store::Session& session, const Trip& trip, const Showing& showing, const hooks::Hooks& hooks,
                       Members members) {
    const auto whole = with_members(session, {trip}, showing.parts, members);
    return staff_json(whole.front(), display_of(trip, hooks, showing.asks), showing);
}

json::Value as_loaded(json::Value answer, const Trip& trip, const hooks::Hooks& hooks) {
    answer = hooks.apply(trip_loaded_with_relations, std::move(answer), {trip.id});
    answer.set("id", trip.id);
    answer.set("slug", trip.slug);
    return answer;
}

// Rows keep the members of the list, whatever the listener added.
void take_loaded(json::Value& row, json::Value& more, const Trip& trip, const hooks::Hooks& hooks) {
    std::vector<std::string> beyond_rows;
    for (auto& [name, value] : more.members()) {
        beyond_rows.push_back(name);
        row.members().emplace_back(name, std::move(value));
    }
    json::Value loaded = as_loaded(std::move(row), trip, hooks);
    row = json::Value::object();
    more = json::Value::object();
    for (auto& [name, value] : loaded.members()) {
        const bool of_rows = std::find(beyond_rows.begin(), beyond_rows.end(), name) == beyond_rows.end();
        (of_rows ? row : more).members().emplace_back(std::move(name), std::move(value));
    }
}

}  // namespace svc::catalog::trips
