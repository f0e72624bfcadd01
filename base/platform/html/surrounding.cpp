// What may surround a page: structure, text, links and pictures, and nothing that acts or sends.
#include "base/platform/html/surrounding.hpp"

#include <algorithm>
#include <vector>

#include "base/platform/html/html.hpp"
#include "base/platform/html/tree.hpp"
#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"

namespace svc::html {
namespace {

constexpr GumboTag elements[] = {
    GUMBO_TAG_A,     GUMBO_TAG_ABBR,       GUMBO_TAG_ADDRESS,    GUMBO_TAG_ARTICLE, GUMBO_TAG_ASIDE,
    GUMBO_TAG_B,     GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_BR,         GUMBO_TAG_CAPTION, GUMBO_TAG_CITE,
    GUMBO_TAG_CODE,  GUMBO_TAG_DD,         GUMBO_TAG_DETAILS,    GUMBO_TAG_DIV,     GUMBO_TAG_DL,
    GUMBO_TAG_DT,    GUMBO_TAG_EM,         GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIGURE,  GUMBO_TAG_FOOTER,
    GUMBO_TAG_H1,    GUMBO_TAG_H2,         GUMBO_TAG_H3,         GUMBO_TAG_H4,      GUMBO_TAG_H5,
    GUMBO_TAG_H6,    GUMBO_TAG_HEADER,     GUMBO_TAG_HR,         GUMBO_TAG_I,       GUMBO_TAG_IMG,
    GUMBO_TAG_LI,    GUMBO_TAG_MARK,       GUMBO_TAG_NAV,        GUMBO_TAG_OL,      GUMBO_TAG_P,
    GUMBO_TAG_PRE,   GUMBO_TAG_Q,          GUMBO_TAG_S,          GUMBO_TAG_SECTION, GUMBO_TAG_SMALL,
    GUMBO_TAG_SPAN,  GUMBO_TAG_STRONG,     GUMBO_TAG_SUB,        GUMBO_TAG_SUMMARY, GUMBO_TAG_SUP,
    GUMBO_TAG_TABLE, GUMBO_TAG_TBODY,      GUMBO_TAG_TD,         GUMBO_TAG_TFOOT,   GUMBO_TAG_TH,
    GUMBO_TAG_THEAD, GUMBO_TAG_TIME,       GUMBO_TAG_TR,         GUMBO_TAG_U,       GUMBO_TAG_UL,
    GUMBO_TAG_WBR};
// Their values are text, numbers or words.
constexpr std::string_view attributes[] = {"alt",  "class",   "colspan", "datetime", "dir",   "height",
                                           "id",   "hidden",  "lang",    "loading",  "open",  "rel",
                                           "role", "rowspan", "scope",   "start",    "title", "width"};

bool is_address(std::string_view value) {
    return value.empty() || value.starts_with('#') || value.starts_with("mailto:") || value.starts_with("tel:") ||
           text::is_place(value) || value.starts_with("{{");
}

std::string name_of(const GumboElement& element) {
    if (element.tag != GUMBO_TAG_UNKNOWN)
        return gumbo_normalized_tagname(element.tag);
    GumboStringPiece piece = element.original_tag;
    gumbo_tag_from_original_text(&piece);
    return piece.data ? std::string(piece.data, std::min<std::size_t>(piece.length, 40)) : std::string("?");
}

std::optional<Sentence> attribute_fault(const std::string& element, const GumboAttribute& attribute) {
    const std::string name(text::first(attribute.name, 40));
    const std::string_view value = attribute.value;
    const bool is_link = (name == "href" && element == "a") || (name == "src" && element == "img");
    if (!is_link && !name.starts_with("aria-") &&
        std::find(std::begin(attributes), std::end(attributes), name) == std::end(attributes))
        return "The attribute {name} of <{element}> cannot stand in a template of a page."_sentence.with("name", name)
            .with("element", element);
    for (const std::string_view mark : {"{{>", "{{{", "{{&", "{{#", "{{^", "{{/", "{{!", "{{=", "_html"})
        if (value.find("{{") != std::string_view::npos && value.find(mark) != std::string_view::npos)
            return "In attributes only simple tags such as {tag} may stand; look at {name} of <{element}>."_sentence
                .with("tag", "{{ site.name }}")
                .with("name", name)
                .with("element", element);
    if (is_link && !is_address(value))
        return "The address in {name} of <{element}> must begin with https://, with / for a page of this site, or with #."_sentence
            .with("name", name)
            .with("element", element);
    return std::nullopt;
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

}  // namespace

std::optional<Sentence> surrounding_fault(std::string_view given, std::string_view once) {
    const std::string text = readable(given, most_bytes);
    const Tree tree(text);
    if (!tree.root())
        return Sentence("This markup is too long or too deep."_sentence);
    std::vector<const GumboNode*> open{tree.root()};
    std::size_t places = 0;
    while (!open.empty()) {
        const GumboNode& node = *open.back();
        open.pop_back();
        if (node.type == GUMBO_NODE_COMMENT || node.type == GUMBO_NODE_CDATA)
            return "Comments of HTML cannot stand in a template of a page: write {example}."_sentence.with(
                "example", "{{! for yourself }}");
        if (node.type == GUMBO_NODE_TEXT)
            places += count_of(node.v.text.text, once);
        if (node.type != GUMBO_NODE_ELEMENT)
            continue;
        const GumboElement& element = node.v.element;
        for (unsigned i = element.children.length; i-- > 0;)
            open.push_back(static_cast<const GumboNode*>(element.children.data[i]));
        if (&node == tree.root())
            continue;
        const std::string name = name_of(element);
        if (element.tag_namespace != GUMBO_NAMESPACE_HTML ||
            std::find(std::begin(elements), std::end(elements), element.tag) == std::end(elements))
            return "The element <{name}> cannot stand in a template of a page."_sentence.with("name", name);
        for (unsigned i = 0; i < element.attributes.length; ++i)
            if (auto fault = attribute_fault(name, *static_cast<const GumboAttribute*>(element.attributes.data[i])))
                return fault;
    }
    if (places != 1)
        return "{tag} must stand once, where text can stand."_sentence.with("tag", once);
    return std::nullopt;
}

}  // namespace svc::html
