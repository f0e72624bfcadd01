// Runs PostgreSQL's own programs on a database.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace svc::store {

// pg_dump or pg_restore with these arguments and no standard input. `conninfo` has the database's address, or is empty;
// the environment passes its password, since every user of the machine reads arguments. Throws std::runtime_error when
// it cannot be started or fails; its standard error has the reason. Calls `goes_on` fifty times a second while it runs:
// false ends it, and this returns.
void run_postgres_tool(const std::string& program, std::vector<std::string> arguments, const std::string& conninfo,
                       const std::function<bool()>& goes_on);

}  // namespace svc::store
