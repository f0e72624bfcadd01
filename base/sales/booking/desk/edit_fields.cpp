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
    const api::Schema charge{
        {"id", api::id().or_null(), "Id of the itinerary entry."},
        {"name", api::text(255, 1), "", true},
        {"price", api::decimal(0, most), "Price for one person or for the booking, see price_per."},
        {"price_per", api::choice({"person", "booking"}), "The unit of the price; default booking."},
        {"total_cost", api::decimal(0, most), "Total for all travelers; computed from price when absent."},
        {"day_number", api::integer(1, 10'000).or_null(), ""}};
    return {{"itinerary_costs", api::list(api::object("ItineraryCharge", charge), 200).or_null(),
             "Replaces the itinerary's charges; taxed like them. On existing bookings only with recalculate."},
            {"tax_rate", api::percent().or_null(),
             "One tax rate instead of the site's taxes. On existing bookings only with recalculate."},
            {"tax_amount", api::money().or_null(),
             "The tax amount; included in the total if prices include tax. On existing bookings only with"
             " recalculate."},
            {"tax_inclusive", api::boolean(),
             "Whether prices include tax; overrides the site's setting. On existing bookings only with recalculate."}};
}

api::Schema contact_fields() {
    const api::Schema contact{{"first_name", api::text(100).or_null(), ""},
                              {"last_name", api::text(100).or_null(), ""},
                              {"email", api::email().or_null(), ""},
                              {"phone", api::text(40).or_null(), ""},
                              {"country", api::text(60).or_null(), ""}};
    return {{"contact", api::object("ContactInput", contact).or_null(),
             "The contact as returned with a booking. Changed contact_* fields take precedence."},
            {"booking_status", api::choice(names_of_statuses()),
             "Same as status, which takes precedence when it differs from the stored one."},
            {"contact_first_name", api::text(100), "", false, {"customer_first_name"}},
            {"contact_last_name", api::text(100), "", false, {"customer_last_name"}},
            {"contact_email", api::email(), "Changing it revokes the guest's tokens.", false, {"customer_email"}},
            {"contact_phone", api::text(40).or_null(), "", false, {"customer_phone"}},
            {"contact_country", api::text(60).or_null(), ""},
            {"special_requests", api::raw_text(64 * 1024).or_null(), "Requests from the customer."},
            {"internal_notes", api::raw_text(10'000).or_null(), "Notes for staff; not shown to customers."},
            {"travelers", api::list(api::map(api::anything()), 1000).or_null(),
             "The travelers, lead traveler first; replaces all of them; at most travelers_count."},
            {"contact_data", api::map(api::anything()), "Answers to the form's contact fields, by field id."},
            {"emergency_contact", api::map(api::anything()), "Answers to the form's emergency fields, by field id."},
            {"payment_gateway", api::text(50), "Id of a gateway."},
            {"amount_paid", api::money().or_null(),
             "The amount paid so far; the part not yet recorded is stored as a manual payment."},
            {"payment_status", api::choice({"pending", "partial", "paid", "refunded", "failed"}).or_null(),
             "paid records a payment of the balance; other values are derived from payments."},
            {"total",
             api::money().or_null(),
             "Overrides the computed total; the difference becomes a separate price line.",
             false,
             {"manual_total", "total_amount"}},
            {"status", set_by_staff(api::choice(names_of_statuses())),
             "New status, if the transition is allowed; needs svc_change_booking_status."}};
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
