// Trips that account holders saved: their rows, and the trips themselves as the base shows them to visitors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pro/common/site.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::saved_trips {

inline constexpr std::string_view module_slug = "saved_trips";
inline constexpr std::string_view page_path = "/saved-trips";
inline constexpr std::size_t most_saved = 100;  // of an account

struct SavedTrip {
    std::int64_t trip_id = 0;
    Instant saved_at;
};

// Any thread.
class SavedTrips {
  public:
    // Both outlive it.
    SavedTrips(const Site& site, const plugin::Calls& calls) : site_(site), calls_(calls) {}

    // The module is on, and so is enable_wishlist.
    [[nodiscard]] bool enabled() const;

    // The latest first, trips that are not published among them.
    [[nodiscard]] std::vector<SavedTrip> of(std::int64_t user_id) const;
    [[nodiscard]] bool has(std::int64_t user_id, std::int64_t trip_id) const;
    // Saves those that are published and not saved yet, the given order kept as the latest first. trip_not_found: none
    // of them is published. invalid trip_id: the account has most_saved already; then none is saved.
    Result<void> save(std::int64_t user_id, const std::vector<std::int64_t>& trip_ids) const;
    Result<void> remove(std::int64_t user_id, const std::vector<std::int64_t>& trip_ids) const;

    // The published ones among them as GET /trips/public shows them, in the given order; at most most_saved.
    [[nodiscard]] Result<std::vector<json::Value>> shown(const std::vector<std::int64_t>& trip_ids) const;
    // The same of an account, each with `saved_at`.
    [[nodiscard]] Result<std::vector<json::Value>> shown_to(std::int64_t user_id) const;

  private:
    const Site& site_;
    const plugin::Calls& calls_;
};

}  // namespace svc::pro::saved_trips
