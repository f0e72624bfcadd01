// The actors of a schedule: each does a few things, drawn from its own share of the seed.
#pragma once

#include <functional>

#include "tests/schedules/baton.hpp"
#include "tests/schedules/world.hpp"

namespace svc::tests {

struct Stage {
    World& world;
    Baton& baton;
    Promised promised = {};
    std::vector<std::string> wrong = {};  // what was thrown that nobody throws
};

// From four to seven of them, at least two of whom buy. The stage outlives their run.
std::vector<std::function<void()>> actors_of(Stage& stage, std::uint64_t seed);

// Writes a count of seats back as it was read before: right as long as no other actor runs in between.
std::function<void()> careless(Stage& stage);

}  // namespace svc::tests
