// Maps, checks and stores rows of tables.
#include "base/data/import_export/csv_importing.hpp"

#include <algorithm>
#include <filesystem>

#include "base/data/import_export/csv_headings.hpp"
#include "base/data/import_export/csv_table.hpp"
#include "base/data/import_export/row_faults.hpp"
#include "base/data/import_export/task_rows.hpp"
#include "base/data/samples/giving_way.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/json/sentence.hpp"
#include "shared/store/typed.hpp"

namespace svc::import_export {
namespace {

using json::Value;
using maintenance::Task;

constexpr std::size_t preview_rows = 5;
constexpr SentenceId sealed_with_another_key =
    "This row was sealed with a key that is gone. Import the file again."_sentence;

// What undoing an update writes back of the row.
Value undone_by(const CsvKind& kind, const Value& row) {
    if (kind.undone.empty())
        return row;
    auto columns = Value::object();
    for (const std::string& name : kind.undone)
        if (const Value* value = row.find(name))
            columns.set(name, *value);
    return columns;
}

// Whether a row's own cells are at fault, beside what its fields' checks say.
Result<Value> checked(const api::Schema& fields, const Value& given, const Value& faults) {
    auto clean = fields.check(given, true);
    if (!faults.is_object())
        return clean;
    Error error = clean ? Error{errc::validation_error, "The row has faults."_sentence} : clean.error();
    for (const auto& [field, sentence] : faults.members())
        error.at(field, json::sentence_from(sentence));
    return error;
}

// What the file of errors has of a row.
Value shown_in_errors(const CsvKind& kind, const Value& given) {
    if (kind.names_row.empty())
        return given;
    auto shown = Value::object();
    for (const std::string& name : kind.names_row)
        if (const Value* value = given.find(name))
            shown.set(name, *value);
    return shown;
}

// What sealed lines of a task are bound to.
std::string place_of(const Task& task) { return "svc_tasks/" + task.key + "/rows"; }

bool csv_is_dry(const Task& task) { return task.options.maybe_boolean("dry_run").value_or(false); }

}  // namespace

Value CsvImporting::mapping_for(const CsvKind& kind, const std::vector<std::string>& columns) const {
    const auto stored = site_.store.reading<std::optional<std::string>>([&](store::Session& session) {
        return store::value<std::string>(session, "SELECT mapping FROM svc_import_mappings WHERE kind = :kind",
                                         {{"kind", kind.name}});
    });
    const auto last = stored ? json::parse(*stored) : Result<Value>(Value::object());
    auto mapping = Value::object();
    for (const std::string& column : columns) {
        if (const Value* before = last ? last->find(column) : nullptr) {
            mapping.set(column, *before);
            continue;
        }
        // Of two columns with names of one field, the first is that field.
        const api::Field* field = field_like(kind.fields, column);
        const bool is_free = field && std::none_of(mapping.members().begin(), mapping.members().end(),
                                                   [&](const auto& each) { return each.second == Value(field->name); });
        mapping.set(column, is_free ? Value(field->name) : Value());
    }
    return mapping;
}

void CsvImporting::save_mapping(store::Transaction& tx, const std::string& kind, const Value& mapping) const {
    tx.run(
        "INSERT INTO svc_import_mappings (kind, mapping, updated_at) VALUES (:kind, :mapping, :now) ON CONFLICT (kind)"
        " DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at",
        {{"kind", kind}, {"mapping", mapping.dump()}, {"now", site_.clock.now()}});
}

Result<bool> CsvImporting::begin(Task& task, const std::string& path) const {
    const auto current = kinds_.current(task.options.text_or("csv"));
    const CsvKind& kind = *current;
    std::error_code ignored;
    std::filesystem::create_directories(tasks_.path_of(task.key + ".work"), ignored);
    CsvTable table(kind, site_.settings, task.options);
    std::string lines;
    std::int64_t bytes = 0, rows = 0;
    Value mapping = task.options["mapping"];
    const auto flush = [&]() -> Result<void> {
        auto written = append_at(rows_file(task), bytes, lines);
        bytes += static_cast<std::int64_t>(lines.size());
        lines.clear();
        return written;
    };
    const auto take = [&](std::size_t number, const csv::Row& cells) -> Result<void> {
        if (table.columns().empty()) {
            if (!mapping.is_object())
                mapping = mapping_for(kind, CsvTable::names_of(cells));
            return table.take_head(cells, mapping);
        }
        table.count_ignored(cells);
        lines += stored_line(task, kind, table.line(number, cells)) + '\n';
        ++rows;
        return lines.size() > (1U << 20U) ? flush() : Result<void>();
    };
    auto read = csv::read(path, take, {}, table.origin());
    if (read)
        read = flush();
    if (!read)
        return read.error();
    if (rows == 0)
        return invalid("file", "The file has no row below its head."_sentence);
    task.total = rows;
    const csv::Encoding encoding = csv::encoding_of(path, table.origin());
    task.state = Value::object({{"rows", true}, {"at", 0}, {"errors_bytes", 0}, {"columns", table.columns_by_field()}});
    task.state.set("table", Value::object({{"encoding", encoding.name},
                                           {"encoding_guessed", !encoding.is_sure},
                                           {"ignored", table.ignored()}}));
    auto saved = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        save_mapping(tx, kind.name, mapping);
        tasks_.save(tx, task);
        return {};
    });
    if (!saved)
        return saved.error();
    std::filesystem::remove(path, ignored);
    return true;
}

