// A rule's members on the wire, and those of the dates it produces.
#include "base/sales/availability/rules/wire.hpp"

#include <algorithm>
#include <map>

#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::availability {
namespace {

using json::Value;

Value numbers(Bits bits, unsigned count, unsigned first) {
    Value list = Value::array();
    for (unsigned i = 0; i < count; ++i)
        if (bits.has(i))
            list.push(static_cast<std::int64_t>(i + first));
    return list;
}

Value list_price(const std::optional<PricePair>& pair) { return pair ? Value(pair->regular) : Value(); }
Value sale_price(const std::optional<PricePair>& pair) {
    return pair && pair->lowered ? Value(*pair->lowered) : Value();
}

Value prices_json(const CategoryPrices& prices) {
    return json::array_of(prices, [&](const CategoryPrice& each) {
        return Value::object(
            {{"category_id", each.category_id}, {"original_price", each.regular}, {"sale_price", each.lowered}});
    });
}

Value slots_json(const Rule& rule) {
    return json::array_of(rule.slots, [&](const RuleSlot& slot) {
        return Value::object({{"departure_time", slot.departure_time},
                              {"arrival_time", slot.arrival_time},
                              {"arrives_next_day", arrives_next_day(slot.departure_time, slot.arrival_time)},
                              {"seats", slot.seats},
                              {"price", list_price(slot.price)},
                              {"sale_price", sale_price(slot.price)},
                              {"traveler_pricing", prices_json(slot.by_category)}});
    });
}

Value overrides_json(const Rule& rule) {
    Value map = Value::object();
    for (const RuleWeekday& each : rule.overrides)
        map.set(std::to_string(each.weekday), Value::object({{"original_price", list_price(each.price)},
                                                             {"sale_price", sale_price(each.price)},
                                                             {"seats_total", each.seats}}));
    return map;
}

Value angle(const std::optional<catalog::trips::Place>& place, catalog::trips::Degrees catalog::trips::Place::*member) {
    return place ? Value(json::Number{((*place).*member).decimal()}) : Value();
}

void add_categories(const Value& list, const std::string& field, std::vector<PricedCategory>& priced) {
    for (std::size_t i = 0; i < list.size(); ++i)
        priced.push_back({field + "." + std::to_string(i + 1) + ".category_id", list[i]["category_id"].integer()});
}

}  // namespace

std::vector<PricedCategory> priced_categories(const Value& body) {
    std::vector<PricedCategory> priced;
    add_categories(body["traveler_pricing"], "traveler_pricing", priced);
    const Value& slots = body["time_slots"];
    for (std::size_t i = 0; i < slots.size(); ++i)
        add_categories(slots[i]["traveler_pricing"], "time_slots." + std::to_string(i + 1) + ".traveler_pricing",
                       priced);
    return priced;
}

Result<Rule> with_known(store::Session& session, Result<Rule> rule, const std::vector<PricedCategory>& priced) {
    Error faults = rule ? Error{errc::validation_error} : rule.error();
    if (rule && rule->guide_user_id && !rows::is_user(session, *rule->guide_user_id))
        faults.at("guide_user_id", "This user does not exist."_sentence);
    std::map<std::int64_t, bool> known;
    for (const PricedCategory& each : priced) {
        const auto [found, fresh] = known.try_emplace(each.id, false);
        if (fresh)
            found->second = rows::is_category(session, each.id);
        if (!found->second)
            faults.at(each.field, "Unknown traveler category."_sentence);
    }
    return faults.fields().empty() ? std::move(rule) : Result<Rule>(std::move(faults));
}

Value to_json(const Rule& rule) {
    using catalog::trips::Place;
    Value excluded = Value::array();
    for (const Date date : rule.excluded)
        excluded.push(date);
    Value pricing;
    if (rule.traveler_based)
        pricing = *rule.traveler_based ? "traveler_based" : "regular";
    return Value::object(
        {{"id", rule.id},
         {"trip_id", rule.trip_id},
         {"name", rule.name},
         {"rule_type", name_of(rule.type)},
         {"days_of_week", numbers(rule.weekdays, 7, 0)},
         {"week_of_month",
          rule.week_of_month ? Value(weeks.at(static_cast<std::size_t>(*rule.week_of_month - 1))) : Value()},
         {"day_of_week", rule.day_of_week},
         {"day_of_month", rule.day_of_month},
         {"interval_days", rule.interval_days},
         {"interval_start_date", rule.interval_start},
         {"start_date", rule.start_date},
         {"end_date", rule.end_date},
         {"excluded_dates", std::move(excluded)},
         {"months", numbers(rule.months, 12, 1)},
         {"time_slots", slots_json(rule)},
         {"day_overrides", overrides_json(rule)},
         {"pricing_type", std::move(pricing)},
         {"original_price", list_price(rule.price)},
         {"sale_price", sale_price(rule.price)},
         {"traveler_pricing", prices_json(rule.by_category)},
         {"seats_total", rule.seats},
         {"alert_threshold", rule.alert_threshold},
         {"departure_time", rule.departure_time},
         {"arrival_time", rule.arrival_time},
         {"arrives_next_day", arrives_next_day(rule.departure_time, rule.arrival_time)},
         {"from_location", rule.from_location},
         {"to_location", rule.to_location},
         {"from_latitude", angle(rule.from_place, &Place::latitude)},
         {"from_longitude", angle(rule.from_place, &Place::longitude)},
         {"to_latitude", angle(rule.to_place, &Place::latitude)},
         {"to_longitude", angle(rule.to_place, &Place::longitude)},
         {"cutoff_hours", rule.cutoff_hours},
         {"guide_user_id", rule.guide_user_id},
         {"advance_booking_days", rule.advance_days},
         {"status", name_of(rule.status)},
         {"priority", rule.priority},
         {"notes", rule.notes},
         {"generated_count", rule.generated_count},
         {"row_version", rule.row_version},
         {"created_at", rule.created_at},
         {"updated_at", rule.updated_at}});
}

