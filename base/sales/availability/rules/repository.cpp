// Statements that write recurring rules.
#include "base/sales/availability/rules/repository.hpp"

#include "base/sales/availability/record/rule_record.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {
namespace {

void insert_price(store::Transaction& tx, std::int64_t rule_id, std::optional<std::int64_t> slot_id,
                  const CategoryPrice& each) {
    tx.run(
        "INSERT INTO svc_availability_rule_prices (rule_id, slot_id, category_id, regular_price_minor,"
        " sale_price_minor) VALUES (:rule_id, :slot_id, :category_id, :regular, :sale)",
        {{"rule_id", rule_id},
         {"slot_id", slot_id},
         {"category_id", each.category_id},
         {"regular", each.regular.minor()},
         {"sale", each.lowered ? std::optional(each.lowered->minor()) : std::nullopt}});
}

store::Params pair_values(const std::optional<PricePair>& price) {
    return {{"regular", price ? std::optional(price->regular.minor()) : std::nullopt},
            {"sale", price && price->lowered ? std::optional(price->lowered->minor()) : std::nullopt}};
}

void insert_parts(store::Transaction& tx, const Rule& rule) {
    for (const CategoryPrice& each : rule.by_category)
        insert_price(tx, rule.id, std::nullopt, each);
    for (const RuleSlot& slot : rule.slots) {
        auto params = pair_values(slot.price);
        params.insert(params.end(), {{"rule_id", rule.id},
                                     {"departure_time", slot.departure_time},
                                     {"arrival_time", slot.arrival_time},
                                     {"seats", slot.seats}});
        const auto slot_id = tx.insert(
            "INSERT INTO svc_availability_rule_slots (rule_id, departure_time, arrival_time, seats_total,"
            " regular_price_minor, sale_price_minor) VALUES (:rule_id, :departure_time, :arrival_time, :seats,"
            " :regular, :sale) RETURNING id",
            params);
        for (const CategoryPrice& each : slot.by_category)
            insert_price(tx, rule.id, slot_id, each);
    }
    for (const RuleWeekday& each : rule.overrides) {
        auto params = pair_values(each.price);
        params.insert(
            params.end(),
            {{"rule_id", rule.id}, {"weekday", static_cast<std::int64_t>(each.weekday)}, {"seats", each.seats}});
        tx.run(
            "INSERT INTO svc_availability_rule_weekdays (rule_id, weekday, seats_total, regular_price_minor,"
            " sale_price_minor) VALUES (:rule_id, :weekday, :seats, :regular, :sale)",
            params);
    }
}

}  // namespace

std::int64_t insert_rule(store::Transaction& tx, const Rule& rule, const record::Writer& writer) {
    Rule stored = rule;
    rule_record().insert(tx, stored, writer);
    insert_parts(tx, stored);
    return stored.id;
}

bool update_rule(store::Transaction& tx, const Rule& rule, const record::Writer& writer) {
    Rule changed = rule;
    if (!rule_record().update(tx, changed, writer))
        return false;
    for (const char* sql : {"DELETE FROM svc_availability_rule_prices WHERE rule_id = :id",
                            "DELETE FROM svc_availability_rule_slots WHERE rule_id = :id",
                            "DELETE FROM svc_availability_rule_weekdays WHERE rule_id = :id"})
        tx.run(sql, {{"id", rule.id}});
    insert_parts(tx, rule);
    return true;
}

void hand_over(store::Transaction& tx, const Rule& before, const Rule& after, Date first,
               const record::Writer& writer) {
    tx.run(
        "UPDATE svc_departures SET guide_user_id = :after, updated_at = :now, updated_by = :user_id,"
        " row_version = row_version + 1, revision = revision + 1 WHERE rule_id = :id AND start_date >= :first"
        " AND deleted_at IS NULL AND status NOT IN ('cancelled', 'past') AND COALESCE(guide_user_id, 0) = :before",
        {{"after", after.guide_user_id},
         {"now", writer.now},
         {"user_id", writer.user_id},
         {"id", after.id},
         {"first", first},
         {"before", before.guide_user_id.value_or(0)}});
}

bool remove_rule(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now) {
    const store::Params params{{"id", id}, {"user_id", user_id}, {"now", now}};
    if (tx.run("UPDATE svc_availability_rules SET deleted_at = :now, deleted_by = :user_id, updated_at = :now,"
               " updated_by = :user_id, row_version = row_version + 1 WHERE id = :id AND deleted_at IS NULL",
               params) == 0)
        return false;
    // A departure without bookings that only the rule offered is deleted.
    tx.run(
        "UPDATE svc_departures SET status = 'trash', deleted_at = :now, deleted_by = :user_id, updated_at = :now,"
        " updated_by = :user_id, row_version = row_version + 1, revision = revision + 1"
        " WHERE rule_id = :id AND origin = 'recurring' AND deleted_at IS NULL AND booked_count = 0"
        " AND waiting_seats = 0 AND status NOT IN ('cancelled', 'past')",
        params);
    tx.run("UPDATE svc_departures SET rule_id = NULL, revision = revision + 1, updated_at = :now WHERE rule_id = :id",
           params);
    return true;
}

std::vector<ExtraSeats> seats_of_rule(store::Session& session, std::int64_t rule_id, Date first) {
    return store::all_rows(
        session,
        "SELECT id, start_date, start_time, capacity, booked_count FROM svc_departures WHERE rule_id = :rule_id"
        " AND start_date >= :first AND deleted_at IS NULL AND status <> 'cancelled'"
        " ORDER BY start_date, start_time, id",
        {{"rule_id", rule_id}, {"first", first}},
        [](std::int64_t id, Date date, std::optional<ClockTime> time, int capacity, int booked) {
            return ExtraSeats{.departure_id = id, .date = date, .time = time, .capacity = capacity, .booked = booked};
        });
}

}  // namespace svc::availability::rows
