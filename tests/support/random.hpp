// Random values for property tests: seeded, and the seed is part of every failure's report.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include <doctest/doctest.h>

namespace svc::test {

// SVC_TEST_SEED, or SVC_PROOF_SEED as tests/prove/prove.py gives it; without them another each time.
inline std::uint64_t proof_seed() {
    for (const char* name : {"SVC_TEST_SEED", "SVC_PROOF_SEED"})
        if (const char* fixed = std::getenv(name))
            return std::strtoull(fixed, nullptr, 10);
    return std::random_device{}();
}

// Its seed can be given, so that a failure can be had again. Use: `Random random;
// CAPTURE(random.seed);`
struct Random {
    Random() : Random(proof_seed()) {}
    explicit Random(std::uint64_t given) : seed(given), engine(seed) {}

    std::int64_t between(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
    }
    template <class Items>
    const auto& one_of(const Items& items) {
        return *(std::begin(items) + between(0, static_cast<std::int64_t>(std::size(items)) - 1));
    }

    std::uint64_t seed;

  private:
    std::mt19937_64 engine;
};

}  // namespace svc::test
