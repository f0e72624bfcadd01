// Rows in the order of their ids; how far it went is noted with the rows themselves.
#include "base/platform/store/search_folding.hpp"

#include <string>
#include <vector>

#include "shared/core/words.hpp"

namespace svc::store {
namespace {

struct FoldedRow {
    std::int64_t id = 0;
    std::string source, before;
};

// Nothing once the column is finished.
std::optional<std::int64_t> folded_to(Session& session, std::string_view name) {
    return session
        .first<std::int64_t>(
            "SELECT CASE WHEN finished_at IS NULL THEN folded_to ELSE -1 END FROM svc_search_folding"
            " WHERE name = :name",
            "i", {{"name", name}}, [](const Row& row) { return row.integer(0); })
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
    const auto rows = tx.all<FoldedRow>(column.read, "itt", {{"after", after}}, [](const Row& row) {
        return FoldedRow{row.integer(0), row.maybe_text(1).value_or(""), row.text(2)};
    });
    FoldingStep step{rows.empty(), 0};
    for (const FoldedRow& row : rows)
        if (const std::string folded = text::search_key(row.source); folded != row.before)
            step.changed += tx.run(column.update, {{"folded", folded}, {"id", row.id}, {"before", row.before}});
    tx.run(
        "INSERT INTO svc_search_folding (name, folded_to, finished_at) VALUES (:name, :to, :finished)"
        " ON CONFLICT (name) DO UPDATE SET folded_to = excluded.folded_to, finished_at = excluded.finished_at",
        {{"name", column.name},
         {"to", rows.empty() ? after : rows.back().id},
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
