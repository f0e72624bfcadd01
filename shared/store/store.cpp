// Helpers of a session that are the same for both databases.
#include "shared/store/store.hpp"

namespace svc::store {

std::int64_t Session::insert(std::string_view sql, const Params& params) {
    std::optional<std::int64_t> id;
    each(sql, "i", params, [&](const Row& row) { id = row.integer(0); });
    if (!id)
        throw std::logic_error("an INSERT answered no id");
    return *id;
}

std::int64_t Session::number(std::string_view sql, const Params& params) {
    std::int64_t found = 0;
    bool first = true;
    each(sql, "i", params, [&](const Row& row) {
        if (first && !row.is_null(0))
            found = row.integer(0);
        first = false;
    });
    return found;
}

}  // namespace svc::store
