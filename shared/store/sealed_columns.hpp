// Columns whose texts are sealed with the installation's key, declared by the feature that owns the table: what has to
// be sealed again when the key is another one.
//
//     {.table = "svc_webhook_endpoints", .column = "secret", .bound_to = "'svc_webhook_endpoints.' || uid ||
//     '.secret'"}
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::store {

// The table has a column `id`. An empty text and NULL are not sealed.
struct SealedColumn {
    std::string table, column;
    std::string bound_to;        // an expression over the row's columns: what the text is sealed for
    std::string condition = {};  // a further one, of the rows whose text is sealed
};

// The text sealed with the key in use; nothing: it is so already, or opens with no key.
using Renewed = std::function<std::optional<std::string>(const std::string& sealed, const std::string& bound_to)>;

// Seals again what another key had sealed, some rows a transaction; a row that is written meanwhile keeps what it got.
// Returns how many texts.
Result<std::int64_t> renew_sealed(Store& store, const SealedColumn& column, const Renewed& renewed);

// The first column, "table.column", with a text that begins with one of these, in tables that are not left out; empty:
// there is none. Reads all rows: for commands of the operator.
std::string column_beginning_with(Session& session, const std::vector<std::string>& beginnings,
                                  const std::set<std::string>& left_out);

}  // namespace svc::store
