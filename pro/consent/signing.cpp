// Opens links, checks what was signed and stores it.
#include "pro/consent/signing.hpp"

#include <algorithm>

#include "pro/consent/configuration.hpp"
#include "pro/consent/document.hpp"
#include "pro/consent/mails.hpp"
#include "pro/consent/picture.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/core/person_name.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

constexpr int opens_a_minute = 60, signs_a_minute = 20, guesses = 20;
constexpr std::size_t longest_name = 200, longest_relation = 60, longest_initials = 10;

// `language`: of the page that tells it; empty: the site's.
Error gone(const char* reason, SentenceId sentence, const std::string& language = {}) {
    return Error{errc::token_expired, sentence}
        .with("reason", Value(reason).dump())
        .with("language", Value(language).dump());
}

// The hash of a link in force, or why there is none.
struct Link {
    std::int64_t request_id = 0;
    bool has_ended = false;
};
std::optional<Link> link_of(store::Session& session, std::string_view token) {
    const auto found = store::tuple<std::int64_t, std::optional<Instant>>(
        session, "SELECT request_id, ended_at FROM svc_consent_links WHERE token_hash = :hash",
        {{"hash", hash_of_token(token)}});
    if (!found)
        return std::nullopt;
    return Link{.request_id = std::get<0>(*found), .has_ended = std::get<1>(*found).has_value()};
}

std::string sha_of_version(store::Session& session, const ConsentRequest& request) {
    return store::value<std::string>(
               session, "SELECT sha256 FROM svc_consent_form_versions WHERE form_id = :id AND version = :version",
               {{"id", request.form_id}, {"version", request.form_version}})
        .value_or("");
}

std::string clean_text(const Value& body, const char* member) {
    const Value& given = body[member];
    return given.is_string() ? text::clean(given.text()) : std::string();
}

// A name of somebody, at most 200 characters and no address.
std::string checked_name(const Value& body, const char* member, Faults& faults) {
    std::string name = clean_text(body, member);
    if (name.empty())
        faults.at(member, "This field is required."_sentence);
    else if (text::length(name) > longest_name)
        faults.at(member, "Enter at most 200 characters."_sentence);
    else
        faults.take(check_person_name(member, name));
    return name;
}

// Drawn with a pointer or typed on a keyboard.
void take_signature(const Content& content, const Value& body, Copy& copy, Faults& faults) {
    const Value& drawn = body["signature_data"];
    const std::string typed = clean_text(body, "signature_typed");
    if (drawn.is_string() && !drawn.text().empty()) {
        if (const auto fault = fault_of_picture(drawn.text(), largest_signature); !fault.empty())
            faults.at("signature_data", fault);
        copy.marks.signature = drawn.text();
        copy.row.signature_type = "drawn";
    } else if (!typed.empty()) {
        if (text::length(typed) > longest_name)
            faults.at("signature_typed", "Enter at most 200 characters."_sentence);
        copy.marks.signature = typed;
        copy.row.signature_type = "typed";
    } else if (content.require_signature) {
        faults.at("signature_data", "Please draw your signature, or type your name in its place."_sentence);
    }
}

void take_initials(const Content& content, const Value& body, Copy& copy, Faults& faults) {
    const Value& given = body["initials_data"];
    std::string initials = given.is_string() ? given.text() : std::string();
    if (!is_data_url(initials))
        initials = text::clean(initials);
    if (initials.empty()) {
        if (content.require_initials)
            faults.at("initials_data", "Please enter your initials."_sentence);
        return;
    }
    if (is_data_url(initials)) {
        if (const auto fault = fault_of_picture(initials, largest_initials); !fault.empty())
            faults.at("initials_data", fault);
    } else if (text::length(initials) > longest_initials) {
        faults.at("initials_data", "Enter at most 10 characters."_sentence);
    }
    copy.marks.initials = std::move(initials);
}

// Minors are signed for; whose age is not known says it.
void take_role(std::optional<bool> is_minor, const Value& body, SignedConsent& row, Faults& faults) {
    row.signer_role = body.text_or("signing_as", "self");  // of the page's form: any text
    if (row.signer_role != "self" && row.signer_role != "guardian") {
        faults.at("signing_as", "Choose one of the options."_sentence);
        return;
    }
    if (row.signer_role == "self") {
        if (is_minor.value_or(false))
            faults.at("signing_as", "This traveler is a minor: a parent or guardian signs."_sentence);
        return;
    }
    if (is_minor && !*is_minor)
        faults.at("signing_as", "This traveler is of age and signs in person."_sentence);
    row.minor_name = checked_name(body, "minor_name", faults);
    std::string relation = clean_text(body, "guardian_relation");
    if (relation.empty())
        faults.at("guardian_relation", "This field is required."_sentence);
    else if (text::length(relation) > longest_relation)
        faults.at("guardian_relation", "Enter at most 60 characters."_sentence);
    row.guardian_relation = std::move(relation);
}

