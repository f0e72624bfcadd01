// The templates and their built-in texts.
#include "base/messaging/templates.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "base/messaging/booking_texts.hpp"
#include "base/messaging/people_texts.hpp"

namespace svc::messaging {
namespace {

constexpr std::string_view received_body =
    R"(<p>Dear {{ customer_name }},</p>
<p>{{ intro_paragraph }}</p>
{{ details_html }}
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Trip</td><td><a href="{{ trip_url }}">{{ trip_name }}</a></td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
<tr><td>Travelers</td><td>{{ travelers_count }}</td></tr>
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
<tr><td>To pay</td><td>{{ amount_due_formatted }}</td></tr>
</table>
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

constexpr std::string_view confirmed_body =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your booking is confirmed. We look forward to travelling with you.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Trip</td><td><a href="{{ trip_url }}">{{ trip_name }}</a></td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
<tr><td>Travelers</td><td>{{ travelers_count }}</td></tr>
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

constexpr std::string_view cancelled_body =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your booking {{ booking_reference }} of {{ trip_name }} on {{ travel_date }} has been cancelled.</p>
<p>{{ cancellation_reason }}</p>
<p>If you did not expect this, please write to us.</p>
<p>{{ site_name }}</p>
)";

constexpr std::string_view rescheduled_body =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your booking of {{ trip_name }} has been moved.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Former date</td><td>{{ old_travel_date }}</td></tr>
<tr><td>New date</td><td>{{ travel_date }} {{ departure_time }}</td></tr>
<tr><td>Travelers</td><td>{{ travelers_count }}</td></tr>
</table>
<p>If the new date does not suit you, please write to us.</p>
<p>{{ site_name }}</p>
)";

constexpr std::string_view seats_low_body =
    R"(<p>Few seats are left on {{ trip_name }} on {{ travel_date }} {{ departure_time }}.</p>
