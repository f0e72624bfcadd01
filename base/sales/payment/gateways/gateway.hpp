// The gateway interface, which the base shares with its plugins.
#pragma once

#include "shared/payment/gateway.hpp"  // IWYU pragma: export
