// Registers the operator's tools.
#include "base/maintenance/feature.hpp"

#include "base/maintenance/hooks.hpp"
#include "base/maintenance/routes.hpp"

namespace svc::maintenance {
namespace {

using caches::Match;

// Data that the process needs to answer: it counts no look-ups, and clearing it means reading it again.
caches::Cache calendar_cache(availability::Feature& availability) {
    return {.name = "calendar",
            .group = "availability",
            .help = "Departures and recurring rules. Which dates are shown is answered from it alone.",
            .usage = [] { return caches::Usage{}; },
            .each = [](const std::function<void(caches::Entry)>&) {},
            .clear =
                [&availability](std::string_view, Match) {
                    availability.services.calendar.load();
                    return std::int64_t{0};
                },
            .warm = [&availability] { availability.services.calendar.load(); }};
}

caches::Cache trips_cache(catalog::trips::PublicTrips& trips) {
    const auto count = [&trips] { return static_cast<std::int64_t>(trips.size()); };
    return {.name = "trips",
            .group = "trips",
            .help = "Published trips with their JSON. Lists and pages of trips are answered from it alone.",
            .usage = [count] { return caches::Usage{.entries = count()}; },
            .each =
                [&trips](const std::function<void(caches::Entry)>& take) {
                    trips.each_id([&](std::int64_t id) { take({"trips:" + std::to_string(id), 0}); });
                },
            .clear =
                [&trips, count](std::string_view key, Match match) {
                    if (match == Match::prefix) {
                        trips.load();
                        return count();
                    }
                    std::int64_t found = 0;
                    trips.each_id([&](std::int64_t id) { found = key == "trips:" + std::to_string(id) ? id : found; });
                    if (found > 0)
                        trips.refresh(found);
                    return std::int64_t{found > 0 ? 1 : 0};
                },
            .warm = [&trips] { trips.load(); }};
}

caches::Cache settings_cache(settings::SiteSettings& settings) {
    const auto count = [&settings] { return static_cast<std::int64_t>(settings.all().size()); };
    const auto each_key = [&settings](const std::function<void(caches::Entry)>& take) {
        for (const settings::Setting& setting : settings.all())
            take({"settings:" + setting.key, 0});
    };
    return {.name = "settings",
            .group = "settings",
            .help = "Settings as they are stored. Each request reads them from memory.",
            .usage = [count] { return caches::Usage{.entries = count()}; },
            .each = each_key,
            .clear =
                [&settings, each_key](std::string_view key, Match match) {
                    std::int64_t fits = 0;
                    each_key([&](const caches::Entry& entry) {
                        fits += (match == Match::whole ? entry.key == key : entry.key.starts_with(key)) ? 1 : 0;
                    });
                    settings.reload();
                    return fits;
                },
            .warm = [&settings] { settings.reload(); }};
}

}  // namespace

Feature::Feature(const Site& site, const Needs& lower) : svc::Feature(site), tasks(site), log_(site.store) {
    caches.add(settings_cache(site.settings));
    caches.add(trips_cache(lower.trips.service.public_trips()));
    caches.add(calendar_cache(lower.availability));
    auto& trips = lower.trips.service.public_trips();
    caches.add(caches::of_answers("listings", "listings", "Pages of the public lists of trips, as they were asked for.",
                                  [&trips] { return trips.listings(); }));
    caches.add(caches::of_answers(
        "bodies", "listings",
        "Answers on trips and lists as browsers take them: compressed, by their entity tag.", [&trips]() -> auto& {
            return trips.bodies();
        }));
    auto& dates = lower.availability.services.dates.remembered();
    caches.add(caches::of_answers(
        "dates", "availability", "Answers on all dates of a trip, by its id.", [&dates]() -> auto& { return dates; }));
}

void Feature::declare() { declare_hooks(site_.hooks); }

void Feature::add_routes() {
    add_task_routes(site_, tasks);
    add_log_routes(site_, log_);
    add_cron_routes(site_);
    add_cache_routes(site_, caches);
}

void Feature::add_jobs() {
    tasks.add_jobs();
    site_.housekeeping.add("logs", [this](store::Transaction& tx, Instant now, int most) {
        const auto retention = std::chrono::hours(24 * site_.settings.integer("log_retention_days"));
        return tx.run(
            "DELETE FROM svc_logs WHERE id IN (SELECT id FROM svc_logs WHERE created_at < :before LIMIT :most)",
            {{"before", now.minus(retention)}, {"most", most}});
    });
}

// After a partial clear here, other processes clear the whole cache; they fill it again within a second.
void Feature::follow_changes() {
    site_.changes.on(std::string(caches::changes_channel), [this] { static_cast<void>(caches.clear({})); });
    site_.settings.follow([this] { caches.use(site_.settings.flag("cache_enabled")); });
}

void Feature::start(bool /*with_jobs*/) {
    if (site_.installation.serves)
        log_.start();
}

void Feature::stop() {
    tasks.stop();
    log_.stop();
}

}  // namespace svc::maintenance
