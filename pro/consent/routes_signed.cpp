// GET /consent/signed, …/{id}, …/{id}/pdf; POST …/preview and …/{id}/revoke.
#include "pro/consent/document.hpp"
#include "pro/consent/form.hpp"
#include "pro/consent/routes.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/masked_answers.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::consent {
namespace {

using api::Method;
using json::Value;

api::Type whole_type() {
    return api::object(
        signed_record()
            .answer_schema()
            .plus({{.name = "form_data",
                    .type = api::map(api::anything(), 100),
                    .help = "Answers by field; those about health are masked without svc_view_sensitive_answers.",
                    .required = true},
                   {.name = "has_masked_answers", .type = api::boolean(), .required = true},
                   {.name = "signature_data",
                    .type = api::raw_text(800'000),
                    .help = "A data URL of a PNG picture where it was drawn, else the typed name.",
                    .required = true},
                   {.name = "initials_data", .type = api::raw_text(200'000).or_null()},
                   {.name = "is_intact",
                    .type = api::boolean().or_null(),
                    .help = "What is stored has the hash that was noted on signing; null once some of it was deleted."},
                   {.name = "form", .type = content_type(), .help = "The text that was signed.", .required = true}})
            .named("SignedConsentWhole"));
}

Value shown_whole(const Copy& copy, bool with_health) {
    Value shown = signed_record().to_json(copy.row);
    shown.set("form_data", answers_of(copy, with_health));
    shown.set("has_masked_answers", has_masked(copy, with_health));
    shown.set("signature_data", copy.marks.signature);
    shown.set("initials_data", copy.marks.initials.empty() ? Value() : Value(copy.marks.initials));
    shown.set("is_intact", is_intact(copy));
    shown.set("form", copy.content.shown());
    return shown;
}

std::optional<Copy> find_copy(const Site& site, std::int64_t id) {
    return site.store.reading<std::optional<Copy>>(
        [&](store::Session& session) { return copy_of(session, site.secrets, id); });
}

bool may_see_health(const api::Request& request) { return api::may_read_sealed(request.caller); }

api::RouteSpec read_route(const Site& site) {
    auto spec = route(Method::get, "/consent/signed/{id}", "Return a signed consent with its text and its evidence.");
    spec.answer = whole_type();
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto copy = find_copy(site, request.path_id());
        return copy ? api::ok(shown_whole(*copy, may_see_health(request))) : api::failed(errc::not_found);
    };
    return spec;
}

api::RouteSpec pdf_route(const Site& site, const Signing& signing) {
    auto spec = route(Method::get, "/consent/signed/{id}/pdf", "Return a signed consent as PDF.");
    spec.query = {{.name = "preview", .type = api::boolean(), .help = "true: as JSON.", .otherwise = Value(false)}};
    spec.answer = pdf_type();
    spec.files = {"application/pdf"};
    spec.errors = {&errc::not_found};
    spec.handle = [&site, &signing](const api::Request& request) -> api::Reply {
        const auto copy = find_copy(site, request.path_id());
        if (!copy)
            return api::failed(errc::not_found);
        SVC_ASSIGN_OR_RETURN(auto file, signing.pdf_of(*copy, may_see_health(request)));
        return request.query.maybe_boolean("preview").value_or(false) ? api::ok(pdf_json(file))
                                                                      : pdf_reply(std::move(file));
    };
    return spec;
}

// A copy as it would be signed, of sample facts.
Copy sample_of(const ConsentForm& form, const Value& answers, Instant now, Date day) {
    Copy copy{.row = {}, .marks = {}, .content = form.content()};
    SignedConsent& row = copy.row;
    row.form_version = form.version;
    row.form_name = form.name;
    row.booking_reference = "SVC-SAMPLE";
    row.trip_title = "Annapurna Circuit";
    row.travel_date = row.end_date = day;
    row.traveler_index = 1;
    row.traveler_name = row.signer_name = "Ada Lovelace";
    row.signer_email = "ada@example.com";
    row.form_data = answers.is_object() ? answers : Value::object();
    if (form.require_signature) {
        row.signature_type = "typed";
        copy.marks.signature = "Ada Lovelace";
    }
    if (form.require_initials)
        copy.marks.initials = "AL";
    row.signed_at = now;
    row.form_sha256 = crypto::sha256_hex(copy.content.snapshot());
    row.data_sha256 = crypto::sha256_hex(signed_text(copy));
    return copy;
}

api::RouteSpec preview_route(const Site& site, const plugin::Documents& documents) {
    auto spec = route(Method::post, "/consent/signed/preview",
                      "Return the PDF of a form as it would be signed, without storing anything.");
    spec.body = form_record()
                    .update_schema()
                    .without({"row_version"})
                    .plus({{.name = "form_data", .type = api::map(api::anything(), 100), .help = "Sample answers."}});
    spec.answer = pdf_type();
    spec.keeps_replay = false;  // nothing is changed
    spec.handle = [&site, &documents](const api::Request& request) -> api::Reply {
        ConsentForm form;
        Faults faults;
        form_record().patch(form, request.body, true, faults);
        check_fields(form.fields, faults);
        check_blocks(form.content_blocks, faults);
        if (!faults.none())
            return api::failed(faults.error());
        constexpr int days_ahead = 30;
        const Copy copy =
            sample_of(form, request.body["form_data"], request.now, site.today(request.now).plus_days(days_ahead));
        SVC_ASSIGN_OR_RETURN(auto pdf, documents.pdf(document_of(copy, true, site.zone(), site.look())));
        return api::ok(pdf_json({.name = file_name_of(copy.row), .bytes = std::move(pdf)}));
    };
    return spec;
}

Result<Copy> revoke(const Site& site, const api::Request& request) {
    return site.store.transact<Copy>([&](store::Transaction& tx) -> Result<Copy> {
        const std::int64_t id = request.path_id();
        const std::string reason = request.body.text_or("reason");
        if (!signed_record().find(tx, id))
            return errc::not_found;
        if (tx.run("UPDATE svc_signed_consents SET status = 'revoked', revoked_at = :now, revoked_by = :user,"
                   " revoked_reason = :reason, updated_at = :now WHERE id = :id AND status = 'signed'",
                   {{"id", id}, {"now", request.now}, {"user", request.caller.user_id}, {"reason", reason}}) == 0)
            return Error{errc::conflict, "This signed copy was revoked before."_sentence};
        tx.run(
            "UPDATE svc_consent_requests SET status = 'revoked', end_reason = :why, updated_at = :now WHERE id ="
            " (SELECT request_id FROM svc_signed_consents WHERE id = :id)",
            {{"id", id}, {"now", request.now}, {"why", why::withdrawn}});
        return std::move(*copy_of(tx, site.secrets, id));
    });
}

api::RouteSpec revoke_route(const Site& site) {
    auto spec = route(Method::post, "/consent/signed/{id}/revoke",
                      "Mark a signed consent as withdrawn; the copy stays, and the traveler can be asked again.");
    spec.body = {{.name = "reason", .type = api::text(500)}};
    spec.answer = whole_type();
    spec.errors = {&errc::not_found, &errc::conflict};
    spec.stores_reply = true;
    spec.handle = [&site](const api::Request& request) {
        return api::respond_once(
            request, [&] { return revoke(site, request); },
            [&](const Copy& copy) { return api::ok(shown_whole(copy, may_see_health(request))); });
    };
    return spec;
}

}  // namespace

api::Type pdf_type() {
    return api::object(
        "ConsentPdf",
        {{.name = "pdf_data", .type = api::raw_text(64'000'000), .help = "The file in base64.", .required = true},
         {.name = "filename", .type = api::text(200), .required = true}});
}

Value pdf_json(const Signing::File& file) {
    return Value::object({{"pdf_data", crypto::base64(file.bytes)}, {"filename", file.name}});
}

api::Reply pdf_reply(Signing::File file) {
    api::Reply reply;
    reply.raw = std::make_shared<const std::string>(std::move(file.bytes));
    reply.content_type = "application/pdf";
    reply.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + file.name + "\"");
    reply.headers.emplace_back("Cache-Control", "private, no-store");
    return reply;
}

void add_signed_routes(const Site& site, const Signing& signing, const plugin::Documents& documents) {
    auto list =
        listed_resource(site, signed_record(), "/consent/signed", "signed consent", "signed consents").list_route();
    site.routes.add(list, resource::Routes::headers());
    site.routes.add(preview_route(site, documents));
    site.routes.add(read_route(site));
    site.routes.add(pdf_route(site, signing));
    site.routes.add(revoke_route(site));
}

}  // namespace svc::pro::consent
