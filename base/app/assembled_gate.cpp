// The gate over an assembly: its functions for each request.
#include "base/admin/frame.hpp"
#include "base/app/assembly.hpp"
#include "base/identity/session_cookie.hpp"
#include "base/platform/assets/assets.hpp"
#include "base/platform/limits/client_address.hpp"

namespace svc::app {

std::optional<idempotency::StrangersBound> bound_for_strangers(const settings::Settings& settings) {
    return settings.integer("public_rate_limit") > 0 ? std::optional(idempotency::StrangersBound{}) : std::nullopt;
}

Gate make_gate(Assembly& parts) {
    struct Series {
        metrics::Histogram* seconds;
        metrics::Counter* by_class[6];
    };
    const auto series_of = [&parts](const std::string& route, std::string_view method) {
        Series series{&parts.metrics.histogram("svc_request_seconds", "Time from the request's head to its answer.",
                                               {{"route", route}, {"method", std::string(method)}}),
                      {}};
        for (int hundred = 0; hundred < 6; ++hundred)
            series.by_class[hundred] = &parts.metrics.counter(
                "svc_requests_total", "Requests answered.",
                {{"route", route}, {"method", std::string(method)}, {"status", std::to_string(hundred) + "xx"}});
        return series;
    };
    // Every route is known by now, so the hot path only looks its counters up.
    auto all = std::make_shared<std::unordered_map<const api::RouteSpec*, Series>>();
    for (const auto& route : parts.routes.all())
        all->emplace(route.get(), series_of(route->path, api::name_of(route->method)));
    all->emplace(nullptr, series_of("", ""));

    return Gate{
        {.routes = parts.routes,
         .clock = parts.clock,
         .base_path = parts.options.base_path,
         .cors_origins = parts.options.cors_origins,
         .session_cookies = {identity::session_cookie_name(false), identity::session_cookie_name(true)},
         .reads_at_once = parts.store->dialect() == store::Dialect::sqlite,
         .module_enabled = [&parts](std::string_view slug) { return parts.modules.enabled(slug); },
         .client_address =
             [&parts](std::string_view peer, const std::vector<HttpHeader>& headers) {
                 return limits::client_address(peer, headers, parts.site.installation.trusted_proxies);
             },
         .is_trusted_proxy =
             [&parts](std::string_view peer) {
                 const auto address = limits::Address::parse(peer);
                 return address && parts.site.installation.trusted_proxies.contains(*address);
             },
         .authenticate = [&parts](
                             const std::vector<HttpHeader>& headers,
                             std::string_view peer) { return parts.identity.gatekeeper.authenticate(headers, peer); },
         .limited = [&parts](const api::RouteSpec& route, const std::string& address,
                             const api::Caller& caller) -> std::optional<int> {
             using std::chrono::seconds;
             limits::Verdict verdict;
             // Per user: more sessions and application passwords are no more requests.
             if (caller.is_user())
                 verdict = parts.limits.take("api", "user " + std::to_string(caller.user_id),
                                             {static_cast<int>(parts.settings.integer("api_rate_limit")), seconds(60)});
             else if (route.method != api::Method::get)
                 verdict =
                     parts.limits.take("public", limits::network_of(address),
                                       {static_cast<int>(parts.settings.integer("public_rate_limit")), seconds(60)});
             // Limits by address for anonymous callers do not apply to staff, whose credential has its own.
             const bool is_strangers = route.limit.per == api::RateLimit::Per::address;
             if (verdict.allowed && route.limit.burst > 0 && !(is_strangers && caller.can("svc_view_bookings")))
                 verdict = parts.limits.take(route.path,
                                             route.limit.per == api::RateLimit::Per::credential && caller.is_user()
                                                 ? caller.session_key
                                                 : limits::network_of(address),
                                             {route.limit.burst, seconds(route.limit.seconds)});
             return verdict.allowed ? std::nullopt : std::optional(verdict.retry_after);
         },
         .caches_answers = [&parts] { return parts.caches_answers.load(std::memory_order_relaxed); },
         .perform = [&parts](api::Request& request,
                             const api::RouteSpec& route) { return parts.keeper.run(request, route.handle); },
         .answered = [&parts](const api::Request& request) { return parts.keeper.answered(request); },
         .is_outside = [](std::string_view path) { return admin::is_address(path) || path.starts_with(assets::root); },
         .beside = [&parts](std::string_view path, const std::function<std::string_view(std::string_view)>& header)
             -> std::optional<api::Reply> {
             if (admin::is_address(path))
                 return admin::frame(
                     assets::built_in(),
                     {parts.options.base_path, parts.options.site_url, parts.settings.text("site_language")},
                     SVC_VERSION, header);
             return assets::built_in().answer(path, header);
         },
         .observe =
             [all](const api::RouteSpec* route, int status, std::int64_t micros) {
                 const auto found = all->find(route);
                 if (found == all->end())
                     return;
                 found->second.seconds->observe(static_cast<double>(micros) / 1e6);
                 found->second.by_class[status / 100 % 6]->add();
             }}};
}

}  // namespace svc::app