<table>
<tr><td>Seats left</td><td>{{ seats_left }}</td></tr>
<tr><td>Seats</td><td>{{ seats_total }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

constexpr std::array all{
    Template{"booking_confirmation", "booking", "booking", "booking.created", true,
             "We have received your booking {{ booking_reference }}", received_body},
    Template{"waitlist_joined", "waitlist_joined", "waitlist_joined", "booking.created", true,
             "You are on the waiting list for {{ trip_name }}, {{ travel_date }}", received_body},
    Template{"waitlist_offer", "waitlist_offer", "waitlist_offer", "booking.waitlist_promoted", true,
             "Seats are free for you on {{ trip_name }}, {{ travel_date }}", received_body},
    Template{"booking_confirmed", "booking_confirmed", "booking_confirmed", "booking.confirmed", true,
             "Your booking {{ booking_reference }} is confirmed", confirmed_body},
    Template{"booking_cancelled", "cancellation", "cancellation", "booking.cancelled", true,
             "Your booking {{ booking_reference }} has been cancelled", cancelled_body},
    Template{"booking_rescheduled", "booking_rescheduled", "booking_rescheduled", "booking.rescheduled", true,
             "Your booking {{ booking_reference }} has a new date", rescheduled_body},
    Template{"admin_seats_low", "admin_seats_low", "admin_seats_low", "departure.seats_low", true,
             "{{ seats_left }} seats left on {{ trip_name }}, {{ travel_date }}", seats_low_body},
    Template{"payment_received", "confirmation", "payment", "payment.received", true,
             "We have received your payment for {{ booking_reference }}", texts::payment},
    Template{"partial_payment_received", "partial_payment", "partial_payment", "payment.partial_received", false,
             "We have received a part of what {{ booking_reference }} costs", texts::partial_payment},
    Template{"booking_refunded", "booking_refunded", "booking_refunded", "payment.refunded", true,
             "We have refunded {{ refund_amount_formatted }} of {{ booking_reference }}", texts::refunded},
    Template{"trip_reminder", "reminder", "reminder", "reminder.trip", true, "{{ trip_name }} begins {{ begins_when }}",
             texts::reminder},
    Template{"payment_reminder", "payment_reminder", "payment_reminder", "payment.reminder", true,
             "Please pay for {{ booking_reference }} until {{ due_date }}", texts::payment_reminder},
    Template{"admin_new_booking", "admin_new_booking", "admin_booking", "booking.created", true,
             "New booking {{ booking_reference }}", texts::staff_new},
    Template{"admin_payment_received", "admin_payment", "admin_payment", "payment.received", true,
             "Payment for {{ booking_reference }}", texts::staff_payment},
    Template{"admin_refund_due", "admin_refund_due", "admin_refund_due", "payment.received", true,
             "To be sent back: a payment for {{ booking_reference }}", texts::staff_refund_due},
    Template{"admin_payment_review", "admin_payment_review", "admin_payment_review", "payment.in_review", true,
             "Please look at a payment for {{ booking_reference }}", texts::staff_review},
    Template{"admin_booking_cancelled", "admin_cancellation", "admin_cancellation", "booking.cancelled", true,
             "Cancelled: {{ booking_reference }}", texts::staff_cancelled},
    Template{"trip_consent_request", "trip_consent", "trip_consent", "consent.requested"},
    Template{"customer_email_verification", "customer_verification", "customer_verification",
             "account.email_verification", true, "Please confirm your e-mail address", texts::verify_account},
    Template{"account_password_reset", "account_password_reset", "account_password_reset", "account.password_reset",
             true, "Set a new password", texts::reset_password},
    Template{"account_privacy_link", "account_privacy_link", "account_privacy_link", "account.privacy_link", true,
             "Your personal data: please confirm", texts::privacy_link},
    Template{"account_registered_again", "account_registered_again", "account_registered_again",
             "account.registered_again", true, "You have an account already", texts::account_exists},
    Template{"guest_email_verification", "guest_verification", "guest_verification", "account.email_verification", true,
             "Please confirm your booking {{ booking_reference }}", texts::verify_guest},
    Template{"account_email_change_request", "account_email_change", "account_email_change",
             "account.email_change_request", true, "Please confirm your new e-mail address", texts::change_address},
    Template{"account_email_changed", "account_email_changed", "account_email_changed", "account.email_changed", true,
             "Your e-mail address was changed", texts::address_changed},
    Template{"booking_completed", "booking_completed", "booking_completed", "booking.completed", true,
             "Thank you for travelling with us", texts::completed},
    Template{"booking_expired_customer", "booking_expired_customer", "booking_expired_customer", "booking.expired",
             true, "Your booking {{ booking_reference }} has ended", texts::expired},
    Template{"admin_booking_expired", "admin_booking_expired", "admin_booking_expired", "booking.expired", true,
             "Expired: {{ booking_reference }}", texts::staff_expired},
    Template{"scheduled_payment_reminder", "scheduled_payment_reminder", "scheduled_payment_reminder",
             "scheduled.payment.reminder", true, "Your payment for {{ booking_reference }} is due",
             texts::scheduled_reminder},
    Template{"scheduled_payment_succeeded", "scheduled_payment_succeeded", "scheduled_payment_succeeded",
             "scheduled.payment.succeeded", true, "We have charged your payment for {{ booking_reference }}",
             texts::scheduled_succeeded},
    Template{"scheduled_payment_failed", "scheduled_payment_failed", "scheduled_payment_failed",
             "scheduled.payment.failed", true, "Your payment for {{ booking_reference }} did not go through",
             texts::scheduled_failed},
    Template{"admin_scheduled_payment_failed", "admin_scheduled_payment_failed", "admin_scheduled_payment_failed",
             "scheduled.payment.failed", true, "A payment for {{ booking_reference }} could not be charged",
             texts::staff_scheduled_failed},
    Template{"enquiry_admin", "enquiry_admin", "enquiry_admin", "enquiry.created", true,
             "New enquiry of {{ customer_name }}", texts::enquiry_admin},
    Template{"enquiry_received", "enquiry_received", "enquiry_received", "enquiry.created", true,
             "We have received your enquiry", texts::enquiry_received},
    Template{"enquiry_response", "enquiry_response", "enquiry_response", "enquiry.responded", true,
             "Re: your enquiry to {{ site_name }}", texts::enquiry_response},
    Template{"review_request", "review_request", "review_request", "marketing.review_request", true,
             "How was {{ trip_name }}?", texts::review_request},
    Template{"abandoned_booking_recovery_first", "abandoned_booking_recovery_first", "abandoned_booking_recovery_first",
             "booking.abandoned_recovery"},
    Template{"abandoned_booking_recovery_second", "abandoned_booking_recovery_second",
             "abandoned_booking_recovery_second", "booking.abandoned_recovery"},
    Template{"abandoned_booking_recovery_final", "abandoned_booking_recovery_final", "abandoned_booking_recovery_final",
             "booking.abandoned_recovery"},
};

}  // namespace

std::span<const Template> templates() { return all; }

const Template& template_of(std::string_view key) {
    for (const auto& each : all)
        if (each.key == key)
            return each;
    throw std::logic_error("there is no such template: " + std::string(key));
}

}  // namespace svc::messaging
