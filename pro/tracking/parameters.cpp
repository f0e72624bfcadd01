// Checks names, and fills in facts.
#include "pro/tracking/parameters.hpp"

#include <algorithm>
#include <array>

#include "shared/core/text.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;

constexpr std::size_t longest_name = 40, longest_value = 100;  // as Google says

// Those that Google keeps for itself, and those that our events have.
bool is_reserved(std::string_view name) {
    constexpr std::array starts{"google_", "ga_", "gtag.", "firebase_", "_"};
    constexpr std::array ours{"value",        "currency",   "items",      "transaction_id", "event_id",
                              "tax",          "coupon",     "debug_mode", "content_ids",    "content_type",
                              "content_name", "contents",   "num_items",  "order_id",       "engagement_time_msec",
                              "user_id",      "session_id", "client_id",  "event_name",     "event_time"};
    return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return name.starts_with(start); }) ||
           std::any_of(ours.begin(), ours.end(), [&](const char* each) { return name == each; });
}

bool is_name(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !name.empty() && name.size() <= longest_name && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_fact(const std::string& text) {
    const auto& all = parameter_facts();
    return std::find(all.begin(), all.end(), text) != all.end();
}

Value value_of(const std::string& fact, const BookedTrip& booking, Instant occurred_at) {
    if (fact == "trip_id")
        return booking.trip_id > 0 ? Value(std::to_string(booking.trip_id)) : Value();
    if (fact == "trip_name")
        return booking.trip_title.empty() ? Value()
                                          : Value(std::string(text::first(booking.trip_title, longest_value)));
    if (fact == "travelers")
        return booking.travelers;
    if (fact == "currency")
        return booking.total.currency().code();
    if (fact == "language")
        return booking.language.empty() ? Value() : Value(booking.language);
    if (!booking.travel_date)
        return {};
    if (fact == "travel_month")
        return booking.travel_date->text().substr(0, 7);
    // days_before: in UTC, as browsers count.
    return std::max<std::int64_t>(booking.travel_date->days() - Zone::utc().date_at(occurred_at).days(), 0);
}

}  // namespace

const std::vector<std::string>& parameter_facts() {
    static const std::vector<std::string> all{"trip_id",  "trip_name",    "travelers",  "currency",
                                              "language", "travel_month", "days_before"};
    return all;
}

api::Type parameters_type() { return api::map(api::choice(parameter_facts()), most_parameters); }

Result<void> check_parameters(std::string_view field, const Value& parameters) {
    if (!parameters.is_object())
        return {};
    for (const auto& [name, fact] : parameters.members()) {
        const std::string at = std::string(field) + "." + name;
        if (!is_name(name))
            return invalid(at,
                           "A name begins with a letter and has at most 40 letters, digits and underscores."_sentence);
        if (is_reserved(name))
            return invalid(at, "The partner or this site uses that name itself. Choose another one."_sentence);
    }
    return {};
}

Value parameters_now(const Site& site, const Partner& partner) {
    Value all = Value::object();
    const Value stored = site.settings.get(partner.parameters_setting);
    if (!stored.is_object())
        return all;
    for (const auto& [name, fact] : stored.members())  // PUT /settings takes any name
        if (all.size() < most_parameters && is_name(name) && !is_reserved(name) && fact.is_string() &&
            is_fact(fact.text()))
            all.set(name, fact);
    return all;
}

Value parameter_values(const Value& parameters, const BookedTrip& booking, Instant occurred_at) {
    Value values = Value::object();
    for (const auto& [name, fact] : parameters.members())
        if (Value value = value_of(fact.text(), booking, occurred_at); !value.is_null())
            values.set(name, std::move(value));
    return values;
}

}  // namespace svc::pro::tracking
