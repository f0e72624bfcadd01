// How long a lane thinks that the next request would wait.
#include "shell/http/pace.hpp"

#include <doctest/doctest.h>

namespace svc::http::test {
namespace {

using std::chrono::milliseconds;

// A lane whose workers get through a request each so many milliseconds.
struct Lane {
    Pace pace{milliseconds{2000}};
    Pace::Clock::time_point now = Pace::Clock::time_point(std::chrono::hours(1));

    void work(int finishes, int each) {
        pace.waits(now);
        for (int i = 0; i < finishes; ++i) {
            now += milliseconds(each);
            pace.free_worker(now, 1);
        }
    }
    [[nodiscard]] bool refuses(std::size_t waiting) const { return pace.is_too_long(waiting, now, now); }
};

}  // namespace

TEST_CASE("five hundred that take a millisecond each do not wait too long, five hundred of ten do") {
    Lane quick, slow;
    quick.work(1000, 1);
    slow.work(100, 10);
    CHECK_FALSE(quick.refuses(500));
    CHECK(quick.refuses(2500));
    CHECK_FALSE(slow.refuses(150));
    CHECK(slow.refuses(500));
}

TEST_CASE("a burst after a rest is not judged by one slow start") {
    Lane lane;
    lane.work(1, 100);
    CHECK_FALSE(lane.refuses(500));
    lane.work(4, 100);
    CHECK(lane.refuses(500));
}

TEST_CASE("what was slow some seconds ago does not count any more") {
    Lane lane;
    lane.work(50, 100);
    CHECK(lane.refuses(100));
    lane.pace.free_worker(lane.now, 0);
    lane.now += std::chrono::seconds{20};
    lane.work(20, 1);
    CHECK_FALSE(lane.refuses(100));
}

TEST_CASE("a lane that has come to a stop refuses as soon as the first has waited too long") {
    Lane lane;
    const auto first = lane.now;
    lane.pace.waits(lane.now);
    CHECK_FALSE(lane.pace.is_too_long(10, first, first + milliseconds{1900}));
    CHECK(lane.pace.is_too_long(10, first, first + milliseconds{2100}));
    CHECK_FALSE(lane.pace.is_too_long(0, first, first + milliseconds{2100}));
}

}  // namespace svc::http::test
