// Tables of reports and their file headers.
#include "base/reports/files.hpp"

#include "base/reports/booking_facts.hpp"

namespace svc::reports {
namespace {

using api::Reply;
using json::Value;

std::string cell_text(const Value& value) {
    return value.is_string() ? value.text() : value.is_number() ? value.number_text() : std::string();
}

}  // namespace

Reply file_of(const sheets::Table& table, const std::string& format, const std::string& name) {
    const bool is_xlsx = format == "xlsx";
    Reply reply =
        api::prebuilt(std::make_shared<const std::string>(is_xlsx ? sheets::xlsx(table) : sheets::csv(table)));
    reply.content_type = is_xlsx ? xlsx_type : "text/csv; charset=utf-8";
    reply.headers = {{"Content-Disposition", "attachment; filename=\"" + name + "." + format + "\""},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Cache-Control", "private, no-store"}};
    return reply;
}

sheets::Table sheet_of(const Report& report, std::string_view name) {
    sheets::Table sheet{.name = std::string(name), .head = {"section", "figure", "value"}, .rows = {}};
    for (const auto& [section, numbers] : report.numbers.members())
        for (const auto& [figure, value] : numbers.members())
            if (!value.is_array())
                sheet.rows.push_back({section, figure, cell_text(value)});
    for (const Table& table : report.tables) {
        sheet.rows.push_back({});
        std::vector<std::string> head{std::string(table.name)};
        for (const auto& column : table.columns)
            head.emplace_back(column.label);
        sheet.rows.push_back(std::move(head));
        for (const auto& row : table.rows) {
            std::vector<std::string> cells{""};
            for (const Value& value : row)
                cells.push_back(cell_text(value));
            sheet.rows.push_back(std::move(cells));
        }
    }
    return sheet;
}

sheets::Table table_of(const std::vector<ReportRow>& rows, const RowQuery& query, bool money) {
    const bool departures = query.figure == Figure::departures;
    sheets::Table table{
        .name = std::string(figure_names[static_cast<std::size_t>(query.figure)]), .head = {}, .rows = {}};
    table.head = departures ? std::vector<std::string>{"id", "date", "trip_id", "trip", "status", "seats", "capacity"}
                            : std::vector<std::string>{"id",   "reference", "at",     "travel_date", "trip_id",
                                                       "trip", "customer",  "status", "travelers"};
    if (money && !departures)
        table.head.insert(table.head.end(), {"amount", "currency"});
    for (const ReportRow& row : rows) {
        auto& cells = table.rows.emplace_back();
        if (departures) {
            cells = {std::to_string(row.id),
                     row.travel_date.text(),
                     std::to_string(row.trip_id),
                     row.trip_title,
                     row.word,
                     std::to_string(row.quantity),
                     std::to_string(row.capacity)};
            continue;
        }
        cells = {std::to_string(row.id),
                 row.reference,
                 row.at ? row.at->text() : "",
                 row.travel_date.text(),
                 std::to_string(row.trip_id),
                 row.trip_title,
                 row.customer,
                 row.word,
                 std::to_string(row.quantity)};
        if (money)
            cells.insert(cells.end(), {Money{row.amount, query.filter.currency}.decimal(),
                                       std::string(query.filter.currency.code())});
    }
    return table;
}

sheets::Table customers_table(store::Session& session, const ReportFilter& filter, bool money) {
    sheets::Table table{.name = "customers", .head = {"id", "name", "email", "bookings"}, .rows = {}};
    if (money)
        table.head.insert(table.head.end(), {"total", "currency"});
    for (const TopCustomer& each :
         top_customers(session, booking_facts(session, filter, true).customers, most_file_rows)) {
        auto& cells = table.rows.emplace_back(
            std::vector<std::string>{std::to_string(each.id), each.name, each.email, std::to_string(each.bookings)});
        if (money)
            cells.insert(cells.end(),
                         {Money{each.total, filter.currency}.decimal(), std::string(filter.currency.code())});
    }
    return table;
}

Value json_of(const sheets::Table& table) {
    auto rows = Value::array();
    for (const auto& cells : table.rows) {
        auto row = Value::object();
        for (std::size_t i = 0; i < table.head.size(); ++i)
            row.set(table.head[i], cells[i]);
        rows.push(std::move(row));
    }
    return rows;
}

}  // namespace svc::reports
