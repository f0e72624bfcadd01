// Repeats ignore dedupe keys, but not the switches.
#include "base/messaging/mails/resend.hpp"

#include "base/messaging/templates/template_keys.hpp"
#include "base/platform/outbound/header.hpp"

namespace svc::messaging {
namespace {

Error not_now(SentenceId sentence) { return invalid("type", sentence); }

bool owes(const json::Value& booking) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    if (!currency || !booking["amount_due"].is_number())
        return false;
    const auto due = Money::parse(booking["amount_due"].number_text(), *currency);
    return due && !due->is_zero();
}

}  // namespace

Sentence Resends::reason_not_sent(const Template& which, bool to_staff, const std::string& recipient) const {
    if (to_staff && recipient.empty())
        return "The setting admin_email is empty."_sentence;
    if (!to_staff && !outbound::is_address(recipient))
        return "The booking has no e-mail address."_sentence;
    if (!parts_.settings.flag(to_staff ? "enable_admin_notifications" : "enable_customer_notifications"))
        return to_staff ? "E-mails to staff are switched off."_sentence
                        : "E-mails to customers are switched off."_sentence;
    return parts_.settings.flag(keys_of(which, parts_.hooks, parts_.settings).switched_by)
               ? "An extension suppressed the e-mail."_sentence
               : "This e-mail is switched off."_sentence;
}

const std::vector<std::string>& resendable() {
    static const std::vector<std::string> types{
        "confirmation",         "reminder",          "cancellation",          "completed",
        "payment_confirmation", "admin_new_booking", "admin_payment_received"};
    return types;
}

Result<Resend> Resends::prepare(const std::string& type, const json::Value& booking,
                                const std::optional<json::Value>& payment) const {
    const auto status = booking.text_or("status");
    const auto id = booking["id"].integer();
    const bool to_staff = type.starts_with("admin_");
    std::string_view which;
    Variables more;
    if (status == "trash")
        return not_now("This booking is in the trash."_sentence);
    if (type == "confirmation") {
        // Completed bookings were confirmed before.
        const bool confirmed = status == "confirmed" || status == "completed";
        which = confirmed ? "booking_confirmed" : status == "waitlist" ? "waitlist_joined" : "booking_confirmation";
        more =
            status == "waitlist"
                ? Values::of_receipt(status, values_.words_of(booking))
                : Variables{{"intro_paragraph", values_.words_of(booking).say_text("We have received your booking.")}};
    } else if (type == "reminder") {
        which = "trip_reminder";
        if (status != "confirmed" && status != "pending")
            return not_now("This booking is not active."_sentence);
        const Date today = values_.today();
        const auto day = Date::parse(booking.text_or("travel_date"));
        if (!day || *day < today)
            return not_now("This trip has already started."_sentence);
        more = values_.of_reminder(booking, day->days() - today.days());
    } else if (type == "cancellation") {
        if (status != "cancelled")
            return not_now("This booking is not cancelled."_sentence);
        which = "booking_cancelled";
        more = {{"cancellation_reason", booking.text_or("cancellation_reason")}};
    } else if (type == "completed") {
        if (status != "completed")
            return not_now("This booking is not completed."_sentence);
        which = "booking_completed";
        more = {{"completion_date", values_.day(booking.text_or("end_date"))}};
    } else if (type == "admin_new_booking") {
        which = "admin_new_booking";
    } else {
        if (!payment)
            return not_now("Nothing has been paid on this booking."_sentence);
        const bool in_part = owes(booking) && !mailer_.is_off(template_of("partial_payment_received"));
        which = to_staff ? "admin_payment_received" : in_part ? "partial_payment_received" : "payment_received";
        more = values_.of_payment(*payment, to_staff ? values_.words_of_site() : values_.words_of(booking));
    }
    const auto recipient = to_staff ? composer_.staff_addresses() : booking.text_or("customer_email");
    const bool is_sent = !mailer_.is_off(template_of(which));
    return Resend{
        .mail = {.template_key = which,
                 .booking_id = id,
                 .booking = booking,
                 .more = std::move(more),
                 .dedupe_key = {},
                 .by_hand = true},
        .to_staff = to_staff,
        .queued = {.sent = is_sent,
                   .template_key = std::string(which),
                   .recipient = recipient,
                   .reason = is_sent ? Sentence() : reason_not_sent(template_of(which), to_staff, recipient)}};
}

Resent Resends::send(const Resend& prepared) {
    Resent done = prepared.queued;
    done.sent = prepared.to_staff ? mailer_.notify_staff(prepared.mail) : mailer_.notify_customer(prepared.mail);
    done.reason = done.sent
                      ? Sentence()
                      : reason_not_sent(template_of(prepared.mail.template_key), prepared.to_staff, done.recipient);
    return done;
}

}  // namespace svc::messaging
