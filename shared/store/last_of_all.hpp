// Work at the end of a thread's next durable write, in its transaction.
#pragma once

#include <functional>
#include <typeinfo>
#include <utility>

#include "shared/store/one_per_thread.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// During its lifetime the next Store::write() of this thread ends with it unless it returns an error, or the next
// transact<T>() if it takes the T: committed with that write or not at all. Only that one; not later writes, nor writes
// under Beside; of relaxed ones only transact<T>(). May run more than once and on another thread, like the write
// itself. One at a time per thread.
class LastOfAll : public OnePerThread<LastOfAll> {
  public:
    using Work = std::function<void(Transaction&)>;
    explicit LastOfAll(Work work)
        : LastOfAll([work = std::move(work)](Transaction& tx, const void*) { work(tx); }, typeid(void)) {}
    // `work(tx, value)` receives the transaction's result.
    template <class T, class TypedWork>
    LastOfAll(std::in_place_type_t<T>, TypedWork work)
        : LastOfAll(
              [work = std::move(work)](Transaction& tx, const void* value) { work(tx, *static_cast<const T*>(value)); },
              typeid(T)) {}

    // `work` with the current one after it; `work` itself without a current one.
    static std::function<Result<void>(Transaction&)> behind(std::function<Result<void>(Transaction&)> work);

  private:
    friend LastWork last_of(const std::type_info& type);
    LastOfAll(LastWork work, const std::type_info& wants);
    void run(Transaction& tx, const void* value);

    const LastWork work_;
    const std::type_info& wants_;
    bool done_ = false;
};

}  // namespace svc::store
