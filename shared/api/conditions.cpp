// Reads If-Match and answers If-None-Match.
#include "shared/api/conditions.hpp"

#include <algorithm>
#include <charconv>

#include "shared/api/public_answer.hpp"

namespace svc::api {
namespace {

// The version of one tag, with or without quotes; empty for anything else, weak tags included.
std::optional<std::int64_t> version_of(std::string_view tag) {
    if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"')
        tag = tag.substr(1, tag.size() - 2);
    std::int64_t version = 0;
    const auto [end, failure] = std::from_chars(tag.data(), tag.data() + tag.size(), version);
    const bool whole = end == tag.data() + tag.size() || *end == '-';
    return failure == std::errc{} && whole ? std::optional(version) : std::nullopt;
}

}  // namespace

std::string version_tag(std::int64_t version, const json::Value& data) {
    return '"' + std::to_string(version) + '-' + entity_tag(data.dump()).substr(1);
}

Result<std::optional<std::int64_t>> if_match_version(const Request& request,
                                                     const std::function<std::optional<std::int64_t>()>& now) {
    std::string_view given = request.header ? request.header("if-match") : std::string_view{};
    std::vector<std::int64_t> versions;
    std::size_t tags = 0;
    while (!given.empty()) {
        const auto comma = std::min(given.find(','), given.size());  // our tags contain no comma
        std::string_view tag = given.substr(0, comma);
        given.remove_prefix(std::min(comma + 1, given.size()));
        const auto first = tag.find_first_not_of(" \t");
        if (first == std::string_view::npos)
            continue;
        tag = tag.substr(first, tag.find_last_not_of(" \t") - first + 1);
        if (tag == "*")
            return std::optional<std::int64_t>{};
        ++tags;
        if (const auto version = version_of(tag))
            versions.push_back(*version);
    }
    if (tags == 0)
        return std::optional<std::int64_t>{};
    if (versions.empty())
        return Error{errc::conflict, "If-Match must be an ETag of this record."_sentence};
    if (versions.size() > 1)
        if (const auto current = now();
            current && std::find(versions.begin(), versions.end(), *current) != versions.end())
            return current;
    return std::optional(versions.front());
}

Result<std::optional<std::int64_t>> required_version(const Request& request,
                                                     const std::function<std::optional<std::int64_t>()>& now) {
    auto version = if_match_version(request, now);
    if (version && !*version)
        *version = request.body.maybe_integer("row_version");
    return version;
}

Reply unless_known(const Request& request, Reply reply) {
    static const auto nothing = std::make_shared<const std::string>();
    for (const auto& [name, etag] : reply.headers)
        if (name == "ETag" && request.header && has_tag(request.header("if-none-match"), etag)) {
            Reply known = prebuilt(nothing);
            known.status = 304;
            known.headers.emplace_back(name, etag);
            return known;
        }
    return reply;
}

}  // namespace svc::api
