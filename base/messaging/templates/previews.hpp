// E-mails shown before they are sent.
#pragma once

#include "base/messaging/templates/composer.hpp"
#include "base/platform/outbound/mail.hpp"

namespace svc::messaging {

// An e-mail as it would be sent now.
struct Draft {
    const Template* which;
    std::optional<std::string> subject = {}, body = {};     // in place of the operator's or the built-in text
    std::optional<json::Value> booking = {}, payment = {};  // the booking and its latest completed payment
    json::Value trip = {};    // without a booking: the trip of the samples, as Bookings::trip returns it
    std::string locale = {};  // empty: the booking's, else the site's
};
struct Preview {
    std::string subject, html, text, locale;
};

// Any thread, outside transactions.
class Previews {
  public:
    Previews(const Parts& parts, const Values& values, const Composer& composer)
        : parts_(parts), values_(values), composer_(composer) {}

    // Renders what would be sent, with samples for tags without a value; links with tokens are always
    // samples. Errors name subject or body: it is no valid template, or has a tag that the e-mail lacks.
    [[nodiscard]] Result<Preview> preview(const Draft& draft) const;
    // The e-mail with that content, to one recipient.
    [[nodiscard]] outbound::Mail mail_of(const Template& which, const Preview& preview, const std::string& to) const;
    // The e-mail that shows that the mail server works.
    [[nodiscard]] outbound::Mail test_mail(const std::string& to) const;

  private:
    [[nodiscard]] Variables of_event(const Template& which, const json::Value& booking,
                                     const std::optional<json::Value>& payment, const Words& words) const;
    [[nodiscard]] Variables samples(const Template& which, const Words& words) const;

    const Parts& parts_;
    const Values& values_;
    const Composer& composer_;
};

}  // namespace svc::messaging
