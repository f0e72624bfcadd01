// The mark of a statement that has one right plan for any values.
#pragma once

namespace svc::store {

// Begins the text of a statement whose conditions and order match one index. PostgreSQL then plans it once per session;
// unmarked, it plans a list's page each time, since it estimates a bound LIMIT as a tenth of the rows. Not for a
// statement in which a value decides which index is right. SQLite has one plan for each statement anyway.
#define SVC_ONE_PLAN "/* one plan */ "
inline constexpr char one_plan[] = SVC_ONE_PLAN;

}  // namespace svc::store
