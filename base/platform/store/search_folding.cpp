// Rows in the order of their ids; how far it went is noted with the rows themselves.
#include "base/platform/store/search_folding.hpp"

#include <string>
#include <vector>

#include "shared/core/words.hpp"
#include "shared/store/typed.hpp"

namespace svc::store {
namespace {

// Nothing once the column is finished.
std::optional<std::int64_t> folded_to(Session& session, std::string_view name) {
    return value<std::int64_t>(session,
                               "SELECT CASE WHEN finished_at IS NULL THEN folded_to ELSE -1 END FROM svc_search_folding"
                               " WHERE name = :name",
                               {{"name", name}})
        .value_or(0);
}

struct FoldingStep {
    bool finished = true;
    std::int64_t changed = 0;
};

FoldingStep fold_next_rows(Transaction& tx, const SearchColumn& column, Instant now) {
    const std::int64_t after = folded_to(tx, column.name).value_or(0);
    if (after < 0)
        return {};
    const auto rows =
        tuples<std::int64_t, std::optional<std::string>, std::string>(tx, column.read, {{"after", after}});
    FoldingStep step{rows.empty(), 0};
    for (const auto& [id, source, before] : rows)
        if (const std::string folded = text::search_key(source.value_or("")); folded != before)
            step.changed += tx.run(column.update, {{"folded", folded}, {"id", id}, {"before", before}});
    tx.run(
        "INSERT INTO svc_search_folding (name, folded_to, finished_at) VALUES (:name, :to, :finished)"
        " ON CONFLICT (name) DO UPDATE SET folded_to = excluded.folded_to, finished_at = excluded.finished_at",
        {{"name", column.name},
         {"to", rows.empty() ? after : std::get<0>(rows.back())},
         {"finished", rows.empty() ? std::optional(now) : std::nullopt}});
    return step;
}

}  // namespace

std::int64_t fold_search_columns(Store& store, std::span<const SearchColumn> columns, const Clock& clock) {
    std::int64_t changed = 0;
    for (const SearchColumn& column : columns)
        for (bool finished = false; !finished;) {
            const bool done =
                store.reading<bool>([&](Session& session) { return folded_to(session, column.name).value_or(0) < 0; });
            if (done)
                break;
            const auto step = store.transact<FoldingStep>(
                [&](Transaction& tx) -> Result<FoldingStep> { return fold_next_rows(tx, column, clock.now()); });
            finished = !step || step->finished;
            changed += step ? step->changed : 0;
        }
    return changed;
}

}  // namespace svc::store
