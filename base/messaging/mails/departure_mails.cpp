// E-mails about departures: moved ones, seats from the waitlist, and departures with few seats left.
#include "base/messaging/mails/listeners.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/booking/record/hooks.hpp"

namespace svc::messaging {

static void notify_promoted(Service& service, std::int64_t id, const json::Value& booking) {
    const auto terms = service.parts.bookings.money(id);
    const bool owes = terms && !terms->owed().is_zero();
    const Words words = service.values.words_of(booking);
    const std::string intro =
        !owes || !terms->due_by
            ? words.say_text("Seats have become free, and they are yours.")
            : words.say_text("Seats have become free. We keep them for you until {moment}: please pay by then.",
                             {{"moment", settings::moment_in(words.locale, settings::look_of(service.parts.settings),
                                                             *terms->due_by)}});
    service.mailer.notify_customer(
        {.template_key = "waitlist_offer",
         .booking_id = id,
         .booking = booking,
         .more = {{"intro_paragraph", intro}, {"footer_note", words.say_text("You have left the waiting list.")}},
         .dedupe_key = service.mailer.dedupe_key("waitlist_promoted", id)});
}

void listen_to_departures(Service& service) {
    listen(service, booking::booking_rescheduled.name, "booking_rescheduled", [&service](const json::Array& arguments) {
        const auto id = arguments.at(0).integer();
        const json::Value& booking = arguments.at(1);
        const Values& values = service.values;
        service.mailer.notify_customer(
            {.template_key = "booking_rescheduled",
             .booking_id = id,
             .booking = booking,
             .more = {{"old_travel_date", values.day(arguments.at(2).text(), values.words_of(booking))},
                      {"departure_time", booking.text_or("departure_time")}},
             .dedupe_key = service.mailer.dedupe_key("booking_rescheduled", id)});
    });
    listen(service, booking::waitlist_promoted.name, "waitlist_promoted", [&service](const json::Array& arguments) {
        // A booking that is confirmed at once gets booking_confirmed instead.
        if (arguments.at(3).text() == "pending")
            notify_promoted(service, arguments.at(0).integer(), arguments.at(4));
    });
    listen(service, availability::seats_low.name, "seats_low", [&service](const json::Array& arguments) {
        const json::Value& departure = arguments.at(2);
        const auto number = [](const json::Value& value) { return value.is_number() ? value.number_text() : ""; };
        service.mailer.notify_staff(
            "admin_seats_low",
            service.composer.wording_of(template_of("admin_seats_low"), {}, departure["trip"].maybe_integer("id")),
            {{"trip_name", departure["trip"].text_or("title")},
             {"travel_date", service.values.day(departure.text_or("start_date"), service.values.words_of_site())},
             {"departure_time", departure.text_or("time")},
             {"seats_left", number(arguments.at(1))},
             {"seats_total", number(departure["max_capacity"])}},
            service.mailer.dedupe_key("admin_seats_low", arguments.at(0).integer()));
    });
}

}  // namespace svc::messaging
