// Requests, replies, errors, transactions, hooks and secrets cross the plugin interface unchanged.
#include <doctest/doctest.h>

#include "shared/api/keeping.hpp"
#include "shared/plugin/codec.hpp"
#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

namespace {

api::RouteSpec route(api::Method method, std::string path, std::function<api::Reply(const api::Request&)> handle) {
    return {.method = method,
            .path = std::move(path),
            .who = api::Permission::everyone(),
            .summary = "For the test.",
            .handle = std::move(handle)};
}

const ErrorCode made_up{"svc_mine_only", 418, "Only this plugin knows this."};

std::int64_t count(store::Session& session) { return session.number("SELECT COUNT(*) FROM things", {}); }

void put(store::Transaction& tx, std::int64_t id, std::string_view name) {
    tx.run("INSERT INTO things (id, name, note) VALUES (:id, :name, :note)",
           {{"id", id}, {"name", name}, {"note", nullptr}});
}

}  // namespace

TEST_CASE("a handler sees the request as a handler of the base does") {
    Stand stand;
    stand.headers = {{"X-Signature", "abc"}, {"X-Other", "def"}};
    REQUIRE(stand.attach([](Host& host) {
        auto spec = route(api::Method::put, "/things/{id}", [](const api::Request& request) {
            return api::ok(json::Value::object({{"id", request.path_id()},
                                                {"sort", request.query["sort"]},
                                                {"title", request.body["title"]},
                                                {"user", request.caller.user_id},
                                                {"may", request.caller.can("svc_edit_trips")},
                                                {"address", request.address},
                                                {"now", request.now},
                                                {"signature", request.header("x-signature")},
                                                {"other", request.header("x-other")},
                                                {"has_id", !request.id.empty()}}));
        });
        spec.query = {{.name = "sort", .type = api::choice({"up", "down"}), .otherwise = json::Value("up")}};
        spec.body = {{.name = "title", .type = api::text(10), .required = true}};
        host.need<plugin::Routes>().add(spec, {"x-signature"});
    }));
    const auto reply = stand.call("PUT", "/things/12?sort=down", json::Value::object({{"title", " Näh\"e "}}));
    CHECK(reply.status == 200);
    const auto& data = reply.data();
    CHECK(data["id"].integer() == 12);
    CHECK(data["sort"].text() == "down");
    CHECK(data["title"].text() == "Näh\"e");
    CHECK(data["user"].integer() == 7);
    CHECK(data["may"].boolean());
    CHECK(data["address"].text() == "203.0.113.9");
    CHECK(data["now"].text() == "2026-05-04T10:00:00Z");
    CHECK(data["signature"].text() == "abc");
    CHECK(data["other"].text().empty());
    CHECK(data["has_id"].boolean());
    CHECK(stand.call("PUT", "/things/12", json::Value::object()).body["data"]["field"].text() == "title");
}

TEST_CASE("a reply crosses with status, page, headers and bytes of any kind") {
    Stand stand;
    const std::string bytes("\x00\xff\x80 bytes", 9);
    REQUIRE(stand.attach([&](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        routes.add(route(api::Method::post, "/made", [](const api::Request&) {
            auto reply = api::created(json::Value(Money(19999, Currency::usd())), "/things/5");
            reply.headers.emplace_back("X-Mine", "yes");
            return reply;
        }));
        auto list = route(api::Method::get, "/listed", [](const api::Request& request) {
            const auto page = api::page_of(*request.route, request.query).value();
            return api::list_reply(json::Value::array({1, 2}), page, 42);
        });
        list.is_list = true;
        list.sortable = {"id"};
        routes.add(list);
        routes.add(route(api::Method::get, "/file", [&](const api::Request&) {
            api::Reply reply;
            reply.raw = std::make_shared<const std::string>(bytes);
            reply.content_type = "application/octet-stream";
            return reply;
        }));
    }));
    const auto made = stand.call("POST", "/made", json::Value::object());
    CHECK(made.status == 201);
    CHECK(made.data().number_text() == "199.99");
    CHECK(made.header("X-Mine") == "yes");
    CHECK(made.header("Location").ends_with("/things/5"));
    const auto listed = stand.call("GET", "/listed?per_page=2&page=3");
    CHECK(listed.body["meta"]["total"].integer() == 42);
    CHECK(listed.body["meta"]["page"].integer() == 3);
    CHECK(listed.header("X-Host-Total") == "42");
    const auto file = stand.call("GET", "/file");
    CHECK(file.text == bytes);
    CHECK(file.header("Content-Type") == "application/octet-stream");
}

