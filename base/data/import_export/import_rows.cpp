// Imports and undoes single rows.
#include <algorithm>

#include "base/data/import_export/import_batch.hpp"
#include "base/data/import_export/row_faults.hpp"
#include "base/data/import_export/table_map.hpp"
#include "base/data/import_export/task_rows.hpp"
#include "base/data/samples/giving_way.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::import_export {
namespace {

using json::Value;
using maintenance::Task;

constexpr std::int64_t left_out = 0;  // in place of the id of a row that is not here

constexpr json::Limits limits_of_row{.depth = 64, .elements = 200'000, .text = 8 << 20};

// Counts that are computed again from the imported rows.
void start_counts(const Part& part, Value& row) {
    if (part.table != "svc_departures")
        return;
    for (const char* name : {"booked_count", "waiting_seats"})
        if (row.find(name))
            row.set(name, 0);
}

// Columns that an update does not change.
void keep_own(const Part& part, Value& row) {
    row.erase("id");
    row.erase("row_version");
    row.erase("created_at");
    if (part.table == "svc_departures")
        for (const char* name : {"booked_count", "waiting_seats", "revision"})
            row.erase(name);
}

bool is_same_class(store::Session& session, const Value& row) {
    const Value* made = row.find("created_at");
    return made && made->is_number() &&
           session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE type = :type AND slug = :slug AND created_at ="
               " :made",
               {{"type", row.text_or("type")}, {"slug", row.text_or("slug")}, {"made", made->integer()}}) > 0;
}

// A sample gives its slug to another record, not to the one that it is: an export brings it back with its own birthday.
void free_slug(store::Transaction& tx, const Part& part, const Value& row) {
    const std::string slug = row.text_or("slug");
    if (part.table == "svc_trips")
        samples::free_slug_of_trip(tx, slug, row.text_or("title"));
    else if (part.table == "svc_classifications" && !is_same_class(tx, row))
        samples::free_slug_of_class(tx, row.text_or("type"), slug);
}

bool is_open(const Value& row, std::string_view ended) { return row[ended].is_null(); }

}  // namespace

// Replaces the ids that a row refers to by ours. `parent`: the outcome of the record that it belongs to.
Result<void> Importing::map_references(store::Session& session, const Batch& batch, Value& row, Outcome& parent) const {
    const Value* keys = row.find("_keys");
    for (const Reference& reference : batch.part.references) {
        const Value* old_id = row.find(reference.column);
        if (!old_id || !old_id->is_number())
            continue;
        std::optional<NewId> new_id;
        const auto fresh = std::find_if(batch.new_ids.begin(), batch.new_ids.end(), [&](const auto& each) {
            return reference.table == batch.part.table && each.first == old_id->integer();
        });
        if (fresh != batch.new_ids.end())
            new_id = fresh->second;
        else if (const NewId* known = find(reference.table, old_id->integer()))
            new_id = *known;
        if (const Value* key = keys ? keys->find(reference.column) : nullptr; !new_id && key && key->is_object())
            if (const Part* part = batch.map.keyed_part_of(reference.table))
                if (const auto found = table_of(session, *part).find_by(session, part->key, *key))
                    new_id = NewId{(*found)["id"].integer(), Outcome::created};
        if (reference.column == batch.part.parent && new_id)
            parent = new_id->outcome;
        const auto* column = batch.table.find(reference.column);
        // Left out with the record that it belongs to: what needs it is left out, too.
        if (new_id && new_id->id == left_out) {
            if (column && !column->nullable)
                parent = Outcome::skipped;
            new_id.reset();
        }
        if (parent != Outcome::created)
            return {};  // the row is left out, whatever else it refers to
        if (!new_id && column && !column->nullable)
            return Error{errc::validation_error,
                         "{column} {old_id} is a record that is neither in the import nor here."_sentence
                             .with("column", reference.column)
                             .with("old_id", old_id->number_text())};
        row.set(reference.column, new_id ? Value(new_id->id) : Value());
    }
    row.erase("_keys");
    return {};
}

void Importing::store_outcome(store::Transaction& tx, Batch& batch, const std::string& old_id, NewId new_id,
                              const Value& before) const {
    if (old_id.find_first_not_of("0123456789") == std::string::npos)
        batch.new_ids.emplace_back(std::stoll(old_id), new_id);
    if (batch.dry)
        return;
    note_row(tx, {.task_id = batch.task_id,
                  .entity = batch.part.name,
                  .old_id = old_id,
                  .new_id = new_id.id,
                  .outcome = new_id.outcome,
                  .before = before.is_null() ? std::optional<std::string>() : std::optional(before.dump())});
}

