// What gateways say to customers, in the customer's language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sales/booking/record/ports.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/core/sentence.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

// The time to pay that the operator stored for a gateway.
booking::TimeToPay time_to_pay_of(const json::Value& config);

// The text of pay later that ships, made of the company's data; `{reference}` stands for the booking's.
std::string shipped_instructions(const settings::Settings& settings, std::string_view locale);
// Instructions with the booking's reference; lines of gateways are said in the language, the operator's stay.
std::string instructions_in(std::string_view locale, const std::vector<Sentence>& lines, const std::string& reference);
// The name of a way of paying, by its title or by its key where a payment has that alone: "cash", "Bank transfer".
std::string way_in(std::string_view locale, const std::string& title);

}  // namespace svc::payment