// Of the browser; what is no zone is left out.
std::string zone_of(const Value& body) {
    const std::string name = clean_text(body, "time_zone");
    return name.size() <= 60 && Zone::named(name) ? name : std::string();
}

}  // namespace

Result<void> Signing::limit(const char* action, const Visitor& visitor, int burst) const {
    if (!limits_ || visitor.address.empty())
        return {};
    if (const auto left = limits_->take({.action = action,
                                         .by = plugin::Limits::By::address,
                                         .subject = visitor.address,
                                         .burst = burst,
                                         .per = std::chrono::seconds(60),
                                         .strict = false});
        !left)
        return left.error();
    return {};
}

Result<Signing::Opened> Signing::find(std::string_view token, const Visitor& visitor) const {
    const auto opened = site_.store.reading<std::optional<Opened>>([&](store::Session& session) {
        std::optional<Opened> all;
        const auto link = is_token(token) ? link_of(session, token) : std::nullopt;
        auto request = link ? request_record().find(session, link->request_id) : std::nullopt;
        auto party = request ? party_of(session, request->booking_id) : std::nullopt;
        if (!party)
            return all;
        // A link that was replaced may be in another mailbox: it ends, also once the form is signed by its new link.
        if (link->has_ended)
            request->status = status::revoked;
        all.emplace(
            Opened{.request = std::move(*request), .party = std::move(*party), .content = {}, .form_sha256 = {}});
        all->content = version_of(session, all->request.form_id, all->request.form_version);
        all->form_sha256 = sha_of_version(session, all->request);
        return all;
    });
    if (opened)
        return *opened;
    SVC_RETURN_IF_ERROR(limit("consent_guess", visitor, guesses));
    return errc::not_found;
}

std::string Signing::copy_url(std::string_view token) const {
    const auto base = requests_.base_path();
    return base ? *base + "/consent/form/" + std::string(token) + "/pdf" : std::string();
}

Result<void> Signing::usable(const Opened& opened, std::string_view token, Instant now) const {
    const ConsentRequest& request = opened.request;
    if (request.status == status::signed_) {
        Error error = already_signed;
        error.with("signed_at", Value(request.signed_at).dump());
        error.with("copy_url", Value(copy_url(token)).dump());
        error.with("language", Value(request.locale).dump());
        return error;
    }
    if (request.status == status::revoked && request.end_reason != why::booking)
        return gone("revoked", "This link was replaced or withdrawn."_sentence, request.locale);
    if (request.status == status::revoked || opened.party.has_ended())
        return gone("booking", "This booking was called off. There is nothing to sign."_sentence, request.locale);
    const Instant end = request.ends_with_trip ? opened.party.end_of_trip(site_.zone()) : request.expires_at;
    if (request.status == status::expired || end <= now)
        return gone("expired", "This link has expired."_sentence, request.locale);
    return {};
}

Value Signing::shown(const Opened& opened) const {
    const ConsentRequest& request = opened.request;
    Value form = Value::object({{"id", request.form_id}, {"version", request.form_version}});
    for (auto& [name, value] : opened.content.shown().members())
        form.set(name, value);
    form.set("sha256", opened.form_sha256);
    const Party& party = opened.party;
    const Instant end = request.ends_with_trip ? party.end_of_trip(site_.zone()) : request.expires_at;
    return Value::object(
        {{"form", std::move(form)},
         {"booking",
          Value::object(
              {{"reference", party.reference}, {"trip_title", party.trip_title}, {"travel_date", party.travel_date}})},
         {"signer", Value::object({{"name", request.name}, {"email", request.email}})},
         {"traveler", Value::object({{"index", request.traveler_index},
                                     {"name", party.name_of(request.traveler_index)},
                                     {"is_minor", party.is_minor(request.traveler_index, adult_age(site_))}})},
         {"adult_age", adult_age(site_)},
         {"expires_at", end},
         {"paper_note", paper_note(site_)},
         {"is_test", false},
         {"language", request.locale}});
}