// The seats of a departure follow its ledger: each inserted or deleted row changes them.
void Importing::follow_seats(store::Transaction& tx, const Part& part, const Value& row, std::int64_t sign) const {
    const bool ledger = part.table == "svc_booking_departures";
    if ((!ledger && part.table != "svc_waitlist") || !is_open(row, ledger ? "released_at" : "ended_at"))
        return;
    const store::Params params{
        {"id", row["departure_id"].integer()}, {"seats", sign * row["seats"].integer()}, {"now", site_.clock.now()}};
    tx.run(ledger ? "UPDATE svc_departures SET booked_count = booked_count + :seats WHERE id = :id"
                  : "UPDATE svc_departures SET waiting_seats = waiting_seats + :seats WHERE id = :id",
           params);
}

Result<Outcome> Importing::store_row(store::Transaction& tx, Batch& batch, Value row) const {
    const Part& part = batch.part;
    const std::string old_id = row["id"].is_number() ? row["id"].number_text() : std::string();
    if (!part.key.empty())
        free_slug(tx, part, row);
    if (!part.key.empty())
        if (const auto existing = batch.table.find_by(tx, part.key, row)) {
            const std::int64_t id = (*existing)["id"].integer();
            if (batch.mode == Mode::create)
                return is_here_already();
            const Outcome outcome = batch.mode == Mode::update ? Outcome::updated : Outcome::skipped;
            if (outcome == Outcome::updated) {
                keep_own(part, row);
                batch.table.update(tx, id, row);
            }
            store_outcome(tx, batch, old_id, {id, outcome}, outcome == Outcome::updated ? *existing : Value());
            return outcome;
        }
    start_counts(part, row);
    if (!old_id.empty() && batch.table.has_row(tx, row["id"].integer()))
        row.erase("id");
    std::int64_t id = -1;
    const bool refers_to_nothing_stored =
        std::any_of(part.references.begin(), part.references.end(), [&](const Reference& reference) {
            const Value& value = row[reference.column];
            return value.is_number() && value.integer() < 0;
        });
    // A dry run has not stored the referenced rows: it only checked the values.
    if (!refers_to_nothing_stored) {
        id = batch.table.insert(tx, row);
        follow_seats(tx, part, row, 1);
    }
    if (!old_id.empty())
        store_outcome(tx, batch, old_id, {batch.dry ? -1 : id, Outcome::created}, {});
    return Outcome::created;
}

Result<Outcome> Importing::import_setting(store::Transaction& tx, const Batch& batch, const Value& row) const {
    const std::string key = row.text_or("key");
    const auto value = json::parse(row.text_or("value"), limits_of_row);
    if (!value)
        return Error{errc::validation_error, "The value of the setting {key} is no JSON."_sentence.with("key", key)};
    const auto existing = batch.table.find_by(tx, {"key"}, row);
    if (existing && batch.mode == Mode::skip)
        return Outcome::skipped;
    SVC_ASSIGN_OR_RETURN(const auto written, site_.settings.write(tx, Value::object({{key, *value}}), 0));
    if (!written.rejected_keys.empty())
        return Error{errc::validation_error,
                     "There is no setting {key}, or its module is off."_sentence.with("key", key)};
    const Outcome outcome = existing ? Outcome::updated : Outcome::created;
    if (!batch.dry)
        note_row(tx, {.task_id = batch.task_id,
                      .entity = batch.part.name,
                      .old_id = key,
                      .outcome = outcome,
                      .before = existing ? std::optional((*existing)["value"].text()) : std::nullopt});
    return outcome;
}

Result<Outcome> Importing::import_row(store::Transaction& tx, Batch& batch, const std::string& line) const {
    auto row = json::parse(line, limits_of_row);
    if (!row || !row->is_object())
        return Error{errc::validation_error, "This line is no JSON object."_sentence};
    if (const Sentence fault = batch.table.fault_of(*row); !fault.empty())
        return Error{errc::validation_error, fault};
    if (batch.part.name == "settings")
        return import_setting(tx, batch, *row);
    if (const Value* id = row->find("id"); batch.table.has_id() && (!id || !id->is_number() || id->integer() < 1))
        return Error{errc::validation_error, "id is missing."_sentence};
    Outcome parent = Outcome::created;
    SVC_RETURN_IF_ERROR(map_references(tx, batch, *row, parent));
    // Child rows of an existing record stay unchanged: an update changes the record's own fields alone, so
    // that it can be undone.
    if (parent != Outcome::created) {
        if (const Value& id = (*row)["id"]; id.is_number())
            store_outcome(tx, batch, id.number_text(), {left_out, Outcome::skipped}, {});
        return Outcome::skipped;
    }
    return store_row(tx, batch, std::move(*row));
}

