// Maps, checks and stores rows of tables.
#include "base/transfer/csv_importing.hpp"

#include <algorithm>
#include <filesystem>

#include "base/platform/csv/csv.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::transfer {
namespace {

using json::Value;
using tools::Task;

constexpr std::size_t most_csv_rows = 500, least_csv_rows = 25;
constexpr auto wanted_csv_step = std::chrono::milliseconds(25);

std::string plain_name(std::string_view name) {
    std::string plain = text::folded(text::clean(name));
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == ' ' || c == '-' || c == '.'; }, '_');
    return plain;
}

const api::Field* field_like(const CsvKind& kind, const std::string& column) {
    for (const api::Field& field : kind.fields.fields())
        if (plain_name(field.name) == column ||
            std::any_of(field.also.begin(), field.also.end(),
                        [&](const std::string& also) { return plain_name(also) == column; }))
            return &field;
    return nullptr;
}

bool csv_is_dry(const Task& task) { return task.options.maybe_boolean("dry_run").value_or(false); }

std::string sentences_of(const Error& error) {
    if (error.fields().empty())
        return error.message();
    std::string all;
    for (const FieldError& each : error.fields())
        all += (all.empty() ? "" : " ") + each.field + ": " + each.sentence;
    return all;
}

}  // namespace

Value CsvImporting::mapping_for(const CsvKind& kind, const std::vector<std::string>& columns) const {
    const auto kept = site_.store.reading<std::optional<std::string>>([&](store::Session& session) {
        return store::value<std::string>(session, "SELECT mapping FROM svc_import_mappings WHERE kind = :kind",
                                         {{"kind", kind.name}});
    });
    const auto last = kept ? json::parse(*kept) : Result<Value>(Value::object());
    auto mapping = Value::object();
    for (const std::string& column : columns) {
        if (const Value* before = last ? last->find(column) : nullptr; before && before->is_string()) {
            mapping.set(column, *before);
            continue;
        }
        const api::Field* field = field_like(kind, plain_name(column));
        mapping.set(column, field ? Value(field->name) : Value());
    }
    return mapping;
}

void CsvImporting::keep_mapping(store::Transaction& tx, const std::string& kind, const Value& mapping) const {
    tx.run(
        "INSERT INTO svc_import_mappings (kind, mapping, updated_at) VALUES (:kind, :mapping, :now) ON CONFLICT (kind)"
        " DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at",
        {{"kind", kind}, {"mapping", mapping.dump()}, {"now", site_.clock.now()}});
}

Result<bool> CsvImporting::begin(Task& task, const std::string& path) const {
    const CsvKind& kind = *kinds_.named(task.options.text_or("csv"));
    std::error_code ignored;
    std::filesystem::create_directories(tasks_.path_of(task.key + ".work"), ignored);
    std::vector<std::string> columns;
    std::string lines;
    std::int64_t bytes = 0, rows = 0;
    Value mapping = task.options["mapping"];
    const auto flush = [&]() -> Result<void> {
        auto written = append_at(rows_file(task), bytes, lines);
        bytes += static_cast<std::int64_t>(lines.size());
        lines.clear();
        return written;
    };
    auto read = csv::read(path, [&](std::size_t number, const csv::Row& cells) -> Result<void> {
        if (columns.empty()) {
            for (const std::string& cell : cells)
                columns.push_back(text::clean(cell));
            if (!mapping.is_object())
                mapping = mapping_for(kind, columns);
            return {};
        }
        auto fields = Value::object();
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
            if (const Value* field = mapping.find(columns[i]);
                field && field->is_string() && !field->text().empty() && !cells[i].empty())
                fields.set(field->text(), cells[i]);
        Value::object({{"line", static_cast<std::int64_t>(number)}, {"fields", std::move(fields)}}).dump_to(lines);
        lines += '\n';
        ++rows;
        return lines.size() > (1U << 20U) ? flush() : Result<void>();
    });
    if (read)
        read = flush();
    if (!read)
        return read.error();
    if (rows == 0)
        return invalid("file", "The file has no row below its head.");
    task.total = rows;
    task.state = Value::object({{"rows", true}, {"at", 0}, {"errors_bytes", 0}});
    auto saved = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        keep_mapping(tx, kind.name, mapping);
        tasks_.save(tx, task);
        return {};
    });
    if (!saved)
        return saved.error();
    std::filesystem::remove(path, ignored);
    return true;
}

