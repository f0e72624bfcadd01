// Puts addresses together.
#include "base/catalog/classifications/permalink.hpp"

#include <algorithm>
#include <array>

#include "base/settings/values/site_pages.hpp"
#include "shared/core/slug.hpp"
#include "shared/core/uri.hpp"

namespace svc::catalog::classifications {
namespace {

struct Base {
    const char *member, *key, *initial, *of;
    std::string Bases::*stored;
};
constexpr std::array all{
    Base{"trip", "trip_base", "trip", "trips", &Bases::trip},
    Base{"destination", "destination_base", "destination", "destinations", &Bases::destination},
    Base{"activity", "activity_base", "activity", "activities", &Bases::activity},
    Base{"trip_category", "trip_category_base", "trip-category", "trip categories", &Bases::trip_category},
};

bool is_base(const std::string& text) { return !text.empty() && text::slug_of(text, text.size()) == text; }

}  // namespace

void declare_settings(settings::Settings& settings) {
    for (const Base& base : all)
        settings.declare({.key = base.key,
                          .type = api::text(60, 1),
                          .initial = base.initial,
                          .help = std::string("First path segment of the pages of ") + base.of +
                                  "; must be unique among the kinds of pages.",
                          .group = "permalinks",
                          .also_checks = [](const json::Value& given) -> Result<void> {
                              if (settings::is_reserved_base(given.text()))
                                  return Error{errc::validation_error,
                                               "The server uses this address itself. Choose another one."_sentence};
                              if (is_base(given.text()))
                                  return {};
                              return Error{errc::validation_error,
                                           "Enter a slug of lower-case letters, digits and hyphens."_sentence};
                          }});
}

Bases bases_of(const settings::Settings& settings, const hooks::Hooks& hooks) {
    Bases bases;
    if (!hooks.filtered(permalink_bases.name)) {
        for (const Base& base : all)
            bases.*base.stored = settings.text(base.key);
        return bases;
    }
    json::Value known = json::Value::object();
    for (const Base& base : all)
        known.members().emplace_back(base.member, settings.text(base.key));
    const json::Value filtered = hooks.apply(permalink_bases, std::move(known), {});
    for (const Base& base : all) {
        const std::string text = filtered.text_or(base.member);
        bases.*base.stored = is_base(text) ? text : settings.text(base.key);
    }
    return bases;
}

Result<void> check_bases(const std::function<json::Value(std::string_view key)>& get) {
    std::vector<std::string> seen{get("booking_base").text()};
    if (get("account_base") == get("booking_base"))
        return invalid("account_base", "Another kind of pages already uses this path segment."_sentence);
    seen.push_back(get("account_base").text());
    for (const Base& base : all) {
        const std::string text = get(base.key).text();
        if (std::find(seen.begin(), seen.end(), text) != seen.end())
            return invalid(base.key, "Another kind of pages already uses this path segment."_sentence);
        seen.push_back(text);
    }
    return {};
}

Places places_of(Type type, std::int64_t id, const std::string& slug, const std::string& site, const Bases& bases,
                 const hooks::Hooks& hooks) {
    const auto [filter, base] = type == Type::destination ? std::pair(&destination_permalink, &bases.destination)
                                : type == Type::activity  ? std::pair(&activity_permalink, &bases.activity)
                                                          : std::pair(&category_permalink, &bases.trip_category);
    const std::string listing = hooks.apply(trip_listing_address, site + "/" + bases.trip, {}).text();
    const char* mark = listing.find('?') == std::string::npos ? "?" : "&";
    const std::string kind(name_of(type));  // as the filter of the public list is called
    return {.page = hooks.apply(*filter, site + "/" + *base + "/" + slug, {id, slug}).text(),
            .listing =
                hooks.apply(archive_listing_address, listing + mark + kind + "=" + text::uri_of(slug), {kind, id, slug})
                    .text()};
}

}  // namespace svc::catalog::classifications
