// SQL of lists of bookings: filtered, searched, sorted, counted by status.
#include <algorithm>

#include "base/booking/columns.hpp"
#include "base/booking/repository.hpp"
#include "shared/core/text.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
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
#define SVC_BOOKING_STATUS " AND (:status_any = 1 OR (:status = '' AND b.status <> 'trash') OR b.status = :status_is)"
// Money that came when the booking had ended or was paid, or more than it costs.
#define SVC_REFUND_DUE                                                                                           \
    " b.id IN (SELECT booking_id FROM svc_payments WHERE reconciliation = 'refund_due' AND status = 'completed'" \
    " UNION SELECT id FROM svc_bookings WHERE amount_paid_minor > total_minor) AND"
#define SVC_BOOKING_PAGE(order) " ORDER BY " order " LIMIT :limit OFFSET :offset"
#define SVC_BOOKING_FROM "SELECT " SVC_BOOKING_COLUMNS " FROM svc_bookings b WHERE"

// Every way the list can be sorted, whole statements each, so that no name from outside reaches SQL: of all bookings,
// of one status, of one payment status, of one trip, of those that wait for a person or hold money to be sent back, of
// those a search has found.
struct Order {
    std::string_view of_all, of_status, of_payment, of_trip, of_attention, of_refund;
    store::ByIds of_found;
};
using Sorting = store::Sorting<Order>;
#define SVC_ORDER_OF(column, value, order) \
    SVC_BOOKING_FROM " b." column " = " value " AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order)
#define SVC_ORDER(order)                                                                                      \
    Order {                                                                                                   \
        SVC_BOOKING_FROM SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order),                    \
            SVC_BOOKING_FROM " b.status = :status_is AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_PAGE(order),      \
            SVC_ORDER_OF("payment_status", ":payment_status_is", order),                                      \
            SVC_ORDER_OF("trip_id", ":trip_id_is", order), SVC_ORDER_OF("needs_attention", "1", order),       \
            SVC_BOOKING_FROM SVC_REFUND_DUE SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order), \
            SVC_BY_IDS(SVC_BOOKING_FROM, "b.id",                                                              \
                       "AND" SVC_BOOKING_OTHERWISE SVC_BOOKING_STATUS SVC_BOOKING_PAGE(order))                \
    }
#define SVC_SORTED(key, column) \
    Sorting { key, SVC_ORDER(column " ASC, b.id ASC"), SVC_ORDER(column " DESC, b.id DESC") }
constexpr Sorting sortings[] = {SVC_SORTED("created_at", "b.created_at"),
                                SVC_SORTED("reference", "b.reference"),
                                SVC_SORTED("booking_number", "b.reference"),
                                SVC_SORTED("customer", "b.contact_last_name"),
                                SVC_SORTED("trip", "b.trip_title"),
                                SVC_SORTED("travelers", "b.travelers_count"),
                                SVC_SORTED("booking_date", "b.created_at"),
                                SVC_SORTED("travel_date", "b.travel_date"),
                                SVC_SORTED("amount", "b.total_minor"),
                                SVC_SORTED("total_amount", "b.total_minor"),
                                SVC_SORTED("payment_status", "b.payment_status"),
                                SVC_SORTED("booking_status", "b.status"),
                                SVC_SORTED("status", "b.status")};

constexpr std::size_t most_found = 500, gram = 3;

store::Params where(const Filter& filter) {
    const std::string search = text::folded(filter.search);
    const std::int64_t trip = filter.trip_id.value_or(0);
    const std::int64_t customer = filter.customer_id.value_or(0);
    return {{"status_any", filter.status == "all"},
            {"status", filter.status},
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
    const std::string search = text::folded(filter.search);
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

constexpr auto counted = SVC_BY_IDS("SELECT b.status, COUNT(*) FROM svc_bookings b WHERE", "b.id",
                                    "AND" SVC_BOOKING_OTHERWISE " GROUP BY b.status");

// Statuses are lower case: that it is computed keeps SQLite from walking the index of statuses for the sake of groups.
#define SVC_COUNTED_BY(condition) \
    "SELECT LOWER(status), COUNT(*) FROM svc_bookings WHERE " condition " GROUP BY LOWER(status)"

// By conditions that an index holds together with the status, or that are counted as bookings are written, no booking
// is read: that is what staff look at all day.
std::string_view counting(const Filter& filter) {
    if (filter.refund_due)
        return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE" SVC_REFUND_DUE SVC_BOOKING_OTHERWISE
               " GROUP BY b.status";
    if (filter.needs_attention)
        return "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.needs_attention = 1 AND" SVC_BOOKING_OTHERWISE
               " GROUP BY b.status";
    const bool by_payment = !filter.payment_status.empty(), by_trip = filter.trip_id.has_value(),
               by_days = filter.from || filter.to;
    const int others = by_payment + by_trip + by_days;
    if (!filter.search.empty() && !filter.customer_id && !filter.user_id && others == 0)
        return "SELECT status, COUNT(*) FROM svc_bookings WHERE search LIKE :search_like ESCAPE '\\' GROUP BY status";
    if (filter.search.empty() && !filter.customer_id && !filter.user_id && others < 2) {
        if (by_payment)
            return "SELECT status, COUNT(*) FROM svc_bookings WHERE payment_status = :payment_status_is GROUP BY "
                   "status";
        if (by_trip)
            return SVC_COUNTED_BY("trip_id = :trip_id_is");
        if (by_days)
            return SVC_COUNTED_BY("created_at >= :from AND created_at < :to");
        return "SELECT status, CAST(SUM(bookings) AS BIGINT) FROM svc_booking_counts GROUP BY status";
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
    const store::Params conditions = params;
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const auto ids = filter.search.empty() || filter.refund_due ? std::nullopt : found(session, filter);
    if (ids) {
        store::each_of(session, order.of_found, booking_columns, *ids, take, params);
        store::each_of(session, counted, "ti", *ids, count, conditions);
    } else {
        const bool one_status = !filter.status.empty() && filter.status != "all";
        const std::string_view page_of = filter.refund_due                ? order.of_refund
                                         : filter.needs_attention         ? order.of_attention
                                         : !filter.payment_status.empty() ? order.of_payment
                                         : filter.trip_id                 ? order.of_trip
                                         : one_status                     ? order.of_status
                                                                          : order.of_all;
        session.each(page_of, booking_columns, params, take);
        session.each(counting(filter), "ti", conditions, count);
    }
    if (filter.status == "all")
        listed.total = listed.counts["all"].integer() + listed.counts[std::string(status::trash)].integer();
    else
        listed.total = listed.counts[filter.status.empty() ? "all" : filter.status].integer();
    return listed;
}

Repository::Waiting Repository::waiting(store::Session& session) {
    return {.attention =
                session.number("SELECT COUNT(*) FROM svc_bookings WHERE needs_attention = 1 AND status <> 'trash'", {}),
            .refund =
                session.number("SELECT COUNT(*) FROM svc_bookings b WHERE" SVC_REFUND_DUE " b.status <> 'trash'", {})};
}

void Repository::add_up_counts(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::sqlite)
        return;  // one row a status, written as bookings are
    tx.run(
        "WITH gone AS (DELETE FROM svc_booking_counts RETURNING status, bookings)"
        " INSERT INTO svc_booking_counts (status, bookings)"
        " SELECT status, CAST(SUM(bookings) AS BIGINT) FROM gone GROUP BY status",
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
