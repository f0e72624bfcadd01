// Statements of reports about the composition of bookings: payment, tax, lead time, parties, origins, customers.
#include "base/reports/figures.hpp"
#include "base/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

// Bookings by a word of theirs, with the sum of their totals; the word comes first, then what narrows, then the tail.
#define SVC_SHARES(word, from, condition, tail)                                                          \
    SVC_BY_SPAN("SELECT " word ", COUNT(*), CAST(SUM(b.total_minor) AS BIGINT) FROM svc_bookings b" from \
                " WHERE " condition " AND",                                                              \
                tail)
#define SVC_SOLD SVC_COUNTED " AND " SVC_STANDS

template <class Made = Share>
std::vector<Made> shares(store::Session& session, const Asked& asked, const BySpan& statement) {
    return store::all_rows(session, chosen(statement, asked), span_params(asked),
                           [](const std::string& name, std::int64_t bookings, std::int64_t total) {
                               return Made{name, bookings, total};
                           });
}

}  // namespace

std::vector<PaymentState> payment_states(store::Session& session, const Asked& asked) {
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT b.payment_status, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT), CAST(SUM(CASE WHEN b.total_minor >"
        " b.amount_paid_minor THEN b.total_minor - b.amount_paid_minor ELSE 0 END) AS BIGINT) FROM svc_bookings b"
        " WHERE " SVC_COUNTED " AND " SVC_STANDS " AND",
        "GROUP BY b.payment_status ORDER BY 2 DESC, 1");
    return store::all_rows(session, chosen(statement, asked), span_params(asked),
                           [](const std::string& status, std::int64_t bookings, std::int64_t total, std::int64_t due) {
                               return PaymentState{status, bookings, total, due};
                           });
}

Owed owed(store::Session& session, const Asked& asked) {
    // A deposit is owed while less than it was paid.
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT COUNT(*), CAST(COALESCE(SUM(b.total_minor - b.amount_paid_minor), 0) AS BIGINT),"
        " CAST(COALESCE(SUM(CASE WHEN b.payment_method <> 'full' AND b.amount_paid_minor < b.pay_now_minor THEN 1 ELSE"
        " 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN b.payment_method <> 'full' AND b.amount_paid_minor <"
        " b.pay_now_minor THEN b.pay_now_minor - b.amount_paid_minor ELSE 0 END), 0) AS BIGINT) FROM svc_bookings b"
        " WHERE " SVC_COUNTED " AND " SVC_STANDS " AND b.amount_paid_minor < b.total_minor AND",
        "");
    return store::first_row(session, chosen(statement, asked), span_params(asked),
                            [](std::int64_t bookings, std::int64_t due, std::int64_t deposits, std::int64_t amount) {
                                return Owed{bookings, due, deposits, amount};
                            })
        .value_or(Owed{});
}

std::vector<TaxFigure> taxes(store::Session& session, const Asked& asked) {
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT l.label, COUNT(DISTINCT b.id), CAST(SUM(l.amount_minor) AS BIGINT) FROM svc_bookings b JOIN"
        " svc_booking_lines l ON l.booking_id = b.id AND l.kind = 'tax' WHERE " SVC_COUNTED " AND " SVC_STANDS " AND",
        "GROUP BY l.label ORDER BY 3 DESC, 1");
    return store::all_rows(session, chosen(statement, asked), span_params(asked),
                           [](const std::string& label, std::int64_t bookings, std::int64_t amount) {
                               return TaxFigure{label, bookings, amount};
                           });
}

LeadTime lead_time(store::Session& session, const Asked& asked) {
#define SVC_LEAD_HEAD(days)                                                                               \
    "SELECT CASE WHEN " days " < 7 THEN 0 WHEN " days " < 30 THEN 1 WHEN " days " < 90 THEN 2 WHEN " days \
    " < 180 THEN 3 ELSE 4 END, COUNT(*), CAST(SUM(CASE WHEN " days " < 0 THEN 0 ELSE " days               \
    " END) AS BIGINT) FROM svc_bookings b WHERE " SVC_COUNTED " AND " SVC_STANDS " AND"
#define SVC_LEAD_SQLITE \
    "(CAST(julianday(b.travel_date) - 2440587.5 AS INTEGER) - (b.created_at + :offset) / 86400000000)"
#define SVC_LEAD_POSTGRESQL \
    "((CAST(b.travel_date AS DATE) - DATE '1970-01-01') - (b.created_at + :offset) / 86400000000)"
    static constexpr auto on_sqlite = SVC_BY_SPAN(SVC_LEAD_HEAD(SVC_LEAD_SQLITE), "GROUP BY 1");
    static constexpr auto on_postgresql = SVC_BY_SPAN(SVC_LEAD_HEAD(SVC_LEAD_POSTGRESQL), "GROUP BY 1");
#undef SVC_LEAD_HEAD
#undef SVC_LEAD_SQLITE
#undef SVC_LEAD_POSTGRESQL
    LeadTime all;
    auto params = span_params(asked);
    // An hour of summer time moves no booking by a day that matters here.
    params.emplace_back("offset", std::int64_t{asked.span.from.days()} * 86'400'000'000 -
                                      asked.zone.instant_of(asked.span.from, {}).micros());
    const auto& statement = session.dialect() == store::Dialect::sqlite ? on_sqlite : on_postgresql;
    store::each_row(session, chosen(statement, asked), params,
                    [&](std::int64_t bucket, std::int64_t bookings, std::int64_t days) {
                        all.buckets[bucket] += bookings;
                        all.bookings += bookings;
                        all.days += days;
                    });
    return all;
}

