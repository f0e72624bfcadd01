// Reports the progress of long work, and lets the observer stop it.
#pragma once

#include <cstdint>
#include <string_view>

namespace svc {

// The work reports from one thread, as often as it likes; the observer decides which reports it shows.
class Progress {
  public:
    virtual ~Progress() = default;
    // `done` of `total` pieces are finished; a total of 0 is unknown. `what` names the pieces ("trips") and with them
    // the stage of the work: a new name begins another stage. Resumed work starts at the number finished earlier.
    virtual void at(std::string_view what, std::int64_t done, std::int64_t total) = 0;
    // Once true it stays true. The work then ends where it can be resumed, or undoes its changes, and throws
    // std::runtime_error with a sentence that describes the resulting state.
    [[nodiscard]] virtual bool is_stopped() const = 0;

  protected:
    Progress() = default;
    Progress(const Progress&) = default;
    Progress& operator=(const Progress&) = default;
};

// For work without an observer; any thread.
inline Progress& unwatched() {
    struct Unwatched final : Progress {
        void at(std::string_view, std::int64_t, std::int64_t) override {}
        [[nodiscard]] bool is_stopped() const override { return false; }
    };
    static Unwatched nobody;
    return nobody;
}

}  // namespace svc
