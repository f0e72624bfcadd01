// The Pro edition: attaches its features to the base, each behind its module.
#include "pro/additional_services/pricing.hpp"
#include "pro/additional_services/resource.hpp"
#include "pro/app/module.hpp"
#include "pro/app/steps.hpp"
#include "pro/gateways/bank_transfer.hpp"
#include "pro/gateways/hooks.hpp"
#include "pro/gateways/razorpay.hpp"
#include "pro/gateways/stripe.hpp"
#include "pro/license/hooks.hpp"
#include "pro/license/notice.hpp"
#include "pro/license/routes.hpp"
#include "pro/license/settings.hpp"
#include "pro/scheduled_payments/module.hpp"
#include "shared/plugin/host.hpp"
#include "shared/plugin/host_changes.hpp"
#include "shared/plugin/host_pages.hpp"

namespace svc::pro {
namespace {

constexpr std::string_view modules_end = "svc_pro_modules_end";

// An argument of a filter that is an instant; a base from before the argument leaves it to the system's clock.
Instant moment_of(const json::Array& given, std::size_t place) {
    const auto moment =
        given.size() > place && given[place].is_string() ? Instant::parse(given[place].text()) : std::nullopt;
    return moment.value_or(SystemClock().now());
}

// Where the evaluation shows: the end of its modules, the admin's pages, the documents.
void name_evaluation(plugin::Host& host, license::Service& service) {
    const auto listen = [&host](std::string_view filter, hooks::FilterCall call) {
        if (host.hooks().knows(filter) &&
            !host.hooks().filter(filter, {.name = "svc_license", .module = {}}, std::move(call)))
            throw plugin::Refused("The base does not let the evaluation be named.");
    };
    listen(modules_end, [&service](store::Transaction*, const json::Array& given) {
        const auto end = service.modules_end(moment_of(given, 1));
        return end ? json::Value(*end) : given.front();
    });
    listen("svc_admin_localized_data", [&service](store::Transaction*, const json::Array& given) {
        json::Value data = given.front();
        const Instant now = moment_of(given, 2);
        if (const auto running = service.running_evaluation(now); running && data.is_object())
            data.set("evaluation",
                     json::Value::object({{"ends_at", running->ends_at()}, {"days_left", running->days_left(now)}}));
        return data;
    });
    listen("svc_document_mark", [&service](store::Transaction*, const json::Array& given) {
        return service.running_evaluation(moment_of(given, 2)) ? json::Value("Evaluation") : given.front();
    });
}

void attach_license(plugin::Host& host) {
    auto& settings = host.need<plugin::Settings>();
    auto& store = host.need<plugin::Store>();
    host.need<plugin::Modules>().storage(
        {step("0002_license.sql"), step("0160_license_origin.sql"), step("0198_evaluation.sql")});
    license::declare_settings(settings);
    license::declare_hooks(host.hooks());
    const auto& secrets = host.need<plugin::Secrets>();
    auto& service =
        host.make<license::Service>(store, host.hooks(), license::Repository(secrets), license::Evaluations(secrets),
                                    license::Server(host), [&host] { return host.hooks().knows(modules_end); });
    license::add_routes(host.need<plugin::Routes>(), service, settings);

    constexpr std::string_view available = "svc_pro_available_modules";
    if (host.hooks().knows(available)) {  // else the base is older than plans and offers every module
        const auto subscribed =
            host.hooks().filter(available, {.name = "svc_license", .module = {}},
                                [&service](store::Transaction*, const json::Array& given) {
                                    const Instant now = moment_of(given, 1);
                                    return license::covered(service.in_effect(now), given.front(), now);
                                });
        if (!subscribed)
            throw plugin::Refused("The base does not let the licence be asked for its plan.");
    }

    name_evaluation(host, service);

    constexpr std::string_view notices = "svc_notices";
    if (host.hooks().knows(notices) &&  // else the base has no list of notices
        !host.hooks().filter(notices, {.name = "svc_license", .module = {}},
                             [&service](store::Transaction*, const json::Array& given) {
                                 return license::with_notice(service.current(), given.front(), SystemClock().now());
                             }))
        throw plugin::Refused("The base does not let the licence be told of.");

    if (auto* jobs = host.find<plugin::Jobs>())  // else an administrator checks by hand
        jobs->add({.name = "license_check",
                   .help =
                       "Asks the licence server for the current terms of the licence, and notes that the evaluation "
                       "lasts.",
                   .every = std::chrono::hours(24),
                   .run = [&service](Instant now) -> Result<json::Value> {
                       SVC_RETURN_IF_ERROR(service.see_evaluation(now));
                       if (service.current().key.empty())
                           return json::Value::object({{"checked", 0}});
                       SVC_RETURN_IF_ERROR(service.check(now));
                       return json::Value::object({{"checked", 1}});
                   }});
}

void attach_additional_services(plugin::Host& host) {
    auto& settings = host.need<plugin::Settings>();
    auto& modules = host.need<plugin::Modules>();
    modules.declare(module_named(additional_services::module_slug,
                                 {step("0001_additional_services.sql"), step("0004_booked_service_prices.sql"),
                                  step("0107_service_versions.sql")}));
    auto& store = host.need<plugin::Store>();
    auto* changes = host.find<plugin::Changes>();
    auto& pricing = host.make<additional_services::Pricing>(store, changes != nullptr);
    std::function<void(store::Transaction&)> note_change;
    if (changes) {  // else services are read again each second
        constexpr const char* channel = "additional_services";
        changes->follow(channel, [&pricing] { pricing.forget(); });
        note_change = [changes](store::Transaction& tx) { changes->touch(tx, channel); };
    }
    const auto services = additional_services::service_resource(
        store, [&settings] { return Currency::parse(settings.text("currency")).value(); },
        [&settings] { return Zone::named(settings.text("timezone")).value(); }, [&pricing] { pricing.forget(); },
        note_change);
    auto& routes = host.need<plugin::Routes>();
    for (auto& spec : additional_services::service_routes(services))
        routes.add(std::move(spec), resource::Routes::headers());
    if (auto* jobs = host.find<plugin::Jobs>())  // else services of before are found without folded accents
        jobs->add({.name = "additional_services_search",
                   .help = "Updates the search text of additional services written by an earlier version.",
                   .every = std::chrono::hours(24),
                   .run = [&store, &modules](Instant) -> Result<json::Value> {
                       if (!modules.enabled(additional_services::module_slug))
                           return json::Value::object({{"folded", 0}});  // it may have no tables yet
                       const auto folded =
                           store.transact<std::int64_t>([](store::Transaction& tx) -> Result<std::int64_t> {
                               return additional_services::service_record().fold_search(tx);
                           });
                       return folded ? Result<json::Value>(json::Value::object({{"folded", *folded}})) : folded.error();
                   }});
    constexpr std::string_view priced = "svc_booking_additional_services";
    if (!host.hooks().knows(priced))  // then the base sells no services with its bookings
        return;
    const auto subscribed = host.hooks().filter(
        priced, {.name = "svc_additional_services", .module = std::string(additional_services::module_slug)},
        [&pricing](store::Transaction* tx, const json::Array& given) {
            return given.size() > 1 ? pricing.services(tx, given[0], given[1]) : given.front();
        });
    if (!subscribed)
        throw plugin::Refused("The base does not let additional services be priced.");
    // An older base that does not store services has neither of these.
    const auto listen = [&](std::string_view filter, auto answer) {
        if (!host.hooks().knows(filter))
            return;
        const auto on = host.hooks().filter(
            filter, {.name = "svc_additional_services", .module = std::string(additional_services::module_slug)},
            [&pricing, answer](store::Transaction* tx, const json::Array& given) {
                return given.size() > 1 ? (pricing.*answer)(tx, given[0], given[1].integer()) : given.front();
            });
        if (!on)
            throw plugin::Refused("The base does not let the services of bookings be kept.");
    };
    listen("svc_booking_services_kept", &additional_services::Pricing::keep);
    listen("svc_booking_get_services", &additional_services::Pricing::of_booking);
}

// Rules of the base that are sold with Pro: its prices and its form check whether they are enabled.
void declare_rules_of_base(plugin::Host& host) {
    auto& modules = host.need<plugin::Modules>();
    for (const char* slug : {"flexible_payments", "advanced_discount", "dynamic_form_field"})
        modules.declare(module_named(slug));
}

void attach(plugin::Host& host) {
    attach_license(host);
    declare_rules_of_base(host);
    attach_additional_services(host);
    scheduled_payments::attach(host, step("0003_scheduled_payments.sql"));
    // A base from before gateways could charge takes those alone that our staff record by hand.
    if (auto* gateways = host.find<plugin::Gateways>()) {
        gateways::declare_hooks(host.hooks());
        gateways->add(gateways::bank_transfer(host));
        gateways->add(gateways::stripe_gateway(gateways::send_by(host)));
        gateways->add(gateways::razorpay_gateway(gateways::send_by(host)));
        if (auto* pages = host.find<plugin::Pages>()) {  // else the base's pages load no scripts of providers
            pages->declare("stripe", gateways::stripe_origins());
            pages->declare("razorpay", gateways::razorpay_origins());
        }
    } else if (auto* offline = host.find<plugin::OfflineGateways>())
        offline->add(gateways::bank_transfer(host));
    if (const auto* log = host.find<plugin::Log>())
        log->write(log::Level::info, "pro_attached", {{"base", host.version()}});
}

}  // namespace
}  // namespace svc::pro

SVC_PLUGIN("svc-pro", SVC_PRO_VERSION, 0, svc::pro::attach);
