// One mustache template: read once, filled in by any thread at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/platform/templates/later.hpp"
#include "base/platform/texts/texts.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::templates {

enum class Kind : std::uint8_t {
    html,   // values are escaped, for text and quoted attributes, except those whose name ends in `_html`
    plain,  // nothing is escaped
};

// Limits for hostile and endless templates.
inline constexpr std::size_t most_source_bytes = std::size_t{1024} * 1024;  // partials included
inline constexpr std::size_t most_output_bytes = std::size_t{4} * 1024 * 1024;
inline constexpr std::size_t most_tags = 20'000;
inline constexpr int most_depth = 32;          // sections within each other
inline constexpr int most_partial_depth = 10;  // partials within each other; a partial that holds itself is refused
inline constexpr std::size_t most_steps = 400'000;  // of one rendering: tags filled in and rounds of sections

// How a text is read.
struct Reading {
    std::string_view domain = {};  // of its texts: {{#t}}Dear {customer_name},{{/t}}
    Kind kind = Kind::html;
    // An operator wrote it, not a designer: {{{x}}} and {{&x}} are read as {{x}}, and a name may be anything.
    bool is_lenient = false;
    // The text of {{> name}}; none: no such partial. Empty: partials are refused.
    std::function<std::optional<std::string>(std::string_view name)> partial = {};
    const texts::Texts* texts = nullptr;  // outlives the template; null: the bundled ones
};

// Mustache with these rules:
//  - {{name}} is escaped unless the name ends in `_html`; {{{name}}} is refused for other names.
//  - {{#name}}…{{/name}} is a round for each item of an array, one for what is there, none for false, null, "" and [].
//    {{^name}}…{{/name}} is the opposite. {{.}} is the item, {{a.b}} a member.
//  - {{#t}}English text with {argument}{{/t}} is the text in the reader's language, escaped; its arguments are members
//    of the data. It is a key of the catalogues (docs/texts.md): plain text, no tags, no markup.
//  - {{> name}} is another template's text, {{! … }} a comment. Other delimiters are refused.
class Template {
  public:
    // `name` is what faults are reported under: svc_validation_error with one sentence that names the line.
    static Result<Template> read(std::string_view name, std::string_view text, const Reading& reading);

    // `later`: members of the data that are made when they are needed; sections of these are taken from what is
    // remembered of them. Error: it took more than the limits above.
    [[nodiscard]] Result<std::string> render(const json::Value& data, std::string_view locale,
                                             std::span<const Later> later = {}) const;

    // The names it asks of its data, arguments of texts included; "a.b" as it is.
    [[nodiscard]] const std::set<std::string, std::less<>>& tags() const;

  private:
    struct Parts;
    explicit Template(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
    std::shared_ptr<const Parts> parts_;
};

}  // namespace svc::templates
