// GET /consent/form/{token} and its PDF; POST /consent/submit. The link is the permission.
#include "pro/consent/picture.hpp"
#include "pro/consent/routes.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::consent {
namespace {

using api::Method;
using json::Value;

constexpr std::size_t around = 100;  // "data:image/png;base64," and the like
constexpr std::size_t in_base64(std::size_t bytes) { return (bytes + 2) / 3 * 4 + around; }

Visitor visitor_of(const api::Request& request) {
    return {.address = request.address, .agent = std::string(request.header("User-Agent"))};
}

api::Type opened_type() {
    return api::object(
        "ConsentPage",
        {{.name = "form",
          .type =
              api::object("ConsentPageForm", api::Schema{{.name = "id", .type = api::id(), .required = true},
                                                         {.name = "version", .type = api::integer(1), .required = true},
                                                         {.name = "sha256", .type = api::text(64), .required = true}}
                                                 .plus(*content_type().members)),
          .required = true},
         {.name = "booking",
          .type = api::object("ConsentPageBooking", {{.name = "reference", .type = api::text(40), .required = true},
                                                     {.name = "trip_title", .type = api::text(255), .required = true},
                                                     {.name = "travel_date", .type = api::date(), .required = true}}),
          .required = true},
         {.name = "signer",
          .type = api::object("ConsentPageSigner", {{.name = "name", .type = api::text(400), .required = true},
                                                    {.name = "email", .type = api::text(254), .required = true}}),
          .required = true},
         {.name = "traveler",
          .type = api::object("ConsentPageTraveler",
                              {{.name = "index", .type = api::integer(0), .required = true},
                               {.name = "name", .type = api::text(400), .required = true},
                               {.name = "is_minor",
                                .type = api::boolean().or_null(),
                                .help = "null: the date of birth is not known, so the signer says it."}}),
          .required = true},
         {.name = "adult_age", .type = api::integer(1), .required = true},
         {.name = "expires_at", .type = api::instant(), .required = true},
         {.name = "paper_note", .type = api::text(500), .help = "How to get the form on paper."},
         {.name = "is_test", .type = api::boolean(), .required = true},
         {.name = "language", .type = api::text(20), .help = "Of the booking; empty: the site's."}});
}

api::RouteSpec open_route(const Signing& signing) {
    auto spec = route(Method::get, "/consent/form/{token}", "Return the form that a link asks to sign.");
    spec.who = api::Permission::everyone();
    spec.answer = opened_type();
    spec.errors = {&errc::not_found, &errc::token_expired, &already_signed};
    spec.limit = {.burst = 60, .seconds = 60};
    spec.handle = [&signing](const api::Request& request) {
        return api::respond(signing.open(request.path.text_or("token"), visitor_of(request), request.now),
                            [](Value page) { return api::ok(std::move(page)); });
    };
    return spec;
}

api::Schema signed_fields() {
    return {
        {.name = "token", .type = api::raw_text(200), .required = true},
        {.name = "form_data", .type = api::map(api::anything(), 200), .help = "Answers by field.", .required = true},
        {.name = "signer_name",
         .type = api::text(200),
         .help = "Of the traveler, or of the guardian.",
         .required = true},
        {.name = "agree", .type = api::boolean(), .help = "true: agrees to sign electronically.", .required = true},
        {.name = "signature_data",
         .type = api::raw_text(in_base64(largest_signature)).or_null(),
         .help = "A drawn signature: a data URL of a PNG picture of at most 512 KiB.",
         .also = {"signature"}},
        {.name = "signature_typed", .type = api::text(200).or_null(), .help = "In place of a drawn one."},
        {.name = "initials_data",
         .type = api::raw_text(in_base64(largest_initials)).or_null(),
         .help = "A data URL of a PNG picture of at most 128 KiB, or up to 10 characters.",
         .also = {"initials"}},
        {.name = "signing_as", .type = api::choice({"self", "guardian"}), .otherwise = Value("self")},
        {.name = "guardian_relation",
         .type = api::text(60).or_null(),
         .help = "Of a guardian: mother, father, legal guardian."},
        {.name = "minor_name", .type = api::text(200).or_null(), .help = "Whom a guardian signs for."},
        {.name = "form_sha256",
         .type = api::text(64).or_null(),
         .help = "Of the form that was shown; another one is refused."},
        {.name = "shown_seconds",
         .type = api::integer(0, 10'000'000).or_null(),
         .help = "How long the form was shown."},
        {.name = "time_zone", .type = api::text(60).or_null(), .help = "Of the browser: Europe/Berlin."}};
}

api::RouteSpec submit_route(const Signing& signing) {
    auto spec =
        route(Method::post, "/consent/submit", "Sign the form that a link asks to sign; it can be signed once.");
    spec.who = api::Permission::everyone();
    spec.body = signed_fields();
    spec.answer = api::object(
        "ConsentSigned",
        {{.name = "id", .type = api::id(), .required = true},
         {.name = "signed_at", .type = api::instant(), .required = true},
         {.name = "copy_url", .type = api::text(2000), .help = "Of the signed copy as PDF.", .required = true}});
    spec.success = 201;
    spec.errors = {&errc::not_found, &errc::token_expired, &already_signed, &errc::conflict};
    spec.keeps_replay = false;  // it happens once by itself, and a kept answer would hold the link
    spec.limit = {.burst = 20, .seconds = 60};
    spec.handle = [&signing](const api::Request& request) {
        return api::respond(signing.sign(request.body, visitor_of(request), request.now),
                            [](Value done) { return api::created(std::move(done)); });
    };
    return spec;
}

api::RouteSpec copy_route(const Signing& signing) {
    auto spec = route(Method::get, "/consent/form/{token}/pdf",
                      "Return the signed copy as PDF to whoever signed it, until 90 days after the trip.");
    spec.who = api::Permission::everyone();
    spec.enveloped = false;
    spec.files = {"application/pdf"};
    spec.errors = {&errc::not_found, &errc::token_expired};
    spec.limit = {.burst = 20, .seconds = 60};
    spec.handle = [&signing](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(auto file, signing.copy(request.path.text_or("token"), visitor_of(request), request.now));
        return pdf_reply(std::move(file));
    };
    return spec;
}

}  // namespace

void add_public_routes(const Site& site, const Signing& signing) {
    site.routes.add(open_route(signing), {"User-Agent"});
    site.routes.add(submit_route(signing), {"User-Agent"});
    site.routes.add(copy_route(signing), {"User-Agent"});
}

}  // namespace svc::pro::consent
