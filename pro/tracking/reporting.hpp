// One partner's whole: listeners, job, old rows. Each of the two modules has one.
#pragma once

#include "pro/tracking/occurrences.hpp"
#include "pro/tracking/sender.hpp"

namespace svc::pro::tracking {

class Reporting {
  public:
    Reporting(const Site& site, const Partner& partner, Wire wire);

    // It needs jobs, requests to other servers, and what bookings and payments report.
    static bool fits(const Site& site);
    // For tests of ids and secrets too.
    static Sender::Fetch fetch_of(const Site& site);

    void declare();
    void add_job();
    // In a transaction that changed the settings: what failed is sent again after its commit.
    void settings_changed(store::Transaction& tx);

    Occurrences occurrences;
    Sender sender;

  private:
    const Site& site_;
    const Partner& partner_;
};

}  // namespace svc::pro::tracking
