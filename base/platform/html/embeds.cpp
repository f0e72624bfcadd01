// External content embedded in a text, found in the same tree that clean_html writes.
#include <algorithm>
#include <vector>

#include "base/platform/html/html.hpp"
#include "base/platform/html/tree.hpp"
#include "shared/core/text.hpp"

namespace svc::html {
namespace {

// The address of an embedded element, or of the first source within it.
std::string address_of(const GumboElement& element) {
    for (const char* name : {"src", "data"})
        if (const GumboAttribute* given = gumbo_get_attribute(&element.attributes, name))
            return given->value;
    for (unsigned i = 0; i < element.children.length; ++i) {
        const auto& child = *static_cast<const GumboNode*>(element.children.data[i]);
        if (child.type == GUMBO_NODE_ELEMENT && child.v.element.tag == GUMBO_TAG_SOURCE)
            if (const GumboAttribute* given = gumbo_get_attribute(&child.v.element.attributes, "src"))
                return given->value;
    }
    return {};
}

}  // namespace

std::vector<std::string> refused_embeds(std::string_view given) {
    constexpr std::size_t most = 20, longest = 200;
    constexpr GumboTag embeds[] = {GUMBO_TAG_IFRAME, GUMBO_TAG_VIDEO, GUMBO_TAG_EMBED,
                                   GUMBO_TAG_OBJECT, GUMBO_TAG_AUDIO, GUMBO_TAG_FRAME};
    std::vector<std::string> refused;
    const std::string text = readable(given, most_bytes);
    const Tree tree(text);
    std::vector<const GumboNode*> open;
    if (tree.root())
        open.push_back(tree.root());
    while (!open.empty() && refused.size() < most) {
        const GumboNode& node = *open.back();
        open.pop_back();
        if (node.type != GUMBO_NODE_ELEMENT)
            continue;
        const GumboElement& element = node.v.element;
        for (unsigned i = element.children.length; i-- > 0;)
            open.push_back(static_cast<const GumboNode*>(element.children.data[i]));
        if (std::find(std::begin(embeds), std::end(embeds), element.tag) == std::end(embeds))
            continue;
        std::string address = address_of(element);
        address = text::first(text::clean(address.empty() ? "without an address" : address), longest);
        if (std::find(refused.begin(), refused.end(), address) == refused.end())
            refused.push_back(std::move(address));
    }
    return refused;
}

}  // namespace svc::html
