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

}  // namespace

PublicTrips::PublicTrips(store::Store& store, const hooks::Hooks& hooks)
    : store_(store), hooks_(hooks), current_(std::make_shared<const Snapshot>(std::vector<Shown>{})) {}
PublicTrips::~PublicTrips() = default;

std::shared_ptr<const Snapshot> PublicTrips::snapshot() const {
    const std::lock_guard lock(swapping_);
    return current_;
}

void PublicTrips::swap_in(std::shared_ptr<const Snapshot> next) {
    const std::lock_guard lock(swapping_);
    current_.swap(next);  // the old one is freed by its last reader, outside the lock
}

Shown PublicTrips::show(Trip trip) const {
    const Display display = display_of(trip, hooks_);
    std::string body = R"({"success":true,"data":)";
    public_json(trip, display).dump_to(body);
    body += '}';
    auto search = text::folded(trip.title + '\n' + trip.summary + '\n' + trip.description);
    return std::make_shared<const ShownTrip>(
        ShownTrip{std::move(trip), display.price, std::move(search), body_of(std::move(body))});
}

void PublicTrips::load() {
    const std::lock_guard lock(writing_);
    std::vector<Shown> trips;
    store_.read([&](store::Session& session) {
        trips.clear();
        rows::each_public(session, [&](Trip trip) { trips.push_back(show(std::move(trip))); });
    });
    swap_in(std::make_shared<const Snapshot>(std::move(trips)));
}

void PublicTrips::refresh(std::int64_t id) {
    const std::lock_guard lock(writing_);
    auto trip = store_.reading<std::optional<Trip>>([&](store::Session& session) { return rows::find(session, id); });
    if (trip && is_shown(*trip))
        swap_in(snapshot()->with({show(std::move(*trip))}, {}));
    else
        swap_in(snapshot()->with({}, {id}));
}

void PublicTrips::reload_changed() {
    const std::lock_guard lock(writing_);
    const auto before = snapshot();
    std::vector<Shown> changed;
    std::vector<std::int64_t> gone;
    store_.read([&](store::Session& session) {
        changed.clear();
        gone.clear();
        auto versions = rows::public_versions(session);
        std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        for (const auto& version : versions) {
            const Shown known = before->find(version.id);
            if (known && known->trip.row_version == version.row_version)
                continue;
            if (auto trip = rows::find(session, version.id); trip && is_shown(*trip))
                changed.push_back(show(std::move(*trip)));
        }
        for (const Shown& each : before->all())
            if (!std::binary_search(versions.begin(), versions.end(), TripVersion{each->trip.id, 0},
                                    [](const auto& a, const auto& b) { return a.id < b.id; }))
                gone.push_back(each->trip.id);
    });
    if (!changed.empty() || !gone.empty())
        swap_in(before->with(changed, gone));
}

Shown PublicTrips::published(std::int64_t id) const {
    auto found = snapshot()->find(id);
    return found && found->trip.is_public() ? found : nullptr;
}
Shown PublicTrips::by_slug(std::string_view slug) const { return snapshot()->by_slug(slug); }
PublicPage PublicTrips::page(const PublicQuery& query) const { return snapshot()->page(query); }
std::size_t PublicTrips::size() const { return snapshot()->all().size(); }

}  // namespace svc::catalog::trips
