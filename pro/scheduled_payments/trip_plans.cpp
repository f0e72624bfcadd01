// SQL of the payment plans of trips.
#include "pro/scheduled_payments/trip_plans.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::scheduled_payments {

std::optional<Currency> TripPlans::currency_of_trip(store::Session& session, std::int64_t trip_id) {
    const auto code = store::value<std::string>(
        session, "SELECT currency FROM svc_trip_v2 WHERE id = :id AND deleted_at IS NULL", {{"id", trip_id}});
    const auto currency = code ? Currency::parse(*code) : Result<Currency>(errc::not_found);
    return currency ? std::optional(*currency) : std::nullopt;
}

std::optional<StoredPlan> TripPlans::find(store::Session& session, std::int64_t trip_id) {
    using Number = std::optional<std::int64_t>;
    std::optional<StoredPlan> found;
    for (const auto& [kind, code, updated_at, minor, ppm, due, on, days] :
         store::tuples<std::string, std::string, Instant, Number, Number, std::string, std::optional<Date>, Number>(
             session,
             "SELECT p.kind, p.currency, p.updated_at, a.amount_minor, a.rate_ppm, a.due, a.due_on, a.days"
             " FROM svc_trip_payment_plans p JOIN svc_trip_payment_plan_parts a ON a.trip_id = p.trip_id"
             " WHERE p.trip_id = :id ORDER BY a.number",
             {{"id", trip_id}})) {
        const auto currency = Currency::parse(code);
        if (!currency)
            return std::nullopt;
        if (!found)
            found = StoredPlan{.plan = {.kind = kind, .currency = *currency}, .updated_at = updated_at};
        found->plan.parts.push_back({.amount = minor ? std::optional(Money{*minor, *currency}) : std::nullopt,
                                     .rate = ppm ? std::optional(Rate{.ppm = *ppm}) : std::nullopt,
                                     .due = due,
                                     .on = on,
                                     .days = days ? std::optional(static_cast<int>(*days)) : std::nullopt});
    }
    return found;
}

void TripPlans::put(store::Transaction& tx, std::int64_t trip_id, const TripPlan& plan, Instant now) {
    tx.run(
        "INSERT INTO svc_trip_payment_plans (trip_id, kind, currency, created_at, updated_at)"
        " VALUES (:trip_id, :kind, :currency, :now, :now) ON CONFLICT (trip_id) DO UPDATE SET"
        " kind = excluded.kind, currency = excluded.currency, updated_at = excluded.updated_at",
        {{"trip_id", trip_id}, {"kind", plan.kind}, {"currency", plan.currency.code()}, {"now", now}});
    tx.run("DELETE FROM svc_trip_payment_plan_parts WHERE trip_id = :trip_id", {{"trip_id", trip_id}});
    std::int64_t number = 0;
    for (const TripPlanPart& part : plan.parts) {
        // What is left for the last part follows from the others.
        const bool is_last = ++number == static_cast<std::int64_t>(plan.parts.size());
        tx.run(
            "INSERT INTO svc_trip_payment_plan_parts (trip_id, number, amount_minor, rate_ppm, due, due_on, days)"
            " VALUES (:trip_id, :number, :amount, :rate, :due, :due_on, :days)",
            {{"trip_id", trip_id},
             {"number", number},
             {"amount", part.amount ? std::optional(part.amount->minor()) : std::nullopt},
             {"rate", part.rate && !is_last ? std::optional(part.rate->ppm) : std::nullopt},
             {"due", part.due},
             {"due_on", part.on},
             {"days", part.days ? std::optional<std::int64_t>(*part.days) : std::nullopt}});
    }
}

void TripPlans::remove(store::Transaction& tx, std::int64_t trip_id) {
    tx.run("DELETE FROM svc_trip_payment_plans WHERE trip_id = :trip_id", {{"trip_id", trip_id}});
}

}  // namespace svc::pro::scheduled_payments
