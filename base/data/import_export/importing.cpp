// Imports the rows of an export, batch by batch.
#include "base/data/import_export/importing.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/catalog/trips/record/texts.hpp"
#include "base/data/import_export/import_batch.hpp"
#include "base/data/import_export/row_faults.hpp"
#include "base/data/import_export/table_map.hpp"
#include "base/data/import_export/whole.hpp"
#include "base/platform/archives/archives.hpp"
#include "base/platform/csv/csv.hpp"
#include "base/platform/store/changes.hpp"
#include "base/sales/booking/upkeep/counts_due.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::import_export {
namespace {

using json::Value;
using maintenance::Task;

constexpr std::size_t longest_line = 8 << 20;
constexpr std::int64_t most_json_bytes = 16 << 20;
constexpr json::Limits row_limits{.depth = 64, .elements = 200'000, .text = 8 << 20};

bool is_member(const TableMap& map, std::string_view name) {
    if (name == "manifest.json")
        return true;
    return name.ends_with(".jsonl") && map.part_named(name.substr(0, name.size() - 6)) != nullptr;
}

bool is_dry(const Task& task) { return task.options.maybe_boolean("dry_run").value_or(false); }

Mode mode_of(const Task& task) {
    const auto found = std::find(std::begin(mode_names), std::end(mode_names), task.options.text_or("mode", "skip"));
    return static_cast<Mode>(found == std::end(mode_names) ? 0 : found - std::begin(mode_names));
}

// The first line of the file of errors, before the first error.
std::string error_head(const Task& task) {
    return task.errors == 0 ? csv::utf8_mark + std::string("kind,line,problem\r\n") : "";
}

std::string whole_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Result<void> Importing::check_manifest(const std::string& folder) const {
    if (!std::filesystem::exists(folder + "/manifest.json"))
        return invalid("file", "The archive has no manifest.json, so it is no export."_sentence);
    const auto manifest = json::parse(whole_file(folder + "/manifest.json"));
    if (!manifest || !manifest->is_object() || manifest->text_or("format") != "svc-export")
        return invalid("file", "The manifest of the archive is not that of an export."_sentence);
    const auto schema = manifest->maybe_integer("schema").value_or(0);
    if (schema > schema_version)
        return invalid(
            "file",
            "This export was made by a newer release ({version}). Upgrade this installation and import it again."_sentence
                .with("version", manifest->text_or("version")));
    return {};
}

// A plain JSON file is {"manifest": …, "trips": [rows], …}: its rows become the lines that an archive has.
Result<void> Importing::split_json(const TableMap& map, const std::string& path, const std::string& folder) const {
    std::error_code failed;
    if (std::filesystem::file_size(path, failed) > static_cast<std::uintmax_t>(most_json_bytes) || failed)
        return invalid("file", "A plain JSON file may have 16 MiB. Import the zip archive of the export."_sentence);
    const auto data = json::parse(whole_file(path), {.depth = 64, .elements = 2'000'000, .text = 8 << 20});
    if (!data || !data->is_object())
        return invalid("file", "This is neither a zip archive of an export nor JSON."_sentence);
    for (const auto& [name, rows] : data->members()) {
        if (name == "manifest") {
            if (auto written = append_at(folder + "/manifest.json", 0, rows.dump()); !written)
                return written;
            continue;
        }
        if (!map.part_named(name) || !rows.is_array())
            continue;
        std::string lines;
        for (const Value& row : rows.items())
            lines += row.dump() + "\n";
        if (auto written = append_at(folder + "/" + name + ".jsonl", 0, lines); !written)
            return written;
    }
    return {};
}

Result<bool> Importing::begin(Task& task, const std::string& path) {
    const auto map = table_map(site_.store, site_.hooks);
    const std::string folder = folder_of(task);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    std::filesystem::create_directories(folder, ignored);
    std::string head(2, '\0');
    std::ifstream(path, std::ios::binary).read(head.data(), 2);
    if (head == "PK") {
        if (!whole_manifest(path).is_null())
            return invalid("file",
                           "This archive holds a whole installation: users and secrets are imported by the"
                           " command line alone, with svc import."_sentence);
        SVC_RETURN_IF_ERROR(
            archives::unpack(path, folder, [&](std::string_view name) { return is_member(*map, name); }));
    } else if (auto split = split_json(*map, path, folder); !split) {
        return split.error();
    }
    if (head == "PK" || std::filesystem::exists(folder + "/manifest.json"))
        if (auto good = check_manifest(folder); !good)
            return good.error();
    auto files = Value::array();
    for (const Part* part :
         map->parts_of(task.data_types.empty() ? std::vector<std::string>{"all"} : task.data_types)) {
        const std::string file = folder + "/" + part->name + ".jsonl";
        if (!std::filesystem::exists(file))
            continue;
        files.push(part->name);
        for (std::int64_t at = 0;;) {
            const Lines lines = lines_at(file, at, 10'000, 1);
            task.total += static_cast<std::int64_t>(lines.lines.size());
            at = lines.next;
            if (lines.is_end)
                break;
        }
    }
    if (files.size() == 0)
        return invalid("data_types", "The file holds none of the kinds that were asked for."_sentence);
    task.state = Value::object({{"files", std::move(files)}, {"file", 0}, {"at", 0}, {"line", 0}, {"errors_bytes", 0}});
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tasks_.save(tx, task);
        return {};
    });
    if (!written)
        return written.error();
    std::filesystem::remove(path, ignored);
    return true;
}

void Importing::load_new_ids(const TableMap& map, const Task& task) {
    if (loaded_task_ == task.id)
        return;
    new_ids_.clear();
    loaded_task_ = task.id;
    site_.store.read([&](store::Session& session) {
        store::each_row(
            session, "SELECT entity, old_id, new_id, outcome FROM svc_task_rows WHERE task_id = :task",
            {{"task", task.id}},
            [&](const std::string& entity, const std::string& old_id, std::int64_t id, const std::string& outcome) {
                const Part* part = map.part_named(entity);
                if (!part || old_id.find_first_not_of("0123456789") != std::string::npos)
                    return;
                const auto found = std::find(std::begin(outcome_names), std::end(outcome_names), outcome);
                new_ids_[part->table][std::stoll(old_id)] = {id,
                                                             static_cast<Outcome>(found - std::begin(outcome_names))};
            });
    });
}

const NewId* Importing::find(const std::string& table, std::int64_t old_id) const {
    const auto of_table = new_ids_.find(table);
    if (of_table == new_ids_.end())
        return nullptr;
    const auto found = of_table->second.find(old_id);
    return found == of_table->second.end() ? nullptr : &found->second;
}

Result<void> Importing::run(const Task& task, Batch& batch, const Lines& lines, bool with_savepoints,
                            const std::function<Result<void>(store::Transaction&)>& close) {
    const auto failed = [&](const Error& error) {
        ++batch.counts.failed;
        const Sentence problem = sentences_of(error);
        batch.errors +=
            csv::cell(batch.part.name) + "," + std::to_string(batch.line) + "," + csv::cell(problem.english()) + "\r\n";
        keep_failure(batch.failures, batch.line,
                     "{column}: {sentence}"_sentence.with("column", batch.part.name).with("sentence", problem));
    };
    bool rolled_back = false;
    auto written = site_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        const Pace pace(tx);
        batch.counts = {};
        batch.errors.clear();
        batch.failures = task.state["failures"];
        batch.new_ids.clear();
        batch.line = task.state["line"].integer();
        if (batch.table.has_id() && !batch.dry) {
            std::int64_t highest = 0;
            for (const std::string& line : lines.lines)
                if (const auto row = json::parse(line, row_limits); row && row->is_object())
                    if (const Value* id = row->find("id"); id && id->is_number() && id->number_text().size() < 18)
                        highest = std::max(highest, id->integer());
            batch.table.reserve_ids(tx, highest);
        }
        for (batch.rows_done = 0;
             batch.rows_done < lines.lines.size() && (batch.rows_done == 0 || !pace.is_over_after(batch.rows_done));
             ++batch.rows_done) {
            const std::string& line = lines.lines[batch.rows_done];
            ++batch.line;
            const auto import_one = [&]() -> Result<void> {
                SVC_ASSIGN_OR_RETURN(const auto outcome, import_row(tx, batch, line));
                auto& count = outcome == Outcome::created   ? batch.counts.created
                              : outcome == Outcome::updated ? batch.counts.updated
                                                            : batch.counts.skipped;
                ++count;
                return {};
            };
            if (auto done = with_savepoints ? attempt_record(tx, {}, import_one) : import_one(); !done)
                failed(done.error());
        }
        if (batch.dry) {
            rolled_back = true;
            return errc::conflict;
        }
        return close(tx);
    });
    return written || rolled_back ? Result<void>() : written;
}