Result<Value> CsvImporting::preview(const CsvKind& kind, const std::string& path, const Value& options) const {
    CsvTable table(kind, site_.settings, options);
    Value mapping = options["mapping"];
    auto columns = Value::array(), rows = Value::array();
    const api::Schema partial = kind.of_rows().partial();
    // The read ends behind the first rows by an error that is none.
    bool is_enough = false;
    const auto take = [&](std::size_t number, const csv::Row& cells) -> Result<void> {
        if (table.columns().empty()) {
            if (!mapping.is_object())
                mapping = mapping_for(kind, CsvTable::names_of(cells));
            columns = json::array_of(CsvTable::names_of(cells));
            return table.take_head(cells, mapping);
        }
        const Value line = table.line(number, cells);
        const auto read = checked(partial, line["fields"], line["faults"]);
        rows.push(Value::object(
            {{"line", line["line"]},
             {"cells", json::array_of(cells)},
             {"fields", read ? *read : partial.fitting(line["fields"])},
             {"problem", read ? Value() : json::to_json(sentences_of(read.error(), table.columns_by_field()))}}));
        is_enough = rows.size() == preview_rows;
        return is_enough ? Result<void>(errc::conflict) : Result<void>();
    };
    if (const auto read = csv::read(path, take, {}, table.origin()); !read && !is_enough)
        return read.error();
    if (table.columns().empty())
        return invalid("file", "The file has no row."_sentence);
    const csv::Encoding encoding = csv::encoding_of(path, table.origin());
    return Value::object({{"encoding", encoding.name},
                          {"encoding_guessed", !encoding.is_sure},
                          {"columns", std::move(columns)},
                          {"mapping", std::move(mapping)},
                          {"rows", std::move(rows)}});
}

// Nobody who reads the folder of tasks reads personal cells.
std::string CsvImporting::stored_line(const Task& task, const CsvKind& kind, const Value& line) const {
    return kind.names_row.empty() ? line.dump()
                                  : line["line"].number_text() + " " + site_.keyring->seal(line.dump(), place_of(task));
}

Result<Value> CsvImporting::read_line(const Task& task, const CsvKind& kind, const std::string& text) const {
    if (kind.names_row.empty())
        return json::parse(text);
    SVC_ASSIGN_OR_RETURN(const auto line, site_.keyring->open(text.substr(text.find(' ') + 1), place_of(task)));
    return json::parse(line);
}

