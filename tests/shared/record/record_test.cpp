// A record's declaration yields its statements, its JSON, its schemas and its rows on both databases.
#include <doctest/doctest.h>

#include "tests/shared/record/guest.hpp"

namespace svc::tests {
namespace {

using json::Value;

const Instant noon = Instant::from_micros(1'700'000'000'000'000);

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Guest ada() {
    Guest guest;
    guest.name = "Ada";
    guest.secret = "abc";
    guest.mood = Mood::cheerful;
    guest.currency = Currency::parse("KWD").value();
    guest.deposit = Money(1500, guest.currency);
    guest.share = {125'000};
    guest.birthday = Date::parse("1815-12-10");
    guest.room = 7;
    guest.is_member = true;
    guest.notes = Value::object({{"diet", "none"}});
    guest.tags = {"vip", "early"};
    guest.age = 36;
    guest.floor = "third";
    guest.stays = {{7, 2}, {12, 1}};
    return guest;
}

TEST_CASE("one more field is one line: SQL, JSON, schemas, patch, search and sort keys follow from it") {
    const auto before = guests(), after = guests_with_nickname();
    for (const auto* statement : {&before->select(), &before->insert_statement(), &before->update_statement()})
        CHECK(!holds(*statement, "nickname"));
    CHECK(holds(after->select(), "r.nickname"));
    CHECK(after->column_types() == std::string(before->column_types()) + "t");
    CHECK(holds(after->insert_statement(), ":nickname"));
    CHECK(holds(after->update_statement(), "nickname = :nickname"));
    CHECK(holds(after->list_statement("nickname", true), "ORDER BY r.nickname ASC, r.id ASC"));
    CHECK(after->sort_keys().size() == before->sort_keys().size() + 1);

    for (const auto& schema : {after->create_schema(), after->update_schema(), after->answer_schema()})
        CHECK(schema.find("nickname") != nullptr);
    CHECK(before->create_schema().find("nickname") == nullptr);
    CHECK(after->answer_schema().json_schema()["properties"]["nickname"]["description"].text() == "Short.");

    Guest guest = ada();
    Faults faults;
    after->patch(guest, Value::object({{"nickname", "Countess"}}), false, faults);
    CHECK(faults.none());
    CHECK(guest.nickname == "Countess");
    CHECK(after->to_json(guest)["nickname"].text() == "Countess");
    CHECK(before->to_json(guest).find("nickname") == nullptr);
    CHECK(after->search_text_of(&guest) == "ada\ncountess");
    CHECK(before->search_text_of(&guest) == "ada");

    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = guest_store(database);
        const auto written = store->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            Guest fresh = guest;
            after->insert(tx, fresh, {.now = noon});
            return fresh.id;
        });
        REQUIRE(written);
        store->read([&](store::Session& session) {
            CHECK(after->find(session, *written)->nickname == "Countess");
            CHECK(after->list(session, {.search = "countess"}).size() == 1);
        });
    });
}

TEST_CASE("every kind of field comes back from both databases as it was stored") {
    const auto record = guests();
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = guest_store(database);
        Guest guest = ada();
        const auto done = store->write([&](store::Transaction& tx) -> Result<void> {
            Guest other = ada();
            other.name = "Bob";
            record->insert(tx, other, {.now = noon});
            guest.friends = {other.id};
            record->insert(tx, guest, {.user_id = 5, .now = noon});
            return {};
        });
        REQUIRE(done);
        store->read([&](store::Session& session) {
            const auto found = record->find(session, guest.id);
            REQUIRE(found);
            CHECK(found->title == "Guest of Ada");
            guest.title = found->title;
            CHECK(found->stars == 3);  // of the table: INSERT does not name it
            guest.stars = found->stars;
            CHECK(record->to_json(*found) == record->to_json(guest));
            CHECK(record->to_json(*found)["motto"].is_null());
            CHECK(record->to_json(*found)["floor"].integer() == 3);
            CHECK(found->age == 36);
            CHECK(found->floor == "third");
            CHECK(found->secret == "abc");
            CHECK(found->mood == Mood::cheerful);
            CHECK(found->deposit == Money(1500, Currency::parse("KWD").value()));
            CHECK(!found->limit);
            CHECK(found->created_by == 5);
            CHECK(found->created_at == noon);
            CHECK(found->friends == std::vector<std::int64_t>{guest.friends});
            CHECK(found->stays == guest.stays);
            CHECK(record->find(session, guest.friends.front())->visits == 1);
            const auto stored =
                session.first<std::string>("SELECT secret FROM guests WHERE id = :id", "t", {{"id", guest.id}},
                                           [](const store::Row& row) { return row.text(0); });
            CHECK(*stored == "cba");  // sealed at rest
        });
    });
}

