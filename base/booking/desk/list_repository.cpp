// SQL of lists of bookings: filtered, searched, sorted, count_by_ids by status.
#include <algorithm>

#include "base/booking/record/access.hpp"
#include "base/booking/record/columns.hpp"
#include "base/booking/record/repository.hpp"
#include "shared/core/words.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
#include "shared/store/one_plan.hpp"
#include "shared/store/sorting.hpp"

namespace svc::booking {
namespace {

// The filter's conditions but that of the status. An absent value switches its condition off, so the statement stays
// one literal; the search text is folded when a booking is written.
#define SVC_BOOKING_OTHERWISE                                                    \
    " (:payment_status = '' OR b.payment_status = :payment_status_is)"           \
    " AND (CAST(:trip_id AS BIGINT) = 0 OR b.trip_id = :trip_id_is)"             \
    " AND (CAST(:customer_id AS BIGINT) = 0 OR b.customer_id = :customer_id_is)" \
    " AND (CAST(:user_id AS BIGINT) = 0 OR b.user_id = :user_id_is)"             \
    " AND b.created_at >= :from AND b.created_at < :to"                          \
    " AND (CAST(:attention AS BIGINT) = 0 OR b.needs_attention = 1)"             \
    " AND (:search = '' OR b.search LIKE :search_like ESCAPE '\\')"
#define SVC_BOOKING_GUIDED                                                                                            \
    SVC_GUIDED                                                                                                        \
    " AND (CAST(:refund AS BIGINT) = 0 OR b.amount_paid_minor > b.total_minor OR EXISTS (SELECT 1"                    \
    " FROM svc_payments p WHERE p.booking_id = b.id AND p.reconciliation = 'refund_due' AND p.status = 'completed'))" \
    " AND" SVC_BOOKING_OTHERWISE
#define SVC_BOOKING_STATUS " AND ((:status = '' AND b.status <> 'trash') OR b.status = :status_is)"
// Money that came when the booking had ended or was paid, or more than it costs.
#define SVC_REFUND_DUE                                                                                           \
    " b.id IN (SELECT booking_id FROM svc_payments WHERE reconciliation = 'refund_due' AND status = 'completed'" \
    " UNION SELECT id FROM svc_bookings WHERE amount_paid_minor > total_minor) AND"
#define SVC_BOOKING_PAGE(order) " ORDER BY " order " LIMIT :limit OFFSET :offset"
#define SVC_BOOKING_FROM "SELECT " SVC_BOOKING_COLUMNS " FROM svc_bookings b WHERE"

// Every way the list can be sorted, whole statements each, so that no name from outside reaches SQL: of all bookings,
// of one status, of one payment status, of one trip, of one customer, of one user, of those that wait for a person or
// hold money to be sent back, of one guide, of those a search has found.
struct Order {
    std::string_view of_all, of_status, of_payment, of_trip, of_customer, of_user, of_attention, of_refund, of_guide;
    store::ByIds of_found;
};
using Sorting = store::Sorting<Order>;
#define SVC_ORDER_OF(column, value, order) \
    SVC_BOOKING_FROM " b." column " = " value " AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order)
#define SVC_ORDER(plan, order)                                                                                    \
    Order {                                                                                                       \
        plan SVC_BOOKING_FROM SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order),                   \
            SVC_BOOKING_FROM " b.status = :status_is AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_PAGE(order),          \
            SVC_ORDER_OF("payment_status", ":payment_status_is", order),                                          \
            SVC_ORDER_OF("trip_id", ":trip_id_is", order), SVC_ORDER_OF("customer_id", ":customer_id_is", order), \
            SVC_ORDER_OF("user_id", ":user_id_is", order), plan SVC_ORDER_OF("needs_attention", "1", order),      \
            SVC_BOOKING_FROM SVC_REFUND_DUE SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order),     \
            SVC_BOOKING_FROM SVC_BOOKING_GUIDED SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order),                       \
            SVC_BY_IDS(SVC_BOOKING_FROM, "b.id",                                                                  \
                       "AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order))                    \
    }
#define SVC_SORTED_BY(plan, key, column) \
    Sorting { key, SVC_ORDER(plan, column " ASC, b.id ASC"), SVC_ORDER(plan, column " DESC, b.id DESC") }
#define SVC_SORTED(key, column) SVC_SORTED_BY("", key, column)
// The order of their index. Not of those of one status, trip or customer: how rare that one is decides between two.
#define SVC_SORTED_BY_AGE(key) SVC_SORTED_BY(SVC_ONE_PLAN, key, "b.created_at")
const Sorting sortings[] = {SVC_SORTED_BY_AGE("created_at"),
                            SVC_SORTED("reference", "b.reference"),
                            SVC_SORTED("booking_number", "b.reference"),
                            SVC_SORTED("customer", "b.contact_last_name"),
                            SVC_SORTED("trip", "b.trip_title"),
                            SVC_SORTED("travelers", "b.travelers_count"),
                            SVC_SORTED_BY_AGE("booking_date"),
                            SVC_SORTED("travel_date", "b.travel_date"),
                            SVC_SORTED("amount", "b.total_minor"),
                            SVC_SORTED("total_amount", "b.total_minor"),
                            SVC_SORTED("payment_status", "b.payment_status"),
                            SVC_SORTED("booking_status", "b.status"),
                            SVC_SORTED("status", "b.status")};

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

