// E-mails of charges by the clock: before each, after it, and when it was refused.
#include <stdexcept>

#include "base/messaging/frame.hpp"
#include "base/messaging/service.hpp"
#include "base/payment/hooks.hpp"

namespace svc::messaging {
namespace {

Variables of_scheduled(std::int64_t id, const json::Value& context) {
    return {{"scheduled_payment_id", std::to_string(id)},
            {"scheduled_amount_formatted", context.text_or("scheduled_amount_formatted")},
            {"scheduled_date_formatted", context.text_or("scheduled_date_formatted")},
            {"payment_type_label", context.text_or("payment_type_label")},
            {"balance_after_formatted", context.text_or("balance_after_formatted")},
            {"failure_reason", context.text_or("failure_reason")}};
}

bool is_set(const json::Value& context, std::string_view member) {
    return context.maybe_boolean(member).value_or(false);
}

// What the customer reads around the reason: another attempt follows, or none.
void add_failure(const json::Value& context, const Words& words, Variables& variables) {
    const bool is_last = is_set(context, "permanent");
    variables["failure_intro_html"] =
        paragraph_html(is_last ? words.say_text("We could not charge your payment, and we will not try again.")
                               : words.say_text("We could not charge your payment today."));
    variables["failure_followup_html"] =
        paragraph_html(is_last ? words.say_text("Please pay it yourself, so that your booking stands.")
                               : words.say_text("We will try again in a day. You may also pay it yourself before."));
}

}  // namespace

void Service::listen_to_scheduled_payments(FindBooking find, PayLink pay_link) {
    using Tell = std::function<void(const BookingNews& news, const json::Value& context)>;
    const auto listen = [&](std::string_view action, std::size_t context_at, std::string_view key, Tell tell) {
        const auto heard =
            hooks_.on(action, {.name = "messaging." + std::string(key)},
                      [this, find, pay_link, context_at, key, tell = std::move(tell)](const json::Array& arguments) {
                          const json::Value& context = arguments.at(context_at);
                          const auto booking_id = context["booking_id"].integer();
                          const auto booking = find(booking_id);
                          if (!booking)
                              return;
                          const auto id = arguments.at(0).integer();
                          Variables more = of_scheduled(id, context);
                          more["balance_payment_url"] = pay_link(*booking);
                          tell({.template_key = key,
                                .booking_id = booking_id,
                                .booking = *booking,
                                .more = std::move(more),
                                .dedupe_key = dedupe_key(key, id)},
                               context);
                      });
        if (!heard)
            throw std::logic_error("messaging cannot listen: " + heard.error().cause());
    };
    listen(payment::scheduled_due.name, 1, "scheduled_payment_reminder",
           [this](const BookingNews& news, const json::Value&) { tell_customer(news); });
    listen(payment::scheduled_success.name, 2, "scheduled_payment_succeeded",
           [this](const BookingNews& news, const json::Value&) { tell_customer(news); });
    listen(payment::scheduled_failed.name, 2, "scheduled_payment_failed",
           [this](BookingNews news, const json::Value& context) {
               add_failure(context, words_of(news.booking), news.more);
               tell_customer(news);
           });
    listen(payment::scheduled_failed.name, 2, "admin_scheduled_payment_failed",
           [this](BookingNews news, const json::Value& context) {
               const Words words = words_of_site();
               news.more["failure_followup_html"] = paragraph_html(
                   is_set(context, "permanent")
                       ? words.say_text("It is not tried again: please see that the balance is paid otherwise.")
                       : words.say_text("It is tried again in a day."));
               tell_staff(news);
           });
}

}  // namespace svc::messaging
