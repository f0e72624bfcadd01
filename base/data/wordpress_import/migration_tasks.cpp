// Migrates staged records in batches.
#include "base/data/wordpress_import/migration_tasks.hpp"

#include <algorithm>
#include <map>

#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/pace.hpp"
#include "base/data/import_export/row_faults.hpp"
#include "base/data/wordpress_import/left_out.hpp"
#include "base/platform/csv/csv.hpp"
#include "base/platform/store/changes.hpp"
#include "base/sales/booking/upkeep/counts_due.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using maintenance::Task;

constexpr std::size_t rows_at_once = 100, most_unpaid = 10'000;
const std::string errors_head = csv::utf8_mark + std::string("kind,record,name,problem\r\n");

// Names a record in the file of errors, so that an operator finds it.
std::string name_of(const Value& fields) {
    for (const char* member :
         {"reference", "slug", "trip", "trip_slug", "email", "customer_email", "code", "name", "title"})
        if (const auto name = fields.find(member); name && name->is_string() && !name->text().empty())
            return name->text();
    return {};
}

bool is_dry(const Task& task) { return task.options.maybe_boolean("dry_run").value_or(false); }

}  // namespace

// Rows that the error file of a dry run has besides the failures.
std::string MigrationTasks::left_out_rows() const {
    std::string rows;
    const auto add = [&](std::string_view what, const std::string& count, std::string_view why) {
        rows += "left out," + count + "," + csv::cell(std::string(what)) + "," + csv::cell(std::string(why)) + "\r\n";
    };
    const std::string site(site_.settings.currency().code());
    const Value currencies = staging.currencies();  // must outlive the loop over its members
    for (const auto& [code, count] : currencies.members())
        if (code != site)
            rows += "currency," + count.number_text() + "," + csv::cell(code) + "," +
                    csv::cell("These bookings are in " + code + ", and prices here are in " + site +
                              ". Set the currency first if the prices of the trips were in " + code + ", too.") +
                    "\r\n";
    const Value left = staging.left_out();
    for (const auto& [what, count] : left.members())
        add(what, count.number_text(), "This is in the export and not migrated as it is.");
    for (const std::string_view kind : absent_names)
        add(kind, "", by_hand(kind).english);
    return rows;
}

// The records of one step.
struct MigrationTasks::Step {
    std::string kind;
    import_export::Lines lines;
    std::size_t at = 0;          // of the kind among the task's
    std::size_t lines_done = 0;  // of the lines
    std::int64_t line = 0;
    RecordMigration::Options options = {};
    bool dry = false;
    // Of a dry run: where the staged records are that its records refer to, and that may not be stored yet.
    const std::map<std::string, Staging::Places>* places = nullptr;
    std::optional<RecordMigration::FetchedPictures> fetched = {};  // of the line, where pictures are wanted
    std::int64_t migrated = 0, skipped = 0, failed = 0;
    std::string errors = {};
    std::vector<std::string> unpaid = {};  // bookings whose payments failed
};

void MigrationTasks::bring(store::Transaction& tx, const Step& step, const std::string& kind,
                           const std::string& key) const {
    const auto places = step.places->find(kind);
    if (key.empty() || places == step.places->end())
        return;
    const auto place = places->second.find(key);
    const auto staged = place == places->second.end() ? std::nullopt : staging.record_at(kind, place->second);
    if (!staged)
        return;
    if (kind == "bookings")
        bring(tx, step, "trips", staged->text_or("trip"));
    // One that fails is reported in its own kind; here it is missing, as it will be.
    RecordMigration::Remarks ignored;
    static_cast<void>(import_export::attempt_record(tx, {}, [&]() -> Result<void> {
        auto done = records_.migrate(tx, kind, *staged, {.task_id = step.options.task_id}, ignored);
        return done ? Result<void>() : Result<void>(done.error());
    }));
}

void MigrationTasks::bring_referred(store::Transaction& tx, const Step& step, const Value& fields) const {
    if (step.kind == "payments")
        bring(tx, step, "bookings", fields.text_or("reference", fields.text_or("booking")));
    else if (const std::string term = fields.text_or("term"); step.kind == "pictures" && !term.empty())
        bring(tx, step, term, fields.text_or("slug"));
    else if (step.kind != "trips")
        bring(tx, step, "trips", fields.text_or("trip", fields.text_or("trip_slug")));
}

Result<Outcome> MigrationTasks::migrate_record(store::Transaction& tx, const Step& step, std::size_t line,
                                               const Value& fields, RecordMigration::Remarks& remarks) const {
    if (step.kind != "pictures")
        return records_.migrate(tx, step.kind, fields, step.options, remarks);
    return records_.migrate_pictures(tx, fields, line == 0 && step.fetched ? &*step.fetched : nullptr);
}

