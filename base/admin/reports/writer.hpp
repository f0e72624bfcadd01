// The writer of one report, for the sources of this folder: sections, whose figures are computed once.
#pragma once

#include <optional>

#include "base/admin/reports/booking_facts.hpp"
#include "base/admin/reports/report.hpp"
#include "base/admin/reports/rows.hpp"

namespace svc::reports {

struct SectionOf {
    std::string_view name;
    bool money;
    std::vector<Type> types;
};

const std::vector<SectionOf>& section_list();

json::Number tenths(std::int64_t of_ten);
// Percent with one decimal, rounded half up.
json::Number share_of(std::int64_t part, std::int64_t whole);
// Per cent more than before; null where there was nothing before.
json::Value change_of(std::int64_t now, std::int64_t before);
json::Number average_of(std::int64_t sum, std::int64_t count);  // with one decimal

// What one trip had of each; capacity and seats are of departures in the span.
struct TripFigures {
    std::string title;
    std::int64_t bookings = 0, booked = 0, booked_value = 0, cancelled = 0, travelers = 0, paid = 0, refunded = 0;
    std::int64_t capacity = 0, seats = 0;
    [[nodiscard]] std::int64_t revenue() const { return paid - refunded; }
};
// So many rows a table of a report has; /reports/rows lists all.
inline constexpr std::int64_t rows_in_table = 50;

// Answers each figure once, however many sections are made of it. `composed`: some section tells what bookings consist
// of, which is read with them.
class Figures {
  public:
    Figures(store::Session& session, const ReportFilter& filter, bool composed)
        : session_(session), filter_(filter), composed_(composed) {}
    const BookingFacts& facts() {
        if (!facts_)
            facts_ = booking_facts(session_, filter_, composed_);
        return *facts_;
    }
    const std::vector<DayOfBookings>& bookings() { return facts().days; }
    const std::vector<DayOfMoney>& payments() { return once(payments_, payment_days); }
    const std::vector<DayOfMoney>& refunds() { return once(refunds_, refund_days); }
    const std::vector<DepartureSeats>& seats() {
        if (!seats_)
            seats_ = departure_seats(session_, filter_);
        return *seats_;
    }
    [[nodiscard]] store::Session& session() const { return session_; }
    [[nodiscard]] const ReportFilter& filter() const { return filter_; }

  private:
    const std::vector<DayOfMoney>& once(std::optional<std::vector<DayOfMoney>>& held,
                                        std::vector<DayOfMoney> (*ask)(store::Session&, const ReportFilter&,
                                                                       const BookingPlaces&)) {
        if (!held)
            held = ask(session_, filter_, facts().places);
        return *held;
    }
    store::Session& session_;
    const ReportFilter filter_;
    const bool composed_;
    std::optional<BookingFacts> facts_;
    std::optional<std::vector<DayOfMoney>> payments_, refunds_;
    std::optional<std::vector<DepartureSeats>> seats_;
};

// The earlier span, of which less is told.
class EarlierFigures {
  public:
    EarlierFigures(store::Session& session, const ReportFilter& filter) : session_(session), filter_(filter) {}
    const BookingSums& booking_sums() { return once(sums_, reports::booking_sums); }
    std::int64_t revenue() { return once(revenue_, reports::revenue); }
    std::int64_t customers() { return once(customers_, customers_of); }
    const std::vector<DepartureSeats>& seats() { return once(seats_, departure_seats); }

  private:
    template <class T>
    const T& once(std::optional<T>& held, T (*ask)(store::Session&, const ReportFilter&)) {
        if (!held)
            held = ask(session_, filter_);
        return *held;
    }
    store::Session& session_;
    const ReportFilter filter_;
    std::optional<BookingSums> sums_;
    std::optional<std::int64_t> revenue_, customers_;
    std::optional<std::vector<DepartureSeats>> seats_;
};

struct BookingTotals {
    std::int64_t bookings = 0, confirmed = 0, pending = 0, cancelled = 0, completed = 0, booked = 0, booked_value = 0,
                 travelers = 0;
    void add(const DayOfBookings& day) {
        bookings += day.bookings;
        confirmed += day.status == "confirmed" ? day.bookings : 0;
        pending += day.status.starts_with("pending") ? day.bookings : 0;
        cancelled += day.is_gone() ? day.bookings : 0;
        completed += day.status == "completed" ? day.bookings : 0;
        if (!day.is_booked())
            return;
        booked += day.bookings;
        booked_value += day.total;
        travelers += day.travelers;
    }
};
BookingTotals totals_of(const std::vector<DayOfBookings>& days);

struct MoneyTotals {
    std::int64_t payments = 0, paid = 0, refunds = 0, refunded = 0;
    [[nodiscard]] std::int64_t revenue() const { return paid - refunded; }
};
MoneyTotals totals_of(Figures& figures);

class Writer {
  public:
    Writer(store::Session& session, const ReportQuery& query)
        : query_(query), now_(session, query.filter, is_composed()), before_(session, asked_before(query)) {}

    Report write() {
        for (const SectionOf& section : section_list())
            if (is_wanted(section))
                write_section(section.name);
        return std::move(report_);
    }

  private:
    static ReportFilter asked_before(const ReportQuery& query) {
        ReportFilter filter = query.filter;
        filter.span = compared(filter.span, query.compare);
        return filter;
    }
    [[nodiscard]] bool compares() const { return query_.compare != Compare::none; }
    [[nodiscard]] bool is_wanted(const SectionOf& section) const;
    [[nodiscard]] bool is_composed() const;
    [[nodiscard]] json::Value money(std::int64_t minor) const { return Money{minor, query_.filter.currency}; }
    void numbers(std::string_view name, json::Value value) { report_.numbers.set(std::string(name), std::move(value)); }
    Table& table(std::string_view name, std::vector<Table::Column> columns) {
        return report_.tables.emplace_back(Table{name, std::move(columns), {}});
    }

    void write_section(std::string_view name);
    void revenue_stats();
    void booking_stats();
    void operational_stats();
    void customer_analytics();
    void lead_times();
    void outstanding();
    void refund_stats();
    void booking_trend();
    void status_trend();
    void revenue_trend();
    void occupancy_trend();
    void seat_utilization();
    void trip_performance();
    void revenue_by_trip();
    void bookings_table();
    void departures_table();
    void traveler_segments();
    [[nodiscard]] RowQuery table_rows(Figure figure) const;
    // By id, with their titles.
    std::vector<std::pair<std::int64_t, TripFigures>> named(std::map<std::int64_t, TripFigures> trips);
    void payment_lists(std::string_view name);
    void origin_lists(std::string_view name);

    const ReportQuery& query_;
    Figures now_;
    EarlierFigures before_;
    Report report_;
};

}  // namespace svc::reports
