// The cost of one password hash: passes of argon2id over that many bytes. hash_password uses the default; tests that
// make thousands of users lower it before the first hash, from one thread.
#pragma once

#include <cstddef>

namespace svc::crypto {

struct PasswordCost {
    unsigned long long passes = 2;
    std::size_t memory = std::size_t{19} * 1024 * 1024;
};

void set_password_cost(PasswordCost value);

}  // namespace svc::crypto
