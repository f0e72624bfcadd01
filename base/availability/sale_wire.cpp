// A departure as a date on sale: /availability's view of the same row.
#include "base/availability/departure_wire.hpp"

namespace svc::availability {

using json::Value;

namespace {

Value price_types(const Departure& departure) {
    Value prices = Value::array();
    for (const CategoryPrice& price : departure.prices)
        prices.push(Value::object({{"category_id", price.category_id},
                                   {"original_price", price.regular},
                                   {"discounted_price", price.lowered},
                                   {"effective_price", price.lowered.value_or(price.regular)}}));
    return prices;
}

}  // namespace

Value to_sale_json(const Departure& departure) {
    const std::string_view status = departure.status == Status::trash ? name_of(Status::trash) : sale_status(departure);
    std::optional<int> discount;
    if (departure.regular_price)
        discount = catalog::trips::PricePair{*departure.regular_price, departure.sale_price}.discount_percent();
    Value shown = Value::object({
        {"id", departure.id},
        {"trip_id", departure.trip_id},
        {"departure_date", departure.start_date},
        {"arrival_date", departure.end_date},
        {"return_date", departure.return_date.value_or(departure.end_date)},
        {"departure_time", departure.time},
        {"arrival_time", departure.arrival_time},
        {"seats_total", departure.capacity},
        {"seats_available", departure.available()},
        {"seats_reserved", departure.booked},
        {"seats_waitlist", departure.waiting},
        {"booked_seats", departure.booked},
        {"capacity_override", departure.may_be_overbooked},
        {"pricing_type", departure.pricing_type},
        {"original_price", departure.regular_price},
        {"discounted_price", departure.sale_price},
        {"discount_percentage", discount},
        {"price_types", price_types(departure)},
        {"currency", departure.currency.code()},
        {"status", status},
        {"is_blocked", departure.sale_state == SaleState::blocked},
        {"block_reason", departure.block_reason},
        {"source", source_of(departure.origin)},
        {"cutoff_date", departure.cutoff_date},
        {"cutoff_hours", departure.cutoff_hours},
        {"alert_threshold", departure.alert_threshold},
        {"guide_user_id", departure.guide_user_id},
        {"equipment_included", departure.equipment_included},
        {"special_notes", departure.special_notes},
        {"notes", departure.notes},
        {"row_version", departure.row_version},
        {"created_at", departure.created_at},
        {"updated_at", departure.updated_at},
    });
    set_places(shown, departure);
    return shown;
}

api::Schema sale_fields() {
    using namespace api;
    const Schema price{{"category_id", id(), "A traveler category.", true},
                       {"original_price", money(), "Its list price.", true, {"regular_price"}},
                       {"discounted_price", money().or_null(), "Paid instead.", false, {"sale_price"}}};
    return Schema{
        {.name = "departure_date", .type = date(), .says = "The first day.", .required = true, .also = {"start_date"}},
        {.name = "arrival_date",
         .type = date().or_null(),
         .says = "The last day; by the trip's duration when left out.",
         .also = {"end_date"}},
        {.name = "departure_time", .type = time().or_null(), .says = "When it leaves.", .also = {"time"}},
        {.name = "seats_total",
         .type = integer(1, 100'000),
         .says = "Seats.",
         .required = true,
         .also = {"max_capacity", "capacity"}},
        {.name = "original_price",
         .type = money().or_null(),
         .says = "List price of one traveler; with discounted_price it replaces both of the trip's.",
         .also = {"regular_price"}},
        {.name = "discounted_price",
         .type = money().or_null(),
         .says = "Paid instead of original_price.",
         .also = {"sale_price"}},
        {.name = "price_types",
         .type = list(object(price), 100),
         .says = "Prices by traveler category; replaces all of the date's own."},
        {.name = "is_blocked", .type = boolean(), .says = "Takes it off sale, or puts it back."},
        {.name = "status",
         .type = choice({"available", "limited", "sold_out", "closed", "cancelled", "blocked", "unavailable"}),
         .says = "available, limited and sold_out follow from the seats: each puts it on sale. cancelled takes"
                 " svc_cancel_departures."},
    }
        .plus(common_fields());
}

api::Schema sale_update_fields() {
    using namespace api;
    return {
        {"row_version", integer(1).or_null(), "The version that was read; svc_conflict when it is another by now."},
        {"trip_id", id(), "Another trip; only while nobody has booked."},
        {"cancel_bookings", boolean(),
         "With status cancelled: its bookings are cancelled too; otherwise they are flagged for a person."},
        {"reason", text(500), "Told to the customers whose bookings are cancelled.", false, {"cancellation_reason"}},
    };
}

DepartureChange sale_change_of(const Value& body) {
    DepartureChange change;
    change.by_sale_names = true;
    if (const auto day = body.maybe_text("departure_date"))
        change.start_date = Date::parse(*day);
    change.end_date = sent<Date>(body, "arrival_date");
    change.time = sent<ClockTime>(body, "departure_time");
    change.capacity = sent<int>(body, "seats_total");
    change.regular_price = sent<std::string>(body, "original_price");
    change.sale_price = sent<std::string>(body, "discounted_price");
    if (const Value* prices = body.find("price_types")) {
        change.prices.emplace();
        for (const Value& price : prices->items()) {
            const Value* lowered = price.find("discounted_price");
            change.prices->push_back(
                {price["category_id"].integer(), price["original_price"].number_text(),
                 lowered && lowered->is_number() ? std::optional(lowered->number_text()) : std::nullopt});
        }
    }
    if (const auto blocked = body.maybe_boolean("is_blocked"))
        change.sale_state = *blocked ? "blocked" : "open";
    if (const auto status = body.maybe_text("status")) {
        if (*status == "closed" || *status == "blocked" || *status == "unavailable")
            change.sale_state = *status;
        else if (*status != "cancelled")
            change.sale_state = "open";
        // A status other than cancelled reopens what was cancelled and takes it out of the trash.
        change.status = *status == "cancelled" ? "cancelled" : "upcoming";
    }
    change.trip_id = body.maybe_integer("trip_id");
    take_common(change, body);
    return change;
}

api::Type sale_answer() {
    using namespace api;
    const Schema price{{"category_id", id(), "", true},
                       {"original_price", money(), "", true},
                       {"discounted_price", money().or_null(), "", true},
                       {"effective_price", money(), "What is paid.", true}};
    return object({
        {"id", id(), "", true},
        {"trip_id", id(), "", true},
        {"departure_date", date(), "", true},
        {"arrival_date", date(), "The last day.", true},
        {"return_date", date(), "The day of the way back."},
        {"departure_time", time().or_null(), "When it leaves."},
        {"arrival_time", time().or_null(), "When it is back, on the last day."},
        {"seats_total", integer(1), "", true},
        {"seats_available", integer(0), "", true},
        {"seats_reserved", integer(0), "The same as booked_seats."},
        {"seats_waitlist", integer(0), "Seats that people wait for."},
        {"booked_seats", integer(0), "", true},
        {"capacity_override", boolean(), "Staff may have more seats booked than there are."},
        {"pricing_type", choice({"regular", "traveler_based"}).or_null(), "Null: as the trip."},
        {"original_price", money().or_null(), "List price of one traveler; null: the trip's."},
        {"discounted_price", money().or_null(), "Paid instead of original_price."},
        {"discount_percentage", integer(0, 100).or_null(), "Whole percent below original_price."},
        {"price_types", list(object(price), 100), "The date's own prices by traveler category."},
        {"currency", text(3), "Of the prices."},
        {"status",
         choice({"available", "limited", "sold_out", "closed", "cancelled", "blocked", "unavailable", "trash"}), "",
         true},
        {"is_blocked", boolean()},
        {"block_reason", text(255), "Why it is not on sale."},
        {"source", choice({"fixed", "manual", "booking_created", "recurring_rule"}), "Where it comes from."},
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
        {"row_version", integer(1), "Send it back with a change to be told of others' changes."},
        {"affected_bookings", list(id(), 100'000), "Of a cancellation: the bookings that need a person."},
        {"cancelled_bookings", integer(0), "Of a cancellation: how many of them were cancelled."},
        {"created_at", instant()},
        {"updated_at", instant()},
    });
}

}  // namespace svc::availability
