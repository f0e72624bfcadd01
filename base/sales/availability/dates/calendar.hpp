// The departures on sale and the recurring rules, in memory by trip, so that lists of dates need no database. Selling
// does not use it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/sales/availability/dates/dated_prices.hpp"
#include "base/sales/availability/dates/dates.hpp"
#include "base/sales/availability/dates/outline.hpp"
#include "base/sales/availability/record/rule.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

using Rules = std::shared_ptr<const std::vector<Rule>>;  // by precedence

// Immutable.
struct TripDates {
    std::vector<Slot> slots;  // deleted ones stay as marks until the next load
    bool planned = false;
    Rules rules;                     // null: none
    std::vector<DatedPrice> prices;  // of both
    Outline outline;                 // the same

    [[nodiscard]] std::span<const Rule> rule_list() const {
        return rules ? std::span<const Rule>(*rules) : std::span<const Rule>();
    }
    [[nodiscard]] TripSlots known() const { return {slots, planned, rule_list()}; }
};
using Dates = std::shared_ptr<const TripDates>;

// Any thread. A state of a departure replaces one in memory only if its revision is higher, so that the order in
// which the news arrive does not matter.
class Calendar {
  public:
    Calendar(store::Store& store, const Clock& clock);

    void load();                         // everything
    void refresh(std::int64_t trip_id);  // one trip, after an edit
    void put(const Slot& slot);          // one departure as its transaction left it
    // The same after the transaction's commit, here and in other processes.
    void follow(store::Transaction& tx, const Slot& slot);
    // Loads changes of other processes; everything if the last load was long ago.
    void reload_changed();

    [[nodiscard]] Dates of(std::int64_t trip_id) const;             // never null
    [[nodiscard]] std::shared_ptr<const PriceList> prices() const;  // the same
    // Another number once anything has changed, or prices have.
    [[nodiscard]] std::uint64_t edition(bool prices_alone) const {
        return (prices_alone ? price_edition_ : edition_).load(std::memory_order_acquire);
    }
    [[nodiscard]] std::shared_ptr<const Outlines> outlines() const;  // the same

  private:
    using Trips = std::unordered_map<std::int64_t, Dates>;
    void merge_changed();  // with reloading_ held
    void refresh_rules_changed(Instant since);
    static Dates merged(std::int64_t trip_id, const Dates& known, const std::vector<Slot>& slots,
                        std::optional<bool> planned, const Rules& rules);
    // With mutex_ held: applies changes of a trip's dates.
    template <class Change>
    void replace(std::int64_t trip_id, Change change);

    store::Store& store_;
    const Clock& clock_;
    std::mutex reloading_;
    std::mutex refreshing_;  // so that later reads also reach memory later
    Instant newest_;         // the latest change that a reload has read
    std::chrono::steady_clock::time_point loaded_{};
    mutable std::shared_mutex mutex_;
    Trips trips_;
    std::shared_ptr<const PriceList> prices_ = price_list({});
    std::atomic<std::uint64_t> edition_{0}, price_edition_{0};
    std::shared_ptr<const Outlines> outlines_ = availability::outlines({});
};

}  // namespace svc::availability
