// SQL of who owns a booking.
#include "base/sales/booking/record/owner_repository.hpp"

namespace svc::booking {

bool OwnerRepository::forget_proof(store::Transaction& tx, std::int64_t booking_id) {
    return tx.run("UPDATE svc_bookings SET owned_by_address = 0 WHERE id = :id AND owned_by_address = 1",
                  {{"id", booking_id}}) > 0;
}

}  // namespace svc::booking
