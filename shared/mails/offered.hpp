// E-mail templates that a partner of the site, such as a plugin, brings, and the e-mails that it queues.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::mails {

// A text by language ("en", "de"). "en" is there unless the whole text is empty.
using LanguageText = std::map<std::string, std::string, std::less<>>;

// The text for a locale ("de-AT" takes "de"), else the English one; empty without any.
const std::string& text_for(const LanguageText& text, std::string_view locale);

// A name that the texts of a template may use.
struct OfferedTag {
    std::string key, label, sentence;  // "scheduled_amount_formatted", "Amount of the charge", what it stands for
    LanguageText sample = {};          // shown in previews
    bool is_secret = false;            // its value holds a link that grants access: copies of the e-mail lack it
};

struct OfferedTemplate {
    std::string key;             // small letters, digits, underscores; "admin_…" is for staff
    std::string event_key;       // "scheduled.payment.failed"; empty: no event causes it
    std::string name;            // English, 1 to 100 characters
    std::string module = {};     // without that module the template is not listed and sends nothing
    LanguageText subject, body;  // mustache, as the base's own; the body is HTML
    std::string category = {};   // of its tags; empty: general
    std::vector<OfferedTag> tags = {};
    bool is_about_booking = false;  // its texts may also use the base's tags of a booking
};

// An e-mail to be sent after the commit. One of three recipients: staff, where the template's key begins with "admin_";
// the address `to`; the contact of the booking.
struct QueuedMail {
    std::string template_key;
    std::string dedupe_key;  // 1 to 200 characters: a second e-mail of the template with the same key is not made
    std::optional<std::int64_t> booking_id = {};
    std::string to = {};      // set: the e-mail has none of the booking's tags
    std::string locale = {};  // with `to`; empty: the site's. A booking's contact is written in the booking's language
    std::map<std::string, LanguageText> values = {};  // by tag; of names that end in `_html` HTML, else plain text
    bool asks_for_payment = false;                    // not sent for a booking whose payments are not known
};

// Selects e-mails of the partner, newest first.
struct LogQuery {
    std::string template_key = {}, dedupe_key = {};  // empty: any
    std::optional<std::int64_t> booking_id = {};
    std::int64_t limit = 20;  // 1 to 100
};

struct LoggedMail {
    std::int64_t id = 0;
    std::string template_key, dedupe_key, to, subject;
    std::string status;  // queued, sending, sent, failed, suppressed
    std::string error = {};
    std::optional<std::int64_t> booking_id = {};
    Instant created_at;
    std::optional<Instant> sent_at = {};
};

// As they cross the plugin interface. Reading reports the first member of another type; rules beyond types are the
// base's to check.
json::Value to_json(const OfferedTemplate& offered);
json::Value to_json(const QueuedMail& mail);
json::Value to_json(const LogQuery& query);
json::Value to_json(const LoggedMail& mail);
Result<OfferedTemplate> template_from(const json::Value& value);
Result<QueuedMail> mail_from(const json::Value& value);
Result<LogQuery> query_from(const json::Value& value);
Result<LoggedMail> logged_from(const json::Value& value);

}  // namespace svc::mails
