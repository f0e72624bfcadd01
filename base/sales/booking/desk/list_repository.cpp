// SQL of lists of bookings: filtered, searched, sorted, count_by_ids by status.
#include <algorithm>

#include "base/sales/booking/desk/repository.hpp"
#include "base/sales/booking/record/booking_record.hpp"
#include "base/sales/booking/record/guided.hpp"
#include "shared/core/words.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

// The filter's conditions but that of the status. An absent value switches its condition off, so the statement stays
// one literal; the search text is folded when a booking is written.
#define SVC_BOOKING_OTHERWISE                                                    \
    " (:payment_status = '' OR r.payment_status = :payment_status_is)"           \
    " AND (CAST(:trip_id AS BIGINT) = 0 OR r.trip_id = :trip_id_is)"             \
    " AND (CAST(:customer_id AS BIGINT) = 0 OR r.customer_id = :customer_id_is)" \
    " AND (CAST(:user_id AS BIGINT) = 0 OR r.user_id = :user_id_is)"             \
    " AND r.created_at >= :from AND r.created_at < :to"                          \
    " AND r.updated_at >= :updated_since"                                        \
    " AND (CAST(:attention AS BIGINT) = 0 OR r.needs_attention = 1)"             \
    " AND (:search = '' OR r.search LIKE :search_like ESCAPE '\\')"
#define SVC_BOOKING_GUIDED                                                                                            \
    SVC_GUIDED_OF("r.id")                                                                                             \
    " AND (CAST(:refund AS BIGINT) = 0 OR r.amount_paid_minor > r.total_minor OR EXISTS (SELECT 1"                    \
    " FROM svc_payments p WHERE p.booking_id = r.id AND p.reconciliation = 'refund_due' AND p.status = 'completed'))" \
    " AND" SVC_BOOKING_OTHERWISE
#define SVC_BOOKING_STATUS " AND ((:status = '' AND r.status <> 'trash') OR r.status = :status_is)"
// Money received after the booking ended or was paid, or beyond its total.
#define SVC_REFUND_DUE                                                                                           \
    " r.id IN (SELECT booking_id FROM svc_payments WHERE reconciliation = 'refund_due' AND status = 'completed'" \
    " UNION SELECT id FROM svc_bookings WHERE amount_paid_minor > total_minor) AND"
// The list's statement for each filter with an index, without order.
struct Heads {
    record::Head of_all, of_status, of_payment, of_trip, of_customer, of_user, of_attention, of_refund, of_guide;
    record::Head of_found_sqlite, of_found_postgresql;
};
#define SVC_BOOKINGS_OF(column, value) "WHERE r." column " = " value " AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS

