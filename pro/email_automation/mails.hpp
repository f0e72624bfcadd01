// The e-mails of sequences on their way through the base: two templates that take any text, with and without the
// footer of marketing.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::email_automation {

inline constexpr std::string_view plain_message = "automation_message", marketing_message = "automation_marketing";
inline bool is_own_message(std::string_view key) { return key == plain_message || key == marketing_message; }

void declare_mails(const Site& site);

// A text with the link that ends marketing, twice: for mail programs (RFC 8058) and for readers.
std::string with_footer(const std::string& body, bool is_marketing);

// An e-mail whose texts have tags of a booking.
struct Message {
    std::string dedupe_key;
    std::int64_t booking_id = 0;
    bool is_marketing = false;
    std::string template_key;  // whose overrides by trip apply; empty: none
    mails::LanguageText subject, body;
    std::string unsubscribe_token;  // of marketing
};
Result<void> queue(const Site& site, store::Transaction& tx, const Message& message);
// One that is rendered already, to that address.
Result<void> queue_rendered(const Site& site, store::Transaction& tx, const std::string& to,
                            const std::string& dedupe_key, const std::string& subject, const std::string& html);

// The key that the base's outbox has for it.
std::string outbox_key(bool is_marketing, std::string_view dedupe_key);

}  // namespace svc::pro::email_automation
