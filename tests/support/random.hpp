// Random values for property tests: seeded, and the seed is part of every failure's report.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include <doctest/doctest.h>

namespace svc::test {

// The seed comes from SVC_TEST_SEED when set, so that a failure can be had again. Use: `Random random;
// CAPTURE(random.seed);`
struct Random {
    Random() : seed(chosen()), engine(seed) {}

    std::int64_t between(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
    }
    template <class Items>
    const auto& one_of(const Items& items) {
        return *(std::begin(items) + between(0, static_cast<std::int64_t>(std::size(items)) - 1));
    }

    std::uint64_t seed;

  private:
    static std::uint64_t chosen() {
        const char* fixed = std::getenv("SVC_TEST_SEED");
        return fixed ? std::strtoull(fixed, nullptr, 10) : std::random_device{}();
    }
    std::mt19937_64 engine;
};

}  // namespace svc::test
