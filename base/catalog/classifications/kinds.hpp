// The kinds of classifications, each declared once: routes, permissions, members, order, rules.
#pragma once

#include <string>
#include <vector>

#include "base/catalog/classifications/classification.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/money.hpp"

namespace svc::catalog::classifications {

// `details` as they will be; `sent` has the members that this write names.
using DetailRule = void (*)(json::Value& details, const json::Value& sent, Currency site, Faults& faults);

struct Kind {
    Type type = Type::destination;
    std::string path;                  // "/trip-categories"
    std::string one, many;             // in sentences: "trip category"
    std::vector<std::string> writers;  // any of these rights
    std::vector<std::string> sortable;
    bool ascending = false;
    std::string order_member = "sorting";  // the name of sort_order on the wire
    std::string uses_member = "trip_count";
    Status initial = Status::draft;  // when a new one names none
    api::Schema own = {};            // members stored in details; null or `otherwise` when never set
    DetailRule rule = nullptr;
    std::vector<std::string> also_called = {};  // older names of `name`
    bool tree = false;                          // has parent_id
    bool has_page = false;                      // has a public page
    bool plain = false;                         // without featuring and page texts
    bool bulk = false;
    std::int64_t most = 10'000;  // maximum of rows, so that reading a whole kind stays cheap
};

const std::vector<Kind>& kinds();  // one a type, in the order of Type
const Kind& kind_of(Type type);

// Of an attribute; shared with the values of trips.
bool has_options(std::string_view field_type);

}  // namespace svc::catalog::classifications
