// Matches paths part by part; there are few pages, so a walk over them is quick enough.
#include "base/website/pages/router.hpp"

#include <algorithm>
#include <optional>

#include "shared/api/query.hpp"

namespace svc::pages {
namespace {

// The setting behind the name of a permalink base; empty: the name is no base.
std::string_view setting_of(std::string_view name, const Bases& bases) {
    if (name == "{trip}")
        return bases.trip;
    if (name == "{destination}")
        return bases.destination;
    if (name == "{activity}")
        return bases.activity;
    if (name == "{trip_category}")
        return bases.trip_category;
    if (name == "{book}")
        return bases.book;
    if (name == "{account}")
        return bases.account;
    return {};
}

std::optional<std::vector<std::string>> parts_of(std::string_view path) {
    std::vector<std::string> parts;
    if (!path.starts_with('/'))
        return std::nullopt;
    path.remove_prefix(1);
    if (path.empty())
        return parts;
    for (bool more = true; more;) {
        const auto end = path.find('/');
        more = end != std::string_view::npos;
        auto part = api::percent_decoded(path.substr(0, end), false);
        if (!part || part->empty() || parts.size() > 8)
            return std::nullopt;
        parts.push_back(std::move(*part));
        if (more)
            path.remove_prefix(end + 1);
    }
    return parts;
}

// How well it fits: the number of literal parts, or nothing.
std::optional<int> fit(std::string_view pattern, const std::vector<std::string>& parts, const Bases& bases,
                       std::map<std::string, std::string, std::less<>>& names) {
    if (pattern == "/")
        return parts.empty() ? std::optional(1) : std::nullopt;
    int literals = 0;
    std::size_t index = 0;
    for (std::string_view rest = pattern.substr(1); !rest.empty() || index == 0; ++index) {
        const auto end = rest.find('/');
        const auto one = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        if (index >= parts.size())
            return std::nullopt;
        const std::string& part = parts[index];
        if (const auto base = index == 0 ? setting_of(one, bases) : std::string_view{}; !base.empty()) {
            if (part != base)
                return std::nullopt;
            ++literals;
        } else if (one.starts_with('{'))
            names[std::string(one.substr(1, one.size() - 2))] = part;
        else if (one != part)
            return std::nullopt;
        else
            ++literals;
        if (rest.empty()) {
            ++index;
            break;
        }
    }
    return index == parts.size() ? std::optional(literals) : std::nullopt;
}

}  // namespace

std::string_view base_of(const PageSpec& page) {
    std::string_view first = page.path;
    first.remove_prefix(1);
    first = first.substr(0, first.find('/'));
    for (const std::string_view base : {"trip", "destination", "activity", "trip_category", "book", "account"})
        if (first.size() == base.size() + 2 && first.front() == '{' && first.substr(1, base.size()) == base)
            return base;
    return {};
}

bool Router::begins_with(std::string_view word) const {
    return std::any_of(pages_.begin(), pages_.end(), [&](const auto& page) {
        const std::string_view path = std::string_view(page->path).substr(1);
        return !path.empty() && base_of(*page).empty() && path.substr(0, path.find('/')) == word;
    });
}

Bases bases_of(const settings::Settings& settings) {
    return {.trip = settings.text("trip_base"),
            .destination = settings.text("destination_base"),
            .activity = settings.text("activity_base"),
            .trip_category = settings.text("trip_category_base"),
            .book = settings.text("booking_base"),
            .account = settings.text("account_base")};
}

const PageSpec* Router::named(std::string_view type, std::string_view base, const Names& names) const {
    for (const auto& page : pages_) {
        if (page->type != type || (!base.empty() && base != base_of(*page)))
            continue;
        std::size_t found = 0;
        bool fits = true;
        for (std::string_view rest = page->path; !rest.empty();) {
            const auto end = rest.find('/', 1);
            const auto part = rest.substr(1, end == std::string_view::npos ? end : end - 1);
            const bool is_first = rest.data() == page->path.data();
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
            if (!part.starts_with('{') || (is_first && !base_of(*page).empty()))
                continue;
            const auto given = names.find(part.substr(1, part.size() - 2));
            fits = fits && given != names.end() && !given->second.empty();
            ++found;
        }
        if (fits && found == names.size())
            return page.get();
    }
    return nullptr;
}

Router::Match Router::match(std::string_view path, const Bases& bases) const {
    Match best;
    const auto parts = parts_of(path.size() > 2 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
    if (!parts)
        return best;
    best.is_ours = parts->empty() || [&](const std::string& first) {
        return first == bases.trip || first == bases.destination || first == bases.activity ||
               first == bases.trip_category || first == bases.book || first == bases.account;
    }(parts->front());
    int most = -1;
    for (const auto& page : pages_) {
        std::map<std::string, std::string, std::less<>> names;
        if (const auto literals = fit(page->path, *parts, bases, names); literals && *literals > most) {
            most = *literals;
            best.page = page.get();
            best.names = std::move(names);
        }
    }
    return best;
}

}  // namespace svc::pages
