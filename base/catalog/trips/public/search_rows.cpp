// Full-text search by SQLite's FTS5 and PostgreSQL's tsvector. Both receive prepared words, never user input, so that
// their own parsing of words, languages and operators does not matter.
#include "base/catalog/trips/public/search_rows.hpp"

#include "shared/api/route.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_SQLITE_HIT(query) "SELECT rowid FROM svc_trip_search WHERE svc_trip_search MATCH :" query
#define SVC_SQLITE_FROM \
    " FROM svc_trip_search AS found JOIN svc_trips AS r ON r.id = found.rowid WHERE svc_trip_search MATCH :any"
#define SVC_POSTGRES_FROM                                                        \
    " FROM svc_trip_search AS found JOIN svc_trips AS r ON r.id = found.trip_id" \
    " WHERE found.words @@ CAST(:any AS tsquery)"
#define SVC_FOUND_STATUS                                                     \
    " AND ((:any_status = 1 AND r.status <> 'trash') OR r.status = :status)" \
    " AND (:dated = 0 OR (r.created_at >= :from AND r.created_at < :to AND r.updated_at >= :updated_since))"

// The tiers of a search's own order: all words in the title, in the title and `more`, anywhere; in each of them whole
// words come before beginnings.
#define SVC_SQLITE_TIER(query) "(r.id IN (" SVC_SQLITE_HIT(query) "))"
#define SVC_POSTGRES_TIER(query) "(found.words @@ CAST(:" query " AS tsquery))"

std::vector<record::Sort> sorts_of(std::vector<std::string> tiers) {
    std::vector<record::Sort> sorts{{.key = std::string(api::relevance), .by = std::move(tiers)}};
    sorts.insert(sorts.end(), trip_sorts().begin(), trip_sorts().end());
    return sorts;
}

// The lists of one database.
struct Lists {
    record::Head head;
    record::Orders orders;
    std::string count;
};
#define SVC_TIERS(tier) tier("title_whole"), tier("title"), tier("more_whole"), tier("more"), tier("whole")
const Lists& lists_of(store::Dialect dialect) {
    static const Lists sqlite{{"SELECT r.id" SVC_SQLITE_FROM SVC_FOUND_STATUS},
                              {"r.id", sorts_of({SVC_TIERS(SVC_SQLITE_TIER)})},
                              "SELECT COUNT(*)" SVC_SQLITE_FROM SVC_FOUND_STATUS};
    static const Lists postgresql{{"SELECT r.id" SVC_POSTGRES_FROM SVC_FOUND_STATUS},
                                  {"r.id", sorts_of({SVC_TIERS(SVC_POSTGRES_TIER)})},
                                  "SELECT COUNT(*)" SVC_POSTGRES_FROM SVC_FOUND_STATUS};
    return dialect == store::Dialect::sqlite ? sqlite : postgresql;
}

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
    const Lists& lists = lists_of(session.dialect());
    const auto params = params_of(session.dialect(), words, query);
    Found found;
    found.ids = store::numbers(session, lists.orders.page(lists.head, query.order_by, query.ascending), params);
    found.total = session.number(lists.count, params);
    return found;
}

}  // namespace svc::catalog::trips::rows
