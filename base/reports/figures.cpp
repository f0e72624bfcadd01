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

std::vector<DayOfMoney> money_days(store::Session& session, const Asked& asked, std::string_view by_moment,
                                   std::string_view by_travel) {
    std::vector<DayOfMoney> days;
    if (asked.basis == Basis::travel) {
        store::each_row(session, by_travel, span_params(asked),
                        [&](Date day, const std::string& gateway, std::int64_t count, std::int64_t amount) {
                            days.push_back({day, gateway, count, amount});
                        });
        return days;
    }
    each_stretch(
        asked, by_moment, [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
            store::each_row(session, statement, params,
                            [&](std::int64_t day, const std::string& gateway, std::int64_t count, std::int64_t amount) {
                                days.push_back({stretch.day_of(day), gateway, count, amount});
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
        store::each_row(
            session,
            "SELECT b.travel_date, b.status, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT),"
            " CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED
            " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY b.travel_date, b.status"
            " ORDER BY b.travel_date, b.status",
            span_params(asked),
            [&](Date day, const std::string& status, std::int64_t count, std::int64_t total, std::int64_t travelers) {
                days.push_back({day, status, count, total, travelers});
            });
        return days;
    }
    each_stretch(asked,
                 "SELECT (b.created_at + :offset) / 86400000000, b.status, COUNT(*), CAST(SUM(b.total_minor) AS"
                 " BIGINT), CAST(SUM(b.travelers_count) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED
                 " AND b.created_at >= :from AND b.created_at < :until GROUP BY 1, b.status ORDER BY 1, b.status",
                 [&](const Stretch& stretch, std::string_view statement, const store::Params& params) {
                     store::each_row(session, statement, params,
                                     [&](std::int64_t day, const std::string& status, std::int64_t count,
                                         std::int64_t total, std::int64_t travelers) {
                                         days.push_back({stretch.day_of(day), status, count, total, travelers});
                                     });
                 });
    return days;
}

std::vector<DayOfMoney> payment_days(store::Session& session, const Asked& asked) {
    return money_days(session, asked,
                      "SELECT (m.processed_at + :offset) / 86400000000, m.gateway, COUNT(*), CAST(SUM(m.amount_minor)"
                      " AS BIGINT) FROM svc_payments m WHERE " SVC_PAID
                      " AND m.processed_at >= :from AND m.processed_at < :until GROUP BY 1, m.gateway ORDER BY 1, 2",
                      "SELECT b.travel_date, m.gateway, COUNT(*), CAST(SUM(m.amount_minor) AS BIGINT) FROM svc_bookings"
                      " b JOIN svc_payments m ON m.booking_id = b.id WHERE " SVC_PAID
                      " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY 1, 2 ORDER BY 1, 2");
}

std::vector<DayOfMoney> refund_days(store::Session& session, const Asked& asked) {
    return money_days(session, asked,
                      "SELECT (m.processed_at + :offset) / 86400000000, m.gateway, COUNT(*), CAST(SUM(m.amount_minor)"
                      " AS BIGINT) FROM svc_refunds m WHERE " SVC_PAID_BACK
                      " AND m.processed_at >= :from AND m.processed_at < :until GROUP BY 1, m.gateway ORDER BY 1, 2",
                      "SELECT b.travel_date, m.gateway, COUNT(*), CAST(SUM(m.amount_minor) AS BIGINT) FROM svc_bookings"
                      " b JOIN svc_refunds m ON m.booking_id = b.id WHERE " SVC_PAID_BACK
                      " AND b.travel_date >= :first AND b.travel_date <= :last GROUP BY 1, 2 ORDER BY 1, 2");
}

std::map<std::int64_t, TripFigures> trip_figures(store::Session& session, const Asked& asked, bool money) {
    static constexpr auto booked = SVC_BY_SPAN(
        "SELECT b.trip_id, CASE WHEN " SVC_STANDS " THEN 1 WHEN " SVC_GONE
        " THEN 2 ELSE 0 END, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT), CAST(SUM(b.travelers_count) AS BIGINT)"
        " FROM svc_bookings b WHERE " SVC_COUNTED " AND",
        "GROUP BY 1, 2");
    static constexpr auto paid = SVC_MONEY_BY_SPAN(
        "SELECT b.trip_id, CAST(SUM(m.amount_minor) AS BIGINT) FROM svc_payments m JOIN svc_bookings b ON b.id ="
        " m.booking_id WHERE " SVC_PAID " AND",
        "GROUP BY 1");
    static constexpr auto refunded = SVC_MONEY_BY_SPAN(
        "SELECT b.trip_id, CAST(SUM(m.amount_minor) AS BIGINT) FROM svc_refunds m JOIN svc_bookings b ON b.id ="
        " m.booking_id WHERE " SVC_PAID_BACK " AND",
        "GROUP BY 1");
    std::map<std::int64_t, TripFigures> trips;
    store::each_row(
        session, chosen(booked, asked), span_params(asked),
        [&](std::int64_t trip, std::int64_t kind, std::int64_t count, std::int64_t total, std::int64_t travelers) {
            TripFigures& of = trips[trip];
            of.bookings += count;
            if (kind == 1) {
                of.booked += count;
                of.booked_value += total;
                of.travelers += travelers;
            } else if (kind == 2) {
                of.cancelled += count;
            }
        });
    if (money) {
        store::each_row(session, chosen(paid, asked), span_params(asked),
                        [&](std::int64_t trip, std::int64_t amount) { trips[trip].paid = amount; });
        store::each_row(session, chosen(refunded, asked), span_params(asked),
                        [&](std::int64_t trip, std::int64_t amount) { trips[trip].refunded = amount; });
    }
    store::each_row(session,
                    "SELECT d.trip_id, CAST(SUM(d.capacity) AS BIGINT), CAST(SUM((SELECT COALESCE(SUM(l.seats), 0)"
                    " FROM svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL)) AS BIGINT)"
                    " FROM svc_departures d WHERE d.start_date >= :first AND d.start_date <= :last AND d.status NOT IN"
                    " ('cancelled', 'trash') GROUP BY d.trip_id",
                    span_params(asked), [&](std::int64_t trip, std::int64_t capacity, std::int64_t seats) {
                        trips[trip].capacity = capacity;
                        trips[trip].seats = seats;
                    });
    std::vector<std::int64_t> ids;
    for (const auto& [id, figures] : trips)
        ids.push_back(id);
    store::each_row_of(session, SVC_BY_IDS("SELECT id, title FROM svc_trips WHERE", "id", ""), ids,
                       [&](std::int64_t id, const std::string& title) { trips[id].title = title; });
    return trips;
}

std::vector<DayOfSeats> seat_days(store::Session& session, const Asked& asked) {
    return store::all_rows(
        session,
        "SELECT d.start_date, COUNT(*), CAST(SUM(d.capacity) AS BIGINT), CAST(SUM((SELECT COALESCE(SUM(l.seats), 0)"
        " FROM svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL)) AS BIGINT)"
        " FROM svc_departures d WHERE d.start_date >= :first AND d.start_date <= :last AND d.status NOT IN"
        " ('cancelled', 'trash') GROUP BY d.start_date ORDER BY d.start_date",
        span_params(asked), [](Date day, std::int64_t departures, std::int64_t capacity, std::int64_t seats) {
            return DayOfSeats{day, departures, capacity, seats};
        });
}

std::int64_t priced_sessions(store::Session& session, const Asked& asked) {
    const auto params = span_params(asked);
    return session.number(
               "SELECT COUNT(*) FROM svc_booking_sessions WHERE created_at >= :from AND created_at < :until AND trip_id"
               " IS NOT NULL AND travel_date IS NOT NULL",
               params) +
           session.number(
               "SELECT CAST(SUM(sessions) AS BIGINT) FROM svc_session_hours WHERE hour >= :from / 3600000000 AND hour <"
               " :until / 3600000000",
               params);
}

}  // namespace svc::reports
