// The wire form of bookings: both spellings of a name where older clients read the second.
#include "base/sales/booking/record/wire.hpp"

#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/record/meeting.hpp"
#include "base/sales/booking/record/money_terms.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::booking {

using json::Value;

Value to_json(const Booking& b, const settings::Look& look) {
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
                          {"discount_code", b.coupon_code.empty() ? Value() : Value(b.coupon_code)},
                          {"tax_amount", b.tax},
                          {"tax_rate", b.tax_rate},
                          {"tax_inclusive", b.tax_inclusive},
                          {"services_total", b.services},
                          {"itinerary_costs_total", b.itinerary},
                          {"total", b.total},
                          {"total_amount", b.total},
                          {"amount_paid", b.amount_paid},
                          {"amount_due", b.amount_due()},
                          {"pay_by", b.pay_by},
                          {"total_formatted", look.amount(b.total)},
                          {"amount_paid_formatted", look.amount(b.amount_paid)},
                          {"amount_due_formatted", look.amount(b.amount_due())},
                          {"currency", b.total.currency().code()},
                          {"payment_method", b.payment_method},
                          {"payment_gateway", b.payment_gateway},
                          {"needs_attention", b.needs_attention},
                          {"entered_afterwards", b.entered_afterwards},
                          {"payments_unknown", b.payments_unknown},
                          {"locale", b.locale.empty() ? Value() : Value(b.locale)},
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
                          {"category_id", traveler.category_id},
                          {"fields", traveler.fields}});
}

Value to_json(const ListedTraveler& listed) {
    Value value = to_json(listed.traveler, listed.booking_id);
    value.set("booking_reference", listed.booking_reference);
    value.set("booking_status", listed.booking_status);
    value.set("trip_id", listed.trip_id);
    value.set("trip_title", listed.trip_title);
    value.set("travel_date", listed.travel_date);
    return value;
}

const api::Field& locale_field() {
    static const api::Field field{
        .name = "locale",
        .type = api::text(20).or_null(),
        .help =
            "Language of the booking's e-mails, for example de or pt-BR; null for the account's,"
            " or else the site's."};
    return field;
}

Value to_detail(const Booking& b, const std::vector<Traveler>& travelers, const std::vector<Line>& lines,
                const Particulars& particulars, const settings::Look& look) {
    Value detail = to_json(b, look);
    Value people = json::array_of(travelers, [&](const Traveler& traveler) { return to_json(traveler, b.id); });
    detail.set("travelers", std::move(people));
    Value priced = json::array_of(lines, [&](const Line& line) {
        return Value::object({{"kind", line.kind},
                              {"label", line.label},
                              {"quantity", line.quantity},
                              {"people", line.people},
                              {"pricing_mode", line.kind != "traveler" ? Value()
                                               : line.people           ? Value("per_group")
                                                                       : Value("per_person")},
                              {"unit_price", line.unit},
                              {"amount", line.amount}});
    });
    detail.set("lines", std::move(priced));
    detail.set("special_requests", b.special_requests);
    detail.set("confirmed_at", b.confirmed_at);
    detail.set("completed_at", b.completed_at);
    detail.set("cancelled_at", b.cancelled_at);
    detail.set("cancellation_reason", b.cancellation_reason);
    detail.set("cancelled_via", particulars.cancelled_via);
    detail.set("source", b.source);
    detail.set("contact_data", particulars.contact_data);
    detail.set("emergency_contact", particulars.emergency_contact);
    detail.set("newsletter_optin", particulars.newsletter_optin);
    detail.set("terms_accepted_at", particulars.terms_accepted_at);
    detail.set("verified_at", particulars.verified_at);
    detail.set("expired_at", particulars.expired_at);
    detail.set("reminder_sent_at", particulars.reminder_sent_at);
    const auto of_quote = [&](const Value& listed) { return listed.is_array() ? listed : Value::array(); };
    Value taxes = of_quote(particulars.quote["tax_calculation"]["tax_breakdown"]);
    // Under a total set by hand the tax is another than the price's.
    if (const Value& before = particulars.quote["tax_calculation"]["total_tax_amount"]; before != Value(b.tax)) {
        const auto parts = divided_tax(b.tax, taxes);
        for (std::size_t i = 0; i < parts.size(); ++i)
            taxes.items()[i].set("amount", parts[i]);
    }
    detail.set("tax_breakdown", std::move(taxes));
    detail.set("itinerary_costs", of_quote(particulars.quote["itinerary_costs"]));
    detail.set("additional_services", of_quote(particulars.quote["additional_services"]));
    const Value& dynamic = particulars.quote["dynamic_pricing"];
    detail.set("dynamic_pricing", dynamic.is_object() ? dynamic : Value());
    detail.set("form_snapshot", particulars.form);
    detail.set("meta", Value::object({{"terms_accepted_at", particulars.terms_accepted_at},
                                      {"verified_at", particulars.verified_at},
                                      {"payable_since", b.payable_since},
                                      {"reminder_sent_at", particulars.reminder_sent_at},
                                      {"expired_at", particulars.expired_at},
                                      {"cancelled_via", particulars.cancelled_via}}));
    return detail;
}

