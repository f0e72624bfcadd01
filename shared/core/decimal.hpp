// The grammar of plain decimal numbers: JSON's without an exponent.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace svc {

// The parts of "-12.50"; views into the text they were read from.
struct Decimal {
    bool negative = false;
    std::string_view whole;     // at least one digit, no leading zero but "0"
    std::string_view fraction;  // may be empty

    static constexpr std::size_t most_whole_digits = 15;  // limit of amounts of money

    static std::optional<Decimal> parse(std::string_view text) {
        Decimal parts;
        if (!text.empty() && text.front() == '-') {
            parts.negative = true;
            text.remove_prefix(1);
        }
        const auto point = text.find('.');
        parts.whole = text.substr(0, point);
        if (point != std::string_view::npos) {
            parts.fraction = text.substr(point + 1);
            if (!all_digits(parts.fraction))
                return std::nullopt;
        }
        if (!all_digits(parts.whole) || (parts.whole.size() > 1 && parts.whole.front() == '0'))
            return std::nullopt;
        return parts;
    }

  private:
    static bool all_digits(std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    }
};

}  // namespace svc
