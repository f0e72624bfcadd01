// The plan by which the rest of a booking's price is paid in parts: a plugin makes it (svc_booking_payment_plan), and
// pages, e-mails, documents and routes show it with the booking's other money.
#pragma once

#include "base/sales/booking/record/money_terms.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::booking {

inline const hooks::Filter payment_plan{
    "svc_booking_payment_plan",
    "The installments of what is left of a booking's price after its first payment, in order of their days: date,"
    " amount, number, count and binds (the customer pays one after the other, never all that is left at once). They "
    "come"
    " to `rest`; other lists, and the empty default, are one rest by one day. context: booking_id and trip_id (null"
    " where there is none yet), currency, total, rest, travel_date, is_agreed. is_agreed: the booking is being made, "
    "and"
    " its customer has seen the plan; the filter runs in that transaction.",
    json::Kind::array,
    {"context"},
    R"([{"date": "", "amount": 0.5, "number": 1, "count": 1, "binds": false}])"};

struct PlanPart {
    Date day;
    Money amount;
    std::int64_t number = 1, count = 1;  // "Installment 2 of 4"
};

// A booking's money with the plan of its rest.
struct PlannedMoney : MoneyTerms {
    explicit PlannedMoney(MoneyTerms terms) : MoneyTerms(std::move(terms)) {}
    std::vector<PlanPart> parts = {};  // two or more, together `rest`, the last one on rest_on; or none
    bool binds = false;                // they are paid one after the other
};

struct PlanFor {
    std::int64_t booking_id = 0;  // 0: not made yet
    std::int64_t trip_id = 0;     // asked for where the plan is not agreed yet
    std::optional<Date> travel_date = {};
    bool is_agreed = false;
};
// Asks listeners for the plan. `tx`: the caller's; without one it may be inside no session, since listeners read.
PlannedMoney planned(const hooks::Hooks& hooks, MoneyTerms terms, const PlanFor& which,
                     store::Transaction* tx = nullptr);
// The rest of a booking that is being made is due by the last day of its plan.
void keep_last_day(store::Transaction& tx, Booking& booking, const PlannedMoney& agreed);
// As money_terms_from, with `plan` and `plan_binds`.
std::optional<PlannedMoney> planned_money_from(const json::Value& value);
json::Value to_json(const PlannedMoney& money);

// The lines of the terms, with one for each part in place of the one for the rest.
std::vector<MoneyLine> lines_of(const PlannedMoney& money, const MoneyReader& reader);

}  // namespace svc::booking