namespace {

// The task after the batch: its numbers, and where the next step begins. `at`: which file.
void count_up(Task& task, const Task& before, const auto& batch, const Lines& lines, std::size_t at) {
    task = before;
    const bool is_end = lines.is_end_after(batch.rows_done);
    task.processed += static_cast<std::int64_t>(batch.rows_done);
    task.errors += batch.counts.failed;
    Value stats = task.stats;
    Value of = stats[batch.part.name].is_object() ? stats[batch.part.name] : Value::object();
    const auto add = [&](const char* name, std::int64_t count) {
        of.set(name, of.maybe_integer(name).value_or(0) + count);
    };
    add("total", static_cast<std::int64_t>(batch.rows_done));
    add("imported", batch.counts.created + batch.counts.updated);
    add("created", batch.counts.created);
    add("updated", batch.counts.updated);
    add("skipped", batch.counts.skipped);
    add("failed", batch.counts.failed);
    stats.set(batch.part.name, std::move(of));
    task.stats = std::move(stats);
    task.state.set("line", is_end ? 0 : batch.line);
    task.state.set("at", is_end ? 0 : lines.next_after(batch.rows_done));
    task.state.set("file", static_cast<std::int64_t>(at) + (is_end ? 1 : 0));
    if (batch.failures.is_array())
        task.state.set("failures", batch.failures);
    if (!batch.errors.empty())
        task.state.set("errors_bytes", before.state["errors_bytes"].integer() +
                                           static_cast<std::int64_t>(error_head(before).size() + batch.errors.size()));
    if (task.errors > 0)
        task.errors_file = task.key + ".errors.csv";
}

void begin_again(Task& task) {
    task.processed = task.errors = 0;
    task.stats = Value::object();
    for (const char* place : {"file", "at", "line", "errors_bytes"})
        task.state.set(place, 0);
    task.state.erase("failures");
}

}  // namespace

