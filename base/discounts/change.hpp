// What is written of a discount: only what was sent changes.
#pragma once

#include "base/discounts/discount.hpp"
#include "shared/core/result.hpp"

namespace svc::discounts {

// Empty: not sent; holding nothing: cleared.
template <class T>
using Sent = std::optional<std::optional<T>>;

struct RangeChange {
    std::optional<std::int64_t> category_id = {};
    std::int64_t least = 1;
    std::optional<std::int64_t> most = {};
    std::string type, amount;  // percentage or fixed; decimal text
};

struct Change {
    std::optional<std::string> code = {}, name = {}, description = {}, mode = {}, type = {}, status = {},
                               applicable_to = {}, group_mode = {}, group_type = {};
    // Decimal text.
    Sent<std::string> amount = {}, most = {}, min_amount = {}, group_amount = {};
    std::optional<std::int64_t> usage_limit = {}, usage_limit_per_customer = {}, row_version = {};
    Sent<std::int64_t> min_group_size = {}, max_group_size = {};
    Sent<Date> valid_from = {}, expiry_date = {};
    std::vector<std::string> unreadable = {};  // fields of these that hold neither a day nor a moment
    std::optional<bool> first_time_customer_only = {};
    std::optional<bool> is_group = {};  // the mode by its older name; counts where no mode is sent
    std::optional<std::vector<std::int64_t>> trip_ids = {};
    std::optional<std::vector<RangeChange>> ranges = {}, category_ranges = {};
};

// The longest code, in code points.
inline constexpr std::size_t longest_code = 50;
// As it is stored and compared: folded, in capitals, without blanks around it and without invisible characters.
std::string code_of(std::string_view typed);

// The discount as it is after the change; amounts are of `site`, the site's currency, when any was sent or it is new.
// Without groups nothing that is of groups alone may become another. Every field at fault is named.
Result<Discount> changed(Discount discount, const Change& change, Currency site, bool has_groups);

}  // namespace svc::discounts