// A test mail leads to the form as it is now; nobody can sign there.
Result<Value> Signing::test_page(std::string_view token, const Visitor& visitor, Instant now) const {
    const auto id = form_of_test(site_.secrets, token, now);
    if (!id) {
        SVC_RETURN_IF_ERROR(limit("consent_guess", visitor, guesses));
        return errc::not_found;
    }
    if (*id == 0)
        return gone("test", "This link came with a test e-mail of a form that is not stored."_sentence);
    const auto form = site_.store.reading<std::optional<ConsentForm>>(
        [&](store::Session& session) { return form_record().find(session, *id); });
    if (!form)
        return errc::not_found;
    // The text of a form that is not published is for staff alone.
    if (!form->is_published())
        return gone("test", "This link came with a test e-mail of a form that is not published."_sentence);
    return page_of_test(*form, site_, now);
}

Result<Value> Signing::open(std::string_view token, const Visitor& visitor, Instant now, bool is_shown) const {
    SVC_RETURN_IF_ERROR(limit("consent_open", visitor, opens_a_minute));
    if (is_test_token(token))
        return test_page(token, visitor, now);
    SVC_ASSIGN_OR_RETURN(const auto opened, find(token, visitor));
    SVC_RETURN_IF_ERROR(usable(opened, token, now));
    if (!is_shown)
        return shown(opened);
    SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "UPDATE svc_consent_requests SET viewed_at = COALESCE(viewed_at, :now), last_viewed_at = :now"
            " WHERE id = :id",
            {{"id", opened.request.id}, {"now", now}});
        return {};
    }));
    return shown(opened);
}

Result<Copy> Signing::checked(const Opened& opened, const Value& body, const Visitor& visitor, Instant now) const {
    const ConsentRequest& request = opened.request;
    if (const auto seen = body.maybe_text("form_sha256"); seen && !seen->empty() && *seen != opened.form_sha256)
        return Error{errc::conflict, "The form was changed since this page was opened. Please read it again."_sentence};
    Faults faults;
    Copy copy{.row = {}, .marks = {}, .content = opened.content};
    SignedConsent& row = copy.row;
    const Value answers = checked_answers(opened.content, body["form_data"], faults);
    for (const auto& [id, answer] : answers.members()) {
        const bool is_nothing = answer.is_string() && answer.text().empty();
        (!is_nothing && is_about_health(opened.content, id) ? copy.health : row.form_data).set(id, answer);
    }
    row.signer_name = checked_name(body, "signer_name", faults);
    take_role(opened.party.is_minor(request.traveler_index, adult_age(site_)), body, row, faults);
    take_signature(opened.content, body, copy, faults);
    take_initials(opened.content, body, copy, faults);
    if (!body.maybe_boolean("agree").value_or(false))
        faults.at("agree", "Please agree to sign electronically."_sentence);
    if (!faults.none())
        return faults.error();
    row.request_id = request.id;
    row.form_id = request.form_id;
    row.form_version = request.form_version;
    row.form_name = opened.content.title;
    row.booking_id = request.booking_id;
    row.booking_reference = opened.party.reference;
    row.trip_title = opened.party.trip_title;
    row.travel_date = opened.party.travel_date;
    row.end_date = std::max(opened.party.travel_date, opened.party.end_date);
    row.traveler_index = request.traveler_index;
    row.traveler_name = opened.party.name_of(request.traveler_index);
    row.signer_email = request.email;
    row.email_lower = request.email_lower;
    row.locale = request.locale;
    row.time_zone = zone_of(body);
    row.ip_address = visitor.address;
    row.user_agent = std::string(text::first(text::clean(visitor.agent), 500));
    row.opened_at = request.last_viewed_at;
    row.shown_seconds = body.maybe_integer("shown_seconds");
    row.signed_at = now;
    row.form_sha256 = opened.form_sha256;
    row.salt = crypto::random_hex(16);
    row.data_sha256 = crypto::sha256_hex(signed_text(copy));
    if (copy.health.size() > 0)
        row.sealed = site_.secrets.seal(copy.health.dump(), place_of_answers(row.salt));
    return copy;
}