Value to_json(const RuleCounts& counts) {
    return Value::object(
        {{"all", counts.all}, {"active", counts.active}, {"inactive", counts.inactive}, {"paused", counts.paused}});
}

api::Type rule_answer() {
    using namespace api;
    using api::text;
    Schema answer{{.name = "id", .type = id(), .required = true}, {.name = "trip_id", .type = id(), .required = true}};
    answer = answer.plus(rule_fields().changed([](Field& field) {
        if (field.name == "time_slots")
            field.type =
                list(object("TimeSlot",
                            field.type.item->members->plus({{.name = "arrives_next_day",
                                                             .type = boolean(),
                                                             .help = "A one-day trip that arrives on the next day."}})),
                     field.type.longest)
                    .or_null();
    }));
    return object(
        "AvailabilityRule",
        answer.plus(
            {{.name = "arrives_next_day", .type = boolean(), .help = "As in time_slots, for rules without them."},
             {.name = "generated_count",
              .type = integer(0),
              .help = "Number of departures created by bookings of its dates."},
             {.name = "row_version", .type = integer(1)},
             {.name = "created_at", .type = instant()},
             {.name = "updated_at", .type = instant()}}));
}

Value to_json(const ProducedDate& date, const std::optional<std::int64_t>& trip_id) {
    const bool has_price = trip_id || date.own_price;
    return Value::object(
        {{"id", date.name_by_rule()},
         {"trip_id", trip_id},
         {"rule_id", date.rule_id.value_or(0) > 0 ? Value(*date.rule_id) : Value()},
         {"is_virtual", true},
         {"source", "rule"},
         {"departure_date", date.date},
         {"arrival_date", arrival_day(date.date, date.end_date, date.time, date.arrival_time)},
         {"return_date", Value()},
         {"departure_time", date.time},
         {"arrival_time", date.arrival_time},
         {"seats_total", date.capacity},
         {"seats_available", std::max(0, date.available())},
         {"seats_reserved", date.booked},
         {"seats_waitlist", 0},
         {"booked_seats", date.booked},
         {"pricing_type", has_price ? Value(date.traveler_based ? "traveler_based" : "regular") : Value()},
         {"original_price", has_price ? Value(date.price.regular) : Value()},
         {"discounted_price", date.price.lowered},
         {"discount_percentage", has_price ? Value(date.price.discount_percent()) : Value()},
         {"price_types", prices_json(date.by_category)},
         {"currency", date.price.regular.currency().code()},
         {"status", date.state},
         {"is_blocked", date.state == name_of(SaleState::blocked)},
         {"block_reason", ""},
         {"from_location", date.from_location},
         {"to_location", date.to_location},
         {"from_latitude", angle(date.from_place, &catalog::trips::Place::latitude)},
         {"from_longitude", angle(date.from_place, &catalog::trips::Place::longitude)},
         {"to_latitude", angle(date.to_place, &catalog::trips::Place::latitude)},
         {"to_longitude", angle(date.to_place, &catalog::trips::Place::longitude)},
         {"cutoff_date", Value()},
         {"cutoff_hours", date.cutoff_hours},
         {"cutoff_at", date.cutoff_at},
         {"alert_threshold", date.alert_threshold},
         {"special_notes", ""},
         {"last_synced_at", Value()},
         {"created_at", Value()},
         {"updated_at", Value()}});
}

Value produced_json(const std::vector<ProducedDate>& dates, const std::optional<std::int64_t>& trip_id) {
    return json::array_of(dates, [&](const ProducedDate& each) { return to_json(each, trip_id); });
}

