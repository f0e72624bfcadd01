// The rules of the licence: requests to the server, stored terms, and unchanged service during its outage.
#pragma once

#include <functional>
#include <string>

#include "pro/license/repository.hpp"
#include "pro/license/server.hpp"
#include "shared/core/result.hpp"

namespace svc::pro::license {

// Any thread.
class Service {
  public:
    // Keeps the answer for a repeat of the request, in the transaction that stores the licence.

    Service(store::Store& store, hooks::Hooks& hooks, Repository repository, Server server)
        : store_(store), hooks_(hooks), repository_(repository), server_(server) {}

    [[nodiscard]] License current();  // an inactive one without a key when none is stored
    // invalid_license, activation_limit, svc_upstream_error: the stored licence stays.
    Result<License> activate(const std::string& key, Instant now);
    Result<License> deactivate(Instant now);
    Result<License> check(Instant now);
    // Stores the key without asking; the licence is inactive until it is activated.
    Result<License> save(const std::string& key, Instant now);

  private:
    Result<License> call_server(std::string_view action, License license, Instant now);
    Result<License> store(License license, Instant now);

    store::Store& store_;
    hooks::Hooks& hooks_;
    Repository repository_;
    Server server_;
};

}  // namespace svc::pro::license
