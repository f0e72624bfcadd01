// The dynamic part of prices that a checkout session showed: kept for half an hour from the first time.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::dynamic_pricing {

inline constexpr std::chrono::minutes shown_price_lifetime{30};

// What rules changed in the price of each category: {"adjustment", "rules", "capped"}, by its id.
using PriceParts = std::map<std::int64_t, json::Value>;

// Any thread.
class ShownPrices {
  public:
    explicit ShownPrices(store::Store& store) : store_(store) {}

    // What the session was shown for this choice (trip, date, time and party as text); nothing once it is too old.
    // `tx`: the caller's transaction, or null.
    std::optional<PriceParts> find(store::Transaction* tx, std::int64_t session_id, const std::string& choice,
                                   Instant now);
    // Adds a category to what is being shown; the first price stays.
    void add(std::int64_t session_id, const std::string& choice, std::int64_t category_id, json::Value part,
             Instant now);
    // Stores what add() collected, so that other processes honour it, too.
    void store(std::int64_t session_id, const std::string& choice, Instant now);

    static void remove_old(store::Transaction& tx, Instant now);

  private:
    struct Entry {
        PriceParts parts;
        Instant shown_at;
        bool is_stored = false;
    };
    using Key = std::pair<std::int64_t, std::string>;
    void forget_old(Instant now);

    store::Store& store_;
    std::mutex mutex_;
    std::map<Key, Entry> entries_;
};

}  // namespace svc::pro::dynamic_pricing
