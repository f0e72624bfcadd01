// Imports rows of an archive into all tables, referenced ones first.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/catalog/trips/record/texts.hpp"
#include "base/data/import_export/all_tables.hpp"
#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/whole.hpp"
#include "base/platform/archives/archives.hpp"
#include "shared/record/raw_table.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::import_export {
namespace {

namespace fs = std::filesystem;
using json::Value;
using record::RawTable;

constexpr std::size_t most_whole_rows = 2'000, enough_bytes = 1 << 20, longest_whole_line = 64 << 20,
                      most_manifest = 1 << 20;
constexpr json::Limits whole_row_limits{.depth = 4, .elements = 1'000, .text = 64 << 20};
constexpr json::Limits manifest_limits{.depth = 8, .elements = 100'000, .text = 1 << 20};
// No limit on the size: it is the operator's own file.
constexpr archives::Bounds whole_bounds{.members = 1'000, .bytes = INT64_MAX, .ratio = 2'000};

[[noreturn]] void fail(const std::string& sentence) { throw std::runtime_error(sentence); }

void throw_on_error(const Result<void>& done) {
    if (!done)
        fail(done.error().message().english());
}

bool is_whole_member(std::string_view name) {
    return name == "manifest.json" ||
           (name.starts_with("svc_") && name.ends_with(".jsonl") &&
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.size() - 6);
}

// Rows of one table, or what they refer to in tables after it.
class WholeImport {
  public:
    WholeImport(store::Store& store, const Value& manifest, std::string folder, Progress& progress)
        : store_(store), manifest_(manifest), folder_(std::move(folder)), progress_(progress) {
        store.read([&](store::Session& session) { tables_ = whole_tables(session); });
        for (const auto& [name, count] : manifest["counts"].members()) {
            total_ += count.integer();
            if (std::none_of(tables_.begin(), tables_.end(),
                             [&, n = &name](const auto& each) { return each.name == *n; }))
                fail("The export has the table " + name +
                     ", which this installation does not: the same edition has to be installed here.");
        }
        for (const WholeTable& table : tables_)
            if (!manifest["counts"].find(table.name))
                fail("The export has no table " + table.name + ", which this installation has.");
    }

    void run() {
        Value place = saved_place();
        if (place.is_null())
            place = begin();
        for (std::int64_t pass = place["pass"].integer(); pass < 2; ++pass) {
            auto at = static_cast<std::size_t>(place["table"].integer());
            for (; at < tables_.size(); ++at)
                fill(tables_[at], pass == 1, place, at);
            place.set("pass", pass + 1);
            place.set("table", 0);
        }
        finish();
    }

  private:
    Value saved_place() const {
        return store_.reading<Value>([&](store::Session& session) {
            const auto row = store::tuple<std::string, std::string>(
                session, "SELECT source, place FROM svc_moving WHERE id = 1", {});
            if (!row)
                return Value();
            if (std::get<0>(*row) != manifest_.text_or("id"))
                fail("This database is half filled with another export. Import that one again.");
            return json::parse(std::get<1>(*row)).value();
        });
    }

    Value begin() const {
        Value place = Value::object({{"pass", 0}, {"table", 0}, {"at", 0}, {"done", 0}});
        throw_on_error(store_.write([&](store::Transaction& tx) -> Result<void> {
            for (auto table = tables_.rbegin(); table != tables_.rend(); ++table)
                RawTable(tx, table->name).clear(tx, table->later);
            for (const std::string& name : derived_tables())
                RawTable(tx, name).clear(tx, {});
            tx.run("INSERT INTO svc_moving (id, source, place) VALUES (1, :source, :place)",
                   {{"source", manifest_.text_or("id")}, {"place", place.dump()}});
            return {};
        }));
        return place;
    }

    void fill(const WholeTable& whole, bool is_second, Value& place, std::size_t at) {
        if (is_second && whole.later.empty())
            return;
        const RawTable table =
            store_.reading<RawTable>([&](store::Session& session) { return RawTable(session, whole.name); });
        for (bool is_over = false; !is_over;) {
            const Lines lines = lines_at(folder_ + "/" + whole.name + ".jsonl", place["at"].integer(), most_whole_rows,
                                         longest_whole_line, enough_bytes);
            const std::int64_t round = place.maybe_integer("round").value_or(0);
            Value next;
            try {
                throw_on_error(store_.write([&](store::Transaction& tx) -> Result<void> {
                    std::int64_t waiting = place.maybe_integer("waiting").value_or(0);
                    for (const std::string& line : lines.lines) {
                        const Value row = row_in(line, table);
                        if (is_second)
                            set_later_references(tx, table, whole, row);
                        else if (!store_row(tx, table, whole, row, round))
                            ++waiting;
                    }
                    next = place_after(place, lines, waiting);
                    is_over = next["at"].integer() == 0 && next["waited"].integer() == 0;
                    next.set("pass", is_second ? 1 : 0);
                    next.set("table", static_cast<std::int64_t>(at) + (is_over ? 1 : 0));
                    if (!is_second && round == 0)
                        next.set("done", place["done"].integer() + static_cast<std::int64_t>(lines.lines.size()));
                    tx.run("UPDATE svc_moving SET place = :place WHERE id = 1", {{"place", next.dump()}});
                    return {};
                }));
            } catch (const store::ConstraintViolation& violation) {
                fail("The database rejects a row of " + whole.name + " (" + violation.what() + ").");
            } catch (const store::UniqueViolation& violation) {
                fail("The database rejects a row of " + whole.name + " (" + violation.what() + ").");
            }
            place = std::move(next);
            progress_.at("rows", place["done"].integer(), total_);
            if (progress_.is_stopped())
                fail("the same command goes on where it stopped; nothing else opens the database before.");
        }
    }

    // A round over a table's file ends where it has none left: another one follows while rows wait for those that they
    // refer to, which `waited` counts.
    static Value place_after(const Value& place, const Lines& lines, std::int64_t waiting) {
        const std::int64_t waited = place.maybe_integer("waited").value_or(0);
        Value next = place;
        next.set("at", lines.is_end ? 0 : lines.next);
        next.set("waiting", lines.is_end ? 0 : waiting);
        next.set("waited", lines.is_end ? waiting : waited);
        next.set("round",
                 lines.is_end && waiting == 0 ? 0 : place.maybe_integer("round").value_or(0) + (lines.is_end ? 1 : 0));
        if (lines.is_end && waiting > 0 && waiting == waited)
            fail("The export has rows that refer to rows which it does not hold, or in a circle.");
        return next;
    }

    static Value row_in(const std::string& line, const RawTable& table) {
        auto row = json::parse(line, whole_row_limits);
        if (!row || !row->is_object() || row->size() != table.columns().size())
            fail("A row of " + table.name() + " in the export has other columns than the table.");
        return std::move(*row);
    }

    // False: the row has to wait for another row of the table.
    static bool store_row(store::Transaction& tx, const RawTable& table, const WholeTable& whole, Value row,
                          std::int64_t round) {
        const auto refers_to_own = [&](const std::string& column) { return !row[column].is_null(); };
        const bool has_own = std::any_of(whole.own.begin(), whole.own.end(), refers_to_own);
        if (round > 0 && (!has_own || table.has_row(tx, row["id"].integer())))
            return true;  // an earlier round took it
        for (const std::string& column : whole.own)
            if (refers_to_own(column) && row[column].integer() != row["id"].integer() &&
                !table.has_row(tx, row[column].integer()))
                return false;
        for (const std::string& column : whole.later)
            row.set(column, nullptr);
        table.put(tx, row);
        return true;
    }

    static void set_later_references(store::Transaction& tx, const RawTable& table, const WholeTable& whole,
                                     const Value& row) {
        auto refers = Value::object();
        for (const std::string& column : whole.later)
            if (!row[column].is_null())
                refers.set(column, row[column]);
        if (refers.size() > 0)
            table.update(tx, row["id"].integer(), refers);
    }

    void finish() const {
        throw_on_error(store_.write([&](store::Transaction& tx) -> Result<void> {
            for (const WholeTable& each : tables_) {
                const RawTable table(tx, each.name);
                if (table.count(tx) != manifest_["counts"][each.name].integer())
                    fail("The table " + each.name + " has not as many rows as the export says.");
                table.go_on_after(tx, manifest_["last_ids"].maybe_integer(each.name).value_or(0));
            }
            // Words of trips are found again once the job has read their texts.
            catalog::trips::read_texts_again(tx, store::numbers(tx, "SELECT id FROM svc_trips", {}));
            tx.run("DELETE FROM svc_moving WHERE id = 1", {});
            return {};
        }));
    }

    store::Store& store_;
    const Value& manifest_;
    const std::string folder_;
    Progress& progress_;
    std::vector<WholeTable> tables_;
    std::int64_t total_ = 0;
};

// The same steps on both sides: rows fit no other schema.
void check_steps(store::Store& store, const Value& manifest) {
    std::vector<std::string> here, there;
    store.read([&](store::Session& session) {
        here =
            store::all_rows(session, "SELECT edition, name FROM svc_migrations", {},
                            [](const std::string& edition, const std::string& name) { return edition + "/" + name; });
    });
    for (const Value& step : manifest["steps"].items())
        there.push_back(step.text());
    const auto lacks = [](const std::vector<std::string>& all, const std::vector<std::string>& some) {
        return std::find_if(some.begin(), some.end(), [&](const std::string& each) {
                   return each.starts_with("base/") && std::find(all.begin(), all.end(), each) == all.end();
               }) != some.end();
    };
    const std::string version = manifest.text_or("version");
    if (lacks(here, there))
        fail("This export was made by a newer release (" + version + "). Install that one here and import again.");
    if (lacks(there, here))
        fail("This export was made by an older release (" + version +
             "). Run svc migrate of this release on the old installation and export it again.");
}

// Unpacked once: an import continues with the files that a stopped one left.
void unpack_once(const std::string& archive, const std::string& folder, const std::string& id) {
    std::ifstream marked(folder + "/unpacked");
    std::string is_there;
    if (std::getline(marked, is_there) && is_there == id)
        return;
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    if (const auto unpacked = archives::unpack(archive, folder, is_whole_member, whole_bounds); !unpacked)
        fail(sentences_of(unpacked.error()).english());
    throw_on_error(append_at(folder + "/unpacked", 0, id));
}

}  // namespace

Value whole_manifest(const std::string& path) {
    const auto text = archives::member_of(path, "manifest.json", most_manifest);
    const auto manifest = text ? json::parse(*text, manifest_limits) : Result<Value>(text.error());
    return manifest && manifest->is_object() && manifest->text_or("format") == whole_format ? *manifest : Value();
}

void import_whole(store::Store& store, const std::string& archive, const std::string& folder, Progress& progress) {
    const Value manifest = whole_manifest(archive);
    if (manifest.is_null() || !manifest["counts"].is_object() || !manifest["steps"].is_array())
        fail("This is no export of a whole installation.");
    check_steps(store, manifest);
    unpack_once(archive, folder, manifest.text_or("id"));
    WholeImport(store, manifest, folder, progress).run();
    fs::remove_all(folder);
}

void import_modules(store::Store& store, const std::string& archive) {
    const auto rows = archives::member_of(archive, "svc_modules.jsonl", 4 << 20);
    if (!rows)
        fail("The export has no list of modules.");
    throw_on_error(store.write([&](store::Transaction& tx) -> Result<void> {
        const RawTable table(tx, "svc_modules");
        table.clear(tx, {});
        std::string_view rest = *rows;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            if (auto row = json::parse(rest.substr(0, end), whole_row_limits); row && table.fault_of(*row).empty()) {
                row->set("enabled_by", nullptr);  // the users come with the import itself
                table.insert(tx, *row);
            }
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        }
        return {};
    }));
}

std::string moving_source(store::Session& session) {
    return store::value<std::string>(session, "SELECT source FROM svc_moving WHERE id = 1", {}).value_or("");
}

bool is_empty_installation(store::Session& session) {
    return session.number(
               "SELECT (SELECT COUNT(*) FROM svc_users) + (SELECT COUNT(*) FROM svc_trips) + (SELECT COUNT(*)"
               " FROM svc_customers) + (SELECT COUNT(*) FROM svc_bookings)",
               {}) == 0;
}

}  // namespace svc::import_export
