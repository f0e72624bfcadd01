// Going through all of a table, a transaction for each page, so that nobody waits for long.
#pragma once

#include <cstdint>
#include <functional>

#include "shared/store/store.hpp"

namespace svc::store {

// `page` does what comes after `last`, which it moves to the last row it saw, and answers how much it did. It ends with
// the page that sees none. The sum, or the first error.
Result<std::int64_t> in_pages(Store& store,
                              const std::function<std::int64_t(Transaction& tx, std::int64_t& last)>& page);

}  // namespace svc::store
