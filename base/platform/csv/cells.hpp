// Cells as spreadsheet programs of many countries write them, in the notation of this program. Pure functions, any
// thread. What none of them understands stays as it is, for the field's own check to reject it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::csv {

// How the site writes amounts, which decides where a text could be two of them.
struct Amounts {
    char decimal = '.', thousands = ',';
    std::vector<std::string> signs = {};  // of its currency, left out at either end: "$", "USD"
    // A point or comma before three digits is the decimal one, whatever the site's are: the currency has three
    // decimals, or no value reaches thousands.
    bool has_three_decimals = false;
};
// 1299.50 of "1,299.50", "1 299,50", "1.299,50" and "1'299.50 USD". The last of two different separators is the decimal
// one; of one alone the site's say what it is.
std::string amount(const std::string& text, const Amounts& form);

// The order in which a person or a program writes a day. `any`: years first, days before months with points, the
// numbers of days of spreadsheet programs, and of slashes and dashes only what has one meaning.
enum class DayForm : std::uint8_t { any, day_month_year, month_day_year, year_month_day };
inline constexpr std::string_view day_form_names[] = {"any", "dmy", "mdy", "ymd"};
// The form of a date_format such as "d/m/Y".
DayForm day_form_of(std::string_view date_format);
// 2027-12-31 of "31.12.2027", "2027/12/31", "2027-12-31 00:00:00", 46752, and by the form "31/12/2027".
std::string day(const std::string& text, DayForm form);
// 09:00 of "9:00" and "09:00:00".
std::string clock_time(const std::string& text);
// true and false of the words that spreadsheet programs of four languages write.
std::string truth(const std::string& text);
// Without the apostrophe by which a text that looks like a formula was kept from being computed.
std::string plain(std::string text);
// Whether a spreadsheet program has made a short number of a long one: 4.41E+11.
bool is_shortened(std::string_view text);

}  // namespace svc::csv
