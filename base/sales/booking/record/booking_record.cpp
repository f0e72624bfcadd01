// The record of a booking.
#include "base/sales/booking/record/booking_record.hpp"

namespace svc::booking {

const record::Rows<Booking>& booking_record() {
    using record::column, record::by_other, record::by_server_on_create, record::money, record::stored_as;
    constexpr auto currency = &Booking::currency;
    const auto text = api::raw_text(10'000);
    static const record::Rows<Booking> bookings{
        {.table = "svc_bookings"},
        {record::id(&Booking::id),
         column("reference", &Booking::reference, text, by_server_on_create),
         column("trip_id", &Booking::trip_id, api::id()),
         column("trip_title", &Booking::trip_title, text),
         column("trip_slug", &Booking::trip_slug, text),
         column("customer_id", &Booking::customer_id, api::id()),
         column("user_id", &Booking::user_id, api::id()),
         column("first_name", &Booking::first_name, text, stored_as("contact_first_name")),
         column("last_name", &Booking::last_name, text, stored_as("contact_last_name")),
         column("email", &Booking::email, text, stored_as("contact_email")),
         column("phone", &Booking::phone, text, stored_as("contact_phone")),
         column("country", &Booking::country, text, stored_as("contact_country")),
         column("travel_date", &Booking::travel_date, api::date()),
         column("end_date", &Booking::end_date, api::date()),
         column("departure_time", &Booking::departure_time, api::time()),
         column("travelers_count", &Booking::travelers_count, api::integer(1)),
         column("traveler_counts", &Booking::traveler_counts, api::map(api::integer(0))),
         column("currency", currency, api::text(3), by_server_on_create),
         money("subtotal", &Booking::subtotal, currency),
         money("discount", &Booking::discount, currency),
         money("services", &Booking::services, currency),
         money("itinerary", &Booking::itinerary, currency),
         money("tax", &Booking::tax, currency),
         money("total", &Booking::total, currency),
         money("pay_now", &Booking::pay_now, currency),
         money("amount_paid", &Booking::amount_paid, currency, api::money(), by_other),
         column("tax_inclusive", &Booking::tax_inclusive, api::boolean()),
         column("tax_rate", &Booking::tax_rate, api::percent(), stored_as("tax_rate_ppm")),
         column("coupon_code", &Booking::coupon_code, text),
         column("payment_method", &Booking::payment_method, text),
         column("payment_gateway", &Booking::payment_gateway, text),
         column("payment_status", &Booking::payment_status, text, by_server_on_create),
         column("status", &Booking::status, text, by_server_on_create),
         column("cancellation_reason", &Booking::cancellation_reason, text, by_other),
         column("attention_reason", &Booking::attention_reason, text, by_other),
         column("confirmed_at", &Booking::confirmed_at, api::instant(), by_server_on_create),
         column("completed_at", &Booking::completed_at, api::instant(), by_other),
         column("cancelled_at", &Booking::cancelled_at, api::instant(), by_other),
         column("needs_attention", &Booking::needs_attention, api::boolean(), by_other),
         column("special_requests", &Booking::special_requests, text),
         column("internal_notes", &Booking::internal_notes, text),
         column("source", &Booking::source, text, by_server_on_create),
         column("locale", &Booking::locale, text, by_server_on_create),
         record::row_version<Booking>(),
         record::timestamps<Booking>(),
         column("payable_since", &Booking::payable_since, api::instant(), by_other),
         column("pay_by", &Booking::pay_by, api::instant(), by_server_on_create),
         column("rest_on", &Booking::rest_on, api::date(), by_server_on_create),
         record::derived("departure_id", &Booking::departure_id,
                         "(SELECT MIN(l.departure_id) FROM svc_booking_departures l WHERE l.booking_id = r.id"
                         " AND l.released_at IS NULL)",
                         api::id()),
         column("entered_afterwards", &Booking::entered_afterwards, api::boolean(), by_server_on_create),
         column("payments_unknown", &Booking::payments_unknown, api::boolean(), by_server_on_create)}};
    return bookings;
}

}  // namespace svc::booking
