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
    const Schema price{{"category_id", id(), "Id of a traveler category.", true},
                       {"original_price", money(), "List price.", true, {"regular_price"}},
                       {"discounted_price", money().or_null(), "Reduced price.", false, {"sale_price"}}};
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
    const Schema price{{"category_id", id(), "", true},
                       {"original_price", money(), "", true},
                       {"discounted_price", money().or_null(), "", true},
                       {"effective_price", money(), "The price paid.", true}};
    return object(
        "Availability",
        Schema{
            {"id", id(), "", true},
            {"trip_id", id(), "", true},
            {"departure_date", date(), "", true},
            {"arrival_date", date(), "The last day; the next day if arrival_time is before the start.", true},
            {"departure_time", time().or_null(), "Departure time."},
            {"seats_total", integer(1), "", true},
            {"seats_available", integer(0), "", true},
            {"seats_reserved", integer(0), "Same as booked_seats.", true},
            {"seats_waitlist", integer(0), "Seats requested on the waitlist."},
            {"booked_seats", integer(0), "", true},
            {"original_price", money().or_null(), "List price per traveler; null inherits from the trip."},
            {"discounted_price", money().or_null(), "Reduced price."},
            {"discount_percentage", integer(0, 100).or_null(), "Discount in whole percent."},
            {"price_types", list(object("AvailabilityPrice", price), 100), "The date's prices by traveler category."},
            {"status",
             choice({"available", "limited", "sold_out", "closed", "cancelled", "blocked", "unavailable", "trash"}), "",
             true},
            {"is_blocked", boolean()},
            {"last_synced_at", instant().or_null(), "When its seats were last verified against the bookings."},
        }
            .plus(common_answer()));
}

}  // namespace svc::availability
