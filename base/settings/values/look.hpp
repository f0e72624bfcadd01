// How the site writes days and amounts wherever people read them: answers of routes, e-mails, documents.
#pragma once

#include <string>
#include <string_view>

#include "base/settings/values/settings.hpp"

namespace svc::settings {

// A plain one writes "2026-06-07" and "EUR 1,234.50".
struct Look {
    std::string date_format, decimal_separator = ".", thousand_separator = ",";  // no date_format: days in words
    bool currency_behind = false;
    bool whole_without_decimals = false;  // setting currency_decimals is 0: "EUR 1,234", but "EUR 1,234.50"
    std::string time_format = "H:i";
    Zone zone = Zone::utc();

    // Without a language: "2026-06-07" where the format is empty.
    [[nodiscard]] std::string day(Date date) const;
    [[nodiscard]] std::string day(Instant instant) const { return day(zone.date_at(instant)); }
    // Formats a JSON date; other text is returned unchanged.
    [[nodiscard]] std::string day(std::string_view text) const;
    // The exact amount with its currency's code: several currencies share a sign.
    [[nodiscard]] std::string amount(const Money& money) const;
};

// For people to read, in the locale's language: "Thu, 3 December 2026", or as the operator's format says.
std::string day_in(std::string_view locale, const Look& look, Date date);
std::string time_in(const Look& look, ClockTime time);
// "Thu, 3 December 2026, 23:59 (Germany Time)": where the reader is, is not known.
std::string moment_in(std::string_view locale, const Look& look, Instant instant);

// As the site is set now.
Look look_of(const Settings& settings);

}  // namespace svc::settings
