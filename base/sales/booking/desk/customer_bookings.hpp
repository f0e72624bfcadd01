// Bookings for the records of customers.
#pragma once

#include "base/people/customers/bookings.hpp"
#include "base/sales/booking/desk/lists.hpp"

namespace svc::booking {

// Any thread. Its arguments must outlive it.
class CustomerBookings final : public customers::Bookings {
  public:
    CustomerBookings(const Lists& lists, const settings::Settings& settings) : lists_(lists), settings_(settings) {}

    [[nodiscard]] api::Reply of_customer(std::int64_t customer_id, const api::Page& page,
                                         const api::Period& period) const override;
    [[nodiscard]] api::Schema row_answer() const override;

  private:
    const Lists& lists_;
    const settings::Settings& settings_;
};

}  // namespace svc::booking
