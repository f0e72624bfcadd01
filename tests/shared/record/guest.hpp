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

inline record::Layout guest_layout() {
    return {.table = "guests",
            .component = "Guest",
            .search_column = "search",
            .sorts = {{"room_then_name", {"r.room", "r.name_folded"}}},
            .default_sort = "name",
            .conditions = {{"room", "r.room = :room"}},
            .place = "place"};
}

#define SVC_TEST_GUEST_FIELDS                                                                                        \
    record::id(&Guest::id),                                                                                          \
        record::column(                                                                                              \
            "name", &Guest::name, api::text(80, 1),                                                                  \
            record::required | record::searched | record::sortable | record::in_lists | record::also({"full_name"}), \
            "Name of the guest."),                                                                                   \
        record::stored_text<Guest>("name_folded", [](const Guest& g) { return "folded " + g.name; }),                \
        record::column("secret", &Guest::secret, api::text(80), record::hidden | record::sealed),                    \
        record::column("status", &Guest::status, api::choice({"open", "closed", "trash"}),                           \
                       record::default_value("open") | record::sortable | record::in_lists),                         \
        record::choice("mood", &Guest::mood, moods), record::column("currency", &Guest::currency, api::text(3)),     \
        record::money("deposit", &Guest::deposit, &Guest::currency),                                                 \
        record::money("limit", &Guest::limit, &Guest::currency, api::money(), record::stored_as("most_minor")),      \
        record::column("share", &Guest::share, api::percent(), record::stored_as("share_ppm")),                      \
        record::column("birthday", &Guest::birthday, api::date()),                                                   \
        record::column("room", &Guest::room, api::integer(1, 999)),                                                  \
        record::column("is_member", &Guest::is_member, api::boolean()),                                              \
        record::column("notes", &Guest::notes, api::map(api::anything())),                                           \
        record::column("tags", &Guest::tags, api::list(api::text(20))),                                              \
        record::column("stays", &Guest::stays, api::map(api::integer(0))),                                           \
        record::linked("friends", &Guest::friends,                                                                   \
                       {.table = "guest_friends",                                                                    \
                        .owner = "guest_id",                                                                         \
                        .other = "friend_id",                                                                        \
                        .exists_in = "guests",                                                                       \
                        .noun = "guest"}),                                                                           \
        record::derived("visits", &Guest::visits, "(SELECT COUNT(*) FROM guest_friends f WHERE f.friend_id = r.id)", \
                        api::integer(0)),                                                                            \
        record::column("motto", &Guest::motto, api::text(80), record::null_if_empty),                                \
        record::column("age", &Guest::age, api::integer(0, 150)),                                                    \
        record::converted<Guest, std::optional<std::int64_t>>("floor", floor_of, set_floor, api::integer(1, 3),      \
                                                              record::stored_as("floor_number")),                    \
        record::from("'Guest of ' || r.name", record::column("title", &Guest::title, api::text(100))),               \
        record::column("place", &Guest::place, api::integer(0, 100)),                                                \
        record::computed<Guest>("label", api::text(100),                                                             \
                                [](const Guest& g) { return json::Value("Guest " + g.name); }),                      \
        record::row_version<Guest>(), record::timestamps<Guest>(), record::authors<Guest>(record::Names::left_out),  \
        record::trashed_at<Guest>(), record::status_before_trash<Guest>()

inline record::Sealer backwards() {
    const auto turned = [](std::string_view text, std::string_view) { return std::string(text.rbegin(), text.rend()); };
    return {.seal = turned, .open = turned};
}

inline std::unique_ptr<record::Record<Guest>> guests() {
    auto made = std::make_unique<record::Record<Guest>>(
        guest_layout(), std::initializer_list<record::Entry<Guest>>{SVC_TEST_GUEST_FIELDS});
    made->seal_with(backwards());
    return made;
}

// The same record with one field more: one line.
inline std::unique_ptr<record::Record<Guest>> guests_with_nickname() {
    auto made = std::make_unique<record::Record<Guest>>(
        guest_layout(), std::initializer_list<record::Entry<Guest>>{
                            SVC_TEST_GUEST_FIELDS, record::column("nickname", &Guest::nickname, api::text(40),
                                                                  record::searched | record::sortable, "Short.")});
    made->seal_with(backwards());
    return made;
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
    " motto TEXT CHECK (motto <> ''), age BIGINT, floor_number BIGINT)"
    execute(
        *store,
        {sqlite
             ? "CREATE TABLE guests (id INTEGER PRIMARY KEY AUTOINCREMENT, " SVC_TEST_GUEST_COLUMNS
             : "CREATE TABLE guests (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, " SVC_TEST_GUEST_COLUMNS,
         "CREATE TABLE guest_friends (guest_id BIGINT NOT NULL, friend_id BIGINT NOT NULL)"});
    return store;
}

}  // namespace svc::tests