Result<Outcome> CsvImporting::take(store::Transaction& tx, const Task& task, const CsvKind& kind,
                                   const Value& line) const {
    const std::string mode = task.options.text_or("mode", "skip");
    const Value given = line["fields"];
    // Partial: a table need not have every field of a record that is here already.
    const auto partial = kind.fields.partial().check(given, true);
    if (!partial)
        return partial.error();
    const auto id = kind.find(tx, *partial);
    if (id && mode == "create")
        return invalid(kind.key, "There is such a record already.");
    if (id && mode == "skip")
        return Outcome::skipped;
    std::optional<std::string> before;
    std::int64_t stored = id.value_or(0);
    if (id) {
        const auto table = table_of(tx, *part_named(kind.part));
        if (const auto row = table.find_by(tx, {"id"}, Value::object({{"id", *id}})))
            before = row->dump();
        if (auto done = kind.update(tx, *id, *partial); !done)
            return done.error();
    } else {
        const auto body = kind.fields.check(given, true);
        if (!body)
            return body.error();
        const auto made = kind.create(tx, *body);
        if (!made)
            return made.error();
        stored = *made;
    }
    const Outcome outcome = id ? Outcome::updated : Outcome::created;
    tx.run(
        "INSERT INTO svc_task_rows (task_id, entity, old_id, new_id, outcome, before) VALUES (:task, :entity, :line,"
        " :id, :outcome, :before) ON CONFLICT (task_id, entity, old_id) DO NOTHING",
        {{"task", task.id},
         {"entity", kind.part},
         {"line", std::to_string(line["line"].integer())},
         {"id", stored},
         {"outcome", outcome_names[static_cast<std::size_t>(outcome)]},
         {"before", before}});
    return outcome;
}

Result<bool> CsvImporting::step(Task& task) {
    const CsvKind& kind = *kinds_.named(task.options.text_or("csv"));
    const auto began = std::chrono::steady_clock::now();
    const Lines lines = lines_at(rows_file(task), task.state["at"].integer(), rows_a_step_, 1 << 20);
    if (lines.lines.empty()) {
        static_cast<void>(caches_.clear({}));
        auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            store::touch(tx, caches::changes_channel);
            return {};
        });
        return written ? Result<bool>(false) : Result<bool>(written.error());
    }
    const Task before = task;
    Done done;
    std::string errors;
    bool rolled_back = false;
    const auto count_up = [&](store::Transaction& tx) -> Result<void> {
        task = before;
        task.processed += static_cast<std::int64_t>(lines.lines.size());
        task.errors += done.failed;
        Value of = task.stats[kind.name].is_object() ? task.stats[kind.name] : Value::object();
        for (const auto& [name, count] : {std::pair{"total", static_cast<std::int64_t>(lines.lines.size())},
                                          {"imported", done.created + done.updated},
                                          {"created", done.created},
                                          {"updated", done.updated},
                                          {"skipped", done.skipped},
                                          {"failed", done.failed}})
            of.set(name, of.maybe_integer(name).value_or(0) + count);
        task.stats.set(kind.name, std::move(of));
        task.state.set("at", lines.next);
        if (!errors.empty()) {
            const std::string text = (before.errors == 0 ? "line,problem,fields\r\n" : "") + errors;
            task.errors_file = task.key + ".errors.csv";
            const auto at = before.state["errors_bytes"].integer();
            if (auto told = append_at(tasks_.path_of(task.errors_file), at, text); !told)
                return told;
            task.state.set("errors_bytes", at + static_cast<std::int64_t>(text.size()));
        }
        tasks_.save(tx, task);
        return {};
    };
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        done = {};
        errors.clear();
        for (const std::string& text : lines.lines) {
            const auto line = json::parse(text);
            if (!line)
                continue;  // our own file; a line that is cut off has not been written whole
            std::optional<Error> error;
            try {
                if (auto attempted = tx.attempt([&]() -> Result<void> {
                        const auto outcome = take(tx, before, kind, *line);
                        if (!outcome)
                            return outcome.error();
                        ++(*outcome == Outcome::created   ? done.created
                           : *outcome == Outcome::updated ? done.updated
                                                          : done.skipped);
                        return {};
                    });
                    !attempted)
                    error = attempted.error();
            } catch (const store::UniqueViolation&) {
                error = invalid(kind.key, "There is such a record already.");
            } catch (const store::ConstraintViolation&) {
                error = Error{errc::validation_error, "The database rejects the values of this row."};
            }
            if (!error)
                continue;
            ++done.failed;
            errors += std::to_string((*line)["line"].integer()) + "," + csv::cell(sentences_of(*error)) + "," +
                      csv::cell((*line)["fields"].dump()) + "\r\n";
        }
        if (csv_is_dry(before)) {
            rolled_back = true;
            return errc::conflict;
        }
        return count_up(tx);
    });
    if (rolled_back)
        written = site_.store.write(count_up);
    if (!written) {
        task = before;
        return written.error();
    }
    const auto took = std::chrono::steady_clock::now() - began;
    if (took > wanted_csv_step * 2)
        rows_a_step_ = std::max(least_csv_rows, rows_a_step_ / 2);
    else if (took < wanted_csv_step)
        rows_a_step_ = std::min(most_csv_rows, rows_a_step_ * 2);
    return true;
}

}  // namespace svc::transfer
