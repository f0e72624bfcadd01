// The rows of svc_email_outbox.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/messaging/outbox/email.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/mails/offered.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging::outbox {

// `body` as by sealed_body(). False when its dedupe key is there already. Sent after the commit, once the sender is
// woken or at its next turn; not before `turn`.
bool queue(store::Transaction& tx, const NewEmail& email, const std::string& body, Instant now,
           std::optional<Instant> turn = {});

// Leases the e-mail that is due first, whose booking has no older one open, or one that a dead process was sending.
// Leases are in the database's time.
std::optional<LeasedEmail> claim(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease,
                                 Instant now);
// Each: nothing happens when the lease is another's by now.
void sent(store::Transaction& tx, std::int64_t id, const std::string& process, Instant now);
void again(store::Transaction& tx, std::int64_t id, const std::string& process, Instant next, const std::string& error,
           Instant now);
void failed(store::Transaction& tx, std::int64_t id, const std::string& process, const std::string& error, Instant now);
// E-mails whose last try ended with the process that made it.
std::int64_t bury_lost(store::Transaction& tx, Instant now);

std::vector<FailedEmail> dead_letters(store::Session& session, int most);
// The latest of those about a booking, tests apart.
std::vector<MailOfBooking> of_booking(store::Session& session, std::int64_t booking_id, int most);
// Queues a dead letter again, with all its tries; false if the id does not exist.
bool revive(store::Transaction& tx, std::int64_t id, Instant now);

// Seals the texts of e-mails after `last` again, and those that are unsealed from before; it moves on. How many were.
std::int64_t renew_bodies(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t& last);

// The latest with that template, tests apart. An empty dedupe_key: any.
std::vector<mails::LoggedMail> of_template(store::Session& session, const std::string& template_key,
                                           const mails::LogQuery& query);

struct Waiting {
    std::int64_t open = 0;             // queued or being sent
    std::optional<Instant> due_since;  // of the one that could have gone for longest
};
Waiting waiting(store::Session& session, Instant now);

// Deletes bodies after 90 days and rows after 365, by the initial settings.
std::int64_t purge_bodies(store::Transaction& tx, Instant now, int most);
std::int64_t purge(store::Transaction& tx, Instant now, int most);
// The same of mails from before that moment.
std::int64_t purge_bodies_before(store::Transaction& tx, Instant before, int most);
std::int64_t purge_before(store::Transaction& tx, Instant before, int most);

}  // namespace svc::messaging::outbox
