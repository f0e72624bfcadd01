// Reports and their rows as files for spreadsheet programs, and as JSON of the same columns.
#pragma once

#include "base/admin/reports/report.hpp"
#include "base/admin/reports/rows.hpp"
#include "base/platform/sheets/sheets.hpp"
#include "shared/api/route.hpp"

namespace svc::reports {

inline constexpr const char* xlsx_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
inline constexpr std::int64_t most_file_rows = 50'000;

// `format`: csv or xlsx; `name` without its ending.
api::Reply file_of(const sheets::Table& table, const std::string& format, const std::string& name);
// All lists of a report below one another, each under its name: one file opens as one sheet.
sheets::Table sheet_of(const Report& report, std::string_view name);
sheets::Table table_of(const std::vector<ReportRow>& rows, const RowQuery& query, bool money);
// Payments, then refunds with negative amounts: their sum is the revenue.
sheets::Table revenue_table(const std::vector<ReportRow>& payments, std::vector<ReportRow> refunds,
                            const RowQuery& query);
// One row more than a file holds where there are more.
sheets::Table customers_table(store::Session& session, const ReportFilter& filter, bool money);
json::Value json_of(const sheets::Table& table);

}  // namespace svc::reports
