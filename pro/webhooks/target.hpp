// Where an endpoint may be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/core/result.hpp"

namespace svc::pro::webhooks {

// `local`: a name or an address within a network, which the base requests only if its operator has allowed it.
enum class Place : std::uint8_t { elsewhere, local };

// The error is the sentence of a fault of `url`: it is no address, names a user, writes numbers in a misleading form,
// or is http outside of a network.
Result<Place> place_of(std::string_view url);

// Scheme, host and port: "https://example.org:8443".
std::string origin_of(std::string_view url);

}  // namespace svc::pro::webhooks
