// Bookings of the sample catalogue, made as staff would make them, without notifications.
#pragma once

#include <functional>
#include <vector>

#include "base/data/samples/silent_hooks.hpp"
#include "base/feature/feature.hpp"
#include "base/sales/booking/feature.hpp"
#include "base/sales/payment/feature.hpp"

namespace svc::samples {

// Any thread and process. No e-mail, no event: created rows are registered, and nothing else is ever
// removed.
class SampleSales {
  public:
    // All arguments outlive it. `site` has the real hooks, which are silenced.
    SampleSales(const Site& site, const booking::Feature::Needs& lower);

    // Books the sample trips, which are given in the order of their document and on sale already; returns how many
    // bookings there are. One that the operator's own rules refuse is left out. `may_sell` is asked before each
    // booking, by its number in its document.
    using MaySell = std::function<bool(std::int64_t number)>;
    std::int64_t import(const std::vector<std::int64_t>& trips, const MaySell& may_sell = {});
    static std::int64_t count();  // of bookings in the document

    struct Removed {
        std::int64_t bookings = 0, kept = 0;
    };
    // With their payments; the seats are back. The customers that were made for them go too, but for those who have
    // booked something else.
    Removed clean_up();

  private:
    [[nodiscard]] bool sell(std::int64_t trip_id, const json::Value& sample);
    [[nodiscard]] Result<void> remove(std::int64_t id);

    SilentHooks hooks_;
    Features features_;
    const Site quiet_;
    catalog::trips::Service& trips_;
    booking::Feature bookings_;
    payment::Feature payments_;
};

}  // namespace svc::samples
