// Declarations, listeners and jobs of dynamic pricing.
#include "pro/dynamic_pricing/feature.hpp"

#include <algorithm>
#include <array>

#include "pro/common/module.hpp"
#include "pro/common/steps.hpp"
#include "pro/dynamic_pricing/resource.hpp"
#include "pro/dynamic_pricing/routes.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

constexpr const char *dates_filter = "svc_date_prices", *unit_filter = "svc_booking_trip_price",
                     *quote_filter = "svc_after_calculation_result", *kept_filter = "svc_booking_price_kept",
                     *display_filter = "svc_get_dynamic_pricing_display_settings";

// Counts writes of rules, settings and scores.
constexpr std::string_view channel = "dynamic_pricing";

const hooks::Action demand_calculated{
    .name = "svc_calculate_demand_scores",
    .help = "The demand of the coming departures was calculated; `dates` of them have a score.",
    .arguments = {"calculated_at", "dates"}};

}  // namespace

bool Feature::fits(const Site& site) {
    const std::array filters{dates_filter, unit_filter, quote_filter, kept_filter};
    return std::all_of(filters.begin(), filters.end(), [&](const char* filter) { return site.hooks.knows(filter); });
}

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0120_dynamic_pricing.sql")}));
    declare_settings(site_.settings);
    site_.hooks.declare(demand_calculated);
    const hooks::Listener listener{.name = "svc_dynamic_pricing", .module = std::string(module_slug)};
    site_.filter_if_known(dates_filter, listener, [this](store::Transaction*, const json::Array& given) {
        return given.size() > 2 ? pricing.date_prices(given[0], given[2]) : given.front();
    });
    site_.filter_if_known(unit_filter, listener, [this](store::Transaction* tx, const json::Array& given) {
        return given.size() > 1 ? pricing.unit_price(tx, given[0], given[1]) : given.front();
    });
    site_.filter_if_known(quote_filter, listener, [this](store::Transaction* tx, const json::Array& given) {
        return given.size() > 1 ? pricing.quote(tx, given[0], given[1]) : given.front();
    });
    site_.filter_if_known(kept_filter, listener, [this](store::Transaction* tx, const json::Array& given) {
        if (tx && given.size() > 1)
            pricing.store_booked(*tx, given[0], given[1].integer());
        return given.front();
    });
    site_.filter_if_known(display_filter, listener, [this](store::Transaction*, const json::Array& given) {
        const Display display = display_of(site_);
        json::Value shown = given.front();
        shown.set("show_original_price", display.original_price);
        shown.set("show_savings_badge", display.savings_badge);
        shown.set("show_urgency_messages", display.urgency_messages);
        return shown;
    });
}

void Feature::note_change(store::Transaction& tx) {
    tx.after_commit([this] { pricing.forget(); });
    if (site_.changes)
        site_.changes->touch(tx, channel);
}

void Feature::add_routes() {
    if (site_.changes)
        site_.changes->follow(std::string(channel), [this] { pricing.forget(); });
    const auto note = [this](store::Transaction& tx) { note_change(tx); };
    const auto rules = rule_resource(
        site_.store, [this] { return site_.currency(); }, [this] { return site_.zone(); },
        [this](store::Transaction& tx) {
            if (!pricing.knows_rules_of(tx))
                note_change(tx);
        });
    for (auto& spec : rule_routes(rules))
        site_.routes.add(std::move(spec), resource::Routes::headers());
    dynamic_pricing::add_routes(site_, pricing, note);
}

Result<json::Value> Feature::calculate_demand(Instant now) {
    if (!site_.modules.enabled(module_slug))
        return json::Value::object({{"dates", 0}});  // it may have no tables yet
    const std::int64_t period = calculation_period_of(site_);
    const Date today = site_.today(now);
    const auto dates = site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        ShownPrices::remove_old(tx, now);
        // A daily run is made by the first hour of a day.
        if (!is_hourly(site_) && site_.today(Instant::from_micros(stamp(tx).scores_at)) == today)
            return std::int64_t{0};
        const auto demand = demand_from(tx, today, now, period);
        store_scores(tx, demand, now);
        const auto count = static_cast<std::int64_t>(demand.size());
        site_.hooks.emit(tx, demand_calculated, {json::Value(now), json::Value(count)});
        note_change(tx);
        return count;
    });
    if (!dates)
        return dates.error();
    return json::Value::object({{"dates", *dates}});
}

void Feature::add_jobs() {
    if (!site_.jobs)
        return;  // no date has a score, and rules of demand change nothing
    site_.jobs->add({.name = "dynamic_pricing_demand",
                     .help = "Calculates the demand of the coming departures from their seats and recent bookings.",
                     .every = std::chrono::hours(1),
                     .run = [this](Instant now) { return calculate_demand(now); }});
}

}  // namespace svc::pro::dynamic_pricing
