// The statements of pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::pages {

// The booking of a reference, which an address names; whose it is, the interface decides.
std::optional<std::int64_t> booking_of_reference(store::Session& session, std::string_view reference);

}  // namespace svc::pages