void MigrationTasks::migrate_lines(store::Transaction& tx, Step& step) const {
    step.migrated = step.skipped = step.failed = 0;
    step.errors.clear();
    step.unpaid.clear();
    std::int64_t line = step.line;
    const import_export::Pace pace(tx);
    step.lines_done = 0;
    for (std::size_t i = 0; i < step.lines.lines.size() && (i == 0 || !pace.is_over_after(i)); ++i) {
        ++line;
        ++step.lines_done;
        const auto fields = json::parse(step.lines.lines[i], staged_limits);
        const bool is_record = fields && fields->is_object();
        RecordMigration::Remarks remarks;
        const auto add_row = [&](const std::string& what) {
            step.errors += step.kind + "," + std::to_string(line) + "," +
                           csv::cell(is_record ? name_of(*fields) : std::string()) + "," + csv::cell(what) + "\r\n";
        };
        if (is_record && step.dry)
            bring_referred(tx, step, *fields);
        const auto done = import_export::attempt_record(tx, {}, [&]() -> Result<void> {
            if (!is_record)
                return Error{errc::validation_error, "The record cannot be read."_sentence};
            SVC_ASSIGN_OR_RETURN(const auto outcome, migrate_record(tx, step, i, *fields, remarks));
            if (outcome == Outcome::skipped)
                remarks.clear();
            else if (const Value* sentences = fields->find("_remarks"); sentences && sentences->is_array())
                for (const Value& sentence : sentences->items())
                    remarks.push_back(sentence.text());
            ++(outcome == Outcome::migrated ? step.migrated : step.skipped);
            return {};
        });
        if (i == 0 && step.fetched)
            for (const std::string& each : step.fetched->problems)
                add_row(each);
        for (const std::string& each : remarks)
            add_row(each);
        if (done)
            continue;
        ++step.failed;
        add_row(import_export::sentences_of(done.error()).english());
        if (step.kind == "payments" && is_record)
            step.unpaid.push_back(fields->text_or("reference", fields->text_or("booking")));
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
    Value unpaid = task.state["unpaid"].is_array() ? task.state["unpaid"] : Value::array();
    for (const std::string& reference : step.unpaid)
        if (unpaid.size() < most_unpaid)
            unpaid.push(reference);
    task.state.set("unpaid", std::move(unpaid));
    if (!step.errors.empty()) {
        task.errors_file = task.key + ".errors.csv";
        const std::string text = (has_errors ? "" : errors_head) + step.errors;
        if (auto written = import_export::append_at(tasks_.path_of(task.errors_file), from, text); !written)
            return written;
        task.state.set("errors_bytes", from + static_cast<std::int64_t>(text.size()));
    }
    tasks_.save(tx, task);
    return {};
}

Result<bool> MigrationTasks::finish(Task& task) const {
    static_cast<void>(caches_.clear({}));
    const bool has_payments =
        !is_dry(task) && std::find(task.data_types.begin(), task.data_types.end(), "payments") != task.data_types.end();
    std::vector<std::string> unpaid;
    if (task.state["unpaid"].is_array())
        for (const Value& reference : task.state["unpaid"].items())
            unpaid.push_back(reference.text());
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (has_payments)
            records_.know_payments(tx, unpaid);
        // Jobs derive the data of lists and searches from trips.
        booking::count_again(tx, store::numbers(tx,
                                                "SELECT DISTINCT b.trip_id FROM svc_task_rows r JOIN svc_bookings b ON"
                                                " b.id = r.new_id WHERE r.task_id = :task AND r.entity = 'bookings'",
                                                {{"task", task.id}}));
        store::touch(tx, caches::changes_channel);
        tasks_.save(tx, task);
        return {};
    });
    return written ? Result<bool>(false) : Result<bool>(written.error());
}

Result<void> MigrationTasks::begin(Task& task) const {
    const Value totals = staging.totals();
    for (const std::string& kind : task.data_types)
        task.total += totals.maybe_integer(kind).value_or(0);
    std::int64_t bytes = 0;
    if (is_dry(task)) {
        const std::string text = errors_head + left_out_rows();
        task.errors_file = task.key + ".errors.csv";
        SVC_RETURN_IF_ERROR(import_export::append_at(tasks_.path_of(task.errors_file), 0, text));
        bytes = static_cast<std::int64_t>(text.size());
    }
    task.state = Value::object({{"kind", 0}, {"at", 0}, {"line", 0}, {"errors_bytes", bytes}});
    return {};
}

// Fetching pictures takes long, so a step has one record of them and fetches before its transaction.
void MigrationTasks::look_for_pictures(Step& step) const {
    for (const std::string& text : step.lines.lines)
        if (const auto fields = json::parse(text, staged_limits);
            fields && fields->is_object() && records_.wants_pictures(*fields, step.options.force, step.dry))
            step.fetched = records_.fetch_pictures(*fields, step.dry);
}

void MigrationTasks::find_places(Step& step, const Task& task) const {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(places_of_, task.id) != task.id) {
        places_.clear();
        for (const char* kind : {"trips", "bookings", "destinations", "activities", "trip_categories"})
            places_[kind] = staging.places_of(kind);
    }
    step.places = &places_;
}

Result<bool> MigrationTasks::step(Task& task) const {
    if (!task.state.find("kind"))
        SVC_RETURN_IF_ERROR(begin(task));
    const auto at = static_cast<std::size_t>(task.state["kind"].integer());
    if (at >= task.data_types.size())
        return finish(task);
    Step step{.kind = task.data_types[at], .lines = {}, .at = at};
    step.line = task.state["line"].integer();
    step.dry = is_dry(task);
    step.options = {.task_id = task.id, .force = task.options.maybe_boolean("force").value_or(false)};
    step.lines = import_export::lines_at(staging.file_of(step.kind), task.state["at"].integer(),
                                         step.kind == "pictures" ? 1 : rows_at_once, longest_row);
    if (step.kind == "pictures")
        look_for_pictures(step);
    if (step.dry)
        find_places(step, task);
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

}  // namespace svc::wordpress_import
