// The former values of a base are a setting that the server alone writes.
#include "base/website/pages/former_bases.hpp"

#include <algorithm>

#include "shared/api/query.hpp"

namespace svc::pages {
namespace {

using json::Value;

// A base that is changed every other day is being tried out; addresses of long ago are not.
constexpr std::size_t most_kept = 20;

struct Kept {
    const char *base, *former;  // settings
    std::string Bases::*now;
};
constexpr Kept kept[] = {{"trip_base", "former_trip_bases", &Bases::trip},
                         {"destination_base", "former_destination_bases", &Bases::destination},
                         {"activity_base", "former_activity_bases", &Bases::activity},
                         {"trip_category_base", "former_trip_category_bases", &Bases::trip_category},
                         {"booking_base", "former_booking_bases", &Bases::book},
                         {"account_base", "former_account_bases", &Bases::account}};

// The newest last.
Value with(const Value& former, const Value& before, const Value& now) {
    json::Array list;
    for (const Value& each : former.items())
        if (each != before && each != now)
            list.push_back(each);
    list.push_back(before);
    if (list.size() > most_kept)
        list.erase(list.begin());
    return Value(std::move(list));
}

}  // namespace

void declare_former_bases(settings::SiteSettings& settings) {
    for (const Kept& each : kept) {
        settings.declare({.key = each.former,
                          .type = api::list(api::text(60), most_kept),
                          .initial = Value::array(),
                          .help = std::string("Former values of ") + each.base + ", whose addresses lead to today's.",
                          .group = "internal"});
        settings.declare_following(each.base, [&settings, former = each.former](const Value& before, const Value& now,
                                                                                Instant) {
            return before == now ? Value::object() : Value::object({{former, with(settings.get(former), before, now)}});
        });
    }
}

std::string moved_path(const settings::Settings& settings, const Bases& bases, std::string_view path) {
    if (!path.starts_with('/'))
        return {};
    const auto end = path.find('/', 1);
    const auto first = api::percent_decoded(path.substr(1, end == std::string_view::npos ? end : end - 1), false);
    if (!first)
        return {};
    for (const Kept& each : kept) {
        const Value former = settings.get(each.former);
        if (std::find(former.items().begin(), former.items().end(), Value(*first)) != former.items().end())
            return "/" + bases.*each.now + std::string(end == std::string_view::npos ? "" : path.substr(end));
    }
    return {};
}

}  // namespace svc::pages
