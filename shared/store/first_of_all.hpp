// Work that precedes every durable write of a thread, in its transaction.
#pragma once

#include <functional>
#include <utility>

#include "shared/store/at_hand.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// While one lives, each Store::write() of this thread begins with it: committed with that write or not at all. Relaxed
// writes, which may be done again without harm, go without, and so do those Beside the matter. One at a time a thread.
class FirstOfAll : public AtHand<FirstOfAll> {
  public:
    using Work = std::function<void(Transaction&)>;
    explicit FirstOfAll(Work work) : work_(std::move(work)) {}

    // `work` preceded by it; `work` itself when there is none.
    static std::function<Result<void>(Transaction&)> before(const std::function<Result<void>(Transaction&)>& work);

  private:
    const Work work_;
};

}  // namespace svc::store
