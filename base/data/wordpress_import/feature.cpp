// Routes of the migration.
#include "base/data/wordpress_import/feature.hpp"

#include <algorithm>

#include "base/catalog/media/multipart.hpp"
#include "base/data/import_export/file_pieces.hpp"
#include "base/data/wordpress_import/left_out.hpp"
#include "base/data/wordpress_import/uploads.hpp"
#include "base/sales/booking/record/imported.hpp"
#include "shared/api/author.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::wordpress_import {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;
using maintenance::Task;
using maintenance::TaskStatus;
using maintenance::TaskType;

constexpr std::size_t most_wxr = 200 << 20, most_wxr_form = 64 << 10;

bool is_kind(std::string_view name) {
    return std::find(std::begin(kind_names), std::end(kind_names), name) != std::end(kind_names);
}
bool is_absent(std::string_view name) {
    return std::find(std::begin(absent_names), std::end(absent_names), name) != std::end(absent_names);
}

const std::string& recent_statement() {
    static const std::string sql =
        maintenance::task_record().select("WHERE r.type = 'migrate' ORDER BY r.id DESC LIMIT 100");
    return sql;
}

std::vector<Task> recent_tasks(store::Store& store) {
    return store.reading<std::vector<Task>>(
        [](store::Session& session) { return maintenance::task_record().all(session, recent_statement()); });
}

bool is_running(const std::vector<Task>& tasks) {
    return std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return !task.is_over(); });
}

Value counts_of(const Value& run) {
    return Value::object({{"total", run.maybe_integer("total").value_or(0)},
                          {"migrated", run.maybe_integer("migrated").value_or(0)},
                          {"skipped", run.maybe_integer("skipped").value_or(0)},
                          {"failed", run.maybe_integer("failed").value_or(0)}});
}

api::Type started_migration() {
    return api::object("StartedMigration", {{.name = "mode", .type = api::choice({"migrate", "dry_run"})},
                                            {.name = "job_id", .type = api::text(60)},
                                            {.name = "data_types", .type = api::list(api::text(60), 30)},
                                            {.name = "results", .type = api::map(api::anything())}});
}

}  // namespace

void Feature::connect() {
    tasks_.add(TaskType::migrate, {.step = [this](Task& task) { return migration_tasks_.step(task); }});
}

Value Feature::last_runs(bool of_stage) const {
    auto runs = Value::object();
    const Value before = of_stage ? migration_tasks_.staging.migrations_before() : Value::object();
    for (const Task& task : recent_tasks(site_.store))
        for (const std::string& kind : task.data_types) {
            if (runs.find(kind) || (of_stage && task.id <= before.maybe_integer(kind).value_or(INT64_MAX)))
                continue;
            Value run = counts_of(task.stats[kind]);
            const auto state = task.stats[kind].is_null() && task.status == TaskStatus::running
                                   ? std::string_view("pending")
                                   : maintenance::task_statuses[static_cast<std::size_t>(task.status)];
            run.set("status", state);
            run.set("started_at", task.started_at);
            run.set("completed_at", task.completed_at);
            run.set("job_id", task.key);
            run.set("dry_run", task.options.maybe_boolean("dry_run").value_or(false));
            runs.set(kind, std::move(run));
        }
    return runs;
}

Reply Feature::upload(const Request& request) const {
    const auto tasks = recent_tasks(site_.store);
    if (is_running(tasks))  // it reads the staged files
        return api::failed(Error{errc::conflict, "A migration is running. Wait for it, or cancel it."_sentence});
    const std::string_view type = request.header ? request.header("content-type") : std::string_view();
    SVC_ASSIGN_OR_RETURN(const auto form, catalog::media::read_upload(type, request.raw_body, request.route->body));
    const std::string_view bytes = form.file.content;
    const std::string kind = form.fields.text_or("data_type");
    if (!kind.empty() && !is_kind(kind))
        return api::failed(invalid("data_type", "There is no kind of record ''{kind}''."_sentence.with("kind", kind)));
    SVC_ASSIGN_OR_RETURN(const Upload upload, recognize(bytes, !kind.empty()));
    tasks_.prepare_folder();
    const std::string path = tasks_.path_of("legacy.upload");
    SVC_RETURN_IF_ERROR(import_export::append_at(path, 0, bytes));
    const std::int64_t last = tasks.empty() ? 0 : tasks.front().id;
    const Staging& staging = migration_tasks_.staging;
    SVC_ASSIGN_OR_RETURN(const auto totals, upload == Upload::wordpress ? staging.stage(path, last)
                                                                        : staging.stage_table(path, kind, last));
    return api::ok(Value::object({{"staged", totals}, {"left_out", staging.left_out()}}));
}

