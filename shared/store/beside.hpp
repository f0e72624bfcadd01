// Writes that are independent of the thread's main work, such as counts of attempts.
#pragma once

#include "shared/store/first_of_all.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::store {

// During its lifetime FirstOfAll and LastOfAll do not apply to the thread's writes.
class Beside {
    const FirstOfAll::Not not_first_;
    const LastOfAll::Not not_last_;
};

}  // namespace svc::store
