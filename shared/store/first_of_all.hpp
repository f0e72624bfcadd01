// Work that precedes every durable write of a thread, in its transaction.
#pragma once

#include <functional>
#include <utility>

#include "shared/store/one_per_thread.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// During its lifetime each Store::write() of this thread runs it first, in the same transaction. Relaxed writes, which
// can be repeated without harm, and writes under Beside skip it. One at a time per thread.
class FirstOfAll : public OnePerThread<FirstOfAll> {
  public:
    using Work = std::function<void(Transaction&)>;
    explicit FirstOfAll(Work work) : work_(std::move(work)) {}

    // `work` with the current one before it; `work` itself without a current one.
    static std::function<Result<void>(Transaction&)> before(const std::function<Result<void>(Transaction&)>& work);

  private:
    const Work work_;
};

}  // namespace svc::store
