// The wait, counted by thread.
#include "shell/http/memory.hpp"

#include <chrono>
#include <ctime>
#include <new>

namespace svc::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds longest_wait{1000};
constexpr std::chrono::milliseconds apart{100};  // failures further from each other are two waits

thread_local int may_fail = 0;
thread_local Clock::time_point began, last;

}  // namespace

MayFail::MayFail() noexcept { ++may_fail; }
MayFail::~MayFail() { --may_fail; }

void wait_for_memory() {
    if (may_fail > 0)
        throw std::bad_alloc();
    const auto now = Clock::now();
    if (now - last > apart)
        began = now;
    last = now;
    if (now - began > longest_wait)
        throw std::bad_alloc();
    const timespec moment{0, 1'000'000};
    nanosleep(&moment, nullptr);
}

}  // namespace svc::http