Reply Feature::status(const Request& request) const {
    const Staging& staging = migration_tasks_.staging;
    const Value totals = staging.totals(), runs = last_runs(true);
    auto types = Value::object();
    for (const std::string_view kind : kind_names) {
        const auto total = totals.maybe_integer(kind);
        Value of = counts_of(runs[kind]);
        of.set("total", total.value_or(0));
        of.set("status", !total ? Value("absent") : runs.find(kind) ? runs[kind]["status"] : Value("staged"));
        of.set("dry_run", runs[kind].maybe_boolean("dry_run").value_or(false));  // what the counts are of
        types.set(std::string(kind), std::move(of));
    }
    for (const std::string_view kind : absent_names) {
        Value of = counts_of({});
        of.set("status", "absent");
        of.set("by_hand", request.say(by_hand(kind)));
        types.set(std::string(kind), std::move(of));
    }
    return api::ok(Value::object({{"has_legacy_data", totals.size() > 0},
                                  {"data_types", std::move(types)},
                                  {"left_out", staging.left_out()},
                                  {"currencies", staging.currencies()},
                                  {"site_currency", site_.settings.currency().code()},
                                  {"payments_unknown", site_.store.reading<std::int64_t>([](store::Session& session) {
                                       return booking::count_unknown_payments(session);
                                   })}}));
}

Reply Feature::progress() const { return api::ok(Value::object({{"progress", last_runs(false)}})); }

Reply Feature::begin(const Request& request, std::vector<std::string> kinds) const {
    const bool force = request.body.maybe_boolean("force").value_or(false),
               dry = request.body.maybe_boolean("dry_run").value_or(false);
    Task task{.type = TaskType::migrate,
              .data_types = std::move(kinds),
              .user_id = api::author(request.caller),
              .options = Value::object({{"force", force}, {"dry_run", dry}})};
    return api::respond_once(
        request,
        [&] {
            return site_.store.transact<Task>([&](store::Transaction& tx) -> Result<Task> {
                if (tasks_.is_open(tx, TaskType::migrate))
                    return Error{errc::conflict, "A migration is running already. Wait for it, or cancel it."_sentence};
                return tasks_.begin(tx, task);
            });
        },
        [&](const Task& begun) {
            auto types = Value::array();
            for (const std::string& kind : begun.data_types)
                types.push(kind);
            auto reply = api::ok(Value::object({{"mode", dry ? "dry_run" : "migrate"},
                                                {"job_id", begun.key},
                                                {"data_types", std::move(types)},
                                                {"results", Value::object()}}));
            reply.status = 202;
            return reply;
        });
}

Reply Feature::cancel() const {
    bool cancelled = false;
    for (const Task& task : recent_tasks(site_.store))
        cancelled = (!task.is_over() && tasks_.cancel(task.key)) || cancelled;
    return api::ok(Value::object({{"cancelled", cancelled}}));
}

Reply Feature::clear() const {
    const auto tasks = recent_tasks(site_.store);
    if (is_running(tasks))
        return api::failed(Error{errc::conflict, "A migration is running. Cancel it first."_sentence});
    for (const Task& task : tasks)
        if (auto gone = tasks_.remove(task); !gone)
            return api::failed(gone.error());
    migration_tasks_.staging.clear();
    return api::ok(Value::object({{"cleared", true}}));
}

