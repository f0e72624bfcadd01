// The tick by which whoever books agrees to the newsletter.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::mailchimp {

// The base must have pages and the filter svc_booking_page_parts.
void add_newsletter_tick(const Site& site);

}  // namespace svc::pro::mailchimp
