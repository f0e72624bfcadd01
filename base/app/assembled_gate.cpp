// The gate over an assembly: its functions for each request.
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/admin/frame.hpp"
#include "base/app/assembly.hpp"
#include "base/people/identity/session_cookie.hpp"
#include "base/platform/assets/assets.hpp"
#include "base/platform/limits/client_address.hpp"

namespace svc::app {

std::optional<idempotency::StrangersBound> bound_for_strangers(const settings::Settings& settings) {
    return settings.integer("public_rate_limit") > 0
               ? std::optional(idempotency::StrangersBound{.spared = "POST /booking/create"})
               : std::nullopt;
}

namespace {

// A route's series, made when a request first needs one: at every scrape the zeros of some hundred routes would be 700
// KB.
class RouteSeries {
  public:
    RouteSeries(metrics::Registry& registry, std::string route, std::string_view method)
        : registry_(registry), labels_{{"route", std::move(route)}, {"method", std::string(method)}} {}

    void observe(int status, std::int64_t micros) {
        const auto hundred = static_cast<std::size_t>(status / 100 % 6);
        found(seconds_, [this]() -> metrics::Histogram& {
            return registry_.histogram("svc_request_seconds", "Time from the request's head to its answer.", labels_);
        }).observe(static_cast<double>(micros) / 1e6);
        found(by_class_[hundred], [&]() -> metrics::Counter& {
            auto labels = labels_;
            labels.emplace_back("status", std::to_string(hundred) + "xx");
            return registry_.counter("svc_requests_total", "Requests answered.", labels);
        }).add();
    }

  private:
    // Two threads may both ask the registry, which returns the same series.
    template <class Metric, class Make>
    static Metric& found(std::atomic<Metric*>& place, const Make& make) {
        Metric* known = place.load(std::memory_order_acquire);
        if (!known)
            place.store(known = &make(), std::memory_order_release);
        return *known;
    }

    metrics::Registry& registry_;
    const metrics::Labels labels_;
    std::atomic<metrics::Histogram*> seconds_{nullptr};
    std::array<std::atomic<metrics::Counter*>, 6> by_class_{};
};

// Whoever may enter the admin works with it all day; everybody else calls as often as a program may.
bool is_at_desk(const api::Caller& caller) {
    return caller.through == api::Caller::Through::cookie && caller.can("svc_access_admin");
}

Allowance allowance_of(Assembly& parts, const api::RouteSpec& route, const std::string& address,
                       const api::Caller& caller, bool counts) {
    using std::chrono::seconds;
    Allowance strictest;
    // False: over this limit.
    const auto admits = [&](std::string_view bucket, std::string_view subject, limits::Limit limit) {
        const limits::Verdict verdict =
            counts ? parts.limits.take(bucket, subject, limit) : parts.limits.left(bucket, subject, limit);
        if (verdict.limit > 0 && (strictest.limit == 0 || verdict.rest < strictest.rest || !verdict.allowed))
            strictest = {.wait = {}, .limit = verdict.limit, .rest = verdict.rest, .reset = verdict.reset};
        if (!verdict.allowed)
            strictest.wait = verdict.retry_after;
        return verdict.allowed;
    };
    const auto a_minute = [&](const char* setting) {
        return limits::Limit{static_cast<int>(parts.settings.integer(setting)), seconds(60)};
    };
    // Per user: more sessions and application passwords are no more requests.
    const std::string user = "user " + std::to_string(caller.user_id);
    const bool within = is_at_desk(caller) ? admits("staff", user, a_minute("staff_rate_limit"))
                        : caller.is_user()
                            ? admits("api", user, a_minute("api_rate_limit"))
                            : route.method == api::Method::get ||
                                  admits("public", limits::network_of(address), a_minute("public_rate_limit"));
    // Limits by address for anonymous callers do not apply to staff, whose credential has its own.
    const bool is_strangers = route.limit.per == api::RateLimit::Per::address;
    if (within && route.limit.burst > 0 && !(is_strangers && caller.can("svc_view_bookings")))
        admits(route.path,
               route.limit.per == api::RateLimit::Per::credential && caller.is_user() ? caller.session_key
                                                                                      : limits::network_of(address),
               {route.limit.burst, seconds(route.limit.seconds)});
    return strictest;
}

}  // namespace

Gate make_gate(Assembly& parts) {
    // Every route is known by now, so the hot path only looks its series up.
    auto all = std::make_shared<std::unordered_map<const api::RouteSpec*, RouteSeries>>();
    const auto add = [&](const api::RouteSpec* spec, const std::string& route, std::string_view method) {
        all->emplace(std::piecewise_construct, std::forward_as_tuple(spec),
                     std::forward_as_tuple(parts.metrics, route, method));
    };
    for (const auto& route : parts.routes.all())
        add(route.get(), route->path, api::name_of(route->method));
    add(nullptr, "", "");

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
         .limited = [&parts](const api::RouteSpec& route, const std::string& address, const api::Caller& caller,
                             bool counts) { return allowance_of(parts, route, address, caller, counts); },
         .caches_answers = [&parts] { return parts.caches_answers.load(std::memory_order_relaxed); },
         .perform = [&parts](api::Request& request,
                             const api::RouteSpec& route) { return parts.keeper.run(request, route.handle); },
         .answered = [&parts](const api::Request& request) { return parts.keeper.stored_reply(request); },
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
                 if (const auto found = all->find(route); found != all->end())
                     found->second.observe(status, micros);
             }}};
}

}  // namespace svc::app
