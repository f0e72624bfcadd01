// Statements on rows of a trip in other tables.
#include "base/catalog/trips/record/children.hpp"

#include <algorithm>

#include "shared/core/log.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips::rows {
namespace {

CategoryRules rules_of(std::string label, std::string slug, const std::string& details) {
    CategoryRules rules;
    rules.label = std::move(label);
    rules.slug = std::move(slug);
    const auto parsed = json::parse(details);
    if (!parsed || !parsed->is_object()) {
        log::warning("a traveler category's details are no JSON; read as empty", {{"category", rules.slug}});
        return rules;
    }
    const auto number = [&](const char* name) -> std::optional<int> {
        const auto& value = (*parsed)[name];
        return value.is_number() ? std::optional(static_cast<int>(value.integer())) : std::nullopt;
    };
    const auto help = [&](const char* name, const char* word) {
        const auto& value = (*parsed)[name];
        return value.is_string() && value.text() == word;
    };
    rules.per_group = help("pricing_mode", "per_group");
    rules.per_block = help("group_overflow", "per_block");
    rules.min_pax = number("min_pax");
    rules.max_pax = number("max_pax");
    rules.age_min = number("age_min");
    rules.age_max = number("age_max");
    return rules;
}

// The trip of an id among those in question.
class Finder {
  public:
    explicit Finder(std::vector<Trip>& trips) : trips_(trips) {
        for (std::size_t i = 0; i < trips.size(); ++i)
            at_.emplace_back(trips[i].id, i);
        std::sort(at_.begin(), at_.end());
    }
    Trip& operator[](std::int64_t id) {
        return trips_[std::lower_bound(at_.begin(), at_.end(), std::pair(id, std::size_t{0}))->second];
    }
    [[nodiscard]] std::vector<std::int64_t> ids() const {
        std::vector<std::int64_t> ids;
        for (const auto& [id, index] : at_)
            ids.push_back(id);
        return ids;
    }

  private:
    std::vector<Trip>& trips_;
    std::vector<std::pair<std::int64_t, std::size_t>> at_;
};

std::optional<Money> money_or_none(std::optional<std::int64_t> minor, Currency currency) {
    return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
}

std::optional<std::int64_t> minor_or_none(const std::optional<Money>& money) {
    return money ? std::optional(money->minor()) : std::nullopt;
}
std::optional<std::int64_t> wide_or_none(const std::optional<int>& number) {
    return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

// A season and its prices by category in rows that follow each other.
void add_seasons(store::Session& session, std::span<const std::int64_t> ids, Finder& find) {
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT s.trip_id, s.first_day, s.last_day, s.regular_price_minor, s.sale_price_minor, s.seats,"
                   " s.note, p.category_id, p.regular_price_minor, p.sale_price_minor FROM svc_trip_seasons s"
                   " LEFT JOIN svc_trip_season_prices p ON p.trip_id = s.trip_id AND p.first_day = s.first_day WHERE",
                   "s.trip_id", "ORDER BY s.trip_id, s.first_day, p.category_id"),
        ids,
        [&](std::int64_t trip_id, Date first, Date last, std::optional<std::int64_t> regular,
            std::optional<std::int64_t> sale, std::optional<int> seats, const std::string& note,
            std::optional<std::int64_t> category_id, std::optional<std::int64_t> category_regular,
            std::optional<std::int64_t> category_sale) {
            Trip& trip = find[trip_id];
            if (trip.seasons.empty() || trip.seasons.back().first != first) {
                PricedSeason season{.first = first, .last = last, .seats = seats, .note = note};
                if (regular)
                    season.price = PricePair{Money{*regular, trip.currency}, money_or_none(sale, trip.currency)};
                trip.seasons.push_back(std::move(season));
            }
            if (category_id && category_regular)
                trip.seasons.back().by_category.push_back({*category_id, Money{*category_regular, trip.currency},
                                                           money_or_none(category_sale, trip.currency)});
        });
}

}  // namespace

