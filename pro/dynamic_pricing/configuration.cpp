// Settings are stored among the site's, each under the module's name.
#include "pro/dynamic_pricing/configuration.hpp"

#include <array>

namespace svc::pro::dynamic_pricing {
namespace {

struct Row {
    std::string_view name;  // of the member; the setting is dynamic_pricing_ and this
    api::Type type;
    json::Value initial;
    std::string_view help;
};

const std::array<Row, 9>& rows() {
    static const std::array<Row, 9> all{
        {{"rule_priority_mode", api::choice({"highest", "cumulative", "best"}), "highest",
          "Which rules of a date count: the one that changes the price most, all in turn, or the cheapest."},
         {"maximum_markup_percent", api::decimal(0, 1000), 50, "The most that rules raise a price, in percent."},
         {"maximum_discount_percent", api::percent(), 30, "The most that rules lower a price, in percent."},
         {"calculation_period", api::integer(1, 90), 7, "Days whose bookings count for the demand of a trip."},
         {"update_frequency", api::choice({"hourly", "daily", "realtime"}), "hourly",
          "How often demand is calculated; realtime is as often as hourly, and seats always count at once."},
         {"calculation_base", api::choice({"discounted", "regular"}), "discounted",
          "The price that rules start from: the discounted one or the list price."},
         {"show_original_price", api::boolean(), true, "Pages show the price before a reduction."},
         {"show_savings_badge", api::boolean(), true, "Pages show how much a reduction saves."},
         {"show_urgency_messages", api::boolean(), false, "Pages show how few seats are left when five or less are."}}};
    return all;
}

std::string key_of(std::string_view name) { return "dynamic_pricing_" + std::string(name); }

json::Value value_of(const Site& site, std::string_view name) { return site.settings.get(key_of(name)); }

Rate rate_of(const Site& site, std::string_view name, Rate otherwise) {
    const json::Value value = value_of(site, name);
    const auto rate = value.is_number() ? Rate::parse_percent(value.number_text()) : Result<Rate>(otherwise);
    return rate && rate->ppm >= 0 ? *rate : otherwise;
}

}  // namespace

void declare_settings(plugin::Settings& settings) {
    for (const Row& row : rows())
        settings.declare({.key = key_of(row.name),
                          .type = row.type,
                          .initial = row.initial,
                          .help = std::string(row.help),
                          .group = "payment",
                          .module = std::string(module_slug)});
}

Policy policy_of(const Site& site) {
    const std::string mode = value_of(site, "rule_priority_mode").text();
    return {.mode = mode == "cumulative" ? Policy::Mode::cumulative
                    : mode == "best"     ? Policy::Mode::best
                                         : Policy::Mode::highest,
            .maximum_markup = rate_of(site, "maximum_markup_percent", Policy{}.maximum_markup),
            .maximum_discount = rate_of(site, "maximum_discount_percent", Policy{}.maximum_discount),
            .from_regular = value_of(site, "calculation_base").text() == "regular"};
}

Display display_of(const Site& site) {
    return {.original_price = value_of(site, "show_original_price").boolean(),
            .savings_badge = value_of(site, "show_savings_badge").boolean(),
            .urgency_messages = value_of(site, "show_urgency_messages").boolean()};
}

std::int64_t calculation_period_of(const Site& site) { return value_of(site, "calculation_period").integer(); }

bool is_hourly(const Site& site) { return value_of(site, "update_frequency").text() != "daily"; }

api::Schema settings_schema() {
    std::vector<api::Field> fields;
    for (const Row& row : rows())
        fields.push_back({.name = std::string(row.name), .type = row.type, .help = std::string(row.help)});
    return api::Schema(std::move(fields));
}

json::Value settings_json(const Site& site) {
    json::Value settings = json::Value::object();
    for (const Row& row : rows())
        settings.set(std::string(row.name), value_of(site, row.name));
    return settings;
}

Result<void> write_settings(const Site& site, const json::Value& body, store::Transaction& tx, std::int64_t user_id) {
    json::Value values = json::Value::object();
    for (const Row& row : rows())
        if (const json::Value* given = body.find(row.name))
            values.set(key_of(row.name), *given);
    return values.size() > 0 ? site.settings.write(values, &tx, user_id) : Result<void>();
}

}  // namespace svc::pro::dynamic_pricing
