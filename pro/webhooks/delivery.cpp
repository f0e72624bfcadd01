// Declares the record of deliveries.
#include "pro/webhooks/delivery.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;

Value object_in(const std::string& text) {
    auto value = json::parse(text);
    return value ? std::move(*value) : Value::object();
}

}  // namespace

const record::Record<Delivery>& delivery_record() {
    using namespace record;
    using D = Delivery;
    static const Record<D> delivery{
        {.table = "svc_webhook_deliveries",
         .component = "WebhookDelivery",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"next_attempt_at", {"r.next_attempt_at"}}},
         .default_sort = "id",
         .conditions = {{"endpoint_id", "r.endpoint_id = :endpoint_id"}, {"event_key", "r.event_key = :event_key"}}},
        {id(&D::id),
         column("endpoint_id", &D::endpoint_id, api::id().referring_to("webhooks/endpoints"), by_server),
         derived("endpoint_name", &D::endpoint_name,
                 "(SELECT e.name FROM svc_webhook_endpoints e WHERE e.id = r.endpoint_id)", api::text(190)),
         column("event_key", &D::event_key, api::text(64), by_server),
         column("delivery_id", &D::delivery_id, api::text(64), by_server, "Sent as X-Svc-Delivery."),
         column("event_id", &D::event_uid, api::text(64), by_server | stored_as("event_uid"),
                "Sent as webhook-id: the same in each delivery of the event."),
         column("subject_type", &D::subject_type, api::text(40), by_server),
         column("subject_id", &D::subject_id, api::integer(0), by_server),
         stored("lane", &D::lane),
         stored("payload", &D::payload),
         column("status", &D::status, api::choice({"queued", "delivering", "delivered", "failed", "permanent_failure"}),
                by_server | sortable, "failed: there is another attempt at next_attempt_at."),
         column("attempts", &D::attempts, api::integer(0), by_server),
         column("next_attempt_at", &D::next_attempt_at, api::instant(), by_server),
         stored("claimed_until", &D::claimed_until),
         column("http_status", &D::http_status, api::integer(0), by_server),
         column("duration_ms", &D::duration_ms, api::integer(0), by_server),
         column("error_message", &D::error_message, api::text(500), by_server),
         stored("request_headers", &D::request_headers),
         stored("response_headers", &D::response_headers),
         stored("response_body", &D::response_body),
         column("created_at", &D::created_at, api::instant(), by_server_on_create),
         column("delivered_at", &D::delivered_at, api::instant(), by_server)}};
    return delivery;
}

Value shown_whole(const Delivery& delivery) {
    Value shown = delivery_record().to_json(delivery);
    shown.set("payload", object_in(delivery.payload));
    shown.set("request_headers", object_in(delivery.request_headers));
    shown.set("response_headers", object_in(delivery.response_headers));
    return shown.set("response_body", delivery.response_body);
}

api::Schema whole_schema() {
    return delivery_record()
        .answer_schema()
        .plus({{.name = "payload", .type = api::map(api::anything().or_null()), .help = "The message."},
               {.name = "request_headers", .type = api::map(api::text(4000)), .help = "Of the latest attempt."},
               {.name = "response_headers", .type = api::map(api::text(4000))},
               {.name = "response_body", .type = api::text(20'000), .help = "Its first 16 kB."}})
        .named("WebhookDeliveryWhole");
}

}  // namespace svc::pro::webhooks
