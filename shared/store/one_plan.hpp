// The mark of a statement that has one right plan, whatever values are bound.
#pragma once

namespace svc::store {

// Begins the text of a statement whose conditions and order are one index's. PostgreSQL then plans it once a session;
// unmarked, it plans a page of a list anew each time, as it takes a bound LIMIT for a tenth of the rows. Not for a
// statement in which a value decides what index is right. SQLite has one plan for each statement anyway.
#define SVC_ONE_PLAN "/* one plan */ "
inline constexpr char one_plan[] = SVC_ONE_PLAN;

}  // namespace svc::store
