// Declares the record of forms, their versions and their rules.
#include "pro/consent/form.hpp"

#include <algorithm>

#include "pro/consent/configuration.hpp"
#include "pro/consent/consent.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

record::Layout form_layout() {
    return {.table = "svc_consent_forms",
            .component = "ConsentForm",
            .search_column = "search",
            .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
            .default_sort = "created_at",
            .conditions = {}};
}

// Left out of a create, they are as the settings say.
void take_defaults(const Site& site, ConsentForm& form, const Value& body) {
    if (!body.find("send_before_days"))
        form.send_before_days = default_send_before_days(site);
    if (!body.find("reminder_days"))
        form.reminder_days = default_reminder_days(site);
}

void adjust(const Site& site, const ConsentForm* before, ConsentForm& after, const Value& body, Faults& faults) {
    if (!before)
        take_defaults(site, after, body);
    if (after.applicable_to == "all")
        after.trip_ids.clear();
    if (const auto days = reminder_days_of(after.reminder_days))
        after.reminder_days = text_of_reminder_days(*days);
    else
        faults.at("reminder_days",
                  "Enter days from 0 to 365 with commas between them, such as 3,1; ten at most."_sentence);
    after.sha256 = crypto::sha256_hex(after.content().snapshot());
    after.version = !before ? 1 : after.sha256 == before->sha256 ? before->version : before->version + 1;
}

void check(const ConsentForm* before, const ConsentForm& form, Faults& faults) {
    // Its last trip may have been deleted.
    const bool had_none = before && before->applicable_to == "specific_trips" && before->trip_ids.empty();
    if (form.applicable_to == "specific_trips" && form.trip_ids.empty() && !had_none)
        faults.at("trip_ids", "Enter at least one trip."_sentence);
    check_fields(form.fields, faults);
    check_blocks(form.content_blocks, faults);
    if (form.is_published() && form.content_blocks.size() == 0 && form.content().asked().size() == 0)
        faults.at("content_blocks", "Enter a text or a field before you publish the form."_sentence);
}

void keep_version(store::Transaction& tx, const ConsentForm& form, Instant now) {
    tx.run(
        "INSERT INTO svc_consent_form_versions (form_id, version, snapshot, sha256, created_at)"
        " VALUES (:form_id, :version, :snapshot, :sha256, :now) ON CONFLICT (form_id, version) DO NOTHING",
        {{"form_id", form.id},
         {"version", form.version},
         {"snapshot", form.content().snapshot()},
         {"sha256", form.sha256},
         {"now", now}});
}

void revoke_open(store::Transaction& tx, std::int64_t form_id, Instant now) {
    tx.run(
        "UPDATE svc_consent_requests SET status = 'revoked', end_reason = :why, updated_at = :now"
        " WHERE form_id = :form_id AND status = 'pending'",
        {{"form_id", form_id}, {"now", now}, {"why", why::form}});
}

resource::Options options_of(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    using Does = resource::BulkAction::Does;
    return {.store = site.store,
            .path = "/consent/forms",
            .one = "consent form",
            .many = "consent forms",
            .reads = may,
            .writes = may,
            .removes = may,
            .module = std::string(module_slug),
            .bulk = {{.name = "publish", .status = "publish"},
                     {.name = "draft", .status = "draft"},
                     {.name = "archive", .status = "archived"},
                     {.name = "trash", .status = "trash"},
                     {.name = "restore", .does = Does::restore},
                     {.name = "delete", .does = Does::remove}},
            .zone = [&site] { return site.zone(); }};
}

}  // namespace

Content ConsentForm::content() const {
    return {.title = name,
            .description = description,
            .require_signature = require_signature,
            .require_initials = require_initials,
            .fields = fields,
            .blocks = content_blocks};
}

bool ConsentForm::is_of(std::int64_t trip_id) const {
    return applicable_to == "all" || std::find(trip_ids.begin(), trip_ids.end(), trip_id) != trip_ids.end();
}

