// Settings of taxes, deposits and discounts: limits and defaults.
#include "base/sales/pricing/settings.hpp"

#include <algorithm>

#include "base/sales/pricing/hooks.hpp"
#include "base/settings/values/look.hpp"
#include "shared/core/country.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pricing {
namespace {

using json::Value;
using settings::Settings;

constexpr std::int64_t whole_ppm = 1'000'000;
constexpr std::size_t most_taxes = 20;

Rate rate_in(const Value& percent) { return Rate::parse_percent(percent.number_text()).value(); }

std::vector<Tax> taxes_in(const Value& list) {
    std::vector<Tax> taxes;
    for (const Value& each : list.items())
        taxes.push_back({each["name"].text(), rate_in(each["rate"])});
    return taxes;
}

Result<void> check_taxes(const Value& list) {
    std::vector<std::string> names;
    std::int64_t sum = 0;
    for (const Tax& tax : taxes_in(list)) {
        if (std::find(names.begin(), names.end(), tax.name) != names.end())
            return Error{errc::validation_error, "Give each tax a different name."_sentence};
        names.push_back(tax.name);
        sum += tax.rate.ppm;
    }
    if (sum > whole_ppm)
        return Error{errc::validation_error, "The taxes must not exceed 100 percent in total."_sentence};
    return {};
}

bool is_country(const std::string& code) {
    return code.size() == 2 && std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

Result<void> check_countries(const Value& by_country) {
    for (const auto& [country, value] : by_country.members()) {
        if (!is_country(country))
            return Error{errc::validation_error, "Enter countries as two capital letters, such as NP."_sentence};
        if (value.is_array())
            SVC_RETURN_IF_ERROR(check_taxes(value));
    }
    return {};
}

api::Type tax_list() {
    return api::list(
        api::object({{.name = "name", .type = api::text(50, 1), .help = "Name on invoices.", .required = true},
                     {.name = "rate", .type = api::percent(), .help = "Rate in percent.", .required = true}}),
        most_taxes);
}

void declare_taxes(Settings& settings) {
    const auto add = [&](const char* key, api::Type type, Value fresh, const char* help,
                         std::function<Result<void>(const Value&)> check = {}) {
        settings.declare({.key = key,
                          .type = std::move(type),
                          .initial = std::move(fresh),
                          .help = help,
                          .group = "tax",
                          .also = key == std::string_view("tax_label") ? std::vector<std::string>{"tax_name"}
                                                                       : std::vector<std::string>{},
                          .also_checks = std::move(check)});
    };
    add("enable_tax", api::boolean(), false, "Charge tax on bookings; when off, other tax settings have no effect.");
    add("tax_label", api::text(50, 1), "Tax", "Name of the tax on invoices.");
    add("tax_rate", api::percent(), 0, "Tax rate in percent.");
    add("tax_inclusive", api::boolean(), false, "Prices include tax; otherwise tax is added.");
    add("multiple_taxes_enabled", api::boolean(), false, "Charge several taxes instead of one.");
    add("multiple_taxes", tax_list(), Value::array(), "The taxes with name and rate, at most 100 percent in total.",
        check_taxes);
    add("tax_by_country", api::boolean(), false, "Use separate taxes for the listed countries.");
    add("tax_rates", api::map(api::percent(), 300), Value::object(), "Tax by country code.", check_countries);
    add("multiple_taxes_by_country", api::map(tax_list(), 300), Value::object(),
        "Taxes by country code, for countries with several.", check_countries);
    add("tax_country_source", api::choice({"contact", "destination"}), "contact",
        "Country that determines the tax: the customer's, or that of the trip's first destination.");
}

void declare_payments(Settings& settings) {
    const auto add = [&](const char* key, const char* module, api::Type type, Value fresh, const char* help) {
        settings.declare({.key = key,
                          .type = std::move(type),
                          .initial = std::move(fresh),
                          .help = help,
                          .group = "payment",
                          .module = module});
    };
    const char* flexible = plugin::slugs::flexible_payments;
    add("enable_deposit", flexible, api::boolean(), false, "Customers may pay a deposit at checkout.");
    add("deposit_required", flexible, api::boolean(), false, "Offer only the deposit if there is one.");
    add("deposit_type", flexible, api::choice({"percentage", "fixed"}), "percentage",
        "Whether the deposit is a percentage of the total or a fixed amount.");
    add("deposit_percentage", flexible, api::percent(), 20, "The deposit in percent of the total.");
    add("deposit_amount", flexible, api::money(), 20, "Deposit per booking, if the type is fixed.");
    add("partial_payment", flexible, api::boolean(), false, "Customers may pay a part at checkout.");
    add("partial_payment_percentage", flexible, api::percent(), 30, "That part, in percent of the total.");
    const char* scheduled = plugin::slugs::scheduled_payments;
    add("enable_scheduled_payments", scheduled, api::boolean(), false, "What is left is charged later by itself.");
    settings.declare({.key = "balance_anchor",
                      .type = api::choice({"booking", "tour", "departure"}),
                      .initial = "booking",
                      .help = "What is left falls due some time after the booking, or before the tour; departure is"
                              " stored as tour.",
                      .group = "payment",
                      .module = scheduled,
                      .cleans = [](const Value& chosen) { return chosen.text() == "departure" ? "tour" : chosen; }});
    add("balance_due_days", scheduled, api::integer(0, 365), 14,
        "How many days before the tour it falls due; later bookings are paid at once.");
    add("discount_stacking_mode", plugin::slugs::advanced_discount,
        api::choice({"both", "discount_only", "dynamic_pricing_only", "best_for_customer"}), "both",
        "What counts where a booking has a discount and a dynamic price.");
}

void read_taxes(const Settings& settings, const TermsFor& what, Terms& terms) {
    terms.taxed = settings.flag("enable_tax");
    if (!terms.taxed)
        return;
    terms.tax_inclusive = settings.flag("tax_inclusive");
    const bool several = settings.flag("multiple_taxes_enabled");
    if (settings.flag("tax_by_country")) {
        const bool of_trip = settings.text("tax_country_source") == "destination";
        // People write codes or names; the tables have codes.
        const std::string country = country_code(of_trip ? what.trip_country : what.contact_country);
        const Value by_country = settings.get(several ? "multiple_taxes_by_country" : "tax_rates");
        if (const Value* own = by_country.find(country)) {
            terms.taxes = several ? taxes_in(*own) : std::vector<Tax>{{settings.text("tax_label"), rate_in(*own)}};
            return;
        }
    }
    if (several)
        terms.taxes = taxes_in(settings.get("multiple_taxes"));
    if (terms.taxes.empty())
        terms.taxes = {{settings.text("tax_label"), rate_in(settings.get("tax_rate"))}};
}

using Get = std::function<Value(std::string_view key)>;

Get getter(const Settings& settings, const Listened& listened) {
    if (!listened)
        return [&settings](std::string_view key) { return settings.get(key); };
    return [&settings, &listened](std::string_view key) {
        Value stored = settings.get(key);
        const Value theirs = listened(key, stored);
        if (theirs == stored)
            return stored;
        for (const settings::Setting& setting : settings.all())
            if (setting.key == key)
                if (auto clean = setting.type.check(theirs, setting.key); clean)
                    return std::move(*clean);
        return stored;
    };
}

void read_payments(const Settings& settings, const Get& get, Terms& terms, Instant now) {
    terms.deposit = get("enable_deposit").boolean();
    terms.deposit_required = get("deposit_required").boolean();
    if (get("deposit_type").text() == "percentage")
        terms.deposit_rate = rate_in(get("deposit_percentage"));
    else if (const auto amount = Money::parse(get("deposit_amount").number_text(), settings.currency()); amount)
        terms.deposit_amount = *amount;
    if (get("partial_payment").boolean())
        terms.partial_rate = rate_in(get("partial_payment_percentage"));
    terms.today = settings.zone().date_at(now);
}

// From the booking to the last charge of its plan.
int days_of_plan(const Get& get) {
    const auto number = [&](std::string_view key, std::int64_t otherwise) {
        const Value value = get(key);
        return value.is_number() ? value.integer() : otherwise;
    };
    const Value type = get("scheduled_payment_type");
    const std::int64_t parts =
        type.is_string() && type.text() == "installments" ? number("scheduled_payment_installments", 1) : 1;
    return static_cast<int>(number("scheduled_payment_days", 15) +
                            (parts - 1) * number("scheduled_payment_interval", 30));
}

Stacking stacking_of(const std::string& mode) {
    if (mode == "discount_only")
        return Stacking::discount_only;
    if (mode == "dynamic_pricing_only")
        return Stacking::dynamic_pricing_only;
    return mode == "best_for_customer" ? Stacking::best_for_customer : Stacking::both;
}

}  // namespace

void declare_settings(Settings& settings) {
    declare_taxes(settings);
    declare_payments(settings);
}

Result<void> check_deposit(const Settings& stored, const std::function<Value(std::string_view)>& get) {
    const Value deposit = get("deposit_amount");
    // An existing one remains when the currency changes, rounded when used.
    if (deposit == stored.get("deposit_amount"))
        return {};
    const auto amount = parse_exact(deposit.number_text(), Currency::parse(get("currency").text()).value());
    return amount ? Result<void>{} : invalid("deposit_amount", amount.error().message());
}

Listened listened_settings(const hooks::Hooks& hooks) {
    if (!hooks.filtered(flexible_payment_setting.name) && !hooks.filtered(scheduled_payment_setting.name))
        return {};
    return [&hooks](std::string_view key, const Value& stored) {
        const bool is_scheduled = key == "enable_scheduled_payments" || key.starts_with("balance_");
        return hooks.apply(is_scheduled ? scheduled_payment_setting : flexible_payment_setting, stored, {Value(key)});
    };
}

Value payment_setting(const Settings& settings, const hooks::Hooks& hooks, std::string_view key) {
    const Listened listened = listened_settings(hooks);
    return getter(settings, listened)(key);
}

Terms terms_of(const Settings& settings, const std::function<bool(std::string_view)>& module_on, const TermsFor& what,
               Instant now, const Listened& listened) {
    Terms terms;
    terms.writes = [&settings](const Money& amount) { return settings::look_of(settings).amount(amount); };
    read_taxes(settings, what, terms);
    terms.flexible_payments = module_on(plugin::slugs::flexible_payments);
    if (terms.flexible_payments) {
        const Get get = getter(settings, listened);
        read_payments(settings, get, terms, now);
        terms.rest_is_charged =
            module_on(plugin::slugs::scheduled_payments) && get("enable_scheduled_payments").boolean();
        if (terms.rest_is_charged && get("balance_anchor").text() == "tour")
            terms.balance_days = static_cast<int>(get("balance_due_days").integer());
        else if (terms.rest_is_charged)
            terms.rest_days_after_booking = days_of_plan(get);
    }
    terms.advanced_discount = module_on(plugin::slugs::advanced_discount);
    terms.dynamic_pricing = module_on(plugin::slugs::dynamic_pricing);
    if (terms.advanced_discount && terms.dynamic_pricing)
        terms.stacking = stacking_of(settings.text("discount_stacking_mode"));
    return terms;
}

}  // namespace svc::pricing
