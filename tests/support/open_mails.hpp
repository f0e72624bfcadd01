// The texts of e-mails laid open in their rows, for tests that look at them there.
#pragma once

#include "base/messaging/outbox/bodies.hpp"
#include "shared/store/store.hpp"

namespace svc::tests {

// Sealed texts stay sealed, and are sent.
inline void open_mails(store::Store& store, const crypto::Keyring& keyring) {
    if (!store.write([&](store::Transaction& tx) -> Result<void> {
            for (auto& email : tx.all<messaging::LeasedEmail>(
                     "SELECT id, template_key, to_email, body_sealed, created_at FROM svc_email_outbox"
                     " WHERE body_sealed IS NOT NULL AND body_html IS NULL",
                     "ittti", {}, [](const store::Row& row) {
                         messaging::LeasedEmail email;
                         email.id = row.integer(0);
                         email.template_key = row.text(1);
                         email.to = row.text(2);
                         email.body_sealed = row.text(3);
                         email.created_at = row.instant(4);
                         return email;
                     })) {
                if (const auto opened = messaging::open_body(keyring, email); !opened)
                    return opened;
                tx.run("UPDATE svc_email_outbox SET body_html = :html, body_text = :text WHERE id = :id",
                       {{"html", email.body_html}, {"text", email.body_text}, {"id", email.id}});
            }
            return {};
        }))
        throw std::runtime_error("an e-mail did not open");
}

}  // namespace svc::tests
