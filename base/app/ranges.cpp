// Reading Range and If-Range, and cutting an answer.
#include "base/app/ranges.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/app/render.hpp"
#include "shared/core/ascii.hpp"

namespace svc::app {
namespace {

constexpr std::string_view unit = "bytes=";

// As sent: "5-9", "5-" or "-5".
struct RequestedRange {
    std::optional<std::uint64_t> first, last;
};

bool read_number(std::string_view text, std::optional<std::uint64_t>& into) {
    if (text.empty())
        return true;
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc::result_out_of_range)
        number = UINT64_MAX;  // digits alone, beyond every file
    else if (failure != std::errc{})
        return false;
    into = number;
    return end == text.data() + text.size();
}

std::optional<RequestedRange> read_range(std::string_view range) {
    range = ascii::trimmed(range);
    const bool bytes = range.size() > unit.size() && range[5] == '=' &&
                       std::equal(unit.begin(), unit.end() - 1, range.begin(),
                                  [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
    if (!bytes)
        return std::nullopt;
    range = ascii::trimmed(range.substr(unit.size()));
    const auto dash = range.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    RequestedRange requested;
    if (!read_number(range.substr(0, dash), requested.first) || !read_number(range.substr(dash + 1), requested.last) ||
        (!requested.first && !requested.last) ||
        (requested.first && requested.last && *requested.last < *requested.first))
        return std::nullopt;
    return requested;
}

std::string_view tag_of(const HttpAnswer& answer) {
    for (const auto& [name, value] : answer.headers)
        if (name == "ETag")
            return value;
    return {};
}

// Our tags are strong; we send no dates.
bool still_the_same(const HttpAnswer& answer, std::string_view if_range) {
    const std::string_view condition = ascii::trimmed(if_range);
    return condition.empty() || condition == tag_of(answer);
}

HttpAnswer no_such_part(HttpAnswer& whole, std::size_t size) {
    HttpAnswer refused;
    refused.status = 416;
    for (auto& header : whole.headers)
        if (header.first == "ETag" || header.first == "Cache-Control" || header.first == "Accept-Ranges")
            refused.headers.push_back(std::move(header));
    refused.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
    return refused;
}

}  // namespace

void take_range(HttpAnswer& answer, std::string_view range, std::string_view if_range) {
    if (answer.status != 200 || !answer.file)
        return;
    answer.headers.emplace_back("Accept-Ranges", "bytes");
    const auto requested = range.empty() ? std::nullopt : read_range(range);
    if (!requested || !still_the_same(answer, if_range))
        return;
    const std::uint64_t size = answer.file->size();
    // The last n bytes, or from the first to the last one requested, up to the end of the file.
    const std::uint64_t first = requested->first ? *requested->first : size - std::min(size, *requested->last);
    if (first >= size) {
        answer = no_such_part(answer, size);
        return;
    }
    const std::uint64_t last = requested->first && requested->last ? std::min(*requested->last, size - 1) : size - 1;
    answer.status = 206;
    answer.file_from = first;
    answer.file_size = last - first + 1;
    answer.headers.emplace_back(
        "Content-Range", "bytes " + std::to_string(first) + "-" + std::to_string(last) + "/" + std::to_string(size));
}

}  // namespace svc::app
