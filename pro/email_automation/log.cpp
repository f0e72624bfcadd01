// One statement over the outbox and the log of steps.
#include "pro/email_automation/log.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using store::Params;

constexpr auto made_within = std::chrono::hours(1);

// The e-mails of the base; with them what a sequence knows of its own; and the steps of sequences without an e-mail.
#define SVC_LOG_ROWS                                                                                                   \
    " FROM (SELECT m.id * 2 AS id, COALESCE(l.template_id, g.id) AS template_id,"                                      \
    " CASE WHEN l.template_key <> '' THEN l.template_key ELSE m.template_key END AS template_key, l.sequence_id,"      \
    " m.to_email AS recipient_email, COALESCE(l.recipient_name, '') AS recipient_name, m.subject,"                     \
    " CASE WHEN m.booking_id IS NOT NULL THEN 'booking' WHEN m.enquiry_id IS NOT NULL THEN 'enquiry' ELSE '' END"      \
    " AS context_type, COALESCE(m.booking_id, m.enquiry_id) AS context_id,"                                            \
    " CASE m.status WHEN 'sending' THEN 'queued' ELSE m.status END AS status,"                                         \
    " CASE WHEN m.status = 'suppressed' THEN 'This e-mail is switched off, or its recipient got too many.'"            \
    " ELSE COALESCE(m.error, '') END AS error_message, m.sent_at, m.created_at, m.event_key, m.locale,"                \
    " COALESCE(l.body, '') AS body, m.booking_id FROM svc_mail_v1 m"                                                   \
    " LEFT JOIN svc_email_step_logs l ON l.dedupe_key = m.dedupe_key"                                                  \
    " LEFT JOIN svc_email_templates g ON g.template_key = m.template_key AND g.overrides = ''"                         \
    " WHERE m.is_test = 0 UNION ALL"                                                                                   \
    " SELECT l.id * 2 + 1, l.template_id, l.template_key, l.sequence_id, l.recipient_email, l.recipient_name,"         \
    " l.subject, 'booking', l.booking_id, CASE WHEN l.reason <> '' THEN 'skipped' WHEN l.created_at < :lost THEN"      \
    " 'failed' ELSE 'queued' END, CASE WHEN l.reason <> '' THEN l.reason WHEN l.created_at < :lost THEN"               \
    " 'The e-mail was not made: the module was off.' ELSE '' END, NULL, l.created_at, '', '', l.body, l.booking_id"    \
    " FROM svc_email_step_logs l WHERE l.reason <> '' OR NOT EXISTS (SELECT 1 FROM svc_mail_v1 m WHERE m.dedupe_key =" \
    " l.dedupe_key)) a WHERE (:status = '' OR a.status = :status) AND (:template_key = '' OR a.template_key ="         \
    " :template_key) AND (:email = '' OR lower(a.recipient_email) = lower(:email)) AND (:booking_id = 0 OR"            \
    " a.booking_id = :booking_id) AND (:sequence_id = 0 OR a.sequence_id = :sequence_id) AND a.created_at >= :from"    \
    " AND a.created_at < :to AND (:search = '' OR lower(a.recipient_email) LIKE :pattern ESCAPE '!' OR"                \
    " (:sees = 1 AND lower(a.subject) LIKE :pattern ESCAPE '!') OR lower(a.recipient_name) LIKE :pattern ESCAPE '!')"

#define SVC_LOG_COLUMNS                                                                                          \
    "SELECT a.id, a.template_id, a.template_key, a.sequence_id, a.recipient_email, a.recipient_name, a.subject," \
    " a.context_type, a.context_id, a.status, a.error_message, a.sent_at, a.created_at, a.event_key, a.locale, a.body"

// Lower case as both databases make it of ASCII letters.
std::string pattern_of(const std::string& search) {
    std::string pattern = "%";
    for (const char c : search) {
        if (c == '%' || c == '_' || c == '!')
            pattern += '!';
        pattern += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return pattern + "%";
}

Params params_of(const LogQuery& query, Instant now) {
    return {{"status", query.status},
            {"template_key", query.template_key},
            {"email", query.recipient_email},
            {"booking_id", query.booking_id},
            {"sequence_id", query.sequence_id},
            {"from", query.from ? query.from->micros() : INT64_MIN},
            {"to", query.to ? query.to->micros() : INT64_MAX},
            {"search", query.search},
            {"pattern", pattern_of(query.search)},
            {"sees", query.sees_subjects},
            {"lost", now.minus(made_within)},
            {"most", query.limit},
            {"offset", query.offset}};
}

std::vector<Logged> rows(store::Session& session, std::string_view sql, const Params& params) {
    using Text = std::string;
    using MaybeId = std::optional<std::int64_t>;
    return store::structs<Logged, std::int64_t, MaybeId, Text, MaybeId, Text, Text, Text, Text, MaybeId, Text, Text,
                          std::optional<Instant>, Instant, Text, Text, Text>(session, sql, params);
}

}  // namespace

std::vector<Logged> MailLog::list(store::Session& session, const LogQuery& query, Instant now) {
    return rows(session,
                query.ascending ? SVC_LOG_COLUMNS SVC_LOG_ROWS " ORDER BY a.created_at, a.id LIMIT :most OFFSET :offset"
                                : SVC_LOG_COLUMNS SVC_LOG_ROWS
                    " ORDER BY a.created_at DESC, a.id DESC LIMIT :most OFFSET :offset",
                params_of(query, now));
}

std::int64_t MailLog::count(store::Session& session, const LogQuery& query, Instant now) {
    return session.number("SELECT COUNT(*)" SVC_LOG_ROWS, params_of(query, now));
}

std::optional<Logged> MailLog::find(store::Session& session, std::int64_t id, Instant now) {
    Params params = params_of({}, now);
    params.emplace_back("id", id);
    auto found = rows(session, SVC_LOG_COLUMNS SVC_LOG_ROWS " AND a.id = :id", params);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

}  // namespace svc::pro::email_automation
