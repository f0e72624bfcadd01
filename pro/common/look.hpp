// The site's format of days and amounts.
#pragma once

#include <string>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::pro {

// A copy of the settings, so that a transaction need not read them. See Site::look().
struct Look {
    std::string date_format, decimal_separator, thousand_separator;
    bool currency_behind = false;
    bool whole_without_decimals = false;  // setting currency_decimals is 0

    [[nodiscard]] std::string day(Date date) const;
    [[nodiscard]] std::string amount(const Money& money) const;
};

}  // namespace svc::pro
