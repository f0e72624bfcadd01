// Full-text search by SQLite's FTS5 and PostgreSQL's tsvector. Both are handed finished words, never what was typed, so
// that neither's own idea of words, languages and operators plays a part.
#include "base/catalog/trips/search_rows.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/catalog/trips/columns.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_SQLITE_HIT(query) "SELECT rowid FROM svc_trip_search WHERE svc_trip_search MATCH :" query
#define SVC_SQLITE_FROM \
    " FROM svc_trip_search AS found JOIN svc_trips AS trip ON trip.id = found.rowid WHERE svc_trip_search MATCH :any"
#define SVC_POSTGRES_FROM                                                              \
    " FROM svc_trip_search AS found JOIN svc_trips AS trip ON trip.id = found.trip_id" \
    " WHERE found.words @@ CAST(:any AS tsquery)"
#define SVC_FOUND_STATUS                                                           \
    " AND ((:any_status = 1 AND trip.status <> 'trash') OR trip.status = :status)" \
    " AND (:dated = 0 OR (trip.created_at >= :from AND trip.created_at < :to))"

// The tiers of a search's own order: all words in the title, in the title and `more`, anywhere; in each of them whole
// words come before beginnings.
#define SVC_SQLITE_TIER(query) "(trip.id IN (" SVC_SQLITE_HIT(query) "))"
#define SVC_POSTGRES_TIER(query) "(found.words @@ CAST(:" query " AS tsquery))"
#define SVC_RANK(tier, way)                                                                          \
    tier("title_whole") way ", " tier("title") way ", " tier("more_whole") way ", " tier("more") way \
        ", " tier("whole") way

#define SVC_FOUND(from, order) "SELECT trip.id" from SVC_FOUND_STATUS " ORDER BY " order " LIMIT :limit OFFSET :offset"

struct Order {
    std::string_view key;
    std::array<std::string_view, 2> sqlite, postgresql;  // descending, ascending
};
#define SVC_FOUND_ORDER(key, expression)                                     \
    Order {                                                                  \
        key,                                                                 \
            {SVC_FOUND(SVC_SQLITE_FROM, expression " DESC, trip.id DESC"),   \
             SVC_FOUND(SVC_SQLITE_FROM, expression ", trip.id")},            \
            {SVC_FOUND(SVC_POSTGRES_FROM, expression " DESC, trip.id DESC"), \
             SVC_FOUND(SVC_POSTGRES_FROM, expression ", trip.id")},          \
    }
constexpr std::array orders{
    Order{api::relevance,
          {SVC_FOUND(SVC_SQLITE_FROM, SVC_RANK(SVC_SQLITE_TIER, " DESC") ", trip.id DESC"),
           SVC_FOUND(SVC_SQLITE_FROM, SVC_RANK(SVC_SQLITE_TIER, "") ", trip.id")},
          {SVC_FOUND(SVC_POSTGRES_FROM, SVC_RANK(SVC_POSTGRES_TIER, " DESC") ", trip.id DESC"),
           SVC_FOUND(SVC_POSTGRES_FROM, SVC_RANK(SVC_POSTGRES_TIER, "") ", trip.id")}},
    SVC_FOUND_ORDER("id", "trip.id"),
    SVC_FOUND_ORDER("title", "trip.title_folded"),
    SVC_FOUND_ORDER("price", SVC_SHOWN_PRICE("trip")),
    SVC_FOUND_ORDER("duration", "trip.duration_days"),
    SVC_FOUND_ORDER("status", "trip.status"),
    SVC_FOUND_ORDER("bookings_count", "trip.bookings_count"),
    SVC_FOUND_ORDER("avg_rating", "trip.avg_rating_hundredths"),
    SVC_FOUND_ORDER("created_at", "trip.created_at"),
    SVC_FOUND_ORDER("updated_at", "trip.updated_at"),
};

// Words hold letters, digits and marks alone, so quoting them is all there is to it.
std::string sqlite_query(const SearchQuery& words, std::string_view columns, bool whole) {
    std::string query;
    for (const std::string& word : words)
        query += (query.empty() ? "\"" : " AND \"") + word + (whole ? "\"" : "\"*");
    return columns.empty() ? query : std::string(columns) + " : (" + query + ")";
}

std::string postgres_query(const SearchQuery& words, std::string_view labels, bool whole) {
    std::string query;
    for (const std::string& word : words) {
        query += (query.empty() ? "'" : " & '") + word + "':" + (whole ? "" : "*");
        query += labels.empty() ? std::string_view("ABD") : labels;
    }
    return query;
}

store::Params params_of(store::Dialect dialect, const SearchQuery& words, const TripQuery& query) {
    const bool sqlite = dialect == store::Dialect::sqlite;
    const auto match = [&](std::string_view columns, std::string_view labels, bool whole) {
        return sqlite ? sqlite_query(words, columns, whole) : postgres_query(words, labels, whole);
    };
    const bool any = query.status.empty() || query.status == "all";
    store::Params params{{"any", query.names_only ? match("{title}", "A", false) : match("", "", false)},
                         {"whole", match("", "", true)},
                         {"title", match("{title}", "A", false)},
                         {"title_whole", match("{title}", "A", true)},
                         {"more", match("{title more}", "AB", false)},
                         {"more_whole", match("{title more}", "AB", true)},
                         {"any_status", any},
                         {"status", any ? std::string() : query.status},
                         {"limit", query.limit},
                         {"offset", query.offset}};
    add_period(params, query.made);
    return params;
}

std::string vector_of(const SearchWords& words) {
    std::string vector;
    const auto add = [&](const std::string& part, const char* label) {
        each_part_word(part, [&](std::string_view word) { ((vector += '\'') += word) += label; });
    };
    add(words.title, "':1A ");
    add(words.more, "':1B ");
    add(words.body, "':1D ");
    return vector;
}

}  // namespace

void index(store::Transaction& tx, std::int64_t trip_id, const SearchWords& words) {
    if (tx.dialect() == store::Dialect::postgresql) {
        tx.run(
            "INSERT INTO svc_trip_search (trip_id, words) VALUES (:id, CAST(:words AS tsvector))"
            " ON CONFLICT (trip_id) DO UPDATE SET words = EXCLUDED.words",
            {{"id", trip_id}, {"words", vector_of(words)}});
        return;
    }
    unindex(tx, trip_id);
    tx.run("INSERT INTO svc_trip_search (rowid, title, more, body) VALUES (:id, :title, :more, :body)",
           {{"id", trip_id}, {"title", words.title}, {"more", words.more}, {"body", words.body}});
}

void unindex(store::Transaction& tx, std::int64_t trip_id) {
    tx.run(tx.dialect() == store::Dialect::sqlite ? "DELETE FROM svc_trip_search WHERE rowid = :id"
                                                  : "DELETE FROM svc_trip_search WHERE trip_id = :id",
           {{"id", trip_id}});
}

Found search(store::Session& session, const SearchQuery& words, const TripQuery& query) {
    if (words.empty())
        return {};
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("a search for trips has no such order: " + query.order_by);
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    const auto params = params_of(session.dialect(), words, query);
    Found found;
    found.ids = session.all<std::int64_t>((sqlite ? order->sqlite : order->postgresql)[query.ascending ? 1 : 0], "i",
                                          params, [](const store::Row& row) { return row.integer(0); });
    found.total = session.number(sqlite ? "SELECT COUNT(*)" SVC_SQLITE_FROM SVC_FOUND_STATUS
                                        : "SELECT COUNT(*)" SVC_POSTGRES_FROM SVC_FOUND_STATUS,
                                 params);
    return found;
}

}  // namespace svc::catalog::trips::rows
