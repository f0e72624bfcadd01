// E-mails to customers and staff: composed from templates, queued with the change they report, sent later in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/date.hpp"

namespace svc::messaging {

enum class EmailStatus : std::uint8_t { queued, sending, sent, failed, suppressed };
std::string_view name_of(EmailStatus status);

// Lists of addresses are separated by commas.
struct NewEmail {
    std::string template_key, event_key;
    std::string locale = "en";
    std::string to, cc = {}, bcc = {}, from_email = {}, from_name = {}, reply_to = {};
    std::string subject, body_html, body_text;
    std::optional<std::int64_t> booking_id = {}, enquiry_id = {};
    std::optional<std::string> dedupe_key = {};  // a second row with the same key is not made
    bool suppressed = false;                     // stored in the log, never sent
    bool is_test = false;
    std::optional<std::string> caused_by = {};  // of a stranger: a keyed hash of the network, empty for an unknown one
    bool for_digest = false;                    // suppressed; the digest to staff names it
};

// One that this process has leased to send.
struct LeasedEmail {
    std::int64_t id = 0;
    std::string template_key;
    std::string to, cc, bcc, from_email, from_name, reply_to, subject, body_html, body_text;
    std::string body_sealed;    // the texts; empty: they are unsealed
    std::int64_t attempts = 0;  // this one counted
    Instant created_at;
};

// A dead letter.
struct FailedEmail {
    std::int64_t id = 0;
    std::string template_key, to, subject, error;
    std::optional<std::int64_t> booking_id;
    std::int64_t attempts = 0;
    Instant created_at, failed_at;
};

// One about a booking, without its texts.
struct MailOfBooking {
    std::int64_t id = 0;
    std::string template_key, to, subject, status, error;
    Instant created_at;
};

// A first try and five repetitions.
inline constexpr std::int64_t most_attempts = 6;

// The wait after that many tries: 1, 5, 15, 60, 240 minutes, a fifth more or less by `chance` (0 to 1), so that mails
// that failed together are not retried together. Empty after the last try.
std::optional<std::chrono::microseconds> wait_after(std::int64_t attempts, double chance);

}  // namespace svc::messaging