TEST_CASE("a raw body crosses byte for byte") {
    Stand stand;
    std::string seen;
    REQUIRE(stand.attach([&](Host& host) {
        auto spec = route(api::Method::post, "/hook", [&](const api::Request& request) {
            seen = request.raw_body;
            return api::ok(true);
        });
        spec.raw_body_only = true;
        host.need<plugin::Routes>().add(spec);
    }));
    CHECK(stand.call("POST", "/hook", json::Value("ä\n")).status == 200);
    CHECK(seen == "\"ä\\n\"");
}

TEST_CASE("an error crosses with every field, its data and its wait, and its cause stays in the log") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        routes.add(route(api::Method::get, "/wrong", [](const api::Request&) {
            return api::failed(Error(errc::validation_error, "Two things are wrong."_sentence)
                                   .at("first", "The first."_sentence)
                                   .at("second", "The second."_sentence)
                                   .with("limit", "12")
                                   .because("table things is on fire"));
        }));
        routes.add(route(api::Method::get, "/busy",
                         [](const api::Request&) { return api::failed(Error(errc::rate_limited).after(17)); }));
        routes.add(route(api::Method::get, "/own", [](const api::Request&) { return api::failed(made_up); }));
    }));
    const auto wrong = stand.call("GET", "/wrong");
    CHECK(wrong.status == 400);
    CHECK(wrong.body["message"].text() == "Two things are wrong.");
    CHECK(wrong.body["data"]["field"].text() == "first");
    CHECK(wrong.body["data"]["errors"]["second"][std::size_t{0}].text() == "The second.");
    CHECK(wrong.body["data"]["limit"].integer() == 12);
    CHECK(wrong.text.find("fire") == std::string::npos);
    const auto busy = stand.call("GET", "/busy");
    CHECK(busy.status == 429);
    CHECK(busy.header("Retry-After") == "17");
    const auto own = stand.call("GET", "/own");
    CHECK(own.status == 418);
    CHECK(own.code() == "svc_mine_only");
    CHECK(own.body["message"].text() == "Only this plugin knows this.");
}

TEST_CASE("sentences of a plugin cross with their values, and are said in the language that the caller asks for") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        routes.add(route(api::Method::get, "/wrong", [](const api::Request&) {
            return api::failed(Error(errc::validation_error, "A value is missing or invalid."_sentence)
                                   .at("first", "This must be at least {least}."_sentence.with("least", 3))
                                   .at("second", Sentence::verbatim("Words of a partner.")));
        }));
        auto ruled = route(api::Method::post, "/ruled", [](const api::Request&) { return api::ok({}); });
        ruled.body = {{.name = "seats", .type = api::integer(1, 9)}, {.name = "code", .type = api::text(9)}};
        ruled.rules = [](const api::Request&) -> Result<std::vector<FieldError>> {
            return std::vector<FieldError>{{"code", "This code is already in use."_sentence}};
        };
        routes.add(ruled);
        routes.add(route(api::Method::get, "/told", [](const api::Request& request) {
            return api::ok(json::Value::object(
                {{"rows", json::Value::array({request.say("This code is already in use."_sentence), "As it is."})}}));
        }));
    }));
    stand.headers = {{"Accept-Language", "de"}};
    const auto told = stand.call("GET", "/told");
    CHECK(told.data()["rows"][std::size_t{0}].text() == "Dieser Code wird bereits verwendet.");
    CHECK(told.data()["rows"][std::size_t{1}].text() == "As it is.");
    const auto wrong = stand.call("GET", "/wrong");
    CHECK(wrong.body["message"].text() == "Eine Angabe fehlt oder ist ungültig.");
    CHECK(wrong.body["data"]["errors"]["first"][std::size_t{0}].text() == "Das muss mindestens 3 sein.");
    CHECK(wrong.body["data"]["errors"]["second"][std::size_t{0}].text() == "Words of a partner.");
    const auto ruled = stand.call("POST", "/ruled", json::parse(R"({"seats":0})").value());
    CHECK(ruled.body["data"]["errors"]["code"][std::size_t{0}].text() == "Dieser Code wird bereits verwendet.");
    stand.headers.clear();
    CHECK(stand.call("GET", "/wrong").body["data"]["errors"]["first"][std::size_t{0}].text() ==
          "This must be at least 3.");
}

