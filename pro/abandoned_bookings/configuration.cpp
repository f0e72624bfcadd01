// Settings are stored among the site's, each under the module's prefix.
#include "pro/abandoned_bookings/configuration.hpp"

#include "shared/core/country.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

struct Row {
    std::string_view name;  // of the member; the setting is abandoned_bookings_ and this
    api::Type type;
    Value initial;
    std::string_view help;
};

constexpr std::array<const char*, most_reminders> delay_names{"first_email_delay_hours", "second_email_delay_hours",
                                                              "final_email_delay_hours"};
constexpr std::array<const char*, most_reminders> discount_names{"first_discount_percent", "second_discount_percent",
                                                                 "final_discount_percent"};

api::Type consents() { return api::choice({"opt_in", "customers", "notice"}); }

const std::vector<Row>& rows() {
    constexpr std::int64_t longest_delay = 720;
    static const std::vector<Row> all{
        {"enabled", api::boolean(), true, "Reminders are sent by themselves; otherwise staff sends each."},
        {"tracking_enabled", api::boolean(), true, "Bookings that are not finished are kept, as far as consent goes."},
        {delay_names[0], api::integer(1, longest_delay), 1,
         "Hours after the last activity until a booking counts as abandoned and the first reminder is sent."},
        {delay_names[1], api::integer(1, longest_delay), 24, "Hours until the second reminder."},
        {delay_names[2], api::integer(1, longest_delay), 72, "Hours until the last reminder."},
        {"consent", consents(), "opt_in",
         "What is needed before an address is kept: a tick, a tick or an earlier booking, or a notice."},
        {"consent_by_country", api::map(consents(), 300), Value::object(),
         "The same for countries by their two letters, where another rule applies."},
        {discount_names[0], api::percent(), 0, "Percent of a coupon made for the first reminder; 0: none."},
        {discount_names[1], api::percent(), 0, "Percent of a coupon made for the second reminder; 0: none."},
        {discount_names[2], api::percent(), 0, "Percent of a coupon made for the last reminder; 0: none."},
        {"discount_code", api::text(50), "", "A code that reminders name where they have no coupon of their own."},
        {"coupon_days", api::integer(1, 90), 7, "Days for which a coupon made for a reminder counts."},
        {"days_between", api::integer(0, 365), 7,
         "Days after a reminder before the same person is reminded of another booking."}};
    return all;
}

std::string key_of(std::string_view name) { return "abandoned_bookings_" + std::string(name); }

Value value_of(const Site& site, std::string_view name) { return site.settings.get(key_of(name)); }

Consent consent_named(std::string_view name) {
    return name == "notice" ? Consent::notice : name == "customers" ? Consent::customers : Consent::opt_in;
}

}  // namespace

void declare_settings(plugin::Settings& settings) {
    for (const Row& row : rows())
        settings.declare({.key = key_of(row.name),
                          .type = row.type,
                          .initial = row.initial,
                          .help = std::string(row.help),
                          .group = "booking",
                          .module = std::string(module_slug)});
}

bool is_tracking(const Site& site) { return value_of(site, "tracking_enabled").boolean(); }

bool sends_by_itself(const Site& site) { return value_of(site, "enabled").boolean(); }

std::string_view name_of(Consent consent) {
    return consent == Consent::notice ? "notice" : consent == Consent::customers ? "customers" : "opt_in";
}

Consent consent_in(const Site& site, std::string_view country) {
    const Value by_country = value_of(site, "consent_by_country");
    const Value* own = country.empty() ? nullptr : by_country.find(country);
    return consent_named(own && own->is_string() ? own->text() : value_of(site, "consent").text());
}

std::array<std::int64_t, most_reminders> delays_of(const Site& site) {
    std::array<std::int64_t, most_reminders> delays{};
    for (std::size_t i = 0; i < delays.size(); ++i)
        delays[i] = value_of(site, delay_names[i]).integer();
    return delays;
}

Rate discount_of(const Site& site, std::int64_t stage) {
    if (stage < 1 || stage > most_reminders)
        return {};
    const Value percent = value_of(site, discount_names[static_cast<std::size_t>(stage - 1)]);
    const auto rate = percent.is_number() ? Rate::parse_percent(percent.number_text()) : Result<Rate>(Rate{});
    return rate ? *rate : Rate{};
}

std::string common_code(const Site& site) { return value_of(site, "discount_code").text(); }
std::int64_t coupon_days(const Site& site) { return value_of(site, "coupon_days").integer(); }
std::int64_t days_between(const Site& site) { return value_of(site, "days_between").integer(); }

api::Schema settings_schema() {
    std::vector<api::Field> fields;
    for (const Row& row : rows())
        fields.push_back({.name = std::string(row.name), .type = row.type, .help = std::string(row.help)});
    return api::Schema(std::move(fields));
}

Value settings_json(const Site& site) {
    Value settings = Value::object();
    for (const Row& row : rows())
        settings.set(std::string(row.name), value_of(site, row.name));
    return settings;
}

Result<void> check_settings(const Site& site, const Value& body) {
    auto delays = delays_of(site);
    for (std::size_t i = 0; i < delays.size(); ++i)
        if (const auto given = body.maybe_integer(delay_names[i]))
            delays[i] = *given;
    for (std::size_t i = 1; i < delays.size(); ++i)
        if (delays[i] <= delays[i - 1])
            return invalid(
                body.find(delay_names[i]) || !body.find(delay_names[i - 1]) ? delay_names[i] : delay_names[i - 1],
                "Each reminder needs more hours than the one before it."_sentence);
    if (const Value& countries = body["consent_by_country"]; countries.is_object())
        for (const auto& [country, rule] : countries.members())
            if (country.size() != 2 || country_code(country) != country)
                return invalid("consent_by_country." + country, not_a_country);
    return {};
}

Result<void> write_settings(const Site& site, const Value& body, store::Transaction& tx, std::int64_t user_id) {
    Value values = Value::object();
    for (const Row& row : rows())
        if (const Value* given = body.find(row.name))
            values.set(key_of(row.name), *given);
    return values.size() > 0 ? site.settings.write(values, &tx, user_id) : Result<void>();
}

}  // namespace svc::pro::abandoned_bookings
