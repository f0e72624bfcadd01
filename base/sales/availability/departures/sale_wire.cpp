// A departure as a date on sale: /availability's view of the same row.
#include "base/sales/availability/departures/wire.hpp"
#include "shared/api/named.hpp"

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
        {"arrival_date", departure.arrives_on()},
        {"departure_time", departure.time},
        {"seats_total", departure.capacity},
        {"seats_available", departure.available()},
        {"seats_reserved", departure.booked},
        {"seats_waitlist", departure.waiting},
        {"booked_seats", departure.booked},
        {"original_price", departure.regular_price},
        {"discounted_price", departure.sale_price},
        {"discount_percentage", discount},
        {"price_types", price_types(departure)},
        {"status", status},
        {"is_blocked", departure.sale_state == SaleState::blocked},
        {"last_synced_at", departure.synced_at},
    });
    set_common(shown, departure);
    return shown;
}

api::Schema sale_fields() {
    using namespace api;
    const Schema price{
        {.name = "category_id", .type = id(), .help = "Id of a traveler category.", .required = true},
        {.name = "original_price", .type = money(), .help = "List price.", .required = true, .also = {"regular_price"}},
        {.name = "discounted_price", .type = money().or_null(), .help = "Reduced price.", .also = {"sale_price"}}};
    return Schema{
        {.name = "departure_date", .type = date(), .help = "The first day.", .required = true, .also = {"start_date"}},
        {.name = "arrival_date",
         .type = date().or_null(),
         .help = "The last day; defaults to the trip's duration.",
         .also = {"end_date"}},
        {.name = "departure_time", .type = time().or_null(), .help = "Departure time.", .also = {"time"}},
        {.name = "seats_total",
         .type = integer(1, 100'000),
         .help = "Seats.",
         .required = true,
         .also = {"max_capacity", "capacity"}},
        {.name = "original_price",
         .type = money().or_null(),
         .help = "List price per traveler; together with discounted_price it replaces the trip's prices.",
         .also = {"regular_price"}},
        {.name = "discounted_price", .type = money().or_null(), .help = "Reduced price.", .also = {"sale_price"}},
        {.name = "price_types",
         .type = list(object("AvailabilityPriceInput", price), 100),
         .help = "Prices by traveler category; replaces all existing ones."},
        {.name = "is_blocked", .type = boolean(), .help = "Whether the date is blocked."},
        {.name = "status",
         .type = choice({"available", "limited", "sold_out", "closed", "cancelled", "blocked", "unavailable"}),
         .help = "available opens it. sold_out with seats left makes it unavailable; limited changes"
                 " nothing, and neither overrides another state. cancelled requires svc_cancel_departures."},
    }
        .plus(common_fields());
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
        const bool of_seats = *status == "sold_out" || *status == "limited";
        if (*status == "closed" || *status == "blocked" || *status == "unavailable")
            change.sale_state = *status;
        else if (*status == "available")
            change.sale_state = "open";
        // A status other than cancelled reopens a departure and restores it from the trash.
        if (of_seats)
            change.seats_status = *status;
        else
            change.status = *status == "cancelled" ? "cancelled" : "upcoming";
    }
    change.trip_id = body.maybe_integer("trip_id");
    take_common(change, body);
    return change;
}

api::Type sale_answer() {
    using namespace api;
    const Schema price{{.name = "category_id", .type = id(), .required = true},
                       {.name = "original_price", .type = money(), .required = true},
                       {.name = "discounted_price", .type = money().or_null(), .required = true},
                       {.name = "effective_price", .type = money(), .help = "The price paid.", .required = true}};
    return object(
        "Availability",
        Schema{
            {.name = "id", .type = id(), .required = true},
            {.name = "trip_id", .type = id(), .required = true},
            {.name = "departure_date", .type = date(), .required = true},
            {.name = "arrival_date",
             .type = date(),
             .help = "The last day; the next day if arrival_time is before the start.",
             .required = true},
            {.name = "departure_time", .type = time().or_null(), .help = "Departure time."},
            {.name = "seats_total", .type = integer(1), .required = true},
            {.name = "seats_available", .type = integer(0), .required = true},
            {.name = "seats_reserved", .type = integer(0), .help = "Same as booked_seats.", .required = true},
            {.name = "seats_waitlist", .type = integer(0), .help = "Seats requested on the waitlist."},
            {.name = "booked_seats", .type = integer(0), .required = true},
            {.name = "original_price",
             .type = money().or_null(),
             .help = "List price per traveler; null inherits from the trip."},
            {.name = "discounted_price", .type = money().or_null(), .help = "Reduced price."},
            {.name = "discount_percentage", .type = integer(0, 100).or_null(), .help = "Discount in whole percent."},
            {.name = "price_types",
             .type = list(object("AvailabilityPrice", price), 100),
             .help = "The date's prices by traveler category."},
            {.name = "status",
             .type =
                 choice({"available", "limited", "sold_out", "closed", "cancelled", "blocked", "unavailable", "trash"}),
             .required = true},
            {.name = "is_blocked", .type = boolean()},
            {.name = "last_synced_at",
             .type = instant().or_null(),
             .help = "When its seats were last verified against the bookings."},
        }
            .plus(common_answer()));
}

}  // namespace svc::availability
