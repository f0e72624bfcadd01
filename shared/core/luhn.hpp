// The check digit of payment cards (ISO/IEC 7812-1).
#pragma once

#include <string_view>

namespace svc {

// `digits` are 0 to 9 alone.
inline bool passes_luhn(std::string_view digits) {
    int sum = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        int digit = digits[digits.size() - 1 - i] - '0';
        if (i % 2 == 1)
            digit = digit > 4 ? digit * 2 - 9 : digit * 2;
        sum += digit;
    }
    return sum % 10 == 0;
}

}  // namespace svc
