// A test's changes to an installation before it starts: listeners register then or never.
#pragma once

#include <functional>

#include "base/app/assembly.hpp"

namespace svc::tests {

// Counts for every TestBase that is made while it lives; one at a time, from the test's thread.
class BeforeStart {
  public:
    explicit BeforeStart(std::function<void(app::Assembly&)> work);
    ~BeforeStart();
    BeforeStart(const BeforeStart&) = delete;
    BeforeStart& operator=(const BeforeStart&) = delete;
};

// The same for the options that it is made with.
class WithOptions {
  public:
    explicit WithOptions(std::function<void(BaseOptions&)> change);
    ~WithOptions();
    WithOptions(const WithOptions&) = delete;
    WithOptions& operator=(const WithOptions&) = delete;
};

}  // namespace svc::tests
