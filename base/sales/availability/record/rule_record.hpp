// Recurring rules as the database stores them, without their times, weekdays and category prices.
#pragma once

#include "base/sales/availability/record/rule.hpp"
#include "shared/record/rows.hpp"

namespace svc::availability {

const record::Rows<Rule>& rule_record();

}  // namespace svc::availability