Result<void> Importing::undo_row(store::Transaction& tx, const TableMap& map, const Part& part,
                                 const std::string& outcome, std::int64_t id, const std::string& old_id,
                                 const std::optional<std::string>& before) const {
    if (part.name == "settings") {
        if (!before) {
            tx.run("DELETE FROM svc_settings WHERE key = :key", {{"key", old_id}});
            return {};
        }
        const auto value = json::parse(*before, limits_of_row);
        if (!value)
            return {};
        const auto written = site_.settings.write(tx, Value::object({{old_id, *value}}), 0);
        return written ? Result<void>() : Result<void>(written.error());
    }
    const auto table = table_of(tx, part);
    const auto row = table.find_by(tx, {"id"}, Value::object({{"id", id}}));
    if (!row)
        return {};  // another user deleted it meanwhile
    if (outcome == "updated") {
        // The former values are gone where the person asked for it.
        if (const CsvKind* kind = kinds_.restoring(part.name))
            return before ? kind->restore(tx, id, *before) : Result<void>();
        const auto was = before ? json::parse(*before, limits_of_row) : Result<Value>(errc::not_found);
        if (was)
            table.update(tx, id, *was);
        return {};
    }
    follow_seats(tx, part, *row, -1);
    for (const Part& child : map.parts)
        for (const Reference& reference : child.references)
            if (reference.column == child.parent && reference.table == part.table)
                if (const auto of_child = table_of(tx, child); !of_child.has_id())
                    of_child.remove_by(tx, child.parent, id);
    table.remove_by(tx, "id", id);
    return {};
}

namespace {

struct NotedRow {
    std::string old_id, outcome;
    std::int64_t id;
    std::optional<std::string> before;
};

// The next ones to undo, the last first.
std::vector<NotedRow> noted_rows(store::Session& session, const Task& task, const Part& part) {
    return store::all_rows(
        session,
        // Settings have no id: they are all at 0, and go by their keys.
        "SELECT old_id, new_id, outcome, before FROM svc_task_rows WHERE task_id = :task AND entity = :entity AND"
        " outcome <> 'skipped' AND new_id <= :below AND (new_id < :below OR old_id < :below_old)"
        " ORDER BY new_id DESC, old_id DESC LIMIT 200",
        {{"task", task.options["undo_id"].integer()},
         {"entity", part.name},
         {"below", task.state["below"].integer()},
         {"below_old", task.state.text_or("below_old")}},
        [](const std::string& old_id, std::int64_t id, const std::string& outcome,
           const std::optional<std::string>& was) {
            return NotedRow{old_id, outcome, id, was};
        });
}

}  // namespace

// Undoes an import from its last row to its first: deletes created records and restores updated ones.
Result<bool> Importing::undo_step(Task& task) {
    const auto map = table_map(site_.store, site_.hooks);
    const auto& parts = map->parts;
    if (!task.state.find("part"))
        task.state = Value::object({{"part", static_cast<std::int64_t>(parts.size()) - 1},
                                    {"below", INT64_MAX},
                                    {"below_old", ""},
                                    {"kept", 0}});
    const std::int64_t at = task.state["part"].integer();
    if (at < 0) {
        refresh();
        auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            store::touch(tx, caches::changes_channel);
            return {};
        });
        return written ? Result<bool>(false) : Result<bool>(written.error());
    }
    const Part& part = parts[static_cast<std::size_t>(at)];
    const Task before = task;
    auto written = site_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        const Pace pace(tx);
        task = before;
        const auto rows = noted_rows(tx, task, part);
        std::size_t taken = 0;
        for (; taken < rows.size() && (taken == 0 || !pace.is_over_after(taken)); ++taken) {
            const NotedRow& row = rows[taken];
            // It stays where a newer record refers to it.
            if (auto done = attempt_record(
                    tx, {}, [&] { return undo_row(tx, *map, part, row.outcome, row.id, row.old_id, row.before); });
                !done)
                task.state.set("kept", task.state["kept"].integer() + 1);
            ++task.processed;
        }
        const bool more = taken < rows.size() || rows.size() == 200;
        task.state.set("part", at - (more ? 0 : 1));
        task.state.set("below", more ? Value(rows[taken - 1].id) : Value(INT64_MAX));
        task.state.set("below_old", more ? rows[taken - 1].old_id : std::string());
        task.stats.set("kept", task.state["kept"]);
        task.stats.set("undone", task.processed - task.state["kept"].integer());
        tasks_.save(tx, task);
        return {};
    });
    if (!written) {
        task = before;
        return written.error();
    }
    return true;
}

}  // namespace svc::import_export
