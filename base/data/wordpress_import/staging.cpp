// Writes the files beside the present ones and puts them in their place when all of them are whole.
#include "base/data/wordpress_import/staging.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "base/data/import_export/file_pieces.hpp"
#include "base/platform/csv/csv.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;

constexpr std::size_t most_references = 500'000, lines_at_once = 500;
constexpr json::Limits kept_limits{.depth = 6, .elements = 6 * most_references, .text = 4096};
constexpr const char *state_file = "legacy.json", *ids_file = "legacy.ids.json";
// Files of a kind: those in use, those that are being written, and what the export had where a table was added.
constexpr std::string_view in_use = "legacy.", fresh = "legacy.new.", of_export = "legacy.export.";

// Appends lines to the files of their kinds, a megabyte at a time.
class Lines {
  public:
    explicit Lines(std::function<std::string(std::string_view)> file_of) : file_of_(std::move(file_of)) {}
    Result<void> add(const std::string& kind, const Value& fields) {
        OfKind& of = kinds_[kind];
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
    struct OfKind {
        std::string text;
        std::int64_t bytes = 0, total = 0;
    };
    Result<void> flush(const std::string& kind, OfKind& of) {
        auto written = import_export::append_at(file_of_(kind), of.bytes, of.text);
        of.bytes += static_cast<std::int64_t>(of.text.size());
        of.text.clear();
        return written;
    }
    std::function<std::string(std::string_view)> file_of_;
    std::map<std::string, OfKind> kinds_;
};

void count_dropped(const CleanBytes::Dropped& dropped, LeftOut& left) {
    if (dropped.blank_lines > 0)
        left.add("Blank lines before the export, which were skipped", dropped.blank_lines);
    if (dropped.characters > 0)
        left.add("Characters that XML forbids, which were dropped", dropped.characters);
}

// What names a departure in a line.
std::string day_of(const std::string& line) {
    const auto fields = json::parse(line, staged_limits);
    return fields && fields->is_object()
               ? fields->text_or("trip_slug") + " " + fields->text_or("start_date") + " " + fields->text_or("time")
               : std::string();
}

std::set<std::string> days_in(const std::string& path) {
    std::set<std::string> days;
    std::ifstream in(path, std::ios::binary);
    for (std::string line; std::getline(in, line);)
        days.insert(day_of(line));
    return days;
}

}  // namespace

std::string Staging::path_of(std::string_view which, std::string_view kind) const {
    return tasks_.path_of(std::string(which) + std::string(kind) + ".jsonl");
}

std::string Staging::file_of(std::string_view kind) const { return path_of(in_use, kind); }

void Staging::remove_kinds(std::string_view which) const {
    std::error_code ignored;
    for (const std::string_view kind : kind_names)
        std::filesystem::remove(path_of(which, kind), ignored);
}

void Staging::clear() const {
    for (const std::string_view which : {in_use, fresh, of_export})
        remove_kinds(which);
    std::error_code ignored;
    for (const char* name : {state_file, ids_file, "legacy.left.json", "legacy.upload"})
        std::filesystem::remove(tasks_.path_of(name), ignored);
}

Value Staging::read_state(const char* name) const {
    std::ifstream file(tasks_.path_of(name), std::ios::binary);
    const auto value = json::parse(std::string{std::istreambuf_iterator<char>(file), {}}, kept_limits);
    return value && value->is_object() ? *value : Value::object();
}

Result<void> Staging::write_state(const char* name, const Value& value) const {
    return import_export::append_at(tasks_.path_of(name), 0, value.dump());
}

Value Staging::totals() const {
    const Value state = read_state(state_file);
    return state["totals"].is_object() ? state["totals"] : Value::object();
}

Value Staging::left_out() const {
    const Value state = read_state(state_file);
    auto counts = Value::object();
    if (state["left"].is_object())
        for (const auto& [part, of_part] : state["left"].members())
            for (const auto& [what, count] : of_part.members())
                counts.set(what, counts.maybe_integer(what).value_or(0) + count.integer());
    return counts;
}

Value Staging::currencies() const {
    const Value state = read_state(state_file);
    return state["currencies"].is_object() ? state["currencies"] : Value::object();
}

Value Staging::migrations_before() const {
    const Value state = read_state(state_file);
    return state["after"].is_object() ? state["after"] : Value::object();
}

Result<Value> Staging::read_export(const std::string& path, References& references, LeftOut& left) const {
    Lines lines([this](std::string_view kind) { return path_of(fresh, kind); });
    // Twice: a record may refer by number to one that follows it.
    SVC_ASSIGN_OR_RETURN(const auto dropped, read_wxr(path, [&](const Item& item) -> Result<void> {
                             collect_references(item, references);
                             if (references.size() > most_references)
                                 return invalid("file", "The export has too many records."_sentence);
                             return {};
                         }));
    count_dropped(dropped, left);
    auto read = read_wxr(path, [&](const Item& item) -> Result<void> {
        const auto all = records_of(item, references, left);
        left.count_item(item, kind_of_item(item));
        for (const StagedRecord& one : all)
            SVC_RETURN_IF_ERROR(lines.add(one.kind, one.fields));
        return {};
    });
    return read ? lines.finish() : Result<Value>(read.error());
}