TEST_CASE("an update names the version that was read, raises it, and leaves what INSERT alone writes") {
    const auto record = guests();
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = guest_store(database);
        Guest guest = ada();
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            record->insert(tx, guest, {.user_id = 5, .now = noon});
            return {};
        }));
        Guest stale = guest;
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            guest.name = "Ada L.";
            CHECK(record->update(tx, guest, {.user_id = 6, .now = noon.plus(std::chrono::hours(1))}));
            CHECK(guest.row_version == 2);
            CHECK(!record->update(tx, stale, {.user_id = 7, .now = noon}));
            return {};
        }));
        store->read([&](store::Session& session) {
            const auto found = record->find(session, guest.id);
            CHECK(found->name == "Ada L.");
            CHECK(found->created_by == 5);
            CHECK(found->updated_by == 6);
            CHECK(found->created_at == noon);
        });
    });
}

struct Seat {
    std::int64_t id = 0;
    std::string name;
    std::optional<std::int64_t> taken_by = {};
};

TEST_CASE("a write returns the record it has written; an insert may leave a row that is there as it is") {
    const record::Rows<Seat> seats{{.table = "seats"},
                                   {record::stored("id", &Seat::id), record::stored("name", &Seat::name),
                                    record::stored("taken_by", &Seat::taken_by)}};
    const auto insert = seats.returning(seats.plain_insert_statement("ON CONFLICT (name) DO NOTHING"));
    const auto take = seats.returning("UPDATE seats SET taken_by = :who WHERE name = :name AND taken_by IS NULL");
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open();
        execute(*store,
                {store->dialect() == store::Dialect::sqlite
                     ? "CREATE TABLE seats (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, taken_by BIGINT)"
                     : "CREATE TABLE seats (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
                       " name TEXT UNIQUE, taken_by BIGINT)"});
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            const Seat first{.name = "1A"}, second{.name = "1A", .taken_by = 9};
            const auto made = seats.first(tx, insert, seats.params_of(&first));
            REQUIRE(made);
            CHECK(made->name == "1A");
            CHECK(!seats.first(tx, insert, seats.params_of(&second)));
            const auto taken = seats.first(tx, take, {{"name", "1A"}, {"who", 5}});
            REQUIRE(taken);
            CHECK(taken->id == made->id);
            CHECK(taken->taken_by == 5);
            CHECK(!seats.first(tx, take, {{"name", "1A"}, {"who", 6}}));
            return {};
        }));
    });
}

TEST_CASE("lists filter, search, sort and page; an unknown key sorts by the default") {
    const auto record = guests();
    CHECK(record->sort_keys() == std::vector<std::string>{"name", "status", "room_then_name", "updated_at"});
    CHECK(record->list_statement("; DROP TABLE guests", true) == record->list_statement("name", true));
    CHECK(
        holds(record->list_statement("room_then_name", false), "ORDER BY r.room DESC, r.name_folded DESC, r.id DESC"));
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = guest_store(database);
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            for (const auto& [name, status] : {std::pair{"Ada", "open"}, {"Bob", "trash"}, {"Straße", "closed"}}) {
                Guest guest = ada();
                guest.name = name;
                guest.status = status;
                guest.room = name == std::string("Ada") ? 7 : 8;
                record->insert(tx, guest, {.now = noon});
            }
            return {};
        }));
        store->read([&](store::Session& session) {
            const auto names = [&](const record::Query& query) {
                std::string all;
                for (const Guest& guest : record->list(session, query))
                    all += guest.name + " ";
                CHECK(record->count(session, query) == static_cast<std::int64_t>(record->list(session, query).size()));
                return all;
            };
            CHECK(names({.ascending = true}) == "Ada Straße ");  // the trash is left out
            CHECK(names({.status = "trash"}) == "Bob ");
            CHECK(names({.search = "STRASSE"}) == "Straße ");
            CHECK(names({.search = "%"}).empty());
            CHECK(names({.filters = {{"room", std::int64_t{7}}}}) == "Ada ");
            CHECK(names({.from = noon.plus(std::chrono::seconds(1))}).empty());
            CHECK(names({.to = noon}).empty());
            CHECK(record->list(session, {.limit = 1, .offset = 1}).size() == 1);
            CHECK(record->count_by_status(session) ==
                  std::map<std::string, std::int64_t>{{"open", 1}, {"closed", 1}, {"trash", 1}});
        });
    });
}

