// Data in memory as values.
#include "shared/api/held.hpp"

namespace svc::api {

Held::Named Held::name_of(std::size_t) const { return {}; }

json::Value Held::data(Members members) const {
    if (!is_list())
        return read(0, members);
    json::Array items;
    items.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        items.push_back(read(i, members));
    return json::Value(std::move(items));
}

}  // namespace svc::api
