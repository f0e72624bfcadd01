// Marks the writes of long work, so that other writers go first.
#pragma once

#include "shared/store/one_per_thread.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// During its lifetime the writes of this thread belong to long work, such as an import. On SQLite, which has one
// writer, each has its own transaction, which begins when no other writer waits or after 200 ms. So other writers wait
// for the running transaction at most, which ends early when others_wait() is true. No effect on PostgreSQL.
class Behind : public OnePerThread<Behind> {
  public:
    Behind() = default;
    static bool is_here() noexcept { return current() != nullptr; }
};

// A transaction that knows the other writers of the process that wait for its end.
class Awaited {
  public:
    [[nodiscard]] virtual int waiting() const = 0;  // their number, without those of long work

  protected:
    ~Awaited() = default;
};

// Whether a writer other than long work waits for this transaction to end. Always false on a database whose writers do
// not wait for one another.
inline bool others_wait(const Transaction& tx) {
    const auto* awaited = dynamic_cast<const Awaited*>(&tx);
    return awaited && awaited->waiting() > 0;
}

}  // namespace svc::store
