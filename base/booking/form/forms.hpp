// What is asked of those who book: the operator's form, by the hooks' leave and the trip's conditions.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/booking/record/parts.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// Any thread. Remembers the form that was asked last.
class Forms {
  public:
    explicit Forms(const Parts& parts) : parts_(parts) {}

    // The form as hooks leave it; `asked`, or with a trip: as its customers see it, its conditions resolved.
    // trip_not_found unless published.
    Result<json::Value> form(std::optional<std::int64_t> trip_id, bool asked) const;
    // The same as a trip's customers will see it, whatever the trip's status is. trip_not_found.
    [[nodiscard]] Result<json::Value> form_for_staff(std::int64_t trip_id) const;
    using AskedForm = std::shared_ptr<const json::Value>;
    // form() as the trip's customers are asked; the same object until the operator changes the form, where no hook
    // changes it.
    Result<AskedForm> asked_form(std::optional<std::int64_t> trip_id) const;
    // The row of the form's text.
    std::int64_t kept_form(store::Transaction& tx, const AskedForm& asked, Instant now);
    // The traveler categories of a published trip.
    [[nodiscard]] std::vector<std::int64_t> categories_of(std::int64_t trip_id) const;

  private:
    // Without a trip, while no hook changes the form.
    Result<AskedForm> plain_form() const;
    // The stored form as hooks leave it, conditions included.
    [[nodiscard]] json::Value form_config(std::optional<std::int64_t> trip_id) const;
    // As the customers of that trip are asked; `categories`: trip categories, with all above them.
    [[nodiscard]] json::Value form_of(json::Value config, const catalog::trips::Trip& trip,
                                      std::vector<std::int64_t> categories) const;
    struct PlainForm {
        json::Value stored;  // the setting it was made of
        AskedForm asked;
    };
    struct KnownForm {
        AskedForm form;
        std::int64_t id = 0;  // of its row
    };

    Parts parts_;
    mutable std::mutex forms_mutex_;
    mutable PlainForm plain_form_;
    std::shared_ptr<const KnownForm> known_form_;
};

}  // namespace svc::booking
