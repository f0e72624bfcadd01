// Declarations and listeners of scheduled payments.
#include "pro/scheduled_payments/feature.hpp"

#include <algorithm>
#include <array>

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/scheduled_payments/hooks.hpp"
#include "pro/scheduled_payments/mails.hpp"
#include "pro/scheduled_payments/page.hpp"
#include "pro/scheduled_payments/privacy.hpp"
#include "pro/scheduled_payments/routes.hpp"

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::string_view completed = "svc_payment_completed", updated = "svc_booking_updated",
                           plan_filter = "svc_booking_payment_plan";

}  // namespace

Feature::Feature(const Site& site) : pro::Feature(site), service(site, *site.charges), plans(site) {}

bool Feature::fits(const Site& site) {
    const std::array actions{completed, updated, success.name, failure.name, reminder_due.name};
    return site.charges && site.jobs && std::all_of(actions.begin(), actions.end(), [&](std::string_view action) {
               return site.hooks.knows(action);
           });
}

void Feature::declare() {
    site_.modules.declare(
        module_named(module_slug, {step("0003_scheduled_payments.sql"), step("0180_payment_plans.sql"),
                                   step("0250_trip_payment_plans.sql"), step("0320_agreed_price.sql")}));
    declare_settings(site_.settings);
    const hooks::Listener listener{.name = "svc_scheduled_payments", .module = std::string(module_slug)};
    site_.listen_if_known(completed, listener,
                          [this](const json::Array& arguments) { service.paid(arguments.at(0), site_.clock.now()); });
    site_.listen_if_known(updated, listener, [this](const json::Array& arguments) {
        service.changed(arguments.at(0).integer(), site_.clock.now());
    });
    // Else pages and e-mails say the rest and its last day, and the account's page the plan.
    has_plans_ = site_.filter_if_known(plan_filter, listener, [this](store::Transaction* tx, const json::Array& given) {
        return given.size() > 1 ? plans.plan(tx, given[1], site_.clock.now()) : given.front();
    });
    if (has_plans_) {  // else a trip's plan would be charged and not be shown
        divide_prices(listener);
        // An older base does not tell of copies: they begin without a plan.
        site_.listen_if_known("svc_trip_duplicated", listener, [this](const json::Array& arguments) {
            plans.known.copy(arguments.at(1).integer(), arguments.at(0).integer(), site_.clock.now());
        });
    }
    take_part_in_privacy(site_);
}

void Feature::divide_prices(const hooks::Listener& listener) {
    site_.filter_if_known(
        "svc_calculate_payment_amounts", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 2 ? plans.payment_amounts(tx, given[0], given[1], given[2], site_.clock.now())
                                    : given.front();
        });
    site_.filter_if_known(
        "svc_payment_method_options", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 1 ? plans.payment_options(tx, given[0], given[1], site_.clock.now()) : given.front();
        });
    site_.filter_if_known(
        "svc_remaining_payment_amount", listener, [this](store::Transaction* tx, const json::Array& given) {
            return given.size() > 1 ? plans.next_amount(tx, given[0], given[1], site_.clock.now()) : given.front();
        });
}

void Feature::connect() {
    declare_mails(site_);
    if (site_.pages)                              // else customers read of their plan in e-mails alone
        site_.pages->add(account_page(service));  // false: the same, the base has no pages of the account
}

void Feature::add_routes() {
    scheduled_payments::add_routes(site_.routes, service);
    if (!has_plans_)
        return;
    plans.known.follow();
    add_plan_routes(site_, plans);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = "scheduled_payments_run",
                     .help = "Charges due scheduled payments, 50 per run; asks again about charges that were never"
                             " answered.",
                     .every = std::chrono::hours(1),
                     .run = [this](Instant now) { return service.charge_due(now); }});
    site_.jobs->add({.name = "scheduled_payments_reminders",
                     .help = "Notifies customers of upcoming charges, and of cards that end before one, 200 per run.",
                     .daily_at = ClockTime::from_minutes(8 * 60 + 30),
                     .run = [this](Instant now) { return service.remind(now); }});
}

}  // namespace svc::pro::scheduled_payments
