// Keeps the snapshot of published trips in step with the database.
#include "base/catalog/trips/read_model.hpp"

#include <algorithm>

#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/snapshot.hpp"
#include "base/catalog/trips/wire.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

bool is_shown(const Trip& trip) { return trip.status == TripStatus::publish || trip.status == TripStatus::archived; }

// What nobody asks of a trip in memory: its answer has it. Most of a trip's bytes.
void drop_long_texts(Trip& trip) {
    for (std::string* text : {&trip.summary, &trip.description, &trip.payment_terms})
        std::string().swap(*text);
}

// The names as they are when the trips given were added to them; the same object when nothing was new.
std::shared_ptr<const ClassNames> names_after(const Snapshot& before, ClassNames names) {
    return names == *before.names() ? before.names() : std::make_shared<const ClassNames>(std::move(names));
}

}  // namespace

PublicTrips::PublicTrips(store::Store& store, const hooks::Hooks& hooks)
    : store_(store), hooks_(hooks), current_(std::make_shared<const Snapshot>()) {}
PublicTrips::~PublicTrips() = default;

std::shared_ptr<const Snapshot> PublicTrips::snapshot() const {
    const std::lock_guard lock(swapping_);
    return current_;
}

void PublicTrips::swap_in(std::shared_ptr<const Snapshot> next) {
    const std::lock_guard lock(swapping_);
    current_.swap(next);  // the old one is freed by its last reader, outside the lock
}

Draft PublicTrips::show(Trip trip, ClassNames& names) const {
    const Display display = display_of(trip, hooks_);
    const json::Value row = public_json(trip, display);
    auto shown = std::make_shared<ShownTrip>();
    set_body(*shown, row, json::Value::object());
    shown->facts = facts_of(trip, display.price, row, names);
    shown->title_folded = text::folded(trip.title);
    shown->words = words_of(search_text(trip));
    drop_long_texts(trip);
    shown->trip = std::move(trip);
    return shown;
}

std::vector<Draft> PublicTrips::read(store::Session& session, std::span<const std::int64_t> ids,
                                     ClassNames& names) const {
    std::vector<Draft> found;
    for (const std::int64_t id : ids)
        if (auto trip = rows::find(session, id); trip && is_shown(*trip))
            found.push_back(show(std::move(*trip), names));
    return found;
}

void PublicTrips::load() {
    const std::lock_guard lock(writing_);
    std::vector<Draft> trips;
    ClassNames names;
    store_.read([&](store::Session& session) {
        trips.clear();
        rows::each_public(session, [&](Trip trip) { trips.push_back(show(std::move(trip), names)); });
    });
    swap_in(std::make_shared<const Snapshot>(std::move(trips), std::make_shared<const ClassNames>(std::move(names))));
}

void PublicTrips::refresh(std::span<const std::int64_t> ids) {
    const std::lock_guard lock(writing_);
    const auto before = snapshot();
    ClassNames names = *before->names();
    const auto trips =
        store_.reading<std::vector<Draft>>([&](store::Session& session) { return read(session, ids, names); });
    std::vector<std::int64_t> gone(ids.begin(), ids.end());
    std::erase_if(gone, [&](std::int64_t id) {
        return std::any_of(trips.begin(), trips.end(), [&](const Draft& each) { return each->trip.id == id; });
    });
    swap_in(before->with(trips, gone, names_after(*before, std::move(names))));
}

void PublicTrips::reload_changed() {
    const std::lock_guard lock(writing_);
    const auto before = snapshot();
    ClassNames names = *before->names();
    std::vector<Draft> trips;
    std::vector<std::int64_t> gone;
    store_.read([&](store::Session& session) {
        gone.clear();
        auto versions = rows::public_versions(session);
        std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        std::vector<std::int64_t> changed;
        for (const auto& version : versions)
            if (const Shown known = before->find(version.id); !known || known->trip.row_version != version.row_version)
                changed.push_back(version.id);
        trips = read(session, changed, names);
        before->each([&](const Shown& each) {
            if (!std::binary_search(versions.begin(), versions.end(), TripVersion{each->trip.id, 0},
                                    [](const auto& a, const auto& b) { return a.id < b.id; }))
                gone.push_back(each->trip.id);
        });
    });
    if (!trips.empty() || !gone.empty())
        swap_in(before->with(trips, gone, names_after(*before, std::move(names))));
}

Shown PublicTrips::published(std::int64_t id) const {
    auto found = snapshot()->find(id);
    return found && found->trip.is_public() ? found : nullptr;
}
Shown PublicTrips::by_slug(std::string_view slug) const { return snapshot()->by_slug(slug); }
PublicPage PublicTrips::page(const PublicQuery& query) const { return snapshot()->page(query, dates_); }
std::size_t PublicTrips::size() const { return snapshot()->size(); }

}  // namespace svc::catalog::trips
