// How the site writes days and amounts wherever people read them: answers of routes, e-mails, documents.
#pragma once

#include <string>
#include <string_view>

#include "base/settings/settings.hpp"

namespace svc::settings {

// A plain one writes "2026-06-07" and "EUR 1,234.50".
struct Look {
    std::string date_format = "Y-m-d", decimal_separator = ".", thousand_separator = ",";
    bool currency_behind = false;
    Zone zone = Zone::utc();

    [[nodiscard]] std::string day(Date date) const;
    [[nodiscard]] std::string day(Instant instant) const { return day(zone.date_at(instant)); }
    // Formats a JSON date; other text is returned unchanged.
    [[nodiscard]] std::string day(std::string_view text) const;
    // The exact amount with its currency's code: several currencies share a sign.
    [[nodiscard]] std::string amount(const Money& money) const;
};

// As the site is set now.
Look look_of(const Settings& settings);

}  // namespace svc::settings
