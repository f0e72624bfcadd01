// One's own documents and enquiries.
#include "base/people/enquiries/enquiry.hpp"
#include "base/people/identity/proven.hpp"
#include "base/people/identity/whose.hpp"
#include "base/people/my_account/feature.hpp"
#include "base/sales/booking/record/invoice_token.hpp"
#include "shared/core/text.hpp"

namespace svc::my_account {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::int64_t most_tickets = 100;

std::string title_of(const OwnDocument& document) {
    if (document.category == "download")
        return document.title;
    const char* noun = document.category == "invoice"   ? "Invoice"
                       : document.category == "voucher" ? "Voucher"
                                                        : "Itinerary";
    return std::string(noun) + " " + document.reference;
}

}  // namespace

std::optional<std::string> Feature::link_to(const Request& request, const OwnDocument& document) const {
    if (document.category == "download") {
        const auto issued = lower_.downloads.service.issue(request, document.id, document.booking_id,
                                                           catalog::downloads::Action::download);
        return issued ? std::optional(issued->url) : std::nullopt;
    }
    const bool is_invoice = document.category == "invoice";
    return site_.installation.root + (is_invoice ? "/payment/" : "/bookings/") + std::to_string(document.id) + "/" +
           document.category + "?invoice_token=" +
           booking::InvoiceTokens{*site_.keyring}.issue(
               {is_invoice ? document.id : 0, document.booking_id, document.email}, site_.clock.now());
}

api::RouteSpec Feature::documents_route() const {
    const api::Schema document{
        {.name = "id", .type = api::text(60), .help = "For example voucher-12.", .required = true},
        {.name = "name", .type = api::text(300), .required = true},
        {.name = "category", .type = api::choice({"invoice", "voucher", "itinerary", "download"}), .required = true},
        {.name = "trip_title", .type = api::text(255), .required = true},
        {.name = "booking_id", .type = api::id(), .required = true},
        {.name = "payment_id", .type = api::id().or_null(), .help = "Of an invoice."},
        {.name = "url",
         .type = api::text(2'000),
         .help = "Opens without signing in; do not pass it on.",
         .required = true},
        {.name = "updated_at", .type = api::instant(), .required = true}};
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/customers/my-documents",
                        .name = "listMyDocuments",
                        .who = Permission::signed_in(),
                        .summary = "List vouchers, itineraries, invoices and downloads of the caller's bookings.",
                        .answer = api::list(api::object(document), 500)};
    spec.handle = [this](const Request& request) -> Reply {
        const auto found = !identity::is_proven(request.caller)
                               ? std::vector<OwnDocument>()
                               : site_.store.reading<std::vector<OwnDocument>>([&](store::Session& session) {
                                     return Repository::documents(session, request.caller.user_id);
                                 });
        auto items = Value::array();
        for (const OwnDocument& each : found) {
            const auto link = link_to(request, each);
            if (!link)
                continue;
            items.push(
                Value::object({{"id", each.category + "-" + std::to_string(each.id) +
                                          (each.category == "download" ? "-" + std::to_string(each.booking_id) : "")},
                               {"name", title_of(each)},
                               {"category", each.category},
                               {"trip_title", each.trip_title},
                               {"booking_id", each.booking_id},
                               {"payment_id", each.category == "invoice" ? Value(each.id) : Value()},
                               {"url", *link},
                               {"updated_at", each.updated_at}}));
        }
        Reply reply = api::ok(std::move(items));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

api::RouteSpec Feature::tickets_route() const {
    const auto& record = enquiries::enquiry_record();
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/customers/my-support-tickets",
        .name = "listMySupportTickets",
        .who = Permission::signed_in(),
        .summary = "List the caller's enquiries, sent from a proven address of the account, the newest 100.",
        .answer = api::list(api::object(record.answer_schema().without({"responded_by"})), 100)};
    spec.handle = [this, &record,
                   of_person = record.select("WHERE " SVC_IS_OF_PERSON(
                       "r.user_id", "r.email_lower") " AND r.status NOT IN ('spam', 'trash')"
                                                     " ORDER BY r.created_at DESC, r.id DESC LIMIT :most")](
                      const Request& request) {
        auto items = Value::array();
        if (identity::is_proven(request.caller))
            site_.store.read([&](store::Session& session) {
                items = Value::array();
                for (const auto& each : record.all(session, of_person,
                                                   {{"user", request.caller.user_id},
                                                    {"email", text::folded(request.caller.email)},
                                                    {"most", most_tickets}})) {
                    Value ticket = record.to_json(each);
                    ticket.erase("responded_by");
                    items.push(std::move(ticket));
                }
            });
        return api::ok(std::move(items));
    };
    return spec;
}

}  // namespace svc::my_account
