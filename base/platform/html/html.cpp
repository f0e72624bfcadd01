// The allowed elements and attributes, and the serializer.
#include "base/platform/html/html.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/platform/html/tree.hpp"
#include "shared/core/text.hpp"

namespace svc::html {
namespace {

constexpr std::size_t most_depth = 100;
// Writing and parsing settles after two or three rounds; text that does not is rejected.
constexpr int most_turns = 8;

enum class Value : std::uint8_t { text, address, picture, number, direction, scope, anchor };
struct Attribute {
    std::string_view name;
    Value value;
};
struct Element {
    GumboTag tag;
    std::span<const Attribute> attributes = {};
};

constexpr std::array everywhere{Attribute{"title", Value::text}, Attribute{"lang", Value::text},
                                Attribute{"dir", Value::direction}, Attribute{"id", Value::anchor}};
constexpr std::array old_anchor{Attribute{"name", Value::anchor}};
constexpr std::array of_links{Attribute{"href", Value::address}};
constexpr std::array of_quotes{Attribute{"cite", Value::address}};
constexpr std::array of_pictures{Attribute{"src", Value::picture}, Attribute{"alt", Value::text},
                                 Attribute{"width", Value::number}, Attribute{"height", Value::number}};
constexpr std::array of_cells{Attribute{"colspan", Value::number}, Attribute{"rowspan", Value::number},
                              Attribute{"scope", Value::scope}};
constexpr std::array of_columns{Attribute{"span", Value::number}};
constexpr std::array of_lists{Attribute{"start", Value::number}};
constexpr std::array of_items{Attribute{"value", Value::number}};

constexpr Element elements[] = {
    {GUMBO_TAG_A, of_links},
    {GUMBO_TAG_ABBR},
    {GUMBO_TAG_B},
    {GUMBO_TAG_BLOCKQUOTE, of_quotes},
    {GUMBO_TAG_BR},
    {GUMBO_TAG_CAPTION},
    {GUMBO_TAG_CITE},
    {GUMBO_TAG_CODE},
    {GUMBO_TAG_COL, of_columns},
    {GUMBO_TAG_COLGROUP, of_columns},
    {GUMBO_TAG_DD},
    {GUMBO_TAG_DEL},
    {GUMBO_TAG_DIV},
    {GUMBO_TAG_DL},
    {GUMBO_TAG_DT},
    {GUMBO_TAG_EM},
    {GUMBO_TAG_FIGCAPTION},
    {GUMBO_TAG_FIGURE},
    {GUMBO_TAG_H1},
    {GUMBO_TAG_H2},
    {GUMBO_TAG_H3},
    {GUMBO_TAG_H4},
    {GUMBO_TAG_H5},
    {GUMBO_TAG_H6},
    {GUMBO_TAG_HR},
    {GUMBO_TAG_I},
    {GUMBO_TAG_IMG, of_pictures},
    {GUMBO_TAG_INS},
    {GUMBO_TAG_KBD},
    {GUMBO_TAG_LI, of_items},
    {GUMBO_TAG_MARK},
    {GUMBO_TAG_OL, of_lists},
    {GUMBO_TAG_P},
    {GUMBO_TAG_PRE},
    {GUMBO_TAG_Q, of_quotes},
    {GUMBO_TAG_S},
    {GUMBO_TAG_SMALL},
    {GUMBO_TAG_SPAN},
    {GUMBO_TAG_STRONG},
    {GUMBO_TAG_SUB},
    {GUMBO_TAG_SUP},
    {GUMBO_TAG_TABLE},
    {GUMBO_TAG_TBODY},
    {GUMBO_TAG_TD, of_cells},
    {GUMBO_TAG_TFOOT},
    {GUMBO_TAG_TH, of_cells},
    {GUMBO_TAG_THEAD},
    {GUMBO_TAG_TR},
    {GUMBO_TAG_U},
    {GUMBO_TAG_UL},
};

// Elements whose content is not text, or is parsed differently elsewhere: removed with their content. Of other unlisted
// elements the content stays.
constexpr GumboTag whole[] = {
    GUMBO_TAG_APPLET,   GUMBO_TAG_AUDIO,    GUMBO_TAG_BASE,     GUMBO_TAG_BUTTON,   GUMBO_TAG_CANVAS,
    GUMBO_TAG_DATALIST, GUMBO_TAG_EMBED,    GUMBO_TAG_FRAME,    GUMBO_TAG_FRAMESET, GUMBO_TAG_HEAD,
    GUMBO_TAG_IFRAME,   GUMBO_TAG_INPUT,    GUMBO_TAG_LINK,     GUMBO_TAG_MATH,     GUMBO_TAG_META,
    GUMBO_TAG_NOEMBED,  GUMBO_TAG_NOFRAMES, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_OBJECT,   GUMBO_TAG_PLAINTEXT,
    GUMBO_TAG_SCRIPT,   GUMBO_TAG_SELECT,   GUMBO_TAG_STYLE,    GUMBO_TAG_SVG,      GUMBO_TAG_TEMPLATE,
    GUMBO_TAG_TEXTAREA, GUMBO_TAG_TITLE,    GUMBO_TAG_VIDEO,    GUMBO_TAG_XMP,
};
constexpr GumboTag empty_ones[] = {GUMBO_TAG_BR, GUMBO_TAG_COL, GUMBO_TAG_HR, GUMBO_TAG_IMG};
constexpr GumboTag within_a_line[] = {GUMBO_TAG_A,    GUMBO_TAG_ABBR,   GUMBO_TAG_B,   GUMBO_TAG_CITE,  GUMBO_TAG_CODE,
                                      GUMBO_TAG_DEL,  GUMBO_TAG_EM,     GUMBO_TAG_I,   GUMBO_TAG_INS,   GUMBO_TAG_KBD,
                                      GUMBO_TAG_MARK, GUMBO_TAG_Q,      GUMBO_TAG_S,   GUMBO_TAG_SMALL, GUMBO_TAG_SPAN,
                                      GUMBO_TAG_SUB,  GUMBO_TAG_STRONG, GUMBO_TAG_SUP, GUMBO_TAG_U,     GUMBO_TAG_FONT};

template <class List>
bool among(const List& list, GumboTag tag) {
    return std::find(std::begin(list), std::end(list), tag) != std::end(list);
}

const Element* find_element(GumboTag tag) {
    const auto* found =
        std::find_if(std::begin(elements), std::end(elements), [&](const Element& e) { return e.tag == tag; });
    return found == std::end(elements) ? nullptr : found;
}

// Composes with a < = > before it, so that normalising the HTML later would eat the end of a tag.
constexpr std::string_view overlay = "\u0338";

// Characters that stay as they are; the first byte of the overlay may not.
constexpr std::array<bool, 256> plain_bytes = [] {
    std::array<bool, 256> plain{};
    for (std::size_t byte = 0; byte < plain.size(); ++byte)
        plain[byte] = byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7f);
    for (const char c : {'&', '<', '>', '"', '\'', overlay.front()})
        plain[static_cast<unsigned char>(c)] = false;
    return plain;
}();

// Control characters show nothing and hide much: they go.
void put_escaped(std::string& out, std::string_view text, bool attribute) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t end = at;
        while (end < text.size() && plain_bytes[static_cast<unsigned char>(text[end])])
            ++end;
        out.append(text, at, end - at);
        if (end == text.size())
            return;
        at = end;
        const char c = text[at];
        if (text.substr(at).starts_with(overlay)) {
            out += "&#824;";
            at += overlay.size() - 1;
        } else if (c == overlay.front() || (!attribute && (c == '"' || c == '\'')))
            out += c;
        else
            out += c == '&'    ? "&amp;"
                   : c == '<'  ? "&lt;"
                   : c == '>'  ? "&gt;"
                   : c == '"'  ? "&quot;"
                   : c == '\'' ? "&#39;"
                               : "";
    }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The address as a browser takes it: tabs and line breaks fall away. Empty optional: not one of the listed schemes.
