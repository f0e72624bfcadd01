// The quote: the one function that decides every amount shown, charged, mailed and printed (docs/rules.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/availability/record/departure.hpp"
#include "base/catalog/trips/trip.hpp"
#include "base/discounts/discount.hpp"
#include "base/pricing/by_hand.hpp"
#include "base/pricing/tax.hpp"
#include "base/pricing/terms.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::pricing {

// People by traveler category.
using TravelerCounts = std::map<std::int64_t, std::int64_t>;

// A code that was typed, with what the checks before the price say of it.
struct Coupon {
    std::string code;
    std::shared_ptr<const discounts::Discount> discount = {};  // null: there is none
    std::optional<Error> error = {};                           // it does not count
    bool by_listener = false;                                  // put in place of the one that was typed
};

// What a price is asked for. Nothing a client says of prices is in it.
struct Request {
    catalog::trips::PricePair price;  // of the date: the departure's own pair, else the trip's
    Date travel_date;
    std::optional<ClockTime> departure_time;
    std::int64_t travelers = 1;
    std::string payment_method = "full";                 // full, deposit, partial
    bool method_chosen = false;                          // else it is what who asks for none gets
    TravelerCounts traveler_counts = {};                 // where the trip is priced by category; adds up to `travelers`
    availability::CategoryPrices by_category = {};       // of the date; a category that is missing has the trip's price
    std::map<std::int64_t, std::int64_t> services = {};  // how many of each additional service
    std::optional<bool> traveler_based = {};             // whether the date is priced by category; empty: as the trip
    std::optional<Coupon> coupon = {};
    // What a code means that a listener puts in place of the typed one. Empty: they have no say in it.
    std::function<Coupon(const std::string& code)> code_meaning = {};
    std::string country = {};  // of who books; empty: not known
    // For listeners: the date's departure, where there is one yet, and who books, as far as it is known.
    std::optional<std::int64_t> departure_id = {}, user_id = {};
    std::string email = {};
    std::optional<std::int64_t> booking_id = {};                                         // that is priced anew
    enum class Shown : std::uint8_t { no, in_summary, with_session } shown = Shown::no;  // to whom has not booked yet
    store::Session* reading = nullptr;  // set: what the database has to say is read through it
    ByHand by_hand = {};
};

struct Line {
    std::string kind =
        "traveler";  // as booking lines: traveler, group_discount, coupon, service, itinerary, tax, dynamic
    std::string label;
    std::int64_t quantity = 1;
    Money unit_price, amount;
    std::int64_t category_id = 0;  // of a trip priced by category
    std::int64_t people = 0;       // of it
    bool per_group = false;        // its price is one for a group
};

struct PaymentOption {
    std::string id, label, description;
    Money amount, balance;
    std::optional<Rate> rate = {};   // of the total, where it is a share of it
    std::optional<Money> flat = {};  // where it is an amount: before it was cut to the total
};

// A discount that the price holds; what a booking must hold a redemption of.
struct Applied {
    std::shared_ptr<const discounts::Discount> discount;  // null: a listener's
    std::string code, label;
    Money amount;
    std::vector<std::int64_t> categories = {};  // of a group discount by category: whose ranges hold
};

// All amounts are in the trip's currency. The lines add up to the total exactly.
struct Quote {
    std::int64_t trip_id = 0;
    Date travel_date;
    std::int64_t travelers = 1;
    TravelerCounts traveler_counts;  // empty: everybody pays the same
    std::string payment_method;
    Money original_price, unit_price;  // list price, and what one traveler pays
    Money unit_before, base_before;    // before dynamic prices: of one traveler, of all
    Money base, subtotal, discounted;  // of the travelers: by their lines; after listeners; after discounts
    std::optional<Applied> group, coupon;
    std::optional<Error> coupon_error;
    bool code_set_aside = false;  // by the reduced price, which does without it: told in coupon_error, and no fault
    Money services, itinerary, taxable, tax, total, amount_due;
    bool taxed = false, tax_inclusive = false;
    std::vector<TaxLine> taxes;
    std::vector<Line> lines;
    std::vector<PaymentOption> options;
    json::Value price_types;    // of a trip priced by category
    json::Value services_sold;  // as who sells them tells it, whatever is shown
    json::Value shown;          // as on the wire, listeners' additions included

    [[nodiscard]] Money discount() const { return subtotal - discounted; }
    // What is wrong with the code that was typed, for who asks for nothing else.
    [[nodiscard]] const Error* code_fault() const { return coupon_error && !code_set_aside ? &*coupon_error : nullptr; }
};

// Any thread. Filters run in the caller's transaction when there is one.
class Pricing {
  public:
    struct Ways {
        // Whether anyone listens to a filter. Empty: somebody may.
        std::function<bool(std::string_view filter)> filtered = {};
        std::function<Terms(const TermsFor&)> terms = {};  // empty: nothing is taxed, and all is paid at once
        // Live group discounts of a trip, by id; from the database where a session is given.
        std::function<std::vector<std::shared_ptr<const discounts::Discount>>(const catalog::trips::Trip&,
                                                                              store::Session*)>
            group_discounts = {};
    };
    explicit Pricing(const hooks::Hooks& hooks) : hooks_(hooks) {}
    Pricing(const hooks::Hooks& hooks, Ways ways) : hooks_(hooks), ways_(std::move(ways)) {}

    // group_size outside the trip's party sizes, a field of by_hand in fault, payment_method_unavailable for a method
    // that is not offered. A coupon that does not count is told in the quote, not refused.
    [[nodiscard]] Result<Quote> quote(const catalog::trips::Trip& trip, const Request& request,
                                      store::Transaction* tx = nullptr) const;

    // Whether these traveler categories and services are the trip's at all; the first that is not is a field at fault.
    [[nodiscard]] Result<void> offered(const catalog::trips::Trip& trip, bool by_category, const TravelerCounts& counts,
                                       const std::map<std::int64_t, std::int64_t>& services) const;
    // The additional services that a booking of the trip can have, priced for that quote's party, chosen or not.
    [[nodiscard]] json::Value services_for(const catalog::trips::Trip& trip, const Quote& quote) const;

  private:
    const hooks::Hooks& hooks_;
    Ways ways_;
};

}  // namespace svc::pricing
