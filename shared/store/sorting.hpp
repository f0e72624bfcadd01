// The ways in which a list can be sorted, a whole statement each, so that no name from outside reaches SQL.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace svc::store {

// `Statement`: the statement that a repository runs, one text or several.
template <class Statement = std::string_view>
struct Sorting {
    std::string_view key;  // as `orderby` names it
    Statement ascending, descending;
};

// The statement of that key; the first one for an unknown key.
template <class Sortings>
const auto& sorted_by(const Sortings& sortings, std::string_view key, bool ascending) {
    auto chosen = std::begin(sortings);
    for (auto each = std::begin(sortings); each != std::end(sortings); ++each)
        if (each->key == key)
            chosen = each;
    return ascending ? chosen->ascending : chosen->descending;
}

template <class Sortings>
std::vector<std::string> keys_of(const Sortings& sortings) {
    std::vector<std::string> keys;
    keys.reserve(std::size(sortings));
    for (const auto& each : sortings)
        keys.emplace_back(each.key);
    return keys;
}

}  // namespace svc::store
