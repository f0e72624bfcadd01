// The port of accounts to customers' records, a higher feature: customers implements it.
#pragma once

#include <string>

#include "shared/store/store.hpp"

namespace svc::identity {

struct NewAccount;

// Both inside the caller's transaction. Any thread.
class CustomerRecords {
  public:
    virtual ~CustomerRecords() = default;

    // An account was made: its contact has a record.
    virtual void add(store::Transaction& tx, const NewAccount& account) = 0;
    // The account's address is proven: its record is the account's own.
    virtual void own(store::Transaction& tx, std::int64_t user_id, const std::string& email) = 0;
};

}  // namespace svc::identity
