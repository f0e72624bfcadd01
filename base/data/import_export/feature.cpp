// Starts exports and imports and registers their steps.
#include "base/data/import_export/feature.hpp"

#include <algorithm>
#include <filesystem>

#include "base/catalog/media/multipart.hpp"
#include "base/data/import_export/table_map.hpp"
#include "base/platform/csv/cells.hpp"
#include "base/platform/csv/encoding.hpp"
#include "shared/api/author.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/said.hpp"

namespace svc::import_export {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;
using maintenance::Task;
using maintenance::TaskType;

constexpr std::size_t most_upload = 50 << 20, most_form = 64 << 10, most_preview = 1 << 20;

std::string kind_names(const TableMap& map) {
    std::string names = "all";
    for (const Kind& kind : map.kinds)
        names += ", " + kind.name;
    return names;
}

// The options of a form or a JSON body.
struct Upload {
    std::string bytes;
    std::vector<std::string> data_types;
    Value options = Value::object();
};

// Of an import, as parts of a form or beside import_data. Objects and lists are JSON texts in a form.
api::Schema import_options() {
    return {
        {.name = "data_types",
         .type = api::text(500),
         .help =
             "The kinds of record, separated by commas; of a CSV file one of customers, trips, departures, bookings,"
             " travelers."},
        {.name = "mode",
         .type = api::choice({std::begin(mode_names), std::end(mode_names)}),
         .help = "What happens to a record that is here already."},
        {.name = "mapping",
         .type = api::text(64 << 10),
         .help = "Of a CSV file: a JSON object of columns and their fields; null leaves a column out."},
        {.name = "dry_run", .type = api::boolean(), .help = "Check only: store nothing and report failures."},
        {.name = "encoding",
         .type = api::choice(csv::encoding_names()),
         .help = "Of a CSV file without a byte order mark; absent: it is found out."},
        {.name = "date_form",
         .type = api::choice({std::begin(csv::day_form_names), std::end(csv::day_form_names)}),
         .help = "The order of day, month and year in a CSV file; any: that of the setting date_format, and every"
                 " day that has one meaning."}};
}

Result<std::vector<std::string>> types_of(const TableMap& map, const Value& given) {
    std::vector<std::string> types;
    const auto add = [&](std::string name) -> Result<void> {
        if (name != "all" && map.parts_of({name}).empty())
            return invalid("data_types",
                           "There is no kind of record ''{name}''. There are: {kind_names}."_sentence.with("name", name)
                               .with("kind_names", kind_names(map)));
        types.push_back(std::move(name));
        return {};
    };
    if (given.is_array()) {
        for (const Value& name : given.items())
            if (auto good = name.is_string()
                                ? add(name.text())
                                : Result<void>(invalid("data_types", "This must be a list of names."_sentence));
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

// The options of a form are texts; those of JSON may be what the texts stand for.
Result<void> take_options(const TableMap& map, Upload& upload, Value given) {
    const Value types = given["data_types"], mapping = given["mapping"];
    given.erase("data_types");
    given.erase("mapping");
    SVC_ASSIGN_OR_RETURN(upload.options, import_options().without({"data_types", "mapping"}).check(given, true));
    SVC_ASSIGN_OR_RETURN(upload.data_types, types_of(map, types));
    if (mapping.is_null())
        return {};
    const auto object = mapping.is_string() ? json::parse(mapping.text()) : Result<Value>(mapping);
    if (!object || !object->is_object())
        return invalid("mapping", "This must be an object of columns and fields."_sentence);
    upload.options.set("mapping", *object);
    return {};
}

Result<Upload> upload_of(const TableMap& map, const Request& request) {
    Upload upload;
    const std::string_view type = request.header ? request.header("content-type") : std::string_view();
    if (type.starts_with("multipart/")) {
        SVC_ASSIGN_OR_RETURN(auto form, catalog::media::read_upload(type, request.raw_body, request.route->body));
        upload.bytes = form.file.content;
        SVC_RETURN_IF_ERROR(take_options(map, upload, std::move(form.fields)));
        return upload;
    }
    if (!type.starts_with("application/json"))
        return Error{errc::unsupported_media_type,
                     "Send multipart/form-data with a part `file`, or JSON with import_data."_sentence};
    SVC_ASSIGN_OR_RETURN(auto body,
                         json::parse(request.raw_body, {.depth = 64, .elements = 2'000'000, .text = 8 << 20}));
    const Value* data = body.find("import_data");
    if (!data || !data->is_object())
        return missing("import_data");
    upload.bytes = data->dump();
    body.erase("import_data");
    SVC_RETURN_IF_ERROR(take_options(map, upload, std::move(body)));
    return upload;
}

// Why these bytes are no file of an import, as far as their beginning says; empty: they may be one.
SentenceId fault_of_file(const std::string& bytes, bool is_table) {
    constexpr std::string_view old_excel = "\xD0\xCF\x11\xE0";
    const bool is_zip = bytes.starts_with("PK\x03\x04");
    const bool is_workbook =
        is_zip && (bytes.find("xl/workbook.xml") != std::string::npos || bytes.find("[Content_Types].xml") < 4096);
    if (is_workbook || bytes.starts_with(old_excel))
        return "This is a workbook of a spreadsheet program. Save it there as CSV (UTF-8) and import that file."_sentence;
    if (is_zip && bytes.find("mimetypeapplication/vnd.oasis.opendocument") < 200)
        return "This is a spreadsheet of LibreOffice. Save it there as CSV (UTF-8) and import that file."_sentence;
    if (bytes.starts_with("%PDF"))
        return "This is a PDF. Import a CSV file, or an export (zip or JSON)."_sentence;
    return is_table && is_zip ? "This is a zip archive. Import its CSV file alone."_sentence : SentenceId{};
}

Value fields_of(const CsvKind& kind) {
    auto fields = Value::array();
    for (const api::Field& field : kind.fields.fields())
        fields.push(Value::object({{"name", field.name},
                                   {"description", field.help},
                                   {"required", field.required},
                                   {"type", field.type.json_schema()["type"]}}));
    return fields;
}

Sentence one_of_kinds() { return "This must be one of {names}."_sentence.with("names", CsvKinds::names()); }

api::Type started_answer() {
    return api::object("StartedJob", {{.name = "job_id", .type = api::text(60), .required = true},
                                      {.name = "status_url", .type = api::raw_text(500), .required = true},
                                      {.name = "data_types", .type = api::list(api::text(60), 100)}});
}

}  // namespace

void Feature::declare() { declare_hooks(site_.hooks); }

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
    task.user_id = api::author(request.caller);
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
    SVC_ASSIGN_OR_RETURN(const auto types, types_of(*table_map(site_.store, site_.hooks), request.body["data_types"]));
    return started(request, {.type = TaskType::export_, .data_types = types});
}

Reply Feature::start_import(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(auto upload, upload_of(*table_map(site_.store, site_.hooks), request));
    if (const SentenceId fault = fault_of_file(upload.bytes, false))
        return api::failed(invalid("file", fault));
    if (!upload.bytes.starts_with("PK\x03\x04") && !upload.bytes.starts_with("{")) {
        // A table needs the kind of its rows.
        if (upload.data_types.size() != 1 || !csv_kinds_.named(upload.data_types.front()))
            return api::failed(
                invalid("data_types",
                        "A CSV file is imported as one of {names}. An export is a zip archive or JSON."_sentence.with(
                            "names", CsvKinds::names())));
        upload.options.set("csv", upload.data_types.front());
    }
    Task task{.key = maintenance::Tasks::fresh_key(TaskType::import),
              .type = TaskType::import,
              .data_types = upload.data_types,
              .options = upload.options};
    tasks_.prepare_folder();
    SVC_RETURN_IF_ERROR(append_at(tasks_.path_of(task.key + ".upload"), 0, upload.bytes));
    return started(request, std::move(task));
}

// How a file, or its beginning, would be read.
Reply Feature::show_preview(const Request& request) const {
    const std::string_view type = request.header ? request.header("content-type") : std::string_view();
    SVC_ASSIGN_OR_RETURN(auto form, catalog::media::read_upload(type, request.raw_body, request.route->body));
    Upload upload;
    SVC_RETURN_IF_ERROR(take_options(*table_map(site_.store, site_.hooks), upload, std::move(form.fields)));
    const auto kind = upload.data_types.size() == 1 ? csv_kinds_.current(upload.data_types.front()) : nullptr;
    if (!kind)
        return api::failed(invalid("data_types", one_of_kinds()));
    const std::string bytes(form.file.content);
    if (const SentenceId fault = fault_of_file(bytes, true))
        return api::failed(invalid("file", fault));
    tasks_.prepare_folder();
    const std::string path = tasks_.path_of(maintenance::Tasks::fresh_key(TaskType::import) + ".preview");
    const auto written = append_at(path, 0, bytes);
    auto shown = written ? csv_.preview(*kind, path, upload.options) : Result<Value>(written.error());
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!shown)
        return api::failed(shown.error());
    shown->set("rows", api::said_rows((*shown)["rows"], "problem", request));
    shown->set("data_type", kind->name);
    shown->set("key", kind->key);
    shown->set("fields", fields_of(*kind));
    return api::ok(std::move(*shown));
}

// Answers the fields of a kind and the field that each column would become.
Reply Feature::show_mapping(const Request& request) const {
    const auto kind = csv_kinds_.current(request.body.text_or("data_type"));
    if (!kind)
        return api::failed(invalid("data_type", one_of_kinds()));
    std::vector<std::string> columns;
    if (const Value* given = request.body.find("columns"); given && given->is_array())
        for (const Value& column : given->items())
            columns.push_back(column.text());
    return api::ok(Value::object({{"data_type", kind->name},
                                  {"key", kind->key},
                                  {"fields", fields_of(*kind)},
                                  {"mapping", csv_.mapping_for(*kind, columns)}}));
}

Reply Feature::start_undo(const Request& request) const {
    const auto done = tasks_.find(request.path["job_id"].text());
    if (!done || done->type != TaskType::import)
        return api::failed(errc::not_found);
    if (!done->is_over())
        return api::failed(Error{errc::conflict, "The job is not over yet."_sentence});
    if (done->options.find("undo_id") || done->options.maybe_boolean("dry_run").value_or(false))
        return api::failed(Error{errc::conflict, "This job has stored nothing that could be undone."_sentence});
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
                      .name = "startExport",
                      .who = who,
                      .summary = "Start an export of the chosen kinds: JSON lines in a zip archive with a manifest. "
                                 "Excludes users, files, secrets and sealed answers.",
                      .body = {{.name = "data_types",
                                .type = api::list(api::text(60), 100, 1),
                                .help = "One or more of " + kind_names(base_tables()) + ", and what plugins add.",
                                .required = true}},
                      .answer = started_answer(),
                      .success = 202,
                      .stores_reply = true,
                      .handle = [this](const Request& request) { return start_export(request); }});
    site_.routes.add({.method = api::Method::post,
                      .path = "/tools/import",
                      .name = "startImport",
                      .who = who,
                      .summary =
                          "Start an import of an export: multipart/form-data with the part `file` (zip or JSON, or"
                          " CSV of customers, trips, departures, bookings or travelers with `mapping`) and"
                          " data_types, mode (skip, update, create) and dry_run; or JSON with import_data. Sends no"
                          " mail and fires no event.",
                      .body = catalog::media::upload_form(import_options(), "The export (zip or JSON) or a CSV file."),
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
         .name = "mapImport",
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
    const api::Schema row{{.name = "line", .type = api::integer(1), .required = true},
                          {.name = "cells", .type = api::list(api::raw_text(64 << 10)), .required = true},
                          {.name = "fields",
                           .type = api::map(api::anything(), 500),
                           .help = "As they would be stored.",
                           .required = true},
                          {.name = "problem", .type = api::raw_text(10'000).or_null(), .required = true}};
    site_.routes.add(
        {.method = api::Method::post,
         .path = "/tools/import/preview",
         .who = who,
         .summary =
             "Return how a CSV file, or its beginning, would be read: encoding, columns and their mapping, and the"
             " first rows. Stores nothing.",
         .body = catalog::media::upload_form(import_options().without({"mode", "dry_run"}),
                                             "The CSV file or its first mebibyte."),
         .answer =
             api::object("ImportPreview",
                         {{.name = "data_type", .type = api::text(60), .required = true},
                          {.name = "key", .type = api::text(60), .required = true},
                          {.name = "encoding", .type = api::choice(csv::encoding_names()), .required = true},
                          {.name = "encoding_guessed",
                           .type = api::boolean(),
                           .help = "The file has no mark and is not UTF-8: check letters with accents.",
                           .required = true},
                          {.name = "columns", .type = api::list(api::raw_text(64 << 10)), .required = true},
                          {.name = "mapping", .type = api::map(api::anything(), 500), .required = true},
                          {.name = "fields", .type = api::list(api::object("ImportField", field)), .required = true},
                          {.name = "rows", .type = api::list(api::object("ImportPreviewRow", row)), .required = true}}),
         .errors = {&errc::unsupported_media_type, &errc::payload_too_large, &errc::bad_request},
         .lane = api::Lane::admin,
         .body_limit = most_preview + most_form,
         .raw_body_only = true,
         .raw_media = "multipart/form-data",
         .repeats_safely = true,
         .handle = [this](const Request& request) { return show_preview(request); }});
    site_.routes.add({.method = api::Method::post,
                      .path = "/tools/jobs/{job_id}/undo",
                      .name = "undoImport",
                      .who = who,
                      .summary = "Start a job that undoes an import: deletes created records unless newer records "
                                 "refer to them, and restores updated records.",
                      .answer = started_answer(),
                      .success = 202,
                      .errors = {&errc::not_found, &errc::conflict},
                      .stores_reply = true,
                      .handle = [this](const Request& request) { return start_undo(request); }});
}

}  // namespace svc::import_export
