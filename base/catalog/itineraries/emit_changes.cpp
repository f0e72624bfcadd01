// Finds differences between days and entries by their ids.
#include "base/catalog/itineraries/emit_changes.hpp"

#include <map>

#include "base/catalog/itineraries/hooks.hpp"
#include "base/catalog/itineraries/repository.hpp"

namespace svc::catalog::itineraries {
namespace {

// Equality apart from the time of the last write.
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

json::Value json_of_texts(const std::vector<std::string>& texts) { return json::array_of(texts); }

// A deleted record as it was stored.
json::Value record_of(const Day& day, const Flat&) {
    return json::Value::object({{"id", day.id},
                                {"trip_id", day.trip_id},
                                {"day", day.number},
                                {"day_title", day.title},
                                {"day_description", day.description},
                                {"image_id", day.image_id},
                                {"created_at", day.created_at},
                                {"updated_at", day.updated_at}});
}

json::Value record_of(const Entry& entry, const Flat& was) {
    const auto day = was.days.find(entry.day_id);
    json::Value gallery = json::Value::array();
    for (const Shown& each : entry.gallery)
        gallery.push(json::Value::object({{"media_id", each.media_id}, {"type", each.type}, {"url", each.url}}));
    return json::Value::object(
        {{"id", entry.id},
         {"day_id", entry.day_id},
         {"day", day == was.days.end() ? json::Value() : json::Value(day->second->number)},
         {"title", entry.title},
         {"description", entry.description},
         {"time_type", name_of(entry.time_type)},
         {"start_time", entry.start_time},
         {"end_time", entry.end_time},
         {"duration_minutes", entry.duration_minutes},
         {"location", entry.location},
         {"location_latitude",
          entry.place ? json::Value(json::Number{entry.place->latitude.decimal()}) : json::Value()},
         {"location_longitude",
          entry.place ? json::Value(json::Number{entry.place->longitude.decimal()}) : json::Value()},
         {"cost", entry.cost},
         {"cost_per_person", entry.cost_per_person},
         {"charge", entry.charge},
         {"notes", entry.notes},
         {"item_type_id", entry.item_type_id},
         {"item_id", entry.item_id},
         {"item_type_name", entry.item_type_name},
         {"item_name", entry.item_name},
         {"included_items", json_of_texts(entry.included_items)},
         {"excluded_items", json_of_texts(entry.excluded_items)},
         {"gallery", std::move(gallery)},
         {"video_url", entry.video_url},
         {"status", entry.is_published ? "publish" : "draft"},
         {"sort_order", entry.order},
         {"created_at", entry.created_at},
         {"updated_at", entry.updated_at}});
}

}  // namespace

std::vector<DayPlan> plan_of(store::Session& session, std::int64_t trip_id) {
    std::vector<DayPlan> plan;
    rows::read(session, std::span(&trip_id, 1),
               [&](std::int64_t, std::vector<DayPlan> days) { plan = std::move(days); });
    return plan;
}

void emit_changes(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t trip_id,
                  const std::vector<DayPlan>& before) {
    const std::vector<DayPlan> plan = plan_of(tx, trip_id);
    const Flat was = flat(before), is = flat(plan);
    const auto emit = [&](const hooks::Action& action, std::int64_t id) { hooks.emit(tx, action, {id, trip_id}); };
    const auto record = [&](const auto& one) { return record_of(one, was); };
    const auto emit_present = [&](const auto& then, const auto& now, const hooks::Action& created,
                                  const hooks::Action& updated) {
        for (const auto& [id, one] : now) {
            const auto known = then.find(id);
            if (known == then.end())
                emit(created, id);
            else if (!same(*known->second, *one))
                emit(updated, id);
        }
    };
    const auto emit_removed = [&](const auto& then, const auto& now, const hooks::Action& deleted) {
        for (const auto& [id, one] : then)
            if (!now.contains(id))
                hooks.emit(tx, deleted, {id, trip_id, record(*one)});
    };
    emit_present(was.days, is.days, day_created, day_updated);
    emit_present(was.entries, is.entries, activity_created, activity_updated);
    emit_removed(was.entries, is.entries, activity_deleted);
    emit_removed(was.days, is.days, day_deleted);
}

}  // namespace svc::catalog::itineraries
