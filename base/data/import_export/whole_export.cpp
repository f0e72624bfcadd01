// All rows of all tables, page by page, into lines of files, and the files into an archive.
#include <filesystem>
#include <fstream>

#include "base/data/import_export/all_tables.hpp"
#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/whole.hpp"
#include "base/platform/archives/archives.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/record/raw_table.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::import_export {
namespace {

namespace fs = std::filesystem;
using json::Value;
using record::RawTable;

constexpr std::int64_t least_page = 10, first_rows = 100, most_page = 1'000;
constexpr std::size_t small_page = 128 << 10, large_page = 1 << 20;  // bytes of a page's lines
constexpr json::Limits limits_of_state{.depth = 8, .elements = 100'000, .text = 1 << 20};

void must_be_written(const Result<void>& done) {
    if (!done)
        throw std::runtime_error(done.error().message().english());
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The progress of the export, in a file that is replaced as a whole.
class SavedProgress {
  public:
    SavedProgress(std::string folder, const std::string& mark) : folder_(std::move(folder)) {
        const auto saved_state = json::parse(file_text(folder_ + "/state.json"), limits_of_state);
        if (saved_state && saved_state->is_object() && saved_state->text_or("mark") == mark) {
            state = *saved_state;
            return;
        }
        for (const auto& entry : fs::directory_iterator(folder_))
            if (entry.path().extension() == ".jsonl")
                fs::remove(entry.path());
        state = Value::object({{"mark", mark}, {"table", 0}, {"after", nullptr}, {"bytes", 0}, {"done", 0}});
        state.set("counts", Value::object());
    }
    void save() const {
        const std::string next = folder_ + "/state.next";
        must_be_written(append_at(next, 0, state.dump()));
        fs::rename(next, folder_ + "/state.json");
    }
    Value state;

  private:
    const std::string folder_;
};

std::int64_t count_rows(store::Session& session, const std::vector<WholeTable>& tables) {
    std::int64_t all = 0;
    for (const WholeTable& table : tables)
        all += RawTable(session, table.name).count(session);
    return all;
}

// The rows of one table from the stored progress on.
void write_table(store::Session& session, const std::string& name, const std::string& folder, SavedProgress& saved,
                 std::int64_t total, Progress& progress) {
    const RawTable table(session, name);
    const std::string file = folder + "/" + name + ".jsonl";
    std::int64_t page = first_rows;
    for (bool is_over = false; !is_over;) {
        std::string lines;
        std::int64_t count = 0;
        Value last = saved.state["after"];
        while (lines.size() < large_page && !is_over) {
            std::int64_t read = 0;
            const std::size_t before = lines.size();
            for (const Value& row : table.page(session, last, page)) {
                last = table.key_of(row);
                row.dump_to(lines);
                lines += '\n';
                ++read;
            }
            count += read;
            is_over = read < page;
            const std::size_t bytes = lines.size() - before;
            page = bytes > large_page   ? std::max(page / 4, least_page)
                   : bytes < small_page ? std::min(page * 2, most_page)
                                        : page;
        }
        const auto bytes = saved.state["bytes"].integer();
        must_be_written(append_at(file, bytes, lines));
        Value counts = saved.state["counts"];
        counts.set(name, counts.maybe_integer(name).value_or(0) + count);
        saved.state.set("counts", std::move(counts));
        saved.state.set("after", last);
        saved.state.set("bytes", bytes + static_cast<std::int64_t>(lines.size()));
        saved.state.set("done", saved.state["done"].integer() + count);
        saved.save();
        progress.at("rows", saved.state["done"].integer(), total);
        if (progress.is_stopped())
            throw std::runtime_error("the same command goes on where it stopped, unless the database changes.");
    }
}

Value steps_of(store::Session& session) {
    auto steps = Value::array();
    store::each_row(session, "SELECT edition, name FROM svc_migrations ORDER BY edition, name", {},
                    [&](const std::string& edition, const std::string& name) { steps.push(edition + "/" + name); });
    return steps;
}

}  // namespace

void export_whole(store::Session& session, const WholeSource& source, const std::string& folder, Progress& progress) {
    SavedProgress saved(folder, source.mark);
    const auto tables = whole_tables(session);
    const std::int64_t total = count_rows(session, tables);
    auto ids = Value::object();
    for (auto at = static_cast<std::size_t>(saved.state["table"].integer()); at < tables.size(); ++at) {
        write_table(session, tables[at].name, folder, saved, total, progress);
        saved.state.set("table", static_cast<std::int64_t>(at) + 1);
        saved.state.set("after", nullptr);
        saved.state.set("bytes", 0);
        saved.save();
    }
    for (const WholeTable& table : tables)
        ids.set(table.name, RawTable(session, table.name).last_id(session));
    const Value manifest = Value::object({{"format", whole_format},
                                          {"id", crypto::hex(crypto::random_bytes(16))},
                                          {"version", SVC_VERSION},
                                          {"created_at", source.now},
                                          {"key", source.key_prefix},
                                          {"steps", steps_of(session)},
                                          {"counts", saved.state["counts"]},
                                          {"last_ids", std::move(ids)}});
    must_be_written(append_at(folder + "/manifest.json", 0, manifest.dump() + "\n"));
}

void pack_whole(const std::string& folder, const std::string& path, Progress& progress) {
    const auto manifest = json::parse(file_text(folder + "/manifest.json"), limits_of_state);
    if (!manifest)
        throw std::runtime_error("The files of the export in " + folder + " are damaged. Remove that folder.");
    std::vector<archives::Member> members{{"manifest.json", folder + "/manifest.json"}};
    for (const auto& [name, count] : (*manifest)["counts"].members())
        members.push_back({name + ".jsonl", folder + "/" + name + ".jsonl"});
    const auto total = static_cast<std::int64_t>(members.size());
    progress.at("files packed", 0, total);
    const std::string packed = folder + "/packed.zip";
    must_be_written(archives::pack(packed, members));
    progress.at("files packed", total, total);
    // Creating a link fails if the file exists by now; a rename would replace it.
    std::error_code failed;
    fs::create_hard_link(packed, path, failed);
    if (failed)
        throw std::runtime_error("The export could not be put at " + path + ".");
}

}  // namespace svc::import_export
