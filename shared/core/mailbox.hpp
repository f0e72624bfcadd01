// One notion of a mailbox: the many spellings of an address that reach the same person.
#pragma once

#include <string>
#include <string_view>

namespace svc {

// The same text for every spelling of a mailbox: letters folded, no part behind `+`, and of Gmail no dots and one name
// of the domain. Limits, coupons and the search for duplicates compare it; nothing is proven by it, and no mail goes to
// it. Empty for what is no address. Any thread.
std::string mailbox_key(std::string_view address);

}  // namespace svc
