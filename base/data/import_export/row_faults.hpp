// Error sentences for records that an import rejects, for every kind of import: archives, tables, and the export of a
// former installation.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::import_export {

// Each field with its sentence; the error's own sentence where it names no field.
Sentence sentences_of(const Error& error);
// The same with the column of a table that became the field: "Preis (regular_price): This must be a number."
Sentence sentences_of(const Error& error, const json::Value& columns);
// A rejected record of an import, kept with its job to be shown beside its counts; only the first ones are kept.
void keep_failure(json::Value& failures, std::int64_t line, const Sentence& problem);

// The error for a record that exists already; `key` is the field that identifies it, empty: several fields do.
Error is_here_already(std::string_view key = {});

// Runs `store_record` so that its failure leaves the transaction's other records, and returns what the database rejects
// as the record's error.
Result<void> attempt_record(store::Transaction& tx, std::string_view key,
                            const std::function<Result<void>()>& store_record);

// Whether the database rejected values while `write` ran: the caller runs the records again one by one, by
// attempt_record().
bool is_rejected(const std::function<void()>& write);

}  // namespace svc::import_export
