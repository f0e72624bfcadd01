// Amounts that people send: nothing of them is rounded away.
#pragma once

#include "shared/core/money.hpp"

namespace svc {

// As Money::parse, but other decimals than zeros beyond the currency's are refused; the error has no field.
Result<Money> parse_exact(std::string_view decimal, Currency currency);

}  // namespace svc
