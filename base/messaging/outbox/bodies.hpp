// The texts of e-mails at rest: sealed, since their links hold tokens.
#pragma once

#include <string>

#include "base/messaging/outbox/email.hpp"
#include "base/platform/crypto/crypto.hpp"

namespace svc::messaging {

// For the row of that e-mail alone, by its template, recipients and moment: of no use in another one.
std::string sealed_body(const crypto::Keyring& keyring, const NewEmail& email, Instant created_at);
// Copies the sealed texts into its body_html and body_text; leaves texts that an older release stored in the open.
Result<void> open_body(const crypto::Keyring& keyring, LeasedEmail& email);
// The same texts sealed with the key in use; nothing: they are so already, or open with none.
std::optional<std::string> renewed_body(const crypto::Keyring& keyring, const LeasedEmail& email);

}  // namespace svc::messaging
