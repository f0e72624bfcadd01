// A record for tests, with every kind of field: guests of a house.
#pragma once

#include "shared/record/record.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

enum class Mood : std::uint8_t { calm, cheerful };
inline constexpr std::string_view moods[] = {"calm", "cheerful"};

struct Guest : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::string name, secret, status{"open"};
    std::string nickname;  // declared by guests_with_nickname() alone
    Mood mood = Mood::calm;
    Currency currency = Currency::usd();
    Money deposit = Money::zero(Currency::usd());
    std::optional<Money> limit;
    Rate share;
    std::optional<Date> birthday;
    std::optional<std::int64_t> room;
    bool is_member = false;
    json::Value notes = json::Value::object();
    std::vector<std::string> tags;
    std::vector<std::int64_t> friends;
    std::string motto, title;
    std::optional<int> age;
    std::optional<std::string> floor;            // "third"; stored as a number
    std::map<std::int64_t, std::int64_t> stays;  // nights by room
    std::int64_t visits = 0, place = 0;
    std::string origin, verdict, made_by{"desk"};
    std::int64_t credit = 5, stars = 0;
};

inline constexpr const char* floors[] = {"first", "second", "third"};
inline std::optional<std::int64_t> floor_of(const Guest& guest) {
    for (std::int64_t number = 0; number < 3; ++number)
        if (guest.floor == floors[number])
            return number + 1;
    return std::nullopt;
}
inline void set_floor(Guest& guest, std::optional<std::int64_t> number) {
    guest.floor = number ? std::optional<std::string>(floors[*number - 1]) : std::nullopt;
}

inline record::Sealer backwards() {
    const auto turned = [](std::string_view text, std::string_view) { return std::string(text.rbegin(), text.rend()); };
    return {.seal = turned, .open = turned};
}

inline record::Layout guest_layout() {
    return {.table = "guests",
            .component = "Guest",
            .search_column = "search",
            .sorts = {{"room_then_name", {"r.room", "r.name_folded"}}},
            .default_sort = "name",
            .conditions = {{"room", "r.room = :room"}},
            .place = "place",
            .sealer = backwards()};
}

inline std::vector<record::Entry<Guest>> guest_fields() {
    using namespace record;
    return {id(&Guest::id),
            column("name", &Guest::name, api::text(80, 1),
                   by_client | required | searched | sortable | in_lists | also({"full_name"}), "Name of the guest."),
            stored_text<Guest>("name_folded", [](const Guest& g) { return "folded " + g.name; }),
            column("secret", &Guest::secret, api::text(80), hidden | sealed),
            column("status", &Guest::status, api::choice({"open", "closed", "trash"}),
                   by_client | default_value("open") | sortable | in_lists),
            choice("mood", &Guest::mood, moods, by_client),
            column("currency", &Guest::currency, api::text(3), by_client),
            money("deposit", &Guest::deposit, &Guest::currency, api::money(), by_client),
            money("limit", &Guest::limit, &Guest::currency, api::money(), by_client | stored_as("most_minor")),
            column("share", &Guest::share, api::percent(), by_client | stored_as("share_ppm")),
            column("birthday", &Guest::birthday, api::date(), by_client),
            column("room", &Guest::room, api::integer(1, 999), by_client),
            column("is_member", &Guest::is_member, api::boolean(), by_client),
            column("notes", &Guest::notes, api::map(api::anything()), by_client),
            column("tags", &Guest::tags, api::list(api::text(20)), by_client),
            column("stays", &Guest::stays, api::map(api::integer(0)), by_client),
            linked("friends", &Guest::friends,
                   {.table = "guest_friends",
                    .owner = "guest_id",
                    .other = "friend_id",
                    .exists_in = "guests",
                    .noun = "guest"},
                   by_client),
            derived("visits", &Guest::visits, "(SELECT COUNT(*) FROM guest_friends f WHERE f.friend_id = r.id)",
                    api::integer(0)),
            column("motto", &Guest::motto, api::text(80), by_client | null_if_empty),
            column("age", &Guest::age, api::integer(0, 150), by_client),
            converted<Guest, std::optional<std::int64_t>>("floor", floor_of, set_floor, api::integer(1, 3),
                                                          by_client | stored_as("floor_number")),
            from("'Guest of ' || r.name", column("title", &Guest::title, api::text(100))),
            column("place", &Guest::place, api::integer(0, 100), by_client),
            column("origin", &Guest::origin, api::text(20), by_client_on_create),
            column("verdict", &Guest::verdict, api::text(20), by_client_on_update),
            column("credit", &Guest::credit, api::integer(0), by_server),
            column("made_by", &Guest::made_by, api::text(20), by_server_on_create),
            column("stars", &Guest::stars, api::integer(0), by_other),
            computed<Guest>("label", api::text(100), [](const Guest& g) { return json::Value("Guest " + g.name); }),
            row_version<Guest>(),
            timestamps<Guest>(),
            authors<Guest>(Names::left_out),
            trashed_at<Guest>(),
            status_before_trash<Guest>()};
}

inline std::unique_ptr<record::Record<Guest>> guests() {
    return std::make_unique<record::Record<Guest>>(guest_layout(), guest_fields());
}

// The same record with one field more: one line.
inline std::unique_ptr<record::Record<Guest>> guests_with_nickname() {
    auto fields = guest_fields();
    fields.push_back(record::column("nickname", &Guest::nickname, api::text(40),
                                    record::by_client | record::searched | record::sortable, "Short."));
    return std::make_unique<record::Record<Guest>>(guest_layout(), fields);
}

// A store with the table of guests, its nickname included.
inline std::unique_ptr<store::Store> guest_store(const Database& database) {
    auto store = database.open();
    const bool sqlite = store->dialect() == store::Dialect::sqlite;
#define SVC_TEST_GUEST_COLUMNS                                                                                   \
    "name TEXT NOT NULL UNIQUE, name_folded TEXT NOT NULL, secret TEXT NOT NULL, status TEXT NOT NULL,"          \
    " mood TEXT NOT NULL, currency TEXT NOT NULL, deposit_minor BIGINT NOT NULL, most_minor BIGINT,"             \
    " share_ppm BIGINT NOT NULL, birthday TEXT, room BIGINT CHECK (room <> 13), is_member BIGINT NOT NULL,"      \
    " notes TEXT, tags TEXT NOT NULL, stays TEXT NOT NULL, place BIGINT NOT NULL, row_version BIGINT NOT NULL, " \
    "created_at BIGINT NOT NULL,"                                                                                \
    " updated_at BIGINT NOT NULL, created_by BIGINT, updated_by BIGINT, deleted_at BIGINT,"                      \
    " status_before_trash TEXT, search TEXT NOT NULL, nickname TEXT NOT NULL DEFAULT '',"                        \
    " motto TEXT CHECK (motto <> ''), age BIGINT, floor_number BIGINT, origin TEXT NOT NULL,"                    \
    " verdict TEXT NOT NULL, credit BIGINT NOT NULL, made_by TEXT NOT NULL, stars BIGINT NOT NULL DEFAULT 3)"
    execute(
        *store,
        {sqlite
             ? "CREATE TABLE guests (id INTEGER PRIMARY KEY AUTOINCREMENT, " SVC_TEST_GUEST_COLUMNS
             : "CREATE TABLE guests (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, " SVC_TEST_GUEST_COLUMNS,
         "CREATE TABLE guest_friends (guest_id BIGINT NOT NULL, friend_id BIGINT NOT NULL)"});
    return store;
}

}  // namespace svc::tests