namespace {

api::Type status_answer() { return api::choice({status::all, status::all + std::size(status::all)}); }

api::Schema detail_answer() {
    using namespace api;
    using api::text;
    const Schema line{
        {.name = "kind",
         .type = text(20),
         .help = "traveler, group_discount, coupon, service, itinerary, tax or dynamic.",
         .required = true},
        {.name = "label", .type = text(255)},
        {.name = "quantity", .type = integer(0), .help = "Persons or things; groups, where pricing_mode is per_group."},
        {.name = "people", .type = integer(0).or_null(), .help = "The travelers of these groups."},
        {.name = "pricing_mode",
         .type = choice({"per_person", "per_group"}).or_null(),
         .help = "Of a line of travelers."},
        {.name = "unit_price", .type = decimal()},
        {.name = "amount", .type = decimal(), .required = true}};
    return {
        {.name = "travelers", .type = list(traveler_answer(), 10'000), .help = "The travelers."},
        {.name = "lines", .type = list(object("BookingLine", line), 1000), .help = "The price lines."},
        {.name = "special_requests", .type = raw_text(64 * 1024)},
        {.name = "confirmed_at", .type = instant().or_null()},
        {.name = "completed_at", .type = instant().or_null()},
        {.name = "cancelled_at", .type = instant().or_null()},
        {.name = "cancellation_reason", .type = text(500).or_null()},
        {.name = "cancelled_via",
         .type = text(20).or_null(),
         .help = "admin, customer, expiry, channel, refund or system."},
        {.name = "source", .type = text(20), .help = "Where the booking was created."},
        {.name = "contact_data",
         .type = map(raw_text(5000)),
         .help = "Answers to additional contact fields of the form."},
        {.name = "emergency_contact", .type = map(raw_text(5000)), .help = "Answers to the form's emergency fields."},
        {.name = "newsletter_optin", .type = boolean()},
        {.name = "terms_accepted_at", .type = instant().or_null()},
        {.name = "verified_at", .type = instant().or_null(), .help = "When the guest confirmed the e-mail address."},
        {.name = "expired_at", .type = instant().or_null(), .help = "When the booking expired for lack of payment."},
        {.name = "reminder_sent_at", .type = instant().or_null()},
        {.name = "expires_at",
         .type = instant().or_null(),
         .help = "When the booking expires unless it is paid, confirmed or accepted."},
        {.name = "meeting", .type = meeting_answer(), .help = "Where the trip begins."},
        {.name = "payment_terms",
         .type = money_terms_answer(),
         .help = "What is paid, what is due now and until when, and the rest."},
        {.name = "cancellation",
         .type = cancellation_answer().or_null(),
         .help = "What its customer agreed to about cancelling, and what it costs; null: the trip said nothing."},
        {.name = "waitlist_offer",
         .type = boolean(),
         .help = "Whether its seats came free on the waitlist and are not taken yet."},
        {.name = "tax_breakdown", .type = list(map(anything()), 100), .help = "Name, rate and amount of each tax."},
        {.name = "itinerary_costs",
         .type = list(map(anything()), 1000),
         .help = "The itinerary's charges at booking time."},
        {.name = "additional_services",
         .type = list(map(anything()), 1000),
         .help = "The additional services at booking time."},
        {.name = "dynamic_pricing",
         .type = pricing::dynamic_pricing_answer(),
         .help = "Why the travelers' prices were others than without a dynamic price, as booked; null: they were not."},
        {.name = "payments",
         .type = list(map(anything()), 10'000),
         .help = "The payments, as on /bookings/{id}/payments; staff see more members."},
        {.name = "payment_transaction_id",
         .type = text(255).or_null(),
         .help = "Transaction id of the latest payment."},
        {.name = "form_snapshot", .type = map(anything()).or_null(), .help = "The booking form at booking time."},
        {.name = "meta", .type = map(anything()), .help = "Further data, such as status reasons and timestamps."}};
}

api::Schema staff_answer() {
    using namespace api;
    using api::text;
    const Schema change{
        {.name = "from", .type = text(30), .help = "Empty for the creation."},
        {.name = "to", .type = text(30), .required = true},
        {.name = "actor", .type = text(20), .help = "system, admin, customer, gateway or channel."},
        {.name = "actor_id", .type = id().or_null()},
        {.name = "actor_name", .type = text(100).or_null(), .help = "The user's login, while the account exists."},
        {.name = "through",
         .type = text(30),
         .help = "checkout, cookie, application_password, token, link, payment, refund, departure or job."},
        {.name = "reason", .type = text(500)},
        {.name = "at", .type = instant(), .required = true}};
    return {{.name = "internal_notes", .type = raw_text(10'000)},
            {.name = "attention_reason",
             .type = text(500).or_null(),
             .help = "Why the booking needs attention; also in meta."},
            {.name = "status_log",
             .type = list(object("StatusChange", change), 10'000),
             .help = "The status changes, with who made them."}};
}

}  // namespace

api::Schema booking_row_answer() {
    using namespace api;
    using api::text;
    const Schema contact{{.name = "first_name", .type = text(100)},
                         {.name = "last_name", .type = text(100)},
                         {.name = "email", .type = text(254)},
                         {.name = "phone", .type = text(40)},
                         {.name = "country", .type = text(60)}};
    return {{.name = "id", .type = id(), .required = true},
            {.name = "reference", .type = text(32), .help = "The booking reference.", .required = true},
            {.name = "booking_number", .type = text(32), .help = "Same as reference."},
            {.name = "status", .type = status_answer(), .required = true},
            {.name = "booking_status", .type = status_answer(), .help = "Same as status."},
            {.name = "payment_status",
             .type = choice({"pending", "partial", "paid", "refunded", "failed"}),
             .required = true},
            {.name = "trip_id", .type = id()},
            {.name = "trip_title", .type = text(255), .help = "Value at booking time."},
            {.name = "trip_slug", .type = text(255), .help = "Value at booking time."},
            sometimes_sent({.name = "customer_id",
                            .type = id(),
                            .help = "Only for staff and the signed-in owner of the e-mail address."}),
            {.name = "user_id", .type = id().or_null(), .help = "The user who owns the booking; null for a guest."},
            {.name = "customer_name", .type = text(201)},
            {.name = "customer_email", .type = text(254)},
            {.name = "customer_phone", .type = text(40)},
            {.name = "contact", .type = object("Contact", contact), .help = "The contact person."},
            {.name = "travel_date", .type = date()},
            {.name = "start_date", .type = date(), .help = "Same as travel_date."},
            {.name = "end_date", .type = date()},
            {.name = "departure_time", .type = time().or_null()},
            {.name = "availability_id",
             .type = id().or_null(),
             .help = "Id of the departure whose seats the booking holds; null for none."},
            {.name = "traveler_count", .type = integer(1, 10'000)},
            {.name = "travelers_count", .type = integer(1, 10'000), .help = "Same as traveler_count."},
            {.name = "traveler_counts",
             .type = map(integer(0, 10'000)),
             .help = "Number of travelers by traveler category; key 0 without categories."},
            {.name = "subtotal", .type = money(), .help = "Sum of the traveler lines."},
            {.name = "discount_amount", .type = money()},
            {.name = "discount_code", .type = text(50).or_null(), .help = "The applied coupon code."},
            {.name = "tax_amount", .type = money()},
            {.name = "tax_rate", .type = decimal(0), .help = "Sum of the tax rates, in percent."},
            {.name = "tax_inclusive", .type = boolean(), .help = "Whether prices include tax."},
            {.name = "services_total", .type = money()},
            {.name = "itinerary_costs_total", .type = money()},
            {.name = "total", .type = money(), .required = true},
            {.name = "total_amount", .type = money(), .help = "Same as total."},
            {.name = "amount_paid", .type = money(), .help = "The sum of completed payments.", .required = true},
            {.name = "amount_due", .type = money(), .help = "The amount due now.", .required = true},
            {.name = "pay_by",
             .type = instant().or_null(),
             .help = "The deadline of its first payment, as fixed when it was made."},
            {.name = "total_formatted", .type = text(60)},
            {.name = "amount_paid_formatted", .type = text(60)},
            {.name = "amount_due_formatted", .type = text(60)},
            {.name = "currency", .type = text(3), .required = true},
            {.name = "payment_method",
             .type = choice({"full", "deposit", "partial"}),
             .help = "Payment option at checkout."},
            {.name = "payment_gateway", .type = text(50)},
            {.name = "needs_attention",
             .type = boolean(),
             .help = "The booking needs attention; attention_reason tells staff why."},
            {.name = "entered_afterwards", .type = boolean(), .help = "Created by staff after its first day."},
            {.name = "payments_unknown",
             .type = boolean(),
             .help = "Migrated without its payments, which are not known: nothing is asked for."},
            locale_field(),
            {.name = "row_version", .type = integer(1), .help = "Send it with an update to detect concurrent changes."},
            {.name = "booking_date", .type = instant(), .help = "Same as created_at."},
            {.name = "created_at", .type = instant(), .required = true},
            {.name = "updated_at", .type = instant()}};
}

api::Schema booking_answer() { return booking_row_answer().plus(detail_answer()); }

api::Schema staff_booking_answer() { return booking_answer().plus(staff_answer()); }

namespace {

api::Schema traveler_fields() {
    using namespace api;
    using api::text;
    return {{.name = "id", .type = id(), .required = true},
            {.name = "booking_id", .type = id()},
            {.name = "traveler_index", .type = integer(1), .help = "Position; 1 is the lead traveler."},
            {.name = "is_lead", .type = boolean()},
            {.name = "category_id", .type = id().or_null(), .help = "Traveler category, if given."},
            {.name = "fields", .type = map(raw_text(5000)), .help = "Answers by form field."}};
}

}  // namespace

api::Type traveler_answer() { return api::object("Traveler", traveler_fields()); }

api::Type listed_traveler_answer() {
    using namespace api;
    using api::text;
    return object("ListedTraveler", traveler_fields().plus({{.name = "booking_reference", .type = text(32)},
                                                            {.name = "booking_status", .type = text(30)},
                                                            {.name = "trip_id", .type = id()},
                                                            {.name = "trip_title", .type = text(255)},
                                                            {.name = "travel_date", .type = date()}}));
}

}  // namespace svc::booking
