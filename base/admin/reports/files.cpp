// Tables of reports and their file headers.
#include "base/admin/reports/files.hpp"

#include "base/admin/reports/booking_facts.hpp"

namespace svc::reports {
namespace {

using api::Reply;
using json::Value;

using sheets::Cell;

Cell cell_of(const Value& value) {
    if (value.is_number())
        return Cell::number(value.number_text());
    const std::string text = value.is_string() ? value.text() : std::string();
    const auto day = Date::parse(text);
    return day ? Cell::date(*day) : Cell(text);
}

Cell amount_cell(std::int64_t minor, const ReportFilter& filter) {
    return Cell::number(Money{minor, filter.currency}.decimal());
}

// Money has a method where bookings have a state, and nobody travels by it.
bool is_of_money(Figure figure) { return figure == Figure::payments || figure == Figure::refunds; }

std::vector<Cell> departure_cells(const ReportRow& row) {
    return {
        Cell::number(row.id),       Cell::date(row.travel_date), Cell::number(row.trip_id), row.trip_title, row.word,
        Cell::number(row.quantity), Cell::number(row.capacity)};
}

std::vector<std::string> head_of(Figure figure) {
    if (figure == Figure::departures)
        return {"id", "date", "trip_id", "trip", "status", "seats", "capacity"};
    if (is_of_money(figure))
        return {"id", "reference", "date", "processed_at", "travel_date", "trip_id", "trip", "customer", "method"};
    return {"id", "reference", "booked_at", "travel_date", "trip_id", "trip", "customer", "status", "travelers"};
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
                sheet.rows.push_back({section, figure, cell_of(value)});
    for (const Table& table : report.tables) {
        sheet.rows.push_back({});
        std::vector<Cell> head{std::string(table.name)};
        for (const auto& column : table.columns)
            head.emplace_back(std::string(column.label));
        sheet.rows.push_back(std::move(head));
        for (const auto& row : table.rows) {
            std::vector<Cell> cells{""};
            for (const Value& value : row)
                cells.push_back(cell_of(value));
            sheet.rows.push_back(std::move(cells));
        }
    }
    return sheet;
}

sheets::Table table_of(const std::vector<ReportRow>& rows, const RowQuery& query, bool money) {
    const bool departures = query.figure == Figure::departures;
    sheets::Table table{.name = std::string(figure_names[static_cast<std::size_t>(query.figure)]),
                        .head = head_of(query.figure),
                        .rows = {}};
    if (money && !departures)
        table.head.insert(table.head.end(), {"amount", "currency"});
    for (const ReportRow& row : rows) {
        auto& cells = table.rows.emplace_back();
        if (departures) {
            cells = departure_cells(row);
            continue;
        }
        cells = {Cell::number(row.id), row.reference};
        if (is_of_money(query.figure))
            cells.push_back(Cell::date(row.day));
        cells.push_back(row.at ? Cell::moment(*row.at, query.filter.zone) : Cell(""));
        cells.insert(cells.end(),
                     {Cell::date(row.travel_date), Cell::number(row.trip_id), row.trip_title, row.customer, row.word});
        if (!is_of_money(query.figure))
            cells.push_back(Cell::number(row.quantity));
        if (money)
            cells.insert(cells.end(),
                         {amount_cell(row.amount, query.filter), std::string(query.filter.currency.code())});
    }
    return table;
}

sheets::Table revenue_table(const std::vector<ReportRow>& payments, std::vector<ReportRow> refunds,
                            const RowQuery& query) {
    for (ReportRow& refund : refunds)
        refund.amount = -refund.amount;
    sheets::Table table = table_of(payments, query, true);
    table.name = "revenue";
    sheets::Table returned = table_of(refunds, query, true);
    table.head.emplace_back("kind");
    for (auto& row : table.rows)
        row.emplace_back("payment");
    for (auto& row : returned.rows) {
        row.emplace_back("refund");
        table.rows.push_back(std::move(row));
    }
    return table;
}

sheets::Table customers_table(store::Session& session, const ReportFilter& filter, bool money) {
    sheets::Table table{.name = "customers", .head = {"id", "name", "email", "bookings"}, .rows = {}};
    if (money)
        table.head.insert(table.head.end(), {"total", "currency"});
    for (const TopCustomer& each :
         top_customers(session, booking_facts(session, filter, true).customers, most_file_rows + 1)) {
        auto& cells = table.rows.emplace_back(
            std::vector<Cell>{Cell::number(each.id), each.name, each.email, Cell::number(each.bookings)});
        if (money)
            cells.insert(cells.end(), {amount_cell(each.total, filter), std::string(filter.currency.code())});
    }
    return table;
}

Value json_of(const sheets::Table& table) {
    auto rows = Value::array();
    for (const auto& cells : table.rows) {
        auto row = Value::object();
        for (std::size_t i = 0; i < table.head.size(); ++i)
            row.set(table.head[i], cells[i].text);
        rows.push(std::move(row));
    }
    return rows;
}

}  // namespace svc::reports
