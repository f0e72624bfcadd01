// Cuts a template's text into steps.
#include "base/platform/templates/steps.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>

namespace svc::templates {

std::vector<std::string> names_in(std::string_view tag) {
    std::vector<std::string> names;
    while (!tag.empty() && (tag != "." || !names.empty())) {
        const auto dot = std::min(tag.find('.'), tag.size());
        names.emplace_back(tag.substr(0, dot));
        tag.remove_prefix(std::min(dot + 1, tag.size()));
    }
    return names;
}

namespace {

// Text up to its first line break, the break with the whole lines after it, and the beginning of the last line.
void add_plain(std::vector<Step>& steps, std::string_view text) {
    const auto first = text.find_first_of("\r\n");
    if (first != 0 && !text.empty())
        steps.push_back({.does = Does::text, .text = std::string(text.substr(0, first)), .names = {}});
    if (first == std::string_view::npos)
        return;
    const auto last = text.find_last_of("\r\n") + 1;
    steps.push_back({.does = Does::line_end,
                     .text = std::string(text.substr(first, last - first)),
                     .names = {},
                     .break_size = text.substr(first).starts_with("\r\n") ? std::size_t{2} : std::size_t{1}});
    if (last < text.size())
        steps.push_back({.does = Does::text, .text = std::string(text.substr(last)), .names = {}});
}

std::uint64_t next_section() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

std::vector<Step> compiled(const Source& source) {
    std::vector<Step> steps;
    std::vector<std::size_t> open;
    const std::string_view text = source.text;
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = std::min(text.find("{{", at), text.size());
        add_plain(steps, text.substr(at, begin - at));
        if (begin == text.size())
            break;
        const auto end = text.find("}}", begin);
        const std::string_view tag = text.substr(begin + 2, end - begin - 2);
        at = end + 2;
        switch (tag.front()) {
            case '#':
            case '^':
                open.push_back(steps.size());
                steps.push_back({.does = tag.front() == '#' ? Does::section : Does::inverted,
                                 .text = {},
                                 .names = names_in(tag.substr(1)),
                                 .section = next_section()});
                break;
            case '/':
                steps[open.back()].after = steps.size();
                open.pop_back();
                break;
            case '&':
                if (tag.starts_with("&t:")) {
                    std::size_t index = 0;
                    std::from_chars(tag.data() + 3, tag.data() + tag.size(), index);
                    steps.push_back({.does = Does::say, .text = source.texts.at(index), .names = {}});
                } else
                    steps.push_back({.does = Does::raw_value, .text = {}, .names = names_in(tag.substr(1))});
                break;
            default:
                steps.push_back({.does = Does::value, .text = {}, .names = names_in(tag)});
        }
    }
    return steps;
}

}  // namespace svc::templates