TEST_CASE("a list is searched without accents; rows of an earlier version are folded anew") {
    const auto record = guests();
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = guest_store(database);
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            Guest guest = ada();
            guest.name = "Zoë";
            record->insert(tx, guest, {.now = noon});
            return {};
        }));
        const auto found = [&] {
            return store->reading<std::int64_t>(
                [&](store::Session& session) { return record->count(session, {.search = "ZOE"}); });
        };
        const auto folded = [&] {
            return store->transact<std::int64_t>(
                [&](store::Transaction& tx) -> Result<std::int64_t> { return record->fold_search(tx); });
        };
        CHECK(found() == 1);
        REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE guests SET search = :search", {{"search", "zoë"}});
            return {};
        }));
        CHECK(found() == 0);
        CHECK(folded().value() == 1);
        CHECK(folded().value() == 0);
        CHECK(found() == 1);
    });
}

TEST_CASE("clients write neither read-only nor hidden fields, and never see hidden ones") {
    const auto record = guests();
    const auto create = record->create_schema();
    for (const char* name : {"id", "secret", "row_version", "created_at", "visits", "label", "name_folded"})
        CHECK(create.find(name) == nullptr);
    CHECK(create.find("name")->required);
    CHECK(create.find("name")->also == std::vector<std::string>{"full_name"});
    CHECK(create.find("status")->otherwise == Value("open"));
    CHECK(!record->update_schema().find("name")->required);
    CHECK(record->update_schema().find("row_version") != nullptr);
    const Value shown = record->to_json(ada());
    for (const char* name : {"secret", "deleted_at", "status_before_trash", "name_folded"})
        CHECK(shown.find(name) == nullptr);
    CHECK(shown["label"].text() == "Guest Ada");
    Guest guest = ada();
    Faults faults;
    record->patch(guest, Value::object({{"secret", "x"}, {"id", 9}, {"visits", 9}}), true, faults);
    CHECK(guest.secret == "abc");
    CHECK(guest.id == 0);
}

