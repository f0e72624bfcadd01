// Identification: application passwords, cookies with nonces, and everything that only looks like them.
#include <thread>

#include "tests/base/people/identity/identity_site.hpp"

using namespace svc;
using namespace std::chrono_literals;
using tests::code_of;
using tests::each_site;
using tests::IdentitySite;
using Through = api::Caller::Through;

TEST_CASE("who sends no credentials is anonymous and costs no statement") {
    each_site([](IdentitySite& site) {
        const int before = site.store.statements();
        const auto caller = site.gatekeeper.authenticate({{"Accept", "*/*"}}, "203.0.113.9");
        REQUIRE(caller);
        CHECK_FALSE(caller->is_user());
        CHECK(site.store.statements() == before);
    });
}

TEST_CASE("an application password is its user, by login or address, grouped by blanks or not") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        std::string grouped;
        for (std::size_t i = 0; i < password.size(); i += 4)
            grouped += (i ? " " : "") + password.substr(i, 4);
        for (const auto& [user, secret] : {std::pair{std::string("ada"), password},
                                           {std::string("ADA"), password},
                                           {std::string("ada@example.org"), grouped}}) {
            const auto caller = site.with_basic(user, secret);
            REQUIRE(caller);
            CHECK(caller->user_id == site.ada);
            CHECK(caller->login == "ada");
            CHECK(caller->email == "ada@example.org");
            CHECK(caller->through == Through::application_password);
            CHECK(caller->can("svc_edit_trips"));
            CHECK(caller->session_key.starts_with("password:"));
        }
        CHECK(site.with_authorization("bAsIc   " + crypto::base64("ada:" + password)));
    });
}

TEST_CASE("wrong Basic credentials are 401 and never anonymous") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        const auto bob = site.service.accounts().add_user("bob", "bob@example.org", "owner", "12345678").value();
        const auto bobs = site.password_of(bob);
        auto changed = password;
        changed.back() = changed.back() == 'a' ? 'b' : 'a';
        for (const auto& value :
             {std::string("Basic"), std::string("Basic "), std::string("Basic !!!"), "Basic " + crypto::base64("ada"),
              "Basic " + crypto::base64("ada:" + changed), "Basic " + crypto::base64("ada:" + bobs),
              "Basic " + crypto::base64(":" + password), "Basic " + crypto::base64("nobody:" + password),
              "Basic " + crypto::base64("ada:" + password + "x"),
              "Basic " + crypto::base64("ada:" + password.substr(1)),
              "Basic " + crypto::base64("ada:" + password + std::string(1, '\0')),
              "Basic " + crypto::base64("ada:" + tests::good_password),  // a user's own password is none here
              "Basic " + crypto::base64("ada:" + password) + "x",
              "Basic " + crypto::base64(std::string("\xff\xfe:") + password),
              "Basic " + crypto::base64("a'; DROP TABLE svc_users; --:" + password)}) {
            CAPTURE(value);
            CHECK(code_of(site.with_authorization(value)) == &errc::unauthorized);
        }
        const auto header = "Basic " + crypto::base64("ada:" + password);
        CHECK(code_of(site.gatekeeper.authenticate({{"Authorization", header}, {"authorization", header}},
                                                   "203.0.113.9")) == &errc::unauthorized);
    });
}

TEST_CASE("a name with a colon or with other scripts is read by RFC 7617") {
    each_site([](IdentitySite& site) {
        const auto zoe = site.service.accounts().add_user("zoë", "zoe@example.org", "guide", "12345678").value();
        const auto password = site.password_of(zoe);
        CHECK(site.with_basic("zoë", password)->user_id == zoe);
        CHECK(site.with_basic("zoe\xcc\x88", password)->user_id == zoe);             // decomposed
        CHECK(code_of(site.with_basic("zo\xeb", password)) == &errc::unauthorized);  // Latin-1
        CHECK(code_of(site.with_basic("zoë:zoë", password)) == &errc::unauthorized);
        CHECK(code_of(site.with_basic("zoe", password)) == &errc::unauthorized);
    });
}

