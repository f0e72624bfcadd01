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
        {.name = "arrival_time",
         .type = time().or_null(),
         .help = "Arrival time on the last day, or on the next day if a one-day trip would arrive before its start."},
        {.name = "return_date",
         .type = date().or_null(),
         .help = "Day of the return journey; defaults to the last day."},
        {.name = "pricing_type",
         .type = choice({"regular", "traveler_based"}).or_null(),
         .help = "Pricing type; null inherits from its rule or trip."},
        {.name = "cutoff_date", .type = date().or_null(), .help = "Last day on which it can be booked."},
        {.name = "cutoff_hours",
         .type = integer(0, 8760).or_null(),
         .help = "Hours before the start when booking closes; defaults to the trip's."},
        {.name = "alert_threshold",
         .type = integer(0, 100'000).or_null(),
         .help = "Notify staff when at most this many seats are left."},
        {.name = "capacity_override", .type = boolean(), .help = "Staff may book more seats than the departure has."},
        {.name = "block_reason", .type = text(255).or_null(), .help = "Why it is blocked."},
        {.name = "from_location",
         .type = text(255).or_null(),
         .help = "Place of departure; empty inherits from the trip."},
        {.name = "to_location", .type = text(255).or_null(), .help = "Place of arrival; empty inherits from the trip."},
        {.name = "from_latitude", .type = decimal(-90, 90).or_null(), .help = "Requires the longitude."},
        {.name = "from_longitude", .type = decimal(-180, 180).or_null(), .help = "Requires the latitude."},
        {.name = "to_latitude", .type = decimal(-90, 90).or_null(), .help = "Requires the longitude."},
        {.name = "to_longitude", .type = decimal(-180, 180).or_null(), .help = "Requires the latitude."},
        {.name = "pickup_location", .type = text(255).or_null(), .help = "Where travelers are picked up."},
        {.name = "dropoff_location", .type = text(255).or_null(), .help = "Where travelers are dropped off."},
        {.name = "guide_user_id", .type = id().or_null(), .help = "Id of the guide's user."},
        {.name = "equipment_included", .type = raw_text(5000).or_null(), .help = "Shown to customers."},
        {.name = "special_notes", .type = raw_text(5000).or_null(), .help = "Shown to customers."},
        {.name = "notes", .type = raw_text(64 * 1024).or_null(), .help = "Notes for staff; searchable."},
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
        {{.name = "status",
          .type = choice({"upcoming", "full", "past", "cancelled", "trash"}),
          .help = "Only cancelled and trash can be set, with svc_cancel_departures; others are derived."}});
}

