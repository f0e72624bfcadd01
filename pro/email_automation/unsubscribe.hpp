// The end of marketing for a mailbox: a page for readers, and the address that mail programs call (RFC 8058).
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::email_automation {

// The end of the address by which that mailbox unsubscribes: letters, digits, "._-". It proves nothing else.
std::string unsubscribe_token(const Site& site, const std::string& email);
// Of a token; nothing: it is not one of ours.
std::optional<std::string> mailbox_of_token(const Site& site, std::string_view token);

pages::OfferedPage unsubscribe_page(const Site& site);
void add_unsubscribe_routes(const Site& site);

}  // namespace svc::pro::email_automation
