// The log of e-mails: those of the outbox, and steps of sequences that were not sent, with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::email_automation {

// The id of an e-mail is twice that of its row in the outbox; that of a step which was not sent is odd.
struct Logged {
    std::int64_t id = 0;
    std::optional<std::int64_t> template_id;
    std::string template_key;
    std::optional<std::int64_t> sequence_id;
    std::string recipient_email, recipient_name, subject, context_type;
    std::optional<std::int64_t> context_id;
    std::string status;  // queued, sent, failed, suppressed, skipped
    std::string error_message;
    std::optional<Instant> sent_at;
    Instant created_at;
    std::string event_key, locale, body;  // body: of a sequence's e-mail, before its tags are filled in
};

struct LogQuery {
    std::string status, template_key, recipient_email, search;  // empty: any
    std::int64_t booking_id = 0, sequence_id = 0;               // 0: any
    std::optional<Instant> from, to;                            // of created_at; `to` is exclusive
    bool sees_subjects = true;                                  // false: `search` looks at recipients alone
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

class MailLog {
  public:
    // An e-mail that the base did not make within that time is lost: its module was off.
    static std::vector<Logged> list(store::Session& session, const LogQuery& query, Instant now);
    static std::int64_t count(store::Session& session, const LogQuery& query, Instant now);
    static std::optional<Logged> find(store::Session& session, std::int64_t id, Instant now);
    // Deletes steps from before that moment whose booking is in the sequence no more; at most `most`.
    static constexpr std::string_view delete_old =
        "DELETE FROM svc_email_step_logs WHERE id IN (SELECT l.id FROM svc_email_step_logs l WHERE l.created_at < "
        ":before"
        " AND NOT EXISTS (SELECT 1 FROM svc_email_enrolments e WHERE e.id = l.enrolment_id AND e.status = 'active')"
        " LIMIT :most)";
};

}  // namespace svc::pro::email_automation
