// The wire form of bookings: both spellings of a name where older clients read the second.
#include "base/booking/wire.hpp"

namespace svc::booking {

using json::Value;

Value to_json(const Booking& b) {
    return Value::object({{"id", b.id},
                          {"reference", b.reference},
                          {"booking_number", b.reference},
                          {"status", b.status},
                          {"booking_status", b.status},
                          {"payment_status", b.payment_status},
                          {"trip_id", b.trip_id},
                          {"trip_title", b.trip_title},
                          {"trip_slug", b.trip_slug},
                          {"customer_id", b.customer_id},
                          {"user_id", b.user_id},
                          {"customer_name", b.customer_name()},
                          {"customer_email", b.email},
                          {"customer_phone", b.phone},
                          {"contact", Value::object({{"first_name", b.first_name},
                                                     {"last_name", b.last_name},
                                                     {"email", b.email},
                                                     {"phone", b.phone},
                                                     {"country", b.country}})},
                          {"travel_date", b.travel_date},
                          {"start_date", b.travel_date},
                          {"end_date", b.end_date},
                          {"departure_time", b.departure_time},
                          {"availability_id", b.departure_id},
                          {"traveler_count", b.travelers_count},
                          {"travelers_count", b.travelers_count},
                          {"traveler_counts", b.traveler_counts},
                          {"subtotal", b.subtotal},
                          {"discount_amount", b.discount},
                          {"tax_amount", b.tax},
                          {"tax_inclusive", b.tax_inclusive},
                          {"itinerary_costs_total", b.itinerary},
                          {"total", b.total},
                          {"total_amount", b.total},
                          {"amount_paid", b.amount_paid},
                          {"amount_due", b.amount_due()},
                          {"currency", b.total.currency().code()},
                          {"payment_method", b.payment_method},
                          {"payment_gateway", b.payment_gateway},
                          {"needs_attention", b.needs_attention},
                          {"row_version", b.row_version},
                          {"booking_date", b.created_at},
                          {"created_at", b.created_at},
                          {"updated_at", b.updated_at}});
}

Value to_json(const Traveler& traveler, std::int64_t booking_id) {
    return Value::object({{"id", traveler.id},
                          {"booking_id", booking_id},
                          {"traveler_index", traveler.index},
                          {"is_lead", traveler.is_lead},
                          {"fields", traveler.fields}});
}

Value to_detail(const Booking& b, const std::vector<Traveler>& travelers, const std::vector<Line>& lines) {
    Value detail = to_json(b);
    Value people = Value::array();
    for (const Traveler& traveler : travelers)
        people.push(to_json(traveler, b.id));
    detail.set("travelers", std::move(people));
    Value priced = Value::array();
    for (const Line& line : lines)
        priced.push(Value::object({{"kind", line.kind},
                                   {"label", line.label},
                                   {"quantity", line.quantity},
                                   {"unit_price", line.unit},
                                   {"amount", line.amount}}));
    detail.set("lines", std::move(priced));
    detail.set("special_requests", b.special_requests);
    detail.set("attention_reason", b.attention_reason);
    detail.set("confirmed_at", b.confirmed_at);
    detail.set("completed_at", b.completed_at);
    detail.set("cancelled_at", b.cancelled_at);
    detail.set("cancellation_reason", b.cancellation_reason);
    detail.set("source", b.source);
    return detail;
}

}  // namespace svc::booking
