// Makes paragraphs by the rules of WordPress for texts without them.
#include <algorithm>
#include <array>
#include <vector>

#include "base/data/wordpress_import/shown_text.hpp"

namespace svc::wordpress_import {
namespace {

constexpr std::array block_tags{
    "address", "article", "aside",    "blockquote", "caption", "col",    "colgroup", "dd",    "details", "div",
    "dl",      "dt",      "fieldset", "figcaption", "figure",  "footer", "form",     "h1",    "h2",      "h3",
    "h4",      "h5",      "h6",       "header",     "hr",      "legend", "li",       "math",  "menu",    "nav",
    "ol",      "p",       "pre",      "section",    "style",   "script", "summary",  "table", "tbody",   "td",
    "tfoot",   "th",      "thead",    "tr",         "ul",      "iframe"};
// Text in one of these is one paragraph at most.
constexpr std::array line_tags{"p",  "h1", "h2",      "h3",         "h4",     "h5",
                               "h6", "dt", "caption", "figcaption", "legend", "summary"};
constexpr std::array without_end{"hr", "col"};

template <class List>
bool is_one_of(const List& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string lower_name(std::string_view tag) {
    std::string name;
    for (const char c : tag.substr(tag.starts_with("</") ? 2 : 1)) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && (name.empty() || c < '0' || c > '9'))
            break;
        name += static_cast<char>(is_letter ? c | 0x20 : c);
    }
    return name;
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

std::string_view trimmed_line(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

// The pieces between blank lines; two breaks in a row are one too.
std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> pieces(1);
    while (!text.empty()) {
        const bool is_end = text.front() == '\n';
        std::size_t blank = 0;
        while (is_end && blank < text.size() && is_blank(text[blank]))
            ++blank;
        if (is_end && std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(blank), '\n') > 1) {
            pieces.emplace_back();
            text.remove_prefix(blank);
            continue;
        }
        pieces.back() += text.front();
        text.remove_prefix(1);
    }
    return pieces;
}

// A line's end becomes a break, unless there is one.
std::string with_breaks(std::string_view piece) {
    std::string out;
    for (const char c : trimmed_line(piece)) {
        if (c != '\n') {
            out += c;
            continue;
        }
        while (!out.empty() && is_blank(out.back()))
            out.pop_back();
        out += out.ends_with("<br />") ? "\n" : "<br />\n";
    }
    return out;
}

class Paragraphs {
  public:
    explicit Paragraphs(std::string_view text) : text_(text) {}

    std::string all() {
        while (!text_.empty()) {
            const auto at = text_.find('<');
            inline_.append(text_, 0, at);
            if (at == std::string_view::npos)
                break;
            text_.remove_prefix(at);
            take_tag();
        }
        flush();
        return std::move(out_);
    }

  private:
    std::string_view cut(std::size_t bytes) {
        const auto part = text_.substr(0, bytes);
        text_.remove_prefix(part.size());
        return part;
    }
    void take_tag() {
        if (text_.starts_with("<!--")) {
            const auto end = text_.find("-->");
            cut(end == std::string_view::npos ? std::string_view::npos : end + 3);  // shows nothing
            return;
        }
        const std::string name = lower_name(text_);
        const auto end = text_.find('>');
        if (name.empty() || end == std::string_view::npos) {
            inline_ += cut(1);
            return;
        }
        if ((name == "pre" || name == "script" || name == "style" || name == "iframe") && !text_.starts_with("</")) {
            flush();
            const auto close = text_.find("</" + name);
            const auto close_end = close == std::string_view::npos ? close : text_.find('>', close);
            out_ += cut(close_end == std::string_view::npos ? std::string_view::npos : close_end + 1);
            out_ += '\n';
            return;
        }
        std::string tag(cut(end + 1));
        std::replace(tag.begin(), tag.end(), '\n', ' ');
        if (name == "br") {
            inline_ += inline_.ends_with("<br />") ? "\n\n" : "<br />";
            return;
        }
        if (!is_one_of(block_tags, name)) {
            inline_ += tag;
            return;
        }
        flush();
        out_ += tag;
        if (tag.starts_with("</")) {
            const auto open = std::find(open_.rbegin(), open_.rend(), name);
            if (open != open_.rend())
                open_.erase(std::prev(open.base()), open_.end());
            out_ += '\n';
        } else if (!is_one_of(without_end, name) && !tag.ends_with("/>")) {
            open_.push_back(name);
        }
    }
    // Writes the text since the last block.
    void flush() {
        const std::string text = std::move(inline_);
        inline_.clear();
        const auto pieces = pieces_of(text);
        if (trimmed_line(text).empty())
            return;
        const std::string within = open_.empty() ? std::string() : open_.back();
        const bool is_line = is_one_of(line_tags, within);
        const bool is_bare = is_line || (!within.empty() && within != "blockquote" && pieces.size() == 1);
        bool is_first = true;
        for (const std::string& piece : pieces) {
            std::string shown = with_breaks(piece);
            while (shown.ends_with("<br />"))
                shown.resize(shown.size() - 6);
            if (shown.empty())
                continue;
            if (is_bare)
                out_ += (is_first ? "" : "<br />\n") + shown;
            else
                out_ += "<p>" + shown + "</p>\n";
            is_first = false;
        }
    }

    std::string_view text_;
    std::string inline_, out_;
    std::vector<std::string> open_;
};

}  // namespace

std::string with_paragraphs(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] != '\r')
            plain += text[at];
        else if (at + 1 == text.size() || text[at + 1] != '\n')
            plain += '\n';
    if (plain.find("<!-- wp:") != std::string::npos)
        return plain;
    return Paragraphs(plain).all();
}

}  // namespace svc::wordpress_import
