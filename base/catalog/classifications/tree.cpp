// Walks up for loops, down for depth; both end, as no path is longer than five.
#include "base/catalog/classifications/tree.hpp"

#include "base/catalog/classifications/repository.hpp"

namespace svc::catalog::classifications {
namespace {

Result<void> settle(store::Transaction& tx, std::int64_t id, std::int64_t level) {
    for (const std::int64_t child : rows::children(tx, id)) {
        if (level >= deepest_level)
            return invalid("parent_id", "A tree has at most five levels."_sentence);
        rows::set_level(tx, child, level + 1);
        SVC_RETURN_IF_ERROR(settle(tx, child, level + 1));
    }
    return {};
}

}  // namespace

Result<void> place(store::Transaction& tx, Classification& row) {
    rows::lock_tree(tx, row.type);
    row.level = 0;
    if (row.parent_id) {
        const auto parent = rows::place_of(tx, row.type, *row.parent_id);
        if (!parent)
            return invalid("parent_id", "The parent does not exist."_sentence);
        row.level = parent->level + 1;
        for (auto above = std::optional(*row.parent_id); above;) {
            if (above == row.id)
                return invalid("parent_id", "Nothing lies below itself."_sentence);
            const auto one = rows::place_of(tx, row.type, *above);
            above = one ? one->parent_id : std::nullopt;
        }
    }
    if (row.level > deepest_level)
        return invalid("parent_id", "A tree has at most five levels."_sentence);
    return row.id > 0 ? settle(tx, row.id, row.level) : Result<void>{};
}

std::vector<std::int64_t> branch(store::Session& session, std::int64_t id) {
    std::vector<std::int64_t> ids{id};
    for (std::size_t at = 0; at < ids.size(); ++at)
        for (const std::int64_t child : rows::children(session, ids[at]))
            ids.push_back(child);
    return ids;
}

}  // namespace svc::catalog::classifications
