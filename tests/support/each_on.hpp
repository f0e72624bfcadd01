// A test's own site, on each kind of database.
#pragma once

#include <functional>

#include <doctest/doctest.h>

#include "tests/support/databases.hpp"

namespace svc::tests {

// Runs `body` with a Site made on a fresh database of each kind, which is named by what fails.
template <class Site>
void each_on(const std::function<void(Site&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Site site(database);
        body(site);
    });
}

}  // namespace svc::tests
