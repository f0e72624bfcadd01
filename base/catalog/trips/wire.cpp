// A trip's members on the wire, older spellings included.
#include "base/catalog/trips/wire.hpp"

#include "base/catalog/trips/hooks.hpp"

namespace svc::catalog::trips {
namespace {

std::string duration_label(const Trip& trip) {
    const auto counted = [](int count, const char* one, const char* many) {
        return std::to_string(count) + " " + (count == 1 ? one : many);
    };
    if (trip.duration_hours)
        return counted(*trip.duration_hours, "hour", "hours");
    if (trip.duration_days <= 1)
        return "1 day";
    return counted(trip.duration_days, "day", "days") + " / " + counted(trip.duration_nights, "night", "nights");
}

template <class T>
std::optional<T> read(const json::Value& value) {
    if (value.is_null())
        return std::nullopt;
    if constexpr (std::is_same_v<T, int>)
        return static_cast<int>(value.integer());
    else if constexpr (std::is_same_v<T, Date> || std::is_same_v<T, ClockTime>)
        return T::parse(value.text());
    else
        return value.number_text();
}

template <class T>
Sent<T> sent(const json::Value& body, std::string_view name) {
    const json::Value* value = body.find(name);
    return value ? Sent<T>(read<T>(*value)) : std::nullopt;
}

// A text, null clears it.
std::optional<std::string> sent_text(const json::Value& body, std::string_view name) {
    const json::Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    return value->is_null() ? std::string() : value->text();
}

}  // namespace

Display display_of(const Trip& trip, const hooks::Hooks& hooks) {
    const PricePair pair = price_of(trip);
    Display display{pair.effective(), pair.discount_percent(), "per_person", {}};
    const auto shown = hooks.apply(trip_display_price, display.price, {trip.id});
    if (auto price = Money::parse(shown.number_text(), trip.currency); price)
        display.price = price->is_negative() ? Money::zero(trip.currency) : *price;
    display.unit_label = hooks.apply(price_unit_label, "per person", {display.unit, json::Value()}).text();
    return display;
}

json::Value public_json(const Trip& trip, const Display& display) {
    return json::Value::object({
        {"id", trip.id},
        {"title", trip.title},
        {"slug", trip.slug},
        {"status", name_of(trip.status)},
        {"summary", trip.summary},
        {"short_description", trip.summary},
        {"description", trip.description},
        {"trip_type", name_of(trip.type)},
        {"duration", trip.duration_days},
        {"duration_days", trip.duration_days},
        {"duration_nights", trip.duration_nights},
        {"duration_hours", trip.duration_hours},
        {"duration_label", duration_label(trip)},
        {"pricing_type", "regular"},
        {"currency", trip.currency.code()},
        {"regular_price", trip.regular_price},
        {"original_price", trip.regular_price},
        {"discounted_price", trip.discounted_price},
        {"sale_price", trip.sale_price},
        {"display_price", display.price},
        {"discount_percent", display.discount_percent},
        {"price_unit", display.unit},
        {"price_unit_label", display.unit_label},
        {"deposit_amount", trip.deposit_amount},
        {"deposit_percentage", trip.deposit_percentage},
        {"payment_terms", trip.payment_terms},
        {"min_travelers", trip.min_travelers},
        {"max_travelers", trip.max_travelers},
        {"available_from", trip.available_from},
        {"available_to", trip.available_to},
        {"booking_deadline_hours", trip.booking_deadline_hours},
        {"departure_time", trip.departure_time},
        {"created_at", trip.created_at},
        {"updated_at", trip.updated_at},
    });
}

json::Value staff_json(const Trip& trip, const Display& display) {
    auto value = public_json(trip, display);
    value.set("row_version", trip.row_version);
    value.set("created_by", trip.created_by);
    value.set("updated_by", trip.updated_by);
    value.set("deleted_at", trip.deleted_at);
    return value;
}

api::Schema trip_fields() {
    using namespace api;
    return {
        {.name = "title", .type = text(255), .says = "What the trip is called.", .required = true},
        {.name = "slug", .type = text(200), .says = "The trip's part of its page's address; made from the title."},
        {.name = "summary",
         .type = text(500).or_null(),
         .says = "A plain sentence or two.",
         .also = {"short_description"}},
        {.name = "description", .type = raw_text(64 * 1024).or_null(), .says = "Plain text; markup has no meaning."},
        {.name = "trip_type",
         .type = choice({"single_day", "multi_day", "flexible"}),
         .says = "Follows the duration when left out on create; flexible is read as multi_day."},
        {.name = "duration", .type = integer(0, 365).or_null(), .says = "Days.", .also = {"duration_days"}},
        {.name = "duration_nights", .type = integer(0, 365).or_null(), .says = "One less than the days unless given."},
        {.name = "duration_hours",
         .type = integer(-1'000'000, 1'000'000).or_null(),
         .says = "1 to 24, for a trip of one day; 0 and less clear it."},
        {.name = "regular_price",
         .type = money().or_null(),
         .says = "The list price of one traveler.",
         .also = {"original_price"}},
        {.name = "discounted_price", .type = money().or_null(), .says = "Paid instead while it is above 0."},
        {.name = "sale_price", .type = money().or_null(), .says = "Paid instead when there is no discounted price."},
        {.name = "deposit_amount",
         .type = money().or_null(),
         .says = "Flat deposit of a booking; empty inherits, 0 is no deposit."},
        {.name = "deposit_percentage", .type = percent().or_null(), .says = "The same as a share of the total."},
        {.name = "payment_terms", .type = raw_text(64 * 1024).or_null(), .says = "Plain text shown with the price."},
        {.name = "min_travelers", .type = integer(1, 100'000).or_null(), .says = "Fewest travelers of a booking."},
        {.name = "max_travelers", .type = integer(1, 100'000).or_null(), .says = "Seats of a date; empty is 20."},
        {.name = "available_from", .type = date().or_null(), .says = "First day that can be booked."},
        {.name = "available_to", .type = date().or_null(), .says = "Last day that can be booked."},
        {.name = "booking_deadline_hours",
         .type = integer(0, 8760).or_null(),
         .says = "Bookings close this many hours before the start.",
         .also = {"booking_deadline"}},
        {.name = "departure_time", .type = time().or_null(), .says = "The usual time of departure."},
        {.name = "status",
         .type = choice({writable_statuses.begin(), writable_statuses.end()}),
         .says = "Publishing and every other change of it needs svc_publish_trips."},
    };
}

TripChange change_of(const json::Value& body) {
    TripChange change;
    change.title = sent_text(body, "title");
    change.slug = sent_text(body, "slug");
    change.summary = sent_text(body, "summary");
    change.description = sent_text(body, "description");
    change.payment_terms = sent_text(body, "payment_terms");
    change.status = body.maybe_text("status");
    change.trip_type = body.maybe_text("trip_type");
    change.duration = sent<int>(body, "duration");
    change.duration_nights = sent<int>(body, "duration_nights");
    change.duration_hours = sent<int>(body, "duration_hours");
    change.regular_price = sent<std::string>(body, "regular_price");
    change.discounted_price = sent<std::string>(body, "discounted_price");
    change.sale_price = sent<std::string>(body, "sale_price");
    change.deposit_amount = sent<std::string>(body, "deposit_amount");
    change.deposit_percentage = sent<std::string>(body, "deposit_percentage");
    change.min_travelers = sent<int>(body, "min_travelers");
    change.max_travelers = sent<int>(body, "max_travelers");
    change.available_from = sent<Date>(body, "available_from");
    change.available_to = sent<Date>(body, "available_to");
    change.booking_deadline_hours = sent<int>(body, "booking_deadline_hours");
    change.departure_time = sent<ClockTime>(body, "departure_time");
    change.row_version = body.maybe_integer("row_version");
    return change;
}

api::Type trip_answer() {
    using namespace api;
    return object({
        {.name = "id", .type = id(), .required = true},
        {.name = "title", .type = text(255), .required = true},
        {.name = "slug", .type = text(220), .required = true},
        {.name = "status", .type = text(20), .required = true},
        {.name = "summary", .type = text(500)},
        {.name = "description", .type = raw_text(64 * 1024)},
        {.name = "trip_type", .type = choice({"single_day", "multi_day"})},
        {.name = "duration", .type = integer(0, 365)},
        {.name = "duration_nights", .type = integer(0, 365)},
        {.name = "duration_hours", .type = integer(1, 24).or_null()},
        {.name = "currency", .type = text(3)},
        {.name = "regular_price", .type = money()},
        {.name = "discounted_price", .type = money().or_null()},
        {.name = "sale_price", .type = money().or_null()},
        {.name = "display_price", .type = money(), .says = "What a traveler pays."},
        {.name = "price_unit", .type = choice({"per_person", "per_group"})},
        {.name = "price_unit_label", .type = text(200)},
        {.name = "deposit_amount", .type = money().or_null()},
        {.name = "deposit_percentage", .type = percent().or_null()},
        {.name = "min_travelers", .type = integer(1)},
        {.name = "max_travelers", .type = integer(1).or_null()},
        {.name = "row_version", .type = integer(1), .says = "For If-Match; staff only."},
    });
}

}  // namespace svc::catalog::trips
