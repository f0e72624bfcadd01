// What Mailchimp reports: unsubscribed and cleaned addresses. It signs nothing, so its address holds a secret.
#pragma once

#include "pro/mailchimp/repository.hpp"
#include "shared/store/sealed_columns.hpp"

namespace svc::pro::mailchimp {

const std::vector<store::SealedColumn>& sealed_columns();

// The secret of the receiver's address; empty while the module was never on. Any thread.
std::string receiver_secret(const Site& site);
// A random one, and how it is stored: reports to the former address are refused from then on.
std::string new_secret();
std::string sealed_secret(const Site& site, const std::string& secret);

// The report in a form-encoded body; nothing for an event that is none of ours, or a body that is none of theirs.
std::optional<Report> report_in(std::string_view body, Instant now);

void add_receiver(const Site& site);

}  // namespace svc::pro::mailchimp