std::optional<std::string> safe_address(std::string_view given, std::span<const std::string_view> schemes) {
    std::string address;
    for (const char c : given)
        if (c != '\t' && c != '\n' && c != '\r')
            address += c;
    const auto blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    while (!address.empty() && blank(address.back()))
        address.pop_back();
    address.erase(0,
                  static_cast<std::size_t>(std::find_if_not(address.begin(), address.end(), blank) - address.begin()));
    if (address.empty() || std::any_of(address.begin(), address.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return {};
    const auto end = address.find_first_of(":/?#\\");
    if (end == std::string::npos || address[end] != ':')
        return address;
    std::string scheme = address.substr(0, end);
    if (!std::all_of(scheme.begin(), scheme.end(), is_letter))
        return {};
    for (char& c : scheme)
        c = static_cast<char>(c | 0x20);
    if (std::find(schemes.begin(), schemes.end(), scheme) == schemes.end())
        return {};
    return address;
}

// A place in the text that a link leads to. Those of the site's own pages begin with svc.
bool is_anchor(std::string_view given) {
    constexpr std::size_t longest = 64;
    return !given.empty() && given.size() <= longest && is_letter(given.front()) && !given.starts_with("svc") &&
           std::all_of(given.begin(), given.end(), [](char c) {
               return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
           });
}

// The attribute's safe value; empty optional: removed.
std::optional<std::string> safe_value(Value kind, std::string_view given) {
    constexpr std::string_view links[] = {"http", "https", "mailto", "tel"};
    constexpr std::string_view pictures[] = {"http", "https"};
    switch (kind) {
        case Value::text:
            return std::string(given);
        case Value::address:
            return safe_address(given, links);
        case Value::picture:
            return safe_address(given, pictures);
        case Value::number:
            if (given.empty() || given.size() > 5 || given.find_first_not_of("0123456789") != std::string_view::npos)
                return {};
            return std::string(given);
        case Value::direction:
            if (given == "ltr" || given == "rtl" || given == "auto")
                return std::string(given);
            return {};
        case Value::anchor:
            if (is_anchor(given))
                return std::string(given);
            return {};
        case Value::scope:
            if (given == "row" || given == "col" || given == "rowgroup" || given == "colgroup")
                return std::string(given);
            return {};
    }
    return {};
}

void put_attributes(std::string& out, std::span<const Attribute> list, const GumboElement& element) {
    for (const Attribute& one : list) {
        const GumboAttribute* given = gumbo_get_attribute(&element.attributes, std::string(one.name).c_str());
        if (!given || given->attr_namespace != GUMBO_ATTR_NAMESPACE_NONE)
            continue;
        const auto value = safe_value(one.value, given->value);
        if (!value)
            continue;
        out.append(" ").append(one.name == "name" ? "id" : one.name).append("=\"");
        put_escaped(out, *value, true);
        out += '"';
    }
}

// Walks the tree without recursion.
class Writer {
  public:
    explicit Writer(bool tags) : tags_(tags) {}

    std::string all_of(const GumboNode& root) {
        open_.push_back({&root, 0, {}});
        while (!open_.empty()) {
            Open& top = open_.back();
            const GumboVector& children = top.node->v.element.children;
            if (top.next < children.length) {
                enter(*static_cast<const GumboNode*>(children.data[top.next++]));
                continue;
            }
            if (!top.closing.empty()) {
                out_ += top.closing;
                --depth_;
            }
            open_.pop_back();
        }
        return std::move(out_);
    }

  private:
    struct Open {
        const GumboNode* node;
        unsigned next;
        std::string closing;  // empty: its tags are not written
    };

    void enter(const GumboNode& node) {
        if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) {
            if (tags_)
                put_escaped(out_, node.v.text.text, false);
            else
                out_ += node.v.text.text;
            return;
        }
        if (node.type != GUMBO_NODE_ELEMENT)
            return;
        const GumboElement& element = node.v.element;
        if (element.tag_namespace != GUMBO_NAMESPACE_HTML || among(whole, element.tag))
            return;
        if (!tags_)
            open_.push_back({&node, 0, among(within_a_line, element.tag) ? std::string() : blank()});
        else
            open_.push_back({&node, 0, start(element)});
    }

    // Separates a block on both sides in plain text.
    std::string blank() {
        out_ += ' ';
        ++depth_;
        return " ";
    }

    // Writes the start tag; returns the end tag, empty if there is none.
    std::string start(const GumboElement& element) {
        const Element* known = find_element(element.tag);
        if (!known || depth_ >= most_depth)
            return {};
        std::string attributes;
        put_attributes(attributes, known->attributes, element);
        if (element.tag == GUMBO_TAG_A && !gumbo_get_attribute(&element.attributes, "id"))
            put_attributes(attributes, old_anchor, element);
        if (element.tag == GUMBO_TAG_A && attributes.empty()) {
            put_attributes(attributes, std::span(everywhere).last(1), element);
            if (attributes.empty())
                return {};
            attributes.clear();
        }
        if (!attributes.starts_with(" src=") && element.tag == GUMBO_TAG_IMG)
            return {};
        put_attributes(attributes, everywhere, element);
        const std::string name = gumbo_normalized_tagname(element.tag);
        out_ += '<' + name + attributes + '>';
        if (among(empty_ones, element.tag))
            return {};
        ++depth_;
        if (element.tag == GUMBO_TAG_PRE && begins_with_line(element))
            out_ += '\n';  // a parser drops the first line break of a <pre>
        return "</" + name + '>';
    }

    static bool begins_with_line(const GumboElement& element) {
        if (element.children.length == 0)
            return false;
        const auto& first = *static_cast<const GumboNode*>(element.children.data[0]);
        return (first.type == GUMBO_NODE_TEXT || first.type == GUMBO_NODE_WHITESPACE) && first.v.text.text[0] == '\n';
    }

    bool tags_;
    std::size_t depth_ = 0;
    std::string out_;
    std::vector<Open> open_;
};

std::optional<std::string> written(std::string_view text, bool tags) {
    const Tree tree(text);
    if (!tree.root())
        return {};
    return Writer(tags).all_of(*tree.root());
}

std::string with_single_blanks(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' || !out.ends_with(' '))
            out += c;
    return out;
}

// As much of the text, escaped, as fits.
std::string escaped_within(std::string_view text, std::size_t most) {
    std::string out, next;
    for (std::size_t at = 0; at < text.size(); at += next.size()) {
        next = text::first(text.substr(at), 1);
        const std::size_t before = out.size();
        put_escaped(out, next, false);
        if (out.size() > most) {
            out.resize(before);
            break;
        }
    }
    return out;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    put_escaped(out, text, true);
    return out;
}

void escape_to(std::string& out, std::string_view text) { put_escaped(out, text, true); }

std::string clean_html(std::string_view given) {
    const std::string text = readable(given, most_bytes);
    std::optional<std::string> before = text;
    for (int turn = 0; before && turn < most_turns; ++turn) {
        auto after = written(*before, true);
        if (after == before && after->size() <= most_bytes)
            return *after;
        before = std::move(after);
    }
    // Not to be settled or not to be read: as plain text, which has nothing to settle.
    return escaped_within(text, most_bytes);
}

std::string text_of_html(std::string_view given) {
    const std::string text = readable(given, most_bytes);
    return with_single_blanks(text::clean(written(text, false).value_or(text)));
}

}  // namespace svc::html
