// The feature of identity: sign-in, accounts and authentication of callers.
#pragma once

#include <memory>

#include "base/identity/customer_records.hpp"
#include "base/identity/gatekeeper.hpp"
#include "base/identity/human_check.hpp"
#include "base/identity/registration.hpp"
#include "base/identity/service.hpp"
#include "base/site/feature.hpp"

namespace svc::identity {

class Feature final : public svc::Feature {
  public:
    explicit Feature(const Site& site);

    void declare() override;  // makes `address_proof` and `registration`, which listen to hooks
    void add_routes() override;
    void load() override;

    // Outlives the feature. Without it accounts have no records. [start-up]
    void record_with(CustomerRecords& records) { records_ = &records; }

    Service service;
    Gatekeeper gatekeeper;
    const HumanCheck human;
    std::unique_ptr<AddressProof> address_proof;
    std::unique_ptr<Registration> registration;

  private:
    CustomerRecords* records_ = nullptr;
};

}  // namespace svc::identity
