// Keeps the snapshot of published trips in step with the database.
#include "base/catalog/trips/read_model.hpp"

#include <algorithm>

#include "base/catalog/trips/children.hpp"
#include "base/catalog/trips/fields.hpp"
#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/snapshot.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

bool is_shown(const Trip& trip) { return trip.status == TripStatus::publish || trip.status == TripStatus::archived; }

// What nobody asks of a trip in memory: its answer has it. Most of a trip's bytes.
void drop_long_texts(Trip& trip) {
    for (const TextField& field : text_fields)
        std::string().swap(trip.*field.stored);
    for (const JsonField& field : json_fields)
        trip.*field.stored = {};
}

// The names as they are when the trips given were added to them; the same object when nothing was new.
std::shared_ptr<const ClassNames> names_after(const Snapshot& before, ClassNames names) {
    return names == *before.names() ? before.names() : std::make_shared<const ClassNames>(std::move(names));
}

// What a trip is sorted into and what its attributes say, as words to be found by.
std::string said_elsewhere(const Facts& facts, const ClassNames& names, const json::Value& attributes) {
    std::string said;
    for (const ClassKey& each : facts.classes)
        (said += names.at(each).name) += '\n';
    if (!attributes.is_object())
        return said;
    for (const auto& [id, value] : attributes.members()) {
        if (value.is_string())
            (said += value.text()) += '\n';
        if (value.is_array())
            for (const json::Value& one : value.items())
                if (one.is_string())
                    (said += one.text()) += '\n';
    }
    return said;
}

}  // namespace

PublicTrips::PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing)
    : store_(store),
      hooks_(hooks),
      showing_(showing),
      current_(std::make_shared<const Snapshot>()),
      old_slugs_(std::make_shared<const OldSlugs>()) {}
PublicTrips::~PublicTrips() = default;

std::shared_ptr<const Snapshot> PublicTrips::snapshot() const {
    const std::lock_guard lock(swapping_);
    return current_;
}

void PublicTrips::swap_in(std::shared_ptr<const Snapshot> next) {
    const std::lock_guard lock(swapping_);
    current_.swap(next);  // the old one is freed by its last reader, outside the lock
}

Draft PublicTrips::show(Whole whole, const Tree& tree, ClassNames& names) const {
    Trip& trip = whole.trip;
    const Display display = display_of(trip, hooks_);
    const json::Value row = public_json(whole, display, showing_);
    auto shown = std::make_shared<ShownTrip>();
    const json::Value more = public_more(whole, showing_);
    set_body(*shown, row, more);
    add_price_facts(trip, row);
    add_price_facts(trip, more);
    shown->facts = facts_of(trip, display.price, row, tree, names);
    shown->title_folded = text::folded(trip.title);
    shown->words = words_of(search_text(trip, said_elsewhere(shown->facts, names, row["attributes"])));
    drop_long_texts(trip);
    shown->trip = std::move(trip);
    return shown;
}

std::vector<Draft> PublicTrips::show(store::Session& session, std::vector<Trip> trips, ClassNames& names) const {
    std::vector<Draft> shown;
    const Tree tree = trips.empty() ? Tree{} : rows::tree(session);
    for (Whole& whole : with_members(session, std::move(trips), showing_.parts, false))
        shown.push_back(show(std::move(whole), tree, names));
    return shown;
}

std::vector<Draft> PublicTrips::read(store::Session& session, std::span<const std::int64_t> ids,
                                     ClassNames& names) const {
    auto trips = rows::find_all(session, ids);
    std::erase_if(trips, [](const Trip& trip) { return !is_shown(trip); });
    return show(session, std::move(trips), names);
}

void PublicTrips::load_old_slugs() {
    auto known = std::make_shared<OldSlugs>();
    store_.read([&](store::Session& session) {
        known->clear();
        for (auto& each : rows::old_slugs(session))
            known->emplace(std::move(each.slug), each.trip_id);
    });
    const std::lock_guard lock(swapping_);
    old_slugs_ = std::move(known);
}

void PublicTrips::follow_slugs(const Snapshot& before, std::span<const Draft> changed) {
    const bool moved = std::any_of(changed.begin(), changed.end(), [&](const Draft& each) {
        const Shown known = before.find(each->trip.id);
        return !known || known->trip.slug != each->trip.slug;
    });
    if (moved)
        load_old_slugs();
}

void PublicTrips::load() {
    constexpr std::int64_t at_once = 200;
    const std::lock_guard lock(writing_);
    std::vector<Draft> trips;
    ClassNames names;
    store_.read([&](store::Session& session) {
        trips.clear();
        for (std::int64_t after = 0;;) {
            auto next = rows::public_after(session, after, at_once);
            if (next.empty())
                return;
            after = next.back().id;
            for (Draft& each : show(session, std::move(next), names))
                trips.push_back(std::move(each));
        }
    });
    load_old_slugs();
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
    follow_slugs(*before, trips);
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
    follow_slugs(*before, trips);
    if (!trips.empty() || !gone.empty())
        swap_in(before->with(trips, gone, names_after(*before, std::move(names))));
}

Shown PublicTrips::published(std::int64_t id) const {
    auto found = snapshot()->find(id);
    return found && found->trip.is_public() ? found : nullptr;
}
Shown PublicTrips::by_slug(std::string_view slug) const { return snapshot()->by_slug(slug); }
Shown PublicTrips::by_old_slug(std::string_view slug) const {
    std::shared_ptr<const OldSlugs> known;
    {
        const std::lock_guard lock(swapping_);
        known = old_slugs_;
    }
    const auto found = known->find(slug);
    return found == known->end() ? nullptr : snapshot()->find(found->second);
}
PublicPage PublicTrips::page(const PublicQuery& query) const { return snapshot()->page(query, dates_); }
std::size_t PublicTrips::size() const { return snapshot()->size(); }

}  // namespace svc::catalog::trips
