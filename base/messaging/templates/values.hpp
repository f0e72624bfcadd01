// The values of merge tags, and the language of each e-mail.
#pragma once

#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/parts.hpp"
#include "base/messaging/templates/templates.hpp"

namespace svc::messaging {

// The texts of an e-mail before its tags are filled in.
struct Wording {
    std::string subject, body;
    // Of the filter svc_transactional_email_message, in place of the settings'; null or empty members: theirs.
    json::Value addresses = {};
};

// An e-mail about one booking.
struct BookingMail {
    std::string_view template_key;
    std::int64_t booking_id = 0;
    const json::Value& booking;       // reference, customer_name, customer_email, trip_title, travel_date, …
    Variables more = {};              // in addition to those of every booking
    std::string dedupe_key;           // empty: sent even if the same was sent before
    std::string_view event_key = {};  // empty: the template's own
    bool by_hand = false;             // staff send it: setting unproven_mails_per_hour does not apply
    bool is_preview = false;          // staff read it: its links have no secrets
};

// Any thread, outside transactions.
class Values {
  public:
    explicit Values(const Parts& parts) : parts_(parts) {}

    // The booking's language, else its account's, else the site's.
    [[nodiscard]] Words words_of(const json::Value& booking) const;
    [[nodiscard]] Words words_of_site() const;
    [[nodiscard]] Words words_of_enquiry(const json::Value& enquiry) const;  // its language, else the site's
    [[nodiscard]] Words words_of_account(std::int64_t user_id) const;        // its language, else the site's

    [[nodiscard]] Variables of_site() const;
    // All values of an e-mail about a booking, after the filters.
    [[nodiscard]] Variables of_booking(const Template& which, const Wording& wording, const BookingMail& mail,
                                       const Words& words) const;
    [[nodiscard]] Variables of_payment(const json::Value& payment, const Words& words) const;
    [[nodiscard]] Variables of_reminder(const json::Value& booking, std::int64_t days) const;
    // The sentences of e-mails about accounts, sent or previewed.
    static Variables of_account(std::string_view template_key, const Words& words);
    static Variables of_receipt(std::string_view status, const Words& words);

    // A date as in JSON, formatted as the site formats dates.
    [[nodiscard]] std::string day(const std::string& date, const Words& words = {}) const;
    [[nodiscard]] Date today() const;

  private:
    [[nodiscard]] TagContext context(std::int64_t id, const json::Value& booking, const json::Value& answers,
                                     const Words& words) const;
    [[nodiscard]] std::string payment_instructions(const json::Value& booking, const Words& words) const;
    static json::Value with_money(json::Value booking, const booking::MoneyTerms& terms);
    [[nodiscard]] Variables of_travelers(const Wording& wording, const BookingMail& mail, const Words& words) const;
    [[nodiscard]] Variables filtered(Variables variables, const json::Value& booking) const;

    const Parts& parts_;
};

// Variables as a JSON object, and the texts and numbers of an object as variables.
json::Value to_json(const Variables& variables);
Variables variables_from(const json::Value& object);

}  // namespace svc::messaging
