// Long work that lets everybody else's writes go first.
#pragma once

#include "shared/store/at_hand.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// During its lifetime the writes of this thread are of long work, such as an import. On SQLite, which has one writer,
// each has a transaction of its own, which begins once nobody else waits or after it has waited for 200 ms: nobody
// waits for more than the one that runs, and that one ends early when others_wait() says so. PostgreSQL needs none of
// it.
class Behind : public AtHand<Behind> {
  public:
    Behind() = default;
    static bool is_here() noexcept { return here() != nullptr; }
};

// A transaction that other writers of the process wait for.
class Awaited {
  public:
    [[nodiscard]] virtual int waiting() const = 0;  // how many of them that are not of long work

  protected:
    ~Awaited() = default;
};

// True: another writer that is not of long work cannot begin before this transaction ends. Always false where writers
// do not wait for one another.
inline bool others_wait(const Transaction& tx) {
    const auto* awaited = dynamic_cast<const Awaited*>(&tx);
    return awaited && awaited->waiting() > 0;
}

}  // namespace svc::store
