// Classifications as JSON: the members that all have, those of one kind, and older names of both.
#pragma once

#include "base/catalog/classifications/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::classifications {

json::Value to_json(const Record& record);
// With the branch below it: `all_below` in order, parents anywhere in it.
json::Value tree_json(const Record& top, const std::vector<Record>& all_below);
json::Value to_json(const Counts& counts);
json::Value bulk_json(const std::string& action, const std::vector<Outcome>& outcomes);

// The body of a write; required members as on create.
api::Schema fields_of(const Kind& kind);
Change change_of(const Kind& kind, const json::Value& clean_body);
api::Type answer_of(const Kind& kind);
api::Type tree_answer_of(const Kind& kind);  // as tree_json
api::Type deleted_answer();
api::Type counts_answer();
api::Schema bulk_fields();
api::Type bulk_answer();

}  // namespace svc::catalog::classifications
