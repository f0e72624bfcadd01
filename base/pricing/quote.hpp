// The quote: the one function that decides every amount shown, charged, mailed and printed (docs/rules.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/trip.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::pricing {

// People by traveler category.
using TravelerCounts = std::map<std::int64_t, std::int64_t>;

// What a price is asked for. Nothing a client says of prices is in it.
struct Request {
    catalog::trips::PricePair price;  // of the date: the departure's own pair, else the trip's
    Date travel_date;
    std::optional<ClockTime> departure_time;
    std::int64_t travelers = 1;
    std::string payment_method = "full";  // full, deposit, partial
    TravelerCounts traveler_counts = {};  // where the trip is priced by category; adds up to `travelers`
};

struct Line {
    std::string kind = "traveler";  // traveler or service
    std::string label;
    std::int64_t quantity = 1;
    Money unit_price, amount;
    std::int64_t category_id = 0;  // of a trip priced by category
    std::int64_t people = 0;       // of it
};

struct PaymentOption {
    std::string id, label;
    Money amount, balance;
};

// All amounts are in the trip's currency. The lines add up to the total exactly.
struct Quote {
    std::int64_t trip_id = 0;
    Date travel_date;
    std::int64_t travelers = 1;
    TravelerCounts traveler_counts;  // empty: everybody pays the same
    std::string payment_method;
    Money original_price, unit_price;  // list price, and what one traveler pays
    Money subtotal, services, total, amount_due;
    std::vector<Line> lines;
    std::vector<PaymentOption> options;
    json::Value shown;  // as on the wire, listeners' additions included
};

// Any thread. Filters run in the caller's transaction when there is one.
class Pricing {
  public:
    explicit Pricing(const hooks::Hooks& hooks) : hooks_(hooks) {}

    // group_size outside the trip's party sizes, payment_method_unavailable for a method that is not offered.
    [[nodiscard]] Result<Quote> quote(const catalog::trips::Trip& trip, const Request& request,
                                      store::Transaction* tx = nullptr) const;

  private:
    const hooks::Hooks& hooks_;
};

}  // namespace svc::pricing
