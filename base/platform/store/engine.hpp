// The functions of both databases' stores beyond shared/store/store.hpp, for this folder only.
#pragma once

#include <atomic>

#include "base/platform/store/open.hpp"
#include "base/platform/store/transaction.hpp"
#include "shared/store/snapshot.hpp"

namespace svc::store {

class Engine : public Store, public OneState {
  public:
    void in_one_state(const std::function<void()>& work) override;
    [[nodiscard]] virtual Activity activity() const = 0;
    virtual std::vector<DurableSetting> durability() = 0;
    virtual void open_another() = 0;
    virtual void release_memory() {}

  protected:
    // The session that all reads of this thread are of; null: each read leases its own.
    [[nodiscard]] Session* held() const;
};

struct Counters {
    std::atomic<std::int64_t> transactions = 0, commits = 0, retries = 0;
};

// The rest of a url behind "sqlite:" or "postgresql:".
std::string sqlite_path(const StoreOptions& options);
std::string postgres_conninfo(const StoreOptions& options);
Dialect dialect_of(const StoreOptions& options);  // throws std::runtime_error with a sentence

// Waits a little, longer and more randomly with each try.
void back_off(int tries);
inline constexpr int most_tries = 8;

std::unique_ptr<Engine> open_sqlite(const StoreOptions& options);
std::unique_ptr<Engine> open_postgres(const StoreOptions& options);

}  // namespace svc::store
