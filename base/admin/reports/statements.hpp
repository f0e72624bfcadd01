// Parts of the statements of reports: the same conditions in figures and in the rows behind them, so that sums agree.
#pragma once

#include "base/admin/reports/figures.hpp"

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
// The same over money `m` or documents `d` of a booking `b`: by the day of its own that `own_days` bounds, and by that
// of the travel.
#define SVC_OWN_BY_SPAN(own_days, head, tail)                                                        \
    ::svc::reports::BySpan {                                                                         \
        head " " own_days " " tail, head " b.travel_date >= :first AND b.travel_date <= :last " tail \
    }
// A payment counts on its date, a refund when it was processed, a tax on the day of its invoice or credit note.
#define SVC_PAYMENT_DAYS_OF_SPAN "m.payment_date >= :first AND m.payment_date <= :last"
#define SVC_REFUND_DAYS_OF_SPAN "m.processed_at >= :from AND m.processed_at < :until"
#define SVC_DOCUMENT_DAYS_OF_SPAN "d.issued_on >= :first AND d.issued_on <= :last"
// The taxes of issued documents: what a booking becomes later does not change them.
#define SVC_ISSUED_TAXES                                                                                     \
    "svc_issued_documents d JOIN svc_issued_taxes x ON x.document_id = d.id AND x.currency = :currency JOIN" \
    " svc_bookings b ON b.id = d.booking_id"
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
