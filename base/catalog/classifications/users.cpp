// Records that refer to a classification; checked before it is deleted.
#include "base/catalog/classifications/repository.hpp"
#include "shared/store/typed.hpp"

namespace svc::catalog::classifications::rows {
namespace {

// Statements that list the records and count them.
struct UserStatements {
    const char* type;  // null: that of the classification
    const char *first, *total;
};
#define SVC_USERS(type, columns, from)                                                  \
    UserStatements {                                                                    \
        type, "SELECT DISTINCT " columns " FROM " from " ORDER BY 1 LIMIT :most",       \
            "SELECT COUNT(*) FROM (SELECT DISTINCT " columns " FROM " from ") AS found" \
    }

constexpr UserStatements by_children = SVC_USERS(nullptr, "id, name", "svc_classifications WHERE parent_id = :id");
constexpr UserStatements by_links =
    SVC_USERS("trip", "t.id, t.title",
              "svc_trip_classifications l JOIN svc_trips t ON t.id = l.trip_id WHERE l.classification_id = :id");
constexpr UserStatements by_difficulty = SVC_USERS("trip", "id, title", "svc_trips WHERE difficulty_level_id = :id");
constexpr UserStatements by_prices = SVC_USERS(
    "trip", "t.id, t.title", "svc_trip_price_types p JOIN svc_trips t ON t.id = p.trip_id WHERE p.category_id = :id");
constexpr UserStatements by_departures =
    SVC_USERS("departure", "d.id, d.start_date",
              "svc_departure_prices p JOIN svc_departures d ON d.id = p.departure_id WHERE p.category_id = :id");
constexpr UserStatements by_rules =
    SVC_USERS("recurring_rule", "r.id, COALESCE(NULLIF(r.name, ''), t.title)",
              "svc_availability_rule_prices p JOIN svc_availability_rules r ON r.id = p.rule_id"
              " JOIN svc_trips t ON t.id = r.trip_id"
              " WHERE p.category_id = :id AND r.deleted_at IS NULL");
// The members of a booking's counts are categories: {"7":2}.
constexpr UserStatements by_bookings =
    SVC_USERS("booking", "id, reference",
              "svc_bookings WHERE traveler_counts LIKE '%\"' || CAST(CAST(:id AS BIGINT) AS TEXT) || '\":%'");
constexpr UserStatements by_items = SVC_USERS("item", "id, name", "svc_classifications WHERE item_type_id = :id");
#define SVC_ENTRIES_TRIPS \
    "svc_itinerary_entries e JOIN svc_itinerary_days d ON d.id = e.day_id JOIN svc_trips t ON t.id = d.trip_id"
constexpr UserStatements by_entries_of_type =
    SVC_USERS("trip", "t.id, t.title", SVC_ENTRIES_TRIPS " WHERE e.item_type_id = :id");
constexpr UserStatements by_entries = SVC_USERS("trip", "t.id, t.title", SVC_ENTRIES_TRIPS " WHERE e.item_id = :id");

void add(store::Session& session, const Classification& row, const UserStatements& statements, int most, Users& users) {
    const auto total = session.number(statements.total, {{"id", row.id}});
    users.total += total;
    const auto room = most - static_cast<int>(users.first.size());
    if (total == 0 || room <= 0)
        return;
    const std::string type(statements.type ? std::string_view(statements.type) : name_of(row.type));
    for (auto& [id, title] :
         store::tuples<std::int64_t, std::string>(session, statements.first, {{"id", row.id}, {"most", room}}))
        users.first.push_back({type, id, std::move(title)});
}

}  // namespace

Users users_of(store::Session& session, const Classification& row, int most) {
    Users users;
    const auto add_users = [&](const UserStatements& statements) { add(session, row, statements, most, users); };
    switch (row.type) {
        case Type::destination:
        case Type::activity:
        case Type::trip_category:
            add_users(by_children);
            add_users(by_links);
            break;
        case Type::attribute:
            add_users(by_links);
            break;
        case Type::difficulty:
            add_users(by_difficulty);
            break;
        case Type::traveler_type:
            add_users(by_prices);
            add_users(by_departures);
            add_users(by_rules);
            add_users(by_bookings);
            break;
        case Type::item_type:
            add_users(by_items);
            add_users(by_entries_of_type);
            break;
        case Type::item:
            add_users(by_entries);
            break;
    }
    return users;
}

}  // namespace svc::catalog::classifications::rows