namespace {

api::RouteSpec spec_of(Method method, const char* path, const char* summary, api::Schema body, api::Type answer,
                       const char* name) {
    api::RouteSpec spec{.method = method,
                        .path = path,
                        .name = name,
                        .who = Permission::can("manage_options"),
                        .summary = summary,
                        .body = std::move(body),
                        .answer = std::move(answer),
                        .repeats_safely = method != Method::get};
    if (std::string_view(path).find("/migrate") != std::string_view::npos) {
        spec.success = 202;
        spec.stores_reply = true;
        spec.repeats_safely = false;
    }
    if (method == Method::post)
        spec.errors = {&errc::conflict};
    return spec;
}

api::RouteSpec upload_route(const api::Field& left_out) {
    return api::RouteSpec{
        .method = Method::post,
        .path = "/migration/upload",
        .name = "stageMigration",
        .who = Permission::can("manage_options"),
        .summary =
            "Stage the export of a former WordPress installation (Yatra, WP Travel, WP Travel Engine)"
            " as multipart/form-data with the part `file`; or a CSV file with data_type for what it"
            " lacks. Nothing is stored as a record yet.",
        .body = catalog::media::upload_form(
            {{.name = "data_type", .type = api::text(60), .help = "Of a CSV file: the kind of record of its rows."}},
            "The export of WordPress (XML), or a CSV file of a table."),
        .answer = api::object("StagedMigration", {{.name = "staged", .type = api::map(api::integer(0))}, left_out}),
        .errors = {&errc::unsupported_media_type, &errc::payload_too_large, &errc::bad_request, &errc::conflict},
        .lane = api::Lane::admin,
        .body_limit = most_wxr + most_wxr_form,
        .raw_body_only = true,
        .raw_media = "multipart/form-data",
        .repeats_safely = true};
}

api::Type status_answer(const api::Field& left_out) {
    return api::object(
        "MigrationStatus",
        {{.name = "has_legacy_data", .type = api::boolean()},
         {.name = "data_types", .type = api::map(api::anything())},
         left_out,
         {.name = "currencies",
          .type = api::map(api::integer(0)),
          .help = "How many staged bookings are in each currency."},
         {.name = "site_currency", .type = api::text(3), .help = "The currency that prices are read in."},
         {.name = "payments_unknown",
          .type = api::integer(0),
          .help = "Migrated bookings whose payments are not known yet: no money is asked for."}});
}

}  // namespace

void Feature::add_routes() {
    const api::Field left_out{.name = "left_out",
                              .type = api::map(api::integer(0)),
                              .help = "What of the export is not migrated as it is, counted by name."};
    const auto add = [this](Method method, const char* path, const char* summary, api::Schema body, api::Type answer,
                            std::function<Reply(const Request&)> handle, const char* name = "") {
        auto spec = spec_of(method, path, summary, std::move(body), std::move(answer), name);
        spec.handle = std::move(handle);
        site_.routes.add(std::move(spec));
    };
    auto upload_spec = upload_route(left_out);
    upload_spec.handle = [this](const Request& request) { return upload(request); };
    site_.routes.add(std::move(upload_spec));
    add(Method::get, "/migration/status",
        "Count the staged records of each kind, with the outcome of its last migration.", {}, status_answer(left_out),
        [this](const Request& request) { return status(request); });
    add(Method::get, "/migration/progress", "Return the progress and outcome of each kind's last migration.", {},
        api::object("MigrationProgress", {{.name = "progress", .type = api::map(api::anything())}}),
        [this](const Request&) { return progress(); });
    const api::Schema how{
        {.name = "force", .type = api::boolean(), .help = "Update records that already exist."},
        {.name = "dry_run", .type = api::boolean(), .help = "Check only: store nothing and report failures."}};
    add(
        Method::post, "/migration/migrate", "Start the migration of one kind of staged records.",
        api::Schema{{.name = "data_type", .type = api::text(60), .required = true}}.plus(how), started_migration(),
        [this](const Request& request) {
            const std::string kind = request.body.text_or("data_type");
            if (is_absent(kind))
                return api::failed(invalid("data_type", by_hand(kind)));
            if (!is_kind(kind))
                return api::failed(
                    invalid("data_type", "There is no kind of record ''{kind}''."_sentence.with("kind", kind)));
            return begin(request, {kind});
        },
        "migrateKind");
    add(
        Method::post, "/migration/migrate-all", "Start the migration of all staged records.", how, started_migration(),
        [this](const Request& request) {
            const Value totals = migration_tasks_.staging.totals();
            std::vector<std::string> kinds;
            for (const std::string_view kind : kind_names)
                if (totals.find(kind))
                    kinds.emplace_back(kind);
            if (kinds.empty())
                return api::failed(Error{errc::conflict, "Nothing is staged yet. Upload an export first."_sentence});
            return begin(request, std::move(kinds));
        },
        "migrateAll");
    add(Method::post, "/migration/cancel", "Cancel the running migration after its present step.", {},
        api::object("CancelledMigration", {{.name = "cancelled", .type = api::boolean()}}),
        [this](const Request&) { return cancel(); });
    add(Method::post, "/migration/clear",
        "Delete the staged records and the list of migrations. Migrated records remain.", {},
        api::object("ClearedMigration", {{.name = "cleared", .type = api::boolean()}}),
        [this](const Request&) { return clear(); });
}

}  // namespace svc::wordpress_import
