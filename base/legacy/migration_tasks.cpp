// Stages an export and migrates it in batches.
#include "base/legacy/migration_tasks.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/legacy/left_out.hpp"
#include "base/platform/csv/csv.hpp"
#include "base/platform/store/changes.hpp"
#include "base/transfer/file_pieces.hpp"
#include "base/transfer/pace.hpp"
#include "base/transfer/row_faults.hpp"
#include "shared/core/text.hpp"

namespace svc::legacy {
namespace {

using json::Value;
using tools::Task;

constexpr std::size_t rows_at_once = 100, longest_row = 4 << 20, most_references = 500'000;
const std::string errors_head = csv::utf8_mark + std::string("kind,record,name,problem\r\n");
constexpr json::Limits staged_limits{.depth = 32, .elements = 20'000, .text = 4 << 20};
constexpr json::Limits references_limits{.depth = 4, .elements = 3 * most_references, .text = 4096};

// Appends lines to the files of their kinds, a megabyte at a time.
class Stage {
  public:
    explicit Stage(std::function<std::string(std::string_view)> file_of) : file_of_(std::move(file_of)) {}
    Result<void> add(const std::string& kind, const Value& fields) {
        Lines& of = kinds_[kind];
        fields.dump_to(of.text);
        of.text += '\n';
        ++of.total;
        return of.text.size() > (1U << 20U) ? flush(kind, of) : Result<void>();
    }
    Result<Value> finish() {
        auto totals = Value::object();
        for (auto& [kind, of] : kinds_) {
            SVC_RETURN_IF_ERROR(flush(kind, of));
            totals.set(kind, of.total);
        }
        return totals;
    }

  private:
    struct Lines {
        std::string text;
        std::int64_t bytes = 0, total = 0;
    };
    Result<void> flush(const std::string& kind, Lines& of) {
        auto written = transfer::append_at(file_of_(kind), of.bytes, of.text);
        of.bytes += static_cast<std::int64_t>(of.text.size());
        of.text.clear();
        return written;
    }
    std::function<std::string(std::string_view)> file_of_;
    std::map<std::string, Lines> kinds_;
};

// Names a record in the file of errors, so that an operator finds it.
std::string name_of(const Value& fields) {
    for (const char* member :
         {"reference", "slug", "trip", "trip_slug", "email", "customer_email", "code", "name", "title"})
        if (const auto name = fields.find(member); name && name->is_string() && !name->text().empty())
            return name->text();
    return {};
}

// Whether the missing trip is among the staged trips.
bool waits_for(const Error& error, const Value& fields, const std::set<std::string>& coming) {
    return std::any_of(error.fields().begin(), error.fields().end(), [&](const FieldError& each) {
        return (each.field == "trip" || each.field == "trip_slug") && coming.contains(fields.text_or(each.field));
    });
}

Value object_of(const References::ById& texts) {
    json::Object members;
    for (const auto& [id, text] : texts)
        members.emplace_back(id, text);
    return Value(std::move(members));
}

}  // namespace

std::string MigrationTasks::file_of(std::string_view kind) const {
    return tasks_.path_of("legacy." + std::string(kind) + ".jsonl");
}

void MigrationTasks::clear() const {
    std::error_code ignored;
    for (const std::string_view kind : kind_names)
        std::filesystem::remove(file_of(kind), ignored);
    for (const char* name : {"legacy.json", "legacy.ids.json", "legacy.left.json", "legacy.upload"})
        std::filesystem::remove(tasks_.path_of(name), ignored);
}

Value MigrationTasks::read_state(const char* name) const {
    std::ifstream file(tasks_.path_of(name));
    const auto value = json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
    return value && value->is_object() ? *value : Value::object();
}

Value MigrationTasks::staged_totals() const { return read_state("legacy.json"); }
Value MigrationTasks::left_out() const { return read_state("legacy.left.json"); }

// Rows that the error file of a dry run has besides the failures.
std::string MigrationTasks::left_out_rows() const {
    std::string rows;
    const auto add = [&](std::string_view what, const std::string& count, std::string_view why) {
        rows += "left out," + count + "," + csv::cell(std::string(what)) + "," + csv::cell(std::string(why)) + "\r\n";
    };
    const Value left = left_out();  // must outlive the loop over its members
    for (const auto& [what, count] : left.members())
        add(what, count.number_text(), "These records of the export are not migrated.");
    for (const std::string_view kind : absent_names)
        add(kind, "", by_hand(kind));
    return rows;
}

Result<void> MigrationTasks::write_state(const char* name, const Value& value) const {
    return transfer::append_at(tasks_.path_of(name), 0, value.dump());
}

// The slugs of trips by their former numbers, for tables that are uploaded after the export.
References MigrationTasks::references() const {
    References references;
    std::ifstream file(tasks_.path_of("legacy.ids.json"), std::ios::binary);
    const auto kept = json::parse(std::string{std::istreambuf_iterator<char>(file), {}}, references_limits);
    if (kept && kept->is_object())
        for (const auto& [id, slug] : kept->members())
            references.trips[id] = slug.text();
    return references;
}

Result<Value> MigrationTasks::stage(const std::string& path) const {
    for (const std::string_view kind : kind_names) {
        std::error_code ignored;
        std::filesystem::remove(file_of(kind), ignored);
    }
    Stage stage([this](std::string_view kind) { return file_of(kind); });
    References references;
    LeftOut left;
    // Twice: a record may refer by number to one that follows it.
    auto read = read_wxr(path, [&](const Item& item) -> Result<void> {
        collect_references(item, references);
        if (references.trips.size() + references.pictures.size() + references.payments.size() +
                references.prices.size() + references.paid.size() + references.attributes.size() >
            most_references)
            return invalid("file", "The export has too many records.");
        return {};
    });
    if (read)
        read = read_wxr(path, [&](const Item& item) -> Result<void> {
            const auto all = records_of(item, references, left);
            left.count_item(item, !all.empty());
            for (const StagedRecord& one : all)
                if (auto added = stage.add(one.kind, one.fields); !added)
                    return added;
            return {};
        });
    auto totals = read ? stage.finish() : Result<Value>(read.error());
    if (totals)
        if (auto written = write_state("legacy.ids.json", object_of(references.trips)); !written)
            totals = written.error();
    if (totals)
        if (auto written = write_state("legacy.left.json", left.counts()); !written)
            totals = written.error();
    if (totals)
        if (auto written = write_state("legacy.json", *totals); !written)
            totals = written.error();
    if (!totals)
        clear();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return totals;
}

Result<Value> MigrationTasks::stage_table(const std::string& path, const std::string& kind) const {
    std::error_code ignored;
    std::filesystem::remove(file_of(kind), ignored);
    Stage stage([this](std::string_view name) { return file_of(name); });
    const References known = references();
    std::vector<std::string> columns;
    if (auto read = csv::read(path,
                              [&](std::size_t, const csv::Row& cells) -> Result<void> {
                                  if (columns.empty()) {
                                      for (const std::string& cell : cells)
                                          columns.push_back(text::folded(text::clean(cell)));
                                      return {};
                                  }
                                  auto row = Value::object();
                                  for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
                                      if (!cells[i].empty() && cells[i] != "NULL" && !columns[i].empty())
                                          row.set(columns[i], cells[i]);
                                  return stage.add(kind, fields_of_row(kind, row, known));
                              });
        !read)
        return read.error();
    auto fresh = stage.finish();
    if (!fresh)
        return fresh;
    Value totals = staged_totals();
    totals.set(kind, fresh->maybe_integer(kind).value_or(0));
    SVC_RETURN_IF_ERROR(write_state("legacy.json", totals));
    std::filesystem::remove(path, ignored);
    return totals;
}

// The records of one step.
struct MigrationTasks::Step {
    std::string kind;
    transfer::Lines lines;
    std::size_t at = 0;          // of the kind among the task's
    std::size_t lines_done = 0;  // of the lines
    std::int64_t line = 0;
    RecordMigration::Options options = {};
    bool dry = false;
    std::set<std::string> coming = {};  // slugs of staged trips, which a dry run has not stored
    std::vector<RecordMigration::FetchedPictures> fetched = {};  // of pictures, line by line
    std::int64_t migrated = 0, skipped = 0, failed = 0;
    std::string errors = {};
};

void MigrationTasks::migrate_lines(store::Transaction& tx, Step& step) const {
    step.migrated = step.skipped = step.failed = 0;
    step.errors.clear();
    std::int64_t line = step.line;
    const transfer::Pace pace(tx);
    step.lines_done = 0;
    for (std::size_t i = 0; i < step.lines.lines.size() && (i == 0 || !pace.is_over_after(i)); ++i) {
        ++line;
        ++step.lines_done;
        const auto fields = json::parse(step.lines.lines[i], staged_limits);
        std::string problem;
        RecordMigration::Remarks remarks;
        const auto add_error = [&](const std::string& what) {
            step.errors += step.kind + "," + std::to_string(line) + "," +
                           csv::cell(fields ? name_of(*fields) : std::string()) + "," + csv::cell(what) + "\r\n";
        };
        auto done = transfer::attempt_record(tx, {}, [&]() -> Result<void> {
            if (!fields || !fields->is_object())
                return Error{errc::validation_error, "The record cannot be read."};
            Result<Outcome> outcome = Outcome::skipped;
            if (step.kind != "pictures")
                outcome = records_.migrate(tx, step.kind, *fields, step.options, remarks);
            else if (i < step.fetched.size() && !step.dry)
                outcome = records_.migrate_pictures(tx, *fields, step.fetched[i].ids);
            else if (step.dry)
                outcome = Outcome::migrated;
            if (!outcome)
                return outcome.error();
            if (*outcome == Outcome::skipped)
                remarks.clear();
            ++(*outcome == Outcome::migrated ? step.migrated : step.skipped);
            return {};
        });
        if (!done && step.dry && fields && waits_for(done.error(), *fields, step.coming))
            ++step.migrated;
        else if (!done)
            problem = transfer::sentences_of(done.error());
        if (i < step.fetched.size())
            for (const std::string& each : step.fetched[i].problems)
                add_error(each);
        for (const std::string& each : remarks)
            add_error(each);
        if (problem.empty())
            continue;
        ++step.failed;
        add_error(problem);
    }
}

Result<void> MigrationTasks::close(store::Transaction& tx, Task& task, const Step& step) const {
    const std::int64_t from = task.state["errors_bytes"].integer();
    const bool has_errors = !task.errors_file.empty();
    const auto count = static_cast<std::int64_t>(step.lines_done);
    task.processed += count;
    task.errors += step.failed;
    Value of = task.stats[step.kind].is_object() ? task.stats[step.kind] : Value::object();
    for (const auto& [name, more] :
         {std::pair{"total", count}, {"migrated", step.migrated}, {"skipped", step.skipped}, {"failed", step.failed}})
        of.set(name, of.maybe_integer(name).value_or(0) + more);
    task.stats.set(step.kind, std::move(of));
    const bool is_end = step.lines.is_end_after(step.lines_done);
    task.state.set("kind", static_cast<std::int64_t>(step.at) + (is_end ? 1 : 0));
    task.state.set("at", is_end ? 0 : step.lines.next_after(step.lines_done));
    task.state.set("line", is_end ? 0 : step.line + count);
    if (!step.errors.empty()) {
        task.errors_file = task.key + ".errors.csv";
        const std::string text = (has_errors ? "" : errors_head) + step.errors;
        if (auto written = transfer::append_at(tasks_.path_of(task.errors_file), from, text); !written)
            return written;
        task.state.set("errors_bytes", from + static_cast<std::int64_t>(text.size()));
    }
    tasks_.save(tx, task);
    return {};
}

Result<bool> MigrationTasks::finish(Task& task) const {
    static_cast<void>(caches_.clear({}));
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // Jobs derive the data of lists and searches from trips.
        tx.run(
            "INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT DISTINCT b.trip_id, 1 FROM svc_task_rows r JOIN"
            " svc_bookings b ON b.id = r.new_id WHERE r.task_id = :task AND r.entity = 'bookings'"
            " ON CONFLICT (trip_id) DO UPDATE SET marks = svc_trip_counts_due.marks + 1",
            {{"task", task.id}});
        store::touch(tx, caches::changes_channel);
        tasks_.save(tx, task);
        return {};
    });
    return written ? Result<bool>(false) : Result<bool>(written.error());
}

