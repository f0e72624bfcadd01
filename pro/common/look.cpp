// Days by the setting date_format, amounts by the separators.
#include "pro/common/look.hpp"

#include <algorithm>

#include "shared/core/date_format.hpp"

namespace svc::pro {

std::string Look::day(Date date) const { return formatted(date, date_format.empty() ? "Y-m-d" : date_format); }

std::string Look::amount(const Money& money) const {
    const std::string decimal = money.decimal(), code(money.currency().code());
    const std::size_t point = std::min(decimal.find('.'), decimal.size());
    std::string text = decimal.substr(0, point);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, thousand_separator);
    const bool is_whole = decimal.find_first_not_of('0', point + 1) == std::string::npos;
    if (point < decimal.size() && !(whole_without_decimals && is_whole))
        text += decimal_separator + decimal.substr(point + 1);
    return currency_behind ? text + " " + code : code + " " + text;
}

}  // namespace svc::pro
