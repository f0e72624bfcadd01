// Days and amounts in the site's own format.
#include "base/settings/values/look.hpp"

#include <algorithm>

#include "base/platform/texts/texts.hpp"
#include "shared/core/date_format.hpp"

namespace svc::settings {

std::string Look::day(Date date) const { return date_format.empty() ? date.text() : formatted(date, date_format); }

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
    const bool is_whole = decimal.find_first_not_of('0', point + 1) == std::string::npos;
    if (point < decimal.size() && !(whole_without_decimals && is_whole))
        text.append(decimal_separator).append(decimal, point + 1);
    if (currency_behind)
        text.append(1, ' ').append(code);
    return text;
}

std::string time_in(const Look& look, ClockTime time) {
    const std::string_view format = look.time_format;
    std::string out;
    const int hour = time.minutes() / 60, minute = time.minutes() % 60, twelve = hour % 12 == 0 ? 12 : hour % 12;
    const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    for (std::size_t i = 0; i < format.size(); ++i)
        switch (format[i]) {
            case 'H':
                out += two(hour);
                break;
            case 'G':
                out += std::to_string(hour);
                break;
            case 'h':
                out += two(twelve);
                break;
            case 'g':
                out += std::to_string(twelve);
                break;
            case 'i':
                out += two(minute);
                break;
            case 's':
                out += "00";
                break;
            case 'A':
                out += hour < 12 ? "AM" : "PM";
                break;
            case 'a':
                out += hour < 12 ? "am" : "pm";
                break;
            case '\\':
                if (++i < format.size())
                    out += format[i];
                break;
            default:
                out += format[i];
        }
    return out;
}

std::string day_in(std::string_view locale, const Look& look, Date date) {
    return look.date_format.empty() ? texts::day_in_words(locale, date, texts::DayStyle::whole)
                                    : texts::day(locale, date, look.date_format);
}

std::string moment_in(std::string_view locale, const Look& look, Instant instant) {
    return day_in(locale, look, look.zone.date_at(instant)) + ", " + time_in(look, look.zone.time_at(instant)) + ", " +
           texts::zone_in_words(locale, look.zone.name());
}

Look look_of(const Settings& settings) {
    return {.date_format = settings.text("date_format"),
            .decimal_separator = settings.text("decimal_separator"),
            .thousand_separator = settings.text("thousand_separator"),
            .currency_behind = settings.text("currency_position").starts_with("right"),
            .whole_without_decimals = settings.integer("currency_decimals") == 0,
            .time_format = settings.text("time_format"),
            .zone = settings.zone()};
}

}  // namespace svc::settings
