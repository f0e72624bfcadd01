// Reading patterns of numbers.
#include "base/sales/documents/numbers.hpp"

#include <optional>

namespace svc::documents {
namespace {

constexpr std::string_view year_mark = "{year}", number_begin = "{number";

struct NumberMark {
    std::size_t at = 0, size = 0, width = 1;
};

// "{number}" or "{number:5}"; empty when the pattern has no complete one.
std::optional<NumberMark> number_mark(std::string_view pattern) {
    const auto at = pattern.find(number_begin);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = pattern.substr(at + number_begin.size());
    if (rest.starts_with('}'))
        return NumberMark{at, number_begin.size() + 1};
    if (rest.size() >= 3 && rest[0] == ':' && rest[1] >= '1' && rest[1] <= '9' && rest[2] == '}')
        return NumberMark{at, number_begin.size() + 3, static_cast<std::size_t>(rest[1] - '0')};
    return {};
}

std::string with_year(std::string_view pattern, int year) {
    std::string text(pattern);
    if (const auto at = text.find(year_mark); at != std::string::npos)
        text.replace(at, year_mark.size(), std::to_string(year));
    return text;
}

}  // namespace

Result<void> check_number_pattern(const json::Value& pattern) {
    std::string rest = pattern.text();
    const auto number = number_mark(rest);
    if (!number)
        return Error{errc::validation_error,
                     "Write {plain} or {padded} where the running number belongs."_sentence.with("plain", "{number}")
                         .with("padded", "{number:5}")};
    rest.erase(number->at, number->size);
    if (const auto year = rest.find(year_mark); year != std::string::npos)
        rest.erase(year, year_mark.size());
    if (rest.find_first_of("{}") != std::string::npos)
        return Error{errc::validation_error,
                     "Use {plain} or {least} to {most} once, {year} at most once, and no other braces."_sentence
                         .with("plain", "{number}")
                         .with("least", "{number:1}")
                         .with("most", "{number:9}")
                         .with("year", year_mark)};
    return {};
}

std::string series_of(std::string_view pattern, int year) {
    std::string series = with_year(pattern, year);
    if (const auto number = number_mark(series))
        series.replace(number->at, number->size, "{number}");
    return series;
}

std::string number_at(std::string_view pattern, int year, std::int64_t position) {
    std::string text = with_year(pattern, year);
    const auto number = number_mark(text).value_or(NumberMark{text.size(), 0});
    std::string digits = std::to_string(position);
    if (digits.size() < number.width)
        digits.insert(0, number.width - digits.size(), '0');
    return text.replace(number.at, number.size, digits);
}

}  // namespace svc::documents
