// Reports the progress of long work, and lets the observer stop it.
#pragma once

#include <cstdint>
#include <string_view>

namespace svc {

// The work calls it from one thread, as often as it likes: what is shown is up to who watches.
class Progress {
  public:
    virtual ~Progress() = default;
    // So many of `total` pieces are done; 0: nobody knows how many there are. `what` names them ("trips") and is one
    // stage of the work: a new name begins another. Work that goes on where it stopped begins at what it found done.
    virtual void at(std::string_view what, std::int64_t done, std::int64_t total) = 0;
    // Once true it stays so. The work then ends where it can go on another time, or removes what it began, and throws
    // std::runtime_error with a sentence about what is there now.
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
