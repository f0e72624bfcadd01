// Whether a table of this edition exists: a module that was never on has none.
#pragma once

#include "shared/store/store.hpp"

namespace svc::pro {

// `table` is one of the last step of the module's storage. In the caller's session.
inline bool has_table(store::Session& session, std::string_view table) {
    return session.number(session.dialect() == store::Dialect::sqlite
                              ? "SELECT COUNT(*) FROM sqlite_master WHERE name = :table"
                              : "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename ="
                                " :table",
                          {{"table", table}}) > 0;
}

}  // namespace svc::pro
