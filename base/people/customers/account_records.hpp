// The records of customers that accounts make and own.
#pragma once

#include "base/feature/site.hpp"
#include "base/people/identity/customer_records.hpp"

namespace svc::customers {

// Any thread. The Site outlives it.
class AccountRecords final : public identity::CustomerRecords {
  public:
    explicit AccountRecords(const Site& site) : site_(site) {}

    void add(store::Transaction& tx, const identity::NewAccount& account) override;
    void own(store::Transaction& tx, std::int64_t user_id, const std::string& email) override;

  private:
    const Site& site_;
};

}  // namespace svc::customers
