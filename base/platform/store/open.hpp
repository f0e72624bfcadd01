// Opens a database behind shared/store/store.hpp; this folder alone sees SOCI, SQLite and libpq.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::store {

struct StoreOptions {
    std::string url;                             // "sqlite:PATH" or "postgresql:CONNINFO" (keywords or //uri)
    int sessions = 4;                            // 1 to 200; on SQLite these read, one more writes
    std::chrono::milliseconds lease_time{2000};  // how long a call waits for a session before Unavailable
    bool require_durable = true;                 // refuse a database that acknowledges before it is on disk
    bool group_commit = true;                    // SQLite: several writers' work before one commit
};

// Connects once, so that a wrong address or setting is reported at the start. Throws std::runtime_error with a sentence
// for the operator. Later a lost database is Unavailable until it returns.
std::unique_ptr<Store> open(const StoreOptions& options);

// Opens one more session for reading in its own thread, for the next caller. Errors are reported to later callers,
// not here. The store outlives the thread. Throws as activity() does.
[[nodiscard]] std::jthread open_another(Store& store);

// A store's counters since it was opened. Any thread.
struct Activity {
    std::int64_t transactions = 0;    // acknowledged writes
    std::int64_t commits = 0;         // COMMITs that carried them
    std::int64_t retries = 0;         // runs repeated after a conflict
    std::int64_t connects = 0;        // sessions opened, the first ones included
    std::int64_t leases_refused = 0;  // calls that found no free session in time
};
// Throws std::logic_error for a store that open() did not make.
Activity activity(const Store& store);

// A setting that affects durability, as the database reports it now.
struct DurableSetting {
    std::string name, value;
    bool ok = false;
};
// Throws std::logic_error for a store that open() did not create, Unavailable without the database.
std::vector<DurableSetting> durability(Store& store);

// Frees the sessions' caches, for example after the start. The next statements read their pages again. Throws as
// durability() does.
void release_memory(Store& store);

}  // namespace svc::store
