// Statements of reports about days, money and trips.
#include "base/admin/reports/figures.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/admin/reports/booking_facts.hpp"
#include "base/admin/reports/day_sums.hpp"
#include "base/admin/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

// Runs a statement that groups by the local day of a moment, stretch by stretch.
template <class Take>
void each_stretch(const ReportFilter& filter, std::string_view statement, const Take& take) {
    for (const Stretch& stretch : stretches_of(filter.span, filter.zone))
        take(stretch, statement,
             store::Params{{"from", stretch.from},
                           {"until", stretch.until},
                           {"offset", stretch.offset},
                           {"currency", filter.currency.code()}});
}

// Money of the days of a span, added up.
std::vector<DayOfMoney> days_of(DaySums& sums) {
    return sums.sorted([](const DaySums::Sum& sum, const std::string& gateway) {
        return DayOfMoney{sum.day, gateway, sum.trip_id, sum.count, sum.amount};
    });
}

// The statements about one kind of money: on SQLite rows of one, whose bookings are known by then, and a join where
// they lie too far apart; on PostgreSQL groups. `DayCell`: a payment has the date on which it counts, a refund the
// moment, from which its statement makes the number of a day.
template <class DayCell>
struct MoneyStatements {
    std::string_view rows_by_day, rows_between, rows_joined, groups_by_day, groups_by_travel;
};
#define SVC_SPAN_OF_TRAVELS " AND b.travel_date >= :first AND b.travel_date <= :last"
#define SVC_GROUPED "COUNT(*), CAST(SUM(m.amount_minor) AS BIGINT)"
#define SVC_MONEY_STATEMENTS(DayCell, table, by_day, by_booking, condition, day, days)                                 \
    MoneyStatements<DayCell> {                                                                                         \
        "SELECT " day ", m.gateway, m.booking_id, m.amount_minor FROM " table by_day " WHERE " condition " AND " days, \
            "SELECT m.gateway, m.booking_id, m.amount_minor FROM " table by_booking " WHERE " condition                \
            " AND m.booking_id >= :first_id AND m.booking_id <= :last_id",                                             \
            "SELECT m.gateway, m.booking_id, m.amount_minor FROM svc_bookings b JOIN " table                           \
            " ON m.booking_id = b.id WHERE " condition SVC_SPAN_OF_TRAVELS,                                            \
            "SELECT " day ", m.gateway, b.trip_id, " SVC_GROUPED " FROM " table                                        \
            " JOIN svc_bookings b ON b.id = m.booking_id WHERE " condition " AND " days " GROUP BY 1, 2, 3",           \
            "SELECT b.travel_date, m.gateway, b.trip_id, " SVC_GROUPED " FROM svc_bookings b JOIN " table              \
            " ON m.booking_id = b.id WHERE " condition SVC_SPAN_OF_TRAVELS " GROUP BY 1, 2, 3"                         \
    }

// Runs a statement over the days on which its money counts: once for dates, stretch by stretch for moments. `take` gets
// its parameters and a function that returns the day of a cell.
template <class DayCell, class Take>
void each_run(const ReportFilter& filter, std::string_view statement, const Take& take) {
    if constexpr (std::is_same_v<DayCell, Date>)
        take(statement, span_params(filter), [](Date day) { return day; });
    else
        each_stretch(filter, statement,
                     [&](const Stretch& stretch, std::string_view text, const store::Params& params) {
                         take(text, params, [&](std::int64_t number) { return stretch.day_of(number); });
                     });
}

// Money of a booking that was made outside of the span: reads its trip.
struct ElsewhereMoney {
    Date day;
    std::string gateway;
    std::int64_t booking_id = 0, amount = 0;
};
void add_elsewhere(store::Session& session, const std::vector<ElsewhereMoney>& all, DaySums& sums) {
    std::vector<std::int64_t> ids;
    for (const ElsewhereMoney& one : all)
        ids.push_back(one.booking_id);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::unordered_map<std::int64_t, std::int64_t> trips;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, trip_id FROM svc_bookings WHERE", "id", ""), ids,
                       [&](std::int64_t id, std::int64_t trip) { trips[id] = trip; });
    for (const ElsewhereMoney& one : all)
        sums.add(one.day, one.gateway, trips[one.booking_id], 1, one.amount);
}

template <class DayCell>
std::vector<DayOfMoney> money_rows(store::Session& session, const ReportFilter& filter,
                                   const MoneyStatements<DayCell>& statements, const BookingPlaces& places) {
    DaySums sums;
    if (filter.basis == Basis::travel) {
        auto params = span_params(filter);
        params.emplace_back("first_id", places.first());
        params.emplace_back("last_id", places.last());
        store::each_row(session, places.is_dense() ? statements.rows_between : statements.rows_joined, params,
                        [&](const std::string& gateway, std::int64_t booking, std::int64_t amount) {
                            if (const BookingPlace* place = places.find(booking))
                                sums.add(place->day, gateway, place->trip_id, 1, amount);
                        });
        return days_of(sums);
    }
    std::vector<ElsewhereMoney> elsewhere;
    each_run<DayCell>(filter, statements.rows_by_day,
                      [&](std::string_view statement, const store::Params& params, const auto& day_of) {
                          store::each_row(
                              session, statement, params,
                              [&](DayCell cell, const std::string& gateway, std::int64_t booking, std::int64_t amount) {
                                  if (const BookingPlace* place = places.find(booking))
                                      sums.add(day_of(cell), gateway, place->trip_id, 1, amount);
                                  else
                                      elsewhere.push_back({day_of(cell), gateway, booking, amount});
                              });
                      });
    add_elsewhere(session, elsewhere, sums);
    return days_of(sums);
}

