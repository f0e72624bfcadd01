// Enquiries whose time is over.
#pragma once

#include "shared/store/store.hpp"

namespace svc::enquiries {

// Deletes at most `most` that nobody changed since; returns their number.
std::int64_t delete_unchanged_since(store::Transaction& tx, Instant moment, int most);

}  // namespace svc::enquiries
