// Users and application passwords, as operators and their owners make them.
#include <atomic>
#include <thread>

#include "base/people/identity/staff.hpp"
#include "tests/base/people/identity/identity_site.hpp"

using namespace svc;
using tests::each_site;
using tests::IdentitySite;

TEST_CASE("a user is made with a role, found by login and by address in any case") {
    each_site([](IdentitySite& site) {
        auto& accounts = site.service.accounts();
        CHECK(accounts.has_users());
        CHECK(accounts.find("ADA")->id == site.ada);
        CHECK(accounts.find(" Ada@Example.ORG ")->id == site.ada);
        CHECK(accounts.find("ada")->role == "administrator");
        CHECK_FALSE(accounts.find("nobody"));
        CHECK_FALSE(accounts.find("\xff\xfe"));
    });
}

TEST_CASE("a user that cannot be made is refused with the field") {
    each_site([](IdentitySite& site) {
        struct Bad {
            const char *login, *email, *role, *password, *field;
        };
        for (const Bad& bad : {Bad{"", "b@example.org", "owner", "12345678", "login"},
                               Bad{"a:b", "b@example.org", "owner", "12345678", "login"},
                               Bad{"a@b", "b@example.org", "owner", "12345678", "login"},
                               Bad{"a b", "b@example.org", "owner", "12345678", "login"},
                               Bad{"bob", "nowhere", "owner", "12345678", "email"},
                               Bad{"bob", "b@example.org", "king", "12345678", "role"},
                               Bad{"bob", "b@example.org", "owner", "1234567", "password"}}) {
            CAPTURE(bad.field);
            const auto refused = site.service.accounts().add_user(bad.login, bad.email, bad.role, bad.password);
            REQUIRE_FALSE(refused);
            CHECK(refused.error().fields().at(0).field == bad.field);
        }
        CHECK(&site.service.accounts().add_user("bob", "ADA@example.org", "owner", "12345678").error().code() ==
              &errc::email_exists);
        CHECK(&site.service.accounts().add_user("Ada", "b@example.org", "owner", "12345678").error().code() ==
              &errc::conflict);
    });
}

TEST_CASE("an unknown role is refused with the list of those there are") {
    each_site([](IdentitySite& site) {
        const auto refused = site.service.accounts().add_user("bob", "b@example.org", "king", "12345678");
        REQUIRE_FALSE(refused);
        const auto message = refused.error().message().english();
        for (const char* role : {"king", "administrator", "svc_customer", "guide"})
            CHECK(message.find(role) != std::string::npos);
    });
}

TEST_CASE("the rows of the roles follow the release") {
    each_site([](IdentitySite& site) {
        site.run("UPDATE svc_roles SET capabilities = '[\"manage_options\"]' WHERE slug = 'guide'");
        site.service.accounts().prepare();
        const auto stored = site.real->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT capabilities FROM svc_roles WHERE slug = 'guide'", "t", {},
                                    [](const store::Row& row) { return row.text(0); })
                .value();
        });
        CHECK(stored.find("manage_options") == std::string::npos);
        const int before = site.store.commits();
        site.service.accounts().prepare();
        CHECK(site.store.commits() == before);
    });
}

TEST_CASE("neither passwords nor tokens are in the database") {
    each_site([](IdentitySite& site) {
        const auto password = site.service.accounts().add_application_password("ada@example.org", "shop");
        REQUIRE(password);
        CHECK(password->size() == 24);
        const auto in = site.sign_in("ada", tests::good_password);
        REQUIRE(in);
        std::string dump;
        site.real->read([&](store::Session& session) {
            const auto take = [&](const store::Row& row) { dump += row.text(0) + "\n"; };
            session.each("SELECT password_hash FROM svc_application_passwords", "t", {}, take);
            session.each("SELECT password_hash FROM svc_users", "t", {}, take);
            session.each("SELECT token_hash FROM svc_sessions", "t", {}, take);
        });
        CHECK(dump.find("$argon2id$") != std::string::npos);
        CHECK(dump.find(*password) == std::string::npos);
        CHECK(dump.find(tests::good_password) == std::string::npos);
        CHECK(dump.find(in->token) == std::string::npos);
        CHECK(dump.find(crypto::sha256_hex(*password)) == std::string::npos);  // keyed, so useless without the key
    });
}

