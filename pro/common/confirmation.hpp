// Whether a payment confirms its booking, by the base's answer if it has one.
#pragma once

#include <cstdint>

#include "shared/plugin/host.hpp"

namespace svc::pro {

// Any thread, outside of transactions. A booking the base does not know is not confirmed.
bool confirms_on_payment(const plugin::Host& host, std::int64_t booking_id, bool settles_in_full);

}  // namespace svc::pro
