// E-mails about a booking's life, from receipt to review request.
#include <stdexcept>

#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/people/reviews/hooks.hpp"
#include "base/sales/booking/record/hooks.hpp"

namespace svc::messaging {
namespace {

using json::Value;

BookingMail mail_once(const Service& service, std::string_view key, std::int64_t id, const Value& booking,
                      Variables more) {
    return {.template_key = key,
            .booking_id = id,
            .booking = booking,
            .more = std::move(more),
            .dedupe_key = service.mailer.dedupe_key(key, id)};
}

void notify_customer(Service& service, std::string_view key, std::int64_t id, const Value& booking, Variables more) {
    service.mailer.notify_customer(mail_once(service, key, id, booking, std::move(more)));
}

void notify_staff(Service& service, std::string_view key, std::int64_t id, const Value& booking, Variables more) {
    service.mailer.notify_staff(mail_once(service, key, id, booking, std::move(more)));
}

void notify_staff_of_new(Service& service, std::int64_t id, const Value& booking) {
    const events::Events& hooks = service.parts.hooks;
    if (!hooks.filtered(notify_admin_new_booking.name) ||
        hooks.apply(notify_admin_new_booking, true, {booking}).boolean())
        notify_staff(service, "admin_new_booking", id, booking, {});
}

using BookingCall = std::function<void(std::int64_t id, const Value& booking, const json::Array& arguments)>;

void listen_to_booking(Service& service, const hooks::Action& action, std::string_view name, BookingCall call) {
    listen(service, action.name, name, [call = std::move(call)](const json::Array& arguments) {
        call(arguments.at(0).integer(), arguments.at(1), arguments);
    });
}

}  // namespace

void listen(Service& service, std::string_view action, std::string_view name, hooks::ActionCall call) {
    const auto done = service.parts.hooks.on(action, {.name = "messaging." + std::string(name)}, std::move(call));
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

void listen_to_statuses(Service& service) {
    // A booking that is confirmed at once gets only that e-mail; an unverified one gets the verification link.
    listen_to_booking(
        service, booking::booking_created, "booking_confirmation",
        [&service](std::int64_t id, const Value& booking, const json::Array&) {
            const auto status = booking.text_or("status");
            if (status != "pending" && status != "processing" && status != "on-hold" && status != "waitlist")
                return;
            // One key for both templates: the same booking is acknowledged once.
            service.mailer.notify_customer(
                {.template_key = status == "waitlist" ? "waitlist_joined" : "booking_confirmation",
                 .booking_id = id,
                 .booking = booking,
                 .more = Values::of_receipt(status, service.values.words_of(booking)),
                 .dedupe_key = service.mailer.dedupe_key("booking_confirmation", id)});
        });
    listen_to_booking(service, booking::booking_confirmed, "booking_confirmed",
                      [&service](std::int64_t id, const Value& booking, const json::Array&) {
                          notify_customer(service, "booking_confirmed", id, booking, {});
                      });
    listen_to_booking(service, booking::booking_cancelled, "booking_cancelled",
                      [&service](std::int64_t id, const Value& booking, const json::Array&) {
                          if (booking.text_or("cancelled_via") != "expiry")  // those get booking_expired_customer
                              notify_customer(service, "booking_cancelled", id, booking,
                                              {{"cancellation_reason", booking.text_or("cancellation_reason")}});
                      });
}

namespace {

// What a day brings: the trip is over, a payment is due, the trip begins soon.
void listen_to_days(Service& service) {
    listen_to_booking(service, booking::booking_completed, "booking_completed",
                      [&service](std::int64_t id, const Value& booking, const json::Array&) {
                          const Values& values = service.values;
                          notify_customer(
                              service, "booking_completed", id, booking,
                              {{"completion_date", values.day(values.today().text(), values.words_of(booking))}});
                      });
    listen_to_booking(service, booking::payment_due, "payment_reminder",
                      [&service](std::int64_t id, const Value& booking, const json::Array& arguments) {
                          const Values& values = service.values;
                          service.mailer.notify_customer(
                              {.template_key = "payment_reminder",
                               .booking_id = id,
                               .booking = booking,
                               .more = {{"due_date", values.day(arguments.at(3).text(), values.words_of(booking))}},
                               .dedupe_key = service.mailer.dedupe_key("payment_reminder", id) + ":" +
                                             std::to_string(arguments.at(2).integer())});
                      });
    listen_to_booking(service, booking::reminder_due, "trip_reminder",
                      [&service](std::int64_t id, const Value& booking, const json::Array& arguments) {
                          notify_customer(service, "trip_reminder", id, booking,
                                          service.values.of_reminder(booking, arguments.at(2).integer()));
                      });
}

}  // namespace

void listen_to_bookings(Service& service) {
    const auto send_link = [&service](std::int64_t id, const Value& booking, const json::Array&) {
        notify_customer(service, "guest_email_verification", id, booking,
                        {{"verification_link", service.parts.bookings.verification_page(booking)}});
    };
    listen_to_booking(service, booking::booking_created, "staff_booking_created",
                      [&service, send_link](std::int64_t id, const Value& booking, const json::Array& arguments) {
                          const auto status = booking.text_or("status");
                          if (status == "pending_verification")
                              send_link(id, booking, arguments);
                          else if (status != "waitlist")
                              notify_staff_of_new(service, id, booking);
                      });
    listen_to_booking(service, booking::verification_requested, "address_changed", send_link);
    listen(service, booking::link_wanted.name, "booking_link", [&service](const json::Array& arguments) {
        const std::int64_t id = arguments.at(0).integer();
        const auto booking = id == 0 ? std::nullopt : service.parts.bookings.find(id);
        if (!booking)
            return;
        BookingMail mail = mail_once(service, "booking_link", id, *booking, {});
        mail.by_hand = arguments.at(1).boolean();
        service.mailer.notify_customer(mail);
    });
    listen_to_booking(service, booking::email_verified, "booking_verified",
                      [&service](std::int64_t id, const Value& booking, const json::Array&) {
                          if (booking.text_or("status") == "pending")
                              notify_customer(service, "booking_confirmation", id, booking,
                                              Values::of_receipt("pending", service.values.words_of(booking)));
                          notify_staff_of_new(service, id, booking);
                      });
    listen_to_booking(service, booking::booking_cancelled, "staff_booking_cancelled",
                      [&service](std::int64_t id, const Value& booking, const json::Array&) {
                          if (booking.text_or("cancelled_via") != "expiry")  // those get admin_booking_expired
                              notify_staff(service, "admin_booking_cancelled", id, booking,
                                           {{"cancellation_reason", booking.text_or("cancellation_reason")}});
                      });
    listen_to_booking(
        service, booking::booking_expired, "booking_expired",
        [&service](std::int64_t id, const Value& booking, const json::Array&) {
            const std::string reason = booking.text_or("cancellation_reason");
            const auto until = Instant::parse(booking.text_or("pay_by"));
            const auto more = [&](const Words& words) -> Variables {
                return {{"expiry_policy_note",
                         !reason.empty() && reason != "unpaid" ? reason
                         : until                               ? words.say_text("No payment reached us by {moment}.",
                                                                                {{"moment", settings::moment_in(
                                                                                                words.locale,
                                                                                                settings::look_of(service.parts.settings), *until)}})
                                                               : words.say_text("No payment reached us in time.")}};
            };
            notify_customer(service, "booking_expired_customer", id, booking, more(service.values.words_of(booking)));
            notify_staff(service, "admin_booking_expired", id, booking, more(service.values.words_of_site()));
        });
    listen_to_days(service);
}

void listen_to_reviews(Service& service, ReviewPage page) {
    listen_to_booking(
        service, reviews::review_request_due, "review_request",
        [&service, page = std::move(page)](std::int64_t id, const Value& booking, const json::Array&) {
            const auto completed = Instant::parse(booking.text_or("completed_at"));
            const std::string last =
                completed ? service.parts.settings.zone().date_at(*completed).text() : booking.text_or("end_date");
            service.mailer.notify_customer(
                {.template_key = "review_request",
                 .booking_id = id,
                 .booking = booking,
                 .more = {{"review_url", page(booking)},
                          {"completion_date", service.values.day(last, service.values.words_of(booking))}},
                 .dedupe_key = "review_request:" + std::to_string(id)});
        });
}

}  // namespace svc::messaging
