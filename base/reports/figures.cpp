// Statements of reports about days, money and trips.
#include "base/reports/figures.hpp"

#include <algorithm>

#include "base/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

// Runs a statement that groups by the local day of a moment, stretch by stretch.
template <class Take>
void each_stretch(const Asked& asked, std::string_view statement, const Take& take) {
    for (const Stretch& stretch : stretches_of(asked.span, asked.zone))
        take(stretch, statement,
             store::Params{{"from", stretch.from},
                           {"until", stretch.until},
                           {"offset", stretch.offset},
                           {"currency", asked.currency.code()}});
}

// The covering index of bookings by their id alone; PostgreSQL finds it by itself.
#define SVC_TRIP_OF_SQLITE "JOIN svc_bookings b INDEXED BY svc_bookings_trips ON b.id = m.booking_id"
#define SVC_TRIP_OF_POSTGRESQL "JOIN svc_bookings b ON b.id = m.booking_id"
#define SVC_MONEY_DAYS(table, trip_of, condition)                                                               \
    "SELECT (m.processed_at + :offset) / 86400000000, m.gateway, b.trip_id, COUNT(*), CAST(SUM(m.amount_minor)" \
    " AS BIGINT) FROM " table " m " trip_of " WHERE " condition                                                 \
    " AND m.processed_at >= :from AND m.processed_at < :until GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
#define SVC_MONEY_OF_TRAVELS(table, condition)                                                                      \
    "SELECT b.travel_date, m.gateway, b.trip_id, COUNT(*), CAST(SUM(m.amount_minor) AS BIGINT) FROM svc_bookings b" \
    " JOIN " table " m ON m.booking_id = b.id WHERE " condition                                                     \
    " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"

// What money of one kind is asked by: the day it was processed, or that of the travel.
struct MoneyStatements {
    std::string_view on_sqlite, on_postgresql, by_travel;
};

std::vector<DayOfMoney> money_days(store::Session& session, const Asked& asked, const MoneyStatements& statements) {
    std::vector<DayOfMoney> days;
    if (asked.basis == Basis::travel) {
        store::each_row(
            session, statements.by_travel, span_params(asked),
            [&](Date day, const std::string& gateway, std::int64_t trip, std::int64_t count, std::int64_t amount) {
                days.push_back({day, gateway, trip, count, amount});
            });
        return days;
    }
    const bool is_sqlite = session.dialect() == store::Dialect::sqlite;
    each_stretch(asked, is_sqlite ? statements.on_sqlite : statements.on_postgresql,
                 [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
                     store::each_row(session, statement, params,
                                     [&](std::int64_t day, const std::string& gateway, std::int64_t trip,
                                         std::int64_t count, std::int64_t amount) {
                                         days.push_back({stretch.day_of(day), gateway, trip, count, amount});
                                     });
                 });
    return days;
}

}  // namespace

bool DayOfBookings::stands() const {
    static constexpr std::string_view standing[] = {"pending", "confirmed", "processing", "on-hold", "completed"};
    return std::find(std::begin(standing), std::end(standing), status) != std::end(standing);
}

std::vector<DayOfBookings> booking_days(store::Session& session, const Asked& asked) {
    std::vector<DayOfBookings> days;
    if (asked.basis == Basis::travel) {
        store::each_row(session,
                        "SELECT b.travel_date, b.status, b.trip_id, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT),"
                        " CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED
                        " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                        span_params(asked),
                        [&](Date day, const std::string& status, std::int64_t trip, std::int64_t count,
                            std::int64_t total, std::int64_t travelers) {
                            days.push_back({day, status, trip, count, total, travelers});
                        });
        return days;
    }
    each_stretch(asked,
                 "SELECT (b.created_at + :offset) / 86400000000, b.status, b.trip_id, COUNT(*),"
                 " CAST(SUM(b.total_minor) AS BIGINT), CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b"
                 " WHERE " SVC_COUNTED
                 " AND b.created_at >= :from AND b.created_at < :until GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
                 [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
                     store::each_row(session, statement, params,
                                     [&](std::int64_t day, const std::string& status, std::int64_t trip,
                                         std::int64_t count, std::int64_t total, std::int64_t travelers) {
                                         days.push_back({stretch.day_of(day), status, trip, count, total, travelers});
                                     });
                 });
    return days;
}