TEST_CASE("what an older side sends without sentences is shown as it is") {
    const auto faults = plugin::faults_from(json::parse(R"([["code","Not this one."]])").value());
    REQUIRE(faults.size() == 1);
    CHECK(faults.front().sentence == "Not this one.");
    CHECK_FALSE(faults.front().sentence.is_known());
    CHECK(plugin::to_json(faults, false) == json::parse(R"([["code","Not this one."]])").value());
    plugin::Answer answer;
    const auto* table = answer.table();
    const std::string code = "svc_not_found", message = "Gone.",
                      details = R"({"status":404,"fields":[["id","No such id."]]})";
    table->error(table->self, plugin::borrow(code), plugin::borrow(message), {});
    table->details(table->self, plugin::borrow(details));
    const Error error = answer.done(SVC_REFUSED).error();
    CHECK(error.message() == "Gone.");
    CHECK_FALSE(error.message().is_known());
    CHECK(error.fields().front().sentence == "No such id.");
}

TEST_CASE("a check of the plugin decides at the gate, before the handler") {
    Stand stand;
    int handled = 0;
    REQUIRE(stand.attach([&](Host& host) {
        auto spec = route(api::Method::get, "/things/{id}", [&](const api::Request&) {
            ++handled;
            return api::ok(true);
        });
        spec.who = api::Permission::decided_by("owner of the thing", [](const api::Request& request) -> Result<void> {
            if (request.path_id() == 1)
                return {};
            return errc::booking_not_found;
        });
        host.need<plugin::Routes>().add(spec);
    }));
    CHECK(stand.call("GET", "/things/1").status == 200);
    CHECK(stand.call("GET", "/things/2").code() == "booking_not_found");
    CHECK(handled == 1);
    CHECK(stand.routes.all().front()->who.text() == "owner of the thing");
}

TEST_CASE("the store is the base's: what it refuses arrives as the same failure") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Stand stand(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        plugin::Store* held = nullptr;
        REQUIRE(stand.attach([&](Host& host) { held = host.find<plugin::Store>(); }));
        auto& store = *held;
        CHECK(store.dialect() == kind.dialect());

        int afterwards = 0;
        CHECK(store.write([&](store::Transaction& tx) -> Result<void> {
            put(tx, 1, "one");
            tx.after_commit([&] { ++afterwards; });
            return {};
        }));
        CHECK(afterwards == 1);

        // Refused by the plugin: rolled back, its error handed back.
        const auto refused = store.write([&](store::Transaction& tx) -> Result<void> {
            put(tx, 2, "two");
            tx.after_commit([&] { ++afterwards; });
            return invalid("name", "Not this one."_sentence);
        });
        CHECK(refused.error().fields().front().field == "name");
        CHECK(afterwards == 1);

        CHECK_THROWS_AS((void)store.write([&](store::Transaction& tx) -> Result<void> {
            put(tx, 3, "one");
            return {};
        }),
                        store::UniqueViolation);
        CHECK_THROWS_AS((void)store.write([&](store::Transaction& tx) -> Result<void> {
            tx.run("INSERT INTO things (id) VALUES (:id)", {{"id", nullptr}});
            return {};
        }),
                        store::ConstraintViolation);
        CHECK_THROWS_AS((void)store.write([](store::Transaction&) -> Result<void> { throw std::range_error("mine"); }),
                        std::runtime_error);

        // A part that fails alone.
        CHECK(store.write([&](store::Transaction& tx) -> Result<void> {
            const auto part = tx.attempt([&]() -> Result<void> {
                put(tx, 4, "four");
                return errc::conflict;
            });
            CHECK(part.error().code().name == "svc_conflict");
            CHECK_THROWS_AS((void)tx.attempt([&]() -> Result<void> {
                put(tx, 5, "one");
                return {};
            }),
                            store::UniqueViolation);
            put(tx, 6, "six");
            return {};
        }));

        store.read([&](store::Session& session) {
            CHECK(count(session) == 2);
            std::vector<std::string> names;
            session.each("SELECT id, name, note FROM things ORDER BY id", "itt", {}, [&](const store::Row& row) {
                names.push_back(row.text(1));
                CHECK(row.is_null(2));
                CHECK_FALSE(row.maybe_text(2));
                CHECK_THROWS_AS((void)row.integer(1), std::logic_error);
            });
            CHECK(names == std::vector<std::string>{"one", "six"});
            CHECK_THROWS_AS(session.each("SELECT id FROM things", "i", {}, [](const store::Row&) { throw 7; }), int);
        });
    });
}