std::vector<CsvImporting::Row> CsvImporting::rows_in(const Task& task, const CsvKind& kind,
                                                     const std::vector<std::string>& lines) const {
    const api::Schema partial = kind.of_rows().partial();
    std::vector<Row> rows;
    rows.reserve(lines.size());
    for (const std::string& text : lines) {
        // Our own file; a line that is cut off was not written whole.
        const auto line = read_line(task, kind, text);
        if (!line && !kind.names_row.empty()) {
            rows.push_back({std::atoll(text.c_str()), {}, Error{errc::conflict, sealed_with_another_key}});
            continue;
        }
        if (!line) {
            rows.push_back({0, {}, errc::not_found});
            continue;
        }
        Value given = (*line)["fields"], faults = (*line)["faults"];
        auto fields = checked(partial, given, faults);
        rows.push_back({(*line)["line"].integer(), std::move(given), std::move(fields), std::move(faults)});
    }
    return rows;
}

Result<Outcome> CsvImporting::import_row(store::Transaction& tx, const Task& task, const CsvKind& kind,
                                         const Row& row) const {
    const std::string mode = task.options.text_or("mode", "skip");
    if (!row.fields)
        return row.fields.error();
    // A file that updates may mean the sample itself.
    if (kind.name == "trips" && mode != "update")
        samples::free_slug_of_trip(tx, row.fields->text_or("slug"), row.fields->text_or("title"));
    const auto id = kind.find(tx, *row.fields);
    if (id && mode == "create")
        return is_here_already(kind.key);
    if (id && mode == "skip")
        return Outcome::skipped;
    std::optional<std::string> before;
    std::int64_t stored = id.value_or(0);
    if (id) {
        const Value changes = changes_of(*row.fields, kind.show(tx, *id));
        if (changes.size() == 0)
            return Outcome::skipped;
        if (kind.before) {
            before = kind.before(tx, *id);
        } else {
            const auto table = table_of(tx, *base_tables().part_named(kind.part));
            if (const auto present = table.find_by(tx, {"id"}, Value::object({{"id", *id}})))
                before = undone_by(kind, *present).dump();
        }
        SVC_RETURN_IF_ERROR(kind.update(tx, *id, changes));
    } else {
        SVC_ASSIGN_OR_RETURN(const auto body, kind.of_rows().check(row.given, true));
        SVC_ASSIGN_OR_RETURN(const auto created, kind.create(tx, body));
        stored = created;
    }
    const Outcome outcome = id ? Outcome::updated : Outcome::created;
    note_row(tx, {.task_id = task.id,
                  .entity = kind.part,
                  .old_id = std::to_string(row.line),
                  .new_id = stored,
                  .outcome = outcome,
                  .before = std::move(before)});
    return outcome;
}

