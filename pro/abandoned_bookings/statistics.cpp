// Counts and sums of abandoned bookings.
#include "pro/abandoned_bookings/repository.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

#define SVC_IN_PERIOD " r.abandoned_at >= :from AND r.abandoned_at < :to"

// Bookings that were called off afterwards earned nothing.
constexpr std::string_view recovered_sql =
    "SELECT r.recovered_by, COUNT(*), CAST(COALESCE(SUM(CASE WHEN b.currency = :currency AND b.status NOT IN"
    " ('cancelled', 'trash') THEN b.total_minor ELSE 0 END), 0) AS BIGINT) FROM svc_abandoned_bookings r"
    " LEFT JOIN svc_booking_v1 b ON b.id = r.recovered_booking_id"
    " WHERE r.status = 'recovered' AND" SVC_IN_PERIOD " GROUP BY r.recovered_by";

struct Sum {
    std::int64_t count = 0, minor = 0;
};

Value sum_json(const Sum& sum, Currency currency) {
    return Value::object({{"count", sum.count}, {"value", Money{sum.minor, currency}}});
}

Value by_step(store::Session& session, const store::Params& params) {
    Value steps = Value::array();
    for (const auto& [step, fault, all, recovered] :
         store::tuples<std::string, std::string, std::int64_t, std::int64_t>(
             session,
             "SELECT r.step, r.fault, COUNT(*), CAST(SUM(CASE WHEN r.status = 'recovered' THEN 1 ELSE 0 END) AS BIGINT)"
             " FROM svc_abandoned_bookings r WHERE" SVC_IN_PERIOD
             " GROUP BY r.step, r.fault ORDER BY COUNT(*) DESC, r.step, r.fault LIMIT 20",
             params))
        steps.push(Value::object({{"step", step}, {"fault", fault}, {"count", all}, {"recovered", recovered}}));
    return steps;
}

}  // namespace

Value Repository::statistics(store::Session& session, Currency currency, Instant from, Instant to) {
    const store::Params period{{"from", from}, {"to", to}};
    std::int64_t abandoned = 0, contacted = 0, recovered = 0, expired = 0, mails = 0, open_minor = 0;
    for (const auto& [state, count, sent, minor] : store::tuples<std::string, std::int64_t, std::int64_t, std::int64_t>(
             session,
             "SELECT r.status, COUNT(*), CAST(COALESCE(SUM(r.emails_sent), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN"
             " r.currency = :currency THEN r.total_minor END), 0) AS BIGINT) FROM svc_abandoned_bookings r"
             " WHERE" SVC_IN_PERIOD " GROUP BY r.status",
             {{"from", from}, {"to", to}, {"currency", currency.code()}})) {
        mails += sent;
        if (state == status::abandoned || state == status::contacted)
            open_minor += minor;
        (state == status::abandoned   ? abandoned
         : state == status::contacted ? contacted
         : state == status::recovered ? recovered
                                      : expired) = count;
    }
    Sum by_link, by_time, by_self;
    for (const auto& [by, count, minor] : store::tuples<std::optional<std::string>, std::int64_t, std::int64_t>(
             session, recovered_sql, {{"from", from}, {"to", to}, {"currency", currency.code()}}))
        (by == recovered_by::link ? by_link : by == recovered_by::time ? by_time : by_self) = Sum{count, minor};
    const std::int64_t all = abandoned + contacted + recovered + expired, brought = by_link.count + by_time.count;
    constexpr std::int64_t whole = 1'000'000;
    return Value::object({{"total_abandoned", abandoned},
                          {"total_contacted", contacted},
                          {"total_recovered", recovered},
                          {"total_expired", expired},
                          {"recovery_rate", Value(Rate{all ? brought * whole / all : 0})},
                          {"total_recovered_value", Money{by_link.minor + by_time.minor, currency}},
                          {"open_value", Money{open_minor, currency}},
                          {"currency", currency.code()},
                          {"emails_sent", mails},
                          {"recovered_by_link", sum_json(by_link, currency)},
                          {"recovered_by_time", sum_json(by_time, currency)},
                          {"recovered_by_self", sum_json(by_self, currency)},
                          {"by_step", by_step(session, period)}});
}

}  // namespace svc::pro::abandoned_bookings
