// What staff send of a booking that they make or change.
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

// A booking can be brought to one of these; on_hold is read as on-hold.
std::vector<std::string> names_of_statuses() {
    std::vector<std::string> names{status::all, status::all + std::size(status::all)};
    names.emplace_back("on_hold");
    return names;
}

}  // namespace

api::Schema by_hand_fields() {
    constexpr std::int64_t most = 1'000'000'000;
    const api::Schema charge{{.name = "id", .type = api::id().or_null(), .help = "Id of the itinerary entry."},
                             {.name = "name", .type = api::text(255, 1), .required = true},
                             {.name = "price",
                              .type = api::decimal(0, most),
                              .help = "Price for one person or for the booking, see price_per."},
                             {.name = "price_per",
                              .type = api::choice({"person", "booking"}),
                              .help = "The unit of the price; default booking."},
                             {.name = "total_cost",
                              .type = api::decimal(0, most),
                              .help = "Total for all travelers; computed from price when absent."},
                             {.name = "day_number", .type = api::integer(1, 10'000).or_null()}};
    return {
        {.name = "itinerary_costs",
         .type = api::list(api::object("ItineraryCharge", charge), 200).or_null(),
         .help = "Replaces the itinerary's charges; taxed like them. On existing bookings only with recalculate."},
        {.name = "tax_rate",
         .type = api::percent().or_null(),
         .help = "One tax rate instead of the site's taxes. On existing bookings only with recalculate."},
        {.name = "tax_amount",
         .type = api::money().or_null(),
         .help = "The tax amount; included in the total if prices include tax. On existing bookings only with"
                 " recalculate."},
        {.name = "tax_inclusive",
         .type = api::boolean(),
         .help =
             "Whether prices include tax; overrides the site's setting. On existing bookings only with recalculate."}};
}

api::Schema contact_fields() {
    const api::Schema contact{{.name = "first_name", .type = api::text(100).or_null()},
                              {.name = "last_name", .type = api::text(100).or_null()},
                              {.name = "email", .type = api::email().or_null()},
                              {.name = "phone", .type = api::text(40).or_null()},
                              {.name = "country", .type = api::text(60).or_null()}};
    return {
        {.name = "contact",
         .type = api::object("ContactInput", contact).or_null(),
         .help = "The contact as returned with a booking. Changed contact_* fields take precedence."},
        {.name = "booking_status",
         .type = api::choice(names_of_statuses()),
         .help = "Same as status, which takes precedence when it differs from the stored one."},
        {.name = "contact_first_name", .type = api::text(100), .also = {"customer_first_name"}},
        {.name = "contact_last_name", .type = api::text(100), .also = {"customer_last_name"}},
        {.name = "contact_email",
         .type = api::email(),
         .help = "Changing it revokes the guest's tokens.",
         .also = {"customer_email"}},
        {.name = "contact_phone", .type = api::text(40).or_null(), .also = {"customer_phone"}},
        {.name = "contact_country", .type = api::text(60).or_null()},
        {.name = "special_requests", .type = api::raw_text(64 * 1024).or_null(), .help = "Requests from the customer."},
        {.name = "internal_notes",
         .type = api::raw_text(10'000).or_null(),
         .help = "Notes for staff; not shown to customers."},
        {.name = "travelers",
         .type = api::list(api::map(api::anything()), 1000).or_null(),
         .help = "The travelers, lead traveler first; replaces all of them; at most travelers_count."},
        {.name = "contact_data",
         .type = api::map(api::anything()),
         .help = "Answers to the form's contact fields, by field id."},
        {.name = "emergency_contact",
         .type = api::map(api::anything()),
         .help = "Answers to the form's emergency fields, by field id."},
        {.name = "payment_gateway", .type = api::text(50), .help = "Id of a gateway."},
        {.name = "amount_paid",
         .type = api::money().or_null(),
         .help = "The amount paid so far; the part not yet recorded is stored as a manual payment."},
        {.name = "payment_status",
         .type = api::choice({"pending", "partial", "paid", "refunded", "failed"}).or_null(),
         .help = "paid records a payment of the balance; other values are derived from payments."},
        {.name = "total",
         .type = api::money().or_null(),
         .help = "Overrides the computed total; the difference becomes a separate price line.",
         .also = {"manual_total", "total_amount"}},
        {.name = "status",
         .type = set_by_staff(api::choice(names_of_statuses())),
         .help = "New status, if the transition is allowed; needs svc_change_booking_status."}};
}

api::Schema party_fields() {
    return choice_fields().changed([](api::Field& field) {
        if (field.name == "travelers_count")
            field.also = {"traveler_count"};
        if (field.name == "travel_date")
            field.also = {"departure_date"};
        if (field.name == "coupon_code")
            field.also = {"discount_code"};
        if (field.name == "coupon_code" || field.name == "country")  // null, as in a booking without it
            field.type = field.type.or_null();
    });
}

}  // namespace svc::booking