const Heads& booking_heads() {
    static const Heads heads = [] {
        const auto head = [](std::string_view clause, bool one_plan = false) {
            return record::Head{.sql = booking_record().select(clause), .one_plan = one_plan};
        };
        const record::IdStatement found =
            booking_record().select_of("r.id", "AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS);
        return Heads{.of_all = head("WHERE" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS, true),
                     .of_status = head("WHERE r.status = :status_is AND" SVC_BOOKING_OTHERWISE),
                     .of_payment = head(SVC_BOOKINGS_OF("payment_status", ":payment_status_is")),
                     .of_trip = head(SVC_BOOKINGS_OF("trip_id", ":trip_id_is")),
                     .of_customer = head(SVC_BOOKINGS_OF("customer_id", ":customer_id_is")),
                     .of_user = head(SVC_BOOKINGS_OF("user_id", ":user_id_is")),
                     .of_attention = head(SVC_BOOKINGS_OF("needs_attention", "1"), true),
                     .of_refund = head("WHERE" SVC_REFUND_DUE SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS),
                     .of_guide = head("WHERE" SVC_BOOKING_GUIDED SVC_BOOKING_STATUS),
                     .of_found_sqlite = {.sql = found.sqlite},
                     .of_found_postgresql = {.sql = found.postgresql}};
    }();
    return heads;
}

// The order of their index allows one plan. Lists of one status, trip or customer do not: two plans differ by how rare
// it is.
const record::Orders& booking_orders() {
    static const record::Orders orders{"r.id",
                                       {{"created_at", {"r.created_at"}, true},
                                        {"reference", {"r.reference"}},
                                        {"booking_number", {"r.reference"}},
                                        {"customer", {"r.contact_last_name"}},
                                        {"trip", {"r.trip_title"}},
                                        {"travelers", {"r.travelers_count"}},
                                        {"booking_date", {"r.created_at"}, true},
                                        {"updated_at", {"r.updated_at"}},
                                        {"travel_date", {"r.travel_date"}},
                                        {"amount", {"r.total_minor"}},
                                        {"total_amount", {"r.total_minor"}},
                                        {"payment_status", {"r.payment_status"}},
                                        {"booking_status", {"r.status"}},
                                        {"status", {"r.status"}}}};
    return orders;
}

const record::Head& booking_head(const Filter& filter) {
    return filter.guide_id                  ? booking_heads().of_guide
           : filter.refund_due              ? booking_heads().of_refund
           : filter.user_id                 ? booking_heads().of_user
           : filter.customer_id             ? booking_heads().of_customer
           : filter.needs_attention         ? booking_heads().of_attention
           : !filter.payment_status.empty() ? booking_heads().of_payment
           : filter.trip_id                 ? booking_heads().of_trip
           : !filter.status.empty()         ? booking_heads().of_status
                                            : booking_heads().of_all;
}

constexpr std::size_t most_found = 500, gram = 3;

store::Params where(const Filter& filter) {
    const std::string search = text::search_key(filter.search);
    const std::int64_t trip = filter.trip_id.value_or(0);
    const std::int64_t customer = filter.customer_id.value_or(0);
    return {{"status", filter.status},
            {"status_is", filter.status},
            {"payment_status", filter.payment_status},
            {"payment_status_is", filter.payment_status},
            {"trip_id", trip},
            {"trip_id_is", trip},
            {"customer_id", customer},
            {"customer_id_is", customer},
            {"user_id", filter.user_id.value_or(0)},
            {"user_id_is", filter.user_id.value_or(0)},
            {"from", filter.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", filter.to.value_or(Instant::from_micros(INT64_MAX))},
            {"updated_since", filter.updated_since.value_or(Instant::from_micros(INT64_MIN))},
            {"attention", filter.needs_attention},
            {"guide", filter.guide_id.value_or(0)},
            {"refund", filter.refund_due},
            {"search", search},
            {"search_like", store::like_contains(search)}};
}

std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string quoted(const std::string& text) {
    std::string phrase = "\"";
    for (const char c : text)
        phrase += c == '"' ? std::string("\"\"") : std::string(1, c);
    return phrase + "\"";
}

// Rows created since, then indexed rows: one that is indexed meanwhile is found twice.
constexpr std::string_view found_sqlite =
    "SELECT rowid FROM svc_booking_search WHERE svc_booking_search MATCH :phrase LIMIT :most";
constexpr std::string_view since_sqlite =
    "SELECT r.id FROM svc_bookings r WHERE r.id > (SELECT COALESCE(MAX(id), 0) FROM svc_booking_search_docsize)"
    " AND r.search LIKE :like ESCAPE '\\' LIMIT :most";
constexpr std::string_view found_postgresql =
    "SELECT f.booking_id FROM svc_booking_search f JOIN svc_bookings r ON r.id = f.booking_id"
    " WHERE f.grams @> svc_grams_of(:search) AND r.search LIKE :like ESCAPE '\\' LIMIT :most";
constexpr std::string_view since_postgresql =
    "SELECT r.id FROM svc_bookings r WHERE r.id > (SELECT COALESCE(MAX(booking_id), 0) FROM svc_booking_search)"
    " AND r.search LIKE :like ESCAPE '\\' LIMIT :most";

// The bookings that hold the text, by the index; nothing when they are so many, or the text so short, that looking
// through the bookings themselves is as good.
std::optional<std::vector<std::int64_t>> found(store::Session& session, const Filter& filter) {
    const std::string search = text::search_key(filter.search);
    if (letters(search) < gram)
        return std::nullopt;
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    const store::Params params{{"phrase", quoted(search)},
                               {"search", search},
                               {"like", store::like_contains(search)},
                               {"most", static_cast<std::int64_t>(most_found + 1)}};
    std::vector<std::int64_t> ids;
    for (const std::string_view sql :
         {sqlite ? since_sqlite : since_postgresql, sqlite ? found_sqlite : found_postgresql})
        store::each_row(session, sql, params, [&](std::int64_t id) { ids.push_back(id); });
    return ids.size() <= most_found ? std::optional(std::move(ids)) : std::nullopt;
}

json::Value no_counts() {
    json::Value counts = json::Value::object({{"all", 0}});
    for (const std::string_view status : status::all)
        counts.set(std::string(status), 0);
    return counts;
}

void add(json::Value& counts, const std::string& status, std::int64_t bookings) {
    counts.set(status, counts[status].integer() + bookings);
    if (status != status::trash)
        counts.set("all", counts["all"].integer() + bookings);
}

constexpr auto count_by_ids = SVC_BY_IDS("SELECT r.status, COUNT(*) FROM svc_bookings r WHERE", "r.id",
                                         "AND" SVC_BOOKING_OTHERWISE " GROUP BY r.status");

constexpr std::int64_t hour_micros = 3'600'000'000, hours_of_day = 24;

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return value / unit + (value % unit > 0 ? 1 : 0); }

// A period as whole days, the whole hours around them, and the rest of an hour at both ends: counts are stored by day
// and hour of UTC, and local days may begin at half an hour.
store::Params tallied_period(const Filter& filter) {
    constexpr std::int64_t last = INT64_MAX - hour_micros;
    const std::int64_t from = std::clamp<std::int64_t>(filter.from ? filter.from->micros() : 0, 0, last);
    const std::int64_t to = std::clamp<std::int64_t>(filter.to ? filter.to->micros() : last, from, last);
    const std::int64_t first_hour = rounded_up(from, hour_micros), end_hour = std::max(first_hour, to / hour_micros);
    const std::int64_t first_day = rounded_up(first_hour, hours_of_day),
                       end_day = std::max(first_day, end_hour / hours_of_day);
    return {{"rest_from", from},
            {"rest_from_end", std::min(to, first_hour * hour_micros)},
            {"first_hour", first_hour},
            {"first_hour_end", std::min(end_hour, first_day * hours_of_day)},
            {"first_day", first_day},
            {"end_day", end_day},
            {"last_hour", end_day * hours_of_day},
            {"end_hour", end_hour},
            {"rest_to_begin", std::max(from, end_hour * hour_micros)},
            {"rest_to", to}};
}

// The stored counts, and the changes since they were merged.
#define SVC_TALLIED(kind, kept, since)                                              \
    "SELECT status, CAST(SUM(bookings) AS BIGINT) FROM ("                           \
    "SELECT status, bookings FROM svc_booking_tallies WHERE kind = '" kind "'" kept \
    " UNION ALL SELECT status, bookings FROM svc_booking_count_changes" since ") AS tallied GROUP BY status"
#define SVC_TALLIED_HOURS(from, to)                                                                 \
    " UNION ALL SELECT status, bookings FROM svc_booking_tallies WHERE kind = 'hour' AND word = ''" \
    " AND number >= " from " AND number < " to
#define SVC_REST_OF_HOUR(from, to) \
    " UNION ALL SELECT status, 1 FROM svc_bookings WHERE created_at >= " from " AND created_at < " to

// Conditions counted as bookings are written need no booking to be read: the common case for staff.
std::string_view counting(const Filter& filter) {
    if (filter.guide_id)
        return "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE" SVC_BOOKING_GUIDED " GROUP BY r.status";
    if (filter.refund_due)
        return "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE" SVC_REFUND_DUE SVC_BOOKING_OTHERWISE
               " GROUP BY r.status";
    if (filter.needs_attention)
        return "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE r.needs_attention = 1 AND" SVC_BOOKING_OTHERWISE
               " GROUP BY r.status";
    const bool by_payment = !filter.payment_status.empty(), by_trip = filter.trip_id.has_value(),
               by_days = filter.from || filter.to;
    const int others = by_payment + by_trip + by_days;
    const bool by_more = others > 0 || filter.updated_since || !filter.search.empty();
    if (filter.user_id)
        return by_more || filter.customer_id
                   ? "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE r.user_id = :user_id_is"
                     " AND" SVC_BOOKING_OTHERWISE " GROUP BY r.status"
                   : "SELECT status, COUNT(*) FROM svc_bookings WHERE user_id = :user_id_is GROUP BY status";
    if (filter.customer_id)
        return by_more ? "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE r.customer_id = :customer_id_is"
                         " AND" SVC_BOOKING_OTHERWISE " GROUP BY r.status"
                       : "SELECT status, COUNT(*) FROM svc_bookings WHERE customer_id = :customer_id_is"
                         " GROUP BY status";
    if (!filter.search.empty() && others == 0 && !filter.updated_since)
        return "SELECT status, COUNT(*) FROM svc_bookings WHERE search LIKE :search_like ESCAPE '\\' GROUP BY status";
    if (filter.search.empty() && others < 2 && !filter.updated_since) {
        if (by_payment)
            return SVC_TALLIED("payment", " AND word = :payment_status_is",
                               " WHERE payment_status = :payment_status_is");
        if (by_trip)
            return SVC_TALLIED("trip", " AND word = '' AND number = :trip_id_is", " WHERE trip_id = :trip_id_is");
        if (by_days)
            return SVC_TALLIED(
                "day", " AND word = '' AND number >= :first_day AND number < :end_day",
                " WHERE hour >= :first_hour AND hour < :end_hour" SVC_TALLIED_HOURS(":first_hour", ":first_hour_end")
                    SVC_TALLIED_HOURS(":last_hour", ":end_hour") SVC_REST_OF_HOUR(":rest_from", ":rest_from_end")
                        SVC_REST_OF_HOUR(":rest_to_begin", ":rest_to"));
        return SVC_TALLIED("all", "", "");
    }
    return "SELECT r.status, COUNT(*) FROM svc_bookings r WHERE" SVC_BOOKING_OTHERWISE " GROUP BY r.status";
}

}  // namespace

