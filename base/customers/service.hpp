// The rules of customer records: one an address, made by the first booking, never renamed by a stranger.
#pragma once

#include "base/customers/customer.hpp"
#include "shared/store/store.hpp"

namespace svc::customers {

class Service {
  public:
    // The record of that address, compared in lower case, made when there is none. Blank members are filled in,
    // nothing is overwritten: whoever knows an address must not be able to rename its owner. In the transaction of
    // the booking that brings the contact.
    static Customer of(store::Transaction& tx, const Contact& contact, Instant now);
    static std::optional<Customer> find(store::Session& session, std::int64_t id);
};

}  // namespace svc::customers
