// RouteSpecs of the link that proves a guest's address.
#include "base/people/identity/mailed_page.hpp"
#include "base/people/identity/tokens.hpp"
#include "base/sales/booking/guest/routes.hpp"

namespace svc::booking {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

Result<Guests::Verified> verified(const Verify& verify, const Request& request) {
    SVC_RETURN_IF_ERROR(identity::tokens::may_try(verify.limits, request.address));
    const auto proof = verify.verification.read(request.body["token"].text(), request.now);
    if (!proof) {
        SVC_RETURN_IF_ERROR(identity::tokens::wrong_guess(verify.limits, request.address));
        return proof.error();
    }
    return verify.guests.verify(*proof);
}

Reply verified_page(const Verify& verify, const Result<Guests::Verified>& done) {
    constexpr SentenceId title = "Your e-mail address"_sentence;
    if (!done)
        return identity::message_page(done.error().code().status, title, done.error().message());
    return identity::message_page(
        200, title,
        "Thank you, your address is confirmed. We go on with your booking {reference}."_sentence.with(
            "reference", done->booking.reference),
        verify.site_url + "/" + verify.settings.text("booking_base") + "/confirmation/" + done->booking.reference +
            "?booking_token=" + verify.records.new_booking_link(done->booking.id),
        "Show my booking"_sentence);
}

}  // namespace

void add_verification_routes(api::RouteTable& routes, const Verify& verify) {
    const api::Field token{
        .name = "token", .type = api::raw_text(500), .help = "The token of the mailed link.", .required = true};
    routes.add(
        {.method = api::Method::get,
         .path = "/booking/verify-email",
         .who = Permission::everyone(),
         .summary = "Show the page of a guest's mailed link, with a button to confirm the address. Changes nothing.",
         .query = {token},
         .enveloped = false,
         .files = {"text/html"},
         .waits = false,
         .handle = [](const Request& request) {
             return identity::form_page({.title = "Confirm your e-mail address"_sentence,
                                         .text = "So that we can go on with your booking."_sentence,
                                         .action = "verify-email",
                                         .token = request.query["token"].text(),
                                         .button = "Confirm my address"_sentence});
         }});
    routes.add(
        {.method = api::Method::post,
         .path = "/booking/verify-email",
         .who = Permission::everyone(),
         .summary = "Confirm a guest's address by the mailed link; the booking continues.",
         .body = {token},
         .answer = api::object(
             {{.name = "booking_id", .type = api::id(), .required = true},
              {.name = "reference", .type = api::text(32)},
              {.name = "status", .type = api::text(30)},
              {.name = "already_verified", .type = api::boolean(), .help = "The address was already confirmed."}}),
         .files = {"text/html"},
         .errors = {&errc::malformed_token, &errc::invalid_signature, &errc::token_expired, &errc::booking_not_found,
                    &errc::email_changed, &errc::conflict, &errc::sold_out},
         .keeps_replay = false,  // again it answers already_verified
         .handle = [verify](const Request& request) -> Reply {
             const auto done = verified(verify, request);
             if (identity::sent_by_form(request))
                 return verified_page(verify, done);
             if (!done)
                 return api::failed(done.error());
             Reply reply = api::ok(Value::object({{"booking_id", done->booking.id},
                                                  {"reference", done->booking.reference},
                                                  {"status", done->booking.status},
                                                  {"already_verified", done->before}}));
             reply.headers.emplace_back("Cache-Control", "no-store");
             return reply;
         }});
}

}  // namespace svc::booking
