// The prices that the base shows and charges: answers its filters by the active rules.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>

#include "pro/dynamic_pricing/configuration.hpp"
#include "pro/dynamic_pricing/repository.hpp"
#include "pro/dynamic_pricing/shown_prices.hpp"

namespace svc::pro::dynamic_pricing {

// Any thread. Answers are from memory, which is at most a second older than the database; in a transaction they are by
// the transaction's word.
class Pricing {
  public:
    explicit Pricing(const Site& site) : site_(site), shown_(site.store) {}

    // svc_date_prices: a table of prices.
    json::Value date_prices(json::Value rows, const json::Value& context);
    // svc_booking_trip_price: the price of one category.
    json::Value unit_price(store::Transaction* tx, json::Value price, const json::Value& context);
    // svc_after_calculation_result: adds the reasons of each price.
    json::Value quote(store::Transaction* tx, json::Value shown, const json::Value& context);
    // svc_booking_price_kept: stores what the rules changed in a booking's price.
    void store_booked(store::Transaction& tx, const json::Value& quote, std::int64_t booking_id);

    // The price of one traveler by the active rules, with reasons; for staff.
    struct Asked {
        std::int64_t trip_id = 0, travelers = 1, duration_days = 1;
        Date travel_date;
        std::optional<std::int64_t> seats, capacity;
    };
    Explained price(const Asked& asked, const Money& base);

    // Writes of this process count at once.
    void forget();
    // Whether a transaction leaves the active rules as they are in memory: it changes no price.
    bool knows_rules_of(store::Transaction& tx);

  private:
    struct Known {
        RuleSet rules;
        Scores scores;
        Stamp stamp;
        Date today;
    };
    using Current = std::shared_ptr<const Known>;
    Current current(store::Transaction* tx);
    Current read(store::Session& session, const Current& before) const;
    static std::optional<std::int64_t> demand_of(const Known& known, std::int64_t trip_id, Date date);
    // Of a category in the context of a quote.
    Explained explained(const Known& known, const Money& base, const json::Value& context) const;

    const Site& site_;
    ShownPrices shown_;
    std::mutex mutex_;
    Current current_;
    std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace svc::pro::dynamic_pricing
