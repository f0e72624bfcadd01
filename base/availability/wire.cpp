// A departure's and a date's members on the wire.
#include "base/availability/wire.hpp"

namespace svc::availability {
namespace {

using json::Value;

template <class T>
Sent<T> sent(const Value& body, std::string_view name) {
    const Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    if (value->is_null())
        return Sent<T>(std::in_place, std::nullopt);
    if constexpr (std::is_same_v<T, int>)
        return Sent<T>(static_cast<int>(value->integer()));
    else if constexpr (std::is_same_v<T, std::string>)
        return Sent<T>(value->number_text());
    else
        return Sent<T>(T::parse(value->text()));
}

Value times_json(const std::vector<Bookable>& dates, std::size_t first, std::size_t end) {
    Value times = Value::array();
    for (std::size_t i = first; i < end; ++i)
        if (dates[i].time)
            times.push(Value::object({{"time", dates[i].time},
                                      {"available_capacity", dates[i].available()},
                                      {"price", dates[i].price.effective()}}));
    return times;
}

Value date_json(const Bookable& date, Value times) {
    return Value::object({{"id", date.departure_id},
                          {"date", date.date},
                          {"time", date.time},
                          {"end_date", date.end_date},
                          {"max_capacity", date.capacity},
                          {"booked_count", date.booked},
                          {"available_capacity", date.available()},
                          {"status", seats_status(date.capacity, date.available())},
                          {"is_full", date.available() <= 0},
                          {"source", date_source_of(date.origin)},
                          {"rule_id", Value()},
                          {"price", date.price.effective()},
                          {"original_price", date.price.regular},
                          {"price_override", date.own_price ? Value(date.price.regular) : Value()},
                          {"price_by_traveler_type", Value()},
                          {"currency", date.price.regular.currency().code()},
                          {"waitlist", false},
                          {"cutoff_at", date.cutoff_at},
                          {"departure_times", std::move(times)}});
}

}  // namespace

Value to_json(const Departure& departure, const std::vector<std::int64_t>& booking_ids) {
    Value ids = Value::array();
    for (const std::int64_t id : booking_ids)
        ids.push(id);
    return Value::object({
        {"id", departure.id},
        {"trip_id", departure.trip_id},
        {"start_date", departure.start_date},
        {"end_date", departure.end_date},
        {"date", departure.start_date},
        {"time", departure.time},
        {"max_capacity", departure.capacity},
        {"booked_count", departure.booked},
        {"available_capacity", departure.available()},
        {"availability", capacity_class(departure.capacity, departure.booked)},
        {"status", name_of(departure.status)},
        {"sale_state", name_of(departure.sale_state)},
        {"source", source_of(departure.origin)},
        {"price_override", departure.regular_price},
        {"regular_price", departure.regular_price},
        {"sale_price", departure.sale_price},
        {"price_by_traveler_type", Value()},
        {"currency", departure.currency.code()},
        {"cutoff_date", departure.cutoff_date},
        {"cutoff_hours", departure.cutoff_hours},
        {"notes", departure.notes},
        {"trip",
         Value::object({{"id", departure.trip_id}, {"title", departure.trip_title}, {"slug", departure.trip_slug}})},
        {"booking_ids", ids},
        {"bookings_count", static_cast<std::int64_t>(booking_ids.size())},
        {"row_version", departure.row_version},
        {"created_at", departure.created_at},
        {"updated_at", departure.updated_at},
    });
}

Value to_json(const TabCounts& counts) {
    return Value::object({{"all", counts.all},
                          {"upcoming", counts.upcoming},
                          {"full", counts.full},
                          {"past", counts.past},
                          {"cancelled", counts.cancelled},
                          {"trash", counts.trash}});
}

Value to_json(const std::vector<Bookable>& dates) {
    Value rows = Value::array();
    for (std::size_t first = 0; first < dates.size();) {
        std::size_t end = first;
        while (end < dates.size() && dates[end].date == dates[first].date)
            ++end;
        const Value times = times_json(dates, first, end);
        for (; first < end; ++first)
            rows.push(date_json(dates[first], times));
    }
    return rows;
}

api::Schema departure_fields() {
    using namespace api;
    return {
        {.name = "start_date", .type = date(), .says = "The first day.", .required = true, .also = {"date"}},
        {.name = "end_date", .type = date().or_null(), .says = "The last day; by the trip's duration when left out."},
        {.name = "time", .type = time().or_null(), .says = "When it leaves.", .also = {"start_time", "departure_time"}},
        {.name = "max_capacity",
         .type = integer(1, 100'000).or_null(),
         .says = "Seats; the trip's max_travelers when left out.",
         .also = {"capacity", "seats_total"}},
        {.name = "price_override",
         .type = money().or_null(),
         .says = "List price of one traveler; with sale_price it replaces both of the trip's.",
         .also = {"regular_price"}},
        {.name = "sale_price", .type = money().or_null(), .says = "Paid instead of price_override."},
        {.name = "cutoff_date", .type = date().or_null(), .says = "The last day on which it can be booked."},
        {.name = "cutoff_hours",
         .type = integer(0, 8760).or_null(),
         .says = "Hours before the start that booking closes; the trip's when left out."},
        {.name = "sale_state",
         .type = choice({"open", "unavailable", "blocked", "closed"}),
         .says = "Whether it can be bought."},
        {.name = "notes", .type = raw_text(64 * 1024).or_null(), .says = "For staff; searched."},
    };
}

DepartureChange change_of(const Value& body) {
    DepartureChange change;
    if (const auto day = body.maybe_text("start_date"))
        change.start_date = Date::parse(*day);
    change.end_date = sent<Date>(body, "end_date");
    change.time = sent<ClockTime>(body, "time");
    change.capacity = sent<int>(body, "max_capacity");
    change.regular_price = sent<std::string>(body, "price_override");
    change.sale_price = sent<std::string>(body, "sale_price");
    change.cutoff_date = sent<Date>(body, "cutoff_date");
    change.cutoff_hours = sent<int>(body, "cutoff_hours");
    change.sale_state = body.maybe_text("sale_state");
    change.status = body.maybe_text("status");
    if (body.find("notes"))
        change.notes = body.text_or("notes");
    change.row_version = body.maybe_integer("row_version");
    return change;
}

api::Type departure_answer() {
    using namespace api;
    const Schema trip{{"id", id(), "", true},
                      {"title", text(255), "", true},
                      {"slug", text(255), "", true},
                      {"summary", raw_text(64 * 1024), "Of one departure, not in lists."},
                      {"min_travelers", integer(1), "Of one departure, not in lists."},
                      {"max_travelers", integer(1).or_null(), "Of one departure, not in lists."},
                      {"duration", integer(0), "In days; of one departure, not in lists."}};
    return object({
        {"id", id(), "", true},
        {"trip_id", id(), "", true},
        {"start_date", date(), "", true},
        {"end_date", date(), "", true},
        {"date", date(), "The same as start_date."},
        {"time", time().or_null(), "When it leaves."},
        {"max_capacity", integer(1), "Seats.", true},
        {"booked_count", integer(0), "Seats taken.", true},
        {"available_capacity", integer(0), "Seats left.", true},
        {"availability", choice({"available", "partial", "full"}), "By the seats taken."},
        {"status", choice({"upcoming", "full", "past", "cancelled", "trash"}), "", true},
        {"sale_state", choice({"open", "unavailable", "blocked", "closed"}), "Whether it can be bought."},
        {"source", choice({"fixed", "manual", "booking_created", "recurring_rule"}), "Where it comes from."},
        {"price_override", money().or_null(), "List price of one traveler; null: the trip's."},
        {"regular_price", money().or_null(), "The same as price_override."},
        {"sale_price", money().or_null(), "Paid instead of price_override."},
        {"price_by_traveler_type", map(anything()).or_null()},
        {"currency", text(3), "Of the prices."},
        {"cutoff_date", date().or_null(), "The last day on which it can be booked."},
        {"cutoff_hours", integer(0).or_null(), "Hours before the start that booking closes; null: the trip's."},
        {"notes", raw_text(64 * 1024), "For staff."},
        {"trip", object(trip)},
        {"booking_ids", list(id(), 100'000), "Whose seats it holds."},
        {"bookings_count", integer(0)},
        {"row_version", integer(1), "Send it back with a change to be told of others' changes."},
        {"created_at", instant()},
        {"updated_at", instant()},
    });
}

api::Type date_answer() {
    using namespace api;
    const Schema at{{"time", time(), "", true},
                    {"available_capacity", integer(0), "Seats left.", true},
                    {"price", money(), "Of one traveler.", true}};
    return object({
        {"id", id().or_null(), "The departure; null for a day that is open as such.", true},
        {"date", date(), "", true},
        {"time", time().or_null(), "", true},
        {"end_date", date(), "", true},
        {"max_capacity", integer(1), "Seats."},
        {"booked_count", integer(0), "Seats taken."},
        {"available_capacity", integer(0), "Seats left.", true},
        {"status", choice({"available", "limited", "sold_out"}), "By the seats left.", true},
        {"is_full", boolean(), "No seat is left."},
        {"source", choice({"fixed", "recurring", "trip_default"}), "Planned, by a rule, or open as every day is."},
        {"rule_id", id().or_null(), "The rule that made it."},
        {"price", money(), "What one traveler pays.", true},
        {"original_price", money(), "The list price of one traveler."},
        {"price_override", money().or_null(), "The date's own list price; null: the trip's."},
        {"price_by_traveler_type", map(anything()).or_null()},
        {"currency", text(3), "", true},
        {"waitlist", boolean(), "Whether one can wait for seats."},
        {"cutoff_at", instant(), "When booking closes."},
        {"departure_times", list(object(at), 100), "All times of that day."},
    });
}

}  // namespace svc::availability
