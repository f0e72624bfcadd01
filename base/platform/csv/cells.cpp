// Reading cells, one kind at a time.
#include "base/platform/csv/cells.hpp"

#include <algorithm>
#include <charconv>

#include "shared/core/date.hpp"
#include "shared/core/text.hpp"

namespace svc::csv {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Groups of three digits after a first one of one to three.
bool is_grouped(std::string_view whole, char separator) {
    bool is_first = true;
    for (;;) {
        const auto at = whole.find(separator);
        const std::string_view group = whole.substr(0, at);
        if (!is_number(group) || (is_first ? group.size() > 3 : group.size() != 3))
            return false;
        if (at == std::string_view::npos)
            return !is_first;
        is_first = false;
        whole.remove_prefix(at + 1);
    }
}

// Without blanks and apostrophes between digits, and without the currency's sign at either end.
std::string without_dress(const std::string& text, const Amounts& form) {
    std::string bare = text::clean(text);
    for (const std::string& sign : form.signs) {
        if (sign.empty())
            continue;
        if (bare.starts_with(sign))
            bare.erase(0, sign.size());
        else if (bare.ends_with(sign))
            bare.erase(bare.size() - sign.size());
        else
            continue;
        break;
    }
    bare = text::clean(bare);
    std::string out;
    for (std::size_t at = 0; at < bare.size();) {
        static constexpr std::string_view between[] = {" ", "'", "\u00A0", "\u202F", "\u2009", "\u2019"};
        const auto gap = std::find_if(std::begin(between), std::end(between), [&](std::string_view one) {
            return std::string_view(bare).substr(at).starts_with(one);
        });
        const bool is_gap = gap != std::end(between) && !out.empty() && is_digit(out.back()) &&
                            bare.size() >= at + gap->size() + 3 &&
                            is_number(std::string_view(bare).substr(at + gap->size(), 3));
        if (is_gap)
            at += gap->size();
        else
            out += bare[at++];
    }
    return out;
}

std::string without(std::string_view text, char separator) {
    std::string out(text);
    std::erase(out, separator);
    return out;
}

std::string dated(std::string_view year, std::string_view month, std::string_view day) {
    const auto two_digits = [](std::string_view number) {
        return (number.size() == 1 ? "0" : "") + std::string(number);
    };
    const std::string text = std::string(year) + "-" + two_digits(month) + "-" + two_digits(day);
    return Date::parse(text) ? text : std::string();
}

// Excel counts days from 30 December 1899, were its 29 February 1900 left out.
std::optional<std::string> of_serial(std::string_view text) {
    const auto point = text.find_first_of(".,");
    const std::string_view whole = text.substr(0, point);
    if (!is_number(whole) || whole.size() != 5 ||
        (point != std::string_view::npos && !is_number(text.substr(point + 1))))
        return std::nullopt;
    std::int32_t days = 0;
    std::from_chars(whole.data(), whole.data() + whole.size(), days);
    return Date::from(1899, 12, 30).plus_days(days).text();
}

// The day alone of a day with a clock time.
std::string_view without_time(std::string_view text) {
    const auto at = text.find_first_of("T ");
    return at != std::string_view::npos && text.find(':', at) != std::string_view::npos ? text.substr(0, at) : text;
}

}  // namespace

std::string amount(const std::string& text, const Amounts& form) {
    std::string bare = without_dress(text, form);
    const std::string sign = bare.starts_with('-') ? "-" : "";
    if (!sign.empty() || bare.starts_with('+'))
        bare.erase(0, 1);
    if (bare.empty() || bare.find_first_not_of("0123456789.,") != std::string::npos)
        return text;
    const auto last = bare.find_last_of(".,");
    if (last == std::string::npos)
        return sign + bare;
    const char mark = bare[last], other = mark == '.' ? ',' : '.';
    const std::string_view whole = std::string_view(bare).substr(0, last),
                           rest = std::string_view(bare).substr(last + 1);
    const bool is_alone = whole.find_first_of(".,") == std::string_view::npos;
    if (whole.find(other) != std::string_view::npos)  // 1.299,50
        return is_number(rest) && is_grouped(whole, other) ? sign + without(whole, other) + "." + std::string(rest)
                                                           : text;
    const bool separates_thousands =
        is_grouped(bare, mark) &&
        (!is_alone || (!form.has_three_decimals && whole != "0" && mark != form.decimal && mark == form.thousands));
    if (separates_thousands)
        return sign + without(bare, mark);
    // 12,345 where neither of the site's separators is a comma: both readings are possible.
    const bool is_unclear = is_grouped(bare, mark) && !form.has_three_decimals && whole != "0" && mark != form.decimal;
    return is_alone && is_number(whole) && is_number(rest) && !is_unclear
               ? sign + std::string(whole) + "." + std::string(rest)
               : text;
}

