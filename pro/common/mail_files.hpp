// Texts of e-mails from embedded files named {key}.{language}.html: the subject in the first line, then the body.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shared/core/embedded.hpp"

namespace svc::pro {

// Adds the texts of `key` to the `subject` and the `body` of `into`, by language.
template <class Texts>
void add_mail_texts(Texts& into, std::span<const Embedded> files, std::string_view key) {
    for (const auto& file : files) {
        const std::string_view name = file.name, text = file.text;
        if (!name.starts_with(key) || name.substr(key.size(), 1) != ".")
            continue;
        const std::string language(name.substr(key.size() + 1, 2));
        const auto end = text.find('\n');
        into.subject.emplace(language, text.substr(0, end));
        into.body.emplace(language, text.substr(end + 1));
    }
}

}  // namespace svc::pro
