// Reads a list page by page in one state of the database, and writes its rows into a file that is sent from the disk.
#include "base/data/import_export/list_files.hpp"

#include <algorithm>

#include "base/platform/sheets/saved_file.hpp"
#include "shared/json/own.hpp"
#include "shared/store/snapshot.hpp"

namespace svc::import_export {
namespace {

using api::Reply;
using api::Request;
using api::Shape;
using json::Value;

constexpr std::int64_t rows_a_page = 1'000;
const char* const workbook_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

bool is_plain(const api::Type& type) {
    return type.shape != Shape::object && type.shape != Shape::map && type.shape != Shape::anything &&
           (type.shape != Shape::list || (type.item && is_plain(*type.item)));
}

// The members of a row of a list; null where its declaration does not say them.
const api::Schema* row_of(const api::RouteSpec& list) {
    const api::Type& answer = list.answer;
    return answer.shape == Shape::list && answer.item && answer.item->members ? answer.item->members.get() : nullptr;
}

// A list of staff that has no files of its own.
bool has_file(const api::RouteSpec& route) {
    return route.method == api::Method::get && route.is_list && route.enveloped && !route.who.is_public() &&
           !route.who.capabilities().empty() && route.files.empty() && row_of(route) != nullptr;
}

// What ends the writing of a file from within it.
struct Refused {
    Reply reply;
};

// The rows of a list, page by page.
class Pages {
  public:
    Pages(const api::RouteSpec& list, const Request& request) : request_(request) {
        request_.route = &list;
        request_.query.erase("format");
        request_.query.set("per_page", rows_a_page);
    }
    // Null at the end.
    const Value* next() {
        if (at_ == rows_.size()) {
            if (is_last_)
                return nullptr;
            read();
        }
        return at_ == rows_.size() ? nullptr : &rows_[at_++];
    }

  private:
    void read() {
        request_.query.set("page", ++page_);
        Reply reply = request_.route->handle(request_);
        if (reply.error)
            throw Refused{std::move(reply)};
        rows_ = std::move(reply.data);
        if (reply.raw) {
            const auto whole = json::parse_own(*reply.raw);
            rows_ = (*whole)["data"];
        }
        at_ = 0;
        is_last_ = rows_.size() < static_cast<std::size_t>(rows_a_page);
    }