TEST_CASE("application passwords are listed without their secret and capped at fifty") {
    each_site([](IdentitySite& site) {
        api::RouteTable routes;
        identity::add_routes(routes, site.service);
        api::Caller caller = site.with_basic("ada", site.password_of(site.ada)).value();
        const auto made = tests::call_route(routes, "POST", "/auth/application-passwords",
                                            {.caller = caller, .body = json::Value::object({{"name", " Shop  "}})});
        REQUIRE_FALSE(made.error);
        CHECK(made.status == 201);
        const auto list = tests::call_route(routes, "GET", "/auth/application-passwords", {.caller = caller}).data;
        CHECK(list.size() == 2);
        CHECK(list[1]["name"].text() == "Shop");
        CHECK(list.dump().find(made.data["password"].text()) == std::string::npos);
        CHECK(tests::call_route(routes, "GET", "/auth/application-passwords", {}).error->code().status == 401);
        CHECK(
            tests::call_route(routes, "POST", "/auth/application-passwords", {.caller = caller}).error->code().status ==
            400);
        for (int i = 2; i < 50; ++i)
            site.password_of(site.ada);
        CHECK(&site.service.accounts().add_password(site.ada, "one more").error().code() == &errc::conflict);
    });
}

TEST_CASE("only the owner revokes an application password, and once") {
    each_site([](IdentitySite& site) {
        api::RouteTable routes;
        identity::add_routes(routes, site.service);
        const auto bob = site.service.accounts().add_user("bob", "bob@example.org", "owner", "12345678").value();
        const auto password = site.service.accounts().add_password(site.ada, "shop").value();
        const auto path = "/auth/application-passwords/" + std::to_string(password.id);
        api::Caller ada = site.with_basic("ada", password.password).value();
        api::Caller other = site.with_basic("bob", site.password_of(bob)).value();
        CHECK(tests::call_route(routes, "DELETE", path, {.caller = other}).error->code().status == 404);
        CHECK(tests::call_route(routes, "DELETE", path, {.caller = ada}).data["deleted"].boolean());
        CHECK(tests::call_route(routes, "DELETE", path, {.caller = ada}).error->code().status == 404);
    });
}

TEST_CASE("of the last two who administer one stays, if both are disabled or lose their role at the same moment") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        IdentitySite site(database);
        REQUIRE(site.service.accounts().add_user("bea", "bea@example.org", "owner", tests::good_password));
        const auto others = database.open();  // as another process has it
        namespace staff = identity::staff;
        for (int round = 0; round < 20; ++round) {
            CAPTURE(round);
            const bool disables = round % 2 == 0;
            std::atomic<int> waiting = 0;
            std::atomic<int> done = 0, refused = 0;
            const auto leave = [&](store::Store& store, const char* login) {
                ++waiting;
                while (waiting < 2)
                    std::this_thread::yield();
                for (;;)
                    try {
                        const auto left = store.write([&](store::Transaction& tx) -> Result<void> {
                            // Both have begun before either ends.
                            const auto result = disables ? staff::disable(tx, login, site.clock.now())
                                                         : staff::set_role(tx, login, "guide", site.clock.now());
                            std::this_thread::sleep_for(std::chrono::milliseconds(20));
                            return result;
                        });
                        ++(left ? done : refused);
                        if (!left)
                            CHECK(left.error().code().name == "svc_conflict");
                        return;
                    } catch (const store::Unavailable&) {
                        continue;
                    }
            };
            std::thread first([&] { leave(*site.real, "ada"); });
            std::thread second([&] { leave(*others, "bea"); });
            first.join();
            second.join();
            CHECK(done == 1);
            CHECK(refused == 1);
            REQUIRE(site.real->write([](store::Transaction& tx) -> Result<void> {
                tx.run(
                    "UPDATE svc_users SET status = 'active', role_id = (SELECT id FROM svc_roles WHERE slug = 'owner')",
                    {});
                return {};
            }));
        }
    });
}
