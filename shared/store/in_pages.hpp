// Processes a whole table in pages, with one transaction each, so that other writers wait only briefly.
#pragma once

#include <cstdint>
#include <functional>

#include "shared/store/store.hpp"

namespace svc::store {

// `page` processes rows after `last`, sets it to the last row it read, and returns their number. Ends with the page
// that reads none. Returns the sum, or the first error.
Result<std::int64_t> in_pages(Store& store,
                              const std::function<std::int64_t(Transaction& tx, std::int64_t& last)>& page);

}  // namespace svc::store
