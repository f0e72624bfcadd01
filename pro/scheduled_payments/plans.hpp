// By which plan a booking is paid, for the filters of the base: what is charged, what was agreed, else the plan of its
// trip or the settings of the site.
#pragma once

#include <functional>

#include "pro/scheduled_payments/agreed.hpp"
#include "pro/scheduled_payments/configuration.hpp"
#include "pro/scheduled_payments/repository.hpp"
#include "pro/scheduled_payments/trip_plans.hpp"

namespace svc::pro::scheduled_payments {

// Any thread. `tx`: the caller's transaction; without one the caller may be inside no session. An unusable argument
// leaves the value as it is.
class Plans {
  public:
    // The site outlives it.
    explicit Plans(const Site& site) : known(site), site_(site), settings_(site) {}

    KnownPlans known;

    [[nodiscard]] bool is_on() const { return settings_.is_on(); }

    // The plan of a booking, made or not yet, for svc_booking_payment_plan: what is charged, else what was agreed. An
    // agreement is stored. Empty: there is none.
    json::Value plan(store::Transaction* tx, const json::Value& context, Instant now);

    // What can be paid at booking, for svc_calculate_payment_amounts: by the plan of the trip, where it has one.
    json::Value payment_amounts(store::Transaction* tx, const json::Value& amounts, const json::Value& context,
                                const json::Value& total, Instant now);
    // The same options with the day by which the plan ends, for svc_payment_method_options.
    json::Value payment_options(store::Transaction* tx, json::Value options, const json::Value& context, Instant now);
    // Of a booking by a fixed plan, the next part, for svc_remaining_payment_amount.
    json::Value next_amount(store::Transaction* tx, const json::Value& balance, const json::Value& booking,
                            Instant now);
    // The plan by which a booking of that trip would be paid; nothing: the settings of the site.
    std::optional<TripPlan> plan_of_trip(store::Transaction* tx, std::int64_t trip_id, Currency currency);

  private:
    // What is left of a plan for a booking that is made, and what it was made by.
    struct PlanLeft {
        json::Value parts = json::Value::array();
        std::string made_by = {};
    };
    [[nodiscard]] static PlanLeft plan_left(store::Session& session, std::int64_t booking_id, const Money& rest,
                                            Date today);
    // The parts of a booking that is being made, and what they are made by.
    [[nodiscard]] std::pair<std::vector<AgreedPart>, std::string> fresh_plan(store::Transaction* tx,
                                                                             const json::Value& context,
                                                                             const Money& rest, Date today,
                                                                             Date travel_date);
    [[nodiscard]] json::Value amounts_agreed(store::Transaction* tx, const json::Value& amounts,
                                             std::int64_t booking_id, const Money& price);
    template <class T>
    T read(store::Transaction* tx, const std::function<T(store::Session&)>& work) {
        return tx ? work(*tx) : site_.store.reading<T>(work);
    }

    const Site& site_;
    const Configuration settings_;
};

}  // namespace svc::pro::scheduled_payments
