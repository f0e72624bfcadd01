// Reads `ids`.
#include "shared/api/bulk.hpp"

#include <algorithm>

namespace svc::api {

Field bulk_ids_field() {
    return {.name = "ids", .type = list(id(), 500, 1), .help = "Ids without duplicates.", .required = true};
}

Result<std::vector<std::int64_t>> bulk_ids_of(const json::Value& body) {
    std::vector<std::int64_t> ids;
    for (const json::Value& id : body["ids"].items())
        ids.push_back(id.integer());
    auto sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        return invalid("ids", "Each id must be listed once."_sentence);
    return ids;
}

}  // namespace svc::api