api::Type produced_answer() {
    using namespace api;
    using api::text;
    const Schema category{{.name = "category_id", .type = id(), .required = true},
                          {.name = "original_price", .type = money()},
                          {.name = "sale_price", .type = money().or_null()}};
    return object(
        "GeneratedDate",
        {{.name = "id", .type = text(60), .required = true},
         {.name = "trip_id", .type = id().or_null(), .help = "Null in a preview without a trip.", .required = true},
         {.name = "rule_id", .type = id().or_null(), .help = "Null in a preview of a new rule."},
         {.name = "is_virtual", .type = boolean()},
         {.name = "source", .type = text(10)},
         {.name = "departure_date", .type = date()},
         {.name = "arrival_date", .type = date()},
         {.name = "return_date", .type = date().or_null()},
         {.name = "departure_time", .type = time().or_null()},
         {.name = "arrival_time", .type = time().or_null()},
         {.name = "seats_total", .type = integer(1)},
         {.name = "seats_available", .type = integer(0)},
         {.name = "seats_reserved", .type = integer(0)},
         {.name = "seats_waitlist", .type = integer(0)},
         {.name = "booked_seats", .type = integer(0)},
         {.name = "pricing_type", .type = choice({"regular", "traveler_based"}).or_null()},
         {.name = "original_price",
          .type = money().or_null(),
          .help = "Null, like all prices, if neither the trip nor the rule has a price."},
         {.name = "discounted_price", .type = money().or_null()},
         {.name = "discount_percentage", .type = integer(0, 100).or_null()},
         {.name = "price_types", .type = list(object("GeneratedPrice", category), 100)},
         {.name = "currency", .type = text(3)},
         {.name = "status",
          .type = choice({"available", "limited", "sold_out", "closed", "blocked", "cancelled", "unavailable"}),
          .help = "closed: past cut-off, notice period or season."},
         {.name = "is_blocked", .type = boolean()},
         {.name = "block_reason", .type = text(500)},
         {.name = "from_location", .type = text(255), .help = "From the rule; empty inherits from the trip."},
         {.name = "to_location", .type = text(255)},
         {.name = "from_latitude", .type = decimal(-90, 90).or_null()},
         {.name = "from_longitude", .type = decimal(-180, 180).or_null()},
         {.name = "to_latitude", .type = decimal(-90, 90).or_null()},
         {.name = "to_longitude", .type = decimal(-180, 180).or_null()},
         {.name = "cutoff_date", .type = date().or_null()},
         {.name = "cutoff_hours",
          .type = integer(0, 8760).or_null(),
          .help = "From the rule; null inherits from the trip."},
         {.name = "cutoff_at", .type = instant()},
         {.name = "alert_threshold", .type = integer(0)},
         {.name = "special_notes", .type = text(10000)},
         {.name = "last_synced_at",
          .type = instant().or_null(),
          .help = "Null, like all members that only departures have."},
         {.name = "created_at", .type = instant().or_null()},
         {.name = "updated_at", .type = instant().or_null()}});
}

api::Schema extra_seats_fields() {
    using namespace api;
    return {sometimes_sent(
        {.name = "keeps_more_seats",
         .type = list(
             object("KeptSeats", {{.name = "departure_id", .type = id(), .required = true},
                                  {.name = "date", .type = date(), .required = true},
                                  {.name = "time", .type = time().or_null(), .help = "When it leaves."},
                                  {.name = "seats_total",
                                   .type = integer(1),
                                   .help = "Seats of the departure, which are kept.",
                                   .required = true},
                                  {.name = "booked_seats", .type = integer(0), .help = "Booked seats."},
                                  {.name = "rule_seats", .type = integer(1), .help = "Seats by the changed rule."}}),
             most_extra_seats),
         .help = "After lowering seats: departures from today on that keep more, earliest first."})};
}

api::Type rule_counts_answer() {
    const api::Type number = api::integer(0);
    return api::object({{.name = "all", .type = number, .required = true},
                        {.name = "active", .type = number},
                        {.name = "inactive", .type = number},
                        {.name = "paused", .type = number}});
}
api::Type rule_preview_answer() {
    using namespace api;
    using api::text;
    return object(
        "RulePreview",
        {{.name = "total", .type = integer(0), .help = "Number of dates, at most 10000.", .required = true},
         {.name = "dates", .type = list(produced_answer(), 500)},
         {.name = "truncated", .type = boolean(), .help = "The rule generates more dates than are listed."},
         {.name = "until", .type = date().or_null(), .help = "The last day examined; null for none."},
         {.name = "excluded_count", .type = integer(0), .help = "Number of days removed by excluded_dates."}});
}

Value extra_seats_json(const std::vector<ExtraSeats>& extra_seats) {
    return json::array_of(extra_seats, [&](const ExtraSeats& each) {
        return Value::object({{"departure_id", each.departure_id},
                              {"date", each.date},
                              {"time", each.time},
                              {"seats_total", each.capacity},
                              {"booked_seats", each.booked},
                              {"rule_seats", each.of_rule}});
    });
}

Value rule_preview_json(const Produced& produced, const std::optional<std::int64_t>& trip_id) {
    return Value::object({{"total", static_cast<std::int64_t>(produced.total)},
                          {"dates", produced_json(produced.dates, trip_id)},
                          {"truncated", produced.truncated},
                          {"until", produced.until},
                          {"excluded_count", static_cast<std::int64_t>(produced.excluded)}});
}

}  // namespace svc::availability
