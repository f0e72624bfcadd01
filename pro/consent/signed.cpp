// Declares the record of signed consents; stores and reads copies.
#include "pro/consent/signed.hpp"

#include "pro/consent/consent.hpp"
#include "pro/consent/form.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/api/masked_answers.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

record::Layout signed_layout() {
    return {.table = "svc_signed_consents",
            .component = "SignedConsent",
            .search_column = "search",
            .sorts = {{"signed_at", {"r.signed_at"}}, {"id", {"r.id"}}, {"travel_date", {"r.travel_date"}}},
            .default_sort = "signed_at",
            .conditions = {{"form_id", "r.form_id = :form_id"}, {"booking_id", "r.booking_id = :booking_id"}}};
}

std::optional<std::string> file_of(store::Session& session, std::int64_t signed_id, const char* kind) {
    return store::value<std::string>(
        session, "SELECT content FROM svc_signed_consent_files WHERE signed_id = :id AND kind = :kind",
        {{"id", signed_id}, {"kind", kind}});
}

void add_file(store::Transaction& tx, const SignedConsent& row, const char* kind, const std::string& content) {
    if (content.empty())
        return;
    tx.run(
        "INSERT INTO svc_signed_consent_files (signed_id, kind, content, booking_id, email_lower)"
        " VALUES (:id, :kind, :content, :booking_id, :email)",
        {{"id", row.id},
         {"kind", kind},
         {"content", content},
         {"booking_id", row.booking_id},
         {"email", row.email_lower}});
}

}  // namespace

const record::Record<SignedConsent>& signed_record() {
    using namespace record;
    using S = SignedConsent;
    static const Record<S> declared{
        signed_layout(),
        {id(&S::id),
         column("request_id", &S::request_id, api::id().referring_to("consent/requests"), by_server),
         column("form_id", &S::form_id, api::id().referring_to("consent/forms"), by_server),
         column("form_name", &S::form_name, api::text(200), by_server | searched),
         column("form_version", &S::form_version, api::integer(1), by_server),
         column("booking_id", &S::booking_id, api::id(), by_server),
         column("booking_reference", &S::booking_reference, api::text(40), by_server | searched),
         column("trip_title", &S::trip_title, api::text(255), by_server),
         column("travel_date", &S::travel_date, api::date(), by_server),
         stored("end_date", &S::end_date),
         column("traveler_index", &S::traveler_index, api::integer(0), by_server, "0: the booking's contact."),
         column("traveler_name", &S::traveler_name, api::text(200), by_server),
         column("signer_name", &S::signer_name, api::text(200), by_server | searched),
         column("signer_email", &S::signer_email, api::text(254), by_server | searched),
         stored("email_lower", &S::email_lower),
         column("signer_role", &S::signer_role, api::choice({"self", "guardian"}), by_server),
         column("guardian_relation", &S::guardian_relation, api::text(60), by_server),
         column("minor_name", &S::minor_name, api::text(200), by_server),
         stored("form_data", &S::form_data),
         stored("sealed", &S::sealed),
         column("signature_type", &S::signature_type, api::choice({"drawn", "typed", "none"}), by_server),
         stored("locale", &S::locale),
         column("time_zone", &S::time_zone, api::text(60), by_server, "Of the signer, where the browser said it."),
         column("ip_address", &S::ip_address, api::text(60), by_server),
         column("user_agent", &S::user_agent, api::text(500), by_server),
         column("opened_at", &S::opened_at, api::instant(), by_server, "When the form was last opened before that."),
         column("shown_seconds", &S::shown_seconds, api::integer(0), by_server, "As the page counted them."),
         column("signed_at", &S::signed_at, api::instant(), by_server),
         column("form_sha256", &S::form_sha256, api::text(64), by_server),
         column("data_sha256", &S::data_sha256, api::text(64), by_server),
         stored("salt", &S::salt),
         column("pdf_sha256", &S::pdf_sha256, api::text(64), by_server),
         column("status", &S::status, api::choice({"signed", "revoked"}), by_server | sortable),
         column("revoked_at", &S::revoked_at, api::instant(), by_server),
         column("revoked_by", &S::revoked_by, api::id(), by_server),
         column("revoked_reason", &S::revoked_reason, api::text(500), by_server),
         column("health_deleted_at", &S::health_deleted_at, api::instant(), by_server,
                "Answers about health and the PDF that had them were deleted."),
         column("erased_at", &S::erased_at, api::instant(), by_server, "The signer's data was erased."),
         timestamps<S>()}};
    return declared;
}

