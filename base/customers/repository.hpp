// Customer rows.
#pragma once

#include "base/customers/customer.hpp"
#include "shared/store/store.hpp"

namespace svc::customers {

class Repository {
  public:
    static std::optional<Customer> find(store::Session& session, std::string_view email);
    static std::optional<Customer> find(store::Session& session, std::int64_t id);
    static bool is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id);
    // The record made; nothing happens when the address has one.
    static std::optional<Customer> insert(store::Transaction& tx, const Contact& contact, Instant now);
    // The record that became this user's: that of the address, if it is nobody's and the user has none.
    static std::optional<std::int64_t> own(store::Transaction& tx, std::int64_t user_id, std::string_view email,
                                           Instant now);
    static void fill_blanks(store::Transaction& tx, std::int64_t id, const Contact& contact, Instant now);
};

}  // namespace svc::customers
