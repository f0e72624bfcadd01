// SQL on suppressed mailboxes.
#include "pro/email_automation/suppressions.hpp"

#include "shared/core/mailbox.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

#define SVC_SUPPRESSED                                                                                        \
    " FROM svc_email_suppressions s WHERE (:source = '' OR s.source = :source) AND s.created_at >= :from AND" \
    " s.created_at < :to AND (:pattern = '%%' OR s.mailbox LIKE :pattern ESCAPE '!' OR s.mailbox = :mailbox)"
#define SVC_SUPPRESSION_COLUMNS "SELECT s.id, s.mailbox, s.source, s.created_at"
#define SVC_PAGE " LIMIT :most OFFSET :skipped"

// Mailboxes are stored in lower case.
std::string pattern_of(std::string_view search) {
    std::string pattern = "%";
    for (const char c : search) {
        if (c == '%' || c == '_' || c == '!')
            pattern += '!';
        pattern += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return pattern + "%";
}

store::Params params_of(const SuppressionQuery& query) {
    return {{"source", query.source},
            {"from", query.from ? query.from->micros() : INT64_MIN},
            {"to", query.to ? query.to->micros() : INT64_MAX},
            {"pattern", pattern_of(query.search)},
            {"mailbox", mailbox_key(query.search)}};
}

std::vector<Suppression> rows(store::Session& session, std::string_view sql, const store::Params& params) {
    return store::structs<Suppression, std::int64_t, std::string, std::string, Instant>(session, sql, params);
}

}  // namespace

bool Suppressions::has(store::Session& session, const std::string& mailbox) {
    return session.number("SELECT COUNT(*) FROM svc_email_suppressions WHERE mailbox = :mailbox",
                          {{"mailbox", mailbox}}) > 0;
}

std::optional<Suppression> Suppressions::add(store::Transaction& tx, const std::string& mailbox,
                                             std::string_view source, Instant now) {
    const auto added = tx.run(
        "INSERT INTO svc_email_suppressions (mailbox, reason, source, created_at) VALUES (:mailbox, 'unsubscribed',"
        " :source, :now) ON CONFLICT (mailbox) DO NOTHING",
        {{"mailbox", mailbox}, {"source", std::string(source)}, {"now", now}});
    if (added == 0)
        return std::nullopt;
    return rows(tx, SVC_SUPPRESSION_COLUMNS " FROM svc_email_suppressions s WHERE s.mailbox = :mailbox",
                {{"mailbox", mailbox}})
        .front();
}

void Suppressions::remove(store::Transaction& tx, const std::string& mailbox) {
    tx.run("DELETE FROM svc_email_suppressions WHERE mailbox = :mailbox", {{"mailbox", mailbox}});
}

bool Suppressions::remove(store::Transaction& tx, std::int64_t id) {
    return tx.run("DELETE FROM svc_email_suppressions WHERE id = :id", {{"id", id}}) > 0;
}

std::vector<Suppression> Suppressions::list(store::Session& session, const SuppressionQuery& query) {
    auto params = params_of(query);
    params.emplace_back("most", query.limit);
    params.emplace_back("skipped", query.offset);
    const auto of = [&](std::string_view sql) { return rows(session, sql, params); };
    if (query.by_mailbox)
        return query.ascending ? of(SVC_SUPPRESSION_COLUMNS SVC_SUPPRESSED " ORDER BY s.mailbox" SVC_PAGE)
                               : of(SVC_SUPPRESSION_COLUMNS SVC_SUPPRESSED " ORDER BY s.mailbox DESC" SVC_PAGE);
    return query.ascending
               ? of(SVC_SUPPRESSION_COLUMNS SVC_SUPPRESSED " ORDER BY s.created_at, s.id" SVC_PAGE)
               : of(SVC_SUPPRESSION_COLUMNS SVC_SUPPRESSED " ORDER BY s.created_at DESC, s.id DESC" SVC_PAGE);
}

std::int64_t Suppressions::count(store::Session& session, const SuppressionQuery& query) {
    return session.number("SELECT COUNT(*)" SVC_SUPPRESSED, params_of(query));
}

}  // namespace svc::pro::email_automation