std::string signed_text(const Copy& copy) {
    const SignedConsent& row = copy.row;
    return Value::object({{"form_id", row.form_id},
                          {"form_version", row.form_version},
                          {"form_sha256", row.form_sha256},
                          {"booking_reference", row.booking_reference},
                          {"trip_title", row.trip_title},
                          {"travel_date", row.travel_date},
                          {"traveler_index", row.traveler_index},
                          {"traveler_name", row.traveler_name},
                          {"signer_name", row.signer_name},
                          {"signer_email", row.signer_email},
                          {"signer_role", row.signer_role},
                          {"guardian_relation", row.guardian_relation},
                          {"minor_name", row.minor_name},
                          {"form_data", row.form_data},
                          {"health", copy.health},
                          {"signature_type", row.signature_type},
                          {"signature", copy.marks.signature},
                          {"initials", copy.marks.initials},
                          {"agreed_to_sign_electronically", true},
                          {"ip_address", row.ip_address},
                          {"user_agent", row.user_agent},
                          {"time_zone", row.time_zone},
                          {"opened_at", row.opened_at},
                          {"shown_seconds", row.shown_seconds},
                          {"signed_at", row.signed_at},
                          {"salt", row.salt}})
        .dump();
}

std::optional<bool> is_intact(const Copy& copy) {
    if (copy.row.health_deleted_at || copy.row.erased_at || copy.row.salt.empty())
        return std::nullopt;
    return crypto::equal(crypto::sha256_hex(signed_text(copy)), copy.row.data_sha256);
}

// By the salt: it is known before the copy has an id, and no two copies share it.
std::string place_of_answers(const std::string& salt) { return "svc_signed_consents/" + salt + "/sealed"; }

std::string place_of_pdf(std::int64_t signed_id) {
    return "svc_signed_consent_files/" + std::to_string(signed_id) + "/pdf";
}

const std::vector<store::SealedColumn>& sealed_columns() {
    static const std::vector<store::SealedColumn> all{
        {.table = "svc_signed_consents", .column = "sealed", .bound_to = "'svc_signed_consents/' || salt || '/sealed'"},
        {.table = "svc_signed_consent_files",
         .column = "content",
         .bound_to = "'svc_signed_consent_files/' || signed_id || '/pdf'",
         .condition = "kind = 'pdf'"}};
    return all;
}

std::optional<Copy> copy_of(store::Session& session, const plugin::Secrets& secrets, std::int64_t id) {
    auto row = signed_record().find(session, id);
    if (!row)
        return std::nullopt;
    Copy copy{.row = std::move(*row), .marks = {}, .content = {}};
    copy.marks.signature = file_of(session, id, "signature").value_or("");
    copy.marks.initials = file_of(session, id, "initials").value_or("");
    copy.content = version_of(session, copy.row.form_id, copy.row.form_version);
    if (!copy.row.sealed.empty()) {
        const auto opened = secrets.open(copy.row.sealed, place_of_answers(copy.row.salt));
        if (auto answers = opened ? json::parse(*opened, {.text = 256 * 1024}) : Result<Value>(opened.error()); answers)
            copy.health = std::move(*answers);
    }
    return copy;
}

void store_copy(store::Transaction& tx, const plugin::Secrets& secrets, Copy& copy, const std::string& pdf) {
    signed_record().insert(tx, copy.row, {.user_id = {}, .now = copy.row.signed_at});
    add_file(tx, copy.row, "signature", copy.marks.signature);
    add_file(tx, copy.row, "initials", copy.marks.initials);
    if (!pdf.empty())
        add_file(tx, copy.row, "pdf", secrets.seal(crypto::base64(pdf), place_of_pdf(copy.row.id)));
}

std::optional<std::string> stored_pdf(store::Session& session, const plugin::Secrets& secrets, std::int64_t id) {
    const auto sealed = file_of(session, id, "pdf");
    const auto opened = sealed ? secrets.open(*sealed, place_of_pdf(id)) : Result<std::string>(errc::not_found);
    return opened ? crypto::from_base64(*opened) : std::nullopt;
}

Value answers_of(const Copy& copy, bool with_health) {
    Value all = copy.row.form_data;
    for (const Value& field : copy.content.asked().items()) {
        const std::string id = field.text_or("id");
        if (const Value* answer = copy.health.find(id))
            all.set(id, with_health ? *answer : Value(std::string(api::masked_answer)));
    }
    return all;
}

bool has_masked(const Copy& copy, bool with_health) { return !with_health && copy.health.size() > 0; }

}  // namespace svc::pro::consent
