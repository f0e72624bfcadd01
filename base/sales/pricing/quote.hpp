// The quote: the one function that decides every amount shown, charged, mailed and printed (docs/rules.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "base/sales/discounts/discount.hpp"
#include "base/sales/pricing/by_hand.hpp"
#include "base/sales/pricing/tax.hpp"
#include "base/sales/pricing/terms.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"

namespace svc::pricing {

// People by traveler category.
using TravelerCounts = std::map<std::int64_t, std::int64_t>;

// An entered code with the result of the checks before pricing.
struct Coupon {
    std::string code;
    std::shared_ptr<const discounts::Discount> discount = {};  // null: unknown code
    std::optional<Error> error = {};                           // it does not count
    bool by_listener = false;                                  // put in place of the one that was typed
};

// The input of a price. It contains no prices from clients.
struct Request {
    catalog::trips::PricePair price;  // of the date: the departure's own pair, else the trip's
    Date travel_date;
    std::optional<ClockTime> departure_time;
    std::int64_t travelers = 1;
    std::string payment_method = "full";                 // full, deposit, partial
    bool method_chosen = false;                          // false: the default
    TravelerCounts traveler_counts = {};                 // where the trip is priced by category; adds up to `travelers`
    availability::CategoryPrices by_category = {};       // of the date; a category that is missing has the trip's price
    std::map<std::int64_t, std::int64_t> services = {};  // how many of each additional service
    std::optional<bool> traveler_based = {};             // whether the date is priced by category; empty: as the trip
    std::optional<Coupon> coupon = {};
    // Looks up a code that a listener sets instead. Empty: listeners cannot change it.
    std::function<Coupon(const std::string& code)> code_meaning = {};
    std::string country = {};  // of the customer; empty: unknown
    // For listeners: the date's departure, where there is one yet, and who books, as far as it is known.
    std::optional<std::int64_t> departure_id = {}, user_id = {};
    std::string email = {};
    std::optional<std::int64_t> booking_id = {};  // of a recalculation
    std::optional<std::int64_t> session_id = {};  // the row of the checkout session
    // Of the date, before the party takes its seats.
    std::optional<std::int64_t> seats_left = {}, capacity = {};
    enum class Shown : std::uint8_t { no, in_summary, with_session } shown = Shown::no;  // to whom has not booked yet
    store::Session* reading = nullptr;                                                   // set: database reads use it
    ByHand by_hand = {};
};

struct Line {
    std::string kind =
        "traveler";  // as booking lines: traveler, group_discount, coupon, service, itinerary, tax, dynamic
    std::string label;
    std::int64_t quantity = 1;
    Money unit_price, amount;
    std::int64_t category_id = 0;       // of a trip priced by category
    std::int64_t people = 0;            // of it
    bool per_group = false;             // its price is one for a group
    std::optional<Money> regular = {};  // of travelers: the list price, which unit_price may be lower than
};

struct PaymentOption {
    std::string id, label, description;
    Money amount, balance;
    std::optional<Rate> rate = {};   // of the total, where it is a share of it
    std::optional<Money> flat = {};  // where it is an amount: before it was cut to the total
};

// A discount in the price; the booking needs a redemption of it.
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
    Money original_price, unit_price;  // list price, and price per traveler
    Money unit_before, base_before;    // before dynamic prices: of one traveler, of all
    Money base, subtotal, discounted;  // of the travelers: by their lines; after listeners; after discounts
    std::optional<Applied> group, coupon;
    std::optional<Error> coupon_error;
    bool code_set_aside = false;  // not applied because of a reduced price: reported in coupon_error, not an error
    Money services, itinerary, taxable, tax, total, amount_due;
    Date rest_on = {};  // by when the rest is due where less than the total is paid at first
    bool taxed = false, tax_inclusive = false;
    std::vector<TaxLine> taxes;
    std::vector<Line> lines;
    std::vector<Line> listed = {};  // the travelers' lines before dynamic prices, where these are others
    std::vector<PaymentOption> options;
    json::Value price_types;    // of a trip priced by category
    json::Value services_sold;  // as their feature returned them, before display filters
    json::Value shown;          // as on the wire, listeners' additions included

    [[nodiscard]] Money discount() const { return subtotal - discounted; }
    // The error of the entered code, for requests about a code only.
    [[nodiscard]] const Error* code_fault() const { return coupon_error && !code_set_aside ? &*coupon_error : nullptr; }
};

// Any thread. Filters run in the caller's transaction when there is one.
class Pricing {
  public:
    struct Needs {
        // Whether a filter has listeners. Empty: assume that it has.
        std::function<bool(std::string_view filter)> filtered = {};
        std::function<Terms(const TermsFor&)> terms = {};  // empty: nothing is taxed, and all is paid at once
        // Live group discounts of a trip, by id; from the database where a session is given.
        std::function<std::vector<std::shared_ptr<const discounts::Discount>>(const catalog::trips::Trip&,
                                                                              store::Session*)>
            group_discounts = {};
    };
    explicit Pricing(const hooks::Hooks& hooks) : hooks_(hooks) {}
    Pricing(const hooks::Hooks& hooks, Needs ways) : hooks_(hooks), ways_(std::move(ways)) {}

    // group_size outside the trip's limits, an invalid field of by_hand, payment_method_unavailable for a method that
    // is not offered. An invalid coupon is reported in the quote, not rejected.
    [[nodiscard]] Result<Quote> quote(const catalog::trips::Trip& trip, const Request& request,
                                      store::Transaction* tx = nullptr) const;

    // Whether these traveler categories and services are the trip's at all; the first that is not is a field at fault.
    [[nodiscard]] Result<void> check_offer(const catalog::trips::Trip& trip, bool by_category,
                                           const TravelerCounts& counts,
                                           const std::map<std::int64_t, std::int64_t>& services) const;
    // The additional services that a booking of the trip can have, priced for that quote's party, chosen or not.
    [[nodiscard]] json::Value services_for(const catalog::trips::Trip& trip, const Quote& quote) const;

  private:
    const hooks::Hooks& hooks_;
    Needs ways_;
};

}  // namespace svc::pricing
