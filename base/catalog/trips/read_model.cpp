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

PublicTrips::PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing)
    : store_(store),
      hooks_(hooks),
      showing_(showing),
      current_(std::make_shared<const Snapshot>(std::vector<Shown>{})) {}
PublicTrips::~PublicTrips() = default;

std::shared_ptr<const Snapshot> PublicTrips::snapshot() const {
    const std::lock_guard lock(swapping_);
    return current_;
}

void PublicTrips::swap_in(std::shared_ptr<const Snapshot> next) {
    const std::lock_guard lock(swapping_);
    current_.swap(next);  // the old one is freed by its last reader, outside the lock
}

std::vector<Shown> PublicTrips::show(store::Session& session, std::vector<Trip> trips) const {
    std::vector<Shown> shown;
    for (Whole& whole : with_members(session, std::move(trips), showing_.parts, false)) {
        const Display display = display_of(whole.trip, hooks_);
        auto value = public_json(whole, display, showing_);
        std::string body = R"({"success":true,"data":)";
        value.dump_to(body);
        body += '}';
        for (const auto& part : showing_.parts)
            if (!part->in_rows())
                value.erase(part->name());
        auto search = text::folded(whole.trip.title + '\n' + whole.trip.summary + '\n' + whole.trip.description);
        shown.push_back(std::make_shared<const ShownTrip>(ShownTrip{
            std::move(whole.trip), display.price, std::move(search), body_of(std::move(body)), value.dump()}));
    }
    return shown;
}

void PublicTrips::load() {
    constexpr std::int64_t at_once = 200;
    const std::lock_guard lock(writing_);
    std::vector<Shown> trips;
    store_.read([&](store::Session& session) {
        trips.clear();
        for (std::int64_t after = 0;;) {
            auto next = rows::public_after(session, after, at_once);
            if (next.empty())
                return;
            after = next.back().id;
            for (Shown& each : show(session, std::move(next)))
                trips.push_back(std::move(each));
        }
    });
    swap_in(std::make_shared<const Snapshot>(std::move(trips)));
}

void PublicTrips::refresh(std::int64_t id) {
    const std::lock_guard lock(writing_);
    const auto shown = store_.reading<std::vector<Shown>>([&](store::Session& session) {
        std::vector<Trip> one;
        if (auto trip = rows::find(session, id); trip && is_shown(*trip))
            one.push_back(std::move(*trip));
        return show(session, std::move(one));
    });
    if (!shown.empty())
        swap_in(snapshot()->with(shown, {}));
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
        std::vector<Trip> trips;
        for (const auto& version : versions) {
            const Shown known = before->find(version.id);
            if (known && known->trip.row_version == version.row_version)
                continue;
            if (auto trip = rows::find(session, version.id); trip && is_shown(*trip))
                trips.push_back(std::move(*trip));
        }
        changed = show(session, std::move(trips));
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