Result<Value> Staging::stage(const std::string& path, std::int64_t after) const {
    remove_kinds(fresh);
    References references;
    references.today = site_.settings.zone().date_at(site_.clock.now());
    LeftOut left;
    const auto totals = read_export(path, references, left);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!totals) {
        remove_kinds(fresh);
        return totals;
    }
    auto after_all = Value::object(), currencies = Value::object();
    for (const auto& [kind, total] : totals->members())
        after_all.set(kind, after);
    for (const auto& [code, count] : references.currencies)
        currencies.set(code, count);
    // Without a state nothing is staged: a process that dies here leaves no mixture of two exports.
    clear_but_fresh();
    for (const auto& [kind, total] : totals->members()) {
        std::error_code failed;
        std::filesystem::rename(path_of(fresh, kind), path_of(in_use, kind), failed);
        if (failed)
            return errc::unavailable;
    }
    SVC_RETURN_IF_ERROR(write_state(ids_file, references.kept()));
    SVC_RETURN_IF_ERROR(write_state(state_file, Value::object({{"totals", *totals},
                                                               {"after", std::move(after_all)},
                                                               {"currencies", std::move(currencies)},
                                                               {"left", Value::object({{"export", left.counts()}})}})));
    return totals;
}

void Staging::clear_but_fresh() const {
    std::error_code ignored;
    std::filesystem::remove(tasks_.path_of(state_file), ignored);
    remove_kinds(in_use);
    remove_kinds(of_export);
}

Result<Value> Staging::read_table(const std::string& path, const std::string& kind, LeftOut& left) const {
    Lines lines([this](std::string_view name) { return path_of(fresh, name); });
    References known;
    known.read_kept(read_state(ids_file));
    known.today = site_.settings.zone().date_at(site_.clock.now());
    std::vector<std::string> columns;
    SVC_RETURN_IF_ERROR(csv::read(path, [&](std::size_t, const csv::Row& cells) -> Result<void> {
        if (columns.empty()) {
            for (const std::string& cell : cells)
                columns.push_back(text::folded(text::clean(cell)));
            return {};
        }
        auto row = Value::object();
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
            if (!cells[i].empty() && cells[i] != "NULL" && !columns[i].empty())
                row.set(columns[i], cells[i]);
        for (const Value& fields : fields_of_row(kind, row, known, left))
            SVC_RETURN_IF_ERROR(lines.add(kind, fields));
        return {};
    }));
    return lines.finish();
}

Result<Value> Staging::stage_table(const std::string& path, const std::string& kind, std::int64_t after) const {
    remove_kinds(fresh);
    LeftOut left;
    const auto rows = read_table(path, kind, left);
    std::error_code failed;
    std::filesystem::remove(path, failed);
    if (!rows) {
        remove_kinds(fresh);
        return rows;
    }
    Value state = read_state(state_file);
    Value totals = state["totals"].is_object() ? state["totals"] : Value::object(),
          parts = state["left"].is_object() ? state["left"] : Value::object(),
          after_all = state["after"].is_object() ? state["after"] : Value::object();
    const std::string kept = path_of(of_export, kind);
    if (!parts.find(kind) && std::filesystem::exists(file_of(kind)))
        std::filesystem::rename(file_of(kind), kept, failed);
    // The rows count first: they say how a day differs from what the export has.
    std::int64_t total = rows->maybe_integer(kind).value_or(0);
    {
        const auto said = kind == "tour_dates" ? days_in(path_of(fresh, kind)) : std::set<std::string>();
        std::ofstream out(path_of(fresh, kind), std::ios::binary | std::ios::app);
        std::ifstream in(kept, std::ios::binary);
        for (std::string line; std::getline(in, line);)
            if (said.empty() || !said.contains(day_of(line))) {
                out << line << '\n';
                ++total;
            }
        out.flush();
        if (!out)
            return errc::unavailable;
    }
    std::filesystem::rename(path_of(fresh, kind), file_of(kind), failed);
    if (failed)
        return errc::unavailable;
    totals.set(kind, total);
    after_all.set(kind, after);
    parts.set(kind, left.counts());
    state.set("totals", totals);
    state.set("after", std::move(after_all));
    state.set("left", std::move(parts));
    SVC_RETURN_IF_ERROR(write_state(state_file, state));
    return totals;
}

Staging::Places Staging::places_of(std::string_view kind) const {
    Places places;
    const char* const key = kind == "bookings" ? "reference" : "slug";
    std::int64_t at = 0;
    for (bool is_end = false; !is_end && places.size() < most_references;) {
        const auto some = import_export::lines_at(file_of(kind), at, lines_at_once, longest_row, 1 << 20);
        std::int64_t place = at;
        for (std::size_t i = 0; i < some.lines.size(); ++i) {
            if (const auto fields = json::parse(some.lines[i], staged_limits); fields && fields->is_object())
                places.try_emplace(fields->text_or(key), place);
            place = some.ends[i];
        }
        at = some.next;
        is_end = some.is_end || some.lines.empty();
    }
    return places;
}

std::optional<Value> Staging::record_at(std::string_view kind, std::int64_t place) const {
    const auto some = import_export::lines_at(file_of(kind), place, 1, longest_row);
    if (some.lines.empty())
        return std::nullopt;
    auto fields = json::parse(some.lines.front(), staged_limits);
    return fields && fields->is_object() ? std::optional(std::move(*fields)) : std::nullopt;
}

}  // namespace svc::wordpress_import
