// The module google_calendar: departures and bookings are events of a Google calendar.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/google_calendar/sync.hpp"

namespace svc::pro::google_calendar {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    // It needs jobs, requests to other servers with limits by host, and routes of the base.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Google google;
    Connection connection;
    Sync sync;

  private:
    void listen();
};

}  // namespace svc::pro::google_calendar
