// How many e-mails strangers can cause, and how many of one kind go to staff.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/messaging/outbox/email.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging::outbox {

// After that wait an e-mail would be of no use, and its link dead.
inline constexpr std::chrono::hours longest_turn{48};
std::chrono::microseconds longest_turn_of(std::string_view template_key);
inline constexpr std::int64_t most_to_staff = 20;  // of one kind in an hour

// The network, as a keyed hash, of the stranger who caused it; empty when it is not known. Nothing when it is about a
// booking that is paid, or that staff or a signed-in owner of the address made.
std::optional<std::string> stranger_behind(store::Session& session, const NewEmail& email);
// When a stranger's e-mail goes: so that in an hour at most `most` reach its mailbox, three quarters of them because of
// one network, and six times as many go out because of one network. Links are counted apart, each kind.
Instant turn_of(store::Session& session, const NewEmail& email, std::int64_t most, Instant now);
// Sends at once what waits for its turn about a booking that is no stranger's any more.
void hasten(store::Transaction& tx, std::int64_t booking_id, Instant now);

// Until when further e-mails of this kind to staff wait for the digest; nothing while the hour's have not all gone.
std::optional<Instant> staff_held_until(store::Session& session, std::string_view template_key, Instant now);
// The e-mails that wait for the digest, oldest first.
struct HeldBack {
    std::int64_t id = 0;
    std::string subject;
    Instant created_at;
};
std::vector<HeldBack> held_back(store::Session& session, int most);
// They are in a digest now.
void release_held(store::Transaction& tx, std::int64_t up_to_id);

}  // namespace svc::messaging::outbox
