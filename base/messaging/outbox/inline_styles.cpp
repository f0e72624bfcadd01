// One pass over the tags, with the elements that are open.
#include "base/messaging/outbox/inline_styles.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/platform/texts/isolated.hpp"
#include "shared/core/ascii.hpp"

namespace svc::messaging {
namespace {

constexpr std::string_view spaces = " \t\r\n";

// "a.button", or an element of the e-mail.
struct Named {
    std::string tag;  // empty: any
    std::vector<std::string> classes = {};

    [[nodiscard]] bool fits(const Named& element) const {
        return (tag.empty() || tag == element.tag) &&
               std::all_of(classes.begin(), classes.end(), [&](const std::string& each) {
                   return std::find(element.classes.begin(), element.classes.end(), each) != element.classes.end();
               });
    }
};

struct Rule {
    std::vector<Named> within;  // the outermost first; the last is the element itself
    std::string look;
    std::size_t weight = 0;  // heavier ones win, as in CSS
};

std::string lowered(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), ascii::lower);
    return small;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (auto at = text.find_first_not_of(spaces); at != std::string_view::npos;
         at = text.find_first_not_of(spaces, at)) {
        const auto end = std::min(text.find_first_of(spaces, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

Named named_by(std::string_view selector) {
    Named named{.tag = lowered(selector.substr(0, selector.find('.')))};
    for (auto at = selector.find('.'); at != std::string_view::npos;) {
        const auto next = selector.find('.', at + 1);
        named.classes.emplace_back(selector.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
        at = next;
    }
    return named;
}

// Declarations for an attribute in double quotes.
std::string as_attribute(std::string_view declarations) {
    std::string look;
    for (const std::string& word : words_of(declarations))
        look += (look.empty() ? "" : " ") + word;
    std::string text;
    for (const char c : look)
        text += c == '"' ? std::string("'") : c == '&' ? std::string("&amp;") : std::string(1, c);
    return text;
}

void add_rules(std::string_view selectors, std::string_view declarations, std::vector<Rule>& rules) {
    const std::string look = as_attribute(declarations);
    while (!selectors.empty()) {
        const auto comma = std::min(selectors.find(','), selectors.size());
        const std::string_view one = selectors.substr(0, comma);
        selectors.remove_prefix(std::min(comma + 1, selectors.size()));
        if (one.find_first_of(":>+~[#*") != std::string_view::npos)
            continue;
        Rule rule{.within = {}, .look = look};
        for (const std::string& part : words_of(one)) {
            rule.within.push_back(named_by(part));
            rule.weight += 100 * rule.within.back().classes.size() + (rule.within.back().tag.empty() ? 0 : 1);
        }
        if (!rule.within.empty())
            rules.push_back(std::move(rule));
    }
}

std::vector<Rule> rules_of(std::string_view css) {
    std::vector<Rule> rules;
    while (true) {
        const auto open = css.find('{');
        if (open == std::string_view::npos)
            break;
        const std::string_view before = ascii::trimmed(css.substr(0, open), spaces);
        auto end = open + 1;
        for (int depth = 1; end < css.size() && depth > 0; ++end)
            depth += css[end] == '{' ? 1 : css[end] == '}' ? -1 : 0;
        if (!before.starts_with('@'))
            add_rules(before, css.substr(open + 1, std::max(end, open + 2) - open - 2), rules);
        css.remove_prefix(end);
    }
    std::stable_sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.weight < b.weight; });
    return rules;
}

bool fits(const Rule& rule, const std::vector<Named>& open) {
    if (!rule.within.back().fits(open.back()))
        return false;
    auto wanted = rule.within.rbegin() + 1;
    for (auto at = open.rbegin() + 1; at != open.rend() && wanted != rule.within.rend(); ++at)
        if (wanted->fits(*at))
            ++wanted;
    return wanted == rule.within.rend();
}

// Where the tag that begins at `at` ends; a > within quotes is part of a value.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
    char quote = 0;
    for (; at < html.size(); ++at) {
        const char c = html[at];
        if (quote != 0)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '>')
            return at;
    }
    return std::string_view::npos;
}

// Where the value of that attribute begins, and its length; nothing: the tag has none in double quotes.
std::pair<std::size_t, std::size_t> attribute(std::string_view tag, std::string_view name) {
    const std::string start = " " + std::string(name) + "=\"";
    const auto at = tag.find(start);
    const auto end = at == std::string_view::npos ? at : tag.find('"', at + start.size());
    return end == std::string_view::npos ? std::pair<std::size_t, std::size_t>{}
                                         : std::pair{at + start.size(), end - at - start.size()};
}

bool closes_itself(std::string_view tag) {
    constexpr std::array<std::string_view, 8> all{"br", "hr", "img", "meta", "link", "input", "col", "wbr"};
    return std::find(all.begin(), all.end(), tag) != all.end();
}

std::string with_look(std::string_view tag, const std::string& look) {
    if (look.empty())
        return std::string(tag);
    if (const auto [at, length] = attribute(tag, "style"); at > 0)  // its own look wins
        return std::string(tag.substr(0, at)) + look + " " + std::string(tag.substr(at));
    const auto end = tag.ends_with("/>") ? tag.size() - 2 : tag.size() - 1;
    return std::string(tag.substr(0, end)) + " style=\"" + look + "\"" + std::string(tag.substr(end));
}

}  // namespace

