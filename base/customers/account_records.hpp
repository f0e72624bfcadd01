// The records of customers that accounts make and own.
#pragma once

#include "base/identity/feature.hpp"
#include "base/site/feature.hpp"

namespace svc::customers {

class AccountRecords final : public svc::Feature, public identity::CustomerRecords {
  public:
    AccountRecords(const Site& site, identity::Feature& identity) : svc::Feature(site), identity_(identity) {}

    void connect() override { identity_.record_with(*this); }
    void declare() override;

    void add(store::Transaction& tx, const identity::NewAccount& account) override;
    void own(store::Transaction& tx, std::int64_t user_id, const std::string& email) override;

  private:
    identity::Feature& identity_;
};

}  // namespace svc::customers