Result<bool> MigrationTasks::step(Task& task) const {
    if (!task.state.find("kind")) {
        const Value totals = staged_totals();
        for (const std::string& kind : task.data_types)
            task.total += totals.maybe_integer(kind).value_or(0);
        std::int64_t bytes = 0;
        if (task.options.maybe_boolean("dry_run").value_or(false)) {
            const std::string text = errors_head + left_out_rows();
            task.errors_file = task.key + ".errors.csv";
            SVC_RETURN_IF_ERROR(transfer::append_at(tasks_.path_of(task.errors_file), 0, text));
            bytes = static_cast<std::int64_t>(text.size());
        }
        task.state = Value::object({{"kind", 0}, {"at", 0}, {"line", 0}, {"errors_bytes", bytes}});
    }
    const auto at = static_cast<std::size_t>(task.state["kind"].integer());
    if (at >= task.data_types.size())
        return finish(task);
    Step step{.kind = task.data_types[at], .lines = {}, .at = at};
    step.line = task.state["line"].integer();
    step.dry = task.options.maybe_boolean("dry_run").value_or(false);
    step.options = {.task_id = task.id, .force = task.options.maybe_boolean("force").value_or(false)};
    // Fetching pictures takes long, so a step has few of them and fetches before its transaction.
    step.lines = transfer::lines_at(file_of(step.kind), task.state["at"].integer(),
                                    step.kind == "pictures" && !step.dry ? 1 : rows_at_once, longest_row);
    if (step.kind == "pictures" && !step.dry)
        for (const std::string& text : step.lines.lines)
            if (const auto fields = json::parse(text, staged_limits);
                fields && fields->is_object() && records_.wants_pictures(*fields, step.options.force))
                step.fetched.push_back(records_.fetch_pictures(*fields));
    if (step.dry)
        for (const auto& [id, slug] : references().trips)
            step.coming.insert(slug);
    const Task before = task;
    bool rolled_back = false;
    auto written = site_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        migrate_lines(tx, step);
        if (step.dry) {
            rolled_back = true;
            return errc::conflict;
        }
        task = before;
        return close(tx, task, step);
    });
    if (rolled_back)
        written = site_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
            task = before;
            return close(tx, task, step);
        });
    if (!written) {
        task = before;
        return written.error();
    }
    return true;
}

}  // namespace svc::legacy
