// Reads shortcodes by their form, since the export does not say which ones the former site knew.
#include <algorithm>
#include <array>
#include <optional>

#include "base/data/wordpress_import/shown_text.hpp"
#include "base/platform/html/html.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

constexpr std::size_t longest_name = 60, longest_code = 4000;
// Those of WordPress itself and of the plugins that may stand without attributes or an end.
constexpr std::array known_codes{"caption", "gallery", "playlist", "audio", "video",  "embed",
                                 "button",  "row",     "column",   "tabs",  "toggle", "accordion"};

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

struct Code {
    std::string name, attributes;
    bool is_end = false;
    std::size_t bytes = 0;  // of the whole, brackets included
};

// What stands in brackets at the beginning of the text, if it has the form of a shortcode.
std::optional<Code> code_at(std::string_view text) {
    Code code;
    std::size_t at = 1;
    if (at < text.size() && text[at] == '/') {
        code.is_end = true;
        ++at;
    }
    const std::size_t from = at;
    while (at < text.size() && is_name_character(text[at]))
        ++at;
    code.name = text.substr(from, at - from);
    if (code.name.empty() || code.name.size() > longest_name || (code.name.front() >= '0' && code.name.front() <= '9'))
        return std::nullopt;
    const std::size_t attributes = at;
    char quote = '\0';
    for (; at < text.size() && at < longest_code; ++at) {
        const char c = text[at];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == ']' || c == '[')
            break;
    }
    if (at >= text.size() || text[at] != ']')
        return std::nullopt;
    code.attributes = text::clean(std::string(text.substr(attributes, at - attributes)));
    const bool is_separate = attributes == at || text[attributes] == ' ' || text[attributes] == '\n' ||
                             text[attributes] == '\t' || text[attributes] == '/';
    code.bytes = at + 1;
    return is_separate ? std::optional(std::move(code)) : std::nullopt;
}

std::string attribute_of(const Code& code, std::string_view name) {
    const std::string begin = std::string(name) + "=";
    const auto at = code.attributes.find(begin);
    if (at == std::string::npos || (at > 0 && code.attributes[at - 1] != ' '))
        return {};
    const std::string_view rest = std::string_view(code.attributes).substr(at + begin.size());
    if (rest.starts_with('"') || rest.starts_with('\''))
        return std::string(rest.substr(1, rest.find(rest.front(), 1) - 1));
    return std::string(rest.substr(0, rest.find(' ')));
}

// Whether a reader would have seen something else than these brackets.
bool is_shortcode(const Code& code, std::string_view behind) {
    if (std::find(known_codes.begin(), known_codes.end(), code.name) != known_codes.end() ||
        code.name.find_first_of("_-") != std::string::npos)
        return true;
    if (code.attributes.find('=') != std::string::npos || code.attributes.ends_with('/'))
        return true;
    return behind.find("[/" + code.name + "]") != std::string_view::npos;
}

// The picture of a caption, with the link around it; the rest of the text is its words.
std::string take_picture(std::string& inside) {
    const auto picture = inside.find("<img");
    if (picture == std::string::npos)
        return {};
    const auto picture_end = inside.find('>', picture);
    if (picture_end == std::string::npos)
        return {};
    std::size_t from = picture, end = picture_end + 1;
    const auto link = inside.rfind("<a ", picture);
    const bool is_linked =
        link != std::string::npos && inside.find('>', link) != std::string::npos &&
        text::clean(inside.substr(inside.find('>', link) + 1, picture - std::min(picture, inside.find('>', link) + 1)))
            .empty();
    const auto link_end = inside.find("</a>", end);
    if (is_linked && link_end != std::string::npos && text::clean(inside.substr(end, link_end - end)).empty()) {
        from = link;
        end = link_end + 4;
    }
    const std::string taken = inside.substr(from, end - from);
    inside.erase(from, end - from);
    return taken;
}

std::string figure_of(const Code& code, std::string inside) {
    const std::string picture = take_picture(inside);
    std::string words = text::clean_lines(inside);
    if (words.empty())
        words = html::escaped(attribute_of(code, "caption"));
    if (picture.empty())
        return words;
    return "\n\n<figure>" + picture + (words.empty() ? "" : "<figcaption>" + words + "</figcaption>") + "</figure>\n\n";
}

void add_gallery(const Code& code, TextRemains& remains) {
    std::string number;
    for (const char c : attribute_of(code, "ids") + ",") {
        if (c >= '0' && c <= '9') {
            number += c;
        } else if (!number.empty()) {
            remains.pictures.push_back(number);
            number.clear();
        }
    }
}

}  // namespace

std::string without_shortcodes(std::string_view text, TextRemains& remains) {
    std::string out;
    while (!text.empty()) {
        const auto bracket = text.find('[');
        out.append(text, 0, bracket);
        if (bracket == std::string_view::npos)
            break;
        text.remove_prefix(bracket);
        // Twice in brackets it is shown, in one.
        if (text.starts_with("[["))
            if (const auto shown = code_at(text.substr(1)); shown && text.substr(1 + shown->bytes).starts_with(']')) {
                out.append(text, 1, shown->bytes);
                text.remove_prefix(shown->bytes + 2);
                continue;
            }
        const auto code = code_at(text);
        const bool is_known_end =
            code && code->is_end &&
            (remains.shortcodes.contains(code->name) || code->name.find_first_of("_-") != std::string::npos);
        if (!code || (code->is_end ? !is_known_end : !is_shortcode(*code, text.substr(code->bytes)))) {
            out += '[';
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(code->bytes);
        const std::string end = "[/" + code->name + "]";
        const auto end_at = text.find(end);
        if ((code->name == "caption" || code->name == "wp_caption") && end_at != std::string_view::npos) {
            out += figure_of(*code, std::string(text.substr(0, end_at)));
            text.remove_prefix(end_at + end.size());
            continue;
        }
        if (code->name == "gallery")
            add_gallery(*code, remains);
        if (!code->is_end)
            remains.shortcodes.insert(code->name);
    }
    return out;
}

std::string shown_text(std::string_view text, TextRemains& remains) {
    return with_paragraphs(without_shortcodes(text, remains));
}

}  // namespace svc::wordpress_import
