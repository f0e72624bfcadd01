// Days and amounts in the site's own format.
#include "base/settings/look.hpp"

#include <algorithm>

#include "shared/core/date_format.hpp"

namespace svc::settings {

std::string Look::day(Date date) const { return formatted(date, date_format); }

std::string Look::day(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? day(*date) : std::string(text);
}

std::string Look::amount(const Money& money) const {
    const std::string decimal = money.decimal();
    const std::string_view code = money.currency().code();
    const std::size_t first = money.is_negative() ? 1 : 0, point = std::min(decimal.find('.'), decimal.size());
    std::string text;
    text.reserve(decimal.size() + 16);
    if (!currency_behind)
        text.append(code).append(1, ' ');
    std::size_t at = 0;
    for (auto next = first + 1 + (point - first - 1) % 3; next < point; next += 3) {
        text.append(decimal, at, next - at).append(thousand_separator);
        at = next;
    }
    text.append(decimal, at, point - at);
    if (point < decimal.size())
        text.append(decimal_separator).append(decimal, point + 1);
    if (currency_behind)
        text.append(1, ' ').append(code);
    return text;
}

Look look_of(const Settings& settings) {
    return {.date_format = settings.text("date_format"),
            .decimal_separator = settings.text("decimal_separator"),
            .thousand_separator = settings.text("thousand_separator"),
            .currency_behind = settings.text("currency_position").starts_with("right"),
            .zone = settings.zone()};
}

}  // namespace svc::settings
