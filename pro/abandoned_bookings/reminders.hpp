// When a booking counts as abandoned, which reminders it gets, and what ends them.
#pragma once

#include "pro/abandoned_bookings/capture.hpp"
#include "pro/abandoned_bookings/mails.hpp"
#include "pro/common/site_address.hpp"
#include "shared/core/error_codes.hpp"

namespace svc::pro::abandoned_bookings {

inline constexpr ErrorCode no_reminder{"no_reminder", 409, "No further reminder may be sent about this booking."};

// Any thread, outside of transactions.
class Reminders {
  public:
    Reminders(const Site& site, const plugin::Calls& calls, const Capture& capture)
        : site_(site), calls_(calls), capture_(capture), address_(calls) {}

    // Marks what is abandoned, sends what is due and blanks what is over; answers the numbers of each. While the module
    // is off it only blanks.
    Result<json::Value> run(Instant now);
    // A booking was made; as the base's actions and GET /bookings/{id} show it.
    void booked(const json::Value& booking, Instant now) const;
    // Staff sends the next reminder, or a campaign's text, at once. no_reminder says why none may be sent.
    Result<AbandonedBooking> send(std::int64_t id, std::optional<std::int64_t> campaign_id, Instant now);

    // Of the installation, without a slash at its end; and where its interface begins, "/wp-json/svc/v1".
    Result<std::string> site_url() { return address_.site_url(); }
    Result<std::string> base_path() { return address_.base_path(); }

  private:
    struct Step {
        std::int64_t hours = 0;
        std::optional<Campaign> campaign = {};
    };
    // What may be sent about a row now, or why nothing is.
    struct Ready {
        Trip trip;
        std::optional<Money> total;
        std::string skipped;  // not now, perhaps later: sold_out, not_bookable
        std::string ended;    // never again: of `why`
    };

    [[nodiscard]] std::vector<Step> steps() const;
    std::int64_t abandon_idle(Instant now) const;
    std::int64_t remind_due(Instant now);
    bool remind(std::int64_t id, Instant now);
    [[nodiscard]] Ready look_at(const AbandonedBooking& row, Instant now) const;
    // Whether the person has booked the trip meanwhile; the row is settled then.
    bool has_booked(const AbandonedBooking& row, Instant now) const;
    Result<AbandonedBooking> send_step(const AbandonedBooking& row, const Ready& ready, const Step& step,
                                       std::int64_t next_stage, std::optional<Instant> next_at, Instant now);
    void settle(store::Transaction& tx, const AbandonedBooking& row, std::int64_t booking_id, const std::string& code,
                Instant now) const;

    const Site& site_;
    const plugin::Calls& calls_;
    const Capture& capture_;
    SiteAddress address_;
};

}  // namespace svc::pro::abandoned_bookings
