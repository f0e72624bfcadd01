// SQL of travelers: of one booking, and of all bookings as staff list them.
#include <algorithm>

#include "base/booking/record/access.hpp"
#include "base/booking/record/repository.hpp"
#include "shared/core/words.hpp"
#include "shared/store/later.hpp"
#include "shared/store/like.hpp"
#include "shared/store/sorting.hpp"

namespace svc::booking {
namespace {

// What a list of travelers is narrowed by; an absent value switches its condition off.
#define SVC_TRAVELER_WHERE                                                                               \
    " FROM svc_booking_travelers t JOIN svc_bookings b ON b.id = t.booking_id WHERE b.status <> 'trash'" \
    " AND (:status = '' OR b.status = :status_is)"                                                       \
    " AND (CAST(:ended_too AS BIGINT) = 1 OR b.status NOT IN ('cancelled', 'refunded', 'failed'))"       \
    " AND b.created_at >= :from AND b.created_at < :to"                                                  \
    " AND (CAST(:trip_id AS BIGINT) = 0 OR b.trip_id = :trip_id_is)"                                     \
    " AND (CAST(:booking_id AS BIGINT) = 0 OR t.booking_id = :booking_id_is)"                            \
    " AND (:travel_date = '' OR b.travel_date = :travel_date_is)"                                        \
    " AND (CAST(:departure_id AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM svc_booking_departures l"          \
    " WHERE l.booking_id = b.id AND l.departure_id = :departure_id_is AND l.released_at IS NULL))"       \
    " AND (:search = '' OR t.search LIKE :search_like ESCAPE '\\' OR b.search LIKE :search_too ESCAPE '\\')"

#define SVC_TRAVELER_COLUMNS                                                                                    \
    "SELECT t.id, t.traveler_index, t.is_lead, t.fields, b.id, b.trip_id, b.reference, b.status, b.trip_title," \
    " b.travel_date, t.sealed, t.category_id"
#define SVC_TRAVELER_PAGE(order) " ORDER BY " order " LIMIT :limit OFFSET :offset"

struct TravelerOrder {
    std::string_view of_all, of_guide;
};
using TravelerSorting = store::Sorting<TravelerOrder>;
#define SVC_TRAVELER_ORDER(order)                                                           \
    TravelerOrder {                                                                         \
        SVC_TRAVELER_COLUMNS SVC_TRAVELER_WHERE SVC_TRAVELER_PAGE(order),                   \
            SVC_TRAVELER_COLUMNS SVC_TRAVELER_WHERE SVC_AND_GUIDED SVC_TRAVELER_PAGE(order) \
    }
#define SVC_TRAVELERS_SORTED(key, column) \
    TravelerSorting { key, SVC_TRAVELER_ORDER(column " ASC, t.id ASC"), SVC_TRAVELER_ORDER(column " DESC, t.id DESC") }
constexpr TravelerSorting traveler_sortings[] = {SVC_TRAVELERS_SORTED("created_at", "b.created_at"),
                                                 SVC_TRAVELERS_SORTED("id", "t.id"),
                                                 SVC_TRAVELERS_SORTED("travel_date", "b.travel_date")};

constexpr store::Columns columns = "iiitiittttti";

json::Value fields_of(const std::string& plain, const std::optional<std::string>& sealed, std::int64_t booking_id,
                      std::int64_t index, const Sealing* sealing) {
    json::Value fields = json::parse(plain).value();
    return sealing && sealed ? sealing->opened(std::move(fields), *sealed, Sealing::of_traveler(booking_id, index))
                             : fields;
}

ListedTraveler read(const store::Row& row, const Sealing* sealing) {
    return {.traveler = {.id = row.integer(0),
                         .index = row.integer(1),
                         .is_lead = row.flag(2),
                         .fields = fields_of(row.text(3), row.maybe_text(10), row.integer(4), row.integer(1), sealing),
                         .category_id = row.maybe_integer(11)},
            .booking_id = row.integer(4),
            .trip_id = row.integer(5),
            .booking_reference = row.text(6),
            .booking_status = row.text(7),
            .trip_title = row.text(8),
            .travel_date = row.date(9)};
}

store::Params where(const TravelerFilter& filter) {
    const std::string search = text::search_key(filter.search);
    const std::string day = filter.travel_date ? filter.travel_date->text() : std::string();
    return {{"status", filter.booking_status},
            {"status_is", filter.booking_status},
            {"ended_too", filter.ended_too || !filter.booking_status.empty() || filter.booking_id},
            {"from", filter.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", filter.to.value_or(Instant::from_micros(INT64_MAX))},
            {"trip_id", filter.trip_id.value_or(0)},
            {"trip_id_is", filter.trip_id.value_or(0)},
            {"booking_id", filter.booking_id.value_or(0)},
            {"booking_id_is", filter.booking_id.value_or(0)},
            {"departure_id", filter.departure_id.value_or(0)},
            {"departure_id_is", filter.departure_id.value_or(0)},
            {"travel_date", day},
            {"travel_date_is", day},
            {"guide", filter.guide_id.value_or(0)},
            {"search", search},
            {"search_like", store::like_contains(search)},
            {"search_too", store::like_contains(search)}};
}

std::string searched(const json::Value& fields) {
    std::string all;
    for (const auto& [name, value] : fields.members())
        if (value.is_string())
            all += value.text() + " ";
    return text::search_key(all);
}

}  // namespace

std::vector<std::string> traveler_sort_keys() { return store::keys_of(traveler_sortings); }

namespace {

// What a traveler's row holds.
store::Params traveler_params(std::int64_t booking_id, std::int64_t index, const json::Value& traveler,
                              const Sealing& sealing) {
    json::Value fields = traveler;
    const auto category = fields.maybe_integer("category_id");
    fields.erase("category_id");
    const Sealing::AtRest rest = sealing.closed(fields, Sealing::of_traveler(booking_id, index));
    return {{"booking_id", booking_id},    {"traveler_index", index}, {"is_lead", index == 1},
            {"fields", rest.plain.dump()}, {"sealed", rest.sealed},   {"search", searched(rest.plain)},
            {"category_id", category}};
}

void insert_traveler(store::Transaction& tx, store::Params params) {
    store::run_later(
        tx,
        "INSERT INTO svc_booking_travelers (booking_id, traveler_index, is_lead, fields, sealed, search,"
        " category_id) VALUES (:booking_id, :traveler_index, :is_lead, :fields, :sealed, :search, :category_id)",
        std::move(params));
}

// Which of the known rows each place keeps; 0: none.
std::vector<std::int64_t> rows_kept(const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& ids,
                                    std::size_t travelers) {
    std::vector<std::int64_t> kept(travelers, 0);
    const bool named = std::any_of(ids.begin(), ids.end(), [](std::int64_t id) { return id > 0; });
    for (std::size_t at = 0; at < travelers; ++at) {
        const std::int64_t id = named ? (at < ids.size() ? ids[at] : 0) : at < known.size() ? known[at] : 0;
        const bool is_free = std::find(kept.begin(), kept.end(), id) == kept.end();
        if (is_free && std::find(known.begin(), known.end(), id) != known.end())
            kept[at] = id;
    }
    return kept;
}

}  // namespace

void Repository::replace_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                   const std::vector<std::int64_t>& ids, const Sealing& sealing) {
    const auto known =
        tx.all<std::int64_t>("SELECT id FROM svc_booking_travelers WHERE booking_id = :id ORDER BY traveler_index", "i",
                             {{"id", booking_id}}, [](const store::Row& row) { return row.integer(0); });
    const auto kept = rows_kept(known, ids, travelers.size());
    for (const std::int64_t id : known)
        if (std::find(kept.begin(), kept.end(), id) == kept.end())
            tx.run("DELETE FROM svc_booking_travelers WHERE id = :id", {{"id", id}});
    // Out of the way first: a place has one row.
    constexpr std::int64_t beyond = 1'000'000;
    tx.run("UPDATE svc_booking_travelers SET traveler_index = traveler_index + :beyond WHERE booking_id = :id",
           {{"beyond", beyond}, {"id", booking_id}});
    for (std::size_t at = 0; at < travelers.size(); ++at) {
        store::Params params =
            traveler_params(booking_id, static_cast<std::int64_t>(at) + 1, travelers.items()[at], sealing);
        if (kept[at] == 0) {
            insert_traveler(tx, std::move(params));
            continue;
        }
        params.emplace_back("id", kept[at]);
        tx.run(
            "UPDATE svc_booking_travelers SET traveler_index = :traveler_index, is_lead = :is_lead, fields = :fields,"
            " sealed = :sealed, search = :search, category_id = :category_id"
            " WHERE id = :id AND booking_id = :booking_id",
            params);
    }
}

void Repository::insert_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                  const Sealing& sealing) {
    std::int64_t index = 0;
    for (const json::Value& traveler : travelers.items())
        insert_traveler(tx, traveler_params(booking_id, ++index, traveler, sealing));
}

