// Statements on what lies below a trip.
#include "base/catalog/trips/children.hpp"

#include <algorithm>

#include "shared/core/log.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::trips::rows {
namespace {

std::optional<int> maybe_number(const store::Row& row, std::size_t column) {
    const auto value = row.maybe_integer(column);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

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
    const auto says = [&](const char* name, const char* word) {
        const auto& value = (*parsed)[name];
        return value.is_string() && value.text() == word;
    };
    rules.per_group = says("pricing_mode", "per_group");
    rules.per_block = says("group_overflow", "per_block");
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

std::optional<Money> maybe_money(const store::Row& row, std::size_t column, Currency currency) {
    const auto minor = row.maybe_integer(column);
    return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
}

std::optional<std::int64_t> minor_or_none(const std::optional<Money>& money) {
    return money ? std::optional(money->minor()) : std::nullopt;
}
std::optional<std::int64_t> wide_or_none(const std::optional<int>& number) {
    return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

}  // namespace

void add_children(store::Session& session, std::vector<Trip>& trips) {
    Finder find(trips);
    const auto ids = find.ids();
    store::each_of(
        session,
        SVC_BY_IDS("SELECT p.trip_id, p.id, p.category_id, p.regular_price_minor, p.discounted_price_minor,"
                   " p.sale_price_minor, p.is_default, p.min_quantity, p.max_quantity, p.valid_from, p.valid_to,"
                   " c.name, c.slug, c.details FROM svc_trip_price_types p"
                   " JOIN svc_classifications c ON c.id = p.category_id WHERE",
                   "p.trip_id", "ORDER BY p.trip_id, p.sort_order"),
        "iiiiiiiiittttt", ids, [&](const store::Row& row) {
            Trip& trip = find[row.integer(0)];
            trip.price_types.push_back({.id = row.integer(1),
                                        .category_id = row.integer(2),
                                        .regular = Money{row.integer(3), trip.currency},
                                        .discounted = maybe_money(row, 4, trip.currency),
                                        .sale = maybe_money(row, 5, trip.currency),
                                        .is_default = row.flag(6),
                                        .min_quantity = maybe_number(row, 7),
                                        .max_quantity = maybe_number(row, 8),
                                        .valid_from = row.maybe_date(9),
                                        .valid_to = row.maybe_date(10),
                                        .category = rules_of(row.text(11), row.text(12), row.text(13))});
        });
    store::each_of(session,
                   SVC_BY_IDS("SELECT trip_id, departure_time, arrival_time, seats, price_minor"
                              " FROM svc_trip_time_slots WHERE",
                              "trip_id", "ORDER BY trip_id, departure_time"),
                   "ittii", ids, [&](const store::Row& row) {
                       Trip& trip = find[row.integer(0)];
                       TimeSlot slot{ClockTime::parse(row.text(1)).value(), {}, maybe_number(row, 3), {}};
                       if (const auto arrival = row.maybe_text(2))
                           slot.arrival_time = ClockTime::parse(*arrival);
                       slot.price = maybe_money(row, 4, trip.currency);
                       trip.time_slots.push_back(slot);
                   });
}

void write_price_types(store::Transaction& tx, const Trip& trip) {
    std::vector<std::int64_t> kept{0};
    for (const PriceType& type : trip.price_types)
        kept.push_back(type.category_id);
    const store::Params of_trip{{"trip_id", trip.id}};
    store::run_of(tx,
                  SVC_BY_IDS("DELETE FROM svc_trip_price_types WHERE trip_id = :trip_id AND NOT", "category_id", ""),
                  kept, of_trip);
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

std::vector<std::pair<std::int64_t, CategoryRules>> categories(store::Session& session,
                                                               std::span<const std::int64_t> ids) {
    std::vector<std::pair<std::int64_t, CategoryRules>> found;
    store::each_of(session,
                   SVC_BY_IDS("SELECT id, name, slug, details FROM svc_classifications"
                              " WHERE type = 'traveler_type' AND status <> 'trash' AND",
                              "id", ""),
                   "ittt", ids, [&](const store::Row& row) {
                       found.emplace_back(row.integer(0), rules_of(row.text(1), row.text(2), row.text(3)));
                   });
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
    session.each(
        "SELECT below.id, above.id, above.name, above.slug FROM svc_classifications AS below"
        " JOIN svc_classifications AS above ON above.id = below.parent_id"
        " WHERE below.type IN ('destination', 'activity', 'trip_category') AND above.status = 'publish'",
        "iitt", {}, [&](const store::Row& row) {
            tree[row.integer(0)] = {row.integer(1), {row.text(2), row.text(3)}};
        });
    return tree;
}

ClassRows class_rows(store::Session& session) {
    return session.all<ClassRow>(
        "SELECT id, type, row_version, name, slug, status || '|' || COALESCE(CAST(parent_id AS TEXT), '') || '|' || "
        "details"
        " FROM svc_classifications ORDER BY id",
        "itittt", {}, [](const store::Row& row) {
            return ClassRow{row.integer(0), row.text(1), row.integer(2), row.text(3), row.text(4), row.text(5)};
        });
}

std::vector<OldSlug> old_slugs(store::Session& session) {
    return session.all<OldSlug>(
        "SELECT h.slug, h.trip_id FROM svc_trip_slug_history h JOIN svc_trips t ON t.id = h.trip_id"
        " WHERE t.status IN ('publish', 'archived') ORDER BY h.slug",
        "ti", {}, [](const store::Row& row) {
            return OldSlug{row.text(0), row.integer(1)};
        });
}

}  // namespace svc::catalog::trips::rows
