// Conditions of a step: facts of the booking when the step is due.
#pragma once

#include "shared/api/schema.hpp"
#include "shared/core/date.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/money.hpp"

namespace svc::pro::email_automation {

// A booking as conditions see it.
struct BookingFacts {
    std::string status, payment_status;
    std::int64_t trip_id = 0, travelers_count = 0, days_until_trip = 0;
    Money total = Money::zero(Currency::usd()), amount_due = Money::zero(Currency::usd());
};

// Of one: {field, op, value}.
api::Schema condition_schema();
// Reports conditions whose value does not fit their field. `at`: the path of the list.
void check_conditions(const json::Value& conditions, const std::string& at, Faults& faults);
// Whether all hold; an empty list does.
bool holds(const json::Value& conditions, const BookingFacts& facts);

}  // namespace svc::pro::email_automation
