// The metrics' text and counting.
#include "base/platform/metrics/metrics.hpp"

#include <thread>

#include <doctest/doctest.h>

using namespace svc::metrics;

TEST_CASE("metrics are written in exposition format 0.0.4, families and series in order") {
    Registry registry;
    registry.counter("svc_b_total", "Bs.", {{"route", "/trips/{id}"}, {"status", "200"}}).add(3);
    registry.counter("svc_b_total", "Bs.", {{"route", "/trips"}, {"status", "200"}}).add();
    registry.gauge("svc_a", "As.").set(1.5);
    auto& seconds = registry.histogram("svc_c_seconds", "Cs.", {}, {0.1, 1});
    for (const double value : {0.05, 0.1, 0.5, 7.0})
        seconds.observe(value);
    registry.ask("svc_d", "Ds.", [] { return std::optional(4.0); });
    registry.ask("svc_e", "Es.", []() -> std::optional<double> { return std::nullopt; });
    registry.ask("svc_f", "Fs.", []() -> std::optional<double> { throw std::runtime_error("gone"); });
    CHECK(registry.text() ==
          "# HELP svc_a As.\n# TYPE svc_a gauge\nsvc_a 1.5\n"
          "# HELP svc_b_total Bs.\n# TYPE svc_b_total counter\n"
          "svc_b_total{route=\"/trips\",status=\"200\"} 1\n"
          "svc_b_total{route=\"/trips/{id}\",status=\"200\"} 3\n"
          "# HELP svc_c_seconds Cs.\n# TYPE svc_c_seconds histogram\n"
          "svc_c_seconds_count 4\nsvc_c_seconds_sum 7.65\n"
          "svc_c_seconds_bucket{le=\"0.1\"} 2\nsvc_c_seconds_bucket{le=\"1\"} 3\n"
          "svc_c_seconds_bucket{le=\"+Inf\"} 4\n"
          "# HELP svc_d Ds.\n# TYPE svc_d gauge\nsvc_d 4\n");
}

TEST_CASE("a label's value cannot end its line") {
    Registry registry;
    registry.counter("svc_x_total", "Xs.", {{"name", "a\"b\\c\nd"}}).add();
    CHECK(registry.text().find("svc_x_total{name=\"a\\\"b\\\\c\\nd\"} 1\n") != std::string::npos);
}

TEST_CASE("the same name and labels are the same metric, another kind is a mistake") {
    Registry registry;
    auto& first = registry.counter("svc_x_total", "Xs.", {{"a", "1"}});
    CHECK(&registry.counter("svc_x_total", "Xs.", {{"a", "1"}}) == &first);
    CHECK(&registry.counter("svc_x_total", "Xs.", {{"a", "2"}}) != &first);
    CHECK_THROWS_AS(registry.gauge("svc_x_total", "Xs."), std::logic_error);
    CHECK_THROWS_AS(registry.counter("svc x", "Xs."), std::logic_error);
    CHECK_THROWS_AS(registry.counter("svc_y_total", "Ys.", {{"bad-name", "1"}}), std::logic_error);
    auto& one = registry.histogram("svc_h", "Hs.", {{"a", "1"}}, {1, 2});
    CHECK(registry.histogram("svc_h", "Hs.", {{"a", "2"}}, {5}).bounds() == one.bounds());
}

TEST_CASE("no count is lost between threads") {
    Registry registry;
    auto& counter = registry.counter("svc_x_total", "Xs.");
    auto& seconds = registry.histogram("svc_s", "Ss.");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 10'000; ++k) {
                counter.add();
                seconds.observe(1);
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(counter.value() == 40'000);
    CHECK(seconds.sum() == 40'000);
}
