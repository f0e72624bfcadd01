// The plan that a customer saw when a booking was made.
#pragma once

#include "pro/scheduled_payments/plan.hpp"
#include "pro/scheduled_payments/scheduled_payment.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::scheduled_payments {

struct AgreedPart {
    std::int64_t number = 1;
    Part part;
    std::optional<std::int64_t> days_before_tour = {};  // set: the day moves with the tour
};

// What a plan was made by.
namespace made_by {
inline constexpr std::string_view settings = "settings", fixed = "fixed", flexible = "flexible";
}

// The parts of a plan, those by the tour with their distance to it.
std::vector<AgreedPart> agreed_parts(const std::vector<Part>& plan, Date travel_date, const Terms& terms);

std::vector<Money> amounts_of(const std::vector<AgreedPart>& parts);

// Table svc_payment_plan_parts.
struct AgreedPlans {
    // `price`: of the booking, which the parts and its first payment come to.
    static void insert(store::Transaction& tx, std::int64_t booking_id, const std::vector<AgreedPart>& parts,
                       std::string_view made_by, const std::optional<Money>& price);
    // In order of their days, on the days of the tour as it is now; empty: nothing was agreed.
    static std::vector<AgreedPart> find(store::Session& session, const Owing& booking, Date today);
    // By the settings, or by a plan of the trip of that kind; empty: nothing was agreed.
    static std::string made_by(store::Session& session, std::int64_t booking_id);
    // The price that was divided; nothing: unknown, of a release before it was kept.
    static std::optional<Money> price(store::Session& session, std::int64_t booking_id, Currency currency);
};

}  // namespace svc::pro::scheduled_payments
