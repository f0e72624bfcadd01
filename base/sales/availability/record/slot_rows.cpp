// Statements that read slots.
#include "base/sales/availability/record/slot_rows.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {

void read_category_prices(store::Session& session, std::vector<Slot>& slots) {
    std::unordered_map<std::int64_t, CategoryPrices> prices;
    each_category_price(session, slots,
                        [&](const Slot& slot, CategoryPrice price) { prices[slot.id].push_back(std::move(price)); });
    static const auto none = std::make_shared<const CategoryPrices>();
    for (Slot& slot : slots) {
        const auto own = prices.find(slot.id);
        slot.by_category = own == prices.end() ? none : std::make_shared<const CategoryPrices>(std::move(own->second));
    }
}

bool is_user(store::Session& session, std::int64_t user_id) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE id = :id", {{"id", user_id}}) == 1;
}

bool is_category(store::Session& session, std::int64_t category_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND type = 'traveler_type'"
               " AND status <> 'trash'",
               {{"id", category_id}}) == 1;
}

std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date) {
    static const auto statement = slot_record().select(
        "WHERE r.trip_id = :trip_id AND r.start_date = :date AND r.deleted_at IS NULL ORDER BY r.id");
    return slot_record().all(session, statement, {{"trip_id", trip_id}, {"date", date}});
}

std::optional<Slot> slot(store::Session& session, std::int64_t id) { return slot_record().find(session, id); }

bool is_planned(store::Session& session, std::int64_t trip_id) {
    return session.number(
               "SELECT CASE WHEN EXISTS (SELECT 1 FROM svc_departures WHERE trip_id = :trip_id"
               " AND origin IN ('fixed', 'manual'))"
               " OR EXISTS (SELECT 1 FROM svc_availability_rules WHERE trip_id = :trip_id)"
               " OR EXISTS (SELECT 1 FROM svc_planned_trips WHERE trip_id = :trip_id) THEN 1 ELSE 0 END",
               {{"trip_id", trip_id}}) != 0;
}

std::vector<Slot> current(store::Session& session, Date first) {
    static const auto statement =
        slot_record().select("WHERE r.end_date >= :first AND r.deleted_at IS NULL ORDER BY r.trip_id, r.id");
    return slot_record().all(session, statement, {{"first", first}});
}

std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first) {
    static const auto statement = slot_record().select(
        "WHERE r.trip_id = :trip_id AND r.end_date >= :first AND r.deleted_at IS NULL ORDER BY r.id");
    return slot_record().all(session, statement, {{"trip_id", trip_id}, {"first", first}});
}

std::vector<std::int64_t> planned_trips(store::Session& session) {
    return store::numbers(session,
                          "SELECT DISTINCT trip_id FROM svc_departures WHERE origin IN ('fixed', 'manual')"
                          " UNION SELECT trip_id FROM svc_availability_rules UNION SELECT trip_id FROM"
                          " svc_planned_trips",
                          {});
}

std::vector<ChangedSlot> changed_since(store::Session& session, Instant since) {
    static const auto statement = changed_record().select("WHERE r.updated_at >= :since");
    return changed_record().all(session, statement, {{"since", since}});
}

void lock(store::Transaction& tx, std::int64_t departure_id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_departures WHERE id = :id FOR UPDATE", {{"id", departure_id}});
}

}  // namespace svc::availability::rows