void add_children(store::Session& session, std::vector<Trip>& trips) {
    Finder find(trips);
    const auto ids = find.ids();
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT p.trip_id, p.id, p.category_id, p.regular_price_minor, p.discounted_price_minor,"
                   " p.sale_price_minor, p.is_default, p.min_quantity, p.max_quantity, p.valid_from, p.valid_to,"
                   " c.name, c.slug, c.details FROM svc_trip_price_types p"
                   " JOIN svc_classifications c ON c.id = p.category_id WHERE",
                   "p.trip_id", "ORDER BY p.trip_id, p.sort_order"),
        ids,
        [&](std::int64_t trip_id, std::int64_t id, std::int64_t category_id, std::int64_t regular,
            std::optional<std::int64_t> discounted, std::optional<std::int64_t> sale, bool is_default,
            std::optional<int> min_quantity, std::optional<int> max_quantity, std::optional<Date> valid_from,
            std::optional<Date> valid_to, const std::string& name, const std::string& slug,
            const std::string& details) {
            Trip& trip = find[trip_id];
            trip.price_types.push_back({.id = id,
                                        .category_id = category_id,
                                        .regular = Money{regular, trip.currency},
                                        .discounted = money_or_none(discounted, trip.currency),
                                        .sale = money_or_none(sale, trip.currency),
                                        .is_default = is_default,
                                        .min_quantity = min_quantity,
                                        .max_quantity = max_quantity,
                                        .valid_from = valid_from,
                                        .valid_to = valid_to,
                                        .category = rules_of(name, slug, details)});
        });
    store::each_row_of(session,
                       SVC_BY_IDS("SELECT trip_id, departure_time, arrival_time, seats, price_minor"
                                  " FROM svc_trip_time_slots WHERE",
                                  "trip_id", "ORDER BY trip_id, departure_time"),
                       ids,
                       [&](std::int64_t trip_id, ClockTime departure, std::optional<ClockTime> arrival,
                           std::optional<int> seats, std::optional<std::int64_t> price) {
                           Trip& trip = find[trip_id];
                           trip.time_slots.push_back({departure, arrival, seats, money_or_none(price, trip.currency)});
                       });
    add_seasons(session, ids, find);
}

void write_price_types(store::Transaction& tx, const Trip& trip) {
    std::vector<std::int64_t> ids{0};
    for (const PriceType& type : trip.price_types)
        ids.push_back(type.category_id);
    const store::Params of_trip{{"trip_id", trip.id}};
    store::run_of(tx,
                  SVC_BY_IDS("DELETE FROM svc_trip_price_types WHERE trip_id = :trip_id AND NOT", "category_id", ""),
                  ids, of_trip);
    // One default at each moment.
    tx.run("UPDATE svc_trip_price_types SET is_default = 0 WHERE trip_id = :trip_id AND is_default = 1", of_trip);
    std::int64_t order = 0;
    for (const PriceType& type : trip.price_types)
        tx.run(
            "INSERT INTO svc_trip_price_types (trip_id, category_id, regular_price_minor, discounted_price_minor,"
            " sale_price_minor, is_default, min_quantity, max_quantity, valid_from, valid_to, sort_order)"
            " VALUES (:trip_id, :category_id, :regular, :discounted, :sale, :is_default, :min_quantity, :max_quantity,"
            " :valid_from, :valid_to, :sort_order) ON CONFLICT (trip_id, category_id) DO UPDATE SET"
            " regular_price_minor = excluded.regular_price_minor,"
            " discounted_price_minor = excluded.discounted_price_minor, sale_price_minor = excluded.sale_price_minor,"
            " is_default = excluded.is_default, min_quantity = excluded.min_quantity,"
            " max_quantity = excluded.max_quantity, valid_from = excluded.valid_from, valid_to = excluded.valid_to,"
            " sort_order = excluded.sort_order",
            {{"trip_id", trip.id},
             {"category_id", type.category_id},
             {"regular", type.regular.minor()},
             {"discounted", minor_or_none(type.discounted)},
             {"sale", minor_or_none(type.sale)},
             {"is_default", type.is_default},
             {"min_quantity", wide_or_none(type.min_quantity)},
             {"max_quantity", wide_or_none(type.max_quantity)},
             {"valid_from", type.valid_from},
             {"valid_to", type.valid_to},
             {"sort_order", order++}});
}

void write_time_slots(store::Transaction& tx, const Trip& trip) {
    tx.run("DELETE FROM svc_trip_time_slots WHERE trip_id = :trip_id", {{"trip_id", trip.id}});
    for (const TimeSlot& slot : trip.time_slots)
        tx.run(
            "INSERT INTO svc_trip_time_slots (trip_id, departure_time, arrival_time, seats, price_minor)"
            " VALUES (:trip_id, :departure_time, :arrival_time, :seats, :price)",
            {{"trip_id", trip.id},
             {"departure_time", slot.departure_time},
             {"arrival_time", slot.arrival_time},
             {"seats", wide_or_none(slot.seats)},
             {"price", minor_or_none(slot.price)}});
}

