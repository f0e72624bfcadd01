// Fills templates in; the only place that sees the template library.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace svc::messaging {

// Values by their tag, as plain text; those whose name ends in `_html` are HTML already and go in as they are.
using Variables = std::map<std::string, std::string, std::less<>>;

// `{{ tag }}`, with any space inside; an unknown tag is empty. Values are never looked at for tags again.
// False when the template cannot be read (an open `{{`, a section without end); `out` is then left alone.
bool render_html(std::string_view source, const Variables& variables, std::string& out);  // values escaped
// Without tags of HTML, on one line.
bool render_subject(std::string_view source, const Variables& variables, std::string& out);

// The same message for a reader without HTML: a line for each paragraph, row and item, addresses behind their links.
std::string plain_text(std::string_view html);

}  // namespace svc::messaging