Result<Value> Signing::sign(const Value& body, const Visitor& visitor, Instant now) const {
    SVC_RETURN_IF_ERROR(limit("consent_sign", visitor, signs_a_minute));
    const std::string token = body.text_or("token");
    if (is_test_token(token))
        return gone("test", "This is a test. Nothing can be signed here."_sentence);
    SVC_ASSIGN_OR_RETURN(const auto opened, find(token, visitor));
    SVC_RETURN_IF_ERROR(usable(opened, token, now));
    SVC_ASSIGN_OR_RETURN(auto copy, checked(opened, body, visitor, now));
    SVC_ASSIGN_OR_RETURN(const auto stored, store(opened, token, std::move(copy), now));
    return Value::object({{"id", stored.row.id}, {"signed_at", stored.row.signed_at}, {"copy_url", copy_url(token)}});
}

// The file is printed before the transaction, which waits for nothing. One that fails is printed when it is read.
Result<Copy> Signing::store(const Opened& opened, std::string_view token, Copy copy, Instant now) const {
    SVC_ASSIGN_OR_RETURN(const auto site_url, requests_.site_url());
    const Value document = document_of(copy, true, site_.zone(), site_.look());
    const auto pdf = documents_.pdf(document);
    if (const char* member = pdf ? nullptr : unreadable_picture(pdf.error(), document, copy.marks))
        return invalid(member, "This must be a PNG picture."_sentence);
    if (pdf)
        copy.row.pdf_sha256 = crypto::sha256_hex(*pdf);
    else if (site_.log)
        site_.log->write(log::Level::error, "consent_pdf_failed",
                         {{"request", opened.request.id}, {"cause", log::redacted(pdf.error().message().english())}});
    return site_.store.transact<Copy>([&](store::Transaction& tx) -> Result<Copy> {
        Copy stored = copy;
        // Only one of two at the same time finds it open, and only while the link was not replaced.
        request_record().lock(tx, opened.request.id, false);
        if (tx.run("UPDATE svc_consent_requests SET status = 'signed', signed_at = :now, updated_at = :now"
                   " WHERE id = :id AND status = 'pending' AND form_version = :version AND EXISTS (SELECT 1 FROM"
                   " svc_consent_links WHERE token_hash = :hash AND ended_at IS NULL)",
                   {{"id", opened.request.id},
                    {"version", opened.request.form_version},
                    {"hash", hash_of_token(token)},
                    {"now", now}}) == 0) {
            const auto other = request_record().find(tx, opened.request.id);
            if (other && other->status == status::signed_) {
                Error error = already_signed;
                return error.with("signed_at", Value(other->signed_at).dump());
            }
            return gone("revoked", "This link was replaced or withdrawn."_sentence);
        }
        store_copy(tx, site_.secrets, stored, pdf ? *pdf : std::string());
        site_.hooks.emit(tx, consent_signed, {stored.row.id, opened.request.id, opened.request.booking_id});
        queue_copy(site_, tx, stored, site_url + "/consent/" + std::string(token));
        return stored;
    });
}

Result<Signing::File> Signing::pdf_of(const Copy& signed_copy, bool with_health) const {
    const SignedConsent& row = signed_copy.row;
    const bool is_whole = !row.health_deleted_at && !row.erased_at && !row.revoked_at;
    File file{.name = file_name_of(row), .bytes = {}};
    if (is_whole && !has_masked(signed_copy, with_health)) {
        auto stored = site_.store.reading<std::optional<std::string>>(
            [&](store::Session& session) { return stored_pdf(session, site_.secrets, row.id); });
        if (stored) {
            file.bytes = std::move(*stored);
            return file;
        }
    }
    SVC_ASSIGN_OR_RETURN(file.bytes, documents_.pdf(document_of(signed_copy, with_health, site_.zone(), site_.look())));
    return file;
}

Result<Signing::File> Signing::copy(std::string_view token, const Visitor& visitor, Instant now) const {
    SVC_RETURN_IF_ERROR(limit("consent_open", visitor, opens_a_minute));
    SVC_ASSIGN_OR_RETURN(const auto opened, find(token, visitor));
    if (!opened.request.signed_id || opened.request.status != status::signed_)
        return errc::not_found;
    const auto signed_copy = site_.store.reading<std::optional<Copy>>(
        [&](store::Session& session) { return copy_of(session, site_.secrets, *opened.request.signed_id); });
    if (!signed_copy || signed_copy->row.erased_at)
        return errc::not_found;
    if (opened.party.end_of_trip(site_.zone()).plus(std::chrono::hours(24 * copy_days)) <= now)
        return gone("expired", "This link has expired. Ask us for your copy."_sentence);
    return pdf_of(*signed_copy, true);
}

}  // namespace svc::pro::consent
