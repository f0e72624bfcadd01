// Lines of progress and the signals that end long commands.
#include "shell/progress.hpp"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <unistd.h>

namespace svc::shell {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds on_terminal{100}, on_lines{5000};

volatile std::sig_atomic_t stop_asked = 0;

// For the length of one command.
class StopSignals {
  public:
    StopSignals() {
        struct sigaction once {};
        once.sa_handler = [](int) { stop_asked = 1; };
        // A line that waits for a paused terminal is written after it, and the last words too.
        once.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
        for (std::size_t i = 0; i < std::size(numbers); ++i)
            sigaction(numbers[i], &once, &before_[i]);
    }
    ~StopSignals() {
        for (std::size_t i = 0; i < std::size(numbers); ++i)
            sigaction(numbers[i], &before_[i], nullptr);
    }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

  private:
    static constexpr int numbers[] = {SIGINT, SIGTERM};
    struct sigaction before_[std::size(numbers)]{};
};

std::string time_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string rate_text(double rate) {
    if (rate >= 10)
        return std::to_string(static_cast<std::int64_t>(rate + 0.5)) + "/s";
    const auto tenths = static_cast<std::int64_t>(rate * 10 + 0.5);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "/s";
}

}  // namespace

ProgressPrinter::ProgressPrinter(std::ostream& out, bool is_terminal, Now now)
    : out_(out), is_terminal_(is_terminal), now_(std::move(now)) {}

void ProgressPrinter::at(std::string_view what, std::int64_t done, std::int64_t total) {
    const auto now = now_();
    if (what != what_) {
        end();
        what_ = what;
        first_ = done;
        began_ = shown_ = now;
    }
    done_ = done;
    total_ = total;
    is_shown_ = false;
    if (now - shown_ >= (is_terminal_ ? on_terminal : on_lines))
        show(false);
}

bool ProgressPrinter::is_stopped() const { return stop_asked != 0; }

void ProgressPrinter::end() {
    if (what_.empty())
        return;
    if (is_terminal_ || !is_shown_)
        show(true);
    what_.clear();
    width_ = 0;
    is_shown_ = true;
}

std::string ProgressPrinter::line() const {
    std::string text = what_ + " " + std::to_string(done_);
    if (total_ > 0)
        text += " of " + std::to_string(total_);
    const double passed = duration<double>(now_() - began_).count();
    if (done_ <= first_ || passed < 0.1)
        return text;
    const double rate = static_cast<double>(done_ - first_) / passed;
    text += ", " + rate_text(rate);
    if (total_ > done_)
        text += ", " + time_text(static_cast<double>(total_ - done_) / rate) + " left";
    return text;
}

void ProgressPrinter::show(bool is_last) {
    const std::string text = line();
    shown_ = now_();
    is_shown_ = true;
    if (!is_terminal_) {
        out_ << text << std::endl;
        return;
    }
    // Blanks over the rest of a longer line before it.
    out_ << '\r' << text << std::string(width_ > text.size() ? width_ - text.size() : 0, ' ');
    width_ = text.size();
    if (is_last)
        out_ << '\n';
    out_ << std::flush;
}

int with_progress(const std::function<std::vector<std::string>(Progress&)>& work) {
    stop_asked = 0;
    const StopSignals signals;
    ProgressPrinter progress(std::cerr, isatty(STDERR_FILENO) == 1);
    try {
        const std::vector<std::string> lines = work(progress);
        progress.end();  // a terminal's line of progress ends before what the command says
        for (const std::string& line : lines)
            std::cout << line << "\n";
        std::cout << std::flush;
        return 0;
    } catch (const std::exception& failure) {
        progress.end();
        if (!progress.is_stopped())
            throw;
        std::cerr << "svc: stopped: " << failure.what() << "\n";
        return stopped_exit;
    }
}

}  // namespace svc::shell