    Request request_;
    Value rows_ = Value::array();
    std::size_t at_ = 0;
    std::int64_t page_ = 0;
    bool is_last_ = false;
};

std::string word_of(const Value& value) {
    if (value.is_string())
        return value.text();
    return value.is_number() ? value.number_text() : value.is_null() ? std::string() : value.dump();
}

// Of "/customers/{id}/bookings": "customers-bookings".
std::string name_of(const std::string& path) {
    std::string name;
    for (std::size_t at = 1; at < path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        if (path[at] != '{')
            name += (name.empty() ? "" : "-") + path.substr(at, end - at);
        at = end + 1;
    }
    return name;
}

}  // namespace

ListFiles::File ListFiles::file_of(const api::RouteSpec& list) const {
    File file{.pages = list, .columns = {}};
    file.pages.path = list.path + "/export";
    const auto kind = std::find_if(kinds_.all().begin(), kinds_.all().end(),
                                   [&](const CsvKind& each) { return each.list == list.path; });
    if (kind != kinds_.all().end()) {
        file.kind = &*kind;
        for (const api::Field& field : kind->fields.fields())
            file.columns.push_back({field.name, field.type});
    }
    const auto add = [&](std::string name, const api::Type& type, const std::string& member, const std::string& below) {
        const bool is_there = std::any_of(file.columns.begin(), file.columns.end(),
                                          [&](const Column& column) { return column.name == name; });
        if (!is_there)
            file.columns.push_back({std::move(name), type, member, below});
    };
    for (const api::Field& field : row_of(list)->fields())
        if (is_plain(field.type))
            add(field.name, field.type, field.name, "");
        else if (field.type.shape == Shape::object && field.type.members)
            for (const api::Field& below : field.type.members->fields())
                if (is_plain(below.type))
                    add(field.name + "." + below.name, below.type, field.name, below.name);
    return file;
}

// `exact`: an import reads the cell again.
sheets::Cell ListFiles::cell_of(const Column& column, const Value& value, bool exact) const {
    if (value.is_null())
        return "";
    switch (column.type.shape) {
        case Shape::boolean:
            return value.is_boolean() ? (value.boolean() ? "yes" : "no") : word_of(value);
        case Shape::integer:
        case Shape::decimal:
            return value.is_number() ? sheets::Cell::number(value.number_text()) : sheets::Cell(word_of(value));
        case Shape::date:
            if (const auto day = Date::parse(word_of(value)))
                return sheets::Cell::date(*day);
            return word_of(value);
        case Shape::instant:
            if (const auto at = Instant::parse(word_of(value)); at && !exact)
                return sheets::Cell::moment(*at, site_.settings.zone());
            return word_of(value);
        case Shape::list: {
            std::string all;
            for (const Value& item : value.items())
                all += (all.empty() ? "" : "; ") + word_of(item);
            return all;
        }
        default:
            return word_of(value);
    }
}

Reply ListFiles::saved(const File& file, const Request& request) const {
    const bool is_xlsx = request.query.text_or("format", "csv") == "xlsx";
    // Fields that a list leaves out are for those who may change them.
    const bool with_fields = file.kind && request.caller.can(file.kind->edits);
    std::vector<Column> columns = file.columns;
    if (!with_fields) {
        const api::Schema& row = *row_of(file.pages);
        std::erase_if(columns, [&](const Column& column) { return column.member.empty() && !row.find(column.name); });
        for (Column& column : columns)
            if (column.member.empty())
                column.member = column.name;
    }
    sheets::Rows rows{.name = name_of(file.pages.path.substr(0, file.pages.path.rfind('/'))), .head = {}, .next = {}};
    for (const Column& column : columns)
        rows.head.push_back(column.name);
    Pages pages(file.pages, request);
    rows.next = [&](std::vector<sheets::Cell>& cells) {
        const Value* row = pages.next();
        if (!row)
            return false;
        const Value fields = with_fields ? site_.store.reading<Value>([&](store::Session& session) {
            return file.kind->show(session, (*row)["id"].integer());
        })
                                         : Value();
        for (const Column& column : columns) {
            const Value& value = column.member.empty() ? fields[column.name] : (*row)[column.member];
            cells.push_back(
                cell_of(column, column.below.empty() ? value : value[column.below], column.member.empty() && !is_xlsx));
        }
        return true;
    };
    Reply reply = api::prebuilt(nullptr);
    try {
        store::read_one_state(site_.store, [&] {
            reply.file = sheets::saved_file(rows, is_xlsx ? sheets::Format::xlsx : sheets::Format::csv);
        });
    } catch (const Refused& refused) {
        return refused.reply;
    }
    reply.content_type = is_xlsx ? workbook_type : "text/csv; charset=utf-8";
    reply.headers = {
        {"Content-Disposition", "attachment; filename=\"" + rows.name + (is_xlsx ? ".xlsx" : ".csv") + "\""},
        {"X-Content-Type-Options", "nosniff"},
        {"Cache-Control", "private, no-store"}};
    return reply;
}

void ListFiles::add_routes() {
    std::vector<const api::RouteSpec*> lists;
    for (const auto& route : site_.routes.all())
        if (has_file(*route))
            lists.push_back(route.get());
    for (const api::RouteSpec* list : lists) {
        const auto file = std::make_shared<const File>(file_of(*list));
        api::RouteSpec spec{
            .method = api::Method::get,
            .path = file->pages.path,
            .who = list->who,
            .module = list->module,
            .summary = "Return all rows of the list as a file; takes the list's filters.",
            .query = api::Schema{{.name = "format", .type = api::choice({"csv", "xlsx"}), .otherwise = Value("csv")}}
                         .plus(api::list_parameters(*list).plus(list->query))
                         .without({"page", "per_page"}),
            .enveloped = false,
            .files = {"text/csv", workbook_type},
            .errors = list->errors,
            .lane = api::Lane::admin,
            .handle = [this, file](const Request& request) { return saved(*file, request); }};
        site_.routes.add(std::move(spec));
    }
}

}  // namespace svc::import_export
