// How pages say sentences, days and amounts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/platform/texts/sentences.hpp"
#include "base/platform/texts/texts.hpp"
#include "base/settings/values/look.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::pages {

// A copy a request; any thread.
struct Format {
    settings::Look look;
    std::string locale = "en";  // setting site_language
    // With setting multi_currency: the rates of the other currencies for one unit of the site's, and the sentence that
    // lists them.
    struct Other {
        Currency currency;
        std::int64_t millionths = 0;
    };
    std::vector<Other> others = {};
    std::string own_currency = {}, rates = {};

    // Equal for wordings that format all days, amounts and sentences alike, except moments of a zone.
    [[nodiscard]] std::string sameness() const;
    // A sentence of the pages in this language. base/i18n/collect.py finds the texts by the name of the call.
    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(locale, "site", english, arguments);
    }
    // A text that comes with the server (shared/core/sentence.hpp, default_text) in this language; what an operator or
    // a plugin wrote in its place stays as it is.
    [[nodiscard]] std::string default_text(std::string_view text) const;
    // "2 days / 1 night" of a trip as GET /trips/public shows it, or the label that a plugin gave it.
    [[nodiscard]] std::string duration(const json::Value& trip) const;

    // "Fri, 11 December 2026", or as setting date_format says.
    [[nodiscard]] std::string day(std::string_view date) const;
    [[nodiscard]] std::string short_day(std::string_view date) const;  // "Fri 11 Dec"
    [[nodiscard]] std::string month(std::string_view date) const;      // "December 2026"
    [[nodiscard]] std::string moment(std::string_view instant) const;  // a day and a time of the site's zone
    [[nodiscard]] std::string time(std::string_view clock) const;
    // "USD 45", "USD 1,234.50": a number of JSON; whole amounts without decimals. Empty for null.
    [[nodiscard]] std::string price(const json::Value& number, std::string_view currency) const;
    // The same without the currency, "1,234.50": for places that name the currency once.
    [[nodiscard]] std::string figures(const json::Value& number, std::string_view currency) const;
    // The approximate amount in the other currencies, "EUR 41, GBP 36"; empty if there are none. For display only.
    [[nodiscard]] std::string also(const json::Value& number, std::string_view currency) const;
    // The same with its decimals, unless setting currency_decimals is 0, for totals.
    [[nodiscard]] std::string amount(const json::Value& number, std::string_view currency) const;
};

Format format_of(const settings::Settings& settings);

}  // namespace svc::pages