TEST_CASE("a header of ten kilobytes is 401 before it is decoded") {
    each_site([](IdentitySite& site) {
        const int before = site.store.statements();
        CHECK(code_of(site.with_basic(std::string(10'240, 'a'), "b")) == &errc::unauthorized);
        CHECK(code_of(site.with_authorization("Basic " + std::string(10'240, '='))) == &errc::unauthorized);
        CHECK(site.store.statements() == before);
    });
}

TEST_CASE("other schemes are not ours") {
    each_site([](IdentitySite& site) {
        const auto caller = site.with_authorization("Bearer abc");
        REQUIRE(caller);
        CHECK_FALSE(caller->is_user());
    });
}

TEST_CASE("the first call after a revocation is 401, in another process too") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        IdentitySite site(database);
        const auto password = site.service.accounts().add_password(site.ada, "shop").value();
        const auto other_store = database.open();
        limits::RateLimits other_limits(site.clock, other_store.get());
        identity::Gatekeeper other(*other_store, site.keyring, other_limits, site.clock, {});
        const limits::Headers headers{{"Authorization", "Basic " + crypto::base64("ada:" + password.password)}};
        CHECK(site.gatekeeper.authenticate(headers, "203.0.113.9"));
        CHECK(other.authenticate(headers, "203.0.113.9"));
        REQUIRE(site.service.accounts().revoke_password(site.ada, password.id));
        CHECK(code_of(other.authenticate(headers, "203.0.113.9")) == &errc::unauthorized);
        CHECK(code_of(site.gatekeeper.authenticate(headers, "203.0.113.9")) == &errc::unauthorized);
    });
}

TEST_CASE("a user who is not active any more is out at once, by password and by cookie") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        const auto in = site.sign_in("ada", tests::good_password).value();
        CHECK(site.with_basic("ada", password));
        CHECK(site.with_cookie(in.token, in.nonce.text)->is_user());
        site.run("UPDATE svc_users SET status = 'blocked'");
        CHECK(code_of(site.with_basic("ada", password)) == &errc::unauthorized);
        CHECK_FALSE(site.with_cookie(in.token, in.nonce.text)->is_user());
    });
}

TEST_CASE("rights follow the role, the user's own grants and revocations, and their end") {
    each_site([](IdentitySite& site) {
        const auto gil = site.service.accounts().add_user("gil", "gil@example.org", "guide", "12345678").value();
        const auto password = site.password_of(gil);
        CHECK(site.with_basic("gil", password)->can("svc_view_trips"));
        CHECK_FALSE(site.with_basic("gil", password)->can("svc_edit_bookings"));
        const auto id = std::to_string(gil);
        const auto end = std::to_string(site.clock.now().plus(1h).micros());
        site.run(("INSERT INTO svc_user_capabilities (user_id, capability, effect, expires_at, created_at, updated_at)"
                  " VALUES (" +
                  id + ", 'svc_edit_bookings', 'grant', " + end + ", 0, 0)")
                     .c_str());
        site.run(("INSERT INTO svc_user_capabilities (user_id, capability, effect, created_at, updated_at)"
                  " VALUES (" +
                  id + ", 'svc_view_trips', 'revoke', 0, 0)")
                     .c_str());
        CHECK(site.with_basic("gil", password)->can("svc_edit_bookings"));
        CHECK_FALSE(site.with_basic("gil", password)->can("svc_view_trips"));
        site.clock.advance(1h);
        CHECK_FALSE(site.with_basic("gil", password)->can("svc_edit_bookings"));
        site.run(
            "INSERT INTO svc_roles (slug, label, capabilities, created_at, updated_at)"
            " VALUES ('own', 'Own', '[\"svc_edit_trips\", \"root\", 7]', 0, 0)");
        site.run("UPDATE svc_users SET role_id = (SELECT id FROM svc_roles WHERE slug = 'own') WHERE login = 'gil'");
        site.run("DELETE FROM svc_user_capabilities");
        CHECK(site.with_basic("gil", password)->capabilities ==
              std::vector<std::string>{"svc_create_trips", "svc_edit_trips", "svc_view_trips"});
    });
}

TEST_CASE("a use is recorded once a minute, and otherwise a call is one read and no commit") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        REQUIRE(site.with_basic("ada", password));
        CHECK(site.service.accounts().passwords(site.ada).at(0).last_used_at == site.clock.now());
        CHECK(site.service.accounts().passwords(site.ada).at(0).last_address == "203.0.113.9");
        const int commits = site.store.commits(), statements = site.store.statements();
        for (int i = 0; i < 20; ++i)
            REQUIRE(site.with_basic("ada", password));
        CHECK(site.store.commits() == commits);
        CHECK(site.store.statements() == statements + 20);
        site.clock.advance(61s);
        REQUIRE(site.with_basic("ada", password));
        CHECK(site.store.commits() == commits + 1);
    });
}

