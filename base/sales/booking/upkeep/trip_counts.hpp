// Totals of a trip's bookings: stored with the trip and recounted after changes.
#pragma once

#include "base/catalog/trips/editor/service.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::booking {

// Bookings write no counts, so that buyers of one trip do not wait for each other: a listener notes the trip, a job
// counts.
class TripCounts {
  public:
    TripCounts(store::Store& store, events::Events& events, catalog::trips::Service& trips)
        : store_(store), events_(events), trips_(trips) {}

    void listen();  // at start-up
    void add_job(jobs::Jobs& jobs);
    // Counts the trips that are due, at most 500; returns how many.
    Result<json::Value> run();

  private:
    store::Store& store_;
    events::Events& events_;
    catalog::trips::Service& trips_;
};

}  // namespace svc::booking
