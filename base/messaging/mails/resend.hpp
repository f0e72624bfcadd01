// Sends an e-mail about a booking again, by hand.
#pragma once

#include "base/messaging/mails/mailer.hpp"

namespace svc::messaging {

const std::vector<std::string>& resendable();  // the types

// The outcome.
struct Resent {
    bool sent = false;
    std::string template_key, recipient;
    Sentence reason = {};  // why it is not sent
};
struct Resend {
    BookingMail mail;  // refers to the booking it was prepared for
    bool to_staff = false;
    Resent queued;  // the outcome if no extension rejects it
};

// Any thread, outside transactions.
class Resends {
  public:
    Resends(const Parts& parts, const Values& values, const Composer& composer, Mailer& mailer)
        : parts_(parts), values_(values), composer_(composer), mailer_(mailer) {}

    // `payment`: the latest completed one, for the types about payments. Errors name `type`.
    Result<Resend> prepare(const std::string& type, const json::Value& booking,
                           const std::optional<json::Value>& payment) const;
    Resent send(const Resend& prepared);

  private:
    [[nodiscard]] Sentence reason_not_sent(const Template& which, bool to_staff, const std::string& recipient) const;

    const Parts& parts_;
    const Values& values_;
    const Composer& composer_;
    Mailer& mailer_;
};

}  // namespace svc::messaging
