// Bookings for downloads.
#pragma once

#include "base/catalog/downloads/buyers.hpp"
#include "base/sales/booking/checkout/access.hpp"

namespace svc::booking {

class Buyers final : public catalog::downloads::Buyers {
  public:
    explicit Buyers(Ownership::Parts parts) : bookings_(parts.bookings), owns_(parts) {}

    [[nodiscard]] Result<void> owns(const api::Request& request, std::int64_t booking_id) const override {
        return owns_(request, booking_id);
    }
    [[nodiscard]] Result<void> may_download(std::int64_t booking_id, std::int64_t trip_id) const override;

  private:
    Service& bookings_;
    const Ownership owns_;
};

}  // namespace svc::booking
