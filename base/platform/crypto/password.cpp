// Password hashing: argon2id by libsodium, a bounded number at a time.
#include <semaphore>

#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/crypto/password_cost.hpp"
#include "shared/core/compatible.hpp"

namespace svc::crypto {
namespace {

PasswordCost& cost() {
    static PasswordCost spent;
    return spent;
}

// Why two: each takes 19 MiB and a core for some 20 ms, so a burst of sign-ins would take the machine (S1).
class Slot {
  public:
    Slot() {
        static const int ready = sodium_init();  // below 0 for a failure, which leaves the plain implementation
        static_cast<void>(ready);
        slots().acquire();
    }
    ~Slot() { slots().release(); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

  private:
    static std::counting_semaphore<2>& slots() {
        static std::counting_semaphore<2> two{2};
        return two;
    }
};

}  // namespace

void set_password_cost(PasswordCost value) { cost() = value; }

std::string hash_password(std::string_view password) {
    const std::string typed = text::compatible(password);
    const Slot slot;
    std::array<char, crypto_pwhash_STRBYTES> hash{};
    if (crypto_pwhash_str(hash.data(), typed.data(), typed.size(), cost().passes, cost().memory) != 0)
        throw std::bad_alloc();
    return hash.data();
}

PasswordCheck check_password(std::string_view password, std::string_view hash) {
    const std::string text(hash), typed = text::compatible(password);
    const Slot slot;
    const auto matches = [&](std::string_view one) {
        return crypto_pwhash_str_verify(text.c_str(), one.data(), one.size()) == 0;
    };
    if (matches(typed))
        return {.matches = true,
                .needs_rehash = crypto_pwhash_str_needs_rehash(text.c_str(), cost().passes, cost().memory) != 0};
    // Earlier releases hashed the bytes as they were typed.
    return typed != password && matches(password) ? PasswordCheck{.matches = true, .needs_rehash = true}
                                                  : PasswordCheck{};
}

void waste_password_check(std::string_view password) {
    const std::string typed = text::compatible(password);
    const Slot slot;
    static constexpr std::array<unsigned char, crypto_pwhash_SALTBYTES> salt{};
    // As often as a wrong password is compared.
    for (int times = typed == password ? 1 : 2; times > 0; --times) {
        std::array<unsigned char, 32> digest{};
        if (crypto_pwhash(digest.data(), digest.size(), typed.data(), typed.size(), salt.data(), cost().passes,
                          cost().memory, crypto_pwhash_ALG_ARGON2ID13) != 0)
            throw std::bad_alloc();
    }
}

}  // namespace svc::crypto