Result<bool> Importing::step(Task& task) {
    // A dry run stores nothing that it could go on with: one that was interrupted begins again.
    if (loaded_task_ != task.id && is_dry(task) && task.processed > 0)
        begin_again(task);
    const auto map = table_map(site_.store, site_.hooks);
    load_new_ids(*map, task);
    const Value files = task.state["files"];
    const auto at = static_cast<std::size_t>(task.state["file"].integer());
    if (at >= files.size()) {
        auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            finish(task, tx);
            return {};
        });
        if (!written)
            return written.error();
        refresh();
        return false;
    }
    const Part* const named = map->part_named(files[at].text());
    if (!named)  // its plugin was switched off meanwhile
        return Error{errc::conflict, "The table {files} is not among those that are imported any more."_sentence.with(
                                         "files", files[at].text())};
    const Part& part = *named;
    const auto table =
        site_.store.reading<record::RawTable>([&](store::Session& session) { return table_of(session, part); });
    Lines lines =
        lines_at(folder_of(task) + "/" + part.name + ".jsonl", task.state["at"].integer(), rows_a_step_, longest_line);
    Batch batch{
        .map = *map, .part = part, .table = table, .task_id = task.id, .mode = mode_of(task), .dry = is_dry(task)};
    // The step stores the position of the next one in its own transaction.
    const Task before = task;
    // The file of errors before the commit: done again it is written to the same place.
    const auto close = [&](store::Transaction& tx) -> Result<void> {
        count_up(task, before, batch, lines, at);
        if (!batch.errors.empty())
            if (auto appended = append_at(tasks_.path_of(task.errors_file), before.state["errors_bytes"].integer(),
                                          error_head(before) + batch.errors);
                !appended)
                return appended;
        tasks_.save(tx, task);
        return {};
    };
    Result<void> done;
    if (is_rejected([&] { done = run(before, batch, lines, batch.dry, close); }))
        done = run(before, batch, lines, true, close);
    if (done && batch.dry)
        done = site_.store.write_relaxed(close);
    if (!done) {
        task = before;
        return done.error();
    }
    for (const auto& [old_id, new_id] : batch.new_ids)
        new_ids_[part.table][old_id] = new_id;
    rows_a_step_ = Pace::next_rows(lines.lines.size(), batch.rows_done);
    return true;
}

void Importing::finish(Task& task, store::Transaction& tx) const {
    // Jobs rebuild the derived columns of trips.
    const auto trips = store::numbers(tx,
                                      "SELECT new_id FROM svc_task_rows WHERE task_id = :task AND entity = 'trips' AND"
                                      " outcome <> 'skipped'",
                                      {{"task", task.id}});
    catalog::trips::read_texts_again(tx, trips);
    booking::count_again(tx, trips);
    store::touch(tx, caches::changes_channel);
    tasks_.save(tx, task);
}

// Reloads this process's memory; the change channel notifies the others.
void Importing::refresh() const { static_cast<void>(caches_.clear({})); }

void Importing::ended(const Task& task) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_of(task), ignored);
    std::filesystem::remove(tasks_.path_of(task.key + ".upload"), ignored);
    new_ids_.clear();
    loaded_task_ = 0;
}

}  // namespace svc::import_export
