// The parts of messaging in the order in which they use one another.
#pragma once

#include "base/messaging/mails/mailer.hpp"
#include "base/messaging/mails/resend.hpp"
#include "base/messaging/templates/previews.hpp"

namespace svc::messaging {

struct Service {
    // Everything that `own` refers to, and `keyring`, outlive it. `wake`: see Mailer; `mail_folders`: see
    // make_mail_files.
    Service(Parts own, const crypto::Keyring& keyring, std::function<void()> wake,
            std::vector<std::filesystem::path> mail_folders = {})
        : parts(std::move(own)),
          values(parts),
          composer(parts, std::move(mail_folders)),
          mailer(parts, values, composer, keyring, std::move(wake)),
          previews(parts, values, composer),
          resends(parts, values, composer, mailer) {}
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    const Parts parts;
    const Values values;
    const Composer composer;
    Mailer mailer;
    const Previews previews;
    Resends resends;
};

}  // namespace svc::messaging
