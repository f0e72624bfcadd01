// E-mails of a booking's life: received, cancelled, expired, completed, due soon, and the guest's proof of address.
#include <stdexcept>

#include "base/messaging/hooks.hpp"
#include "base/messaging/service.hpp"

namespace svc::messaging {
namespace {

void listened(const Result<void>& done) {
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

}  // namespace

bool Service::tell_staff(const BookingNews& news) {
    auto variables = of_booking(news.booking_id, news.booking);
    for (const auto& [name, value] : news.more)
        variables[name] = value;
    return tell_staff(news.template_key, filtered(std::move(variables), news.booking), news.dedupe_key, news.event_key);
}

void Service::listen_to_bookings(VerificationLink link) {
    using Tell = std::function<void(std::int64_t id, const json::Value& booking, const json::Array& arguments)>;
    const auto listen = [this](std::string_view action, std::string name, Tell tell) {
        listened(hooks_.on(action, {.name = "messaging." + std::move(name)},
                           [tell = std::move(tell)](const json::Array& arguments) {
                               tell(arguments.at(0).integer(), arguments.at(1), arguments);
                           }));
    };
    const auto customer = [this](std::string_view key, std::int64_t id, const json::Value& booking, Variables more) {
        tell_customer({.template_key = key,
                       .booking_id = id,
                       .booking = booking,
                       .more = std::move(more),
                       .dedupe_key = dedupe_key(key, id)});
    };
    const auto staff = [this](std::string_view key, std::int64_t id, const json::Value& booking, Variables more) {
        tell_staff({.template_key = key,
                    .booking_id = id,
                    .booking = booking,
                    .more = std::move(more),
                    .dedupe_key = dedupe_key(key, id)});
    };
    listen("svc_booking_created", "staff_booking_created",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               const auto status = booking.text_or("status");
               if (status == "pending_verification")
                   customer("guest_email_verification", id, booking, {{"verification_link", link(booking)}});
               else if (status != "waitlist" && notifies_staff_of_new(booking))
                   staff("admin_new_booking", id, booking, {});
           });
    listen("svc_booking_verification_asked", "address_changed",
           [=](std::int64_t id, const json::Value& booking, const json::Array&) {
               customer("guest_email_verification", id, booking, {{"verification_link", link(booking)}});
           });
    listen("svc_booking_email_verified", "booking_verified",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               if (booking.text_or("status") == "pending")
                   customer("booking_confirmation", id, booking, received("pending"));
               if (notifies_staff_of_new(booking))
                   staff("admin_new_booking", id, booking, {});
           });
    listen("svc_booking_cancelled", "staff_booking_cancelled",
           [=](std::int64_t id, const json::Value& booking, const json::Array&) {
               if (booking.text_or("cancelled_via") != "expiry")  // else they hear that it has expired
                   staff("admin_booking_cancelled", id, booking,
                         {{"cancellation_reason", booking.text_or("cancellation_reason")}});
           });
    listen("svc_booking_expired", "booking_expired",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               std::string note = booking.text_or("cancellation_reason");
               if (note == "unpaid")
                   note = "No payment reached us within " + std::to_string(settings_.integer("booking_expiry_hours")) +
                          " hours.";
               const Variables more{{"expiry_policy_note", note}};
               customer("booking_expired_customer", id, booking, more);
               staff("admin_booking_expired", id, booking, more);
           });
    listen("svc_booking_completed", "booking_completed",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               customer("booking_completed", id, booking,
                        {{"completion_date", settings_.zone().date_at(clock_.now()).text()}});
           });
    listen("svc_booking_payment_due", "payment_reminder",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array& arguments) {
               tell_customer({.template_key = "payment_reminder",
                              .booking_id = id,
                              .booking = booking,
                              .more = {{"due_date", arguments.at(3).text()}},
                              .dedupe_key = dedupe_key("payment_reminder", id) + ":" +
                                            std::to_string(arguments.at(2).integer())});
           });
    listen("svc_booking_reminder_due", "trip_reminder",
           [=](std::int64_t id, const json::Value& booking, const json::Array& arguments) {
               customer("trip_reminder", id, booking, reminding(arguments.at(2).integer()));
           });
}

bool Service::notifies_staff_of_new(const json::Value& booking) const {
    return hooks_.apply(notify_admin_new_booking, true, {booking}).boolean();
}

Variables Service::reminding(std::int64_t days) {
    return {{"reminder_days", std::to_string(days)},
            {"days_until_trip", std::to_string(days)},
            {"reminder_extra_html",
             "<ul><li>A valid passport or identity card</li><li>Your travel insurance</li>"
             "<li>The numbers of your emergency contacts</li></ul>"}};
}

}  // namespace svc::messaging
