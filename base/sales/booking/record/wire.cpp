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
    static const api::Field field{"locale", api::text(20).or_null(),
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
    const Schema line{{"kind", text(20), "traveler, group_discount, coupon, service, itinerary, tax or dynamic.", true},
                      {"label", text(255)},
                      {"quantity", integer(0), "Persons or things; groups, where pricing_mode is per_group."},
                      {"people", integer(0).or_null(), "The travelers of these groups."},
                      {"pricing_mode", choice({"per_person", "per_group"}).or_null(), "Of a line of travelers."},
                      {"unit_price", decimal()},
                      {"amount", decimal(), "", true}};
    return {{"travelers", list(traveler_answer(), 10'000), "The travelers."},
            {"lines", list(object("BookingLine", line), 1000), "The price lines."},
            {"special_requests", raw_text(64 * 1024)},
            {"confirmed_at", instant().or_null()},
            {"completed_at", instant().or_null()},
            {"cancelled_at", instant().or_null()},
            {"cancellation_reason", text(500).or_null()},
            {"cancelled_via", text(20).or_null(), "admin, customer, expiry, channel, refund or system."},
            {"source", text(20), "Where the booking was created."},
            {"contact_data", map(raw_text(5000)), "Answers to additional contact fields of the form."},
            {"emergency_contact", map(raw_text(5000)), "Answers to the form's emergency fields."},
            {"newsletter_optin", boolean()},
            {"terms_accepted_at", instant().or_null()},
            {"verified_at", instant().or_null(), "When the guest confirmed the e-mail address."},
            {"expired_at", instant().or_null(), "When the booking expired for lack of payment."},
            {"reminder_sent_at", instant().or_null()},
            {"expires_at", instant().or_null(), "When the booking expires unless it is paid, confirmed or accepted."},
            {"meeting", meeting_answer(), "Where the trip begins."},
            {"payment_terms", money_terms_answer(), "What is paid, what is due now and until when, and the rest."},
            {"cancellation", cancellation_answer().or_null(),
             "What its customer agreed to about cancelling, and what it costs; null: the trip said nothing."},
            {"waitlist_offer", boolean(), "Whether its seats came free on the waitlist and are not taken yet."},
            {"tax_breakdown", list(map(anything()), 100), "Name, rate and amount of each tax."},
            {"itinerary_costs", list(map(anything()), 1000), "The itinerary's charges at booking time."},
            {"additional_services", list(map(anything()), 1000), "The additional services at booking time."},
            {"dynamic_pricing", pricing::dynamic_pricing_answer(),
             "Why the travelers' prices were others than without a dynamic price, as booked; null: they were not."},
            {"payments", list(map(anything()), 10'000),
             "The payments, as on /bookings/{id}/payments; staff see more members."},
            {"payment_transaction_id", text(255).or_null(), "Transaction id of the latest payment."},
            {"form_snapshot", map(anything()).or_null(), "The booking form at booking time."},
            {"meta", map(anything()), "Further data, such as status reasons and timestamps."}};
}

api::Schema staff_answer() {
    using namespace api;
    using api::text;
    const Schema change{{"from", text(30), "Empty for the creation."},
                        {"to", text(30), "", true},
                        {"actor", text(20), "system, admin, customer, gateway or channel."},
                        {"actor_id", id().or_null()},
                        {"actor_name", text(100).or_null(), "The user's login, while the account exists."},
                        {"through", text(30),
                         "checkout, cookie, application_password, token, link, payment, refund, departure or job."},
                        {"reason", text(500)},
                        {"at", instant(), "", true}};
    return {{"internal_notes", raw_text(10'000)},
            {"attention_reason", text(500).or_null(), "Why the booking needs attention; also in meta."},
            {"status_log", list(object("StatusChange", change), 10'000), "The status changes, with who made them."}};
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
    return {
        {"id", id(), "", true},
        {"reference", text(32), "The booking reference.", true},
        {"booking_number", text(32), "Same as reference."},
        {"status", status_answer(), "", true},
        {"booking_status", status_answer(), "Same as status."},
        {"payment_status", choice({"pending", "partial", "paid", "refunded", "failed"}), "", true},
        {"trip_id", id()},
        {"trip_title", text(255), "Value at booking time."},
        {"trip_slug", text(255), "Value at booking time."},
        sometimes_sent({"customer_id", id(), "Only for staff and the signed-in owner of the e-mail address."}),
        {"user_id", id().or_null(), "The user who owns the booking; null for a guest."},
        {"customer_name", text(201)},
        {"customer_email", text(254)},
        {"customer_phone", text(40)},
        {"contact", object("Contact", contact), "The contact person."},
        {"travel_date", date()},
        {"start_date", date(), "Same as travel_date."},
        {"end_date", date()},
        {"departure_time", time().or_null()},
        {"availability_id", id().or_null(), "Id of the departure whose seats the booking holds; null for none."},
        {"traveler_count", integer(1, 10'000)},
        {"travelers_count", integer(1, 10'000), "Same as traveler_count."},
        {"traveler_counts", map(integer(0, 10'000)),
         "Number of travelers by traveler category; key 0 without categories."},
        {"subtotal", money(), "Sum of the traveler lines."},
        {"discount_amount", money()},
        {"discount_code", text(50).or_null(), "The applied coupon code."},
        {"tax_amount", money()},
        {"tax_rate", decimal(0), "Sum of the tax rates, in percent."},
        {"tax_inclusive", boolean(), "Whether prices include tax."},
        {"services_total", money()},
        {"itinerary_costs_total", money()},
        {"total", money(), "", true},
        {"total_amount", money(), "Same as total."},
        {"amount_paid", money(), "The sum of completed payments.", true},
        {"amount_due", money(), "The amount due now.", true},
        {"pay_by", instant().or_null(), "The deadline of its first payment, as fixed when it was made."},
        {"total_formatted", text(60)},
        {"amount_paid_formatted", text(60)},
        {"amount_due_formatted", text(60)},
        {"currency", text(3), "", true},
        {"payment_method", choice({"full", "deposit", "partial"}), "Payment option at checkout."},
        {"payment_gateway", text(50)},
        {"needs_attention", boolean(), "The booking needs attention; attention_reason tells staff why."},
        {"entered_afterwards", boolean(), "Created by staff after its first day."},
        {"payments_unknown", boolean(), "Migrated without its payments, which are not known: nothing is asked for."},
        locale_field(),
        {"row_version", integer(1), "Send it with an update to detect concurrent changes."},
        {"booking_date", instant(), "Same as created_at."},
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
            {"traveler_index", integer(1), "Position; 1 is the lead traveler."},
            {"is_lead", boolean()},
            {"category_id", id().or_null(), "Traveler category, if given."},
            {"fields", map(raw_text(5000)), "Answers by form field."}};
}

}  // namespace

api::Type traveler_answer() { return api::object("Traveler", traveler_fields()); }

api::Type listed_traveler_answer() {
    using namespace api;
    using api::text;
    return object("ListedTraveler", traveler_fields().plus({{"booking_reference", text(32)},
                                                            {"booking_status", text(30)},
                                                            {"trip_id", id()},
                                                            {"trip_title", text(255)},
                                                            {"travel_date", date()}}));
}

}  // namespace svc::booking
