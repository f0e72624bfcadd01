// A guest's proofs for a booking, in bodies and queries of all routes.
#pragma once

#include "shared/api/schema.hpp"

namespace svc::booking {

const api::Field& booking_token_field();
const api::Field& session_id_field();

}  // namespace svc::booking