std::vector<Traveler> Repository::travelers(store::Session& session, std::int64_t booking_id, const Sealing* sealing) {
    return session.all<Traveler>(
        "SELECT id, traveler_index, is_lead, fields, sealed, category_id FROM svc_booking_travelers WHERE booking_id ="
        " :id ORDER BY traveler_index",
        "iiitti", {{"id", booking_id}}, [&](const store::Row& row) {
            return Traveler{.id = row.integer(0),
                            .index = row.integer(1),
                            .is_lead = row.flag(2),
                            .fields = fields_of(row.text(3), row.maybe_text(4), booking_id, row.integer(1), sealing),
                            .category_id = row.maybe_integer(5)};
        });
}

std::int64_t Repository::seal_travelers(store::Transaction& tx, const Sealing& sealing, std::int64_t most) {
    struct Plain {
        std::int64_t id, booking_id, index;
        json::Value fields;
    };
    const auto rows = tx.all<Plain>(
        "SELECT id, booking_id, traveler_index, fields FROM svc_booking_travelers WHERE sealed IS NULL"
        " ORDER BY id LIMIT :most",
        "iiit", {{"most", most}}, [](const store::Row& row) {
            return Plain{row.integer(0), row.integer(1), row.integer(2), json::parse(row.text(3)).value()};
        });
    for (const Plain& row : rows) {
        const Sealing::AtRest rest = sealing.closed(row.fields, Sealing::of_traveler(row.booking_id, row.index));
        tx.run(
            "UPDATE svc_booking_travelers SET fields = :fields, sealed = :sealed, search = :search"
            " WHERE id = :id AND sealed IS NULL",
            {{"fields", rest.plain.dump()}, {"sealed", rest.sealed}, {"search", searched(rest.plain)}, {"id", row.id}});
    }
    return static_cast<std::int64_t>(rows.size());
}

