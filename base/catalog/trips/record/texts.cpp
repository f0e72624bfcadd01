// The text columns of trips are listed here once; references to files by id are in base/catalog/media/users.cpp.
#include "base/catalog/trips/record/texts.hpp"

#include <charconv>
#include <set>

#include "base/catalog/trips/record/repository.hpp"
#include "shared/core/words.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::int64_t at_once = 200, most = 10'000;  // of a transaction, of a turn
constexpr std::size_t longest_root = 500;
constexpr std::string_view path = "/media/";

constexpr const char* texts_of_trip =
    "SELECT text FROM (SELECT description || ' ' || trip_details || ' ' || what_makes_special || ' ' || trip_story"
    " || ' ' || video_url || ' ' || virtual_tour_url || ' ' || frontend_tabs || ' ' || custom_fields AS text"
    " FROM svc_trips WHERE id = :trip"
    " UNION ALL SELECT url || ' ' || thumbnail_url FROM svc_trip_gallery WHERE trip_id = :trip"
    " UNION ALL SELECT icon FROM svc_trip_highlights WHERE trip_id = :trip"
    " UNION ALL SELECT answer FROM svc_trip_faqs WHERE trip_id = :trip"
    " UNION ALL SELECT attribute_value FROM svc_trip_classifications WHERE trip_id = :trip AND type = 'attribute'"
    " UNION ALL SELECT description FROM svc_itinerary_days WHERE trip_id = :trip"
    " UNION ALL SELECT e.description || ' ' || e.gallery || ' ' || e.video_url FROM svc_itinerary_entries e"
    " JOIN svc_itinerary_days d ON d.id = e.day_id WHERE d.trip_id = :trip) AS texts WHERE text LIKE '%/media/%'";

// Whether the character can be part of an address; an address begins after another one.
bool is_of_address(char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return plain || std::string_view("-._~:/?#[]@!$&*+,;=%").find(c) != std::string_view::npos;
}

std::vector<std::int64_t> due(store::Session& session) {
    return store::numbers(session, "SELECT trip_id FROM svc_trip_texts_due ORDER BY trip_id LIMIT :most",
                          {{"most", at_once}});
}

void put_in_order(store::Transaction& tx, std::int64_t id) {
    const auto title = store::first_row(tx, "SELECT title FROM svc_trips WHERE id = :id", {{"id", id}},
                                        [](const std::string& text) { return text; });
    if (title)
        tx.run("UPDATE svc_trips SET title_folded = :key WHERE id = :id AND title_folded <> :key",
               {{"id", id}, {"key", text::title_order(*title)}});
}

}  // namespace

std::vector<Mention> mentions_in(std::string_view text) {
    std::set<Mention> found;
    for (auto at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
        const std::string_view rest = text.substr(at + path.size());
        std::int64_t id = 0;
        const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), id);
        if (failure != std::errc{} || id <= 0 || end == rest.data() + rest.size() || *end != '/')
            continue;
        std::size_t begin = at;
        while (begin > 0 && at - begin < longest_root && is_of_address(text[begin - 1]))
            --begin;
        found.insert({std::string(text.substr(begin, at - begin)), id});
    }
    return {found.begin(), found.end()};
}

void read_mentions(store::Transaction& tx, std::int64_t trip_id) {
    std::set<Mention> named;
    store::each_row(tx, texts_of_trip, {{"trip", trip_id}}, [&](const std::string& text) {
        for (Mention& mention : mentions_in(text))
            named.insert(std::move(mention));
    });
    tx.run("DELETE FROM svc_trip_mentions WHERE trip_id = :trip", {{"trip", trip_id}});
    for (const Mention& mention : named) {
        const store::Params params{{"trip", trip_id}, {"media", mention.media_id}, {"root", mention.root}};
        if (tx.dialect() == store::Dialect::postgresql)
            tx.number("SELECT id FROM svc_media WHERE id = :media FOR KEY SHARE", {{"media", mention.media_id}});
        tx.run("INSERT INTO svc_trip_mentions (trip_id, media_id, root) VALUES (:trip, :media, :root)", params);
    }
}

void read_texts_again(store::Transaction& tx, std::span<const std::int64_t> trip_ids) {
    static constexpr auto due = SVC_BY_IDS(
        "INSERT INTO svc_trip_texts_due (trip_id) SELECT id FROM svc_trips WHERE id NOT IN (SELECT trip_id FROM"
        " svc_trip_texts_due) AND",
        "id", "");
    store::run_of(tx, due, trip_ids);
}

Result<json::Value> run_texts(store::Store& store) {
    std::int64_t done = 0;
    for (bool more = true; more && done < most;) {
        const auto ids = store.reading<std::vector<std::int64_t>>(due);
        auto written = store.write([&](store::Transaction& tx) -> Result<void> {
            for (const std::int64_t id : ids) {
                rows::lock(tx, id);
                put_in_order(tx, id);
                read_mentions(tx, id);
                tx.run("DELETE FROM svc_trip_texts_due WHERE trip_id = :id", {{"id", id}});
            }
            return {};
        });
        if (!written)
            return written.error();
        done += static_cast<std::int64_t>(ids.size());
        more = static_cast<std::int64_t>(ids.size()) == at_once;
    }
    return json::Value::object({{"trips", done}});
}

}  // namespace svc::catalog::trips
