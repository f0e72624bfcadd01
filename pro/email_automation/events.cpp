// The rows of events.
#include "pro/email_automation/events.hpp"

#include <algorithm>
#include <array>

namespace svc::pro::email_automation {
namespace {

constexpr std::array all{
    Event{"booking.created", "Booking created", "A booking was made, and its address is confirmed if it has to be.",
          true, true},
    Event{"booking.confirmed", "Booking confirmed", "Staff or a payment confirmed a booking.", true, true},
    Event{"booking.completed", "Booking completed", "The trip of a booking is over.", true, true},
    Event{"booking.cancelled", "Booking cancelled", "A booking was cancelled, by any cause.", true, true},
    Event{"booking.expired", "Booking expired", "An unpaid booking was cancelled when its time to pay was over.", true,
          true},
    Event{"payment.received", "Payment received", "A payment settled the balance of a booking.", true, true},
    Event{"payment.partial_received", "Part payment received", "A deposit or another part of the total was paid.", true,
          true},
    Event{"scheduled.payment.succeeded", "Scheduled payment charged", "A planned charge was paid.", true, true},
    Event{"scheduled.payment.failed", "Scheduled payment failed", "A planned charge was declined.", true, true},
    Event{"account.email_verification", "Address to be verified", "Somebody has to confirm an e-mail address.", false,
          true},
    Event{"account.email_change_request", "Change of address requested", "An account asked for another address.", false,
          true},
    Event{"account.email_changed", "Address changed", "An account has another address.", false, true},
    Event{"account.password_reset", "Password reset", "Somebody asked for a new password."},
    Event{"account.privacy_link", "Data requested", "Somebody asked for their data or its erasure."},
    Event{"account.registered_again", "Registered again", "Somebody registered with an address that has an account."},
    Event{"booking.waitlist_promoted", "Waiting list promoted", "Seats became free for a booking that waited."},
    Event{"booking.link_wanted", "Booking link wanted", "A guest asked for the link to a booking."},
    Event{"booking.rescheduled", "Booking moved", "A booking moved to another date."},
    Event{"booking.abandoned_recovery", "Unfinished booking", "A visitor left before booking."},
    Event{"payment.refunded", "Payment refunded", "Money was returned."},
    Event{"payment.reminder", "Payment reminder", "The balance of a booking is due soon."},
    Event{"payment.in_review", "Payment in review", "A payment needs a person's look."},
    Event{"scheduled.payment.reminder", "Scheduled payment announced", "A planned charge is near."},
    Event{"reminder.trip", "Trip reminder", "A trip begins in some days."},
    Event{"enquiry.created", "Enquiry received", "Somebody wrote to the site."},
    Event{"enquiry.responded", "Enquiry answered", "Staff answered an enquiry."},
    Event{"marketing.review_request", "Review requested", "A customer is asked for a review."},
    Event{"consent.requested", "Consent requested", "A traveler is asked to sign a form."},
    Event{"departure.seats_low", "Few seats left", "A departure is nearly full."},
    Event{"staff.digest", "Digest for staff", "What staff were not told one by one."}};

}  // namespace

std::span<const Event> events() { return all; }

const Event* find_event(std::string_view key) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Event& event) { return event.key == key; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> trigger_types() {
    std::vector<std::string> keys;
    for (const Event& event : all)
        if (event.begins_sequences)
            keys.emplace_back(event.key);
    keys.emplace_back(before_trip);
    keys.emplace_back(after_trip);
    return keys;
}

std::vector<std::string> stop_events() {
    std::vector<std::string> keys;
    for (const Event& event : all)
        if (event.begins_sequences)
            keys.emplace_back(event.key);
    keys.emplace_back(reviewed);
    keys.emplace_back(wrote);
    return keys;
}

}  // namespace svc::pro::email_automation
