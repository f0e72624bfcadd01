// What somebody signed, with the evidence of it. Written once; see privacy.hpp for what is deleted of it later.
#pragma once

#include "pro/common/site.hpp"
#include "pro/consent/content.hpp"
#include "shared/record/record.hpp"
#include "shared/store/sealed_columns.hpp"

namespace svc::pro::consent {

struct SignedConsent {
    std::int64_t id = 0;
    std::optional<std::int64_t> request_id;
    std::int64_t form_id = 0, form_version = 1;
    std::string form_name;
    std::optional<std::int64_t> booking_id;
    std::string booking_reference, trip_title;
    Date travel_date{}, end_date{};
    std::int64_t traveler_index = 0;
    std::string traveler_name;
    std::string signer_name, signer_email, email_lower;
    std::string signer_role{"self"};  // self, guardian
    std::optional<std::string> guardian_relation, minor_name;
    json::Value form_data = json::Value::object();  // without the answers that are sealed
    std::string sealed;                             // those, as a sealed JSON object; empty: there are none
    std::string signature_type{"none"};             // drawn, typed, none
    std::string locale, time_zone, ip_address, user_agent;
    std::optional<Instant> opened_at;
    std::optional<std::int64_t> shown_seconds;
    Instant signed_at{};
    std::string form_sha256, data_sha256, salt;
    std::optional<std::string> pdf_sha256;
    std::string status{"signed"};  // signed, revoked
    std::optional<Instant> revoked_at;
    std::optional<std::int64_t> revoked_by;
    std::optional<std::string> revoked_reason;
    std::optional<Instant> health_deleted_at, erased_at;
    Instant created_at{}, updated_at{};
};
const record::Record<SignedConsent>& signed_record();

// The signature and the initials: data URLs of PNG pictures, or typed; empty: none.
struct Marks {
    std::string signature, initials;
};

// All that belongs to one signed copy.
struct Copy {
    SignedConsent row;
    Marks marks;
    json::Value health = json::Value::object();  // the sealed answers, opened
    Content content;
};

// The text whose SHA-256 is data_sha256: what was signed, by whom, when and how, with the salt.
std::string signed_text(const Copy& copy);
// Whether the stored copy still has its hash; nothing once some of it was deleted, as the law asks.
std::optional<bool> is_intact(const Copy& copy);

std::string place_of_answers(const std::string& salt);
std::string place_of_pdf(std::int64_t signed_id);
const std::vector<store::SealedColumn>& sealed_columns();

std::optional<Copy> copy_of(store::Session& session, const plugin::Secrets& secrets, std::int64_t id);
// In the transaction that marks the request; `pdf` empty: it could not be made. Sets the id.
void store_copy(store::Transaction& tx, const plugin::Secrets& secrets, Copy& copy, const std::string& pdf);
// The bytes that pdf_sha256 is of; nothing once they were deleted, or where they could not be made.
std::optional<std::string> stored_pdf(store::Session& session, const plugin::Secrets& secrets, std::int64_t id);

// Answers with those about health: opened, or masked for callers who may not read them.
json::Value answers_of(const Copy& copy, bool with_health);
bool has_masked(const Copy& copy, bool with_health);

}  // namespace svc::pro::consent
