// Reads rows of many ids in one statement, so that a list needs no statement per row.
#pragma once

#include <span>
#include <string>

#include "shared/store/store.hpp"

namespace svc::store {

// One statement as each database takes it; `:ids` is bound by each_of. Made by SVC_BY_IDS.
struct ByIds {
    std::string_view sqlite, postgresql;
};
// SELECT ... WHERE <column> IN the ids <tail>.
#define SVC_BY_IDS(head, column, tail)                                   \
    ::svc::store::ByIds {                                                \
        head " " column " IN (SELECT value FROM json_each(:ids)) " tail, \
            head " " column " = ANY(CAST(:ids AS BIGINT[])) " tail       \
    }

// The ids as `:ids` of a statement that SVC_BY_IDS made.
inline std::string ids_text(Dialect dialect, std::span<const std::int64_t> ids) {
    const bool sqlite = dialect == Dialect::sqlite;
    std::string text(1, sqlite ? '[' : '{');
    for (const std::int64_t id : ids)
        text += (text.size() > 1 ? "," : "") + std::to_string(id);
    return text += sqlite ? ']' : '}';
}

inline void each_of(Session& session, const ByIds& statement, Columns columns, std::span<const std::int64_t> ids,
                    const std::function<void(const Row&)>& take, Params params = {}) {
    if (ids.empty())
        return;
    params.emplace_back("ids", ids_text(session.dialect(), ids));
    session.each(session.dialect() == Dialect::sqlite ? statement.sqlite : statement.postgresql, columns, params, take);
}

inline std::int64_t run_of(Session& session, const ByIds& statement, std::span<const std::int64_t> ids,
                           Params params = {}) {
    params.emplace_back("ids", ids_text(session.dialect(), ids));
    return session.run(session.dialect() == Dialect::sqlite ? statement.sqlite : statement.postgresql, params);
}

}  // namespace svc::store