std::vector<std::string> sort_keys() { return booking_orders().keys(); }

Listed ListRepository::list(store::Session& session, const Filter& filter, const api::Page& page) {
    Listed listed{.bookings = {}, .counts = no_counts(), .total = 0};
    const auto count = [&](const std::string& status, std::int64_t bookings) { add(listed.counts, status, bookings); };
    store::Params params = where(filter);
    store::Params conditions = params;
    for (store::Param& bound : tallied_period(filter))
        conditions.push_back(std::move(bound));
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const auto ids =
        filter.search.empty() || filter.refund_due || filter.guide_id ? std::nullopt : found(session, filter);
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    const record::Head& head = !ids     ? booking_head(filter)
                               : sqlite ? booking_heads().of_found_sqlite
                                        : booking_heads().of_found_postgresql;
    if (ids)
        params.emplace_back("ids", store::ids_text(session.dialect(), *ids));
    listed.bookings = booking_record().all(session, booking_orders().page(head, page.order_by, page.ascending), params);
    if (ids)
        store::each_row_of(session, count_by_ids, *ids, count, conditions);
    else
        store::each_row(session, counting(filter), conditions, count);
    listed.total = listed.counts[filter.status.empty() ? "all" : filter.status].integer();
    return listed;
}

ListRepository::Waiting ListRepository::waiting(store::Session& session, std::optional<std::int64_t> guide_id) {
#define SVC_ATTENTION_WAITS "SELECT COUNT(*) FROM svc_bookings r WHERE r.needs_attention = 1 AND r.status <> 'trash'"
#define SVC_REFUND_WAITS "SELECT COUNT(*) FROM svc_bookings r WHERE" SVC_REFUND_DUE " r.status <> 'trash'"
    const store::Params params{{"guide", guide_id.value_or(0)}};
    return {
        .attention =
            session.number(guide_id ? SVC_ATTENTION_WAITS " AND" SVC_GUIDED_OF("r.id") : SVC_ATTENTION_WAITS, params),
        .refund = session.number(guide_id ? SVC_REFUND_WAITS " AND" SVC_GUIDED_OF("r.id") : SVC_REFUND_WAITS, params)};
}

}  // namespace svc::booking
