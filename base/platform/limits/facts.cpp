// Facts of the tables of rate limits.
#include "base/platform/limits/facts.hpp"

namespace svc::limits {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_rate_limits", .naming = {{.column = "subject", .kind = facts::Naming::Kind::words}}},
    };
}

}  // namespace svc::limits
