// Discounts: coupons and automatic group discounts, and their amounts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/record/record.hpp"

namespace svc::discounts {

namespace status {
inline constexpr std::string_view draft = "draft", publish = "publish", expired = "expired", trash = "trash";
}  // namespace status

// A share of something, or a flat amount.
struct Cut {
    std::optional<Rate> rate = {};   // percentage
    std::optional<Money> flat = {};  // fixed

    [[nodiscard]] bool is_percentage() const { return rate.has_value(); }
    [[nodiscard]] bool is_none() const { return !rate && !flat; }
    // percentage or fixed; empty when it takes nothing off
    [[nodiscard]] std::string_view type() const { return rate ? "percentage" : flat ? "fixed" : ""; }
    // Never more than there is.
    [[nodiscard]] Money of(const Money& base) const;
    friend bool operator==(const Cut&, const Cut&) = default;
};

// For that many people; of one category, or of the whole party.
struct Range {
    std::int64_t id = 0, discount_id = 0;
    Currency currency = Currency::usd();  // the discount's
    std::optional<std::int64_t> category_id = {};
    std::int64_t least = 1;
    std::optional<std::int64_t> most = {};
    Cut cut = {};

    [[nodiscard]] bool holds(std::int64_t people) const { return people >= least && (!most || people <= *most); }
    // Compares the content, not the id.
    friend bool operator==(const Range& a, const Range& b) {
        return a.category_id == b.category_id && a.least == b.least && a.most == b.most && a.cut == b.cut;
    }
};

// Some of the travelers as they are priced: one category, or everybody as category 0.
struct Share {
    std::int64_t category_id = 0, people = 0;
    Money amount;
};

struct Discount : record::Audit {
    std::int64_t id = 0;
    std::string code = {};  // upper case; a group discount may have none
    std::string name = {}, description = {};
    std::string mode = "promo";  // promo: typed; group: by itself; both
    Cut cut = {};
    Currency currency = Currency::usd();              // of its amounts
    std::optional<Money> most = {}, min_amount = {};  // maximum of the reduction; minimum of the price before it
    std::int64_t usage_limit = 0, usage_limit_per_customer = 0;  // 0: no limit
    std::optional<Date> valid_from = {}, expiry_date = {};       // both inclusive, days of the site
    bool first_time_customer_only = false;
    bool for_all_trips = true;
    std::vector<std::int64_t> trip_ids = {};  // ascending; of one that is not for all trips
    std::string status = "draft";
    std::optional<std::string> status_before_trash = {};
    // By party size; `by_category`: each category by its own number.
    bool by_category = false;
    std::optional<std::int64_t> min_group_size = {}, max_group_size = {};
    Cut group_cut = {};              // of a group from min_group_size (2) to max_group_size, where there are no ranges
    std::vector<Range> ranges = {};  // by id
    std::int64_t usage_count = 0;    // bookings that hold it

    [[nodiscard]] bool is_coupon() const { return mode != "group"; }
    [[nodiscard]] bool is_group() const { return mode != "promo"; }
    [[nodiscard]] bool is_limited() const { return usage_limit > 0 || usage_limit_per_customer > 0; }
    [[nodiscard]] bool has_started(Date today) const { return !valid_from || *valid_from <= today; }
    [[nodiscard]] bool has_ended(Date today) const {
        return status == status::expired || (expiry_date && *expiry_date < today);
    }
    [[nodiscard]] bool is_live(Date today) const {
        return status == status::publish && has_started(today) && !has_ended(today);
    }
    // On that trip, and in a currency that its amounts are not foreign to.
    [[nodiscard]] bool is_for(std::int64_t trip_id, Currency of_trip) const;
    // Of the remaining price.
    [[nodiscard]] Money coupon_amount(const Money& rest) const;
    // Of a party; nothing when no range holds it.
    [[nodiscard]] Money group_amount(const std::vector<Share>& party, const Money& subtotal) const;
    // The category whose ranges apply, if it counts by category.
    [[nodiscard]] std::vector<std::int64_t> group_categories(const std::vector<Share>& party) const;
    // `amount`: the reduction as the site formats it.
    [[nodiscard]] std::string group_label(const std::vector<Share>& party, const std::string& amount) const;

  private:
    [[nodiscard]] const Range* range_for(const Share& share) const;
    [[nodiscard]] std::optional<Cut> cut_for(std::int64_t people) const;
    [[nodiscard]] bool has_amounts() const;
};

const record::Record<Discount>& discount_record();
const record::Record<Range>& range_record();

// The longest code, in code points.
inline constexpr std::size_t longest_code = 50;
// As it is stored and compared: folded, in capitals, without blanks around it and without invisible characters.
std::string code_of(std::string_view typed);

// The one that takes most off, of equal ones the oldest; null when none does.
const Discount* best_group(const std::vector<const Discount*>& candidates, const std::vector<Share>& party,
                           const Money& subtotal);

}  // namespace svc::discounts
