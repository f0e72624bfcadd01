// The rows that a figure of a report was added up from: each figure drills down to them, and their sums are the figure.
#pragma once

#include "base/admin/reports/figures.hpp"
#include "shared/json/value.hpp"

namespace svc::reports {

enum class Figure : std::uint8_t { bookings, booked, cancelled, outstanding, payments, refunds, taxes, departures };
inline constexpr std::string_view figure_names[] = {"bookings", "booked",  "cancelled", "outstanding",
                                                    "payments", "refunds", "taxes",     "departures"};

struct RowQuery {
    ReportFilter filter;
    Figure figure = Figure::bookings;
    std::int64_t trip_id = 0;  // 0: of all trips
    std::string word = {};     // a status of bookings, a gateway of money, a tax's label; empty: all
    std::int64_t limit = 20, offset = 0;
    std::int64_t guide_id = 0;  // only bookings and departures that this user guides; 0: all
};

struct ReportRow {
    std::int64_t id = 0, booking_id = 0;  // of a booking, payment, refund, document or departure; 0: none
    std::string reference;
    std::optional<Instant> at;  // when it was booked, processed or issued
    Date day;                   // on which it counts, in the site's zone; of a departure its first
    Date travel_date;
    std::int64_t trip_id = 0;
    std::string trip_title, customer;
    std::string word;                                     // status, gateway or label
    std::int64_t amount = 0, quantity = 0, capacity = 0;  // minor units; travelers or seats; seats of a departure
};

struct RowSums {
    std::int64_t rows = 0, amount = 0, quantity = 0, capacity = 0;
};

bool is_money_figure(Figure figure);
std::vector<ReportRow> rows_of(store::Session& session, const RowQuery& query);
RowSums sums_of(store::Session& session, const RowQuery& query);

}  // namespace svc::reports
