// The feature of identity: sign-in, accounts and authentication of callers.
#pragma once

#include <memory>

#include "base/feature/feature.hpp"
#include "base/people/identity/customer_records.hpp"
#include "base/people/identity/gatekeeper.hpp"
#include "base/people/identity/human_check.hpp"
#include "base/people/identity/registration.hpp"
#include "base/people/identity/service.hpp"

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
