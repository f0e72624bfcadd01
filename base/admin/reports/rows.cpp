// One statement a figure for its rows and one for their sums, of the same conditions.
#include "base/admin/reports/rows.hpp"

#include "base/admin/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

#define SVC_PAGE "LIMIT :limit OFFSET :offset"
// The trip, and the guide whose bookings alone are wanted.
#define SVC_TRIP                                                                                                   \
    "(:trip = 0 OR b.trip_id = :trip) AND (:guide = 0 OR b.id IN (SELECT g.booking_id FROM svc_booking_departures" \
    " g JOIN svc_departures h ON h.id = g.departure_id WHERE g.released_at IS NULL"                                \
    " AND h.guide_user_id = :guide)) AND"
#define SVC_WORD(column) "(:word = '' OR " column " = :word) AND"

// The rows behind a figure, with their columns, and the sums over the same rows.
struct Statements {
    BySpan rows, sums;
};

#define SVC_BOOKING_ROWS(amount, condition)                                                                      \
    Statements {                                                                                                 \
        SVC_BY_SPAN(                                                                                             \
            "SELECT b.id, b.id, b.reference, b.created_at, NULL, b.travel_date, b.trip_id, b.trip_title,"        \
            " b.contact_first_name || ' ' || b.contact_last_name, b.status, " amount                             \
            ", b.travelers_count, 0 FROM svc_bookings b WHERE " SVC_COUNTED " AND " condition " AND " SVC_TRIP   \
            " " SVC_WORD("b.status"),                                                                            \
            "ORDER BY b.created_at DESC, b.id DESC " SVC_PAGE),                                                  \
            SVC_BY_SPAN(                                                                                         \
                "SELECT COUNT(*), CAST(COALESCE(SUM(" amount                                                     \
                ") , 0) AS BIGINT),"                                                                             \
                " CAST(COALESCE(SUM(b.travelers_count), 0) AS BIGINT), 0 FROM svc_bookings b WHERE " SVC_COUNTED \
                " AND " condition " AND " SVC_TRIP " " SVC_WORD("b.status"),                                     \
                "")                                                                                              \
    }

#define SVC_MONEY_ROWS(table, day, days, newest, condition)                                                  \
    Statements {                                                                                             \
        SVC_OWN_BY_SPAN(                                                                                     \
            days,                                                                                            \
            "SELECT m.id, b.id, b.reference, m.processed_at, " day                                           \
            ", b.travel_date, b.trip_id, b.trip_title, b.contact_first_name || ' ' || b.contact_last_name,"  \
            " m.gateway, m.amount_minor, 1, 0 FROM " table                                                   \
            " m JOIN svc_bookings b ON b.id = m.booking_id WHERE " condition " AND " SVC_TRIP                \
            " " SVC_WORD("m.gateway"),                                                                       \
            "ORDER BY " newest " DESC, m.id DESC " SVC_PAGE),                                                \
            SVC_OWN_BY_SPAN(                                                                                 \
                days,                                                                                        \
                "SELECT COUNT(*), CAST(COALESCE(SUM(m.amount_minor), 0) AS BIGINT), COUNT(*), 0 FROM " table \
                " m JOIN svc_bookings b ON b.id = m.booking_id WHERE " condition " AND " SVC_TRIP            \
                " " SVC_WORD("m.gateway"),                                                                   \
                "")                                                                                          \
    }

#define SVC_SEATS_OF                                                                                                   \
    "(SELECT CAST(COALESCE(SUM(l.seats), 0) AS BIGINT) FROM svc_booking_departures l WHERE l.departure_id = d.id AND " \
    "l.released_at IS NULL)"
#define SVC_DEPARTURES                                                                                       \
    "FROM svc_departures d JOIN svc_trips t ON t.id = d.trip_id WHERE d.start_date >= :first AND"            \
    " d.start_date <= :last AND d.status NOT IN ('cancelled', 'trash') AND (:trip = 0 OR d.trip_id = :trip)" \
    " AND (:word = '' OR d.status = :word) AND (:guide = 0 OR d.guide_user_id = :guide)"

