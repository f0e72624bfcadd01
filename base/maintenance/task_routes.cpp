// Jobs by the interface: list, read, download, cancel, delete.
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "base/maintenance/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/said.hpp"

namespace svc::maintenance {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const char* const only_operator = "manage_options";

Reply list_tasks(const Site& site, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.settings.zone()));
    record::Query query{.status = request.query.text_or("status"),
                        .from = period.from,
                        .to = period.to,
                        .order_by = page.order_by,
                        .ascending = page.ascending,
                        .limit = page.per_page,
                        .offset = page.offset()};
    query.filters.emplace_back("user_id", request.caller.user_id);
    if (const auto type = request.query.maybe_text("type"))
        query.filters.emplace_back("type", *type);
    if (const auto active = request.query.maybe_boolean("active"))
        query.filters.emplace_back("active", std::int64_t{*active ? 1 : 0});
    auto rows = Value::array();
    std::int64_t total = 0;
    site.store.read([&](store::Session& session) {
        rows = Value::array();
        for (const Task& task : task_record().list(session, query))
            rows.push(job_json(task, request));
        total = task_record().count(session, query);
    });
    return api::list_reply(std::move(rows), page, total);
}

std::optional<Task> asked_for(const Tasks& tasks, const Request& request) {
    return tasks.find(request.path["job_id"].text());
}

Reply download(const Tasks& tasks, const Request& request) {
    const auto task = asked_for(tasks, request);
    if (!task)
        return api::failed(errc::not_found);
    // A job that has failures alone gives these.
    const bool wants_errors = request.query.text_or("file") == "errors" || task->result_file.empty();
    const std::string& name = wants_errors ? task->errors_file : task->result_file;
    if (!task->is_over())
        return api::failed(job_not_ready);
    const int file = name.empty() ? -1 : ::open(tasks.path_of(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return api::failed(Error{errc::not_found, "This job has no such file, or it has expired."_sentence});
    Reply reply;
    reply.file = std::make_shared<const OpenFile>(file, std::filesystem::file_size(tasks.path_of(name)));
    reply.content_type = name.ends_with(".zip") ? "application/zip" : "text/csv; charset=utf-8";
    reply.headers = {{"Content-Disposition", "attachment; filename=\"" + name + "\""},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Cache-Control", "private, no-store"}};
    return reply;
}

Reply remove(const Tasks& tasks, const Request& request) {
    const auto task = asked_for(tasks, request);
    if (!task)
        return api::failed(errc::not_found);
    const auto answer = [&](bool cancelled, bool file_deleted) {
        return api::ok(Value::object(
            {{"id", task->key}, {"cancelled", cancelled}, {"deleted", !cancelled}, {"file_deleted", file_deleted}}));
    };
    if (tasks.cancel(task->key))
        return answer(true, false);
    return api::respond(tasks.remove(*task), [&](bool had_file) { return answer(false, had_file); });
}

}  // namespace

Value job_json(const Task& task, const Request& request) {
    auto job = Value::object({{"id", task.key}});
    const Value fields = task_record().to_json(task);
    for (const auto& [name, value] : fields.members())
        job.set(name, value);
    job.set("dry_run", task.options.maybe_boolean("dry_run").value_or(false));
    job.set("undoes", task.options.find("undo") ? task.options["undo"] : Value());
    job.set("file", task.state["table"]);
    job.set("failures", api::said_rows(task.state["failures"], "problem", request));
    job.set("has_file", !task.result_file.empty());
    job.set("has_errors_file", !task.errors_file.empty());
    return job;
}

api::Type job_answer() {
    static const api::Schema fields =
        api::Schema{{.name = "id", .type = api::text(60), .required = true}}
            .plus(task_record().answer_schema())
            .plus(
                {{.name = "dry_run", .type = api::boolean(), .help = "Whether the job only checks and stores nothing."},
                 {.name = "undoes", .type = api::text(60).or_null(), .help = "The import that the job undoes."},
                 {.name = "file",
                  .type = api::map(api::anything(), 20).or_null(),
                  .help = "Of an imported CSV file: its encoding, whether that is guessed, and how many cells of"
                          " columns were ignored."},
                 {.name = "failures",
                  .type = api::list(api::object("FailedRow", {{.name = "line", .type = api::integer(1)},
                                                              {.name = "problem", .type = api::raw_text(10'000)}}),
                                    100),
                  .help = "The first rows that failed; the file of errors has all of them."},
                 {.name = "has_file", .type = api::boolean(), .help = "Whether a file can be downloaded."},
                 {.name = "has_errors_file", .type = api::boolean(), .help = "Whether a file of failed rows exists."}});
    return api::object("Job", fields);
}

void add_task_routes(const Site& site, const Tasks& tasks) {
    const auto who = Permission::can(only_operator);
    site.routes.add({.method = api::Method::get,
                     .path = "/tools/jobs",
                     .name = "listJobs",
                     .who = who,
                     .summary = "List the caller's exports, imports and migrations, the newest first.",
                     .query = api::Schema{{.name = "type", .type = api::choice({"export", "import", "migrate"})},
                                          {.name = "active", .type = api::boolean(), .help = "Only unfinished jobs."}}
                                  .plus(api::period_fields()),
                     .is_list = true,
                     .sortable = task_record().sort_keys(),
                     .statuses = task_record().statuses(),
                     .answer = api::list(job_answer(), 100),
                     .handle = [&site](const Request& request) { return list_tasks(site, request); }});
    site.routes.add({.method = api::Method::get,
                     .path = "/tools/jobs/{job_id}",
                     .name = "getJob",
                     .who = who,
                     .summary = "Return a job with its progress.",
                     .answer = job_answer(),
                     .errors = {&errc::not_found},
                     .handle = [&tasks](const Request& request) {
                         const auto task = asked_for(tasks, request);
                         return task ? api::ok(job_json(*task, request)) : api::failed(errc::not_found);
                     }});
    site.routes.add(
        {.method = api::Method::get,
         .path = "/tools/jobs/{job_id}/download",
         .name = "downloadJobFile",
         .who = who,
         .summary = "Return a job's file, or its list of failures.",
         .query =
             {{.name = "file",
               .type = api::choice({"result", "errors"}),
               .help =
                   "`errors`: a CSV of the rows that failed, with the reasons; also what a job without a result has.",
               .otherwise = Value("result")}},
         .enveloped = false,
         .files = {"application/zip", "text/csv"},
         .errors = {&errc::not_found, &job_not_ready},
         .handle = [&tasks](const Request& request) { return download(tasks, request); }});
    site.routes.add({.method = api::Method::del,
                     .path = "/tools/jobs/{job_id}",
                     .name = "deleteJob",
                     .who = who,
                     .summary = "Cancel a running job after its present step; delete a finished job with its files.",
                     .answer = api::object("JobRemoval", {{.name = "id", .type = api::text(60), .required = true},
                                                          {.name = "cancelled", .type = api::boolean()},
                                                          {.name = "deleted", .type = api::boolean()},
                                                          {.name = "file_deleted", .type = api::boolean()}}),
                     .errors = {&errc::not_found},
                     .repeats_safely = true,
                     .handle = [&tasks](const Request& request) { return remove(tasks, request); }});
}

}  // namespace svc::maintenance
