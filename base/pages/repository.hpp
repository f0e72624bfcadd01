// The statements of pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::pages {

// The booking of a reference, which an address names; whose it is, the interface decides.
std::optional<std::int64_t> booking_of_reference(store::Session& session, std::string_view reference);

// The trip with that slug, in any status but the trash.
std::optional<std::int64_t> trip_of_slug(store::Session& session, std::string_view slug);

}  // namespace svc::pages