const Statements& statements_of(Figure figure) {
    static constexpr Statements all[] = {
        SVC_BOOKING_ROWS("b.total_minor", "b.status <> 'trash'"),
        SVC_BOOKING_ROWS("b.total_minor", SVC_STANDS),
        SVC_BOOKING_ROWS("b.total_minor", SVC_GONE),
        SVC_BOOKING_ROWS("(b.total_minor - b.amount_paid_minor)",
                         SVC_STANDS " AND b.amount_paid_minor < b.total_minor AND b.payments_unknown = 0"),
        SVC_MONEY_ROWS("svc_payments", "m.payment_date", SVC_PAYMENT_DAYS_OF_SPAN, "m.payment_date", SVC_PAID),
        SVC_MONEY_ROWS("svc_refunds", "NULL", SVC_REFUND_DAYS_OF_SPAN, "m.processed_at", SVC_PAID_BACK),
        {SVC_OWN_BY_SPAN(
             SVC_DOCUMENT_DAYS_OF_SPAN,
             "SELECT d.id, b.id, b.reference, d.issued_at, d.issued_on, b.travel_date, b.trip_id, b.trip_title,"
             " b.contact_first_name || ' ' || b.contact_last_name, x.label, x.amount_minor, 1, 0 FROM " SVC_ISSUED_TAXES
             " WHERE " SVC_TRIP " " SVC_WORD("x.label"),
             "ORDER BY d.issued_on DESC, d.id DESC, x.label " SVC_PAGE),
         SVC_OWN_BY_SPAN(SVC_DOCUMENT_DAYS_OF_SPAN,
                         "SELECT COUNT(*), CAST(COALESCE(SUM(x.amount_minor), 0) AS BIGINT), COUNT(*), 0"
                         " FROM " SVC_ISSUED_TAXES " WHERE " SVC_TRIP " " SVC_WORD("x.label"),
                         "")},
        {BySpan{
             "SELECT d.id, 0, '', NULL, d.start_date, d.start_date, d.trip_id, t.title, '', d.status, 0, " SVC_SEATS_OF
             ", d.capacity " SVC_DEPARTURES " ORDER BY d.start_date, d.id " SVC_PAGE,
             "SELECT d.id, 0, '', NULL, d.start_date, d.start_date, d.trip_id, t.title, '', d.status, 0, " SVC_SEATS_OF
             ", d.capacity " SVC_DEPARTURES " ORDER BY d.start_date, d.id " SVC_PAGE},
         BySpan{"SELECT COUNT(*), 0, CAST(COALESCE(SUM(" SVC_SEATS_OF
                "), 0) AS BIGINT), CAST(COALESCE(SUM(d.capacity), 0) AS BIGINT) " SVC_DEPARTURES,
                "SELECT COUNT(*), 0, CAST(COALESCE(SUM(" SVC_SEATS_OF
                "), 0) AS BIGINT), CAST(COALESCE(SUM(d.capacity), 0) AS BIGINT) " SVC_DEPARTURES}}};
    return all[static_cast<std::size_t>(figure)];
}

store::Params params_of(const RowQuery& query) {
    auto params = span_params(query.filter);
    params.emplace_back("trip", query.trip_id);
    params.emplace_back("word", query.word);
    params.emplace_back("guide", query.guide_id);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    return params;
}

}  // namespace

bool is_money_figure(Figure figure) {
    return figure == Figure::outstanding || figure == Figure::payments || figure == Figure::refunds ||
           figure == Figure::taxes;
}

std::vector<ReportRow> rows_of(store::Session& session, const RowQuery& query) {
    return store::all_rows(
        session, chosen(statements_of(query.figure).rows, query.filter), params_of(query),
        [&](std::int64_t id, std::int64_t booking_id, const std::string& reference, std::optional<Instant> at,
            std::optional<Date> day, Date travel_date, std::int64_t trip_id, const std::string& title,
            const std::string& customer, const std::string& word, std::int64_t amount, std::int64_t quantity,
            std::int64_t capacity) {
            const Date counted = day ? *day : at ? query.filter.zone.date_at(*at) : travel_date;
            return ReportRow{id,    booking_id, reference, at,     counted,  travel_date, trip_id,
                             title, customer,   word,      amount, quantity, capacity};
        });
}

RowSums sums_of(store::Session& session, const RowQuery& query) {
    return store::first_row(session, chosen(statements_of(query.figure).sums, query.filter), params_of(query),
                            [](std::int64_t rows, std::int64_t amount, std::int64_t quantity, std::int64_t capacity) {
                                return RowSums{rows, amount, quantity, capacity};
                            })
        .value_or(RowSums{});
}

}  // namespace svc::reports
