// RouteSpecs of the booking link: opened by a guest, mailed again, renewed by staff.
#include "base/sales/booking/guest/routes.hpp"
#include "shared/api/keeping.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

void never_cached(Reply& reply) { reply.headers.emplace_back("Cache-Control", "no-store"); }

Reply opened_reply(const Links::Opened& opened) {
    const bool acts = !opened.booking_token.empty();
    Reply reply = api::ok(Value::object({{"booking_id", opened.booking.id},
                                         {"reference", opened.booking.reference},
                                         {"status", opened.booking.status},
                                         {"booking_token", acts ? Value(opened.booking_token) : Value()},
                                         {"expires_at", acts ? Value(opened.expires_at) : Value()}}));
    never_cached(reply);
    return reply;
}

}  // namespace

void add_link_routes(api::RouteTable& routes, Links& links, const Service& records) {
    routes.add(
        {.method = Method::post,
         .path = "/booking/open",
         .who = Permission::everyone(),
         .summary = "Exchange a booking's mailed link for a booking_token. The link itself reads the booking and"
                    " its documents, sent as X-Svc-Booking-Token; the token acts.",
         .body = {{.name = "link",
                   .type = api::raw_text(200),
                   .help = "The token of the mailed link, booking_token of its address.",
                   .required = true}},
         .answer = api::object({{.name = "booking_id", .type = api::id(), .required = true},
                                {.name = "reference", .type = api::text(32), .required = true},
                                {.name = "status", .type = api::text(30), .required = true},
                                {.name = "booking_token",
                                 .type = api::text(200).or_null(),
                                 .help = "Null for a booking that has ended: its link reads it, and nothing acts.",
                                 .required = true},
                                {.name = "expires_at",
                                 .type = api::instant().or_null(),
                                 .help = "Of the token; a use renews it.",
                                 .required = true}}),
         .errors = {&errc::invalid_token, &errc::token_expired},
         .stores_reply = true,
         .handle = [&links](const Request& request) {
             return api::respond_once(
                 request, [&] { return links.open(request.body["link"].text(), request.address); },
                 [](const Links::Opened& opened) { return opened_reply(opened); });
         }});
    routes.add(
        {.method = Method::post,
         .path = "/booking/find",
         .who = Permission::everyone(),
         .summary = "Mail the link of a booking to its contact address; the answer is the same whether or not"
                    " there is such a booking.",
         .body = {{.name = "reference", .type = api::text(32, 1), .help = "The booking's reference.", .required = true},
                  {.name = "email", .type = api::email(), .help = "The contact's address.", .required = true}},
         .answer = api::object({{.name = "accepted",
                                 .type = api::boolean(),
                                 .help = "The link is on its way if reference and address belong together.",
                                 .required = true}}),
         .limit = {.burst = 5, .seconds = 60},
         .stores_reply = true,
         .handle = [&links](const Request& request) {
             Reply accepted = api::ok(Value::object({{"accepted", true}}));
             never_cached(accepted);
             return api::respond_once(
                 request,
                 [&] {
                     return links.send_again(request.body["reference"].text(), request.body["email"].text(),
                                             request.address);
                 },
                 accepted);
         }});
    routes.add(
        {.method = Method::post,
         .path = "/bookings/{id}/new-link",
         .who = Permission::can("svc_edit_bookings"),
         .summary = "End every link and token of a booking that its guest has, and mail a new link.",
         .body = {{.name = "notify",
                   .type = api::boolean(),
                   .help = "False ends the links without a mail; default true."}},
         .answer = api::object(
             {{.name = "booking_id", .type = api::id(), .required = true},
              {.name = "email", .type = api::text(254), .help = "The contact's address.", .required = true},
              {.name = "mailed", .type = api::boolean(), .help = "Whether a mail was asked for.", .required = true}}),
         .errors = {&errc::booking_not_found, &errc::conflict},
         .stores_reply = true,
         .handle = [&links, &records](const Request& request) -> Reply {
             if (!records.seen(request.path_id(), request.caller))
                 return api::failed(errc::booking_not_found);
             const bool mails = request.body.maybe_boolean("notify").value_or(true);
             return api::respond_once(
                 request, [&] { return links.renew(request.path_id(), !mails); },
                 [mails](const Booking& booking) {
                     return api::ok(
                         Value::object({{"booking_id", booking.id}, {"email", booking.email}, {"mailed", mails}}));
                 });
         }});
}

}  // namespace svc::booking
