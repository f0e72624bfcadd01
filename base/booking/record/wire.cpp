// The wire form of bookings: both spellings of a name where older clients read the second.
#include "base/booking/record/wire.hpp"

#include "base/booking/record/price.hpp"
#include "base/pricing/wire.hpp"

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
                          {"total_formatted", look.amount(b.total)},
                          {"amount_paid_formatted", look.amount(b.amount_paid)},
                          {"amount_due_formatted", look.amount(b.amount_due())},
                          {"currency", b.total.currency().code()},
                          {"payment_method", b.payment_method},
                          {"payment_gateway", b.payment_gateway},
                          {"needs_attention", b.needs_attention},
                          {"entered_afterwards", b.entered_afterwards},
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

Value to_detail(const Booking& b, const std::vector<Traveler>& travelers, const std::vector<Line>& lines,
                const Particulars& particulars, const settings::Look& look) {
    Value detail = to_json(b, look);
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
    const Schema line{{"kind", text(20), "traveler, group_discount, coupon, service, itinerary, tax or dynamic.", true},
                      {"label", text(255)},
                      {"quantity", integer(0)},
                      {"unit_price", decimal()},
                      {"amount", decimal(), "", true}};
    return {{"travelers", list(traveler_answer(), 10'000), "Who travels."},
            {"lines", list(object(line), 1000), "What the price is made of."},
            {"special_requests", raw_text(64 * 1024)},
            {"confirmed_at", instant().or_null()},
            {"completed_at", instant().or_null()},
            {"cancelled_at", instant().or_null()},
            {"cancellation_reason", text(500).or_null()},
            {"cancelled_via", text(20).or_null(), "admin, customer, expiry, channel, refund or system."},
            {"source", text(20), "Where it was made."},
            {"contact_data", map(raw_text(5000)), "Answers to the form's further contact fields."},
            {"emergency_contact", map(raw_text(5000)), "Answers to the form's emergency fields."},
            {"newsletter_optin", boolean()},
            {"terms_accepted_at", instant().or_null()},
            {"verified_at", instant().or_null(), "When a guest's address was proven."},
            {"expired_at", instant().or_null(), "When it was cancelled for want of payment."},
            {"reminder_sent_at", instant().or_null()},
            {"expires_at", instant().or_null(), "When it ends by itself unless it is paid, proven or taken up."},
            {"tax_breakdown", list(map(anything()), 100), "name, rate and amount of each tax."},
            {"itinerary_costs", list(map(anything()), 1000), "What the itinerary charged, as it was then."},
            {"additional_services", list(map(anything()), 1000), "What was bought besides, as it was then."},
            {"payments", list(map(anything()), 10'000), "As on /bookings/{id}/payments; of each, staff see more."},
            {"payment_transaction_id", text(255).or_null(), "Of the latest payment."},
            {"form_snapshot", map(anything()).or_null(), "What was asked when it was made."},
            {"meta", map(anything()), "What else is kept of its life, in one place."}};
}

api::Schema staff_answer() {
    using namespace api;
    using api::text;
    const Schema change{{"from", text(30), "Empty: it was made."},
                        {"to", text(30), "", true},
                        {"actor", text(20), "system, admin, customer, gateway or channel."},
                        {"actor_id", id().or_null()},
                        {"actor_name", text(100).or_null(), "Their login, while they have an account."},
                        {"through", text(30),
                         "checkout, cookie, application_password, token, link, payment, refund, departure or job."},
                        {"reason", text(500)},
                        {"at", instant(), "", true}};
    return {{"internal_notes", raw_text(10'000)},
            {"attention_reason", text(500).or_null(), "Why a person should look at it; in meta too."},
            {"status_log", list(object(change), 10'000), "Who changed the status."}};
}

}  // namespace

api::Schema booking_row_answer() {
    using namespace api;
    using api::text;
    const Schema contact{{"first_name", text(100)},
                         {"last_name", text(100)},
                         {"email", text(254)},
                         {"phone", text(40)},
                         {"country", text(60)}};
    return {{"id", id(), "", true},
            {"reference", text(32), "The booking's code.", true},
            {"booking_number", text(32), "The same as reference."},
            {"status", status_answer(), "", true},
            {"booking_status", status_answer(), "The same as status."},
            {"payment_status", choice({"pending", "partial", "paid", "refunded", "failed"}), "", true},
            {"trip_id", id()},
            {"trip_title", text(255), "As it was when booked."},
            {"trip_slug", text(255), "As it was when booked."},
            {"customer_id", id(), "For staff, and the signed-in owner of the address alone."},
            {"user_id", id().or_null(), "Who was signed in; null for a guest."},
            {"customer_name", text(201)},
            {"customer_email", text(254)},
            {"customer_phone", text(40)},
            {"contact", object(contact), "Who booked."},
            {"travel_date", date()},
            {"start_date", date(), "The same as travel_date."},
            {"end_date", date()},
            {"departure_time", time().or_null()},
            {"availability_id", id().or_null(), "The departure whose seats it holds; null when it holds none."},
            {"traveler_count", integer(1, 10'000)},
            {"travelers_count", integer(1, 10'000), "The same as traveler_count."},
            {"traveler_counts", map(integer(0, 10'000)), "By traveler category; 0 is everybody."},
            {"subtotal", money(), "Of the travelers."},
            {"discount_amount", money()},
            {"discount_code", text(50).or_null(), "The code that counted."},
            {"tax_amount", money()},
            {"tax_rate", decimal(0), "Of all taxes together, in percent."},
            {"tax_inclusive", boolean(), "Whether the prices hold the tax."},
            {"services_total", money()},
            {"itinerary_costs_total", money()},
            {"total", money(), "", true},
            {"total_amount", money(), "The same as total."},
            {"amount_paid", money(), "The sum of completed payments.", true},
            {"amount_due", money(), "What can be asked for now.", true},
            {"total_formatted", text(60)},
            {"amount_paid_formatted", text(60)},
            {"amount_due_formatted", text(60)},
            {"currency", text(3), "", true},
            {"payment_method", choice({"full", "deposit", "partial"}), "How much is paid at checkout."},
            {"payment_gateway", text(50)},
            {"needs_attention", boolean(), "A person should look at it; staff see why in attention_reason."},
            {"entered_afterwards", boolean(), "Staff made it when its first day was over."},
            {"row_version", integer(1), "Send it back with a change to be told of others' changes."},
            {"booking_date", instant(), "The same as created_at."},
            {"created_at", instant(), "", true},
            {"updated_at", instant()}};
}

api::Schema booking_answer() { return booking_row_answer().plus(detail_answer()); }

api::Schema staff_booking_answer() { return booking_answer().plus(staff_answer()); }

namespace {

api::Schema traveler_fields() {
    using namespace api;
    using api::text;
    return {{"id", id(), "", true},
            {"booking_id", id()},
            {"traveler_index", integer(1), "The first is the lead."},
            {"is_lead", boolean()},
            {"category_id", id().or_null(), "Their traveler category, where it was told."},
            {"fields", map(raw_text(5000)), "What was asked of them, by the form's fields."}};
}

}  // namespace

api::Type traveler_answer() { return api::object(traveler_fields()); }

api::Type listed_traveler_answer() {
    using namespace api;
    using api::text;
    return object(traveler_fields().plus({{"booking_reference", text(32)},
                                          {"booking_status", text(30)},
                                          {"trip_id", id()},
                                          {"trip_title", text(255)},
                                          {"travel_date", date()}}));
}

}  // namespace svc::booking
