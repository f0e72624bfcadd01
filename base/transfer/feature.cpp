// Starts exports and imports and registers their steps.
#include "base/transfer/feature.hpp"

#include <algorithm>

#include "base/catalog/media/multipart.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::transfer {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;
using tools::Task;
using tools::TaskType;

constexpr std::size_t most_upload = 50 << 20, most_form = 64 << 10;

std::vector<std::string> kind_names() {
    std::vector<std::string> names{"all"};
    for (const Kind& kind : all_kinds())
        names.push_back(kind.name);
    return names;
}

// The options of a form or a JSON body.
struct Upload {
    std::string bytes;
    std::vector<std::string> data_types;
    Value options = Value::object();
};

Result<std::vector<std::string>> types_of(const Value& given) {
    std::vector<std::string> types;
    const auto known = kind_names();
    const auto add = [&](std::string name) -> Result<void> {
        if (std::find(known.begin(), known.end(), name) == known.end())
            return invalid("data_types", "There is no kind of record '" + name + "'.");
        types.push_back(std::move(name));
        return {};
    };
    if (given.is_array()) {
        for (const Value& name : given.items())
            if (auto good = name.is_string() ? add(name.text())
                                             : Result<void>(invalid("data_types", "This must be a list of names."));
                !good)
                return good.error();
    } else if (given.is_string()) {
        std::string_view rest = given.text();
        while (!rest.empty()) {
            const auto comma = rest.find(',');
            SVC_RETURN_IF_ERROR(add(std::string(rest.substr(0, comma))));
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        }
    }
    return types;
}

Result<void> take_option(Upload& upload, const std::string& name, const Value& value) {
    if (name == "data_types") {
        SVC_ASSIGN_OR_RETURN(auto types, types_of(value));
        upload.data_types = std::move(types);
    } else if (name == "mode") {
        const std::string mode = value.is_string() ? value.text() : "";
        if (std::find(std::begin(mode_names), std::end(mode_names), mode) == std::end(mode_names))
            return invalid("mode", "This must be one of skip, update, create.");
        upload.options.set("mode", mode);
    } else if (name == "mapping") {
        const auto mapping = value.is_string() ? json::parse(value.text()) : Result<Value>(value);
        if (!mapping || !mapping->is_object())
            return invalid("mapping", "This must be an object of columns and fields.");
        upload.options.set("mapping", *mapping);
    } else if (name == "dry_run") {
        SVC_ASSIGN_OR_RETURN(const auto flag, api::boolean().check(value, "dry_run"));
        upload.options.set("dry_run", flag);
    }
    return {};
}

Result<Upload> upload_of(const Request& request) {
    Upload upload;
    const std::string_view type = request.header ? request.header("content-type") : std::string_view();
    if (type.starts_with("multipart/")) {
        SVC_ASSIGN_OR_RETURN(const auto parts, catalog::media::read_form(type, request.raw_body));
        for (const auto& part : parts)
            if (part.name == "file")
                upload.bytes = part.content;
            else if (auto taken = take_option(upload, part.name, Value(std::string(part.content))); !taken)
                return taken.error();
        if (upload.bytes.empty())
            return missing("file");
        return upload;
    }
    if (!type.starts_with("application/json"))
        return Error{errc::unsupported_media_type,
                     "Send multipart/form-data with a part `file`, or JSON with import_data."};
    SVC_ASSIGN_OR_RETURN(const auto body,
                         json::parse(request.raw_body, {.depth = 64, .elements = 2'000'000, .text = 8 << 20}));
    const Value* data = body.find("import_data");
    if (!data || !data->is_object())
        return missing("import_data");
    upload.bytes = data->dump();
    for (const auto& [name, value] : body.members())
        if (name != "import_data")
            if (auto taken = take_option(upload, name, value); !taken)
                return taken.error();
    return upload;
}

api::Type started_answer() {
    return api::object("StartedJob", {{.name = "job_id", .type = api::text(60), .required = true},
                                      {.name = "status_url", .type = api::raw_text(500), .required = true},
                                      {.name = "data_types", .type = api::list(api::text(60), 100)}});
}

}  // namespace

void Feature::connect() {
    tasks_.add(TaskType::export_, exporting_.kind());
    tasks_.add(TaskType::import, {.step = [this](Task& task) { return import_step(task); },
                                  .ended = [this](const Task& task) { importing_.ended(task); }});
}

Result<bool> Feature::import_step(Task& task) {
    if (task.options.find("undo_id"))
        return importing_.undo_step(task);
    if (task.options.find("csv"))
        return task.state.find("rows") ? csv_.step(task) : csv_.begin(task, tasks_.path_of(task.key + ".upload"));
    if (!task.state.find("files"))
        return importing_.begin(task, tasks_.path_of(task.key + ".upload"));
    return importing_.step(task);
}

Reply Feature::started(const Request& request, Task task) const {
    task.user_id = request.caller.user_id;
    return api::respond_once(
        request,
        [&] {
            return site_.store.transact<Task>(
                [&](store::Transaction& tx) -> Result<Task> { return tasks_.begin(tx, task); });
        },
        [&](const Task& begun) {
            auto types = json::array_of(begun.data_types);
            auto reply = api::ok(Value::object({{"job_id", begun.key},
                                                {"status_url", site_.installation.root + "/tools/jobs/" + begun.key},
                                                {"data_types", std::move(types)}}));
            reply.status = 202;
            return reply;
        });
}

Reply Feature::start_export(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto types, types_of(request.body["data_types"]));
    return started(request, {.type = TaskType::export_, .data_types = types});
}

