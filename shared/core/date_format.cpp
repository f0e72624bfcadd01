// Renders a date letter by letter of its format.
#include "shared/core/date_format.hpp"

#include <array>

namespace svc {
namespace {

constexpr std::array<std::string_view, 7> weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};

std::string two_digits(unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string_view ending_of(unsigned day) {
    if (day / 10 == 1)
        return "th";
    switch (day % 10) {
        case 1:
            return "st";
        case 2:
            return "nd";
        case 3:
            return "rd";
        default:
            return "th";
    }
}

std::string part(Date date, char letter) {
    switch (letter) {
        case 'd':
            return two_digits(date.day());
        case 'j':
            return std::to_string(date.day());
        case 'D':
            return std::string(weekdays.at(date.weekday()).substr(0, 3));
        case 'l':
            return std::string(weekdays.at(date.weekday()));
        case 'S':
            return std::string(ending_of(date.day()));
        case 'm':
            return two_digits(date.month());
        case 'n':
            return std::to_string(date.month());
        case 'M':
            return std::string(months.at(date.month() - 1).substr(0, 3));
        case 'F':
            return std::string(months.at(date.month() - 1));
        case 'Y':
            return date.text().substr(0, 4);
        case 'y':
            return date.text().substr(2, 2);
        default:
            return std::string(1, letter);
    }
}

}  // namespace

std::string formatted(Date date, std::string_view format) {
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] == '\\' && i + 1 < format.size())
            text += format[++i];
        else
            text += part(date, format[i]);
    }
    return text;
}

}  // namespace svc
