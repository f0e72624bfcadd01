// The sentences of e-mails that no template holds, in one language.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/platform/texts/texts.hpp"
#include "base/settings/values/look.hpp"

namespace svc::messaging {

// base/i18n/collect.py finds the texts by the name of the call.
struct Words {
    std::string locale = "en";

    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(locale, "mail", english, arguments);
    }

    // A date as in JSON, as pages and documents write it in this language; other text is returned unchanged.
    [[nodiscard]] std::string day(const settings::Look& look, std::string_view text) const {
        const auto date = Date::parse(text);
        return date ? settings::day_in(locale, look, *date) : std::string(text);
    }
};

}  // namespace svc::messaging
