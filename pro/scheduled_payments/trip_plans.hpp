// The stored payment plans of trips. Tables svc_trip_payment_plans and svc_trip_payment_plan_parts.
#pragma once

#include "pro/scheduled_payments/trip_plan.hpp"
#include "shared/store/store.hpp"

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
    // In place of the one before. `plan` was checked.
    static void put(store::Transaction& tx, std::int64_t trip_id, const TripPlan& plan, Instant now);
    static void remove(store::Transaction& tx, std::int64_t trip_id);
};

}  // namespace svc::pro::scheduled_payments
