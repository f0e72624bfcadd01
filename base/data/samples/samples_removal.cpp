// Removes the sample catalogue, and counts its rows.
#include <functional>

#include "base/data/samples/sample_rows.hpp"
#include "base/data/samples/samples.hpp"

namespace svc::samples {

namespace classes = catalog::classifications;

namespace {

Result<void> remove_with_dates(catalog::trips::Lifecycle& trips, std::int64_t id, SampleCounts& counts) {
    if (auto trashed = trips.trash(id, std::nullopt);
        !trashed && trashed.error().code().status != 409)  // 409: it is there already
        return trashed.error();
    rows::Dates dates;
    auto removed = trips.remove(id, [&](store::Transaction& tx, std::int64_t trip_id) {
        dates = rows::dates_of(tx, trip_id);
        return availability::Departures::remove_all(tx, trip_id);
    });
    counts.departures += removed ? dates.departures : 0;
    counts.rules += removed ? dates.rules : 0;
    return removed;
}

}  // namespace

// Bookings first and then trips, since they refer to the rest. Rows that cannot be removed stay and are remembered.
Result<SampleCounts> Samples::clean_up() {
    SampleCounts counts;
    if (sales_) {
        const auto removed = sales_->clean_up();
        counts.bookings = removed.bookings;
        counts.kept = removed.kept;
    }
    const auto each = [&](const std::string& kind, const std::function<Result<void>(std::int64_t id)>& remove,
                          std::int64_t& removed) {
        const auto ids = parts_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return rows::remembered(session, kind); });
        for (const std::int64_t id : ids) {
            const auto deleted = remove(id);
            const bool missing = !deleted && deleted.error().code().status == 404;
            if (!deleted && !missing) {
                ++counts.kept;
                continue;
            }
            removed += missing ? 0 : 1;
            static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                rows::forget(tx, kind, id);
                return {};
            }));
        }
    };
    each(
        "trip", [&](std::int64_t id) { return remove_with_dates(parts_.trips.lifecycle(), id, counts); }, counts.trips);
    each(
        "classification",
        [&](std::int64_t id) -> Result<void> {
            const auto type = parts_.store.reading<std::optional<std::string>>(
                [&](store::Session& session) { return rows::type_of(session, id); });
            if (!type)
                return errc::not_found;
            return parts_.classifications.remove(classes::type_of(*type).value(), id);
        },
        counts.classifications);
    each(
        "media", [&](std::int64_t id) { return parts_.media.remove(id); }, counts.media);
    static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::forget(tx, "import", 0);
        rows::forget_steps(tx);
        return {};
    }));
    parts_.availability.calendar.reload_changed();
    return counts;
}

SampleStatus Samples::status() const {
    return parts_.store.reading<SampleStatus>([](store::Session& session) {
        SampleStatus status{.import_date = rows::import_date(session)};
        status.is_imported = status.import_date.has_value();
        status.trips = static_cast<std::int64_t>(rows::remembered(session, "trip").size());
        status.bookings = static_cast<std::int64_t>(rows::remembered(session, "booking").size());
        status.classifications = static_cast<std::int64_t>(rows::remembered(session, "classification").size());
        return status;
    });
}

}  // namespace svc::samples
