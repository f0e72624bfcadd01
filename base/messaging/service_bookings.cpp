// E-mails of a booking's life: received, cancelled, expired, completed, due soon, and the guest's proof of address.
#include <algorithm>
#include <stdexcept>

#include "base/booking/record/hooks.hpp"
#include "base/messaging/hooks.hpp"
#include "base/messaging/service.hpp"
#include "base/platform/html/html.hpp"

namespace svc::messaging {
namespace {

// "date_of_birth" as a person reads it.
std::string answer_label(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

void listened(const Result<void>& done) {
    if (!done)
        throw std::logic_error("messaging cannot listen: " + done.error().cause());
}

}  // namespace

bool Service::tell_staff(const BookingNews& news) {
    const Template& which = template_of(news.template_key);
    const Wording wording = wording_of(which, news.booking);
    return tell_staff(news.template_key, wording, variables_of(which, wording, news, words_of_site()), news.dedupe_key,
                      news.event_key);
}

void Service::listen_to_bookings(const VerificationLink& link) {
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
    listen(booking::booking_created.name, "staff_booking_created",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               const auto status = booking.text_or("status");
               if (status == "pending_verification")
                   customer("guest_email_verification", id, booking, {{"verification_link", link(booking)}});
               else if (status != "waitlist" && notifies_staff_of_new(booking))
                   staff("admin_new_booking", id, booking, {});
           });
    listen(booking::verification_requested.name, "address_changed",
           [=](std::int64_t id, const json::Value& booking, const json::Array&) {
               customer("guest_email_verification", id, booking, {{"verification_link", link(booking)}});
           });
    listen(booking::email_verified.name, "booking_verified",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               if (booking.text_or("status") == "pending")
                   customer("booking_confirmation", id, booking, received("pending", words_of(booking)));
               if (notifies_staff_of_new(booking))
                   staff("admin_new_booking", id, booking, {});
           });
    listen(booking::booking_cancelled.name, "staff_booking_cancelled",
           [=](std::int64_t id, const json::Value& booking, const json::Array&) {
               if (booking.text_or("cancelled_via") != "expiry")  // else they hear that it has expired
                   staff("admin_booking_cancelled", id, booking,
                         {{"cancellation_reason", booking.text_or("cancellation_reason")}});
           });
    listen(booking::booking_expired.name, "booking_expired",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               std::string note = booking.text_or("cancellation_reason");
               if (note == "unpaid")
                   note.clear();
               const auto more = [&](const Words& words) -> Variables {
                   return {{"expiry_policy_note",
                            note.empty() ? words.say_text("No payment reached us within {hours, plural, one {# hour}"
                                                          " other {# hours}}.",
                                                          {{"hours", settings_.integer("booking_expiry_hours")}})
                                         : note}};
               };
               customer("booking_expired_customer", id, booking, more(words_of(booking)));
               staff("admin_booking_expired", id, booking, more(words_of_site()));
           });
    listen(booking::booking_completed.name, "booking_completed",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array&) {
               customer(
                   "booking_completed", id, booking,
                   {{"completion_date", shown_day(settings_.zone().date_at(clock_.now()).text(), words_of(booking))}});
           });
    listen(booking::payment_due.name, "payment_reminder",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array& arguments) {
               tell_customer({.template_key = "payment_reminder",
                              .booking_id = id,
                              .booking = booking,
                              .more = {{"due_date", shown_day(arguments.at(3).text(), words_of(booking))}},
                              .dedupe_key = dedupe_key("payment_reminder", id) + ":" +
                                            std::to_string(arguments.at(2).integer())});
           });
    listen(booking::reminder_due.name, "trip_reminder",
           [=, this](std::int64_t id, const json::Value& booking, const json::Array& arguments) {
               customer("trip_reminder", id, booking, reminding(booking, arguments.at(2).integer()));
           });
}

Variables Service::of_travelers(const Wording& wording, std::int64_t booking_id, const json::Value& booking) const {
    const std::string& body = wording.body;
    const bool is_told = body.find("travelers_list") != body.npos || body.find("traveler_custom_") != body.npos;
    if (!travelers_ || !(is_told || hooks_.filtered(booking_email_variables.name)))
        return {};
    std::vector<std::string> keys;
    for (const json::Value& key :
         hooks_.apply(identity_field_keys, json::Value::array({"first_name", "last_name"}), {booking}).items())
        if (key.is_string())
            keys.push_back(key.text());
    std::string list, items, details;
    for (const json::Value& fields : travelers_(booking_id)) {
        std::string name, rest;
        for (const std::string& key : keys)
            if (const std::string part = fields.text_or(key); !part.empty())
                name += (name.empty() ? "" : " ") + part;
        for (const auto& [key, value] : fields.members())
            if (value.is_string() && !value.text().empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
                rest += "<li>" + html::escaped(answer_label(key)) + ": " + html::escaped(value.text()) + "</li>";
        if (!name.empty()) {
            list += (list.empty() ? "" : ", ") + name;
            items += "<li>" + html::escaped(name) + "</li>";
        }
        if (!rest.empty())
            details += "<p>" + html::escaped(name) + "</p><ul>" + rest + "</ul>";
    }
    return {{"travelers_list", list},
            {"travelers_list_html", items.empty() ? items : "<ul>" + items + "</ul>"},
            {"traveler_custom_fields_html", details}};
}

bool Service::notifies_staff_of_new(const json::Value& booking) const {
    return !hooks_.filtered(notify_admin_new_booking.name) ||
           hooks_.apply(notify_admin_new_booking, true, {booking}).boolean();
}

Variables Service::reminding(const json::Value& booking, std::int64_t days) const {
    const Words words = words_of(booking);
    const json::Value unread;
    const std::string owed = still_to_pay(told(0, booking, unread, words));
    std::string extra;
    if (!owed.empty())
        extra = "<p>" + html::escaped(words.say_text("Still to pay: {amount}", {{"amount", owed}})) + "</p>";
    extra += "<ul>";
    for (const std::string& item :
         {words.say_text("A valid passport or identity card"), words.say_text("Your travel insurance"),
          words.say_text("The numbers of your emergency contacts")})
        extra += "<li>" + html::escaped(item) + "</li>";
    return {{"begins_when", words.say_text("{days, plural, =0 {today} =1 {tomorrow} other {in # days}}",
                                           {{"days", std::max<std::int64_t>(days, 0)}})},
            {"reminder_days", std::to_string(days)},
            {"days_until_trip", std::to_string(days)},
            {"reminder_extra_html", extra + "</ul>"}};
}

}  // namespace svc::messaging
