// Lines of progress: count, rate, time left; written over on a terminal, few elsewhere.
#include "shell/progress.hpp"

#include <csignal>
#include <sstream>

#include <doctest/doctest.h>

using namespace svc::shell;
using std::chrono::milliseconds;

namespace {

struct Shown {
    explicit Shown(bool is_terminal) : printer(out, is_terminal, [this] { return now; }) {}
    void pass(milliseconds time) { now += time; }
    std::ostringstream out;
    std::chrono::steady_clock::time_point now{};
    ProgressPrinter printer;
};

}  // namespace

TEST_CASE("without a terminal there is a line every five seconds and one at the end of each stage") {
    Shown shown(false);
    for (int done = 0; done <= 12'000; done += 100) {
        shown.printer.at("rows", done, 20'000);
        shown.pass(milliseconds(100));
    }
    CHECK(shown.out.str() == "rows 5000 of 20000, 1000/s, 15 s left\nrows 10000 of 20000, 1000/s, 10 s left\n");
    shown.printer.at("files", 0, 0);
    CHECK(shown.out.str().ends_with("left\nrows 12000 of 20000, 992/s, 8 s left\n"));
    shown.printer.at("files", 3, 0);
    shown.printer.end();
    shown.printer.end();
    CHECK(shown.out.str().ends_with("s left\nfiles 3\n"));
}

TEST_CASE("on a terminal one line is written over, and a stage ends it") {
    Shown shown(true);
    shown.printer.at("trips", 0, 7200);
    shown.pass(milliseconds(50));
    shown.printer.at("trips", 1, 7200);
    CHECK(shown.out.str().empty());
    shown.pass(milliseconds(950));
    shown.printer.at("trips", 2, 7200);
    CHECK(shown.out.str() == "\rtrips 2 of 7200, 2.0/s, 59 min 59 s left");
    shown.pass(milliseconds(50));
    shown.printer.at("trips", 7200, 7200);
    shown.printer.end();
    // The rest of the longer line is blank.
    CHECK(shown.out.str() == "\rtrips 2 of 7200, 2.0/s, 59 min 59 s left\rtrips 7200 of 7200, 6857/s              \n");
}

TEST_CASE("the rate counts from what an earlier run had done") {
    Shown shown(false);
    shown.printer.at("trips", 900, 1000);
    shown.pass(milliseconds(5000));
    shown.printer.at("trips", 910, 1000);
    CHECK(shown.out.str() == "trips 910 of 1000, 2.0/s, 45 s left\n");
}

TEST_CASE("a signal asks the work to stop, and its sentence leaves by the exit code 130") {
    bool was_stopped = true;
    CHECK(with_progress([&](svc::Progress& progress) {
              was_stopped = progress.is_stopped();
              std::raise(SIGINT);
              if (progress.is_stopped())
                  throw std::runtime_error("3 of 4 are done.");
              return std::vector<std::string>();
          }) == stopped_exit);
    CHECK_FALSE(was_stopped);
    // A fault of its own stays one, and the signal before it counts no longer.
    CHECK_THROWS_WITH(
        with_progress([](svc::Progress&) -> std::vector<std::string> { throw std::runtime_error("no disk"); }),
        "no disk");
}