std::string with_inline_styles(std::string_view html) {
    const auto block = html.find("<style>"), after = html.find("</style>");
    const auto body = html.find("<body");
    if (block == std::string_view::npos || after < block || after == std::string_view::npos ||
        body == std::string_view::npos || body < after)
        return std::string(html);
    const std::vector<Rule> rules = rules_of(html.substr(block + 7, after - block - 7));
    std::string out(html.substr(0, body));
    std::vector<Named> open;
    for (std::size_t at = body; at < html.size();) {
        const auto next = std::min(html.find('<', at), html.size());
        out += html.substr(at, next - at);
        at = next;
        if (at >= html.size())
            break;
        const bool is_end = html.substr(at + 1).starts_with('/');
        const bool is_comment = html.substr(at).starts_with("<!--");
        const auto end = is_comment ? html.find("-->", at) : end_of_tag(html, at);
        if (end == std::string_view::npos) {
            out += html.substr(at);
            break;
        }
        const std::string_view tag = html.substr(at, end + (is_comment ? 3 : 1) - at);
        at += tag.size();
        const auto from = is_end ? 2U : 1U;
        const std::string name = lowered(tag.substr(from, tag.find_first_of(" \t\r\n/>", from) - from));
        if (is_comment || name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) {
            out += tag;
            continue;
        }
        if (is_end) {
            const auto same =
                std::find_if(open.rbegin(), open.rend(), [&](const Named& one) { return one.tag == name; });
            if (same != open.rend())
                open.erase(same.base() - 1, open.end());
            out += tag;
            continue;
        }
        const auto [classes, length] = attribute(tag, "class");
        open.push_back({.tag = name, .classes = words_of(tag.substr(classes, length))});
        std::string look;
        for (const Rule& rule : rules)
            if (fits(rule, open))
                look += (look.empty() ? "" : " ") + rule.look;
        out += with_look(tag, look);
        if (closes_itself(name) || tag.ends_with("/>"))
            open.pop_back();
    }
    return out;
}

std::string with_marked_names(std::string_view html) {
    std::string out;
    for (std::size_t at = 0; at < html.size();) {
        const auto begin = html.find(texts::isolate_begins, at);
        const auto from = begin == std::string_view::npos ? begin : begin + texts::isolate_begins.size();
        const auto end = begin == std::string_view::npos ? begin : html.find(texts::isolate_ends, from);
        if (end == std::string_view::npos)
            return out.append(html.substr(at));
        out += html.substr(at, begin - at);
        const std::string_view name = html.substr(from, end - from);
        // In a tag, such as a link's address, no element can stand.
        const auto bracket = html.substr(0, begin).find_last_of("<>");
        const bool is_in_tag = bracket != std::string_view::npos && html[bracket] == '<';
        out += is_in_tag || name.find('<') != std::string_view::npos
                   ? std::string(name)
                   : "<span dir=\"auto\">" + std::string(name) + "</span>";
        at = end + texts::isolate_ends.size();
    }
    return out;
}

}  // namespace svc::messaging
