// SQL on svc_email_outbox.
#include "base/messaging/outbox/repository.hpp"

#include <algorithm>

#include "base/messaging/outbox/bodies.hpp"
#include "shared/core/correlation.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/store/typed.hpp"

namespace svc::messaging::outbox {
namespace {

using store::Dialect;

constexpr auto bodies_kept = std::chrono::hours(24 * 90);
constexpr auto rows_kept = std::chrono::hours(24 * 365);
constexpr std::int64_t most_renewed = 100;

// The columns are the members of LeasedEmail.
#define SVC_LEASED_COLUMNS                                                           \
    "id, template_key, to_email, cc, bcc, from_email, from_name, reply_to, subject," \
    " COALESCE(body_html, ''), COALESCE(body_text, ''), COALESCE(body_sealed, ''), attempts, created_at"

std::vector<LeasedEmail> emails(store::Session& session, std::string_view sql, const store::Params& params) {
    using Text = std::string;
    return store::structs<LeasedEmail, std::int64_t, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text,
                          std::int64_t, Instant>(session, sql, params);
}

}  // namespace

bool queue(store::Transaction& tx, const NewEmail& email, const std::string& body, Instant now,
           std::optional<Instant> turn) {
    return tx.run(
               "INSERT INTO svc_email_outbox (template_key, event_key, locale, to_email, cc, bcc, from_email,"
               " from_name, reply_to, subject, body_sealed, booking_id, enquiry_id, dedupe_key, status, "
               "next_attempt_at,"
               " is_test, request_id, to_key, caused_by, for_digest, created_at, updated_at) VALUES (:template_key, "
               ":event_key, :locale, :to, :cc, "
               ":bcc,"
               " :from_email, :from_name, :reply_to, :subject, :body, :booking_id, :enquiry_id, :dedupe_key,"
               " :status, :turn, :is_test, :request, :to_key, :caused_by, :for_digest, :now, :now)"
               " ON CONFLICT (dedupe_key) DO NOTHING",
               {{"template_key", email.template_key},
                {"event_key", email.event_key},
                {"locale", email.locale},
                {"to", email.to},
                {"cc", email.cc},
                {"bcc", email.bcc},
                {"from_email", email.from_email},
                {"from_name", email.from_name},
                {"reply_to", email.reply_to},
                {"subject", email.subject},
                {"body", body},
                {"booking_id", email.booking_id},
                {"enquiry_id", email.enquiry_id},
                {"dedupe_key", email.dedupe_key},
                {"status", name_of(email.suppressed ? EmailStatus::suppressed : EmailStatus::queued)},
                {"is_test", email.is_test},
                {"request", Correlation::current().empty() ? std::nullopt : std::optional(Correlation::current())},
                {"to_key", mailbox_key(email.to)},
                {"caused_by", email.caused_by},
                {"for_digest", email.for_digest},
                {"turn", turn.value_or(now)},
                {"now", now}}) == 1;
}

std::optional<LeasedEmail> claim(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease,
                                 Instant now) {
    const store::Params params{
        {"process", process}, {"lease", std::int64_t{lease.count()}}, {"now", now}, {"most", most_attempts}};
    auto claimed =
        emails(tx,
               tx.dialect() == Dialect::sqlite
                   ? "UPDATE svc_email_outbox SET status = 'sending', attempts = attempts + 1, leased_by = :process,"
                     " lease_until = CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease,"
                     " updated_at = :now"
                     " WHERE id = (SELECT c.id FROM svc_email_outbox c WHERE c.status IN ('queued', 'sending')"
                     " AND c.next_attempt_at <= :now AND c.attempts < :most AND (c.status = 'queued'"
                     " OR c.lease_until < CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER))"
                     " AND NOT EXISTS (SELECT 1 FROM svc_email_outbox o WHERE o.status IN ('queued', 'sending')"
                     " AND o.booking_id = c.booking_id AND o.id < c.id)"
                     " ORDER BY c.next_attempt_at, c.id LIMIT 1)"
                     " RETURNING " SVC_LEASED_COLUMNS
                   : "UPDATE svc_email_outbox SET status = 'sending', attempts = attempts + 1, leased_by = :process,"
                     " lease_until = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease, "
                     "updated_at = :now"
                     " WHERE id = (SELECT c.id FROM svc_email_outbox c WHERE c.status IN ('queued', 'sending')"
                     " AND c.next_attempt_at <= :now AND c.attempts < :most AND (c.status = 'queued'"
                     " OR c.lease_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT))"
                     " AND NOT EXISTS (SELECT 1 FROM svc_email_outbox o WHERE o.status IN ('queued', 'sending')"
                     " AND o.booking_id = c.booking_id AND o.id < c.id)"
                     " ORDER BY c.next_attempt_at, c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED)"
                     " RETURNING " SVC_LEASED_COLUMNS,
               params);
    return claimed.empty() ? std::nullopt : std::optional(std::move(claimed.front()));
}

void sent(store::Transaction& tx, std::int64_t id, const std::string& process, Instant now) {
    tx.run(
        "UPDATE svc_email_outbox SET status = 'sent', sent_at = :now, error = NULL, leased_by = NULL,"
        " lease_until = NULL, updated_at = :now WHERE id = :id AND leased_by = :process AND status = 'sending'",
        {{"id", id}, {"process", process}, {"now", now}});
}

void again(store::Transaction& tx, std::int64_t id, const std::string& process, Instant next, const std::string& error,
           Instant now) {
    tx.run(
        "UPDATE svc_email_outbox SET status = 'queued', next_attempt_at = :next, error = :error, leased_by = NULL,"
        " lease_until = NULL, updated_at = :now WHERE id = :id AND leased_by = :process AND status = 'sending'",
        {{"id", id}, {"process", process}, {"next", next}, {"error", error}, {"now", now}});
}

void failed(store::Transaction& tx, std::int64_t id, const std::string& process, const std::string& error,
            Instant now) {
    tx.run(
        "UPDATE svc_email_outbox SET status = 'failed', error = :error, leased_by = NULL, lease_until = NULL,"
        " updated_at = :now WHERE id = :id AND leased_by = :process AND status = 'sending'",
        {{"id", id}, {"process", process}, {"error", error}, {"now", now}});
}

std::int64_t bury_lost(store::Transaction& tx, Instant now) {
    const store::Params params{{"most", most_attempts}, {"now", now}};
    if (tx.dialect() == Dialect::sqlite)
        return tx.run(
            "UPDATE svc_email_outbox SET status = 'failed', error = 'The process ended while it was sending.',"
            " leased_by = NULL, lease_until = NULL, updated_at = :now WHERE status = 'sending' AND attempts >= :most"
            " AND lease_until < CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)",
            params);
    return tx.run(
        "UPDATE svc_email_outbox SET status = 'failed', error = 'The process ended while it was sending.',"
        " leased_by = NULL, lease_until = NULL, updated_at = :now WHERE status = 'sending' AND attempts >= :most"
        " AND lease_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
        params);
}

std::vector<FailedEmail> dead_letters(store::Session& session, int most) {
    using Text = std::string;
    return store::structs<FailedEmail, std::int64_t, Text, Text, Text, Text, std::optional<std::int64_t>, std::int64_t,
                          Instant, Instant>(
        session,
        "SELECT id, template_key, to_email, subject, COALESCE(error, ''), booking_id, attempts, created_at, updated_at"
        " FROM svc_email_outbox WHERE status = 'failed' ORDER BY id DESC LIMIT :most",
        {{"most", most}});
}

std::vector<MailOfBooking> of_booking(store::Session& session, std::int64_t booking_id, int most) {
    using Text = std::string;
    return store::structs<MailOfBooking, std::int64_t, Text, Text, Text, Text, Text, Instant>(
        session,
        "SELECT id, template_key, to_email, subject, status, COALESCE(error, ''), created_at FROM svc_email_outbox"
        " WHERE booking_id = :booking_id AND is_test = 0 ORDER BY id DESC LIMIT :most",
        {{"booking_id", booking_id}, {"most", most}});
}

std::vector<mails::LoggedMail> of_template(store::Session& session, const std::string& template_key,
                                           const mails::LogQuery& query) {
    using Text = std::string;
    return store::structs<mails::LoggedMail, std::int64_t, Text, Text, Text, Text, Text, Text,
                          std::optional<std::int64_t>, Instant, std::optional<Instant>>(
        session,
        "SELECT id, template_key, COALESCE(dedupe_key, ''), to_email, subject, status, COALESCE(error, ''), booking_id,"
        " created_at, sent_at FROM svc_email_outbox WHERE template_key = :template AND is_test = 0"
        " AND (:key = '' OR dedupe_key = :key) AND (:booking_id IS NULL OR booking_id = :booking_id)"
        " ORDER BY id DESC LIMIT :most",
        {{"template", template_key},
         {"key", query.dedupe_key},
         {"booking_id", query.booking_id},
         {"most", query.limit}});
}

bool revive(store::Transaction& tx, std::int64_t id, Instant now) {
    return tx.run(
               "UPDATE svc_email_outbox SET status = 'queued', attempts = 0, next_attempt_at = :now, updated_at = :now"
               " WHERE id = :id AND status = 'failed' AND (body_sealed IS NOT NULL OR body_html IS NOT NULL)",
               {{"id", id}, {"now", now}}) == 1;
}

std::int64_t renew_bodies(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t& last) {
    std::int64_t count = 0;
    for (const LeasedEmail& email :
         emails(tx,
                "SELECT " SVC_LEASED_COLUMNS " FROM svc_email_outbox WHERE id > :last"
                " AND (body_sealed IS NOT NULL OR body_html IS NOT NULL) ORDER BY id LIMIT :most",
                {{"last", last}, {"most", most_renewed}})) {
        last = email.id;
        if (const auto body = renewed_body(keyring, email))
            count += tx.run(
                "UPDATE svc_email_outbox SET body_sealed = :body, body_html = NULL, body_text = NULL"
                " WHERE id = :id AND COALESCE(body_sealed, '') = :before",
                {{"body", *body}, {"id", email.id}, {"before", email.body_sealed}});
    }
    return count;
}

Waiting waiting(store::Session& session, Instant now) {
    Waiting answer;
    answer.open = session.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status IN ('queued', 'sending')", {});
    // One that waits for its next try, or behind such a one, is not late.
    answer.due_since = store::value<Instant>(
        session,
        "SELECT MIN(c.next_attempt_at) FROM svc_email_outbox c WHERE c.status IN ('queued', 'sending')"
        " AND c.next_attempt_at <= :now AND NOT EXISTS (SELECT 1 FROM svc_email_outbox o"
        " WHERE o.status IN ('queued', 'sending') AND o.booking_id = c.booking_id AND o.id < c.id)",
        {{"now", now}});
    return answer;
}

std::int64_t purge_bodies(store::Transaction& tx, Instant now, int most) {
    return purge_bodies_before(tx, now.minus(bodies_kept), most);
}

std::int64_t purge(store::Transaction& tx, Instant now, int most) {
    return purge_before(tx, now.minus(rows_kept), most);
}

std::int64_t purge_bodies_before(store::Transaction& tx, Instant before, int most) {
    return tx.run(
        "UPDATE svc_email_outbox SET body_html = NULL, body_text = NULL, body_sealed = NULL"
        " WHERE id IN (SELECT id FROM svc_email_outbox WHERE created_at < :before"
        " AND (body_sealed IS NOT NULL OR body_html IS NOT NULL) AND status IN ('sent', 'failed', 'suppressed')"
        " ORDER BY created_at LIMIT :most)",
        {{"before", before}, {"most", most}});
}

std::int64_t purge_before(store::Transaction& tx, Instant before, int most) {
    return tx.run(
        "DELETE FROM svc_email_outbox WHERE id IN (SELECT id FROM svc_email_outbox"
        " WHERE created_at < :before AND status IN ('sent', 'failed', 'suppressed') ORDER BY created_at LIMIT :most)",
        {{"before", before}, {"most", most}});
}

}  // namespace svc::messaging::outbox
