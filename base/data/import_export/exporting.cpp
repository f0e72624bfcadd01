// Writes pages of rows as lines of files, and packs the files into an archive.
#include "base/data/import_export/exporting.hpp"

#include <algorithm>
#include <filesystem>

#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/table_map.hpp"
#include "base/platform/archives/archives.hpp"

namespace svc::import_export {
namespace {

using json::Value;
using maintenance::Task;

constexpr std::int64_t rows_a_step = 500;

// Identifies a row outside of this installation: {"trip_id": {"slug": "nile-cruise"}} for references to records
// that the export does not hold.
class Keys {
  public:
    Keys(store::Session& session, const TableMap& map, const Part& part, const std::vector<const Part*>& exported)
        : session_(session) {
        for (const Reference& reference : part.references) {
            const bool is_held = std::any_of(exported.begin(), exported.end(),
                                             [&](const Part* each) { return each->table == reference.table; });
            if (const Part* keyed = map.keyed_part_of(reference.table); keyed && !is_held)
                references_.emplace_back(&reference, keyed, table_of(session, *keyed));
        }
    }
    void add_to(Value& row) {
        auto keys = Value::object();
        for (auto& [reference, part, table] : references_)
            if (const Value* id = row.find(reference->column); id && id->is_number()) {
                Value key = key_of(*part, table, id->integer());
                if (!key.is_null())
                    keys.set(reference->column, std::move(key));
            }
        if (keys.size() > 0)
            row.set("_keys", std::move(keys));
    }

  private:
    Value key_of(const Part& part, const record::RawTable& table, std::int64_t id) {
        const auto known = known_.find({part.table, id});
        if (known != known_.end())
            return known->second;
        Value key;
        if (const auto row = table.find_by(session_, {"id"}, Value::object({{"id", id}}))) {
            key = Value::object();
            for (const std::string& column : part.key)
                key.set(column, (*row)[column]);
        }
        known_[{part.table, id}] = key;
        return key;
    }
    struct KeyedReference {
        const Reference* reference;
        const Part* part;
        record::RawTable table;
        KeyedReference(const Reference* r, const Part* p, record::RawTable t)
            : reference(r), part(p), table(std::move(t)) {}
    };
    store::Session& session_;
    std::vector<KeyedReference> references_;
    std::map<std::pair<std::string, std::int64_t>, Value> known_;
};

// Rows created after the export started may refer to rows that it lacks.
bool is_newer(const Value& row, const Part& part, const Value& limits) {
    const auto over = [&](std::string_view column, const std::string& table) {
        const Value* id = row.find(column);
        const Value* limit = limits.find(table);
        return id && id->is_number() && limit && id->integer() > limit->integer();
    };
    return over("id", part.table) || std::any_of(part.references.begin(), part.references.end(),
                                                 [&](const Reference& each) { return over(each.column, each.table); });
}

}  // namespace

record::RawTable table_of(store::Session& session, const Part& part) {
    return {session, part.table, part.left_out, part.condition};
}

maintenance::Tasks::Kind Exporting::kind() {
    return {.step = [this](Task& task) { return step(task); },
            .ended =
                [this](const Task& task) {
                    std::error_code ignored;
                    std::filesystem::remove_all(folder_of(task), ignored);
                }};
}

Result<bool> Exporting::save(Task& task, bool more) const {
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tasks_.save(tx, task);
        return {};
    });
    if (!written)
        return written.error();
    return more;
}

Result<bool> Exporting::step(Task& task) const {
    const auto map = table_map(site_.store, site_.hooks);
    const auto parts = map->parts_of(task.data_types);
    if (!task.state.find("part"))
        return begin(task, parts);
    const auto at = static_cast<std::size_t>(task.state["part"].integer());
    return at < parts.size() ? write_page(task, *map, *parts[at]) : finish(task, parts);
}

// The highest ids; those of referring rows are read before those of referenced ones, so that no reference points past
// the end.
Result<bool> Exporting::begin(Task& task, const std::vector<const Part*>& parts) const {
    std::error_code failed;
    std::filesystem::create_directories(folder_of(task), failed);
    if (failed)
        return Error{errc::unavailable, "The folder of exports cannot be written."_sentence};
    auto limits = Value::object();
    task.total = 0;
    site_.store.read([&](store::Session& session) {
        limits = Value::object();
        task.total = 0;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            const auto table = table_of(session, **part);
            task.total += table.count(session);
            if (table.has_id())
                limits.set((*part)->table, table.highest_id(session));
        }
    });
    task.state =
        Value::object({{"part", 0}, {"after", nullptr}, {"bytes", 0}, {"rows", Value::object()}, {"limits", limits}});
    return save(task, true);
}

Result<bool> Exporting::write_page(Task& task, const TableMap& map, const Part& part) const {
    const auto parts = map.parts_of(task.data_types);
    std::string lines;
    Value last = task.state["after"];
    std::int64_t read = 0, kept = 0;
    site_.store.read([&](store::Session& session) {
        lines.clear();
        last = task.state["after"];
        read = kept = 0;
        const auto table = table_of(session, part);
        Keys keys(session, map, part, parts);
        for (Value& row : table.page(session, last, rows_a_step)) {
            ++read;
            last = table.key_of(row);
            if (is_newer(row, part, task.state["limits"]))
                continue;
            keys.add_to(row);
            row.dump_to(lines);
            lines += '\n';
            ++kept;
        }
    });
    const std::int64_t bytes = task.state["bytes"].integer();
    SVC_RETURN_IF_ERROR(append_at(folder_of(task) + "/" + part.name + ".jsonl", bytes, lines));
    Value rows = task.state["rows"];
    rows.set(part.name, rows.maybe_integer(part.name).value_or(0) + kept);
    task.state.set("rows", rows);
    task.processed += read;
    const bool is_over = read < rows_a_step;
    task.state.set("part", task.state["part"].integer() + (is_over ? 1 : 0));
    task.state.set("after", is_over ? Value() : last);
    task.state.set("bytes", is_over ? 0 : bytes + static_cast<std::int64_t>(lines.size()));
    auto stats = Value::object();
    for (const auto& [name, count] : rows.members())
        stats.set(name, Value::object({{"total", count}}));
    task.stats = std::move(stats);
    return save(task, true);
}

Result<bool> Exporting::finish(Task& task, const std::vector<const Part*>& parts) const {
    auto types = json::array_of(task.data_types);
    const Value manifest = Value::object({{"format", "svc-export"},
                                          {"schema", schema_version},
                                          {"version", SVC_VERSION},
                                          {"created_at", task.created_at},
                                          {"data_types", std::move(types)},
                                          {"counts", task.state["rows"]}});
    const std::string folder = folder_of(task);
    SVC_RETURN_IF_ERROR(append_at(folder + "/manifest.json", 0, manifest.dump() + "\n"));
    std::vector<archives::Member> members{{"manifest.json", folder + "/manifest.json"}};
    for (const Part* part : parts)
        members.push_back({part->name + ".jsonl", folder + "/" + part->name + ".jsonl"});
    task.result_file = task.key + ".zip";
    SVC_RETURN_IF_ERROR(archives::pack(tasks_.path_of(task.result_file), members));
    return save(task, false);
}

}  // namespace svc::import_export
