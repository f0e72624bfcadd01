// Statements that write recurring rules.
#include "base/availability/rules/repository.hpp"

#include "shared/core/words.hpp"

namespace svc::availability::rows {
namespace {

std::string text_of(const std::vector<Date>& dates) {
    std::string text;
    for (const Date date : dates)
        text += (text.empty() ? "" : ",") + date.text();
    return text;
}

store::Params values_of(const Rule& rule, std::optional<std::int64_t> user_id) {
    const auto regular = rule.price ? std::optional(rule.price->regular.minor()) : std::nullopt;
    const auto sale = rule.price && rule.price->lowered ? std::optional(rule.price->lowered->minor()) : std::nullopt;
    std::optional<std::string_view> pricing;
    if (rule.traveler_based)
        pricing = *rule.traveler_based ? "traveler_based" : "regular";
    using catalog::trips::Place;
    const auto part = [](const std::optional<Place>& place, catalog::trips::Degrees Place::*member) {
        return place ? std::optional(((*place).*member).e7) : std::nullopt;
    };
    return {{"id", rule.id},
            {"trip_id", rule.trip_id},
            {"name", rule.name},
            {"rule_type", name_of(rule.type)},
            {"status", name_of(rule.status)},
            {"custom_days", rule.custom_days},
            {"weekdays", rule.weekdays.stored()},
            {"months", rule.months.stored()},
            {"week_of_month", rule.week_of_month},
            {"day_of_week", rule.day_of_week},
            {"day_of_month", rule.day_of_month},
            {"interval_days", rule.interval_days},
            {"interval_start", rule.interval_start},
            {"start_date", rule.start_date},
            {"end_date", rule.end_date},
            {"excluded", text_of(rule.excluded)},
            {"pricing_type", pricing},
            {"regular", regular},
            {"sale", sale},
            {"seats", rule.seats},
            {"alert_threshold", rule.alert_threshold},
            {"departure_time", rule.departure_time},
            {"arrival_time", rule.arrival_time},
            {"from_location", rule.from_location},
            {"to_location", rule.to_location},
            {"from_latitude", part(rule.from_place, &Place::latitude)},
            {"from_longitude", part(rule.from_place, &Place::longitude)},
            {"to_latitude", part(rule.to_place, &Place::latitude)},
            {"to_longitude", part(rule.to_place, &Place::longitude)},
            {"cutoff_hours", rule.cutoff_hours},
            {"advance_days", rule.advance_days},
            {"priority", rule.priority},
            {"notes", rule.notes},
            {"search_text", text::search_key(rule.name + "\n" + rule.from_location + "\n" + rule.to_location)},
            {"row_version", rule.row_version},
            {"updated_at", rule.updated_at},
            {"user_id", user_id}};
}

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

std::int64_t insert_rule(store::Transaction& tx, const Rule& rule, std::optional<std::int64_t> user_id) {
    Rule made = rule;
    made.id = tx.insert(
        "INSERT INTO svc_availability_rules (trip_id, name, rule_type, status, custom_days, weekdays, months,"
        " week_of_month, day_of_week, day_of_month, interval_days, interval_start_date, start_date, end_date,"
        " excluded_dates, pricing_type, regular_price_minor, sale_price_minor, seats_total, alert_threshold,"
        " departure_time, arrival_time, from_location, to_location, from_latitude, from_longitude, to_latitude,"
        " to_longitude, cutoff_hours, advance_booking_days, priority, notes, search_text, row_version, created_at,"
        " updated_at, created_by, updated_by)"
        " VALUES (:trip_id, :name, :rule_type, :status, :custom_days, :weekdays, :months, :week_of_month,"
        " :day_of_week, :day_of_month, :interval_days, :interval_start, :start_date, :end_date, :excluded,"
        " :pricing_type, :regular, :sale, :seats, :alert_threshold, :departure_time, :arrival_time, :from_location,"
        " :to_location, :from_latitude, :from_longitude, :to_latitude, :to_longitude, :cutoff_hours, :advance_days,"
        " :priority, :notes, :search_text, 1, :updated_at, :updated_at, :user_id, :user_id) RETURNING id",
        values_of(rule, user_id));
    insert_parts(tx, made);
    return made.id;
}

bool update_rule(store::Transaction& tx, const Rule& rule, std::optional<std::int64_t> user_id) {
    const auto params = values_of(rule, user_id);
    if (tx.run("UPDATE svc_availability_rules SET name = :name, rule_type = :rule_type, status = :status,"
               " custom_days = :custom_days, weekdays = :weekdays, months = :months, week_of_month = :week_of_month,"
               " day_of_week = :day_of_week, day_of_month = :day_of_month, interval_days = :interval_days,"
               " interval_start_date = :interval_start, start_date = :start_date, end_date = :end_date,"
               " excluded_dates = :excluded, pricing_type = :pricing_type, regular_price_minor = :regular,"
               " sale_price_minor = :sale, seats_total = :seats, alert_threshold = :alert_threshold,"
               " departure_time = :departure_time, arrival_time = :arrival_time, from_location = :from_location,"
               " to_location = :to_location, from_latitude = :from_latitude, from_longitude = :from_longitude,"
               " to_latitude = :to_latitude, to_longitude = :to_longitude, cutoff_hours = :cutoff_hours,"
               " advance_booking_days = :advance_days, priority = :priority, notes = :notes,"
               " search_text = :search_text, row_version = row_version + 1, updated_at = :updated_at,"
               " updated_by = :user_id WHERE id = :id AND row_version = :row_version AND deleted_at IS NULL",
               params) == 0)
        return false;
    for (const char* sql : {"DELETE FROM svc_availability_rule_prices WHERE rule_id = :id",
                            "DELETE FROM svc_availability_rule_slots WHERE rule_id = :id",
                            "DELETE FROM svc_availability_rule_weekdays WHERE rule_id = :id"})
        tx.run(sql, params);
    insert_parts(tx, rule);
    return true;
}

bool remove_rule(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now) {
    const store::Params params{{"id", id}, {"user_id", user_id}, {"now", now}};
    if (tx.run("UPDATE svc_availability_rules SET deleted_at = :now, deleted_by = :user_id, updated_at = :now,"
               " updated_by = :user_id, row_version = row_version + 1 WHERE id = :id AND deleted_at IS NULL",
               params) == 0)
        return false;
    // A date that nobody holds any more was offered by the rule alone.
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

std::vector<KeptSeats> seats_of_rule(store::Session& session, std::int64_t rule_id, Date first) {
    return session.all<KeptSeats>(
        "SELECT id, start_date, start_time, capacity, booked_count FROM svc_departures WHERE rule_id = :rule_id"
        " AND start_date >= :first AND deleted_at IS NULL AND status <> 'cancelled' ORDER BY start_date, start_time, "
        "id",
        "ittii", {{"rule_id", rule_id}, {"first", first}}, [](const store::Row& row) {
            return KeptSeats{.departure_id = row.integer(0),
                             .date = row.date(1),
                             .time = row.is_null(2) ? std::nullopt : ClockTime::parse(row.text(2)),
                             .capacity = static_cast<int>(row.integer(3)),
                             .booked = static_cast<int>(row.integer(4))};
        });
}

}  // namespace svc::availability::rows