std::vector<ListedTraveler> Repository::travelers(store::Session& session, const TravelerFilter& filter,
                                                  const api::Page& page, const Sealing* sealing) {
    store::Params params = where(filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const TravelerOrder& order = store::sorted_by(traveler_sortings, page.order_by, page.ascending);
    return session.all<ListedTraveler>(filter.guide_id ? order.of_guide : order.of_all, columns, params,
                                       [&](const store::Row& row) { return read(row, sealing); });
}

std::int64_t Repository::count(store::Session& session, const TravelerFilter& filter) {
    return session.number(
        filter.guide_id ? "SELECT COUNT(*)" SVC_TRAVELER_WHERE SVC_AND_GUIDED : "SELECT COUNT(*)" SVC_TRAVELER_WHERE,
        where(filter));
}

std::optional<ListedTraveler> Repository::traveler(store::Session& session, std::int64_t id) {
    return session.first<ListedTraveler>(SVC_TRAVELER_COLUMNS
                                         " FROM svc_booking_travelers t JOIN svc_bookings b ON b.id = t.booking_id"
                                         " WHERE t.id = :id",
                                         columns, {{"id", id}},
                                         [](const store::Row& row) { return read(row, nullptr); });
}

void Repository::keep_travelers(store::Transaction& tx, std::int64_t booking_id, std::int64_t most) {
    tx.run(
        "DELETE FROM svc_booking_travelers WHERE id IN (SELECT id FROM svc_booking_travelers WHERE booking_id = :id"
        " ORDER BY is_lead DESC, traveler_index LIMIT 10000 OFFSET :most)",
        {{"id", booking_id}, {"most", most}});
}

void Repository::remove_traveler(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_booking_travelers WHERE id = :id", {{"id", id}});
}

std::vector<std::pair<std::int64_t, std::string>> Repository::booked_trips(store::Session& session, std::int64_t most) {
    using Trip = std::pair<std::int64_t, std::string>;
    return session.all<Trip>(
        "SELECT t.id, t.title FROM svc_trips t WHERE EXISTS (SELECT 1 FROM svc_bookings b WHERE b.trip_id = t.id)"
        " ORDER BY t.title, t.id LIMIT :most",
        "it", {{"most", most}}, [](const store::Row& row) {
            return Trip{row.integer(0), row.text(1)};
        });
}

}  // namespace svc::booking
