// The certificate by which this program proves itself to the servers that a thread asks.
#pragma once

#include <string>

#include "shared/store/one_per_thread.hpp"

namespace svc::outbound {

// During its lifetime outbound::fetch() of this thread sends this certificate and signs with its key; both are PEM. A
// pair that cannot be used fails the request. One at a time per thread.
class ClientCertificate : public store::OnePerThread<ClientCertificate> {
  public:
    ClientCertificate(std::string chain, std::string key) : chain(std::move(chain)), key(std::move(key)) {}
    using store::OnePerThread<ClientCertificate>::current;  // null: none

    const std::string chain, key;
};

}  // namespace svc::outbound
