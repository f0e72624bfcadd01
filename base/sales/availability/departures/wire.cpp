// The fields of a departure as staff operate it, and those that both views share.
#include "base/sales/availability/departures/wire.hpp"

#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
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
         "Arrival time on the last day, or on the next day if a one-day trip would arrive before its start."},
        {"return_date", date().or_null(), "Day of the return journey; defaults to the last day."},
        {"pricing_type", choice({"regular", "traveler_based"}).or_null(),
         "Pricing type; null inherits from its rule or trip."},
        {"cutoff_date", date().or_null(), "Last day on which it can be booked."},
        {"cutoff_hours", integer(0, 8760).or_null(),
         "Hours before the start when booking closes; defaults to the trip's."},
        {"alert_threshold", integer(0, 100'000).or_null(), "Notify staff when at most this many seats are left."},
        {"capacity_override", boolean(), "Staff may book more seats than the departure has."},
        {"block_reason", text(255).or_null(), "Why it is blocked."},
        {"from_location", text(255).or_null(), "Place of departure; empty inherits from the trip."},
        {"to_location", text(255).or_null(), "Place of arrival; empty inherits from the trip."},
        {"from_latitude", decimal(-90, 90).or_null(), "Requires the longitude."},
        {"from_longitude", decimal(-180, 180).or_null(), "Requires the latitude."},
        {"to_latitude", decimal(-90, 90).or_null(), "Requires the longitude."},
        {"to_longitude", decimal(-180, 180).or_null(), "Requires the latitude."},
        {"pickup_location", text(255).or_null(), "Where travelers are picked up."},
        {"dropoff_location", text(255).or_null(), "Where travelers are dropped off."},
        {"guide_user_id", id().or_null(), "Id of the guide's user."},
        {"equipment_included", raw_text(5000).or_null(), "Shown to customers."},
        {"special_notes", raw_text(5000).or_null(), "Shown to customers."},
        {"notes", raw_text(64 * 1024).or_null(), "Notes for staff; searchable."},
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
        {.name = "start_date", .type = date(), .help = "The first day.", .required = true, .also = {"date"}},
        {.name = "end_date", .type = date().or_null(), .help = "The last day; defaults to the trip's duration."},
        {.name = "time", .type = time().or_null(), .help = "Departure time.", .also = {"start_time", "departure_time"}},
        {.name = "max_capacity",
         .type = integer(1, 100'000).or_null(),
         .help = "Number of seats; defaults to the trip's max_travelers.",
         .also = {"capacity", "seats_total"}},
        {.name = "price_override",
         .type = money().or_null(),
         .help = "List price per traveler; together with sale_price it replaces the trip's prices.",
         .also = {"regular_price"}},
        {.name = "sale_price", .type = money().or_null(), .help = "Reduced price; replaces price_override."},
        {.name = "price_by_traveler_type",
         .type = map(money()).or_null(),
         .help = "List prices by traveler category id; replaces all existing ones."},
        {.name = "sale_state",
         .type = choice({"open", "unavailable", "blocked", "closed"}),
         .help = "Whether it can be booked."},
    }
        .plus(common_fields());
}

api::Schema departure_update_fields() {
    using namespace api;
    using api::text;
    return common_update_fields().plus(
        {{"status", choice({"upcoming", "full", "past", "cancelled", "trash"}),
          "Only cancelled and trash can be set, with svc_cancel_departures; others are derived."}});
}

api::Schema common_update_fields() {
    using namespace api;
    using api::text;
    return {
        {"row_version", integer(1).or_null(), "The version that was read; svc_conflict if the record changed since."},
        {"trip_id", id(), "Move it to another trip; only without bookings."},
        {"cancel_bookings", boolean(),
         "With status cancelled: also cancel its bookings; otherwise they are marked for attention."},
        {"reason", text(500), "Reason, sent to customers of cancelled bookings.", false, {"cancellation_reason"}},
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
        {"arrival_time", time().or_null(), "Arrival time on arrival_date."},
        {"return_date", date(), "Day of the return journey."},
        {"capacity_override", boolean(), "Staff may book more seats than the departure has."},
        {"block_reason", text(255), "Why it is blocked."},
        {"source", choice({"fixed", "manual", "booking_created", "recurring_rule"}), "Origin of the departure."},
        {"pricing_type", choice({"regular", "traveler_based"}).or_null(),
         "Pricing type; null inherits from its rule or trip."},
        {"currency", text(3), "Currency of the prices."},
        {"cutoff_date", date().or_null(), "Last day on which it can be booked."},
        {"cutoff_hours", integer(0).or_null(),
         "Hours before the start when booking closes; null inherits from the trip."},
        {"alert_threshold", integer(0), "Notify staff when at most this many seats are left."},
        {"from_location", text(255), "Empty inherits from the trip."},
        {"to_location", text(255), "Empty inherits from the trip."},
        {"from_latitude", decimal(-90, 90).or_null()},
        {"from_longitude", decimal(-180, 180).or_null()},
        {"to_latitude", decimal(-90, 90).or_null()},
        {"to_longitude", decimal(-180, 180).or_null()},
        {"pickup_location", text(255), "Where travelers are picked up."},
        {"dropoff_location", text(255), "Where travelers are dropped off."},
        {"guide_user_id", id().or_null(), "Id of the guide's user."},
        {"equipment_included", raw_text(5000), "Shown to customers."},
        {"special_notes", raw_text(5000), "Shown to customers."},
        {"notes", raw_text(64 * 1024), "Notes for staff."},
        sometimes_sent(
            {"affected_bookings", list(id(), 100'000), "After a cancellation: ids of bookings that need attention."}),
        sometimes_sent({"cancelled_bookings", integer(0), "After a cancellation: number of bookings cancelled."}),
        {"row_version", integer(1), "Send it with an update to detect concurrent changes."},
        {"created_at", instant()},
        {"updated_at", instant()},
    };
}

api::Type departure_answer() {
    using namespace api;
    using api::text;
    const Schema trip =
        sometimes_sent({{"id", id(), "", true},
                        {"title", text(255), "", true},
                        {"slug", text(255), "", true},
                        {"summary", raw_text(64 * 1024), "Only for a single departure, not in lists."},
                        {"starting_location", raw_text(500), "Only for a single departure, not in lists."},
                        {"ending_location", raw_text(500), "Only for a single departure, not in lists."},
                        {"difficulty_level", id().or_null(), "Only for a single departure, not in lists."},
                        {"min_travelers", integer(1), "Only for a single departure, not in lists."},
                        {"max_travelers", integer(1).or_null(), "Only for a single departure, not in lists."},
                        {"duration", integer(0), "Days; only for a single departure, not in lists."}},
                       {"summary", "starting_location", "ending_location", "difficulty_level", "min_travelers",
                        "max_travelers", "duration"});
    const Schema traveler{
        {"id", id().or_null(), "", true}, {"booking_id", id(), "", true}, {"booking_reference", text(32), "", true},
        {"is_lead", boolean(), "", true}, {"first_name", raw_text(500)},  {"last_name", raw_text(500)},
        {"email", raw_text(500)},         {"phone", raw_text(500)}};
    return object(
        "Departure",

        Schema{
            {"id", id(), "", true},
            {"trip_id", id(), "", true},
            {"start_date", date(), "", true},
            {"end_date", date(), "", true},
            {"date", date(), "Same as start_date."},
            {"arrival_date", date(), "Arrival date; the day after end_date if arrival_time is before the start."},
            {"time", time().or_null(), "Departure time."},
            {"max_capacity", integer(1), "Seats.", true},
            {"booked_count", integer(0), "Booked seats.", true},
            {"available_capacity", integer(0), "Available seats.", true},
            {"waiting_count", integer(0), "Seats requested on the waitlist."},
            {"availability", choice({"available", "partial", "full"}), "Derived from the booked seats."},
            {"status", choice({"upcoming", "full", "past", "cancelled", "trash"}), "", true},
            {"sale_state", choice({"open", "unavailable", "blocked", "closed", "cancelled"}),
             "Whether it can be booked."},
            {"price_override", money().or_null(), "List price per traveler; null inherits from the trip."},
            {"regular_price", money().or_null(), "Same as price_override."},
            {"sale_price", money().or_null(), "Reduced price; replaces price_override."},
            {"price_by_traveler_type", map(money()).or_null(),
             "Prices by traveler category id; null inherits from the trip."},
            {"trip", object("DepartureTrip", trip)},
            {"booking_ids", list(id(), 100'000), "Ids of the bookings with seats."},
            {"bookings_count", integer(0)},
            {"total_revenue", money().or_null(), "Amount paid for its active bookings; null for guides."},
            {"travelers", list(object("DepartureTraveler", traveler), 100'000)},
            {"travelers_count", integer(0)},
        }
            .plus(common_answer()));
}

}  // namespace svc::availability
