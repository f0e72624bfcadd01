// SQL for staff's reads and writes of bookings: sums, edits, histories, removal.
#include "base/sales/booking/desk/repository.hpp"

#include "base/sales/booking/record/guided.hpp"
#include "shared/core/text.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

constexpr auto earliest = INT64_MIN, latest = INT64_MAX;

store::Params period_of(const Filter& filter) {
    return {{"from", filter.from.value_or(Instant::from_micros(earliest))},
            {"to", filter.to.value_or(Instant::from_micros(latest))},
            {"guide", filter.guide_id.value_or(0)}};
}

}  // namespace

json::Value ListRepository::count_by_status(store::Session& session, const Filter& filter) {
    json::Value counts = json::Value::object();
    for (const std::string_view status : status::all)
        counts.set(std::string(status), 0);
#define SVC_COUNTED "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.created_at >= :from AND b.created_at < :to"
    store::each_row(
        session, filter.guide_id ? SVC_COUNTED SVC_AND_GUIDED " GROUP BY b.status" : SVC_COUNTED " GROUP BY b.status",
        period_of(filter), [&](const std::string& status, std::int64_t bookings) { counts.set(status, bookings); });
    return counts;
}

Totals ListRepository::totals(store::Session& session, const Filter& filter, std::string_view currency,
                              Instant month_start, Date today) {
    Totals totals;
    store::Params params = period_of(filter);
    params.emplace_back("currency", currency);
    params.emplace_back("start", month_start);
    params.emplace_back("today", today);
// Payments of a booking in the trash still count until they are refunded.
#define SVC_BROUGHT                                                                                           \
    "SELECT CAST(COALESCE(SUM(CASE WHEN b.status IN ('cancelled', 'refunded', 'failed', 'waitlist', 'trash')" \
    " THEN 0 ELSE b.total_minor END), 0) AS BIGINT), CAST(COALESCE(SUM(b.amount_paid_minor), 0) AS BIGINT)"   \
    " FROM svc_bookings b WHERE b.currency = :currency AND b.created_at >= :from AND b.created_at < :to"
#define SVC_OF_MONTH "SELECT COUNT(*) FROM svc_bookings b WHERE b.status <> 'trash' AND b.created_at >= :start"
#define SVC_UPCOMING                                                    \
    "SELECT COUNT(*) FROM svc_bookings b WHERE b.travel_date >= :today" \
    " AND b.status IN ('pending', 'processing', 'on-hold', 'confirmed')"
    const bool of_guide = filter.guide_id.has_value();
    store::each_row(session, of_guide ? SVC_BROUGHT SVC_AND_GUIDED : SVC_BROUGHT, params,
                    [&](std::int64_t revenue, std::int64_t collected) {
                        totals.revenue_minor = revenue;
                        totals.collected_minor = collected;
                    });
    totals.this_month = session.number(of_guide ? SVC_OF_MONTH SVC_AND_GUIDED : SVC_OF_MONTH, params);
    totals.upcoming = session.number(of_guide ? SVC_UPCOMING SVC_AND_GUIDED : SVC_UPCOMING, params);
    return totals;
}

}  // namespace svc::booking
