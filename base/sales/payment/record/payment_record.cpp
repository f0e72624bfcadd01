// The fields of payments.
#include "base/sales/payment/record/payment_record.hpp"

#include "base/sales/payment/record/intent.hpp"
#include "shared/core/words.hpp"

namespace svc::payment {

const record::Record<Payment>& payment_record() {
    using record::by_other, record::by_server, record::by_server_on_create, record::column, record::derived,
        record::stored_as;
    using Json = json::Value;
    static const auto amount = record::currency_of(&Payment::amount);
    static const record::Record<Payment> record{
        {.table = "svc_payments", .component = "Payment", .joins = "JOIN svc_bookings b ON b.id = r.booking_id"},
        {record::id(&Payment::id),
         record::computed<Payment>(
             "reference", api::text(20), [](const Payment& p) { return Json(p.reference()); }, {}, {},
             "PAY- and six digits."),
         column("booking_id", &Payment::booking_id, api::id(), by_server_on_create),
         derived("booking_reference", &Payment::booking_reference, "b.reference", api::text(32)),
         derived("customer_name", &Payment::customer_name, "TRIM(b.contact_first_name || ' ' || b.contact_last_name)",
                 api::text(201)),
         derived("customer_email", &Payment::customer_email, "b.contact_email", api::text(254)),
         derived("trip_title", &Payment::trip_title, "b.trip_title", api::text(255)),
         column("transaction_id", &Payment::transaction_id, api::text(191), by_server, "The provider's reference."),
         record::stored_text<Payment>("transaction_search",
                                      [](const Payment& p) { return text::search_key(p.transaction_id.value_or("")); }),
         column("gateway", &Payment::gateway, api::text(50), by_server),
         record::computed<Payment>(
             "method", api::text(50), [](const Payment& p) { return Json(p.gateway); }, {}, {}, "The same as gateway."),
         column("method_label", &Payment::method, api::text(100), by_server | stored_as("method"),
                "The instrument as customers know it."),
         record::money("amount", &Payment::amount, amount, api::money(), by_server),
         column("currency", amount, api::text(3), by_server_on_create),
         record::money("amount_refunded", &Payment::refunded, amount, api::money(),
                       stored_as("refunded_minor") | by_other, "The refunded amount."),
         column("status", &Payment::status, api::choice({std::begin(status::all), std::end(status::all)}), by_server),
         column("type", &Payment::type, api::choice({"initial", "partial", "final"}),
                by_server | stored_as("payment_type"), "Derived from its position among the booking's payments."),
         column("source", &Payment::source, api::text(20), by_server, "manual when staff recorded it."),
         column("date", &Payment::date, api::date(), by_server | stored_as("payment_date"), "The day of the payment."),
         column("processed_at", &Payment::processed_at, api::instant(), by_server, "When it was completed."),
         column("created_at", &Payment::created_at, api::instant(), by_server_on_create),
         column("updated_at", &Payment::updated_at, api::instant(), by_server),
         column("notes", &Payment::notes, api::raw_text(5000), by_server, "For the staff."),
         record::money("fee", &Payment::fee, amount, api::money(), by_server, "The provider's fee; staff only."),
         column(
             "reconciliation", &Payment::reconciliation, api::choice({"manual", "matched", "refund_due"}), by_server,
             "manual: recorded by staff; matched: confirmed by the provider; refund_due: not due, since the booking had"
             " ended or less was to be paid; to be refunded."),
         record::stored("customer_id", &Payment::customer_id, by_server_on_create),
         record::stored("completed_event_at", &Payment::completed_event_at, by_server_on_create),
         record::stored("recorded_by", &Payment::recorded_by),
         record::stored("intent_id", &Payment::intent_id),
         record::stored("gateway_response", &Payment::details)}};
    return record;
}

}  // namespace svc::payment
