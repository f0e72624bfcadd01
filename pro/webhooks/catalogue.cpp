// The rows of events, and the records that their messages hold.
#include "pro/webhooks/catalogue.hpp"

#include <algorithm>
#include <array>

#include "pro/webhooks/payload.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::webhooks {
namespace {

constexpr std::string_view booking = "booking", payment = "payment", scheduled = "scheduled_payment",
                           account = "account";

constexpr std::array all{
    Event{"booking.created", "Booking created", "A booking was made, and its address is confirmed if it has to be.",
          "svc_booking_created", booking},
    Event{"booking.confirmed", "Booking confirmed", "Staff or a payment confirmed a booking.", "svc_booking_confirmed",
          booking},
    Event{"booking.completed", "Booking completed", "The trip of a booking is over.", "svc_booking_completed", booking},
    Event{"booking.cancelled", "Booking cancelled", "A booking was cancelled, by any cause.", "svc_booking_cancelled",
          booking},
    Event{"booking.expired", "Booking expired", "An unpaid booking was cancelled when its time to pay was over.",
          "svc_booking_expired", booking},
    Event{"payment.received", "Payment received", "A payment settled the balance of a booking.",
          "svc_payment_completed", payment},
    Event{"payment.partial_received", "Part payment received", "A deposit or another part of the total was paid.",
          "svc_payment_completed", payment},
    Event{"scheduled.payment.succeeded", "Scheduled payment charged", "A planned charge was paid.",
          "svc_scheduled_payment_success", scheduled},
    Event{"scheduled.payment.failed", "Scheduled payment failed", "A planned charge was declined.",
          "svc_scheduled_payment_failed", scheduled},
    Event{"account.email_verification", "Address to be verified", "Somebody has to confirm an e-mail address.",
          "svc_account_verification_due", account},
    Event{"account.email_change_request", "Change of address requested", "An account asked for another address.",
          "svc_account_email_change_due", account},
    Event{"account.email_changed", "Address changed", "An account has another address.", "svc_account_email_changed",
          account}};

using api::Field;

api::Schema booking_schema() {
    using namespace api;
    using api::text;
    return Schema{{.name = "id", .type = id()},
                  {.name = "reference", .type = text(64)},
                  {.name = "status", .type = text(40)},
                  {.name = "payment_status", .type = text(40)},
                  {.name = "trip_id", .type = id().or_null()},
                  {.name = "trip_title", .type = text(255)},
                  {.name = "customer_id", .type = id().or_null()},
                  {.name = "customer_name", .type = text(255)},
                  {.name = "customer_email", .type = text(255)},
                  {.name = "customer_phone", .type = text(64)},
                  {.name = "travel_date", .type = date()},
                  {.name = "end_date", .type = date().or_null()},
                  {.name = "travelers_count", .type = integer(0)},
                  {.name = "total", .type = money()},
                  {.name = "amount_paid", .type = decimal()},
                  {.name = "amount_due", .type = money()},
                  {.name = "currency", .type = text(3)},
                  {.name = "created_at", .type = instant()},
                  {.name = "updated_at", .type = instant()},
                  {.name = "cancellation",
                   .type = map(anything()).or_null(),
                   .help = "What the customer agreed to about cancelling, and what it costs, as in the booking's"
                           " answer; null: nothing is agreed."},
                  {.name = "answers",
                   .type = map(anything()),
                   .help = "While Dynamic form fields is on: answers to the booking form by contact, emergency and"
                           " travelers. Sealed ones are left out; withheld names them."}}
        .named("WebhookBooking");
}

api::Schema payment_schema() {
    using namespace api;
    using api::text;
    return Schema{{.name = "id", .type = id()},
                  {.name = "booking_id", .type = id()},
                  {.name = "amount", .type = decimal()},
                  {.name = "currency", .type = text(3)},
                  {.name = "status", .type = text(40)},
                  {.name = "payment_type", .type = text(40)},
                  {.name = "fully_paid", .type = boolean()},
                  {.name = "amount_due", .type = money()}}
        .named("WebhookPayment");
}

api::Schema scheduled_schema() {
    using namespace api;
    return Schema{{.name = "scheduled_payment_id", .type = id().referring_to("scheduled-payments")},
                  {.name = "booking_id", .type = id()}}
        .named("WebhookScheduledPayment");
}

api::Schema account_schema() {
    using namespace api;
    using api::text;
    return Schema{{.name = "id", .type = id()},
                  {.name = "name", .type = text(255)},
                  {.name = "email", .type = text(255)},
                  {.name = "new_email", .type = text(255)}}
        .named("WebhookAccount");
}

api::Schema data_schema(const Event& event) {
    const Field of_booking{.name = "booking", .type = api::object(booking_schema())};
    const Field cut{.name = "truncated",
                    .type = api::boolean(),
                    .help = "true: the message would have been too long; each record has its id alone."};
    if (event.entity == booking)
        return api::Schema{of_booking, cut}.named("WebhookBookingData");
    if (event.entity == payment)
        return api::Schema{{.name = "payment", .type = api::object(payment_schema())}, of_booking, cut}.named(
            "WebhookPaymentData");
    if (event.entity == scheduled)
        return api::Schema{{.name = "scheduled_payment", .type = api::object(scheduled_schema())}, of_booking, cut}
            .named("WebhookScheduledPaymentData");
    return api::Schema{{.name = "account", .type = api::object(account_schema())}, of_booking, cut}.named(
        "WebhookAccountData");
}

}  // namespace

std::span<const Event> events() { return all; }

const Event* find_event(std::string_view key) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Event& event) { return event.key == key; });
    return found == all.end() ? nullptr : &*found;
}

api::Schema message_schema(const Event& event) {
    std::string name = "Webhook";
    bool is_first = true;
    for (const char c : event.key) {
        if (c != '.' && c != '_')
            name += is_first ? static_cast<char>(c & ~32) : c;
        is_first = c == '.' || c == '_';
    }
    const api::Schema schema{
        {.name = "id", .type = api::text(64), .help = "The same in webhook-id; one event has one.", .required = true},
        {.name = "type", .type = api::choice({std::string(event.key)}), .required = true},
        {.name = "timestamp", .type = api::instant(), .help = "The same as occurred_at.", .required = true},
        {.name = "api_version", .type = api::choice({std::string(api_version)}), .required = true},
        {.name = "occurred_at", .type = api::instant(), .required = true},
        {.name = "data", .type = api::object(data_schema(event)), .required = true}};
    return schema.named(name);
}

json::Value openapi_webhooks() {
    json::Value webhooks = json::Value::object();
    for (const Event& event : all) {
        json::Value content = json::Value::object(
            {{"application/json", json::Value::object({{"schema", message_schema(event).json_schema()}})}});
        json::Value operation = json::Value::object(
            {{"summary", event.description},
             {"description",
              "Sent to each endpoint that takes this event, signed in the form of Standard Webhooks: webhook-id,"
              " webhook-timestamp and webhook-signature. An endpoint may have left out members of data."},
             {"requestBody", json::Value::object({{"required", true}, {"content", std::move(content)}})},
             {"responses", json::Value::object(
                               {{"2XX", json::Value::object(
                                            {{"description", "The message has arrived; it is not sent again."}})}})}});
        webhooks.set(std::string(event.key), json::Value::object({{"post", std::move(operation)}}));
    }
    return webhooks;
}

json::Value example_of(const Event& event) {
    json::Value example = message_schema(event).sample();
    json::Value data = example["data"];
    data.erase("truncated");
    return example.set("data", std::move(data));
}

}  // namespace svc::pro::webhooks
