// The status of a booking in the words of its holder.
#include "base/website/views/booked.hpp"

namespace svc::pages {

using json::Value;

bool is_some(const Value& amount) {
    return amount.is_number() && amount.number_text().find_first_of("123456789") != std::string::npos;
}

StatusWords status_words_of(const Value& booking, const Format& words) {
    std::string status = booking.text_or("status");
    if (status == "cancelled" && booking.text_or("cancelled_via") == "expiry")
        status = "expired";
    else if (status == "pending" && booking.maybe_boolean("waitlist_offer").value_or(false))
        status = "offered";
    const std::string word = status == "pending"                ? words.say_text("Received")
                             : status == "pending_verification" ? words.say_text("Waiting for your confirmation")
                             : status == "offered"              ? words.say_text("Offered to you")
                             : status == "confirmed"            ? words.say_text("Confirmed")
                             : status == "processing"           ? words.say_text("Being processed")
                             : status == "on-hold"              ? words.say_text("On hold")
                             : status == "completed"            ? words.say_text("Completed")
                             : status == "cancelled"            ? words.say_text("Cancelled")
                             : status == "refunded"             ? words.say_text("Refunded")
                             : status == "failed"               ? words.say_text("Failed")
                             : status == "waitlist"             ? words.say_text("Waitlist")
                             : status == "expired"              ? words.say_text("Expired")
                                                                : status;
    const bool is_good = status == "confirmed" || status == "completed",
               is_over = status == "cancelled" || status == "refunded" || status == "expired";
    return {.status = status,
            .word = word,
            .mark = is_good               ? "svc-good"
                    : is_over             ? "svc-still"
                    : status == "pending" ? "svc-calm"
                                          : "svc-warn"};
}

}  // namespace svc::pages