TEST_CASE("a conflict inside the plugin's work reaches the base's store as one, which repeats it where it can help") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Stand stand(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        plugin::Store* store = nullptr;
        int runs = 0;
        REQUIRE(stand.attach([&](Host& host) { store = host.find<plugin::Store>(); }));
        const auto conflicting = [&](store::Transaction& tx) -> Result<void> {
            put(tx, 1, "one");
            if (++runs < 3)
                throw store::Retryable("again");
            return {};
        };
        if (kind.dialect() == store::Dialect::sqlite) {  // its one writer meets no other
            CHECK_THROWS_AS((void)store->write(conflicting), store::Retryable);
        } else {
            CHECK(store->write(conflicting));
            CHECK(runs == 3);
            CHECK(stand.number("SELECT COUNT(*) FROM things") == 1);
        }
    });
}

TEST_CASE("a session is refused outside the callback it was lent to, and no second one is lent beside it") {
    Stand stand;
    svc_session* stale = nullptr;
    const svc_store_1* table = nullptr;
    plugin::Store* store = nullptr;
    script([](Host&) {});
    static const svc_store_1* seen;
    const auto attach = scripted_table().attach;
    static svc_status (*inner)(const svc_host*, void**, svc_answer*);
    inner = attach;
    scripted_table().attach = [](const svc_host* host, void** self, svc_answer* why_not) {
        seen = static_cast<const svc_store_1*>(host->service(host->self, SVC_STORE_1));
        return inner(host, self, why_not);
    };
    REQUIRE(stand.attach(&scripted_entry));
    table = seen;
    plugin::Store wrapped(table);
    store = &wrapped;
    REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
        stale = plugin::Store::face_of(tx);
        CHECK_THROWS_AS((void)store->write([](store::Transaction&) -> Result<void> { return {}; }), plugin::Failed);
        CHECK_THROWS_AS(store->read([](store::Session&) {}), plugin::Failed);
        return {};
    }));
    std::int64_t affected = 0;
    svc_answer answer{};
    CHECK(table->run(table->self, stale, {"DELETE FROM things", 18}, nullptr, 0, &affected, &answer) == SVC_FAILED);
    CHECK(table->after_commit(
              table->self, stale, nullptr, [](void*) {}, nullptr) != SVC_OK);
}

TEST_CASE("a filter called inside a transaction writes in that transaction") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Stand stand(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        bool outside_seen = false;
        REQUIRE(stand.attach([&](Host& host) {
            REQUIRE(host.hooks().filter("svc_thing_price", {.name = "mine", .module = {}},
                                        [&](store::Transaction* tx, const json::Array& values) -> json::Value {
                                            if (!tx) {
                                                outside_seen = true;
                                                return values[0].integer() + 1;
                                            }
                                            put(*tx, values[1].integer(), "by filter");
                                            return values[0].integer() * 2;
                                        }));
        }));
        const auto& filter = stand.hooks.declared_filters.front();
        const auto apply = [&](std::int64_t id, bool commit) {
            std::int64_t price = 0;
            (void)stand.store->write([&](store::Transaction& tx) -> Result<void> {
                price = stand.hooks.apply(filter, 21, {id}, &tx).integer();
                return commit ? Result<void>{} : Result<void>{errc::conflict};
            });
            return price;
        };
        CHECK(apply(1, false) == 42);
        CHECK(stand.number("SELECT COUNT(*) FROM things") == 0);
        CHECK(apply(2, true) == 42);
        CHECK(stand.number("SELECT COUNT(*) FROM things") == 1);
        CHECK(stand.hooks.apply(filter, 21, {3}, nullptr).integer() == 22);
        CHECK(outside_seen);
    });
}

