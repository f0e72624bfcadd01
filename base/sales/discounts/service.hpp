// The rules of discounts: writes, validity of codes, and limits of use.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/sales/discounts/repository.hpp"
#include "base/sales/discounts/rules.hpp"
#include "base/settings/values/look.hpp"
#include "shared/plugin/pro_modules.hpp"
#include "shared/store/store.hpp"

namespace svc::discounts {

// The change-feed channel of discounts: on it `Service::forget()` is due.
inline constexpr std::string_view channel = "discounts";

using Shared = std::shared_ptr<const Discount>;

// The customer, as far as it is known.
struct Buyer {
    std::int64_t customer_id = 0;  // 0: not known
    std::string email_lower = {};
    std::int64_t user_id = 0;  // of their account; 0: a guest
    // Whether that address or account has booked before; only read for first-booking discounts.
    std::function<bool(store::Session&)> has_booked = {};
    [[nodiscard]] bool is_known() const { return customer_id > 0 || user_id > 0 || !email_lower.empty(); }
};

// An entered code: its discount, and why it is not valid.
struct Looked {
    Shared discount = {};
    std::optional<Error> fault = {};
};

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        settings::Settings& settings;
        const Clock& clock;
        std::function<bool(std::string_view)> module_enabled;
    };
    explicit Service(Parts parts);

    // -- staff
    [[nodiscard]] const resource::Resource<Discount>& resource() const { return resource_; }
    [[nodiscard]] settings::Look look() const { return settings::look_of(parts_.settings); }

    // -- buyers
    // Every check but that of the price: from memory where no use needs to be counted, by the database's word in
    // `session`.
    [[nodiscard]] Looked look_up(std::string_view typed, std::int64_t trip_id, Currency currency, const Buyer& buyer,
                                 store::Session* session = nullptr);
    // Whether a coupon with that code can be used today; ignores limits and trips.
    [[nodiscard]] bool is_usable(std::string_view typed);
    // Group discounts that a trip's bookings may have now, by id. From memory without a session.
    [[nodiscard]] std::vector<Shared> groups_of(std::int64_t trip_id, Currency currency, store::Session* session);
    [[nodiscard]] bool has_groups() const { return parts_.module_enabled(plugin::slugs::advanced_discount); }

    // -- in the transaction that makes or changes a booking; call them last, after seats and booking are locked
    // Counts again under the discount's lock: coupon_usage_limit, coupon_customer_limit, coupon_first_time_only. Skips
    // limits by customer for a discount that needs no code: its price was shown before the customer was known.
    Result<void> redeem(store::Transaction& tx, const Discount& discount, const Redemption& redemption,
                        const Buyer& buyer, Instant now);
    // A booking became active or ended: its uses count again where the limits allow, or no longer.
    static void follow(store::Transaction& tx, std::int64_t booking_id, bool was_active, bool is_active, Instant now);

    // Drops the cache.
    void forget();
    // Ends those whose last day is over.
    Result<json::Value> expire(Instant now);

  private:
    [[nodiscard]] Date today() const { return parts_.settings.zone().date_at(parts_.clock.now()); }
    Shared by_code(const std::string& code, store::Session* session);
    // The discount of an entered code; null when there is none.
    Shared typed_code(std::string_view typed, store::Session* session);
    std::vector<Shared> groups(store::Session* session);
    [[nodiscard]] std::optional<Error> state_fault(const Discount& discount) const;
    [[nodiscard]] resource::Options options();

    Parts parts_;
    const resource::Resource<Discount> resource_;
    std::mutex mutex_;
    std::int64_t generation_ = 0;  // +1 when memory is forgotten, so that nothing older enters it
    std::unordered_map<std::string, Shared> by_code_;
    std::shared_ptr<const std::vector<Shared>> groups_;
};

}  // namespace svc::discounts
