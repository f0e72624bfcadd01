// The stored payment plans of trips. Tables svc_trip_payment_plans and svc_trip_payment_plan_parts.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "pro/common/site.hpp"
#include "pro/scheduled_payments/trip_plan.hpp"

namespace svc::pro::scheduled_payments {

struct StoredPlan {
    TripPlan plan;
    Instant updated_at;
};

struct TripPlans {
    // Of a trip that is not deleted; nothing: there is no such trip.
    static std::optional<Currency> currency_of_trip(store::Session& session, std::int64_t trip_id);
    // Nothing: the settings of the site are used.
    static std::optional<StoredPlan> find(store::Session& session, std::int64_t trip_id);
    static std::map<std::int64_t, TripPlan> all(store::Session& session);
    // In place of the one before. `plan` was checked.
    static void put(store::Transaction& tx, std::int64_t trip_id, const TripPlan& plan, Instant now);
    static void remove(store::Transaction& tx, std::int64_t trip_id);
};

// The plans in memory, for prices that are asked outside a transaction. Any thread.
class KnownPlans {
  public:
    // The site outlives it.
    explicit KnownPlans(const Site& site) : site_(site) {}

    // Follows changes of other processes; without svc.changes/1 plans are read again each second. [attach]
    void follow();
    // In the transaction of a write, and after it.
    void touch(store::Transaction& tx) const;
    void forget();

    // Gives the copy of a trip the plan of its original, unless it has one. Throws where that is not stored, so that
    // the action is told again.
    void copy(std::int64_t from_trip_id, std::int64_t to_trip_id, Instant now);

    // By the database's word in `tx`.
    std::optional<TripPlan> find(store::Transaction* tx, std::int64_t trip_id);

  private:
    using All = std::shared_ptr<const std::map<std::int64_t, TripPlan>>;
    All all();

    const Site& site_;
    std::mutex mutex_;
    All known_;
    std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace svc::pro::scheduled_payments
