// What a guest proves a booking by, as every route takes it: in a body and in a query alike.
#pragma once

#include "shared/api/schema.hpp"

namespace svc::booking {

const api::Field& booking_token_field();
const api::Field& session_id_field();

}  // namespace svc::booking