void write_seasons(store::Transaction& tx, const Trip& trip) {
    tx.run("DELETE FROM svc_trip_seasons WHERE trip_id = :trip_id", {{"trip_id", trip.id}});  // with their prices
    for (const PricedSeason& season : trip.seasons) {
        tx.run(
            "INSERT INTO svc_trip_seasons (trip_id, first_day, last_day, regular_price_minor, sale_price_minor, seats,"
            " note) VALUES (:trip_id, :first_day, :last_day, :regular, :sale, :seats, :note)",
            {{"trip_id", trip.id},
             {"first_day", season.first},
             {"last_day", season.last},
             {"regular", season.price ? std::optional(season.price->regular.minor()) : std::nullopt},
             {"sale", season.price ? minor_or_none(season.price->lowered) : std::nullopt},
             {"seats", wide_or_none(season.seats)},
             {"note", season.note}});
        for (const CategoryPrice& price : season.by_category)
            tx.run(
                "INSERT INTO svc_trip_season_prices (trip_id, first_day, category_id, regular_price_minor,"
                " sale_price_minor) VALUES (:trip_id, :first_day, :category_id, :regular, :sale)",
                {{"trip_id", trip.id},
                 {"first_day", season.first},
                 {"category_id", price.category_id},
                 {"regular", price.regular.minor()},
                 {"sale", minor_or_none(price.lowered)}});
    }
}

std::vector<std::pair<std::int64_t, CategoryRules>> categories(store::Session& session,
                                                               std::span<const std::int64_t> ids) {
    std::vector<std::pair<std::int64_t, CategoryRules>> found;
    store::each_row_of(session,
                       SVC_BY_IDS("SELECT id, name, slug, details FROM svc_classifications"
                                  " WHERE type = 'traveler_type' AND status <> 'trash' AND",
                                  "id", ""),
                       ids,
                       [&](std::int64_t id, const std::string& name, const std::string& slug,
                           const std::string& details) { found.emplace_back(id, rules_of(name, slug, details)); });
    return found;
}

bool has_difficulty(store::Session& session, std::int64_t id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND type = 'difficulty' AND status <> 'trash'",
               {{"id", id}}) > 0;
}

bool has_picture(store::Session& session, std::int64_t id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_media WHERE id = :id AND is_private = 0 AND mime_type LIKE 'image/%'",
               {{"id", id}}) > 0;
}

bool has_approved_review(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_reviews WHERE id = :id AND status = 'approved'", {{"id", id}}) > 0;
}

void remember_slug(store::Transaction& tx, std::int64_t trip_id, const std::string& slug, const std::string& taken) {
    tx.run("DELETE FROM svc_trip_slug_history WHERE slug = :taken", {{"taken", taken}});
    if (!slug.empty())
        tx.run(
            "INSERT INTO svc_trip_slug_history (slug, trip_id) VALUES (:slug, :trip_id)"
            " ON CONFLICT (slug) DO UPDATE SET trip_id = excluded.trip_id",
            {{"slug", slug}, {"trip_id", trip_id}});
}

Tree tree(store::Session& session) {
    Tree tree;
    store::each_row(session,
                    "SELECT below.id, above.id, above.name, above.slug FROM svc_classifications AS below"
                    " JOIN svc_classifications AS above ON above.id = below.parent_id"
                    " WHERE below.type IN ('destination', 'activity', 'trip_category') AND above.status = 'publish'",
                    {}, [&](std::int64_t below, std::int64_t above, const std::string& name, const std::string& slug) {
                        tree[below] = {above, {name, slug}};
                    });
    return tree;
}

ClassRows class_rows(store::Session& session) {
    return store::all_rows(
        session,
        "SELECT id, type, row_version, name, slug, status || '|' || COALESCE(CAST(parent_id AS TEXT), '') || '|' || "
        "details"
        " FROM svc_classifications ORDER BY id",
        {},
        [](std::int64_t id, const std::string& type, std::int64_t row_version, const std::string& name,
           const std::string& slug,
           const std::string& rest) { return ClassRow{id, type, row_version, name, slug, rest}; });
}

std::vector<OldSlug> old_slugs(store::Session& session) {
    return store::all_rows(session,
                           "SELECT h.slug, h.trip_id FROM svc_trip_slug_history h JOIN svc_trips t ON t.id = h.trip_id"
                           " WHERE t.status IN ('publish', 'archived') ORDER BY h.slug",
                           {}, [](const std::string& slug, std::int64_t trip_id) {
                               return OldSlug{slug, trip_id};
                           });
}

}  // namespace svc::catalog::trips::rows