Reply Feature::start_import(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(auto upload, upload_of(request));
    if (!upload.bytes.starts_with("PK\x03\x04") && !upload.bytes.starts_with("{")) {
        // A table needs the kind of its rows.
        if (upload.data_types.size() != 1 || !csv_kinds_.named(upload.data_types.front()))
            return api::failed(invalid("data_types",
                                       "A CSV file is imported as one of customers, trips, departures. An"
                                       " export is a zip archive or JSON."));
        upload.options.set("csv", upload.data_types.front());
    }
    Task task{.key = tools::Tasks::fresh_key(TaskType::import),
              .type = TaskType::import,
              .data_types = upload.data_types,
              .options = upload.options};
    tasks_.prepare_folder();
    SVC_RETURN_IF_ERROR(append_at(tasks_.path_of(task.key + ".upload"), 0, upload.bytes));
    return started(request, std::move(task));
}

// Answers the fields of a kind and the field that each column would become.
Reply Feature::show_mapping(const Request& request) const {
    const CsvKind* kind = csv_kinds_.named(request.body.text_or("data_type"));
    if (!kind)
        return api::failed(invalid("data_type", "This must be one of customers, trips, departures."));
    auto fields = Value::array();
    for (const api::Field& field : kind->fields.fields())
        fields.push(Value::object({{"name", field.name},
                                   {"description", field.help},
                                   {"required", field.required},
                                   {"type", field.type.json_schema()["type"]}}));
    std::vector<std::string> columns;
    if (const Value* given = request.body.find("columns"); given && given->is_array())
        for (const Value& column : given->items())
            columns.push_back(column.text());
    return api::ok(Value::object({{"data_type", kind->name},
                                  {"key", kind->key},
                                  {"fields", std::move(fields)},
                                  {"mapping", csv_.mapping_for(*kind, columns)}}));
}

Reply Feature::start_undo(const Request& request) const {
    const auto done = tasks_.find(request.path["job_id"].text());
    if (!done || done->type != TaskType::import)
        return api::failed(errc::not_found);
    if (!done->is_over())
        return api::failed(Error{errc::conflict, "The job is not over yet."});
    if (done->options.find("undo_id") || done->options.maybe_boolean("dry_run").value_or(false))
        return api::failed(Error{errc::conflict, "This job has stored nothing that could be undone."});
    return started(request, {.type = TaskType::import,
                             .data_types = done->data_types,
                             .options = Value::object({{"undo_id", done->id}, {"undo", done->key}}),
                             .total = done->processed});
}

void Feature::add_routes() {
    const auto who = Permission::can("manage_options");
    const api::Schema field{{.name = "name", .type = api::text(60)},
                            {.name = "description", .type = api::text(500)},
                            {.name = "required", .type = api::boolean()},
                            {.name = "type", .type = api::anything(), .help = "As in JSON Schema."}};
    site_.routes.add({.method = api::Method::post,
                      .path = "/tools/export",
                      .who = who,
                      .summary = "Start an export of the chosen kinds: JSON lines in a zip archive with a manifest. "
                                 "Excludes users, files, secrets and sealed answers.",
                      .body = {{.name = "data_types",
                                .type = api::list(api::choice(kind_names()), 20, 1),
                                .help = "`all` for everything.",
                                .required = true}},
                      .answer = started_answer(),
                      .success = 202,
                      .stores_reply = true,
                      .handle = [this](const Request& request) { return start_export(request); }});
    site_.routes.add({.method = api::Method::post,
                      .path = "/tools/import",
                      .who = who,
                      .summary =
                          "Start an import of an export: multipart/form-data with the part `file` (zip or JSON, or"
                          " CSV of customers, trips or departures with `mapping`) and"
                          " data_types, mode (skip, update, create) and dry_run; or JSON with import_data. Sends no"
                          " mail and fires no event.",
                      .answer = started_answer(),
                      .success = 202,
                      .errors = {&errc::unsupported_media_type, &errc::payload_too_large, &errc::bad_request},
                      .lane = api::Lane::admin,
                      .body_limit = most_upload + most_form,
                      .raw_body_only = true,
                      .raw_media = "multipart/form-data",
                      .stores_reply = true,
                      .handle = [this](const Request& request) { return start_import(request); }});
    site_.routes.add(
        {.method = api::Method::post,
         .path = "/tools/import/mapping",
         .who = who,
         .summary = "Return the fields that columns of a CSV file can be mapped to, and the mapping of these"
                    " columns: that of the last import, else by their names.",
         .body = {{.name = "data_type", .type = api::text(60), .required = true},
                  {.name = "columns", .type = api::list(api::text(500), 500)}},
         .answer =
             api::object("ImportMapping", {{.name = "data_type", .type = api::text(60)},
                                           {.name = "key", .type = api::text(60)},
                                           {.name = "fields", .type = api::list(api::object("ImportField", field))},
                                           {.name = "mapping", .type = api::map(api::anything(), 500)}}),
         .repeats_safely = true,
         .handle = [this](const Request& request) { return show_mapping(request); }});
    site_.routes.add({.method = api::Method::post,
                      .path = "/tools/jobs/{job_id}/undo",
                      .who = who,
                      .summary = "Start a job that undoes an import: deletes created records unless newer records "
                                 "refer to them, and restores updated records.",
                      .answer = started_answer(),
                      .success = 202,
                      .errors = {&errc::not_found, &errc::conflict},
                      .stores_reply = true,
                      .handle = [this](const Request& request) { return start_undo(request); }});
}

}  // namespace svc::transfer
