// Days and entries are the same ones as long as they keep their ids.
#include "base/catalog/itineraries/telling.hpp"

#include <map>

#include "base/catalog/itineraries/hooks.hpp"
#include "base/catalog/itineraries/repository.hpp"

namespace svc::catalog::itineraries {
namespace {

// When something was written says nothing of what it says.
template <class T>
bool same(const T& a, T b) {
    b.updated_at = a.updated_at;
    return a == b;
}

struct Flat {
    std::map<std::int64_t, const Day*> days;
    std::map<std::int64_t, const Entry*> entries;
};
Flat flat(const std::vector<DayPlan>& plan) {
    Flat all;
    for (const DayPlan& each : plan) {
        all.days.emplace(each.day.id, &each.day);
        for (const Entry& entry : each.entries)
            all.entries.emplace(entry.id, &entry);
    }
    return all;
}

}  // namespace

std::vector<DayPlan> plan_of(store::Session& session, std::int64_t trip_id) {
    std::vector<DayPlan> plan;
    rows::read(session, std::span(&trip_id, 1),
               [&](std::int64_t, std::vector<DayPlan> days) { plan = std::move(days); });
    return plan;
}

void tell_changes(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t trip_id,
                  const std::vector<DayPlan>& before) {
    const std::vector<DayPlan> plan = plan_of(tx, trip_id);
    const Flat was = flat(before), is = flat(plan);
    const auto tell = [&](const hooks::Action& what, std::int64_t id) { hooks.emit(tx, what, {id, trip_id}); };
    const auto tell_present = [&](const auto& then, const auto& now, const hooks::Action& created,
                                  const hooks::Action& updated) {
        for (const auto& [id, one] : now) {
            const auto known = then.find(id);
            if (known == then.end())
                tell(created, id);
            else if (!same(*known->second, *one))
                tell(updated, id);
        }
    };
    const auto tell_gone = [&](const auto& then, const auto& now, const hooks::Action& deleted) {
        for (const auto& [id, one] : then)
            if (!now.contains(id))
                tell(deleted, id);
    };
    tell_present(was.days, is.days, day_created, day_updated);
    tell_present(was.entries, is.entries, activity_created, activity_updated);
    tell_gone(was.entries, is.entries, activity_deleted);
    tell_gone(was.days, is.days, day_deleted);
}

}  // namespace svc::catalog::itineraries
