// The rules of customer records: one an address, made by the first booking, never renamed by a stranger.
#pragma once

#include "base/people/customers/customer.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::customers {

class Service {
  public:
    // The record that has or had that address, compared in lower case, made when there is none. Staff and the record's
    // own account fill in blank members and the consent to a newsletter; nothing is overwritten, and nobody else
    // changes a record that exists: whoever knows an address must not be able to change its owner's data. In the
    // transaction of the booking that supplies the contact; reports created and changed records.
    static Customer of(store::Transaction& tx, hooks::Hooks& hooks, const Contact& contact, Instant now);
    // Gives the record of a verified address to the user, if both are still unassigned.
    static void own(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t user_id, std::string_view email,
                    Instant now);
    // Whether the record that has or had that address, or the user's own, is blocked.
    static bool is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id);
    static std::optional<Customer> find(store::Session& session, std::int64_t id);
    static std::optional<Customer> find(store::Session& session, std::string_view email);
    // Whether it is the account of a customer: staff's accounts own no booking that somebody else gave them.
    static bool has_account(store::Session& session, std::int64_t user_id);
    static std::optional<std::int64_t> id_of_user(store::Session& session, std::int64_t user_id);
};

}  // namespace svc::customers
