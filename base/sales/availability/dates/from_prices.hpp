// The prices at which trips' dates begin, for lists of trips: of trips with seasons, and of all while listeners of
// svc_date_prices set the prices of dates.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "base/catalog/trips/public/read_model.hpp"
#include "base/sales/availability/dates/service.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::availability {

// Any thread, except that start() and stop() are for one. Remembers each trip's answer until its dates, the day, a
// setting or the listeners' word changes, so that a look over all trips costs comparisons alone.
class FromPrices {
  public:
    FromPrices(const OfferedDates& dates, const hooks::Hooks& hooks, catalog::trips::PublicTrips& trips)
        : dates_(dates), hooks_(hooks), trips_(trips) {}
    ~FromPrices() { stop(); }
    FromPrices(const FromPrices&) = delete;
    FromPrices& operator=(const FromPrices&) = delete;

    // Of the dates that one traveler can book; nothing while the trip has no seasons and no listener changes the price
    // of any of them. Calls listeners: never inside a session.
    [[nodiscard]] std::optional<catalog::trips::FromPrice> of(const catalog::trips::ShownTrip& trip);

    // The calendar is in memory. Before that, every trip has its own price. [start-up]
    void begin();
    // Listeners may answer otherwise from now on. The lists of a catalogue of usual size show it once this returns, a
    // large one within some seconds. Outside of sessions and transactions.
    void listeners_changed();
    // The same as soon as the own thread comes to it; waits for nothing.
    void listeners_changed_elsewhere();

    // The own thread follows the calendar, the clock and the modules.
    void start();
    void stop();

  private:
    struct Key {
        std::int64_t stamp = 0, row_version = 0;
        Dates dates;  // kept, so that its address is nobody else's
        Date first, last;
        bool sold_out_too = true;
        std::string zone;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Known {
        Key key;
        Instant until;  // a date closes then, or the day ends
        std::optional<catalog::trips::FromPrice> from;
    };
    [[nodiscard]] bool is_asked() const;
    [[nodiscard]] Known computed(const catalog::trips::ShownTrip& trip, Key key, const Span& span,
                                 const Moment& moment) const;
    void forget();
    void look(bool is_due);
    void run();

    const OfferedDates& dates_;
    const hooks::Hooks& hooks_;
    catalog::trips::PublicTrips& trips_;
    std::atomic<bool> ready_ = false, was_asked_ = false;
    std::atomic<bool> has_seasons_ = false;  // some trip had them since the start
    std::atomic<std::int64_t> due_ = 0;      // microseconds: the first of all `until`

    std::mutex knowing_;
    std::uint64_t generation_ = 0;  // of the listeners' word
    std::unordered_map<std::int64_t, Known> known_;

    std::mutex running_;
    std::condition_variable woken_;
    bool stopping_ = false, is_due_ = false;
    std::thread thread_;
    std::uint64_t edition_ = 0;  // of the calendar, at the last look; the own thread alone
};

}  // namespace svc::availability
