// Reads of departures by what selling needs.
#include "base/availability/record/slot_rows.hpp"

#include <unordered_map>

namespace svc::availability::rows {

void read_category_prices(store::Session& session, std::vector<Slot>& slots) {
    if (slots.empty())
        return;
    std::unordered_map<std::int64_t, CategoryPrices> prices;
    std::int64_t least = slots.front().id, most = least;
    for (const Slot& slot : slots) {
        least = std::min(least, slot.id);
        most = std::max(most, slot.id);
    }
    session.each(
        "SELECT p.departure_id, p.category_id, p.regular_price_minor, p.sale_price_minor, d.currency"
        " FROM svc_departure_prices p JOIN svc_departures d ON d.id = p.departure_id"
        " WHERE p.departure_id BETWEEN :least AND :most ORDER BY p.departure_id, p.category_id",
        "iiiit", {{"least", least}, {"most", most}}, [&](const store::Row& row) {
            const Currency currency = Currency::parse(row.text(4)).value();
            CategoryPrice price{row.integer(1), Money{row.integer(2), currency}, {}};
            if (!row.is_null(3))
                price.lowered = Money{row.integer(3), currency};
            prices[row.integer(0)].push_back(price);
        });
    static const auto none = std::make_shared<const CategoryPrices>();
    for (Slot& slot : slots) {
        const auto own = prices.find(slot.id);
        slot.by_category = own == prices.end() ? none : std::make_shared<const CategoryPrices>(std::move(own->second));
    }
}

bool is_category(store::Session& session, std::int64_t category_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND type = 'traveler_type'"
               " AND status <> 'trash'",
               {{"id", category_id}}) == 1;
}

std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date) {
    return session.all<Slot>("SELECT " SVC_SLOT_COLUMNS
                             " FROM svc_departures WHERE trip_id = :trip_id AND start_date = :date"
                             " AND deleted_at IS NULL ORDER BY id",
                             slot_types, {{"trip_id", trip_id}, {"date", date}}, slot_of);
}

bool is_planned(store::Session& session, std::int64_t trip_id) {
    return session.number(
               "SELECT CASE WHEN EXISTS (SELECT 1 FROM svc_departures WHERE trip_id = :trip_id"
               " AND origin IN ('fixed', 'manual'))"
               " OR EXISTS (SELECT 1 FROM svc_availability_rules WHERE trip_id = :trip_id)"
               " OR EXISTS (SELECT 1 FROM svc_planned_trips WHERE trip_id = :trip_id) THEN 1 ELSE 0 END",
               {{"trip_id", trip_id}}) != 0;
}

std::vector<Slot> current(store::Session& session, Date first) {
    return session.all<Slot>(
        "SELECT " SVC_SLOT_COLUMNS
        " FROM svc_departures WHERE end_date >= :first AND deleted_at IS NULL ORDER BY trip_id, id",
        slot_types, {{"first", first}}, slot_of);
}

std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first) {
    return session.all<Slot>("SELECT " SVC_SLOT_COLUMNS
                             " FROM svc_departures WHERE trip_id = :trip_id AND end_date >= :first"
                             " AND deleted_at IS NULL ORDER BY id",
                             slot_types, {{"trip_id", trip_id}, {"first", first}}, slot_of);
}

std::vector<std::int64_t> planned_trips(store::Session& session) {
    return session.all<std::int64_t>(
        "SELECT DISTINCT trip_id FROM svc_departures WHERE origin IN ('fixed', 'manual')"
        " UNION SELECT trip_id FROM svc_availability_rules UNION SELECT trip_id FROM svc_planned_trips",
        "i", {}, [](const store::Row& row) { return row.integer(0); });
}

std::vector<std::pair<Slot, Instant>> changed_since(store::Session& session, Instant since) {
    return session.all<std::pair<Slot, Instant>>(
        "SELECT " SVC_SLOT_COLUMNS ", updated_at FROM svc_departures WHERE updated_at >= :since", SVC_SLOT_TYPES "i",
        {{"since", since}},
        [](const store::Row& row) { return std::pair(slot_of(row), row.instant(slot_types.size())); });
}

std::optional<Slot> slot(store::Session& session, std::int64_t id) {
    return session.first<Slot>("SELECT " SVC_SLOT_COLUMNS " FROM svc_departures WHERE id = :id", slot_types,
                               {{"id", id}}, slot_of);
}

void lock(store::Transaction& tx, std::int64_t departure_id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_departures WHERE id = :id FOR UPDATE", {{"id", departure_id}});
}

}  // namespace svc::availability::rows