const record::Record<ConsentForm>& form_record() {
    using namespace record;
    using F = ConsentForm;
    static const Record<F> declared{
        form_layout(),
        {id(&F::id),
         column("name", &F::name, api::text(200, 1), by_client | required | searched | sortable, "Title of the form."),
         column("description", &F::description, api::raw_text(2000), by_client | searched, "Below the title."),
         column("status", &F::status, api::choice({"publish", "draft", "archived", "trash"}),
                by_client | default_value("draft") | sortable,
                "publish: sent by itself; archived: no longer sent, while open requests can be signed."),
         column("version", &F::version, api::integer(1), by_server,
                "Of the text; grows whenever title, text, fields or what is required change."),
         column("sha256", &F::sha256, api::text(64), by_server, "SHA-256 of this version's text."),
         column("require_signature", &F::require_signature, api::boolean(), by_client | default_value(true)),
         column("require_initials", &F::require_initials, api::boolean(), by_client),
         column("applicable_to", &F::applicable_to, api::choice({"all", "specific_trips"}),
                by_client | default_value("all")),
         linked("trip_ids", &F::trip_ids,
                {.table = "svc_consent_form_trips",
                 .owner = "form_id",
                 .other = "trip_id",
                 .exists_in = "svc_trip_v1",
                 .noun = "trip"},
                by_client, "Trips of specific_trips."),
         column("send_to", &F::send_to, api::choice({"all_travelers", "lead_traveler", "primary_contact"}),
                by_client | default_value("all_travelers"),
                "all_travelers: those without an address by the booking's contact."),
         column("send_before_days", &F::send_before_days, api::integer(0, 365), by_client,
                "Days before the trip; left out, as the settings say."),
         column("reminder_days", &F::reminder_days, api::text(60), by_client,
                "Days before the trip on which those who have not signed are reminded, such as 3,1; empty: never."),
         column("expiry_hours", &F::expiry_hours, api::integer(1, 8760), by_client,
                "Hours for which a link is valid; null: until the trip ends."),
         computed<F>(
             "fields", fields_type(), [](const F& form) { return form.fields; },
             [](F& form, const Value& given, Faults&) { form.fields = with_defaults_of_fields(given); }, by_client,
             "A list replaces all."),
         computed<F>(
             "content_blocks", blocks_type(), [](const F& form) { return form.content_blocks; },
             [](F& form, const Value& given, Faults&) { form.content_blocks = with_defaults_of_blocks(given); },
             by_client, "A list replaces all."),
         stored("fields_json", &F::fields, stored_as("fields")),
         stored("content_blocks_json", &F::content_blocks, stored_as("content_blocks")),
         derived("signed_count", &F::signed_count,
                 "(SELECT COUNT(*) FROM svc_signed_consents s WHERE s.form_id = r.id AND s.status = 'signed')",
                 api::integer(0)),
         derived("pending_count", &F::pending_count,
                 "(SELECT COUNT(*) FROM svc_consent_requests q WHERE q.form_id = r.id AND q.status = 'pending')",
                 api::integer(0)),
         row_version<F>(),
         timestamps<F>(),
         authors<F>(Names::left_out),
         trashed_at<F>(),
         status_before_trash<F>()}};
    return declared;
}

resource::Resource<ConsentForm> form_resource(const Site& site) {
    resource::Rules<ConsentForm> rules;
    rules.adjust = [&site](const auto* before, auto& after, const Value& body, Faults& faults) {
        adjust(site, before, after, body, faults);
    };
    rules.check = [](const auto* before, const ConsentForm& after, Faults& faults) { check(before, after, faults); };
    rules.may_delete = [](store::Session& session, const ConsentForm& form, bool) -> Result<void> {
        if (session.number("SELECT COUNT(*) FROM svc_signed_consents WHERE form_id = :id", {{"id", form.id}}) > 0)
            return Error(errc::in_use,
                         "Signed copies of this form are kept. Archive it to send it no longer."_sentence);
        return {};
    };
    rules.after_write = [](store::Transaction& tx, const auto*, const ConsentForm* after,
                           const record::Writer& writer) {
        if (!after)
            return;
        keep_version(tx, *after, writer.now);
        if (after->status == "trash")
            revoke_open(tx, after->id, writer.now);
    };
    return {form_record(), options_of(site), std::move(rules)};
}

std::vector<ConsentForm> published_forms(store::Session& session) {
    static const std::string sql = form_record().select("WHERE r.status = 'publish' ORDER BY r.id");
    return form_record().all(session, sql);
}

Content version_of(store::Session& session, std::int64_t form_id, std::int64_t version) {
    const auto text = store::value<std::string>(
        session, "SELECT snapshot FROM svc_consent_form_versions WHERE form_id = :form_id AND version = :version",
        {{"form_id", form_id}, {"version", version}});
    if (!text)
        throw std::runtime_error("a version of a consent form is missing");
    return Content::of_snapshot(*text);
}

Result<ConsentForm> duplicate(const resource::Resource<ConsentForm>& forms, store::Transaction& tx, std::int64_t id,
                              const record::Writer& writer) {
    const auto original = form_record().find(tx, id);
    if (!original)
        return errc::not_found;
    ConsentForm copy = *original;
    static_cast<record::Audit&>(copy) = {};
    static_cast<record::Trash&>(copy) = {};
    copy.id = 0;
    copy.status = "draft";
    copy.signed_count = copy.pending_count = 0;
    copy.name = std::string(text::first(copy.name, 190)) + " (copy)";
    // Named, so that the settings' defaults do not replace what the original says.
    const Value body = Value::object(
        {{"name", copy.name}, {"send_before_days", copy.send_before_days}, {"reminder_days", copy.reminder_days}});
    return forms.create(tx, std::move(copy), body, writer);
}

}  // namespace svc::pro::consent
