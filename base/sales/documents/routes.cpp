// RouteSpecs of documents: one handler, seven addresses.
#include "base/sales/documents/routes.hpp"

#include "base/catalog/media/wire.hpp"
#include "base/sales/booking/record/proof.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/named.hpp"

namespace svc::documents {
namespace {

using api::Reply;
using api::Request;

const char* const pdf_type = "application/pdf";
const char* const calendar_type = "text/calendar";

// An address of a document: by booking or by payment, and the path's name for its id.
struct Address {
    const char* path;
    const char* id;
    Kind kind;
    bool by_payment;
    const char* help;
};

constexpr Address addresses[] = {
    {"/booking/{booking_id}/invoice", "booking_id", Kind::invoice, false, "Return a booking's invoice as PDF."},
    {"/bookings/{id}/invoice", "id", Kind::invoice, false,
     "Return the invoice of a booking's latest payment, or of the booking without payments, as PDF."},
    {"/bookings/{id}/voucher", "id", Kind::voucher, false, "Return a booking's travel voucher as PDF."},
    {"/bookings/{id}/itinerary", "id", Kind::itinerary, false, "Return a booking's itinerary as PDF."},
    {"/payment/{payment_id}/invoice", "payment_id", Kind::invoice, true, "Return a payment's invoice as PDF."},
    {"/payment/{payment_id}/voucher", "payment_id", Kind::voucher, true,
     "Return the voucher of a payment's booking as PDF."},
    {"/payment/{payment_id}/credit-note", "payment_id", Kind::credit_note, true,
     "Return the credit note of a payment's latest refund, or of refund_id, as PDF."}};

bool is_pro_forma(const Address& address) { return std::string_view(address.path).starts_with("/booking/"); }

bool reads_as_guide(const Request& request) {
    return request.caller.can("svc_view_bookings") && api::guided_by(request.caller);
}

// The only permission check of documents. 403 for an invalid proof, 401 without one.
Result<void> admitted(Service& documents, const Owned& owned, const Address& address, const Request& request) {
    const std::int64_t id = request.path_id(address.id);
    const std::int64_t booking_id = address.by_payment ? documents.booking_of(id) : id;
    auto may = owned(request, booking_id);
    const std::string token = request.query.text_or("invoice_token");
    const bool is_of_money = address.kind == Kind::invoice || address.kind == Kind::credit_note;
    if (may && is_of_money && reads_as_guide(request))
        may = Error{errc::forbidden, "Guides see no amounts."_sentence};
    if (may || token.empty())
        return may;
    if (documents.admits(token, address.by_payment ? id : 0, booking_id))
        return {};
    // Where the latest payment's invoice is printed, that payment's own proof is enough.
    if (!address.by_payment && !is_pro_forma(address) && address.kind == Kind::invoice)
        if (const auto payment = documents.latest_payment(booking_id);
            payment && documents.admits(token, *payment, booking_id))
            return {};
    return errc::forbidden;
}

DocumentQuery query_of(Service& documents, const Address& address, const Request& request) {
    const std::int64_t id = request.path_id(address.id);
    if (address.by_payment)
        return {.kind = address.kind,
                .booking_id = documents.booking_of(id),
                .payment_id = id,
                .refund_id = request.query.maybe_integer("refund_id")};
    return {.kind = address.kind, .booking_id = id, .pro_forma = is_pro_forma(address)};
}

// Limits how often the readers of a booking's documents may render them; staff have no limit.
constexpr limits::Limit most_of_booking{.burst = 30, .per = std::chrono::seconds(60)};

Result<void> count_attempt(limits::RateLimits& limits, const DocumentQuery& query, const Request& request) {
    if (request.caller.can("svc_view_bookings"))
        return {};
    return limits::answer_of(limits.take("documents", std::to_string(query.booking_id), most_of_booking));
}

Reply document_reply(const Printed& printed, bool preview) {
    Reply reply;
    if (preview) {
        reply = api::ok(json::Value::object(
            {{"pdf_data", crypto::base64(printed.rendered->bytes)}, {"filename", printed.file_name}}));
    } else {
        reply = api::prebuilt({printed.rendered, &printed.rendered->bytes});
        reply.content_type = pdf_type;
        reply.headers = catalog::media::file_headers(reply.content_type, false, printed.file_name);
    }
    reply.headers.emplace_back("Cache-Control", "private, no-store");
    reply.headers.emplace_back("Referrer-Policy", "no-referrer");
    return reply;
}

api::Schema query(Kind kind) {
    api::Schema fields{
        {.name = "preview", .type = api::boolean(), .help = "Return the document as JSON instead of a file."},
        {.name = "download", .type = api::boolean(), .help = "Return a file (default); preview takes precedence."},
        {.name = "invoice_token", .type = api::raw_text(200), .help = "Grants access to this document."},
        booking::booking_token_field(),
        booking::session_id_field()};
    if (kind == Kind::credit_note)
        fields = fields.plus(
            {{.name = "refund_id", .type = api::id(), .help = "Id of the refund; defaults to the latest."}});
    return fields;
}

api::RouteSpec calendar_route(Service& documents, const Owned& owned) {
    return {.method = api::Method::get,
            .path = "/bookings/{id}/calendar",
            .who = api::Permission::decided_by(
                "staff, the booking's owner, or a guest with its booking_token or booking link",
                [owned](const Request& request) { return owned(request, request.path_id()); }),
            .summary = "Return a booking's days as a calendar file, with start, end and place.",
            .query = {booking::booking_token_field(), booking::session_id_field()},
            .enveloped = false,
            .files = {calendar_type},
            .errors = {&errc::booking_not_found},
            .handle = [&documents](const Request& request) {
                return api::respond(documents.calendar(request.path_id()), [](std::string text) {
                    Reply reply = api::prebuilt(std::make_shared<const std::string>(std::move(text)));
                    reply.content_type = std::string(calendar_type) + "; charset=utf-8";
                    reply.headers = catalog::media::file_headers(reply.content_type, false, "booking.ics");
                    reply.headers.emplace_back("Cache-Control", "private, no-store");
                    return reply;
                });
            }};
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& documents, const Owned& owned, limits::RateLimits& limits) {
    routes.add(calendar_route(documents, owned));
    for (const Address& address : addresses)
        routes.add(
            {.method = api::Method::get,
             .path = address.path,
             .who = api::Permission::decided_by("staff, the booking's owner, a guest with its booking_token or "
                                                "booking link, or who holds its invoice_token",
                                                [&documents, owned, &address](const Request& request) {
                                                    return admitted(documents, owned, address, request);
                                                }),
             .summary = address.help,
             .query = query(address.kind),
             .answer = api::object(
                 "DocumentPreview",
                 {{.name = "pdf_data", .type = api::raw_text(64 << 20), .help = "With preview: the file in base64."},
                  {.name = "filename", .type = api::text(255), .help = "With preview: the file name."}}),
             .files = {pdf_type},
             .errors = {address.by_payment ? &errc::payment_not_found : &errc::booking_not_found},
             .limit = {.burst = 60, .seconds = 60},
             .handle = [&documents, &limits, &address](const Request& request) -> Reply {
                 DocumentQuery query = query_of(documents, address, request);
                 query.without_amounts = reads_as_guide(request);
                 SVC_RETURN_IF_ERROR(count_attempt(limits, query, request));
                 return api::respond(
                     documents.print(query, request.caller.can("svc_view_bookings")), [&](const Printed& printed) {
                         return document_reply(printed, request.query.maybe_boolean("preview").value_or(false));
                     });
             }});
}

}  // namespace svc::documents
