// Sends one mail to an SMTP server.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/platform/outbound/address.hpp"
#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::outbound {

struct Mail {
    std::string from_address, from_name;
    std::vector<std::string> to, cc, bcc;  // addresses; at least one `to`
    std::string reply_to;                  // an address, or empty
    std::string subject;
    std::string html, text;  // either may be empty, not both
    std::string message_id;  // without brackets; the same for each attempt, so that receivers recognize repetitions
    Instant date;
    std::string unsubscribe_url = {};  // https; takes the POST of RFC 8058 and shows a page. Empty: no such header
};

struct SmtpSettings {
    enum class Encryption : std::uint8_t { tls, ssl, none };  // STARTTLS or nothing, TLS from the first byte, plain
    std::string host;
    int port = 587;
    std::string username, password;  // both empty: no login
    Encryption encryption = Encryption::tls;
    std::string ca_file = {};  // instead of the system's certificates
    Allowed allowed = {};      // servers that may be in the local network
    std::chrono::milliseconds timeout{15'000};
};

// Success: the server accepted the mail for every recipient. svc_validation_error for mail that can never be sent,
// svc_upstream_error for mail to retry; after a time-out the mail may have been accepted. Blocks: never inside a
// transaction. Any thread.
Result<void> send(const Mail& mail, const SmtpSettings& settings);

}  // namespace svc::outbound