std::vector<PartySize> party_sizes(store::Session& session, const Asked& asked) {
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT b.travelers_count, COUNT(*) FROM svc_bookings b WHERE " SVC_COUNTED " AND " SVC_STANDS " AND",
        "GROUP BY b.travelers_count ORDER BY b.travelers_count");
    return store::all_rows(session, chosen(statement, asked), span_params(asked),
                           [](std::int64_t travelers, std::int64_t bookings) {
                               return PartySize{travelers, bookings};
                           });
}

std::vector<Cancellation> cancellations(store::Session& session, const Asked& asked) {
    static constexpr auto statement =
        SVC_SHARES("COALESCE(b.cancelled_via, '')", "", SVC_COUNTED " AND " SVC_GONE, "GROUP BY 1 ORDER BY 2 DESC, 1");
    return shares<Cancellation>(session, asked, statement);
}

std::vector<Share> by_source(store::Session& session, const Asked& asked) {
    static constexpr auto statement = SVC_SHARES("b.source", "", SVC_SOLD, "GROUP BY 1 ORDER BY 2 DESC, 1");
    return shares(session, asked, statement);
}

std::vector<Share> by_country(store::Session& session, const Asked& asked) {
    static constexpr auto statement =
        SVC_SHARES("b.contact_country", "", SVC_SOLD, "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50");
    return shares(session, asked, statement);
}

std::vector<Share> by_destination(store::Session& session, const Asked& asked) {
    // A trip with several destinations counts at each.
    static constexpr auto statement =
        SVC_SHARES("c.name",
                   " JOIN svc_trip_classifications t ON t.trip_id = b.trip_id JOIN svc_classifications c ON c.id ="
                   " t.classification_id AND c.type = 'destination'",
                   SVC_SOLD, "GROUP BY c.id, c.name ORDER BY 2 DESC, 1 LIMIT 20");
    return shares(session, asked, statement);
}

std::vector<CategoryFigure> traveler_categories(store::Session& session, const Asked& asked) {
#define SVC_CATEGORIES(key, value, from)                                                                             \
    SVC_BY_SPAN("SELECT " key ", COALESCE(MAX(c.name), ''), CAST(SUM(" value ") AS BIGINT) FROM svc_bookings b" from \
                " LEFT JOIN svc_classifications c ON c.id = " key " WHERE " SVC_SOLD " AND",                         \
                "GROUP BY 1 ORDER BY 3 DESC, 1")
    static constexpr auto on_sqlite =
        SVC_CATEGORIES("CAST(j.key AS INTEGER)", "j.value", " JOIN json_each(b.traveler_counts) j");
    static constexpr auto on_postgresql =
        SVC_CATEGORIES("CAST(j.key AS BIGINT)", "CAST(j.value AS BIGINT)",
                       " CROSS JOIN LATERAL json_each_text(CAST(b.traveler_counts AS json)) j");
#undef SVC_CATEGORIES
    const auto& statement = session.dialect() == store::Dialect::sqlite ? on_sqlite : on_postgresql;
    return store::all_rows(session, chosen(statement, asked), span_params(asked),
                           [](std::int64_t id, const std::string& name, std::int64_t travelers) {
                               return CategoryFigure{id, name, travelers};
                           });
}

CustomerFigures customers(store::Session& session, const Asked& asked) {
    // Who came back has booked twice in the span, or before it.
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN s.bookings > 1 OR EXISTS (SELECT 1 FROM svc_bookings o WHERE"
        " o.customer_id = s.customer AND o.id < s.first_id AND o.status IN ('pending', 'confirmed', 'processing',"
        " 'on-hold', 'completed')) THEN 1 ELSE 0 END), 0) AS BIGINT) FROM (SELECT b.customer_id AS customer, MIN(b.id)"
        " AS first_id, COUNT(*) AS bookings FROM svc_bookings b WHERE " SVC_SOLD " AND",
        "GROUP BY b.customer_id) AS s");
    return store::first_row(session, chosen(statement, asked), span_params(asked),
                            [](std::int64_t all, std::int64_t returning) {
                                return CustomerFigures{all, returning};
                            })
        .value_or(CustomerFigures{});
}

std::vector<TopCustomer> top_customers(store::Session& session, const Asked& asked, std::int64_t most) {
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT c.id, c.first_name || ' ' || c.last_name, c.email, s.bookings, s.total FROM (SELECT b.customer_id AS"
        " customer, COUNT(*) AS bookings, CAST(SUM(b.total_minor) AS BIGINT) AS total FROM svc_bookings b "
        "WHERE " SVC_COUNTED " AND " SVC_STANDS " AND",
        "GROUP BY b.customer_id ORDER BY 3 DESC, 1 LIMIT :most) s JOIN svc_customers c ON c.id = s.customer"
        " ORDER BY s.total DESC, c.id");
    auto params = span_params(asked);
    params.emplace_back("most", most);
    return store::all_rows(session, chosen(statement, asked), params,
                           [](std::int64_t id, const std::string& name, const std::string& email, std::int64_t bookings,
                              std::int64_t total) {
                               return TopCustomer{id, name, email, bookings, total};
                           });
}

std::vector<Share> other_currencies(store::Session& session, const Asked& asked) {
    static constexpr auto statement =
        SVC_SHARES("b.currency", "", "b.currency <> :currency AND b.status <> 'trash'", "GROUP BY 1 ORDER BY 1");
    return shares(session, asked, statement);
}

}  // namespace svc::reports
