// Which page an address means: by its path, by a query that names the page, and by what listeners make of both.
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/pages.hpp"

namespace svc::pages {
namespace {

using json::Value;

// A page's type with the names of its path, as listeners receive it.
Value match_json(const Router::Match& match) {
    Value names = Value::object();
    for (const auto& [name, value] : match.names)
        names.set(name, value);
    return Value::object({{"type", match.page ? match.page->type : std::string()},
                          {"base", match.page ? base_of(*match.page) : std::string_view{}},
                          {"names", std::move(names)}});
}

// The listener's result; nothing for a page that does not exist.
void take_match(const Router& router, const Value& answer, Router::Match& match) {
    Router::Names names;
    if (answer["names"].is_object())
        for (const auto& [name, value] : answer["names"].members())
            if (value.is_string())
                names.emplace(name, value.text());
    match.page = router.named(answer.text_or("type"), answer.text_or("base"), names);
    match.names = std::move(names);
}

// "/?svc_page=single-trip&slug=nile": the same page without a path of its own.
Value plain_match(const Value& query) {
    Value names = Value::object();
    for (const std::string_view name : {"slug", "reference", "kind", "id"})
        if (std::string value = query.text_or(name); !value.empty())
            names.set(std::string(name), std::move(value));
    return Value::object(
        {{"type", query.text_or("svc_page")}, {"base", query.text_or("base")}, {"names", std::move(names)}});
}

}  // namespace

Router::Match Pages::found(PageRequest& visit) const {
    const hooks::Hooks& hooks = parts_.site.hooks;
    std::string path(visit.path);
    if (hooks.filtered(frontend_request_path.name)) {
        path = hooks.apply(frontend_request_path, path, {}).text();
        visit.path = visit.led_to = path;
    }
    Router::Match match = parts_.router.match(path, parts_.bases());
    if (path == "/" && visit.query.find("svc_page")) {
        Value plain = plain_match(visit.query);
        if (hooks.filtered(plain_route_match.name))
            plain = hooks.apply(plain_route_match, std::move(plain), {visit.query});
        take_match(parts_.router, plain, match);
        return match;
    }
    if (hooks.filtered(pretty_route_match.name)) {
        const Value before = match_json(match), filtered = hooks.apply(pretty_route_match, before, {path});
        if (filtered != before)
            take_match(parts_.router, filtered, match);
    }
    return match;
}

}  // namespace svc::pages
