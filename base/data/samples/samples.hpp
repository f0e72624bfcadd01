// The sample catalogue: trips of our own writing in six countries, loaded to look at and removed whole.
#pragma once

#include <optional>

#include "base/catalog/classifications/service.hpp"
#include "base/catalog/media/service.hpp"
#include "base/catalog/trips/editor/service.hpp"
#include "base/data/samples/sample_sales.hpp"
#include "base/sales/availability/services.hpp"
#include "shared/core/progress.hpp"

namespace svc::samples {

// The created or removed rows.
struct SampleCounts {
    std::int64_t trips = 0, departures = 0, rules = 0, classifications = 0, media = 0, bookings = 0;
    std::int64_t kept = 0;  // of a removal: rows that the operator's own rows refer to
};

struct SampleStatus {
    bool is_imported = false;
    std::optional<Instant> import_date;
    std::int64_t trips = 0, classifications = 0, bookings = 0;
};

// Any thread and process. Each trip is created, and removed, in its own transaction; created rows are registered
// in rows, and nothing else is ever removed.
class Samples {
  public:
    struct Parts {
        store::Store& store;
        catalog::classifications::Service& classifications;
        catalog::trips::Service& trips;
        catalog::media::Service& media;
        availability::Services& availability;
        const Clock& clock;
    };
    explicit Samples(const Parts& parts) : parts_(parts) {}
    void sold_by(SampleSales* sales) { sales_ = sales; }  // [start-up]

    // Only classifications; with trips; with bookings of the trips.
    enum class What : std::uint8_t { classes, trips, bookings };
    // svc_conflict when they are there; `overwrite` removes them first.
    Result<SampleCounts> import(bool overwrite, What what);
    // For a new installation, with bookings: nothing when the catalogue holds any trip, the trash included; but what an
    // earlier call began and did not end is loaded from there on. Any number of processes may do so at once.
    Result<SampleCounts> import_into_empty(Progress& progress = unwatched());
    Result<SampleCounts> clean_up();
    [[nodiscard]] SampleStatus status() const;

  private:
    enum class Resuming : bool { no, yes };
    Result<void> claim(Resuming resuming);
    Result<void> import_classes(SampleCounts& counts);
    // `step` is remembered with the trip, 0 is not; store::UniqueViolation when it is already.
    Result<std::int64_t> import_trip(const json::Value& sample, SampleCounts& counts, std::int64_t step = 0);
    bool claim_step(std::int64_t step);
    void import_sales(std::int64_t trips, SampleCounts& counts, Progress& progress);
    Result<void> end_steps(const json::Value& all, SampleCounts& counts);
    Result<void> import_rule(std::int64_t trip_id, const json::Value& sample);
    Result<json::Value> body_of(store::Session& session, const json::Value& sample, std::int64_t picture) const;

    Parts parts_;
    SampleSales* sales_ = nullptr;
};

}  // namespace svc::samples