TEST_CASE("many calls at once record one use") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        const int commits = site.store.commits();
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 5; ++i)
                    static_cast<void>(site.with_basic("ada", password));
            });
        for (auto& thread : threads)
            thread.join();
        CHECK(site.store.commits() == commits + 1);
    });
}

TEST_CASE("when nothing can be written, callers are known all the same") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        site.store.reset();
        site.store.fail_commit(1);
        CHECK(site.with_basic("ada", password)->user_id == site.ada);
    });
}

TEST_CASE("a storm of wrong credentials of one address is 429, and the right ones still pass") {
    each_site([](IdentitySite& site) {
        const auto password = site.password_of(site.ada);
        int refused = 0;
        for (int i = 0; i < 100; ++i)
            refused += code_of(site.with_basic("ada", "wrong")) == &errc::rate_limited ? 1 : 0;
        CHECK(refused == 70);
        CHECK(site.with_basic("ada", "wrong").error().retry_after().value_or(0) > 0);
        CHECK(site.with_basic("ada", password));
    });
}

TEST_CASE("behind TLS application passwords are accepted only from a trusted proxy") {
    const auto database = tests::Database::sqlite();
    IdentitySite site(*database, true);
    const auto value = "Basic " + crypto::base64("ada:" + site.password_of(site.ada));
    const auto call = [&](const char* peer, const char* proto) {
        return site.gatekeeper.authenticate(
            {{"Authorization", value}, {"X-Forwarded-Proto", proto}, {"X-Forwarded-For", "198.51.100.1"}}, peer);
    };
    CHECK(call("127.0.0.1", "https"));
    CHECK(code_of(call("127.0.0.1", "http")) == &errc::unauthorized);
    CHECK(code_of(call("203.0.113.9", "https")) == &errc::unauthorized);
    CHECK(site.service.accounts().passwords(site.ada).at(0).last_address == "198.51.100.1");
}

TEST_CASE("a cookie counts with its nonce alone") {
    each_site([](IdentitySite& site) {
        const auto in = site.sign_in("ada", tests::good_password).value();
        const auto caller = site.with_cookie(in.token, in.nonce.text);
        REQUIRE(caller);
        CHECK(caller->user_id == site.ada);
        CHECK(caller->through == Through::cookie);
        const int before = site.store.statements();
        const auto without = site.gatekeeper.authenticate({{"Cookie", "svc_session=" + in.token}}, "203.0.113.9");
        REQUIRE(without);
        CHECK_FALSE(without->is_user());
        CHECK(site.store.statements() == before);
    });
}

TEST_CASE("a nonce of another session, another user or another day is 403") {
    each_site([](IdentitySite& site) {
        static_cast<void>(site.service.accounts().add_user("bob", "bob@example.org", "owner", "12345678"));
        const auto in = site.sign_in("ada", tests::good_password).value();
        const auto again = site.sign_in("ada", tests::good_password).value();
        const auto bob = site.sign_in("bob", "12345678").value();
        CHECK(code_of(site.with_cookie(in.token, again.nonce.text)) == &errc::invalid_nonce);
        CHECK(code_of(site.with_cookie(in.token, bob.nonce.text)) == &errc::invalid_nonce);
        CHECK(code_of(site.with_cookie(in.token, "0")) == &errc::invalid_nonce);
        CHECK(code_of(site.with_cookie(in.token, in.nonce.text + "0")) == &errc::invalid_nonce);
        CHECK(code_of(site.with_cookie(in.token, in.nonce.text.substr(1))) == &errc::invalid_nonce);
        CHECK(site.with_cookie(in.token, in.nonce.text)->is_user());
    });
}

