// What each merge tag stands for, for people who write texts of e-mails. A tag whose meaning differs between e-mails
// has its sentence where it is declared (known_tags.cpp).
#include "base/messaging/tag_descriptions.hpp"

#include <algorithm>

namespace svc::messaging {
namespace {

struct Row {
    std::string_view key, sentence;
};
constexpr Row rows[] = {
    {"site_name", "The name of the site, as in the settings."},
    {"site_url", "The address of the site's first page."},
    {"admin_email", "The address at which the operator receives messages."},
    {"admin_url", "The address of the admin, for e-mails to staff."},
    {"current_date", "The day on which the e-mail is sent, in the site's zone."},
    {"current_year", "The year in which the e-mail is sent, for a copyright line."},
    {"customer_name", "First and last name of the person to whom the e-mail belongs."},
    {"customer_first_name", "The first name, for a salutation; the whole name of a person with one name."},
    {"customer_last_name", "The last name; empty for a person with one name."},
    {"customer_email", "The e-mail address of the person."},
    {"customer_phone", "The telephone number with its dialling code; empty when none was given."},
    {"booking_reference", "The reference that customers name when they write or call."},
    {"booking_id", "The number of the booking within svc, for other programs."},
    {"booking_url", "The link that opens the booking with its documents, without an account."},
    {"admin_booking_url", "The link to the booking in the admin, for e-mails to staff."},
    {"booking_status_label", "The status in the language of the e-mail."},
    {"booking_status", "The status as the interface names it, for conditions."},
    {"payment_status", "The payment's status as the interface names it: pending, partial, paid, refunded or failed."},
    {"trip_name", "The title of the trip, in the language of the booking."},
    {"trip_url", "The link to the trip's page on the site."},
    {"travel_date", "The first day of the trip, in the site's date format."},
    {"return_date", "The last day of the trip; the first day for trips of a single day."},
    {"travel_period", "The first and the last day with the time of departure, in words."},
    {"departure_time", "The time at which the trip begins, in the site's zone; empty when the date has none."},
    {"meeting_point", "The place where the trip begins, as staff entered it."},
    {"map_url", "The link to a map of the meeting point; empty when the trip has no coordinates."},
    {"company_phone", "The company's telephone number of the settings."},
    {"travelers_count", "The number of people who travel."},
    {"travelers_list", "The travelers' names in one line, the lead traveler first."},
    {"travelers_list_html", "The travelers' names as a list, for the HTML part."},
    {"traveler_custom_fields_html", "The answers to the form's traveler fields, by traveler."},
    {"booking_custom_fields_html", "The answers to the form's contact fields."},
    {"special_requests", "The customer's wishes, as plain text."},
    {"special_requests_html", "The customer's wishes with their line breaks, for the HTML part."},
    {"money_rows_html", "What was paid, what is due, until when and how, line by line as on the booking's page."},
    {"total_amount", "The booking's total without its currency, for calculations."},
    {"total_amount_formatted", "The booking's total with its currency."},
    {"amount_paid", "What was paid so far, without its currency."},
    {"amount_paid_formatted", "What was paid so far, with its currency."},
    {"amount_due", "What is left of the total, with its currency."},
    {"amount_due_formatted", "The same as amount_due."},
    {"balance_due", "The same as amount_due."},
    {"pay_now_amount_formatted", "What the customer has to pay now: the deposit or the whole."},
    {"currency", "The three letters of the booking's currency."},
    {"payment_gateway", "The key of the chosen way of paying, for conditions."},
    {"payment_gateway_label", "The chosen way of paying, as customers see it."},
    {"payment_schedule_label", "Whether the whole, a deposit or a part is paid, in words."},
    {"intro_paragraph", "The first sentences of the e-mail, which follow from what happened."},
    {"details_html", "How and until when to pay, by the chosen way of paying."},
    {"footer_note", "What the recipient can expect or do next."},
    {"cancellation_reason", "The reason that was given for the cancellation; empty when none was."},
    {"completion_date", "The day on which the trip ended."},
    {"expiry_policy_note", "The sentence that says why the booking was given up."},
    {"old_travel_date", "The first day before the booking was moved."},
    {"mails_count", "How many e-mails of this kind the digest stands for."},
    {"mails_list_html", "The subjects of these e-mails, the oldest first."},
    {"seats_left", "How many seats of the departure are free."},
    {"seats_total", "How many seats the departure has."},
    {"payment_amount_formatted", "The amount of the payment that the e-mail is about."},
    {"payment_method", "How this payment was made, as customers see it."},
    {"transaction_id", "The number that the payment has at the provider; empty for cash."},
    {"reason", "Why the payment waits for a member of staff."},
    {"refund_amount_formatted", "The amount that was sent back, with its currency."},
    {"refund_reason", "The reason that was given for the refund; empty when none was."},
    {"credit_note_number", "The number of the document about the refund."},
    {"credit_note_url", "The link to the document about the refund."},
    {"due_date", "The last day on which the payment is accepted."},
    {"days_until_trip", "How many days are left until the first day."},
    {"reminder_days", "The same as days_until_trip."},
    {"begins_when", "When the trip begins, as people say it: today, tomorrow, in 3 days."},
    {"reminder_checklist_html",
     "What travelers should bring: identity card, insurance, emergency numbers; the same for every trip."},
    {"reminder_extra_html", "What is still to be paid, and what travelers should bring or know."},
    {"balance_payment_url", "The link to the page on which the rest can be paid."},
    {"review_url", "The link on which the customer writes the review, without an account."},
    {"enquiry_id", "The number of the enquiry within svc."},
    {"enquiry_date", "The day on which the enquiry was sent."},
    {"response", "The text of the answer that staff wrote."},
    {"response_message", "The same as response."},
    {"response_date", "The day on which the answer was sent."},
    {"recipient_name", "The person who is asked to sign."},
    {"form_name", "The title of the form that is to be signed."},
    {"consent_link", "The link to the form, for the recipient alone."},
    {"consent_test_notice_html", "A line that marks an e-mail that was sent as a test; empty otherwise."},
    {"expiry_notice_html", "Until when the link can be used."},
    {"verification_link", "The link that proves the address; it works once."},
    {"account_email", "The address of the account, shortened so that it reveals nothing to others."},
    {"new_email", "The address that the account is to have."},
    {"recovery_rows_html", "Date, travelers and today's price of the unfinished booking, as rows of a table."},
    {"recovery_coupon_html", "The coupon of this reminder with its last day, where it has one."},
    {"recovery_stop_link", "The page on which the customer ends the reminders."},
    {"recovery_link", "The link that opens the unfinished booking where it was left."},
    {"recovery_reminder_label", "Which of the reminders this is."},
    {"recovery_intro_html", "The first sentences about the unfinished booking."},
};

}  // namespace

std::string_view description_of_tag(std::string_view key) {
    const auto* const found = std::ranges::find(rows, key, &Row::key);
    return found == std::end(rows) ? std::string_view{} : found->sentence;
}

}  // namespace svc::messaging