DayForm day_form_of(std::string_view date_format) {
    const auto day = date_format.find_first_of("dj"), month = date_format.find_first_of("mnMF"),
               year = date_format.find_first_of("Yy");
    if (day == std::string_view::npos || month == std::string_view::npos || year == std::string_view::npos)
        return DayForm::any;
    return year < day && year < month ? DayForm::year_month_day
           : day < month              ? DayForm::day_month_year
                                      : DayForm::month_day_year;
}

std::string day(const std::string& text, DayForm form) {
    const std::string cleaned = text::clean(text);
    if (const auto serial = of_serial(cleaned))
        return *serial;
    const std::string_view bare = without_time(cleaned);
    const auto first = bare.find_first_of("-/.");
    const auto second = first == std::string_view::npos ? first : bare.find(bare[first], first + 1);
    if (second == std::string_view::npos)
        return text;
    const std::string_view a = bare.substr(0, first), b = bare.substr(first + 1, second - first - 1),
                           c = bare.substr(second + 1);
    if (!is_number(a) || !is_number(b) || !is_number(c))
        return text;
    const auto fits = [](std::string_view number) { return number.size() <= 2; };
    std::string found;
    if (a.size() == 4 && fits(b) && fits(c)) {
        found = dated(a, b, c);
    } else if (c.size() == 4 && fits(a) && fits(b)) {
        const std::string as_dmy = dated(c, b, a), as_mdy = dated(c, a, b);
        if (bare[first] == '.' || form == DayForm::day_month_year)
            found = as_dmy;
        else if (form == DayForm::month_day_year)
            found = as_mdy;
        else if (as_dmy.empty() || as_mdy.empty() || as_dmy == as_mdy)  // only one of them is a day
            found = as_dmy.empty() ? as_mdy : as_dmy;
    } else if (c.size() == 2 && fits(a) && fits(b) &&
               (form == DayForm::day_month_year || form == DayForm::month_day_year)) {
        const std::string year = "20" + std::string(c);
        found = form == DayForm::day_month_year ? dated(year, b, a) : dated(year, a, b);
    }
    return found.empty() ? text : found;
}

std::string clock_time(const std::string& text) {
    const std::string bare = text::clean(text);
    const auto colon = bare.find(':');
    if (colon == std::string::npos || !is_number(bare.substr(0, colon)) || colon > 2)
        return text;
    const std::string minutes = bare.substr(colon + 1, 2), rest = bare.substr(std::min(bare.size(), colon + 3));
    if (minutes.size() != 2 || (!rest.empty() && rest != ":00"))
        return text;
    return (colon == 1 ? "0" : "") + bare.substr(0, colon) + ":" + minutes;
}

std::string truth(const std::string& text) {
    const std::string word = text::folded(text::clean(text));
    for (const std::string_view yes :
         {"true", "wahr", "vrai", "verdadero", "yes", "ja", "oui", "si", "s\u00ED", "x", "1"})
        if (word == yes)
            return "true";
    for (const std::string_view no : {"false", "falsch", "faux", "falso", "no", "nein", "non", "0"})
        if (word == no)
            return "false";
    return text;
}

std::string plain(std::string text) {
    const auto first = text.find_first_not_of('\'');
    if (first != 0 && first != std::string::npos &&
        std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos)
        text.erase(0, 1);
    return text;
}

bool is_shortened(std::string_view text) {
    const auto e = text.find_first_of("Ee");
    if (e == std::string_view::npos || e == 0)
        return false;
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+'))
        power.remove_prefix(1);
    const std::string_view head = text.substr(0, e);
    return is_number(power) && is_digit(head.front()) &&
           head.find_first_not_of("0123456789.,") == std::string_view::npos;
}

}  // namespace svc::csv
