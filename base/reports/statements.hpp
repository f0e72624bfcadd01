// Parts of the statements of reports: the same conditions in figures and in the rows behind them, so that sums agree.
#pragma once

#include "base/reports/figures.hpp"

namespace svc::reports {

// A statement over svc_bookings b by the day of the booking and by that of the travel.
struct BySpan {
    std::string_view booked, travelling;
};
#define SVC_BY_SPAN(head, tail)                                              \
    ::svc::reports::BySpan {                                                 \
        head " b.created_at >= :from AND b.created_at < :until " tail,       \
            head " b.travel_date >= :first AND b.travel_date <= :last " tail \
    }
// The same over money `m` of a booking `b`: by the day it was processed, and by that of the travel.
#define SVC_MONEY_BY_SPAN(head, tail)                                        \
    ::svc::reports::BySpan {                                                 \
        head " m.processed_at >= :from AND m.processed_at < :until " tail,   \
            head " b.travel_date >= :first AND b.travel_date <= :last " tail \
    }
#define SVC_COUNTED "b.currency = :currency AND b.status <> 'trash'"
// All other statuses: told that way, SQLite keeps to the index of the span. DayOfBookings::is_booked() says the same.
#define SVC_STANDS "b.status NOT IN ('pending_verification', 'cancelled', 'refunded', 'failed', 'waitlist', 'trash')"
#define SVC_GONE "b.status IN ('cancelled', 'refunded')"
#define SVC_PAID "m.currency = :currency AND m.status IN ('completed', 'refunded') AND m.processed_at IS NOT NULL"
#define SVC_PAID_BACK "m.currency = :currency AND m.status = 'completed' AND m.processed_at IS NOT NULL"

inline std::string_view chosen(const BySpan& statement, const ReportFilter& filter) {
    return filter.basis == Basis::booking ? statement.booked : statement.travelling;
}
inline store::Params span_params(const ReportFilter& filter) {
    return {{"from", filter.zone.instant_of(filter.span.from, {})},
            {"until", filter.zone.instant_of(filter.span.to.plus_days(1), {})},
            {"first", filter.span.from},
            {"last", filter.span.to},
            {"currency", filter.currency.code()}};
}

}  // namespace svc::reports
