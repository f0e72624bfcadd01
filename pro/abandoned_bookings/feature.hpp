// The module abandoned_booking_recovery: reminds visitors of bookings that they did not finish.
#pragma once

#include "pro/abandoned_bookings/capture.hpp"
#include "pro/abandoned_bookings/recovery.hpp"
#include "pro/abandoned_bookings/reminders.hpp"
#include "pro/common/feature.hpp"

namespace svc::pro::abandoned_bookings {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // It needs e-mails, pages, jobs, and the base's prices and routes.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Capture capture;
    Recovery recovery;
    Reminders reminders;
};

}  // namespace svc::pro::abandoned_bookings
