// Runs PostgreSQL's own programs on a database.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace svc::store {

// pg_dump or pg_restore with these arguments and no standard input. A database's address goes with `conninfo`, empty:
// none; its password goes by the environment, since every user of the machine reads arguments. Throws
// std::runtime_error when it cannot be started or fails; it said why on standard error. `goes_on` is asked fifty times
// a second while it runs: false ends it, and this returns.
void run_postgres_tool(const std::string& program, std::vector<std::string> arguments, const std::string& conninfo,
                       const std::function<bool()>& goes_on);

}  // namespace svc::store
