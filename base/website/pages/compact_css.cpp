// Leaves out comments and the white space around braces, semicolons and commas; other white space becomes one blank,
// because a blank separates selectors and the terms of calc().
#include "base/website/pages/compact_css.hpp"

#include <algorithm>

namespace svc::pages {
namespace {

bool is_space(char one) { return one == ' ' || one == '\n' || one == '\t' || one == '\r' || one == '\f'; }
bool is_edge(char one) { return one == '{' || one == '}' || one == ';' || one == ','; }

// The end of the text in quotes that begins at `at`.
std::size_t end_of_text(std::string_view css, std::size_t at) {
    const char quote = css[at++];
    while (at < css.size() && css[at] != quote)
        at += css[at] == '\\' ? 2U : 1U;
    return std::min(at + 1, css.size());
}

}  // namespace

std::string compact_css(std::string_view css) {
    std::string out;
    out.reserve(css.size());
    bool blank = false;  // white space was left out since the last character
    const auto add = [&](std::string_view text) {
        if (blank && !out.empty() && !is_edge(out.back()) && !is_edge(text.front()))
            out += ' ';
        if (text.front() == '}' && !out.empty() && out.back() == ';')
            out.pop_back();
        blank = false;
        out += text;
    };
    for (std::size_t at = 0; at < css.size();) {
        std::size_t end = at + 1;
        if (css.substr(at, 2) == "/*") {
            const std::size_t closed = css.find("*/", at + 2);
            end = closed == std::string_view::npos ? css.size() : closed + 2;
            blank = true;
        } else if (is_space(css[at])) {
            blank = true;
        } else {
            if (css[at] == '"' || css[at] == '\'')
                end = end_of_text(css, at);
            else if (css.substr(at, 4) == "url(" && css.find_first_of("\"'", at) != at + 4)
                end = std::min(css.find(')', at), css.size() - 1) + 1;
            add(css.substr(at, end - at));
        }
        at = end;
    }
    return out;
}

}  // namespace svc::pages
