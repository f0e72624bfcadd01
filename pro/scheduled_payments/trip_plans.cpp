// SQL of the payment plans of trips.
#include "pro/scheduled_payments/trip_plans.hpp"

#include <stdexcept>

#include "shared/store/typed.hpp"

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::string_view changes_channel = "trip_payment_plans";
constexpr std::chrono::seconds oldest_plans{1};

#define SVC_PLANS                                                                               \
    "SELECT p.trip_id, p.kind, p.currency, a.amount_minor, a.rate_ppm, a.due, a.due_on, a.days" \
    " FROM svc_trip_payment_plans p JOIN svc_trip_payment_plan_parts a ON a.trip_id = p.trip_id"

std::map<std::int64_t, TripPlan> plans_in(store::Session& session, std::string_view sql, const store::Params& params) {
    using Number = std::optional<std::int64_t>;
    std::map<std::int64_t, TripPlan> plans;
    for (const auto& [trip_id, kind, code, minor, ppm, due, on, days] :
         store::tuples<std::int64_t, std::string, std::string, Number, Number, std::string, std::optional<Date>,
                       Number>(session, sql, params)) {
        const auto currency = Currency::parse(code);
        if (!currency)
            continue;
        TripPlan& plan = plans.try_emplace(trip_id, TripPlan{.kind = kind, .currency = *currency}).first->second;
        plan.parts.push_back({.amount = minor ? std::optional(Money{*minor, *currency}) : std::nullopt,
                              .rate = ppm ? std::optional(Rate{.ppm = *ppm}) : std::nullopt,
                              .due = due,
                              .on = on,
                              .days = days ? std::optional(static_cast<int>(*days)) : std::nullopt});
    }
    return plans;
}

}  // namespace

std::optional<Currency> TripPlans::currency_of_trip(store::Session& session, std::int64_t trip_id) {
    const auto code = store::value<std::string>(
        session, "SELECT currency FROM svc_trip_v2 WHERE id = :id AND deleted_at IS NULL", {{"id", trip_id}});
    const auto currency = code ? Currency::parse(*code) : Result<Currency>(errc::not_found);
    return currency ? std::optional(*currency) : std::nullopt;
}

std::optional<StoredPlan> TripPlans::find(store::Session& session, std::int64_t trip_id) {
    const auto updated_at = store::value<Instant>(
        session, "SELECT updated_at FROM svc_trip_payment_plans WHERE trip_id = :id", {{"id", trip_id}});
    auto found = plans_in(session, SVC_PLANS " WHERE p.trip_id = :id ORDER BY a.number", {{"id", trip_id}});
    if (!updated_at || found.empty())
        return std::nullopt;
    return StoredPlan{.plan = std::move(found.begin()->second), .updated_at = *updated_at};
}

std::map<std::int64_t, TripPlan> TripPlans::all(store::Session& session) {
    return plans_in(session, SVC_PLANS " ORDER BY p.trip_id, a.number", {});
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

void KnownPlans::follow() {
    if (site_.changes)
        site_.changes->follow(std::string(changes_channel), [this] { forget(); });
}

void KnownPlans::touch(store::Transaction& tx) const {
    if (site_.changes)
        site_.changes->touch(tx, changes_channel);
}

void KnownPlans::forget() {
    const std::lock_guard lock(mutex_);
    known_.reset();
    read_at_ = std::chrono::steady_clock::now();  // older reads are not stored
}

void KnownPlans::copy(std::int64_t from_trip_id, std::int64_t to_trip_id, Instant now) {
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto plan = TripPlans::find(tx, from_trip_id);
        if (!plan || TripPlans::find(tx, to_trip_id) || !TripPlans::currency_of_trip(tx, to_trip_id))
            return {};
        TripPlans::put(tx, to_trip_id, plan->plan, now);
        touch(tx);
        return {};
    });
    if (!done)
        throw std::runtime_error("the payment plan of a copied trip was not stored: " +
                                 done.error().message().english());
    forget();
}

std::optional<TripPlan> KnownPlans::find(store::Transaction* tx, std::int64_t trip_id) {
    if (tx) {
        const auto stored = TripPlans::find(*tx, trip_id);
        return stored ? std::optional(stored->plan) : std::nullopt;
    }
    const All plans = all();
    const auto found = plans->find(trip_id);
    return found == plans->end() ? std::nullopt : std::optional(found->second);
}

KnownPlans::All KnownPlans::all() {
    {
        const std::lock_guard lock(mutex_);
        if (known_ && (site_.changes || std::chrono::steady_clock::now() - read_at_ < oldest_plans))
            return known_;
    }
    const auto at = std::chrono::steady_clock::now();
    auto fresh = site_.store.reading<All>([](store::Session& session) {
        return std::make_shared<const std::map<std::int64_t, TripPlan>>(TripPlans::all(session));
    });
    const std::lock_guard lock(mutex_);
    if (at > read_at_) {
        known_ = fresh;
        read_at_ = at;
    }
    return fresh;
}

}  // namespace svc::pro::scheduled_payments
