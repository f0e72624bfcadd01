// Statements on svc_trips.
#include "base/catalog/trips/repository.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "shared/core/text.hpp"
#include "shared/store/like.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_TRIP_COLUMNS                                                                                     \
    "id, title, slug, short_description, description, payment_terms, status, status_before_trash, "          \
    "trip_type, duration_days, duration_nights, duration_hours, currency, regular_price_minor, "             \
    "discounted_price_minor, sale_price_minor, deposit_amount_minor, deposit_percentage_ppm, min_travelers," \
    "max_travelers, available_from, available_to, booking_deadline_hours, departure_time, row_version, "     \
    "created_at, updated_at, created_by, updated_by, deleted_at"
constexpr store::Columns trip_types = "ittttttttiiitiiiiiiittitiiiiii";

std::optional<int> maybe_int(const store::Row& row, std::size_t column) {
    const auto value = row.maybe_integer(column);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

Trip read(const store::Row& row) {
    Trip trip;
    const auto currency = Currency::parse(row.text(12)).value();
    const auto money = [&](std::size_t column) -> std::optional<Money> {
        const auto minor = row.maybe_integer(column);
        return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
    };
    trip.id = row.integer(0);
    trip.title = row.text(1);
    trip.slug = row.text(2);
    trip.summary = row.text(3);
    trip.description = row.text(4);
    trip.payment_terms = row.text(5);
    trip.status = trip_status(row.text(6)).value();
    if (!row.is_null(7))
        trip.status_before_trash = trip_status(row.text(7));
    trip.type = row.text(8) == "single_day" ? TripType::single_day : TripType::multi_day;
    trip.duration_days = static_cast<int>(row.integer(9));
    trip.duration_nights = static_cast<int>(row.integer(10));
    trip.duration_hours = maybe_int(row, 11);
    trip.currency = currency;
    trip.regular_price = Money{row.integer(13), currency};
    trip.discounted_price = money(14);
    trip.sale_price = money(15);
    trip.deposit_amount = money(16);
    if (!row.is_null(17))
        trip.deposit_percentage = Rate{row.integer(17)};
    trip.min_travelers = static_cast<int>(row.integer(18));
    trip.max_travelers = maybe_int(row, 19);
    trip.available_from = row.maybe_date(20);
    trip.available_to = row.maybe_date(21);
    trip.booking_deadline_hours = static_cast<int>(row.integer(22));
    if (!row.is_null(23))
        trip.departure_time = ClockTime::parse(row.text(23));
    trip.row_version = row.integer(24);
    trip.created_at = row.instant(25);
    trip.updated_at = row.instant(26);
    trip.created_by = row.maybe_integer(27);
    trip.updated_by = row.maybe_integer(28);
    trip.deleted_at = row.maybe_instant(29);
    return trip;
}

std::optional<std::int64_t> minor_of(const std::optional<Money>& money) {
    return money ? std::optional(money->minor()) : std::nullopt;
}
std::optional<std::int64_t> wide(const std::optional<int>& number) {
    return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

// The values that an INSERT and an UPDATE share.
store::Params values_of(const Trip& trip) {
    return {{"title", trip.title},
            {"slug", trip.slug},
            {"summary", trip.summary},
            {"description", trip.description},
            {"payment_terms", trip.payment_terms},
            {"search_text", search_text_of(trip)},
            {"title_folded", text::folded(trip.title)},
            {"status", name_of(trip.status)},
            {"trip_type", name_of(trip.type)},
            {"days", trip.duration_days},
            {"nights", trip.duration_nights},
            {"hours", wide(trip.duration_hours)},
            {"currency", trip.currency.code()},
            {"regular", trip.regular_price.minor()},
            {"discounted", minor_of(trip.discounted_price)},
            {"sale", minor_of(trip.sale_price)},
            {"deposit", minor_of(trip.deposit_amount)},
            {"deposit_ppm", trip.deposit_percentage ? std::optional(trip.deposit_percentage->ppm) : std::nullopt},
            {"min_travelers", trip.min_travelers},
            {"max_travelers", wide(trip.max_travelers)},
            {"available_from", trip.available_from},
            {"available_to", trip.available_to},
            {"deadline", trip.booking_deadline_hours},
            {"departure_time", trip.departure_time},
            {"updated_at", trip.updated_at},
            {"updated_by", trip.updated_by}};
}

#define SVC_TRIP_FILTER                                                                   \
    " FROM svc_trips WHERE ((:any_status = 1 AND status <> 'trash') OR status = :status)" \
    " AND (:searching = 0 OR search_text LIKE :pattern ESCAPE '\\')"
#define SVC_TRIP_LIST(order) \
    "SELECT " SVC_TRIP_COLUMNS SVC_TRIP_FILTER " ORDER BY " order " LIMIT :limit OFFSET :offset"
#define SVC_TRIP_EFFECTIVE_PRICE                                        \
    "CASE WHEN discounted_price_minor > 0 THEN discounted_price_minor " \
    "WHEN sale_price_minor > 0 THEN sale_price_minor ELSE regular_price_minor END"

struct Order {
    std::string_view key, ascending, descending;
};
#define SVC_TRIP_ORDER(key, expression) \
    Order { key, SVC_TRIP_LIST(expression ", id"), SVC_TRIP_LIST(expression " DESC, id DESC") }
constexpr std::array orders{
    Order{"id", SVC_TRIP_LIST("id"), SVC_TRIP_LIST("id DESC")},
    SVC_TRIP_ORDER("title", "title_folded"),
    SVC_TRIP_ORDER("price", SVC_TRIP_EFFECTIVE_PRICE),
    SVC_TRIP_ORDER("duration", "duration_days"),
    SVC_TRIP_ORDER("status", "status"),
    SVC_TRIP_ORDER("created_at", "created_at"),
    SVC_TRIP_ORDER("updated_at", "updated_at"),
};

store::Params filter_of(const TripQuery& query) {
    const bool any = query.status.empty() || query.status == "all";
    return {{"any_status", any},
            {"status", any ? std::string() : query.status},
            {"searching", !query.search.empty()},
            {"pattern", store::like_contains(text::folded(query.search))}};
}

}  // namespace

std::optional<Trip> find(store::Session& session, std::int64_t id) {
    return session.first<Trip>("SELECT " SVC_TRIP_COLUMNS " FROM svc_trips WHERE id = :id", trip_types, {{"id", id}},
                               read);
}

void lock(store::Transaction& tx, std::int64_t id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_trips WHERE id = :id FOR UPDATE", {{"id", id}});
}

std::vector<Trip> list(store::Session& session, const TripQuery& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("trips have no such order: " + query.order_by);
    auto params = filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    return session.all<Trip>(query.ascending ? order->ascending : order->descending, trip_types, params, read);
}

std::int64_t count(store::Session& session, const TripQuery& query) {
    return session.number("SELECT COUNT(*)" SVC_TRIP_FILTER, filter_of(query));
}

TripCounts counts(store::Session& session) {
    TripCounts counts;
    for (int status = 0; status <= static_cast<int>(TripStatus::trash); ++status)
        counts.by_status.emplace_back(static_cast<TripStatus>(status), 0);
    session.each("SELECT status, COUNT(*) FROM svc_trips GROUP BY status", "ti", {}, [&](const store::Row& row) {
        const auto status = trip_status(row.text(0)).value();
        counts.by_status.at(static_cast<std::size_t>(status)).second = row.integer(1);
        if (status != TripStatus::trash)
            counts.all += row.integer(1);
    });
    return counts;
}

bool any(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM (SELECT 1 FROM svc_trips LIMIT 1) AS one", {}) > 0;
}

void each_public(store::Session& session, const std::function<void(Trip)>& take) {
    session.each("SELECT " SVC_TRIP_COLUMNS " FROM svc_trips WHERE status IN ('publish', 'archived') ORDER BY id",
                 trip_types, {}, [&](const store::Row& row) { take(read(row)); });
}

std::vector<TripVersion> public_versions(store::Session& session) {
    return session.all<TripVersion>("SELECT id, row_version FROM svc_trips WHERE status IN ('publish', 'archived')",
                                    "ii", {}, [](const store::Row& row) {
                                        return TripVersion{row.integer(0), row.integer(1)};
                                    });
}

std::string free_slug(store::Session& session, const std::string& wished, std::int64_t own) {
    const auto taken = [&](const std::string& slug) {
        return session.number("SELECT COUNT(*) FROM svc_trips WHERE slug = :slug AND id <> :own",
                              {{"slug", slug}, {"own", own}}) > 0;
    };
    if (!taken(wished))
        return wished;
    // Doubling, then halving: the number of copies of one title is not bounded.
    std::int64_t low = 1, high = 2;
    const auto numbered = [&](std::int64_t number) { return wished + "-" + std::to_string(number); };
    while (taken(numbered(high))) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (taken(numbered(middle)) ? low : high) = middle;
    }
    return numbered(high);
}