namespace {

// Other processes forget what they hold of the records, too. False: there is no more step.
Result<bool> finished_by(store::Store& store, auto& caches) {
    static_cast<void>(caches.clear({}));
    auto written = store.write([&](store::Transaction& tx) -> Result<void> {
        store::touch(tx, caches::changes_channel);
        return {};
    });
    return written ? Result<bool>(false) : Result<bool>(written.error());
}

Result<void> counted(auto& counts, const Result<Outcome>& outcome) {
    if (!outcome)
        return outcome.error();
    ++(*outcome == Outcome::created ? counts.created : *outcome == Outcome::updated ? counts.updated : counts.skipped);
    return {};
}

// What a step has done with its rows.
template <class Counts>
struct Done {
    Counts counts = {};
    std::size_t rows_done = 0;
    std::string errors = {};  // lines of the file of errors
    Value failures = {};
    bool rolled_back = false, needs_savepoints = false;
};

void note_failure(auto& step, std::int64_t line, const Sentence& problem, const Value& given) {
    ++step.counts.failed;
    step.errors += std::to_string(line) + "," + csv::cell(problem.english()) + "," + csv::cell(given.dump()) + "\r\n";
    keep_failure(step.failures, line, problem);
}

void add_counts(Task& task, const std::string& kind, std::size_t rows_done, const auto& done) {
    Value of = task.stats[kind].is_object() ? task.stats[kind] : Value::object();
    for (const auto& [name, count] : {std::pair{"total", static_cast<std::int64_t>(rows_done)},
                                      {"imported", done.created + done.updated},
                                      {"created", done.created},
                                      {"updated", done.updated},
                                      {"skipped", done.skipped},
                                      {"failed", done.failed}})
        of.set(name, of.maybe_integer(name).value_or(0) + count);
    task.stats.set(kind, std::move(of));
}

// Done again, the step writes to the same place.
Result<void> append_errors(Task& task, const Task& before, const std::string& errors, auto& tasks) {
    const std::string text =
        (before.errors == 0 ? csv::utf8_mark + std::string("line,problem,fields\r\n") : "") + errors;
    task.errors_file = task.key + ".errors.csv";
    const auto at = before.state["errors_bytes"].integer();
    if (auto appended = append_at(tasks.path_of(task.errors_file), at, text); !appended)
        return appended;
    task.state.set("errors_bytes", at + static_cast<std::int64_t>(text.size()));
    return {};
}

// The task as it was, with what the step has done. `next`: where the next one begins.
Result<void> take_over(Task& task, const Task& before, const std::string& kind, const auto& step, std::int64_t next,
                       auto& tasks) {
    task = before;
    task.processed += static_cast<std::int64_t>(step.rows_done);
    task.errors += step.counts.failed;
    add_counts(task, kind, step.rows_done, step.counts);
    task.state.set("at", next);
    if (step.failures.is_array())
        task.state.set("failures", step.failures);
    return step.errors.empty() ? Result<void>{} : append_errors(task, before, step.errors, tasks);
}

}  // namespace

Result<bool> CsvImporting::step(Task& task) {
    const auto current = kinds_.current(task.options.text_or("csv"));
    const CsvKind& kind = *current;
    const Lines lines = lines_at(rows_file(task), task.state["at"].integer(), rows_a_step_, 1 << 20);
    if (lines.lines.empty())
        return finished_by(site_.store, caches_);
    const std::vector<Row> rows = rows_in(task, kind, lines.lines);
    const Task before = task;
    Done<Counts> step;
    const auto count_up = [&](store::Transaction& tx) -> Result<void> {
        SVC_RETURN_IF_ERROR(take_over(task, before, kind.name, step, lines.next_after(step.rows_done), tasks_));
        tasks_.save(tx, task);
        return {};
    };
    // Savepoints cost SQLite a third of the time, so rows run without them; after a rejected row the step runs again
    // with them.
    bool with_savepoints = false;
    const auto import_rows = [&](store::Transaction& tx) -> Result<void> {
        const Pace pace(tx);
        step = {.failures = before.state["failures"]};
        std::size_t& at = step.rows_done;
        for (; at < rows.size() && (at == 0 || !pace.is_over_after(at)); ++at) {
            const Row& row = rows[at];
            if (row.line == 0)
                continue;
            const auto store_row = [&] { return counted(step.counts, import_row(tx, before, kind, row)); };
            const Result<void> stored = !row.fields       ? Result<void>(row.fields.error())
                                        : with_savepoints ? attempt_record(tx, kind.key, store_row)
                                                          : store_row();
            if (stored)
                continue;
            if (row.fields && !with_savepoints) {
                step.needs_savepoints = true;
                return stored.error();
            }
            note_failure(step, row.line, sentences_of(stored.error(), before.state["columns"]),
                         shown_in_errors(kind, row.given));
        }
        if (csv_is_dry(before)) {
            step.rolled_back = true;
            return errc::conflict;
        }
        return count_up(tx);
    };
    Result<void> written;
    const bool is_refused = is_rejected([&] { written = site_.store.write_relaxed(import_rows); });
    if (is_refused || step.needs_savepoints) {
        with_savepoints = true;
        written = site_.store.write_relaxed(import_rows);
    }
    if (step.rolled_back)
        written = site_.store.write_relaxed(count_up);
    if (!written) {
        task = before;
        return written.error();
    }
    rows_a_step_ = Pace::next_rows(rows.size(), step.rows_done);
    return true;
}

}  // namespace svc::import_export
