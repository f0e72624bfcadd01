// A thread that finds no memory.
#include "shell/http/memory.hpp"

#include <chrono>
#include <new>
#include <thread>

#include <doctest/doctest.h>

using namespace svc::http;
using Clock = std::chrono::steady_clock;

TEST_CASE("who may fail is told at once that there is no memory, and everybody else waits for it a second") {
    {
        const MayFail outer;
        const MayFail inner;
        CHECK_THROWS_AS(wait_for_memory(), std::bad_alloc);
    }
    for (int times = 0; times < 2; ++times) {  // a wait that ended is no part of the next one
        const auto begun = Clock::now();
        CHECK_THROWS_AS(for (;;) wait_for_memory(), std::bad_alloc);
        CHECK(Clock::now() - begun >= std::chrono::seconds{1});
        std::this_thread::sleep_for(std::chrono::milliseconds{150});
    }
    wait_for_memory();
    {
        const MayFail here;
        std::thread([] { CHECK_NOTHROW(wait_for_memory()); }).join();  // it is this thread's word alone
    }
}
