// Queues e-mails about bookings, accounts and enquiries.
#pragma once

#include <map>
#include <mutex>

#include "base/messaging/templates/composer.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging {

// Any thread, outside transactions. The functions that queue return whether the e-mail will be sent: it is suppressed
// when a switch is off, and not queued when the recipient has no valid address, a filter rejects it or its dedupe key
// is known.
class Mailer {
  public:
    // `wake` is called after each commit that queued an e-mail while a mail server is set.
    Mailer(const Parts& parts, const Values& values, const Composer& composer, const crypto::Keyring& keyring,
           std::function<void()> wake)
        : parts_(parts), values_(values), composer_(composer), keyring_(keyring), wake_(std::move(wake)) {}

    bool notify_customer(const BookingMail& mail);
    // To the addresses of setting admin_email, in the site's language.
    bool notify_staff(const BookingMail& mail);
    bool notify_staff(std::string_view template_key, Wording wording, Variables variables,
                      const std::string& dedupe_key, std::string_view event_key = {});  // empty: the template's own
    // Any e-mail; `email` has its recipient, language and what else is particular to it. `is_bounded`: an anonymous
    // request can cause it, so setting unproven_mails_per_hour applies.
    bool send(const Template& which, NewEmail email, const Content& content, bool is_bounded = false);

    // Whether the operator has switched this e-mail off.
    [[nodiscard]] bool is_off(const Template& which) const;
    // Inside an action's listener: a key that is new with each event.
    [[nodiscard]] std::string dedupe_key(std::string_view template_key, std::int64_t id) const;

  private:
    void queue(NewEmail email, std::vector<NewEmail> copies, bool is_bounded);
    // Whether e-mails of this kind wait for the digest, as far as this process knows: what was sent in the hour only
    // grows, so the answer "yes" holds until then without another look at the outbox.
    [[nodiscard]] bool is_held_back(const Template& which) const;
    bool hold_back(store::Session& session, const std::string& template_key, Instant now);
    [[nodiscard]] bool is_rejected(const Template& which, const std::string& to, const Variables& variables) const;

    const Parts& parts_;
    const Values& values_;
    const Composer& composer_;
    const crypto::Keyring& keyring_;
    const std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::map<std::string, Instant, std::less<>> held_until_;  // by template_key
};

}  // namespace svc::messaging
