// The state of one import step; for the sources of Importing alone.
#pragma once

#include "base/data/import_export/importing.hpp"

namespace svc::import_export {

struct Importing::Batch {
    const TableMap& map;
    const Part& part;
    const record::RawTable& table;
    std::int64_t task_id;
    Mode mode;
    bool dry;
    std::vector<std::pair<std::int64_t, NewId>> new_ids = {};  // by old id; kept in memory after the commit
    Counts counts = {};
    std::string errors = {};  // lines of the file of errors
    json::Value failures = {};
    std::int64_t line = 0;
    std::size_t rows_done = 0;  // of the lines of the step
};

}  // namespace svc::import_export