TEST_CASE("a patch takes amounts in the currency of the same body, and names every fault") {
    const auto record = guests();
    Guest guest;
    Faults faults;
    const auto clean = record->update_schema().check(Value::object({{"deposit", json::Number{"1.125"}},
                                                                    {"currency", "KWD"},
                                                                    {"share", json::Number{"12.5"}},
                                                                    {"birthday", nullptr},
                                                                    {"limit", nullptr}}));
    REQUIRE(clean);
    record->patch(guest, *clean, false, faults);
    CHECK(faults.none());
    CHECK(guest.deposit == Money(1125, Currency::parse("KWD").value()));
    CHECK(guest.share.ppm == 125'000);
    record->patch(guest, Value::object({{"currency", "XXY"}}), false, faults);
    record->patch(guest, Value::object({{"deposit", json::Number{"1.12345"}}}), false, faults);
    REQUIRE(!faults.none());
    REQUIRE(faults.error().fields().size() == 2);
    CHECK(faults.error().fields()[0].field == "currency");
    CHECK(faults.error().fields()[1].sentence == "This must be an amount in KWD with at most 3 decimals.");
}

TEST_CASE("each field is written by whom it says, when it says") {
    const auto record = guests();
    const auto create = record->create_schema(), update = record->update_schema(), answer = record->answer_schema();
    struct Said {
        const char* field;
        bool client_creates, client_updates, is_inserted, is_updated;
    };
    for (const Said& said : {Said{"place", true, true, true, true}, Said{"friends", true, true, false, false},
                             Said{"origin", true, false, true, true}, Said{"verdict", false, true, true, true},
                             Said{"credit", false, false, true, true}, Said{"made_by", false, false, true, false},
                             Said{"stars", false, false, false, false}}) {
        CAPTURE(said.field);
        const std::string field = said.field;
        CHECK((create.find(field) != nullptr) == said.client_creates);
        CHECK((update.find(field) != nullptr) == said.client_updates);
        CHECK(holds(record->insert_statement(), ":" + field) == said.is_inserted);
        CHECK(holds(record->update_statement(), ":" + field) == said.is_updated);
        CHECK(answer.find(field) != nullptr);
    }
    const Value body = json::parse(R"({"origin":"web","verdict":"good","credit":9,"made_by":"me","stars":9})").value();
    Guest fresh, known;
    Faults faults;
    record->patch(fresh, body, true, faults);
    record->patch(known, body, false, faults);
    CHECK(faults.none());
    CHECK(fresh.origin == "web");
    CHECK(fresh.verdict.empty());
    CHECK(known.origin.empty());
    CHECK(known.verdict == "good");
    for (const Guest* guest : {&fresh, &known}) {
        CHECK(guest->credit == 5);
        CHECK(guest->made_by == "desk");
        CHECK(guest->stars == 0);
    }
}

using Entries = std::initializer_list<record::Entry<Guest>>;

TEST_CASE("a record with a field that does not say who writes it is rejected at start; rows need no say") {
    using namespace record;
    const Layout layout{.table = "guests", .component = "G"};
    const auto made = [&](Entry<Guest> entry) { Record<Guest>(layout, Entries{id(&Guest::id), std::move(entry)}); };
    const auto take = [](Guest&, const Value&, Faults&) {};
    const auto show = [](const Guest&) { return Value(1); };
    CHECK_THROWS_WITH_AS(made(column("room", &Guest::room, api::id())),
                         "Record guests: room does not say who writes it: by_client, by_server or by_other.",
                         std::logic_error);
    CHECK_THROWS_AS(made(column("room", &Guest::room, api::id(), sortable)), std::logic_error);
    CHECK_THROWS_AS(made(computed<Guest>("room", api::id(), show, take)), std::logic_error);
    CHECK_THROWS_AS(made(linked("friends", &Guest::friends, {.table = "f", .owner = "a", .other = "b"})),
                    std::logic_error);
    CHECK_NOTHROW(made(column("room", &Guest::room, api::id(), by_client)));
    CHECK_NOTHROW(made(column("room", &Guest::room, api::id(), by_other)));
    // These say it by what they are.
    CHECK_NOTHROW(made(column("room", &Guest::room, api::id(), hidden)));
    CHECK_NOTHROW(made(stored("room", &Guest::room)));
    CHECK_NOTHROW(made(computed<Guest>("room", api::id(), show)));
    CHECK_NOTHROW(made(derived("room", &Guest::room, "1", api::id())));

    const Rows<Guest> rows(layout, Entries{id(&Guest::id), column("room", &Guest::room, api::id())});
    CHECK(holds(rows.insert_statement(), ":room"));
    CHECK(holds(rows.update_statement(), "room = :room"));
}

template <class R>
concept has_wire = requires(const R& rows) {
    rows.to_json(Guest{});
    rows.create_schema();
    rows.wire();
};

TEST_CASE("rows have no wire: no JSON, no schemas, and no resource can be built of them") {
    CHECK(has_wire<record::Record<Guest>>);
    CHECK(!has_wire<record::Rows<Guest>>);
    CHECK(std::is_convertible_v<record::Record<Guest>&, const record::Rows<Guest>&>);
    CHECK(!std::is_convertible_v<record::Rows<Guest>&, const record::Record<Guest>&>);
}

TEST_CASE("a declaration that contradicts itself is rejected at start") {
    const auto made = [](Entries entries) { record::Record<Guest>({.table = "guests", .component = "G"}, entries); };
    CHECK_THROWS_AS(made(Entries{record::column("name", &Guest::name, api::text(9))}), std::logic_error);
    CHECK_THROWS_AS(made(Entries{record::id(&Guest::id), record::id(&Guest::id)}), std::logic_error);
    const auto with = [&](record::Entry<Guest> entry) { made(Entries{record::id(&Guest::id), std::move(entry)}); };
    using namespace record;
    CHECK_NOTHROW(with(column("room", &Guest::room, api::id(), by_client | required)));
    CHECK_THROWS_AS(with(column("room", &Guest::room, api::id(), by_client | sealed)), std::logic_error);
    CHECK_THROWS_AS(with(column("name", &Guest::name, api::text(9), by_client | sealed)),
                    std::logic_error);  // by what?
    CHECK_THROWS_AS(with(column("room", &Guest::room, api::id(), by_client | hidden)), std::logic_error);
    CHECK_THROWS_AS(with(column("room", &Guest::room, api::id(), by_server | required)), std::logic_error);
    CHECK_THROWS_AS(with(column("room", &Guest::room, api::id(), by_server | also({"rooms"}))), std::logic_error);
    CHECK_THROWS_AS(with(computed<Guest>(
                        "room", api::id(), [](const Guest&) { return Value(1); }, {}, by_client)),
                    std::logic_error);
    CHECK_THROWS_AS(by_client | by_server, std::logic_error);
}

}  // namespace

TEST_CASE("a record names the columns that a table of its list shows first") {
    CHECK(guests()->list_columns() == std::vector<std::string>{"name", "status"});
}

}  // namespace svc::tests
