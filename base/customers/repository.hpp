// Customer rows.
#pragma once

#include "base/customers/customer.hpp"
#include "shared/store/store.hpp"

namespace svc::customers {

class Repository {
  public:
    static std::optional<Customer> find(store::Session& session, std::string_view email);
    // The record of that address, made when there is none. Blank members are filled in, nothing is overwritten:
    // whoever knows an address must not be able to rename its owner.
    static Customer find_or_create(store::Transaction& tx, const Contact& contact, Instant now);
};

}  // namespace svc::customers
