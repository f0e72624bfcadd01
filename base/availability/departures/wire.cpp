// The fields of a departure as staff operate it, and those that both views share.
#include "base/availability/departures/wire.hpp"

#include "shared/core/decimal.hpp"

namespace svc::availability {

using json::Value;

namespace {

std::optional<std::string> text_of(const Value& body, std::string_view name) {
    return body.find(name) ? std::optional(body.text_or(name)) : std::nullopt;
}

}  // namespace

Value to_json(const TabCounts& counts) {
    return Value::object({{"all", counts.all},
                          {"upcoming", counts.upcoming},
                          {"full", counts.full},
                          {"past", counts.past},
                          {"cancelled", counts.cancelled},
                          {"trash", counts.trash}});
}

api::Schema common_fields() {
    using namespace api;
    using api::text;
    return {
        {"arrival_time", time().or_null(),
         "When it is back: on the last day, or on the next one where it is earlier than the start of a one-day trip."},
        {"return_date", date().or_null(), "The day of the way back; the last day when left out."},
        {"pricing_type", choice({"regular", "traveler_based"}).or_null(),
         "How it is priced; null: as its rule or trip."},
        {"cutoff_date", date().or_null(), "The last day on which it can be booked."},
        {"cutoff_hours", integer(0, 8760).or_null(),
         "Hours before the start that booking closes; the trip's when left out."},
        {"alert_threshold", integer(0, 100'000).or_null(), "Staff are told when that many seats or fewer are left."},
        {"capacity_override", boolean(), "Staff may have more seats booked than there are; the public never."},
        {"block_reason", text(255).or_null(), "Why it is not on sale."},
        {"from_location", text(255).or_null(), "Where it starts; the trip's when empty."},
        {"to_location", text(255).or_null(), "Where it ends; the trip's when empty."},
        {"from_latitude", decimal(-90, 90).or_null(), "Goes with the longitude."},
        {"from_longitude", decimal(-180, 180).or_null(), "Goes with the latitude."},
        {"to_latitude", decimal(-90, 90).or_null(), "Goes with the longitude."},
        {"to_longitude", decimal(-180, 180).or_null(), "Goes with the latitude."},
        {"pickup_location", text(255).or_null(), "Where people are picked up."},
        {"dropoff_location", text(255).or_null(), "Where people are brought."},
        {"guide_user_id", id().or_null(), "The user who guides it."},
        {"equipment_included", raw_text(5000).or_null(), "For customers."},
        {"special_notes", raw_text(5000).or_null(), "For customers."},
        {"notes", raw_text(64 * 1024).or_null(), "For staff; searched."},
    };
}

void take_common(DepartureChange& change, const Value& body) {
    change.arrival_time = sent<ClockTime>(body, "arrival_time");
    change.return_date = sent<Date>(body, "return_date");
    change.pricing_type = sent<std::string>(body, "pricing_type");
    change.cutoff_date = sent<Date>(body, "cutoff_date");
    change.cutoff_hours = sent<int>(body, "cutoff_hours");
    change.alert_threshold = sent<int>(body, "alert_threshold");
    change.may_be_overbooked = body.maybe_boolean("capacity_override");
    change.block_reason = text_of(body, "block_reason");
    change.from_location = text_of(body, "from_location");
    change.to_location = text_of(body, "to_location");
    change.from_latitude = sent<std::string>(body, "from_latitude");
    change.from_longitude = sent<std::string>(body, "from_longitude");
    change.to_latitude = sent<std::string>(body, "to_latitude");
    change.to_longitude = sent<std::string>(body, "to_longitude");
    change.pickup_location = text_of(body, "pickup_location");
    change.dropoff_location = text_of(body, "dropoff_location");
    change.guide_user_id = sent<std::int64_t>(body, "guide_user_id");
    change.equipment_included = text_of(body, "equipment_included");
    change.special_notes = text_of(body, "special_notes");
    change.notes = text_of(body, "notes");
    change.row_version = body.maybe_integer("row_version");
}

api::Schema departure_fields() {
    using namespace api;
    using api::text;
    return Schema{
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
        {.name = "price_by_traveler_type",
         .type = map(money()).or_null(),
         .says = "List prices by the id of a traveler category; replaces all of the departure's own."},
        {.name = "sale_state",
         .type = choice({"open", "unavailable", "blocked", "closed"}),
         .says = "Whether it can be bought."},
    }
        .plus(common_fields());
}

api::Schema departure_update_fields() {
    using namespace api;
    using api::text;
    return common_update_fields().plus(
        {{"status", choice({"upcoming", "full", "past", "cancelled", "trash"}),
          "cancelled and trash are set, with svc_cancel_departures; any other follows from dates and seats."}});
}

api::Schema common_update_fields() {
    using namespace api;
    using api::text;
    return {
        {"row_version", integer(1).or_null(), "The version that was read; svc_conflict when it is another by now."},
        {"trip_id", id(), "Another trip; only while nobody has booked."},
        {"cancel_bookings", boolean(),
         "With status cancelled: its bookings are cancelled too; otherwise they are flagged for a person."},
        {"reason", text(500), "Told to the customers whose bookings are cancelled.", false, {"cancellation_reason"}},
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
    if (const Value* prices = body.find("price_by_traveler_type")) {
        change.prices.emplace();
        if (!prices->is_null())
            for (const auto& [category, amount] : prices->members()) {
                const auto digits = Decimal::parse(category);
                const bool is_id = digits && !digits->negative && digits->fraction.empty() && category.size() <= 18;
                change.prices->push_back({is_id ? std::stoll(category) : 0, amount.number_text(), {}});
            }
    }
    change.sale_state = body.maybe_text("sale_state");
    change.status = body.maybe_text("status");
    change.trip_id = body.maybe_integer("trip_id");
    take_common(change, body);
    return change;
}

api::Schema common_answer() {
    using namespace api;
    using api::text;
    return {
        {"arrival_time", time().or_null(), "When it is back, on arrival_date."},
        {"return_date", date(), "The day of the way back."},
        {"capacity_override", boolean(), "Staff may have more seats booked than there are."},
        {"block_reason", text(255), "Why it is not on sale."},
        {"source", choice({"fixed", "manual", "booking_created", "recurring_rule"}), "Where it comes from."},
        {"pricing_type", choice({"regular", "traveler_based"}).or_null(),
         "How it is priced; null: as its rule or trip."},
        {"currency", text(3), "Of the prices."},
        {"cutoff_date", date().or_null(), "The last day on which it can be booked."},
        {"cutoff_hours", integer(0).or_null(), "Hours before the start that booking closes; null: the trip's."},
        {"alert_threshold", integer(0), "Staff are told when that many seats or fewer are left."},
        {"from_location", text(255), "Empty: the trip's."},
        {"to_location", text(255), "Empty: the trip's."},
        {"from_latitude", decimal(-90, 90).or_null()},
        {"from_longitude", decimal(-180, 180).or_null()},
        {"to_latitude", decimal(-90, 90).or_null()},
        {"to_longitude", decimal(-180, 180).or_null()},
        {"pickup_location", text(255), "Where people are picked up."},
        {"dropoff_location", text(255), "Where people are brought."},
        {"guide_user_id", id().or_null(), "The user who guides it."},
        {"equipment_included", raw_text(5000), "For customers."},
        {"special_notes", raw_text(5000), "For customers."},
        {"notes", raw_text(64 * 1024), "For staff."},
        {"affected_bookings", list(id(), 100'000), "Of a cancellation: the bookings that need a person."},
        {"cancelled_bookings", integer(0), "Of a cancellation: how many of them were cancelled."},
        {"row_version", integer(1), "Send it back with a change to be told of others' changes."},
        {"created_at", instant()},
        {"updated_at", instant()},
    };
}

api::Type departure_answer() {
    using namespace api;
    using api::text;
    const Schema trip{{"id", id(), "", true},
                      {"title", text(255), "", true},
                      {"slug", text(255), "", true},
                      {"summary", raw_text(64 * 1024), "Of one departure, not in lists."},
                      {"starting_location", raw_text(500), "Of one departure, not in lists."},
                      {"ending_location", raw_text(500), "Of one departure, not in lists."},
                      {"difficulty_level", id().or_null(), "Of one departure, not in lists."},
                      {"min_travelers", integer(1), "Of one departure, not in lists."},
                      {"max_travelers", integer(1).or_null(), "Of one departure, not in lists."},
                      {"duration", integer(0), "In days; of one departure, not in lists."}};
    const Schema traveler{
        {"id", id().or_null(), "", true}, {"booking_id", id(), "", true}, {"booking_reference", text(32), "", true},
        {"is_lead", boolean(), "", true}, {"first_name", raw_text(500)},  {"last_name", raw_text(500)},
        {"email", raw_text(500)},         {"phone", raw_text(500)}};
    return object(Schema{
        {"id", id(), "", true},
        {"trip_id", id(), "", true},
        {"start_date", date(), "", true},
        {"end_date", date(), "", true},
        {"date", date(), "The same as start_date."},
        {"arrival_date", date(), "The day it is back: the day after end_date where arrival_time is before the start."},
        {"time", time().or_null(), "When it leaves."},
        {"max_capacity", integer(1), "Seats.", true},
        {"booked_count", integer(0), "Seats taken.", true},
        {"available_capacity", integer(0), "Seats left.", true},
        {"waiting_count", integer(0), "Seats that people wait for."},
        {"availability", choice({"available", "partial", "full"}), "By the seats taken."},
        {"status", choice({"upcoming", "full", "past", "cancelled", "trash"}), "", true},
        {"sale_state", choice({"open", "unavailable", "blocked", "closed", "cancelled"}), "Whether it can be bought."},
        {"price_override", money().or_null(), "List price of one traveler; null: the trip's."},
        {"regular_price", money().or_null(), "The same as price_override."},
        {"sale_price", money().or_null(), "Paid instead of price_override."},
        {"price_by_traveler_type", map(money()).or_null(), "By the id of a traveler category; null: the trip's."},
        {"trip", object(trip)},
        {"booking_ids", list(id(), 100'000), "Whose seats it holds."},
        {"bookings_count", integer(0)},
        {"total_revenue", money(), "Paid for its live bookings."},
        {"travelers", list(object(traveler), 100'000), "In lists only of pages, which per_page asks for."},
        {"travelers_count", integer(0)},
    }
                      .plus(common_answer()));
}

}  // namespace svc::availability
