// The dates that a trip offers, as one answer: values for callers in this process, the text for sockets.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/sales/availability/dates/dates.hpp"
#include "shared/api/held.hpp"

namespace svc::availability {

// Immutable but for its text, which is made when a socket asks for it first. Any thread.
class HeldDates final : public api::Held {
  public:
    struct Offer {
        std::int64_t trip_id = 0;
        std::vector<Bookable> dates;
        std::optional<Date> goes_on = {};  // the first day that was left out
        bool waitlist = false;             // people may wait where it is full
        friend bool operator==(const Offer&, const Offer&) = default;
    };
    // `is_lasting`: no listener can change it at any time. `before`: an earlier answer for the trip or null, whose
    // version it keeps if the dates are the same.
    HeldDates(Offer offer, bool is_lasting, const HeldDates* before = nullptr);

    struct Text {
        std::shared_ptr<const std::string> body;
        std::string etag;
    };
    [[nodiscard]] const Text& text() const;
    [[nodiscard]] const std::optional<Date>& goes_on() const { return offer_.goes_on; }
    [[nodiscard]] std::size_t bytes() const;  // of memory, with the text, about
    [[nodiscard]] const std::vector<Bookable>& dates() const { return offer_.dates; }

    [[nodiscard]] std::size_t size() const override { return offer_.dates.size(); }
    [[nodiscard]] Named whole() const override { return {offer_.trip_id, version_}; }
    [[nodiscard]] json::Value read(std::size_t index, api::Members members) const override;
    [[nodiscard]] json::Value data(api::Members members = {}) const override;

  private:
    const Offer offer_;
    const std::string version_;
    mutable std::once_flag written_;
    mutable Text text_;
};

}  // namespace svc::availability
