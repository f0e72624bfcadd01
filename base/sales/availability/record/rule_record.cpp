// One row per column.
#include "base/sales/availability/record/rule_record.hpp"

#include <algorithm>

#include "base/catalog/trips/record/place_columns.hpp"

namespace svc::availability {
namespace {

using catalog::trips::place_columns;
using record::by_server_on_create;
using record::converted;
using record::hidden;
using record::searched;
using record::stored;
using record::stored_as;
using Whole = std::optional<std::int64_t>;

// Separated by commas.
std::string text_of_dates(const Rule& rule) {
    std::string text;
    for (const Date date : rule.excluded)
        text += (text.empty() ? "" : ",") + date.text();
    return text;
}
void take_dates(Rule& rule, std::string stored) {
    rule.excluded.clear();
    std::string_view text = stored;
    for (; text.size() >= 10; text.remove_prefix(std::min<std::size_t>(text.size(), 11)))
        if (const auto date = Date::parse(text.substr(0, 10)))
            rule.excluded.push_back(*date);
}

template <Bits Rule::*bits>
record::Entry<Rule> set_of(const char* name) {
    return converted<Rule, std::int64_t>(
        name, [](const Rule& rule) { return (rule.*bits).stored(); },
        [](Rule& rule, std::int64_t stored) { rule.*bits = Bits::of(stored); }, api::integer(), hidden);
}

}  // namespace

const record::Rows<Rule>& rule_record() {
    static const record::Rows<Rule> record{
        {.table = "svc_availability_rules",
         .joins = "JOIN svc_trips t ON t.id = r.trip_id",
         .search_column = "search_text"},
        {stored("id", &Rule::id),
         stored("trip_id", &Rule::trip_id, by_server_on_create),
         record::derived("currency", &Rule::currency, "t.currency", api::text(3), {}, hidden),
         stored("name", &Rule::name, searched),
         record::choice("rule_type", &Rule::type, rule_type_names(), hidden),
         record::choice("status", &Rule::status, rule_status_names(), hidden),
         stored("custom_days", &Rule::custom_days),
         set_of<&Rule::weekdays>("weekdays"),
         set_of<&Rule::months>("months"),
         stored("week_of_month", &Rule::week_of_month),
         stored("day_of_week", &Rule::day_of_week),
         stored("day_of_month", &Rule::day_of_month),
         stored("interval_days", &Rule::interval_days),
         stored("interval_start_date", &Rule::interval_start),
         stored("start_date", &Rule::start_date),
         stored("end_date", &Rule::end_date),
         converted<Rule, std::string>("excluded_dates", text_of_dates, take_dates, api::raw_text(100'000), hidden),
         converted<Rule, std::optional<std::string>>(
             "pricing_type", [](const Rule& rule) { return pricing_type_of(rule.traveler_based); },
             [](Rule& rule, std::optional<std::string> type) { rule.traveler_based = traveler_based_of(type); },
             api::text(20), hidden),
         converted<Rule, Whole>(
             "regular_price_minor",
             [](const Rule& rule) { return rule.price ? Whole(rule.price->regular.minor()) : std::nullopt; },
             [](Rule& rule, Whole minor) { rule.price = price_pair(minor, std::nullopt, rule.currency); },
             api::integer(), hidden),
         converted<Rule, Whole>(
             "sale_price_minor",
             [](const Rule& rule) {
                 return rule.price && rule.price->lowered ? Whole(rule.price->lowered->minor()) : std::nullopt;
             },
             [](Rule& rule, Whole minor) {
                 if (rule.price && minor)
                     rule.price->lowered = Money{*minor, rule.currency};
             },
             api::integer(), hidden),
         stored("seats_total", &Rule::seats),
         stored("alert_threshold", &Rule::alert_threshold),
         stored("departure_time", &Rule::departure_time),
         stored("arrival_time", &Rule::arrival_time),
         stored("from_location", &Rule::from_location, searched),
         stored("to_location", &Rule::to_location, searched),
         place_columns<Rule, &Rule::from_place>("from"),
         place_columns<Rule, &Rule::to_place>("to"),
         stored("cutoff_hours", &Rule::cutoff_hours),
         stored("guide_user_id", &Rule::guide_user_id),
         stored("advance_booking_days", &Rule::advance_days),
         stored("priority", &Rule::priority),
         stored("notes", &Rule::notes),
         record::row_version<Rule>(),
         record::timestamps<Rule>(),
         stored("created_by", &Rule::created_by, record::by_server_on_create),
         stored("updated_by", &Rule::updated_by),
         record::derived("generated_count", &Rule::generated_count,
                         "(SELECT COUNT(*) FROM svc_departures d WHERE d.rule_id = r.id AND d.deleted_at IS NULL)",
                         api::integer(), {}, hidden)}};
    return record;
}

}  // namespace svc::availability