api::Schema common_update_fields() {
    using namespace api;
    using api::text;
    return {
        {.name = "row_version",
         .type = integer(1).or_null(),
         .help = "The version that was read; svc_conflict if the record changed since."},
        {.name = "trip_id", .type = id(), .help = "Move it to another trip; only without bookings."},
        {.name = "cancel_bookings",
         .type = boolean(),
         .help = "With status cancelled: also cancel its bookings; otherwise they are marked for attention."},
        {.name = "reason",
         .type = text(500),
         .help = "Reason, sent to customers of cancelled bookings.",
         .also = {"cancellation_reason"}},
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
        {.name = "arrival_time", .type = time().or_null(), .help = "Arrival time on arrival_date."},
        {.name = "return_date", .type = date(), .help = "Day of the return journey."},
        {.name = "capacity_override", .type = boolean(), .help = "Staff may book more seats than the departure has."},
        {.name = "block_reason", .type = text(255), .help = "Why it is blocked."},
        {.name = "source",
         .type = choice({"fixed", "manual", "booking_created", "recurring_rule"}),
         .help = "Origin of the departure."},
        {.name = "pricing_type",
         .type = choice({"regular", "traveler_based"}).or_null(),
         .help = "Pricing type; null inherits from its rule or trip."},
        {.name = "currency", .type = text(3), .help = "Currency of the prices."},
        {.name = "cutoff_date", .type = date().or_null(), .help = "Last day on which it can be booked."},
        {.name = "cutoff_hours",
         .type = integer(0).or_null(),
         .help = "Hours before the start when booking closes; null inherits from the trip."},
        {.name = "alert_threshold", .type = integer(0), .help = "Notify staff when at most this many seats are left."},
        {.name = "from_location", .type = text(255), .help = "Empty inherits from the trip."},
        {.name = "to_location", .type = text(255), .help = "Empty inherits from the trip."},
        {.name = "from_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "from_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "to_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "to_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "pickup_location", .type = text(255), .help = "Where travelers are picked up."},
        {.name = "dropoff_location", .type = text(255), .help = "Where travelers are dropped off."},
        {.name = "guide_user_id", .type = id().or_null(), .help = "Id of the guide's user."},
        {.name = "equipment_included", .type = raw_text(5000), .help = "Shown to customers."},
        {.name = "special_notes", .type = raw_text(5000), .help = "Shown to customers."},
        {.name = "notes", .type = raw_text(64 * 1024), .help = "Notes for staff."},
        sometimes_sent({.name = "affected_bookings",
                        .type = list(id(), 100'000),
                        .help = "After a cancellation: ids of bookings that need attention."}),
        sometimes_sent({.name = "cancelled_bookings",
                        .type = integer(0),
                        .help = "After a cancellation: number of bookings cancelled."}),
        {.name = "row_version", .type = integer(1), .help = "Send it with an update to detect concurrent changes."},
        {.name = "created_at", .type = instant()},
        {.name = "updated_at", .type = instant()},
    };
}

api::Type departure_answer() {
    using namespace api;
    using api::text;
    const Schema trip = sometimes_sent(
        {{.name = "id", .type = id(), .required = true},
         {.name = "title", .type = text(255), .required = true},
         {.name = "slug", .type = text(255), .required = true},
         {.name = "summary", .type = raw_text(64 * 1024), .help = "Only for a single departure, not in lists."},
         {.name = "starting_location", .type = raw_text(500), .help = "Only for a single departure, not in lists."},
         {.name = "ending_location", .type = raw_text(500), .help = "Only for a single departure, not in lists."},
         {.name = "difficulty_level", .type = id().or_null(), .help = "Only for a single departure, not in lists."},
         {.name = "min_travelers", .type = integer(1), .help = "Only for a single departure, not in lists."},
         {.name = "max_travelers", .type = integer(1).or_null(), .help = "Only for a single departure, not in lists."},
         {.name = "duration", .type = integer(0), .help = "Days; only for a single departure, not in lists."}},
        {"summary", "starting_location", "ending_location", "difficulty_level", "min_travelers", "max_travelers",
         "duration"});
    const Schema traveler{{.name = "id", .type = id().or_null(), .required = true},
                          {.name = "booking_id", .type = id(), .required = true},
                          {.name = "booking_reference", .type = text(32), .required = true},
                          {.name = "is_lead", .type = boolean(), .required = true},
                          {.name = "first_name", .type = raw_text(500)},
                          {.name = "last_name", .type = raw_text(500)},
                          {.name = "email", .type = raw_text(500)},
                          {.name = "phone", .type = raw_text(500)}};
    return object(
        "Departure",

        Schema{
            {.name = "id", .type = id(), .required = true},
            {.name = "trip_id", .type = id(), .required = true},
            {.name = "start_date", .type = date(), .required = true},
            {.name = "end_date", .type = date(), .required = true},
            {.name = "date", .type = date(), .help = "Same as start_date."},
            {.name = "arrival_date",
             .type = date(),
             .help = "Arrival date; the day after end_date if arrival_time is before the start."},
            {.name = "time", .type = time().or_null(), .help = "Departure time."},
            {.name = "max_capacity", .type = integer(1), .help = "Seats.", .required = true},
            {.name = "booked_count", .type = integer(0), .help = "Booked seats.", .required = true},
            {.name = "available_capacity", .type = integer(0), .help = "Available seats.", .required = true},
            {.name = "waiting_count", .type = integer(0), .help = "Seats requested on the waitlist."},
            {.name = "availability",
             .type = choice({"available", "partial", "full"}),
             .help = "Derived from the booked seats."},
            {.name = "status", .type = choice({"upcoming", "full", "past", "cancelled", "trash"}), .required = true},
            {.name = "sale_state",
             .type = choice({"open", "unavailable", "blocked", "closed", "cancelled"}),
             .help = "Whether it can be booked."},
            {.name = "price_override",
             .type = money().or_null(),
             .help = "List price per traveler; null inherits from the trip."},
            {.name = "regular_price", .type = money().or_null(), .help = "Same as price_override."},
            {.name = "sale_price", .type = money().or_null(), .help = "Reduced price; replaces price_override."},
            {.name = "price_by_traveler_type",
             .type = map(money()).or_null(),
             .help = "Prices by traveler category id; null inherits from the trip."},
            {.name = "trip", .type = object("DepartureTrip", trip)},
            {.name = "booking_ids", .type = list(id(), 100'000), .help = "Ids of the bookings with seats."},
            {.name = "bookings_count", .type = integer(0)},
            {.name = "total_revenue",
             .type = money().or_null(),
             .help = "Amount paid for its active bookings; null for guides."},
            {.name = "travelers", .type = list(object("DepartureTraveler", traveler), 100'000)},
            {.name = "travelers_count", .type = integer(0)},
        }
            .plus(common_answer()));
}

}  // namespace svc::availability
