// Chooses the sections of a report and computes their numbers.
#include "base/admin/reports/report.hpp"

#include <algorithm>

#include "base/admin/reports/writer.hpp"

namespace svc::reports {

using json::Number;
using json::Value;

const std::vector<SectionOf>& section_list() {
    using enum Type;
    static const std::vector<SectionOf> sections{
        {"revenue_stats", true, {overview, revenue, payments}},
        {"booking_stats", false, {overview, bookings}},
        {"operational_stats", false, {overview, departures, trips}},
        {"customer_analytics", false, {overview, customers}},
        {"lead_time", false, {overview, bookings}},
        {"outstanding", true, {overview, payments}},
        {"refunds", true, {overview, revenue, payments}},
        {"booking_trend", false, {overview, bookings}},
        {"status_trend", false, {overview, bookings}},
        {"revenue_trend", true, {overview, revenue, payments}},
        {"occupancy_trend", false, {overview, departures}},
        {"seat_utilization", false, {overview, departures}},
        {"departures_table", false, {overview, departures}},
        {"bookings_table", false, {overview, bookings}},
        {"traveler_segments", false, {overview, customers, bookings}},
        {"trip_performance", false, {overview, trips}},
        {"revenue_by_trip", true, {overview, revenue, trips}},
        {"payment_status", true, {overview, payments}},
        {"payment_methods", true, {overview, payments, revenue}},
        {"refund_methods", true, {payments, revenue}},
        {"tax_rates", true, {overview, taxes}},
        {"cancellations", false, {overview, bookings}},
        {"party_sizes", false, {overview, bookings}},
        {"sources", false, {overview, bookings}},
        {"countries", false, {overview, customers}},
        {"top_destinations", false, {overview, trips}},
        {"top_customers", true, {customers}},
    };
    return sections;
}

Number tenths(std::int64_t of_ten) {
    const std::int64_t magnitude = of_ten < 0 ? -of_ten : of_ten;
    return {(of_ten < 0 ? "-" : "") + std::to_string(magnitude / 10) + "." + std::to_string(magnitude % 10)};
}
Number share_of(std::int64_t part, std::int64_t whole) {
    return tenths(whole == 0 ? 0 : (part * 2'000 + whole) / (2 * whole));
}
Value change_of(std::int64_t now, std::int64_t before) {
    if (before == 0)
        return {};
    return tenths((now - before) * 1'000 / (before < 0 ? -before : before));
}
Number average_of(std::int64_t sum, std::int64_t count) {
    return tenths(count == 0 ? 0 : (sum * 20 + count) / (2 * count));
}

BookingTotals totals_of(const std::vector<DayOfBookings>& days) {
    BookingTotals all;
    for (const DayOfBookings& day : days)
        all.add(day);
    return all;
}

MoneyTotals totals_of(Figures& figures) {
    MoneyTotals all;
    for (const DayOfMoney& day : figures.payments()) {
        all.payments += day.count;
        all.paid += day.amount;
    }
    for (const DayOfMoney& day : figures.refunds()) {
        all.refunds += day.count;
        all.refunded += day.amount;
    }
    return all;
}

bool Writer::is_wanted(const SectionOf& section) const {
    if (section.money && !query_.money)
        return false;
    if (is_person_section(section.name) && !query_.persons)
        return false;
    if (query_.guide_id != 0 && !is_guided_section(section.name))
        return false;
    if (!query_.sections.empty())
        return std::find(query_.sections.begin(), query_.sections.end(), section.name) != query_.sections.end();
    return std::find(section.types.begin(), section.types.end(), query_.type) != section.types.end();
}

bool Writer::is_composed() const {
    static constexpr std::string_view of_composition[] = {
        "booking_stats", "customer_analytics", "lead_time", "outstanding", "traveler_segments", "payment_status",
        "cancellations", "party_sizes",        "sources",   "countries",   "top_customers"};
    return std::any_of(section_list().begin(), section_list().end(), [&](const SectionOf& section) {
        return is_wanted(section) && std::find(std::begin(of_composition), std::end(of_composition), section.name) !=
                                         std::end(of_composition);
    });
}

void Writer::write_section(std::string_view name) {
    static const std::map<std::string_view, void (Writer::*)()> plain{
        {"revenue_stats", &Writer::revenue_stats},
        {"booking_stats", &Writer::booking_stats},
        {"operational_stats", &Writer::operational_stats},
        {"customer_analytics", &Writer::customer_analytics},
        {"lead_time", &Writer::lead_times},
        {"outstanding", &Writer::outstanding},
        {"refunds", &Writer::refund_stats},
        {"booking_trend", &Writer::booking_trend},
        {"status_trend", &Writer::status_trend},
        {"revenue_trend", &Writer::revenue_trend},
        {"occupancy_trend", &Writer::occupancy_trend},
        {"seat_utilization", &Writer::seat_utilization},
        {"departures_table", &Writer::departures_table},
        {"bookings_table", &Writer::bookings_table},
        {"traveler_segments", &Writer::traveler_segments},
        {"trip_performance", &Writer::trip_performance},
        {"revenue_by_trip", &Writer::revenue_by_trip}};
    if (const auto found = plain.find(name); found != plain.end())
        (this->*found->second)();
    else if (name.starts_with("payment_") || name == "tax_rates" || name == "refund_methods")
        payment_lists(name);
    else
        origin_lists(name);
}

Value Table::to_json() const {
    auto list = Value::array();
    for (const auto& row : rows) {
        auto object = Value::object();
        for (std::size_t i = 0; i < columns.size(); ++i)
            object.set(std::string(columns[i].key), row[i]);
        list.push(std::move(object));
    }
    return list;
}

Value Report::to_json() const {
    Value all = numbers;
    for (const Table& table : tables)
        all.set(std::string(table.name), table.to_json());
    return all;
}

std::vector<std::string_view> all_sections() {
    std::vector<std::string_view> names;
    for (const SectionOf& section : section_list())
        names.push_back(section.name);
    return names;
}

bool is_money_section(std::string_view name) {
    return std::any_of(section_list().begin(), section_list().end(),
                       [&](const SectionOf& section) { return section.name == name && section.money; });
}

bool is_person_section(std::string_view name) { return name == "top_customers"; }

bool is_guided_section(std::string_view name) {
    static constexpr std::string_view names[] = {"operational_stats", "occupancy_trend", "seat_utilization",
                                                 "departures_table", "bookings_table"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_guided_type(Type type) {
    return std::any_of(section_list().begin(), section_list().end(), [&](const SectionOf& section) {
        return is_guided_section(section.name) &&
               std::find(section.types.begin(), section.types.end(), type) != section.types.end();
    });
}

bool is_money_type(Type type) { return type == Type::revenue || type == Type::payments || type == Type::taxes; }

Report report_of(store::Session& session, const ReportQuery& query) { return Writer(session, query).write(); }

}  // namespace svc::reports
