// What one password hash costs: argon2id, passes over so many bytes. hash_password spends the default; tests of other
// things, which make users by the thousand, lower it before the first hash, from one thread.
#pragma once

#include <cstddef>

namespace svc::crypto {

struct PasswordCost {
    unsigned long long passes = 2;
    std::size_t memory = std::size_t{19} * 1024 * 1024;
};

void set_password_cost(PasswordCost wanted);

}  // namespace svc::crypto
