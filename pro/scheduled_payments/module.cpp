// Declarations and listeners of scheduled payments.
#include "pro/scheduled_payments/module.hpp"

#include "pro/app/module.hpp"
#include "pro/scheduled_payments/hooks.hpp"
#include "pro/scheduled_payments/page.hpp"
#include "pro/scheduled_payments/privacy.hpp"
#include "pro/scheduled_payments/routes.hpp"
#include "shared/plugin/host_pages.hpp"

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::string_view completed = "svc_payment_completed", updated = "svc_booking_updated";

void listen(plugin::Hooks& hooks, std::string_view action, hooks::ActionCall call) {
    if (!hooks.on(action, {.name = "svc_scheduled_payments", .module = std::string(module_slug)}, std::move(call)))
        throw plugin::Refused("The base does not let payments be planned.");
}

}  // namespace

void attach(plugin::Host& host, const plugin::Step& storage) {
    const auto* charges = host.find<plugin::BookingCharges>();
    auto* jobs = host.find<plugin::Jobs>();
    auto& hooks = host.hooks();
    if (!charges || !jobs)
        return;
    for (const std::string_view name : {completed, updated, success.name, failure.name, reminder_due.name})
        if (!hooks.knows(name))
            return;
    host.need<plugin::Modules>().declare(module_named(module_slug, {storage}));
    declare_settings(host.need<plugin::Settings>());
    auto& service = host.make<Service>(
        Service::Parts{host.need<plugin::Store>(), hooks, *charges, host.find<plugin::Log>()}, Site(host));
    add_routes(host.need<plugin::Routes>(), service);
    listen(hooks, completed,
           [&service](const json::Array& arguments) { service.paid(arguments.at(0), SystemClock().now()); });
    listen(hooks, updated, [&service](const json::Array& arguments) {
        service.changed(arguments.at(0).integer(), SystemClock().now());
    });
    take_part_in_privacy(hooks, host.need<plugin::Store>());
    if (auto* pages = host.find<plugin::Pages>())  // else customers read of their plan in e-mails alone
        pages->add(account_page(service));         // false: the same, the base has no pages of the account
    jobs->add({.name = "scheduled_payments_run",
               .help = "Charges due scheduled payments, 50 per run; asks again about charges that were never"
                       " answered.",
               .every = std::chrono::hours(1),
               .run = [&service](Instant now) { return service.charge_due(now); }});
    jobs->add({.name = "scheduled_payments_reminders",
               .help = "Notifies customers of upcoming charges, 200 per run.",
               .daily_at = ClockTime::from_minutes(8 * 60 + 30),
               .run = [&service](Instant now) { return service.remind(now); }});
}

}  // namespace svc::pro::scheduled_payments