std::int64_t insert(store::Transaction& tx, const Trip& trip) {
    auto params = values_of(trip);
    params.emplace_back("created_at", trip.created_at);
    params.emplace_back("created_by", trip.created_by);
    return tx.insert(
        "INSERT INTO svc_trips (title, slug, short_description, description, payment_terms, search_text, title_folded,"
        " status, trip_type, duration_days, duration_nights, duration_hours, currency, regular_price_minor,"
        " discounted_price_minor, sale_price_minor, deposit_amount_minor, deposit_percentage_ppm, min_travelers,"
        " max_travelers, available_from, available_to, booking_deadline_hours, departure_time, row_version,"
        " created_at, updated_at, created_by, updated_by)"
        " VALUES (:title, :slug, :summary, :description, :payment_terms, :search_text, :title_folded, :status,"
        " :trip_type, :days, :nights, :hours, :currency, :regular, :discounted, :sale, :deposit, :deposit_ppm,"
        " :min_travelers, :max_travelers, :available_from, :available_to, :deadline, :departure_time, 1, :created_at,"
        " :updated_at, :created_by, :updated_by) RETURNING id",
        params);
}

bool update(store::Transaction& tx, const Trip& trip) {
    auto params = values_of(trip);
    params.emplace_back("id", trip.id);
    params.emplace_back("row_version", trip.row_version);
    return tx.run(
               "UPDATE svc_trips SET title = :title, slug = :slug, short_description = :summary,"
               " description = :description, payment_terms = :payment_terms, search_text = :search_text,"
               " title_folded = :title_folded, status = :status, status_before_trash = NULL, trip_type = :trip_type,"
               " duration_days = :days, duration_nights = :nights, duration_hours = :hours, currency = :currency,"
               " regular_price_minor = :regular, discounted_price_minor = :discounted, sale_price_minor = :sale,"
               " deposit_amount_minor = :deposit, deposit_percentage_ppm = :deposit_ppm,"
               " min_travelers = :min_travelers, max_travelers = :max_travelers, available_from = :available_from,"
               " available_to = :available_to, booking_deadline_hours = :deadline, departure_time = :departure_time,"
               " row_version = row_version + 1, updated_at = :updated_at, updated_by = :updated_by,"
               " deleted_at = NULL, deleted_by = NULL"
               " WHERE id = :id AND row_version = :row_version",
               params) == 1;
}

bool trash(store::Transaction& tx, const Trip& trip, std::optional<std::int64_t> user_id, Instant now) {
    return tx.run(
               "UPDATE svc_trips SET status = 'trash', status_before_trash = :before, deleted_at = :deleted_at,"
               " deleted_by = :deleted_by, updated_at = :updated_at, updated_by = :updated_by,"
               " row_version = row_version + 1 WHERE id = :id AND row_version = :row_version",
               {{"before", name_of(trip.status)},
                {"deleted_at", now},
                {"deleted_by", user_id},
                {"updated_at", now},
                {"updated_by", user_id},
                {"id", trip.id},
                {"row_version", trip.row_version}}) == 1;
}

void remove(store::Transaction& tx, std::int64_t id) { tx.run("DELETE FROM svc_trips WHERE id = :id", {{"id", id}}); }

}  // namespace svc::catalog::trips::rows
