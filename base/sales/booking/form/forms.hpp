// The booking form of a trip: the operator's form after hooks and conditions.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/sales/booking/record/parts.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// Any thread. Caches the latest form.
class Forms {
  public:
    explicit Forms(const Parts& parts) : parts_(parts) {}

    // The form after hooks; with `for_customers` or a trip as its customers see it, conditions resolved. trip_not_found
    // unless published.
    Result<json::Value> form(std::optional<std::int64_t> trip_id, bool for_customers) const;
    // The same for a trip of any status. trip_not_found.
    [[nodiscard]] Result<json::Value> form_for_staff(std::int64_t trip_id) const;
    using CustomerForm = std::shared_ptr<const json::Value>;
    // form() for customers of the trip; the same object until the operator changes the form, if no hook changes it.
    Result<CustomerForm> customer_form(std::optional<std::int64_t> trip_id) const;
    // The row of the form's text.
    std::int64_t store_form(store::Transaction& tx, const CustomerForm& form, Instant now);
    // The traveler categories of a published trip.
    [[nodiscard]] std::vector<std::int64_t> categories_of(std::int64_t trip_id) const;

  private:
    // Without a trip, while no hook changes the form.
    Result<CustomerForm> plain_form() const;
    // The stored form as hooks leave it, conditions included.
    [[nodiscard]] json::Value form_config(std::optional<std::int64_t> trip_id) const;
    // For customers of that trip; `categories`: trip categories with their ancestors.
    [[nodiscard]] json::Value form_of(json::Value config, const catalog::trips::Trip& trip,
                                      std::vector<std::int64_t> categories) const;
    struct PlainForm {
        json::Value stored;  // the setting it was made of
        CustomerForm for_customers;
    };
    struct KnownForm {
        CustomerForm form;
        std::int64_t id = 0;  // of its row
    };

    Parts parts_;
    mutable std::mutex forms_mutex_;
    mutable PlainForm plain_form_;
    std::shared_ptr<const KnownForm> known_form_;
};

}  // namespace svc::booking
