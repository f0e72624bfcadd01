// Extras sold with a trip: a transfer, a single room, an insurance. Module additional_services.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::pro::additional_services {

inline constexpr std::string_view module_slug = "additional_services";

namespace status {
inline constexpr std::string_view publish = "publish", draft = "draft", trash = "trash";
}

// A price is an amount or, for `percentage`, a share of the trip's price, for which price_per means nothing.
struct Price {
    std::string type{"fixed"};  // fixed, percentage
    Money amount;               // of fixed; else zero
    Rate rate{};                // of percentage; else zero
    std::string per{"person"};  // person, booking, day
};

struct AdditionalService {
    std::int64_t id = 0;
    std::string name, description;
    Price price;
    std::optional<std::int64_t> max_quantity;
    std::string icon;
    std::string status{status::draft};
    std::int64_t sort_order = 0;
    std::string applicable_to{"all"};      // all, specific_trips
    std::vector<std::int64_t> trip_ids{};  // when specific_trips
    bool is_required = false, is_included = false, is_taxable = true;
    // Read alone.
    std::vector<std::pair<std::int64_t, std::string>> trips{};  // id, title
    std::int64_t bookings_count = 0;
    Money total_revenue;
    Instant created_at{}, updated_at{};
};

}  // namespace svc::pro::additional_services
