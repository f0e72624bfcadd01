// What every durable write of a thread does first, in its own transaction.
#pragma once

#include <functional>

#include "shared/store/last_of_all.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// While one lives, each Store::write() of this thread begins with it: committed with that write or not at all. Relaxed
// writes, which may be done again without harm, go without. One at a time a thread.
class FirstOfAll {
  public:
    using Work = std::function<void(Transaction&)>;
    explicit FirstOfAll(Work work);
    ~FirstOfAll();
    FirstOfAll(const FirstOfAll&) = delete;
    FirstOfAll& operator=(const FirstOfAll&) = delete;

    // For writes that are beside what the thread is about, such as counts of how often something was tried: neither
    // what comes first nor what comes last (LastOfAll) is done with them.
    class Not {
      public:
        Not() noexcept;
        ~Not();
        Not(const Not&) = delete;
        Not& operator=(const Not&) = delete;

      private:
        FirstOfAll* const kept_;
        const LastOfAll::Not nor_last_;
    };

    // `work` with what comes first; itself where nothing does.
    static std::function<Result<void>(Transaction&)> before(const std::function<Result<void>(Transaction&)>& work);

  private:
    const Work work_;
};

}  // namespace svc::store