TEST_CASE("a nonce lives 24 hours from its making, at whatever time of the day that is") {
    const auto keyring = crypto::Keyring::for_tests();
    for (const char* made : {"2026-05-01T00:00:00Z", "2026-05-01T11:59:59.999999Z", "2026-05-01T12:00:00Z",
                             "2026-05-01T17:31:07.5Z", "2026-05-01T23:59:59Z"}) {
        CAPTURE(made);
        const auto start = Instant::parse(made).value();
        const auto nonce = identity::make_nonce(*keyring, "session:x", 7, start);
        const auto good = [&](Instant at) { return identity::is_nonce(*keyring, nonce.text, "session:x", 7, at); };
        CHECK(nonce.text.size() <= identity::longest_nonce);
        CHECK(nonce.expires_at == start.plus(24h));
        CHECK(good(start));
        CHECK(good(start.plus(23h + 59min + 59s)));
        CHECK(good(start.plus(24h).minus(1us)));
        CHECK_FALSE(good(start.plus(24h)));
        CHECK_FALSE(good(start.plus(24h + 1s)));
        CHECK_FALSE(identity::is_nonce(*keyring, nonce.text, "session:x", 8, start));
        CHECK_FALSE(identity::is_nonce(*keyring, nonce.text, "session:y", 7, start));
    }
}

TEST_CASE("a nonce from the future is rejected") {
    const auto keyring = crypto::Keyring::for_tests();
    const auto start = Instant::parse("2026-05-01T08:00:00Z").value();
    const auto good = [&](const std::string& text) {
        return identity::is_nonce(*keyring, text, "session:x", 7, start.plus(1h));
    };
    const std::string nonce = identity::make_nonce(*keyring, "session:x", 7, start).text;
    const auto moment = std::to_string(start.micros());
    REQUIRE(nonce.ends_with(moment));
    const auto proof = nonce.substr(0, nonce.size() - moment.size());
    CHECK(good(nonce));
    CHECK_FALSE(good(proof));
    CHECK_FALSE(good(proof + std::to_string(start.plus(1us).micros())));
    CHECK_FALSE(good(proof + "0" + moment));
    CHECK_FALSE(good(moment));
    CHECK_FALSE(good({}));
    CHECK_FALSE(good(nonce + "0"));
}

TEST_CASE("the nonce of a sign-in is valid for 24 hours, and the answer has its end") {
    each_site([](IdentitySite& site) {
        // Staff's sessions end before: after twelve hours.
        REQUIRE(site.service.accounts().add_user("cato", "cato@example.org", "svc_customer", tests::good_password));
        const auto in =
            site.service
                .sign_in(
                    {.username = "cato", .password = tests::good_password, .remember = true, .address = "203.0.113.9"})
                .value();
        CHECK(in.nonce.expires_at == site.clock.now().plus(24h));
        site.clock.advance(23h + 59min + 59s);
        CHECK(site.with_cookie(in.token, in.nonce.text)->is_user());
        site.clock.advance(2s);
        CHECK(code_of(site.with_cookie(in.token, in.nonce.text)) == &errc::invalid_nonce);
    });
}

TEST_CASE("planted and broken cookies are nobody's") {
    each_site([](IdentitySite& site) {
        const auto in = site.sign_in("ada", tests::good_password).value();
        const auto with = [&](limits::Headers headers) {
            headers.emplace_back("X-Host-Nonce", in.nonce.text);
            return site.gatekeeper.authenticate(headers, "203.0.113.9").value().is_user();
        };
        CHECK(with({{"Cookie", "svc_session=" + in.token}}));
        CHECK(with({{"Cookie", "a=b;svc_session=" + in.token + " ; c"}}));
        CHECK(with({{"Cookie", "a=b"}, {"cookie", "svc_session=" + in.token}}));
        const std::string planted(43, 'A');
        CHECK_FALSE(with({{"Cookie", "svc_session=" + planted + "; svc_session=" + in.token}}));
        CHECK_FALSE(with({{"Cookie", "svc_session=" + in.token}, {"Cookie", "svc_session=" + planted}}));
        CHECK_FALSE(with({{"Cookie", "svc_session=" + in.token + "A"}}));
        CHECK_FALSE(with({{"Cookie", "svc_session=" + in.token.substr(1)}}));
        CHECK_FALSE(with({{"Cookie", "svc_session="}}));
        CHECK_FALSE(with({{"Cookie", "svc_session"}}));
        CHECK_FALSE(with({{"Cookie", "Svc_Session=" + in.token}}));
        CHECK_FALSE(with({{"Cookie", "__Host-svc_session=" + in.token}}));
        CHECK_FALSE(with({{"Cookie", ""}}));
    });
}
