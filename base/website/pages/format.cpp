// Days and amounts for visitors, in their language.
#include "base/website/pages/format.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/core/ascii.hpp"

namespace svc::pages {
std::string Format::sameness() const {
    std::string text;
    const auto add = [&text](std::string_view part) { text.append(part).append(1, '\0'); };
    for (const std::string* part : {&locale, &look.date_format, &look.decimal_separator, &look.thousand_separator,
                                    &look.time_format, &own_currency})
        add(*part);
    add(look.currency_behind ? "b" : "f");
    add(look.whole_without_decimals ? "w" : "d");
    for (const Other& other : others) {
        add(other.currency.code());
        add(std::to_string(other.millionths));
    }
    return text;
}

std::string Format::day(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? settings::day_in(locale, look, *date) : std::string(text);
}

std::string Format::short_day(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? texts::day_in_words(locale, *date, texts::DayStyle::brief) : std::string(text);
}

std::string Format::month(std::string_view text) const {
    const auto date = Date::parse(text);
    return date ? texts::day_in_words(locale, *date, texts::DayStyle::month) : std::string(text);
}

std::string Format::moment(std::string_view text) const {
    const auto instant = Instant::parse(text);
    return instant ? settings::moment_in(locale, look, *instant) : std::string(text);
}

std::string Format::time(std::string_view text) const {
    const auto clock = ClockTime::parse(text);
    return clock ? settings::time_in(look, *clock) : std::string(text);
}

std::string Format::amount(const json::Value& number, std::string_view currency) const {
    const auto known = Currency::parse(currency);
    if (!known || !number.is_number())
        return {};
    const auto money = Money::parse(number.number_text(), *known);
    if (!money)
        return {};
    return look.amount(*money);
}

std::string Format::price(const json::Value& number, std::string_view currency) const {
    std::string text = amount(number, currency);
    const auto known = Currency::parse(currency);
    if (!known || known->exponent() == 0)
        return text;
    const std::string cents = look.decimal_separator + std::string(static_cast<std::size_t>(known->exponent()), '0');
    const auto at = text.find(cents);
    const bool is_end = at != std::string::npos && (at + cents.size() == text.size() || text[at + cents.size()] == ' ');
    return is_end ? text.erase(at, cents.size()) : text;
}

std::string Format::figures(const json::Value& number, std::string_view currency) const {
    const std::string text = price(number, currency);
    if (text.starts_with(currency) || text.ends_with(currency))
        return std::string(ascii::trimmed(look.currency_behind
                                              ? std::string_view(text).substr(0, text.size() - currency.size())
                                              : std::string_view(text).substr(currency.size()),
                                          " "));
    return text;
}

std::string Format::also(const json::Value& number, std::string_view currency) const {
    std::string text;
    if (others.empty() || currency != own_currency || !number.is_number())
        return text;
    const auto own = Currency::parse(currency);
    const auto money = own ? Money::parse(number.number_text(), *own) : Result<Money>(own.error());
    if (!money)
        return text;
    for (const Other& other : others) {
        std::int64_t up = other.millionths, down = 1'000'000;
        for (int i = 0; i < other.currency.exponent(); ++i)
            up *= 10;
        for (int i = 0; i < own->exponent(); ++i)
            down *= 10;
        try {  // about: whole units are enough
            const Money exact = Money(money->minor(), other.currency).share(up, down);
            std::int64_t unit = 1;
            for (int i = 0; i < other.currency.exponent(); ++i)
                unit *= 10;
            const Money whole = Money(exact.share(1, unit).minor(), other.currency).times(unit);
            text += (text.empty() ? "" : ", ") +
                    price(json::Number{(exact.minor() < 100 * unit ? exact : whole).decimal()}, other.currency.code());
        } catch (const std::overflow_error&) {
            return {};  // nobody's price
        }
    }
    return text;
}

namespace {

// "0.92" as millionths; nothing for text that is no rate.
std::int64_t millionths_of(std::string_view decimal) {
    const auto dollars = decimal.substr(0, decimal.find('.')), rest = decimal.find('.') == std::string_view::npos
                                                                          ? std::string_view{}
                                                                          : decimal.substr(decimal.find('.') + 1);
    if (dollars.size() > 7 || rest.size() > 6)
        return 0;
    std::int64_t value = 0;
    for (const std::string_view part : {dollars, rest})
        for (const char c : part) {
            if (c < '0' || c > '9')
                return 0;
            value = value * 10 + (c - '0');
        }
    for (std::size_t i = rest.size(); i < 6; ++i)
        value *= 10;
    return value;
}

void read_rates(const settings::Settings& settings, Format& words) {
    const json::Value wanted = settings.get("enabled_currencies"), rates = settings.get("currency_rates");
    words.own_currency = settings.currency().code();
    std::string list;
    for (const json::Value& code : wanted.items()) {
        const json::Value* rate = rates.find(code.text());
        const auto currency = Currency::parse(code.text());
        const std::int64_t millionths = rate && rate->is_number() ? millionths_of(rate->number_text()) : 0;
        if (!currency || millionths == 0 || code.text() == words.own_currency)
            continue;
        words.others.push_back({.currency = *currency, .millionths = millionths});
        list += (list.empty() ? "" : ", ") + code.text() + " " + rate->number_text();
    }
    if (!list.empty())
        words.rates = "1 " + words.own_currency + " = " + list;
}

}  // namespace

std::string Format::default_text(std::string_view text) const {
    return texts::bundled().knows("site", text) ? say_text(text) : std::string(text);
}

std::string Format::duration(const json::Value& trip) const {
    const std::string label = trip.text_or("duration_label");
    const auto days = trip.maybe_integer("duration_days"), nights = trip.maybe_integer("duration_nights");
    const auto hours = trip.maybe_integer("duration_hours");
    const auto in = [&](const Format& words) {
        if (hours)
            return words.say_text("{hours, plural, one {# hour} other {# hours}}", {{"hours", *hours}});
        if (days.value_or(0) <= 1)
            return words.say_text("1 day");
        return words.say_text(
            "{days, plural, one {# day} other {# days}} / {nights, plural, one {# night} other {# nights}}",
            {{"days", *days}, {"nights", nights.value_or(0)}});
    };
    return label == in(Format{.look = look}) ? in(*this) : label;
}

Format format_of(const settings::Settings& settings) {
    Format words{.look = settings::look_of(settings), .locale = settings.text("site_language")};
    if (settings.flag("multi_currency"))
        read_rates(settings, words);
    return words;
}

}  // namespace svc::pages
