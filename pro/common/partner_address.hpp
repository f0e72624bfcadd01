// Where a partner's interface is: its own address, or the one that the operator configured for tests and proxies.
#pragma once

#include <string>
#include <string_view>

#include "pro/common/site.hpp"

namespace svc::pro {

// Scheme and host without a slash at the end. `partner` is its name in payment.api_bases: "meta". Any thread, also
// within a transaction. An older base knows no such addresses.
std::string partner_address(const Site& site, std::string_view partner, std::string_view own);

}  // namespace svc::pro