TEST_CASE("the plugin's actions fire after the commit and not at all without one") {
    Stand stand;
    plugin::Store* store = nullptr;
    plugin::Hooks* hooks = nullptr;
    const hooks::Action mine{"svc_mine_done", "For the test.", {"id"}};
    const hooks::Filter named{"svc_mine_name", "For the test.", json::Kind::string, {}};
    std::vector<std::int64_t> heard;
    REQUIRE(stand.attach([&](Host& host) {
        store = host.find<plugin::Store>();
        hooks = host.find<plugin::Hooks>();
        hooks->declare(mine);
        hooks->declare(named);
        REQUIRE(hooks->on("svc_mine_done", {.name = "mine", .module = {}},
                          [&](const json::Array& arguments) { heard.push_back(arguments.at(0).integer()); }));
    }));
    for (const bool commit : {false, true})
        (void)store->write([&](store::Transaction& tx) -> Result<void> {
            hooks->emit(tx, mine, {commit ? 2 : 1});
            return commit ? Result<void>{} : Result<void>{errc::conflict};
        });
    CHECK(heard == std::vector<std::int64_t>{2});
    CHECK(hooks->apply(named, "plain", {}).text() == "plain");
}

TEST_CASE("a write of the plugin keeps its answer in its own transaction") {
    Stand stand;
    stand.keeps_replies = true;
    plugin::Store* store = nullptr;
    REQUIRE(stand.attach([&](Host& host) {
        store = host.find<plugin::Store>();
        host.need<plugin::Routes>().add(route(api::Method::post, "/made", [&](const api::Request& request) {
            return api::respond_once(
                request,
                [&] {
                    return store->write([&](store::Transaction& tx) -> Result<void> {
                        put(tx, 1, "one");
                        return {};
                    });
                },
                api::created("kept", "/made/1"));
        }));
        host.need<plugin::Routes>().add(route(api::Method::post, "/told", [&](const api::Request& request) {
            const auto work = [&](store::Transaction& tx) -> Result<std::string> {
                put(tx, 2, "two");
                return std::string("told");
            };
            return api::respond_once(
                request, [&] { return store->transact<std::string>(work); },
                [](const std::string& told) { return api::created(told); });
        }));
    }));
    CHECK(stand.call("POST", "/told", json::Value::object()).status == 201);
    CHECK(stand.call("POST", "/made", json::Value::object()).status == 201);
    CHECK(stand.kept == std::vector<std::string>{"\"told\"", "\"kept\""});

    // An equal request was first: the work is rolled back and the base's own way out is reached.
    stand.answered_first = true;
    REQUIRE(stand.store->write([](store::Transaction& tx) -> Result<void> {
        tx.run("DELETE FROM things", {});
        return {};
    }));
    CHECK(stand.call("POST", "/made", json::Value::object()).data().text() == "what the first was answered");
    CHECK(stand.number("SELECT COUNT(*) FROM things") == 0);
}

