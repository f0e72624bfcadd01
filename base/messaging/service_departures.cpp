// E-mails about departures: moved ones, seats from the waitlist, and seats that run low.
#include <stdexcept>

#include "base/availability/hooks.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/messaging/frame.hpp"
#include "base/messaging/repository.hpp"
#include "base/messaging/service.hpp"

namespace svc::messaging {
namespace {

std::string number(const json::Value& value) { return value.is_number() ? value.number_text() : std::string(); }

void require_listener(const Result<void>& done) {
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

}  // namespace

void Service::listen_to_departures(PayLink pay_link) {
    require_listener(hooks_.on(
        booking::booking_rescheduled.name, {.name = "messaging.booking_rescheduled", .takes = 3},
        [this](const json::Array& arguments) {
            const auto id = arguments.at(0).integer();
            tell_customer({.template_key = "booking_rescheduled",
                           .booking_id = id,
                           .booking = arguments.at(1),
                           .more = {{"old_travel_date", shown_day(arguments.at(2).text(), words_of(arguments.at(1)))},
                                    {"departure_time", arguments.at(1).text_or("departure_time")}},
                           .dedupe_key = dedupe_key("booking_rescheduled", id)});
        }));
    require_listener(hooks_.on(
        booking::waitlist_promoted.name, {.name = "messaging.waitlist_promoted", .takes = 5},
        [this, pay_link = std::move(pay_link)](const json::Array& arguments) {
            // Confirmed at once, the customer is told just that.
            if (arguments.at(3).text() != "pending")
                return;
            const auto id = arguments.at(0).integer();
            const auto hours = settings_.integer("waitlist_offer_hours");
            const json::Value& due = arguments.at(4)["amount_due"];
            const bool owes = due.is_number() && due.number_text().find_first_of("123456789") != std::string::npos;
            const Words words = words_of(arguments.at(4));
            const std::string keeping =
                owes && hours > 0 ? words.say_text(
                                        "Seats have become free, and they are yours. We keep them for {hours,"
                                        " plural, one {# hour} other {# hours}}; please pay within that time.",
                                        {{"hours", hours}})
                                  : words.say_text("Seats have become free, and they are yours.");
            tell_customer({.template_key = "waitlist_offer",
                           .booking_id = id,
                           .booking = arguments.at(4),
                           .more = {{"intro_paragraph", keeping},
                                    {"details_html",
                                     owes ? button_html(pay_link(arguments.at(4)), words.say_text("Pay for your seats"))
                                          : std::string()},
                                    {"footer_note", words.say_text("You have left the waiting list.")}},
                           .dedupe_key = dedupe_key("waitlist_promoted", id)});
        }));
    require_listener(
        hooks_.on(availability::seats_low.name, {.name = "messaging.seats_low", .takes = 3},
                  [this](const json::Array& arguments) {
                      const auto& departure = arguments.at(2);
                      tell_staff("admin_seats_low",
                                 wording_of(template_of("admin_seats_low"), {}, departure["trip"].maybe_integer("id")),
                                 {{"trip_name", departure["trip"].text_or("title")},
                                  {"travel_date", shown_day(departure.text_or("start_date"), words_of_site())},
                                  {"departure_time", departure.text_or("time")},
                                  {"seats_left", number(arguments.at(1))},
                                  {"seats_total", number(departure["max_capacity"])}},
                                 dedupe_key("admin_seats_low", arguments.at(0).integer()));
                  }));
}

bool Service::tell_staff(std::string_view template_key, const Wording& wording, const Variables& variables,
                         const std::string& dedupe_key, std::string_view event_key) {
    const auto& which = template_of(template_key);
    const auto admins = addresses_of(settings_.text("admin_email"));
    if (admins.empty())
        return false;  // the operator wants none
    NewEmail email;
    email.template_key = which.key;
    email.event_key = event_key.empty() ? which.event_key : event_key;
    email.to = staff_addresses();
    if (!dedupe_key.empty())
        email.dedupe_key = dedupe_key;
    email.suppressed = switched_off(which);
    auto all = general();
    for (const auto& [name, value] : variables)
        all[name] = value;
    if (!email.suppressed)
        if (const auto by_another = sent_by_another(which, email.to, all))
            return *by_another;
    email.locale = words_of_site().locale;
    write_text(which, wording, all, email);
    address(which, email);
    const bool goes = !email.suppressed;
    queue(std::move(email));
    return goes;
}

std::string Service::staff_addresses() const {
    std::string all;
    for (const auto& each : addresses_of(settings_.text("admin_email")))
        all += (all.empty() ? "" : ",") + each;
    return all;
}

}  // namespace svc::messaging
