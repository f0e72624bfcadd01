// Composes e-mails of what has happened and queues them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/email.hpp"
#include "base/messaging/render.hpp"
#include "base/messaging/templates.hpp"
#include "base/platform/events/events.hpp"
#include "base/settings/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging {

// What goes to one customer about one booking.
struct BookingNews {
    std::string_view template_key;
    std::int64_t booking_id = 0;
    const json::Value& booking;  // reference, customer_name, customer_email, trip_title, travel_date, …
    Variables more = {};         // beyond what every booking has
    std::string dedupe_key;
};

// Any thread. All that it is given outlives it.
class Service {
  public:
    // `site_url` without a slash at its end. `wake` is called after each commit that
    // queued something a mail server is waiting for.
    Service(const settings::Settings& settings, events::Events& hooks, const Clock& clock, std::string site_url,
            std::function<void()> wake);

    // Listens to the bookings' actions, which must have been declared. Throws std::logic_error when one is not.
    void listen();                // [start-up]
    void listen_to_departures();  // [start-up] to moved departures, waitlists and seats that run low

    // Queues it, suppressed when a switch is off, unless the recipient is no address, a filter keeps it back or its
    // dedupe key is known. Not inside a transaction.
    void tell_customer(const BookingNews& news);
    // The same for who gets the operator's notices (setting admin_email).
    void tell_staff(std::string_view template_key, const Variables& variables, const std::string& dedupe_key);

  private:
    void on(std::string_view action, std::string_view template_key, Variables more);
    void queue(NewEmail email);
    [[nodiscard]] std::string dedupe_key(std::string_view template_key, std::int64_t id) const;
    [[nodiscard]] Variables general() const;
    [[nodiscard]] Variables of_booking(std::int64_t id, const json::Value& booking) const;
    [[nodiscard]] Variables filtered(Variables variables, const json::Value& booking) const;
    [[nodiscard]] bool switched_off(const Template& which) const;
    void write_text(const Template& which, const Variables& variables, NewEmail& email) const;
    void address(const Template& which, NewEmail& email) const;

    const settings::Settings& settings_;
    events::Events& hooks_;
    const Clock& clock_;
    const std::string site_url_;
    const std::function<void()> wake_;
};

// Addresses of a list with commas or semicolons, those that are none left out, each once.
std::vector<std::string> addresses_of(std::string_view list);
// "USD 1,299.00": told by its code, as one sign stands for many currencies.
std::string formatted(Money amount);

}  // namespace svc::messaging
