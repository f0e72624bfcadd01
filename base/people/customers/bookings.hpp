// The port from customers to their bookings, which are above: implemented by bookings.
#pragma once

#include "shared/api/period.hpp"
#include "shared/api/query.hpp"
#include "shared/api/route.hpp"

namespace svc::customers {

// Any thread, never inside a transaction.
class Bookings {
  public:
    virtual ~Bookings() = default;

    // A page of a customer's bookings, as staff see them; those alone that were made in `period`.
    [[nodiscard]] virtual api::Reply of_customer(std::int64_t customer_id, const api::Page& page,
                                                 const api::Period& period) const = 0;
    // The fields of one row.
    [[nodiscard]] virtual api::Schema row_answer() const = 0;
};

}  // namespace svc::customers
