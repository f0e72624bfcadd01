// Builds reports from figures: the sections of each type, compared with an earlier span, and as tables for files.
#pragma once

#include "base/admin/reports/figures.hpp"
#include "shared/json/value.hpp"

namespace svc::reports {

enum class Type : std::uint8_t { overview, bookings, revenue, trips, customers, payments, taxes, departures };
inline constexpr std::string_view type_names[] = {"overview",  "bookings", "revenue", "trips",
                                                  "customers", "payments", "taxes",   "departures"};

struct ReportQuery {
    ReportFilter filter;
    Type type = Type::overview;
    GroupBy by = GroupBy::day;
    Compare compare = Compare::previous;
    std::vector<std::string> sections = {};  // empty: all of the type
    bool money = false;                      // amounts of any kind
    bool persons = false;                    // names and addresses of customers
    std::int64_t guide_id = 0;               // the report is of what this user guides alone; 0: of all
    Date today;                              // of the site
};

// A list of a report, also a sheet of a file.
struct Table {
    struct Column {
        std::string_view key, label;
    };
    std::string_view name;
    std::vector<Column> columns;
    std::vector<std::vector<json::Value>> rows;
    [[nodiscard]] json::Value to_json() const;
};

struct Report {
    json::Value numbers = json::Value::object();  // objects of single numbers, by section
    std::vector<Table> tables;
    [[nodiscard]] json::Value to_json() const;
};

// The sections of a type, and whether one contains amounts.
std::vector<std::string_view> all_sections();
bool is_money_section(std::string_view name);
// Whether a section names customers.
bool is_person_section(std::string_view name);
// Whether a section can be of one guide's departures; the others are of the whole company.
bool is_guided_section(std::string_view name);
// Whether a type has such a section.
bool is_guided_type(Type type);
// Whether a type is about money alone.
bool is_money_type(Type type);

Report report_of(store::Session& session, const ReportQuery& query);

}  // namespace svc::reports
