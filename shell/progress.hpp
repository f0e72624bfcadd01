// Shows how far a long command is, and stops it cleanly on Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "shared/core/progress.hpp"

namespace svc::shell {

// Writes count, rate and time left: on a terminal one line that is written over, elsewhere a line every five seconds
// and one at the end of each stage. One thread.
class ProgressPrinter final : public Progress {
  public:
    using Now = std::function<std::chrono::steady_clock::time_point()>;
    ProgressPrinter(std::ostream& out, bool is_terminal, Now now = std::chrono::steady_clock::now);
    ~ProgressPrinter() override { end(); }
    ProgressPrinter(const ProgressPrinter&) = delete;
    ProgressPrinter& operator=(const ProgressPrinter&) = delete;

    void at(std::string_view what, std::int64_t done, std::int64_t total) override;
    [[nodiscard]] bool is_stopped() const override;
    // The last stage is over: its last count is shown and the terminal's line ends.
    void end();

  private:
    void show(bool is_last);
    [[nodiscard]] std::string line() const;

    std::ostream& out_;
    const bool is_terminal_;
    const Now now_;
    std::string what_;
    std::int64_t first_ = 0, done_ = 0, total_ = 0;
    std::chrono::steady_clock::time_point began_, shown_;
    bool is_shown_ = true;  // nothing came since the last line
    std::size_t width_ = 0;
};

inline constexpr int stopped_exit = 130;  // as shells report Ctrl-C

// Runs work that shows its progress on standard error, then prints the lines that it returns. The first SIGINT or
// SIGTERM asks it to stop, the next one ends the process. Returns 0, or `stopped_exit` when the work threw after such a
// signal, with its sentence.
int with_progress(const std::function<std::vector<std::string>(Progress&)>& work);

}  // namespace svc::shell
