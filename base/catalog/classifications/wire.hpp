// Classifications as trees, in JSON.
#pragma once

#include "base/catalog/classifications/record.hpp"

namespace svc::catalog::classifications {

// `top` with the branch below it as `subcategories`: `all_below` in order, parents anywhere in it.
json::Value tree_json(json::Value top, const std::vector<Classification>& all_below);
api::Type tree_answer_of(const Kind& kind);

}  // namespace svc::catalog::classifications
