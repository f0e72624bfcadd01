// Imports of tables over the interface, run to their end.
#pragma once

#include "tests/support/form.hpp"

namespace svc::tests {

struct ImportedTable {
    std::string bytes, kind, mode = "skip";
    bool dry = false;
    std::vector<std::pair<std::string, std::string>> more = {};  // further parts of the form
};

inline Answered posted_form(TestBase& base, const std::string& path, const Form& form, const Visitor& visitor) {
    return base.call("POST", path, form.whole(), visitor.with("Content-Type", "multipart/form-data; boundary=edge"));
}

inline json::Value job_of(TestBase& base, const ImportedTable& table) {
    Form form;
    form.file("table.csv", table.bytes)
        .field("mode", table.mode)
        .field("data_types", table.kind)
        .field("dry_run", table.dry ? "1" : "0");
    for (const auto& [name, value] : table.more)
        form.field(name, value);
    const auto started = posted_form(base, "/tools/import", form, base.user("administrator"));
    if (started.status != 202)
        throw std::runtime_error("an import was refused: " + started.text);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    return base.get("/tools/jobs/" + started.data()["job_id"].text(), base.user("administrator")).data();
}

inline std::int64_t count_of(const json::Value& job, const char* what) {
    return job["import_stats"][job["data_types"][std::size_t{0}].text()][what].integer();
}

}  // namespace svc::tests
