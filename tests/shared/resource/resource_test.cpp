// A resource's routes: conditions, faults, trash, bulk, counts, order, replies and events.
#include "shared/resource/resource.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/shared/record/guest.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/recording_hooks.hpp"

namespace svc::tests {
namespace {

using json::Value;

const hooks::Action guest_created{"svc_guest_created", "", {"guest"}};
const hooks::Action guest_updated{"svc_guest_updated", "", {"guest", "before"}};
const hooks::Action guest_deleted{"svc_guest_deleted", "", {"guest_id", "guest"}};

struct House {
    explicit House(const Database& database, std::unique_ptr<record::Record<Guest>> declared = guests())
        : store(guest_store(database)), record(std::move(declared)) {
        for (const auto* action : {&guest_created, &guest_updated, &guest_deleted})
            hooks.declare(*action);
        using Does = resource::BulkAction::Does;
        resource::Options options{.store = *store,
                                  .path = "/guests",
                                  .one = "guest",
                                  .many = "guests",
                                  .reads = api::Permission::signed_in(),
                                  .writes = api::Permission::signed_in(),
                                  .removes = api::Permission::signed_in()};
        options.filters = {{.name = "room", .type = api::integer(1)}};
        options.bulk = {{.name = "close", .status = "closed"},
                        {.name = "trash", .status = "trash"},
                        {.name = "restore", .does = Does::restore},
                        {.name = "delete", .does = Does::remove, .capability = "svc_delete_guests"}};
        options.restored_status = "closed";
        options.events = {&hooks, &guest_created, &guest_updated, &guest_deleted};
        options.note_change = [this](store::Transaction&) { ++noted; };
        options.changed = [this] { ++changed; };
        options.taken = [](std::string_view) {
            return Error{errc::conflict, "Taken."_sentence}.at("name", "Taken."_sentence);
        };
        options.rejected = [](bool is_new) {
            return Error{errc::internal_error, is_new ? "Not made."_sentence : "Not changed."_sentence};
        };
        resource::Rules<Guest> rules;
        rules.check = [](const Guest*, const Guest& after, Faults& faults) {
            if (after.name == "Nobody")
                faults.at("name", "Give a real name."_sentence);
            if (after.share.ppm > 500'000)
                faults.at("share", "At most half."_sentence);
        };
        rules.may_delete = [](store::Session&, const Guest& guest, bool) {
            return guest.is_member ? Result<void>{errc::in_use} : Result<void>{};
        };
        rules.after_write = [this](store::Transaction& tx, const Guest* before, const Guest* after,
                                   const record::Writer& writer) {
            if (then)
                then(tx, writer);
            seen += std::string(before ? before->name : "-") + ">" + (after ? after->name : "-") + " ";
            if (after && after->status == "trash")
                tx.run("UPDATE guests SET motto = 'Gone' WHERE id = :id", {{"id", after->id}});
        };
        resource.emplace(*record, std::move(options), std::move(rules));
        for (auto spec :
             {resource->list_route(), resource->stats_route(), resource->read_route(), resource->create_route(),
              resource->update_route(), resource->remove_route(), resource->trash_route(), resource->restore_route(),
              resource->bulk_route(), resource->reorder_route()})
            routes.add(std::move(spec));
    }

    api::Reply call(std::string_view method, const std::string& path, Value body = Value::object(),
                    std::map<std::string, std::string> headers = {}, Value query = Value::object()) {
        Call call{.body = std::move(body), .query = std::move(query), .headers = std::move(headers)};
        call.caller.kind = api::Caller::Kind::user;
        call.caller.user_id = 3;
        call.caller.capabilities = capabilities;
        call.now = now;
        return call_route(routes, method, path, call, [&](api::Request& request) {
            request.keep_reply = [&](store::Transaction&, const api::Reply& reply) { kept.push_back(reply.data); };
            return request.route->handle(request);
        });
    }
    std::string make(const std::string& name, Value body = Value::object()) {
        body.set("name", name);
        const auto reply = call("POST", "/guests", body);
        REQUIRE(!reply.error);
        return "/guests/" + std::to_string(reply.data["id"].integer());
    }
    static std::string header(const api::Reply& reply, std::string_view wanted) {
        for (const auto& [name, value] : reply.headers)
            if (name == wanted)
                return value;
        return {};
    }

    std::unique_ptr<store::Store> store;
    std::unique_ptr<record::Record<Guest>> record;
    RecordingHooks hooks;
    std::optional<resource::Resource<Guest>> resource;
    api::RouteTable routes;
    std::vector<std::string> capabilities;
    std::vector<Value> kept;
    std::string seen;
    std::function<void(store::Transaction&, const record::Writer&)> then = {};  // after each write
    int noted = 0, changed = 0;
    Instant now = Instant::from_micros(1'700'000'000'000'000);
};

void in_each_house(const std::function<void(House&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        House house(database);
        body(house);
    });
}

TEST_CASE("a write answers the record with its ETag, and stores that reply in its transaction") {
    in_each_house([](House& house) {
        const auto made = house.call("POST", "/guests", Value::object({{"name", "Ada"}}));
        REQUIRE(!made.error);
        CHECK(made.status == 201);
        CHECK(made.data["created_by"].integer() == 3);
        CHECK(House::header(made, "Location") == "/guests/1");
        const auto etag = House::header(made, "ETag");
        CHECK(etag.starts_with("\"1-"));
        CHECK(house.kept == std::vector<Value>{made.data});
        CHECK(house.call("GET", "/guests/1", {}, {{"if-none-match", etag}}).status == 304);
        const auto changed = house.call("PUT", "/guests/1", Value::object({{"room", 4}}), {{"if-match", etag}});
        REQUIRE(!changed.error);
        CHECK(changed.data["room"].integer() == 4);
        CHECK(changed.data["name"].text() == "Ada");
        CHECK(changed.data["row_version"].integer() == 2);
        CHECK(house.kept.back() == changed.data);
        CHECK(house.changed == 2);
        CHECK(house.noted == 2);
        CHECK(house.seen == "->Ada Ada>Ada ");
    });
}

TEST_CASE("a write that changes nothing keeps the version and is told to nobody") {
    in_each_house([](House& house) {
        const auto path = house.make("Ada");
        const auto friends =
            Value::object({{"room", 4}, {"friends", Value::array({1})}, {"tags", Value::array({"a"})}});
        const auto before = house.call("PUT", path, friends);
        REQUIRE(!before.error);
        const int noted = house.noted;
        const auto seen = house.seen;
        for (const Value& same : {before.data, friends, Value::object()}) {
            const auto again = house.call("PUT", path, same);
            REQUIRE(!again.error);
            CHECK(again.data == before.data);
            CHECK(House::header(again, "ETag") == House::header(before, "ETag"));
        }
        CHECK(house.noted == noted);
        CHECK(house.seen == seen);
        const auto other = house.call("PUT", path, Value::object({{"tags", Value::array({"b"})}}));
        CHECK(other.data["row_version"].integer() == before.data["row_version"].integer() + 1);
    });
}

TEST_CASE("a write that was made on an older version is a conflict and changes nothing") {
    in_each_house([](House& house) {
        const auto path = house.make("Ada");
        REQUIRE(!house.call("PUT", path, Value::object({{"room", 4}})).error);
        for (const auto* method : {"PUT", "DELETE"}) {
            const auto stale = house.call(method, path, Value::object({{"room", 5}}), {{"if-match", "\"1\""}});
            REQUIRE(stale.error);
            CHECK(&stale.error->code() == &errc::conflict);
        }
        const auto body = house.call("PUT", path, Value::object({{"room", 5}, {"row_version", 1}}));
        REQUIRE(body.error);
        CHECK(&body.error->code() == &errc::conflict);
        CHECK(house.call("GET", path).data["room"].integer() == 4);
    });
}

TEST_CASE("all faults are reported at once, and the same by rules() beside the schema's") {
    in_each_house([](House& house) {
        const auto body = Value::object(
            {{"name", "Nobody"}, {"share", 60}, {"deposit", json::Number{"1.234"}}, {"friends", Value::array({9})}});
        const auto refused = house.call("POST", "/guests", body);
        REQUIRE(refused.error);
        std::vector<std::string> fields;
        for (const FieldError& fault : refused.error->fields())
            fields.push_back(fault.field + ": " + fault.sentence.english());
        CHECK(fields == std::vector<std::string>{"deposit: This must be an amount in USD with at most 2 decimals.",
                                                 "name: Give a real name.", "share: At most half.",
                                                 "friends: There is no guest 9."});
        api::Request request;
        const auto match = house.routes.match("POST", "/guests", [](std::string_view) { return true; });
        request.body = *match.route->body.check(body);
        CHECK(match.route->rules(request)->size() == 4);
        CHECK(house.store->reading<std::int64_t>(
                  [](store::Session& session) { return session.number("SELECT COUNT(*) FROM guests", {}); }) == 0);
    });
}

TEST_CASE("a deletion goes to the trash, restoring brings the status back, a second deletion is for good") {
    in_each_house([](House& house) {
        const auto path = house.make("Ada");
        CHECK(house.call("POST", path + "/restore").error);
        const auto deleted = house.call("DELETE", path);
        REQUIRE(!deleted.error);
        CHECK(deleted.data["deleted"].boolean());
        CHECK(house.call("GET", path).data["status"].text() == "trash");
        CHECK(house.call("GET", "/guests").page->total == 0);
        CHECK(house.call("POST", path + "/restore").data["status"].text() == "open");
        REQUIRE(!house.call("POST", path + "/trash").error);
        CHECK(house.call("POST", path + "/trash").data["status"].text() == "trash");
        REQUIRE(!house.call("DELETE", path).error);
        CHECK(house.call("GET", path).error);
        CHECK(house.call("DELETE", path).error->code().status == 404);
        const auto member = house.make("Bob", Value::object({{"is_member", true}}));
        CHECK(&house.call("DELETE", member).error->code() == &errc::in_use);
    });
}

TEST_CASE("bulk works on each id by itself and reports each") {
    in_each_house([](House& house) {
        house.make("Ada");
        house.make("Bob");
        const auto bulk = [&](const char* action) {
            return house.call("POST", "/guests/bulk",
                              Value::object({{"action", action}, {"ids", Value::array({1, 2, 99})}}));
        };
        auto reply = bulk("close");
        REQUIRE(!reply.error);
        CHECK(reply.data["affected"].integer() == 2);
        CHECK(reply.data["failed"].integer() == 1);
        CHECK(reply.data["results"][std::size_t{2}]["code"].text() == "svc_not_found");
        CHECK(house.call("GET", "/guests/1").data["status"].text() == "closed");
        CHECK(bulk("trash").data["affected"].integer() == 2);
        CHECK(house.call("GET", "/guests/stats").data ==
              Value::object({{"all", 0}, {"open", 0}, {"closed", 0}, {"trash", 2}}));
        CHECK(bulk("restore").data["affected"].integer() == 2);
        CHECK(&bulk("delete").error->code() == &errc::forbidden);
        house.capabilities = {"svc_delete_guests"};
        CHECK(bulk("delete").data["affected"].integer() == 2);
        CHECK(house.kept.back()["affected"].integer() == 2);
        CHECK(house.call("GET", "/guests/1").error);
    });
}

TEST_CASE("a bulk call is announced once, and what its records' writes change elsewhere for itself") {
    in_each_house([](House& house) {
        int noted = 0;
        const auto any = api::Permission::signed_in();
        const resource::Resource<Guest> others(*house.record,
                                               {.store = *house.store,
                                                .path = "/others",
                                                .one = "other",
                                                .many = "others",
                                                .reads = any,
                                                .writes = any,
                                                .removes = any,
                                                .note_change = [&noted](store::Transaction&) { ++noted; }},
                                               {});
        house.make("Ada");
        house.make("Bob");
        house.make("Eve");
        house.then = [&](store::Transaction& tx, const record::Writer& writer) {
            const auto change = [](Guest& guest, Faults&) { guest.credit += 1; };
            CHECK(others.change(tx, 3, change, writer));
        };
        house.noted = house.changed = 0;
        const auto close = [&](Value ids) {
            return house.call("POST", "/guests/bulk", Value::object({{"action", "close"}, {"ids", std::move(ids)}}));
        };
        REQUIRE(!close(Value::array({1, 2})).error);
        CHECK(house.noted == 1);
        CHECK(house.changed == 1);
        CHECK(noted == 2);
        CHECK(house.call("GET", "/guests/3").data["credit"].integer() == 7);
        house.then = {};
        REQUIRE(!close(Value::array({98, 99})).error);  // nothing changed
        CHECK(house.noted == 1);
        REQUIRE(!house.call("PUT", "/guests/1", Value::object({{"room", 7}})).error);
        CHECK(house.noted == 2);
    });
}

TEST_CASE("events carry the record as it is and as it was") {
    in_each_house([](House& house) {
        const auto path = house.make("Ada");
        REQUIRE(!house.call("PUT", path, Value::object({{"name", "Eve"}})).error);
        REQUIRE(!house.call("DELETE", path).error);
        const auto trashed = house.call("GET", path).data;
        REQUIRE(!house.call("DELETE", path).error);
        const auto emitted = house.hooks.emitted();
        REQUIRE(emitted.size() == 4);
        const auto arguments = [&](std::size_t at, std::string_view name) {
            REQUIRE(emitted[at].starts_with(name));
            return json::parse(emitted[at].substr(name.size())).value();
        };
        CHECK(arguments(0, "svc_guest_created")[std::size_t{0}]["name"].text() == "Ada");
        CHECK(arguments(1, "svc_guest_updated")[std::size_t{0}]["name"].text() == "Eve");
        CHECK(arguments(1, "svc_guest_updated")[std::size_t{1}]["name"].text() == "Ada");
        CHECK(arguments(2, "svc_guest_updated")[std::size_t{0}]["status"].text() == "trash");
        // As a reader gets it after the commit.
        CHECK(arguments(2, "svc_guest_updated")[std::size_t{0}]["motto"].text() == "Gone");
        CHECK(arguments(2, "svc_guest_updated")[std::size_t{0}] == trashed);
        CHECK(arguments(3, "svc_guest_deleted")[std::size_t{1}]["name"].text() == "Eve");
    });
}

TEST_CASE("what the database rejects is answered with the feature's sentence and no detail") {
    in_each_house([](House& house) {
        const auto path = house.make("Ada");
        const auto taken = house.call("POST", "/guests", Value::object({{"name", "Ada"}}));
        CHECK(&taken.error->code() == &errc::conflict);
        CHECK(taken.error->fields().front().field == "name");
        const auto rejected = house.call("PUT", path, Value::object({{"room", 13}}));
        REQUIRE(rejected.error);
        CHECK(rejected.error->message() == "Not changed.");
        CHECK(!rejected.error->cause().empty());
    });
}

TEST_CASE("lists filter and page; places are given to several at once") {
    in_each_house([](House& house) {
        house.make("Ada", Value::object({{"room", 7}}));
        house.make("Bob");
        const auto all = house.call("GET", "/guests", {}, {}, Value::object({{"room", 7}}));
        CHECK(all.page->total == 1);
        CHECK(all.data.items().front()["name"].text() == "Ada");
        const auto order = [](int id, int place) { return Value::object({{"id", id}, {"place", place}}); };
        const auto placed =
            house.call("POST", "/guests/orders",
                       Value::object({{"orders", Value::array({order(1, 9), order(2, 8), order(3, 7)})}}));
        REQUIRE(!placed.error);
        CHECK(placed.data["updated"].integer() == 2);
        CHECK(house.call("GET", "/guests/2").data["place"].integer() == 8);
        CHECK(house.call("GET", "/guests/2").data["row_version"].integer() == 2);
    });
}

TEST_CASE("the routes' schemas are named once, as OpenAPI refers to them") {
    const auto database = Database::sqlite();
    const House house(*database);
    CHECK(house.resource->create_route().body.name() == "GuestCreate");
    CHECK(house.resource->update_route().body.name() == "GuestUpdate");
    CHECK(house.resource->read_route().answer.members->name() == "Guest");
    CHECK(house.resource->list_route().answer.item->members->name() == "Guest");
    CHECK(house.resource->list_route().columns == std::vector<std::string>{"name", "status"});
    CHECK(house.resource->read_route().answer.json_schema()["title"].text() == "Guest");
}

TEST_CASE("one more field of the record is in every route's schema, in OpenAPI and in the list's orders") {
    const auto database = Database::sqlite();
    House house(*database, guests_with_nickname());
    const auto list = house.resource->list_route(), read = house.resource->read_route();
    for (const auto& schema : {*list.answer.item->members, *read.answer.members, house.resource->create_route().body,
                               house.resource->update_route().body})
        CHECK(schema.json_schema()["properties"]["nickname"]["maxLength"].integer() == 40);
    CHECK(std::count(list.sortable.begin(), list.sortable.end(), "nickname") == 1);
    const auto path = house.make("Ada", Value::object({{"nickname", "Countess"}}));
    CHECK(house.call("GET", path).data["nickname"].text() == "Countess");
    CHECK(house.call("PUT", path, Value::object({{"nickname", "Lady"}})).data["nickname"].text() == "Lady");
    const auto found = house.call("GET", "/guests", Value::object(), {}, Value::object({{"search", "lady"}}));
    CHECK(found.data.size() == 1);
}

TEST_CASE("a body is read as prepare() leaves it, and a resource may delete at once though it has a trash") {
    const auto database = Database::sqlite();
    House house(*database);
    resource::Rules<Guest> rules;
    rules.prepare = [](const Guest* before, Guest& after, Value& body, Faults& faults) {
        if (!before)
            after.currency = Currency::parse("JPY").value();
        if (const auto both = body.maybe_text("name"); both && both->starts_with("Dr. "))
            body.set("name", both->substr(4));
        if (body.find("motto"))
            faults.at("motto", "No mottos."_sentence);
    };
    const auto any = api::Permission::signed_in();
    const resource::Resource<Guest> doctors(*house.record,
                                            {.store = *house.store,
                                             .path = "/doctors",
                                             .one = "doctor",
                                             .many = "doctors",
                                             .reads = any,
                                             .writes = any,
                                             .removes = any,
                                             .bulk = {{.name = "trash", .status = "trash"}},
                                             .deletes_at_once = true},
                                            std::move(rules));
    for (auto spec : {doctors.create_route(), doctors.remove_route(), doctors.bulk_route(), doctors.restore_route()})
        house.routes.add(std::move(spec));
    const auto body = [](const char* text) { return json::parse(text).value(); };
    const auto made = house.call("POST", "/doctors", body(R"({"name":"Dr. Ada","deposit":150})"));
    CHECK(made.data["name"].text() == "Ada");
    CHECK(made.data["deposit"].number_text() == "150");
    CHECK(house.call("POST", "/doctors", body(R"({"name":"Bob","motto":"?"})")).error->fields().size() == 1);
    const Value ids = body(R"({"action":"trash","ids":[1]})");
    CHECK(house.call("POST", "/doctors/bulk", ids).data["affected"].integer() == 1);
    CHECK(house.call("POST", "/doctors/1/restore").data["status"].text() == "open");
    CHECK(house.call("DELETE", "/doctors/1").data["deleted"].boolean());
    CHECK(house.call("DELETE", "/doctors/1").error->code().name == "svc_not_found");
}

}  // namespace
}  // namespace svc::tests