// What is indexed, and what was made since.
constexpr std::string_view found_sqlite =
    "SELECT rowid FROM svc_booking_search WHERE svc_booking_search MATCH :phrase LIMIT :most";
constexpr std::string_view since_sqlite =
    "SELECT b.id FROM svc_bookings b WHERE b.id > (SELECT COALESCE(MAX(id), 0) FROM svc_booking_search_docsize)"
    " AND b.search LIKE :like ESCAPE '\\' LIMIT :most";
constexpr std::string_view found_postgresql =
    "SELECT f.booking_id FROM svc_booking_search f JOIN svc_bookings b ON b.id = f.booking_id"
    " WHERE f.grams @> svc_grams_of(:search) AND b.search LIKE :like ESCAPE '\\' LIMIT :most";
constexpr std::string_view since_postgresql =
    "SELECT b.id FROM svc_bookings b WHERE b.id > (SELECT COALESCE(MAX(booking_id), 0) FROM svc_booking_search)"
    " AND b.search LIKE :like ESCAPE '\\' LIMIT :most";

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
         {sqlite ? found_sqlite : found_postgresql, sqlite ? since_sqlite : since_postgresql})
        session.each(sql, "i", params, [&](const store::Row& row) { ids.push_back(row.integer(0)); });
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

constexpr auto count_by_ids = SVC_BY_IDS("SELECT b.status, COUNT(*) FROM svc_bookings b WHERE", "b.id",
                                         "AND" SVC_BOOKING_OTHERWISE " GROUP BY b.status");

constexpr std::int64_t hour_micros = 3'600'000'000, hours_of_day = 24;

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return value / unit + (value % unit > 0 ? 1 : 0); }

// A period in whole days, the whole hours before and after them, and what is left of an hour at both ends: tallies are
// kept of days and hours of UTC, and those of a site's zone may begin at half an hour.
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

// What is kept of one kind, and what was changed since it was added up.
#define SVC_TALLIED(kind, kept, since)                                              \
    "SELECT status, CAST(SUM(bookings) AS BIGINT) FROM ("                           \
    "SELECT status, bookings FROM svc_booking_tallies WHERE kind = '" kind "'" kept \
    " UNION ALL SELECT status, bookings FROM svc_booking_count_changes" since ") AS tallied GROUP BY status"
#define SVC_TALLIED_HOURS(from, to)                                                                 \
    " UNION ALL SELECT status, bookings FROM svc_booking_tallies WHERE kind = 'hour' AND word = ''" \
    " AND number >= " from " AND number < " to
#define SVC_REST_OF_HOUR(from, to) \
    " UNION ALL SELECT status, 1 FROM svc_bookings WHERE created_at >= " from " AND created_at < " to

// Conditions that are count_by_ids as bookings are written read no booking: that is what staff look at all day.
std::string_view counting(const Filter& filter) {
    if (filter.guide_id)
        return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE" SVC_BOOKING_GUIDED " GROUP BY b.status";
    if (filter.refund_due)
        return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE" SVC_REFUND_DUE SVC_BOOKING_OTHERWISE
               " GROUP BY b.status";
    if (filter.needs_attention)
        return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.needs_attention = 1 AND" SVC_BOOKING_OTHERWISE
               " GROUP BY b.status";
    const bool by_payment = !filter.payment_status.empty(), by_trip = filter.trip_id.has_value(),
               by_days = filter.from || filter.to;
    const int others = by_payment + by_trip + by_days;
    const bool by_more = others > 0 || !filter.search.empty();
    if (filter.user_id)
        return by_more || filter.customer_id
                   ? "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.user_id = :user_id_is"
                     " AND" SVC_BOOKING_OTHERWISE " GROUP BY b.status"
                   : "SELECT status, COUNT(*) FROM svc_bookings WHERE user_id = :user_id_is GROUP BY status";
    if (filter.customer_id)
        return by_more ? "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.customer_id = :customer_id_is"
                         " AND" SVC_BOOKING_OTHERWISE " GROUP BY b.status"
                       : "SELECT status, COUNT(*) FROM svc_bookings WHERE customer_id = :customer_id_is"
                         " GROUP BY status";
    if (!filter.search.empty() && others == 0)
        return "SELECT status, COUNT(*) FROM svc_bookings WHERE search LIKE :search_like ESCAPE '\\' GROUP BY status";
    if (filter.search.empty() && others < 2) {
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
    return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE" SVC_BOOKING_OTHERWISE " GROUP BY b.status";
}

}  // namespace

std::vector<std::string> sort_keys() { return store::keys_of(sortings); }

