// Folds the search texts of rows that were written before text::search_key folded them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// A column that search_key fills. Made by SVC_SEARCH_COLUMN from literals alone.
struct SearchColumn {
    std::string_view name;          // "svc_bookings.search": its row in svc_search_folding
    std::string_view read, update;  // the next rows behind :after; one row's text
};

// `source`: an expression whose text is folded into the column, the column itself where it was folded by case before.
#define SVC_SEARCH_COLUMN(table, column, source)                                                                      \
    ::svc::store::SearchColumn {                                                                                      \
        table "." column, "SELECT id, " source ", " column " FROM " table " WHERE id > :after ORDER BY id LIMIT 500", \
            "UPDATE " table " SET " column " = :folded WHERE id = :id AND " column " = :before"                       \
    }

// Folds the rows of each column that is not finished, 500 a transaction, each where it ended before. Answers how many
// rows changed. Any thread; one at a time.
std::int64_t fold_search_columns(Store& store, std::span<const SearchColumn> columns, const Clock& clock);

}  // namespace svc::store