TEST_CASE("settings, modules, jobs, log and fetch reach the base") {
    Stand stand;
    stand.fetch = [](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
        if (request.url == "https://down.example/")
            return Error(errc::upstream_error).because("timeout");
        return plugins::FetchReply{.status = 201, .headers = {{"X-A", "b"}}, .body = request.method + request.body};
    };
    Host* held = nullptr;
    REQUIRE(stand.attach([&](Host& host) {
        held = &host;
        host.need<plugin::Settings>().declare(
            {.key = "mine_limit", .type = api::integer(1, 9), .initial = 3, .help = "For the test."});
        host.need<plugin::Modules>().declare({.slug = "mine",
                                              .name = "Mine",
                                              .description = "",
                                              .category = "",
                                              .settings = {},
                                              .steps = {{"0001_mine.sql", "CREATE TABLE mine (id BIGINT);\n"}},
                                              .prepare = []() -> Result<void> { return {}; }});
        host.need<plugin::Jobs>().add({.name = "mine",
                                       .help = "For the test.",
                                       .daily_at = ClockTime::parse("03:30"),
                                       .run = [](Instant now) -> Result<json::Value> {
                                           return json::Value::object({{"at", now}});
                                       }});
    }));
    auto& settings = held->need<plugin::Settings>();
    CHECK(settings.get("mine_limit").integer() == 3);
    CHECK(settings.write(json::Value::object({{"mine_limit", 5}})));
    CHECK(settings.get("mine_limit").integer() == 5);
    CHECK(settings.write(json::Value::object({{"mine_limit", 50}})).error().fields().front().field == "mine_limit");
    CHECK_THROWS_AS((void)settings.get("no_such"), plugin::Failed);

    auto& modules = held->need<plugin::Modules>();
    CHECK_FALSE(modules.enabled("mine"));
    REQUIRE(stand.modules.toggle("mine", true, 7));
    CHECK(modules.enabled("mine"));
    CHECK(stand.number("SELECT COUNT(*) FROM mine") == 0);
    CHECK(stand.number("SELECT COUNT(*) FROM svc_migrations WHERE edition = 'scripted'") == 1);
    REQUIRE(stand.modules.toggle("mine", false, 7));
    REQUIRE(stand.modules.toggle("mine", true, 7));  // the step is not run again
    CHECK(modules.settings("mine"));
    CHECK_FALSE(modules.settings("no_such"));

    CHECK(stand.jobs.added.front().daily_at->text() == "03:30");
    CHECK(stand.jobs.run_now("mine")->find("at")->text() == "2026-05-04T10:00:00Z");
    held->need<plugin::Jobs>().wake("mine");
    CHECK(stand.jobs.woken == std::vector<std::string>{"mine"});

    held->need<plugin::Log>().write(log::Level::warning, "mine_said", {{"count", 3}, {"token", "sesame"}});
    CHECK(stand.log.find(R"("count":3)") != std::string::npos);
    CHECK(stand.log.find(R"("plugin":"scripted")") != std::string::npos);
    CHECK(stand.log.find("sesame") == std::string::npos);

    const auto& fetch = held->need<plugin::Fetch>();
    const auto reply = fetch({.method = "PUT", .url = "https://up.example/", .body = "x"});
    REQUIRE(reply);
    CHECK(reply->status == 201);
    CHECK(reply->body == "PUTx");
    CHECK(reply->headers.front().second == "b");
    CHECK(fetch({.method = "GET", .url = "https://down.example/"}).error().code().status == 502);
}

TEST_CASE("a sealed secret opens for the plugin and place it was sealed for alone") {
    Stand stand;
    plugin::Secrets* secrets = nullptr;
    REQUIRE(stand.attach([&](Host& host) { secrets = host.find<plugin::Secrets>(); }));
    const auto sealed = secrets->seal("open sesame", "t/1/key");
    CHECK(sealed.find("sesame") == std::string::npos);
    CHECK(*secrets->open(sealed, "t/1/key") == "open sesame");
    CHECK_FALSE(secrets->open(sealed, "t/2/key"));
    CHECK_FALSE(secrets->open(stand.keyring->seal("the base's", "t/1/key"), "t/1/key"));
}

TEST_CASE("a module's prepare that refuses keeps it off") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        host.need<plugin::Modules>().declare({.slug = "mine",
                                              .name = "Mine",
                                              .description = "",
                                              .category = "",
                                              .settings = {},
                                              .prepare = []() -> Result<void> { return errc::conflict; }});
    }));
    CHECK(stand.modules.toggle("mine", true, 7).error().code().name == "svc_conflict");
    CHECK_FALSE(stand.modules.enabled("mine"));
}