template <class DayCell>
std::vector<DayOfMoney> money_groups(store::Session& session, const ReportFilter& filter,
                                     const MoneyStatements<DayCell>& statements) {
    DaySums sums;
    if (filter.basis == Basis::travel)
        store::each_row(session, statements.groups_by_travel, span_params(filter),
                        [&](Date day, const std::string& gateway, std::int64_t trip, std::int64_t count,
                            std::int64_t amount) { sums.add(day, gateway, trip, count, amount); });
    else
        each_run<DayCell>(filter, statements.groups_by_day,
                          [&](std::string_view statement, const store::Params& params, const auto& day_of) {
                              store::each_row(
                                  session, statement, params,
                                  [&](DayCell cell, const std::string& gateway, std::int64_t trip, std::int64_t count,
                                      std::int64_t amount) { sums.add(day_of(cell), gateway, trip, count, amount); });
                          });
    return days_of(sums);
}

template <class DayCell>
std::vector<DayOfMoney> money_days(store::Session& session, const ReportFilter& filter,
                                   const MoneyStatements<DayCell>& statements, const BookingPlaces& places) {
    return session.dialect() == store::Dialect::sqlite ? money_rows(session, filter, statements, places)
                                                       : money_groups(session, filter, statements);
}

}  // namespace

bool DayOfBookings::is_booked() const {
    static constexpr std::string_view standing[] = {"pending", "confirmed", "processing", "on-hold", "completed"};
    return std::find(std::begin(standing), std::end(standing), status) != std::end(standing);
}

BookingSums booking_sums(store::Session& session, const ReportFilter& filter) {
    static constexpr auto statement =
        SVC_BY_SPAN("SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN " SVC_STANDS
                    " THEN b.total_minor ELSE 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN " SVC_GONE
                    " THEN 1 ELSE 0 END), 0) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED " AND",
                    "");
    return store::first_row(session, chosen(statement, filter), span_params(filter),
                            [](std::int64_t bookings, std::int64_t value, std::int64_t cancelled) {
                                return BookingSums{bookings, value, cancelled};
                            })
        .value_or(BookingSums{});
}

std::int64_t revenue(store::Session& session, const ReportFilter& filter) {
    static constexpr BySpan paid{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_payments m"
        " WHERE " SVC_PAID " AND " SVC_PAYMENT_DAYS_OF_SPAN,
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_payments m ON m.booking_id = b.id WHERE " SVC_PAID
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    static constexpr BySpan refunded{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_refunds m"
        " WHERE " SVC_PAID_BACK " AND " SVC_REFUND_DAYS_OF_SPAN,
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_refunds m ON m.booking_id = b.id WHERE " SVC_PAID_BACK
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    return session.number(chosen(paid, filter), span_params(filter)) -
           session.number(chosen(refunded, filter), span_params(filter));
}

std::vector<DayOfMoney> payment_days(store::Session& session, const ReportFilter& filter, const BookingPlaces& places) {
    static constexpr auto statements = SVC_MONEY_STATEMENTS(Date, "svc_payments m", " INDEXED BY svc_payments_dated",
                                                            " INDEXED BY svc_payments_of_booking", SVC_PAID,
                                                            "m.payment_date", SVC_PAYMENT_DAYS_OF_SPAN);
    return money_days(session, filter, statements, places);
}

std::vector<DayOfMoney> refund_days(store::Session& session, const ReportFilter& filter, const BookingPlaces& places) {
    static constexpr auto statements =
        SVC_MONEY_STATEMENTS(std::int64_t, "svc_refunds m", "", "", SVC_PAID_BACK,
                             "(m.processed_at + :offset) / 86400000000", SVC_REFUND_DAYS_OF_SPAN);
    return money_days(session, filter, statements, places);
}

std::vector<DepartureSeats> departure_seats(store::Session& session, const ReportFilter& filter) {
    store::Params params = span_params(filter);
    params.emplace_back("guide", filter.guide_id);
    return store::all_rows(
        session,
        "SELECT d.start_date, d.trip_id, d.capacity, (SELECT CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM"
        " svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL) FROM svc_departures d WHERE"
        " d.start_date >= :first AND d.start_date <= :last AND d.status NOT IN ('cancelled', 'trash') AND"
        " (:guide = 0 OR d.guide_user_id = :guide) ORDER BY d.start_date, d.id",
        params, [](Date day, std::int64_t trip, std::int64_t capacity, std::int64_t seats) {
            return DepartureSeats{day, trip, capacity, seats};
        });
}

std::map<std::int64_t, std::string> trip_titles(store::Session& session, const std::vector<std::int64_t>& ids) {
    std::map<std::int64_t, std::string> titles;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, title FROM svc_trips WHERE", "id", ""), ids,
                       [&](std::int64_t id, const std::string& title) { titles[id] = title; });
    return titles;
}

std::int64_t quoted_sessions(store::Session& session, const ReportFilter& filter) {
    const auto params = span_params(filter);
    return session.number(
               "SELECT COUNT(*) FROM svc_booking_sessions WHERE created_at >= :from AND created_at < :until AND trip_id"
               " IS NOT NULL AND travel_date IS NOT NULL",
               params) +
           session.number(
               "SELECT CAST(COALESCE(SUM(sessions), 0) AS BIGINT) FROM svc_session_hours WHERE hour >= :from /"
               " 3600000000 AND hour < :until / 3600000000",
               params);
}

}  // namespace svc::reports
