// Fills the texts of e-mails in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/platform/templates/template.hpp"

namespace svc::messaging {

// Values by their tag, as plain text; those whose name ends in `_html` are HTML already and go in as they are.
using Variables = std::map<std::string, std::string, std::less<>>;

// `{{ tag }}`, with any space inside; an unknown tag is empty. Values are never looked at for tags again. Of a template
// that cannot be read the tags that can be are filled in, and the rest stays as it is.
std::string render_html(std::string_view source, const Variables& variables,
                        std::string_view locale = "en");  // escaped
// Without tags of HTML, on one line.
std::string render_subject(std::string_view source, const Variables& variables, std::string_view locale = "en");
// Nothing is escaped.
std::string render_plain(std::string_view source, const Variables& variables, std::string_view locale = "en");
// Error: an open `{{`, a section without end and the like, in a sentence for the author.
Result<templates::Template> as_template(std::string_view source, templates::Kind kind = templates::Kind::html);

// The template that these functions read from a text, cached per thread; empty: invalid, and may contain any tag.
std::optional<templates::Template> known_template(std::string_view source, templates::Kind kind);

// The same message for a reader without HTML: a line for each paragraph, row and item, addresses behind their links.
std::string plain_text(std::string_view html);

}  // namespace svc::messaging
