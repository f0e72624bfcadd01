// The account that owns a booking.
#pragma once

#include "shared/store/store.hpp"

namespace svc::booking {

class OwnerRepository {
  public:
    // The account of a booking that owns it by a proven contact address owns it no more; false where it did not.
    static bool forget_proof(store::Transaction& tx, std::int64_t booking_id);
};

}  // namespace svc::booking
