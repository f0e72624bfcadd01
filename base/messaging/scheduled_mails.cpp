// E-mails about scheduled charges: before one, after it, and after a failed one.
#include "base/messaging/frame.hpp"
#include "base/messaging/listeners.hpp"
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

// The sentences around the reason: another attempt follows, or none.
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

void listen_to_scheduled_payments(Service& service) {
    using Send = std::function<void(BookingMail mail, const json::Value& context)>;
    const auto listen_to = [&service](const hooks::Action& action, std::size_t context_at, std::string_view key,
                                      Send send) {
        listen(service, action.name, key,
               [&service, context_at, key, send = std::move(send)](const json::Array& arguments) {
                   const json::Value& context = arguments.at(context_at);
                   const auto booking_id = context["booking_id"].integer();
                   const auto booking = service.parts.bookings.find(booking_id);
                   if (!booking)
                       return;
                   const auto id = arguments.at(0).integer();
                   Variables more = of_scheduled(id, context);
                   more["balance_payment_url"] = service.parts.bookings.pay_page(*booking);
                   send({.template_key = key,
                         .booking_id = booking_id,
                         .booking = *booking,
                         .more = std::move(more),
                         .dedupe_key = service.mailer.dedupe_key(key, id)},
                        context);
               });
    };
    const auto notify = [&service](const BookingMail& mail, const json::Value&) {
        service.mailer.notify_customer(mail);
    };
    // Nobody is asked for what may be paid already.
    listen_to(payment::scheduled_due, 1, "scheduled_payment_reminder",
              [notify](const BookingMail& mail, const json::Value& context) {
                  if (!is_set(mail.booking, "payments_unknown"))
                      notify(mail, context);
              });
    listen_to(payment::scheduled_success, 2, "scheduled_payment_succeeded", notify);
    listen_to(payment::scheduled_failed, 2, "scheduled_payment_failed",
              [&service](BookingMail mail, const json::Value& context) {
                  add_failure(context, service.values.words_of(mail.booking), mail.more);
                  service.mailer.notify_customer(mail);
              });
    listen_to(payment::scheduled_failed, 2, "admin_scheduled_payment_failed",
              [&service](BookingMail mail, const json::Value& context) {
                  const Words words = service.values.words_of_site();
                  mail.more["failure_followup_html"] = paragraph_html(
                      is_set(context, "permanent")
                          ? words.say_text("It is not tried again: please see that the balance is paid otherwise.")
                          : words.say_text("It is tried again in a day."));
                  service.mailer.notify_staff(mail);
              });
}

}  // namespace svc::messaging
