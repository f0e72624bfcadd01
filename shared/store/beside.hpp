// Writes that are beside what the thread is about, such as counts of how often something was tried.
#pragma once

#include "shared/store/first_of_all.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::store {

// While one lives, neither what comes first nor what comes last is done with the thread's writes.
class Beside {
    const FirstOfAll::Not not_first_;
    const LastOfAll::Not not_last_;
};

}  // namespace svc::store
