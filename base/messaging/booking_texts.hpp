// The built-in texts of e-mails about bookings beyond the first three.
#pragma once

#include <string_view>

namespace svc::messaging::texts {

inline constexpr std::string_view completed =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your trip {{ trip_name }} of {{ travel_date }} is over. Thank you for travelling with us.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Completed on</td><td>{{ completion_date }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view expired =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your booking {{ booking_reference }} of {{ trip_name }} on {{ travel_date }} has ended, as no payment has reached us.</p>
<p>{{ expiry_policy_note }}</p>
<p>If you still want to travel, please book again: <a href="{{ trip_url }}">{{ trip_name }}</a></p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view staff_expired =
    R"(<p>The unpaid booking {{ booking_reference }} of {{ customer_email }} has ended and its seats are free.</p>
<table>
<tr><td>Trip</td><td>{{ trip_name }}</td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
</table>
<p>{{ expiry_policy_note }}</p>
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view staff_new =
    R"(<p>{{ customer_name }} has booked {{ trip_name }}.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
<tr><td>Travelers</td><td>{{ travelers_count }}</td></tr>
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
<tr><td>Status</td><td>{{ booking_status }}, {{ payment_status }}</td></tr>
<tr><td>E-mail</td><td>{{ customer_email }}</td></tr>
<tr><td>Phone</td><td>{{ customer_phone }}</td></tr>
</table>
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view staff_cancelled =
    R"(<p>The booking {{ booking_reference }} of {{ customer_name }} has been cancelled.</p>
<table>
<tr><td>Trip</td><td>{{ trip_name }}</td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
<tr><td>Paid</td><td>{{ amount_paid_formatted }}</td></tr>
<tr><td>Reason</td><td>{{ cancellation_reason }}</td></tr>
</table>
<p>Nothing has been refunded. <a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view reminder =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your trip {{ trip_name }} begins {{ begins_when }}.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Date</td><td>{{ travel_date }}</td></tr>
<tr><td>Travelers</td><td>{{ travelers_count }}</td></tr>
</table>
{{ reminder_extra_html }}
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view payment_reminder =
    R"(<p>Dear {{ customer_name }},</p>
<p>Your booking {{ booking_reference }} of {{ trip_name }} on {{ travel_date }} is not paid yet.</p>
<table>
<tr><td>To pay</td><td>{{ amount_due_formatted }}</td></tr>
<tr><td>Until</td><td>{{ due_date }}</td></tr>
</table>
<p>If you have paid in the meantime, there is nothing to do.</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view verify_guest =
    R"(<p>Dear {{ customer_name }},</p>
<p>Please confirm that this address is yours, so that we can go on with your booking {{ booking_reference }} of
{{ trip_name }} on {{ travel_date }}.</p>
<p><a href="{{ verification_link }}">Confirm my address</a></p>
<p>The link is valid for two days. If you have booked nothing, there is nothing to do.</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view verify_account =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>{{ intro_paragraph }}</p>
<p><a href="{{ verification_link }}">Confirm my address</a></p>
{{ expiry_notice_html }}
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view reset_password =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>{{ intro_paragraph }}</p>
<p><a href="{{ verification_link }}">Set a new password</a></p>
{{ expiry_notice_html }}
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view change_address =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>{{ intro_paragraph }}</p>
<p><a href="{{ verification_link }}">Use {{ new_email }} from now on</a></p>
{{ expiry_notice_html }}
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view privacy_link =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>{{ intro_paragraph }}</p>
<p><a href="{{ verification_link }}">Go on</a></p>
{{ expiry_notice_html }}
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view address_changed =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>{{ intro_paragraph }}</p>
<p>{{ footer_note }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view account_exists =
    R"(<p>Dear {{ customer_name }},</p>
<p>Somebody, perhaps you, tried to make an account with this address at {{ site_name }}. You have one already: please
sign in with it. Nothing was changed; if it was not you, there is nothing to do.</p>
<p><a href="{{ site_url }}">{{ site_name }}</a></p>
)";

inline constexpr std::string_view refunded =
    R"(<p>Dear {{ customer_name }},</p>
<p>We have sent {{ refund_amount_formatted }} of your payment back to you.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Trip</td><td>{{ trip_name }}, {{ travel_date }}</td></tr>
<tr><td>Refund</td><td>{{ refund_amount_formatted }}</td></tr>
{{#credit_note_number}}
<tr><td>Credit note</td><td><a href="{{ credit_note_url }}">{{ credit_note_number }}</a></td></tr>
{{/credit_note_number}}
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
<tr><td>Paid</td><td>{{ amount_paid_formatted }}</td></tr>
<tr><td>Still to pay</td><td>{{ amount_due_formatted }}</td></tr>
</table>
{{#refund_reason}}<p>{{ refund_reason }}</p>
{{/refund_reason}}<p>Your bank or card company shows the sum within some days.</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view payment =
    R"(<p>Dear {{ customer_name }},</p>
<p>Thank you, we have received your payment.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Amount</td><td>{{ payment_amount_formatted }}</td></tr>
<tr><td>Paid by</td><td>{{ payment_method }}</td></tr>
<tr><td>Transaction</td><td>{{ transaction_id }}</td></tr>
<tr><td>Still to pay</td><td>{{ amount_due_formatted }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view partial_payment =
    R"(<p>Dear {{ customer_name }},</p>
<p>Thank you, we have received a part of what your booking costs.</p>
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>Amount</td><td>{{ payment_amount_formatted }}</td></tr>
<tr><td>Paid by</td><td>{{ payment_method }}</td></tr>
<tr><td>Transaction</td><td>{{ transaction_id }}</td></tr>
<tr><td>Paid so far</td><td>{{ amount_paid_formatted }}</td></tr>
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
<tr><td>Still to pay</td><td>{{ amount_due_formatted }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view staff_refund_due =
    R"(<p>A payment has come in that nothing asked for: the booking {{ booking_reference }} of {{ customer_name }} is
{{ booking_status }}, {{ payment_status }}. It changed nothing but the sum paid; please send the money back.</p>
<table>
<tr><td>Amount</td><td>{{ payment_amount_formatted }}</td></tr>
<tr><td>Paid by</td><td>{{ payment_method }}</td></tr>
<tr><td>Transaction</td><td>{{ transaction_id }}</td></tr>
<tr><td>Paid so far</td><td>{{ amount_paid_formatted }}</td></tr>
<tr><td>Total</td><td>{{ total_amount_formatted }}</td></tr>
</table>
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view staff_review =
    R"(<p>A provider says that a charge of the booking {{ booking_reference }} of {{ customer_name }} was paid, but it
does not fit what was asked: {{ reason }}. Nothing is recorded until somebody has looked at it there.</p>
<table>
<tr><td>Amount</td><td>{{ payment_amount_formatted }}</td></tr>
<tr><td>Paid by</td><td>{{ payment_method }}</td></tr>
<tr><td>Transaction</td><td>{{ transaction_id }}</td></tr>
</table>
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view staff_payment =
    R"(<p>A payment for the booking {{ booking_reference }} of {{ customer_name }} has come in.</p>
<table>
<tr><td>Amount</td><td>{{ payment_amount_formatted }}</td></tr>
<tr><td>Paid by</td><td>{{ payment_method }}</td></tr>
<tr><td>Transaction</td><td>{{ transaction_id }}</td></tr>
<tr><td>Still to pay</td><td>{{ amount_due_formatted }}</td></tr>
</table>
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

inline constexpr std::string_view scheduled_reminder =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>A payment of your booking {{ booking_reference }} is due.</p>
<table>
<tr><td>{{ payment_type_label }}</td><td>{{ scheduled_amount_formatted }}</td></tr>
<tr><td>On</td><td>{{ scheduled_date_formatted }}</td></tr>
</table>
<p>Where you let us keep your card, we charge it on that day and there is nothing to do. Otherwise, or to pay before:
<a href="{{ balance_payment_url }}">pay your booking</a></p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view scheduled_succeeded =
    R"(<p>Dear {{ customer_first_name }},</p>
<p>Thank you, we have charged the payment that was due for your booking {{ booking_reference }}.</p>
<table>
<tr><td>{{ payment_type_label }}</td><td>{{ scheduled_amount_formatted }}</td></tr>
<tr><td>Still to pay</td><td>{{ balance_after_formatted }}</td></tr>
</table>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view scheduled_failed =
    R"(<p>Dear {{ customer_first_name }},</p>
{{ failure_intro_html }}
<table>
<tr><td>Booking</td><td>{{ booking_reference }}</td></tr>
<tr><td>{{ payment_type_label }}</td><td>{{ scheduled_amount_formatted }}</td></tr>
<tr><td>Reason</td><td>{{ failure_reason }}</td></tr>
</table>
{{ failure_followup_html }}
<p><a href="{{ balance_payment_url }}">Pay your booking</a></p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view staff_scheduled_failed =
    R"(<p>A scheduled payment of the booking {{ booking_reference }} of {{ customer_name }} could not be charged.</p>
<table>
<tr><td>{{ payment_type_label }}</td><td>{{ scheduled_amount_formatted }}</td></tr>
<tr><td>Due</td><td>{{ scheduled_date_formatted }}</td></tr>
<tr><td>Reason</td><td>{{ failure_reason }}</td></tr>
</table>
{{ failure_followup_html }}
<p><a href="{{ admin_url }}">Booking {{ booking_id }}</a></p>
)";

}  // namespace svc::messaging::texts
