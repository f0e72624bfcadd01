// The e-mail to staff about an endpoint that is paused.
#pragma once

#include "pro/common/site.hpp"
#include "pro/webhooks/endpoint.hpp"

namespace svc::pro::webhooks {

void declare_mails(const Site& site);
void mail_paused(const Site& site, store::Transaction& tx, const Endpoint& endpoint, std::string_view reason,
                 Instant now);

}  // namespace svc::pro::webhooks