Listed Repository::list(store::Session& session, const Filter& filter, const api::Page& page) {
    Listed listed{.bookings = {}, .counts = no_counts(), .total = 0};
    const auto count = [&](const store::Row& row) { add(listed.counts, row.text(0), row.integer(1)); };
    const auto take = [&](const store::Row& row) { listed.bookings.push_back(read_booking(row)); };
    const Order& order = store::sorted_by(sortings, page.order_by, page.ascending);
    store::Params params = where(filter);
    store::Params conditions = params;
    for (store::Param& bound : tallied_period(filter))
        conditions.push_back(std::move(bound));
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const auto ids =
        filter.search.empty() || filter.refund_due || filter.guide_id ? std::nullopt : found(session, filter);
    if (ids) {
        store::each_of(session, order.of_found, booking_columns, *ids, take, params);
        store::each_of(session, count_by_ids, "ti", *ids, count, conditions);
    } else {
        const bool one_status = !filter.status.empty();
        const std::string_view page_of = filter.guide_id                  ? order.of_guide
                                         : filter.refund_due              ? order.of_refund
                                         : filter.user_id                 ? order.of_user
                                         : filter.customer_id             ? order.of_customer
                                         : filter.needs_attention         ? order.of_attention
                                         : !filter.payment_status.empty() ? order.of_payment
                                         : filter.trip_id                 ? order.of_trip
                                         : one_status                     ? order.of_status
                                                                          : order.of_all;
        session.each(page_of, booking_columns, params, take);
        session.each(counting(filter), "ti", conditions, count);
    }
    listed.total = listed.counts[filter.status.empty() ? "all" : filter.status].integer();
    return listed;
}

bool Repository::is_guided(store::Session& session, std::int64_t id, std::int64_t user_id) {
    return session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.id = :id" SVC_AND_GUIDED,
                          {{"id", id}, {"guide", user_id}}) > 0;
}

Repository::Waiting Repository::waiting(store::Session& session, std::optional<std::int64_t> guide_id) {
#define SVC_ATTENTION_WAITS "SELECT COUNT(*) FROM svc_bookings b WHERE b.needs_attention = 1 AND b.status <> 'trash'"
#define SVC_REFUND_WAITS "SELECT COUNT(*) FROM svc_bookings b WHERE" SVC_REFUND_DUE " b.status <> 'trash'"
    const store::Params params{{"guide", guide_id.value_or(0)}};
    return {.attention = session.number(guide_id ? SVC_ATTENTION_WAITS SVC_AND_GUIDED : SVC_ATTENTION_WAITS, params),
            .refund = session.number(guide_id ? SVC_REFUND_WAITS SVC_AND_GUIDED : SVC_REFUND_WAITS, params)};
}

void Repository::add_up_counts(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::sqlite)
        return;  // written as bookings are
    tx.run(
        "WITH gone AS (DELETE FROM svc_booking_count_changes RETURNING status, payment_status, trip_id, hour, bookings)"
        " INSERT INTO svc_booking_tallies AS t (kind, word, number, status, bookings)"
        " SELECT kind, word, number, status, CAST(SUM(bookings) AS BIGINT) FROM ("
        "SELECT 'all' AS kind, '' AS word, CAST(0 AS BIGINT) AS number, status, bookings FROM gone"
        " UNION ALL SELECT 'payment', payment_status, 0, status, bookings FROM gone"
        " UNION ALL SELECT 'trip', '', trip_id, status, bookings FROM gone"
        " UNION ALL SELECT 'day', '', hour / 24, status, bookings FROM gone"
        " UNION ALL SELECT 'hour', '', hour, status, bookings FROM gone"
        ") AS changed GROUP BY kind, word, number, status HAVING SUM(bookings) <> 0 ORDER BY 1, 2, 3, 4"
        " ON CONFLICT (kind, word, number, status) DO UPDATE SET bookings = t.bookings + excluded.bookings",
        {});
}

std::int64_t Repository::index_search(store::Transaction& tx, Instant before, std::int64_t most) {
    // Up to the last one made before that moment: none with a lower number is still on its way to its commit.
    if (tx.dialect() == store::Dialect::sqlite)
        return tx.run(
            "INSERT INTO svc_booking_search (rowid, search) SELECT b.id, b.search FROM svc_bookings b"
            " WHERE b.id > (SELECT COALESCE(MAX(id), 0) FROM svc_booking_search_docsize)"
            " AND b.id <= (SELECT COALESCE(MAX(o.id), 0) FROM svc_bookings o WHERE o.created_at < :before)"
            " ORDER BY b.id LIMIT :most",
            {{"before", before}, {"most", most}});
    return tx.run(
        "INSERT INTO svc_booking_search (booking_id, grams) SELECT b.id, svc_grams_of(b.search) FROM svc_bookings b"
        " WHERE b.id > (SELECT COALESCE(MAX(booking_id), 0) FROM svc_booking_search)"
        " AND b.id <= (SELECT COALESCE(MAX(o.id), 0) FROM svc_bookings o WHERE o.created_at < :before)"
        " ORDER BY b.id LIMIT :most ON CONFLICT (booking_id) DO NOTHING",
        {{"before", before}, {"most", most}});
}

}  // namespace svc::booking
