// Puts a backup in the place of an installation's database.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/platform/store/open.hpp"
#include "shared/core/progress.hpp"

namespace svc::store {

struct RestoreWish {
    // Replaces a database that holds users, trips, customers or bookings. Keeps the file of an SQLite database next to
    // it; keeps nothing of a PostgreSQL database.
    bool replaces = false;
    std::vector<std::string> known_steps =
        {};  // "base/0001_settings": a backup with others of the base is of a newer release
    // Throws when the backup is of another key than the installation's; of an older release the mark is empty.
    std::function<void(const std::string& mark)> check_mark = {};
};

// Reads a backup of backup() whole, then puts it in place: all of it or nothing. Refuses a backup of the other
// kind of database, a damaged one, one of a newer release, a database that some other process has open, and one that is
// not empty unless it may be replaced. Returns where the replaced file is; empty: there is none. Throws
// std::runtime_error with a sentence for the operator, also when it is stopped; nothing is changed then.
std::string restore(const StoreOptions& options, const std::string& path, const RestoreWish& wish,
                    Progress& progress = unwatched());

}  // namespace svc::store