BookingSums booking_sums(store::Session& session, const Asked& asked) {
    static constexpr auto statement =
        SVC_BY_SPAN("SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN " SVC_STANDS
                    " THEN b.total_minor ELSE 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN " SVC_GONE
                    " THEN 1 ELSE 0 END), 0) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED " AND",
                    "");
    return store::first_row(session, chosen(statement, asked), span_params(asked),
                            [](std::int64_t bookings, std::int64_t value, std::int64_t cancelled) {
                                return BookingSums{bookings, value, cancelled};
                            })
        .value_or(BookingSums{});
}

std::int64_t revenue(store::Session& session, const Asked& asked) {
    static constexpr BySpan paid{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_payments m"
        " WHERE " SVC_PAID " AND m.processed_at >= :from AND m.processed_at < :until",
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_payments m ON m.booking_id = b.id WHERE " SVC_PAID
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    static constexpr BySpan refunded{
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_refunds m"
        " WHERE " SVC_PAID_BACK " AND m.processed_at >= :from AND m.processed_at < :until",
        "SELECT CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_refunds m ON m.booking_id = b.id WHERE " SVC_PAID_BACK
        " AND b.travel_date >= :first AND b.travel_date <= :last"};
    return session.number(chosen(paid, asked), span_params(asked)) -
           session.number(chosen(refunded, asked), span_params(asked));
}

std::vector<DayOfMoney> payment_days(store::Session& session, const Asked& asked) {
    static constexpr MoneyStatements statements{SVC_MONEY_DAYS("svc_payments", SVC_TRIP_OF_SQLITE, SVC_PAID),
                                                SVC_MONEY_DAYS("svc_payments", SVC_TRIP_OF_POSTGRESQL, SVC_PAID),
                                                SVC_MONEY_OF_TRAVELS("svc_payments", SVC_PAID)};
    return money_days(session, asked, statements);
}

std::vector<DayOfMoney> refund_days(store::Session& session, const Asked& asked) {
    static constexpr MoneyStatements statements{SVC_MONEY_DAYS("svc_refunds", SVC_TRIP_OF_SQLITE, SVC_PAID_BACK),
                                                SVC_MONEY_DAYS("svc_refunds", SVC_TRIP_OF_POSTGRESQL, SVC_PAID_BACK),
                                                SVC_MONEY_OF_TRAVELS("svc_refunds", SVC_PAID_BACK)};
    return money_days(session, asked, statements);
}

std::vector<DepartureSeats> departure_seats(store::Session& session, const Asked& asked) {
    return store::all_rows(
        session,
        "SELECT d.start_date, d.trip_id, d.capacity, (SELECT CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM"
        " svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL) FROM svc_departures d WHERE"
        " d.start_date >= :first AND d.start_date <= :last AND d.status NOT IN ('cancelled', 'trash') ORDER BY"
        " d.start_date, d.id",
        span_params(asked), [](Date day, std::int64_t trip, std::int64_t capacity, std::int64_t seats) {
            return DepartureSeats{day, trip, capacity, seats};
        });
}

std::map<std::int64_t, std::string> trip_titles(store::Session& session, const std::vector<std::int64_t>& ids) {
    std::map<std::int64_t, std::string> titles;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, title FROM svc_trips WHERE", "id", ""), ids,
                       [&](std::int64_t id, const std::string& title) { titles[id] = title; });
    return titles;
}

Conversion conversion(store::Session& session, const Asked& asked) {
    const auto params = span_params(asked);
    Conversion is;
    is.sessions =
        session.number(
            "SELECT COUNT(*) FROM svc_booking_sessions WHERE created_at >= :from AND created_at < :until AND trip_id"
            " IS NOT NULL AND travel_date IS NOT NULL",
            params) +
        session.number(
            "SELECT CAST(COALESCE(SUM(sessions), 0) AS BIGINT) FROM svc_session_hours WHERE hour >= :from / 3600000000"
            " AND hour < :until / 3600000000",
            params);
    is.bookings = session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.source = 'web' AND " SVC_COUNTED
                                 " AND b.created_at >= :from AND b.created_at < :until",
                                 params);
    return is;
}

}  // namespace svc::reports
