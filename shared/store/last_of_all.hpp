// What a thread's next durable write does last, in its own transaction.
#pragma once

#include <functional>
#include <typeinfo>
#include <utility>

#include "shared/store/at_hand.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// While one lives, the next Store::write() of this thread ends with it unless it answers an error, or the next
// transact<T>() where it wants the T: committed with that write or not at all. Only that one: what is written after it
// goes without, and so do writes Beside the matter; of relaxed ones transact<T>() alone ends with it.
// May run more than once and on another thread, as the write itself. One at a time a thread.
class LastOfAll : public AtHand<LastOfAll> {
  public:
    using Work = std::function<void(Transaction&)>;
    explicit LastOfAll(Work work)
        : LastOfAll([work = std::move(work)](Transaction& tx, const void*) { work(tx); }, typeid(void)) {}
    // `work(tx, value)` has what the transaction is about to answer.
    template <class T, class Told>
    LastOfAll(std::in_place_type_t<T>, Told work)
        : LastOfAll(
              [work = std::move(work)](Transaction& tx, const void* value) { work(tx, *static_cast<const T*>(value)); },
              typeid(T)) {}

    // `work` with what comes last; itself where nothing does.
    static std::function<Result<void>(Transaction&)> behind(std::function<Result<void>(Transaction&)> work);

  private:
    friend TellLast last_of(const std::type_info& type);
    LastOfAll(TellLast tell, const std::type_info& wants);
    void run(Transaction& tx, const void* value);

    const TellLast tell_;
    const std::type_info& wants_;
    bool done_ = false;
};

}  // namespace svc::store
