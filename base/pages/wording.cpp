// Days and amounts for visitors, in their language.
#include "base/pages/wording.hpp"

#include <algorithm>

namespace svc::pages {
namespace {

constexpr std::string_view default_format = "Y-m-d";

std::string clock_text(ClockTime time, std::string_view format) {
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

}  // namespace

std::string Wording::day(std::string_view text) const {
    const auto date = Date::parse(text);
    if (!date)
        return std::string(text);
    return look.date_format == default_format ? texts::day_in_words(locale, *date, texts::DayStyle::whole)
                                              : texts::day(locale, *date, look.date_format);
}

std::string Wording::short_day(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? texts::day_in_words(locale, *date, texts::DayStyle::brief) : std::string(text);
}

std::string Wording::month(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? texts::day_in_words(locale, *date, texts::DayStyle::month) : std::string(text);
}

std::string Wording::moment(std::string_view text) const {
    const auto instant = Instant::parse(text);
    if (!instant)
        return std::string(text);
    return day(look.zone.date_at(*instant).text()) + ", " + time(look.zone.time_at(*instant).text());
}

std::string Wording::time(std::string_view text) const {
    const auto clock = ClockTime::parse(text);
    return clock ? clock_text(*clock, time_format) : std::string(text);
}

std::string Wording::amount(const json::Value& number, std::string_view currency) const {
    const auto known = Currency::parse(currency);
    if (!known || !number.is_number())
        return {};
    const auto money = Money::parse(number.number_text(), *known);
    if (!money)
        return {};
    std::string text = look.amount(*money);
    // Setting currency_decimals: fewer than the minor unit has, never more.
    const int exponent = known->exponent(), dropped = exponent - std::min(exponent, decimals);
    if (dropped > 0 && money->minor() % (exponent == 2 ? 100 : exponent == 3 ? 1000 : 1) == 0) {
        const std::string cents = look.decimal_separator + std::string(static_cast<std::size_t>(exponent), '0');
        if (const auto at = text.find(cents); at != std::string::npos)
            text.erase(at + (decimals == 0 ? 0 : look.decimal_separator.size() + static_cast<std::size_t>(decimals)),
                       static_cast<std::size_t>(dropped) + (decimals == 0 ? look.decimal_separator.size() : 0));
    }
    return text;
}

std::string Wording::price(const json::Value& number, std::string_view currency) const {
    std::string text = amount(number, currency);
    const auto known = Currency::parse(currency);
    if (!known || known->exponent() == 0)
        return text;
    const std::string cents = look.decimal_separator + std::string(static_cast<std::size_t>(known->exponent()), '0');
    const auto at = text.find(cents);
    const bool is_end = at != std::string::npos && (at + cents.size() == text.size() || text[at + cents.size()] == ' ');
    return is_end ? text.erase(at, cents.size()) : text;
}

Wording wording_of(const settings::Settings& settings) {
    return {.look = settings::look_of(settings),
            .decimals = static_cast<int>(settings.integer("currency_decimals")),
            .time_format = settings.text("time_format"),
            .locale = settings.text("site_language")};
}

}  // namespace svc::pages
