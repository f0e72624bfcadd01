// Signing in and out: sessions, their ends, and guesses.
#include <atomic>
#include <thread>

#include "tests/base/people/identity/identity_site.hpp"

using namespace svc;
using namespace std::chrono_literals;
using tests::each_site;
using tests::good_password;
using tests::IdentitySite;

TEST_CASE("signing in answers a new session each time and never takes one over") {
    each_site([](IdentitySite& site) {
        const auto first = site.sign_in("ada", good_password).value();
        const auto second = site.service
                                .sign_in({.username = "ada@example.org",
                                          .password = good_password,
                                          .address = "203.0.113.9",
                                          .present_token = first.token})
                                .value();
        CHECK(first.token != second.token);
        CHECK_FALSE(site.with_cookie(first.token, first.nonce.text)->is_user());
        CHECK(site.with_cookie(second.token, second.nonce.text)->is_user());
        // Fixation: a token that an attacker chose is not the session's afterwards.
        const std::string planted(43, 'A');
        const auto third =
            site.service
                .sign_in(
                    {.username = "ada", .password = good_password, .address = "203.0.113.9", .present_token = planted})
                .value();
        CHECK(third.token != planted);
        CHECK_FALSE(site.with_cookie(planted, third.nonce.text)->is_user());
        CHECK(site.with_cookie(second.token, second.nonce.text)->is_user());  // parallel sessions are apart
    });
}

TEST_CASE("signing out ends the session on the server, in every process, and no other") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        IdentitySite site(database);
        const auto one = site.sign_in("ada", good_password).value();
        const auto two = site.sign_in("ada", good_password).value();
        const auto other_store = database.open();
        limits::RateLimits other_limits(site.clock, other_store.get());
        identity::Gatekeeper other(*other_store, site.keyring, other_limits, site.clock, {});
        site.service.sign_out(site.with_cookie(one.token, one.nonce.text).value());
        const limits::Headers headers{{"Cookie", "svc_session=" + one.token}, {"X-Host-Nonce", one.nonce.text}};
        CHECK_FALSE(other.authenticate(headers, "203.0.113.9")->is_user());
        CHECK(site.with_cookie(two.token, two.nonce.text)->is_user());
    });
}

TEST_CASE("a session ends after its idle time and, used or not, after twelve hours") {
    each_site([](IdentitySite& site) {
        const auto alive = [&](const identity::SignedIn& in) {
            const auto caller = site.with_cookie(in.token, in.nonce.text);
            return caller && caller->is_user();
        };
        const auto idle = site.sign_in("ada", good_password).value();
        site.clock.advance(3599s);
        CHECK(alive(idle));
        site.clock.advance(3599s);
        CHECK(alive(idle));
        site.clock.advance(3600s);
        CHECK_FALSE(alive(idle));

        const auto busy = site.sign_in("ada", good_password).value();
        for (int i = 0; i < 23; ++i) {
            site.clock.advance(30min);
            CHECK(alive(busy));
        }
        site.clock.advance(30min);
        CHECK_FALSE(alive(busy));

        REQUIRE(site.settings.write(json::Value::object({{"session_timeout", 300}}), 0));
        const auto brief = site.sign_in("ada", good_password).value();
        site.clock.advance(300s);
        CHECK_FALSE(alive(brief));
        CHECK(site.service.clean_up() == 3);
    });
}

TEST_CASE("a customer's remembered session lasts fourteen days, and staff's twelve hours") {
    each_site([](IdentitySite& site) {
        const auto of_staff = site.service.sign_in(
            {.username = "ada", .password = good_password, .remember = true, .address = "203.0.113.9"});
        REQUIRE(of_staff);
        CHECK_FALSE(of_staff->cookie_max_age.has_value());
        site.clock.advance(12h);
        CHECK(site.service.clean_up() == 1);
        site.run("UPDATE svc_users SET role_id = (SELECT id FROM svc_roles WHERE slug = 'svc_customer')");
        const auto in =
            site.service
                .sign_in({.username = "ada", .password = good_password, .remember = true, .address = "203.0.113.9"})
                .value();
        CHECK(in.cookie_max_age == 14 * 86'400);
        site.clock.advance(13 * 24h);
        const auto nonce = identity::make_nonce(*site.keyring, identity::session_key_of(crypto::sha256_hex(in.token)),
                                                site.ada, site.clock.now());
        CHECK(site.with_cookie(in.token, nonce.text)->is_user());
        site.clock.advance(24h);
        CHECK_FALSE(site.with_cookie(in.token, nonce.text)->is_user());
    });
}

TEST_CASE("unknown users, wrong passwords and blocked users are answered alike") {
    each_site([](IdentitySite& site) {
        static_cast<void>(site.service.accounts().add_user("bob", "bob@example.org", "owner", "12345678"));
        site.run("UPDATE svc_users SET status = 'blocked' WHERE login = 'bob'");
        const auto unknown = site.sign_in("nobody", good_password);
        const auto wrong = site.sign_in("ada", "wrong password");
        const auto blocked = site.sign_in("bob", "12345678");
        for (const auto* result : {&unknown, &wrong, &blocked}) {
            REQUIRE_FALSE(*result);
            CHECK(&result->error().code() == &errc::invalid_credentials);
            CHECK(result->error().message() == unknown.error().message());
        }
        CHECK_FALSE(site.sign_in("\xff\xfe", good_password));
        CHECK_FALSE(site.sign_in("", ""));
    });
}

TEST_CASE("only a caller with the password learns that an address is unverified") {
    each_site([](IdentitySite& site) {
        site.run("UPDATE svc_users SET status = 'pending_verification'");
        CHECK(&site.sign_in("ada", "wrong password").error().code() == &errc::invalid_credentials);
        CHECK(&site.sign_in("ada", good_password).error().code() == &errc::needs_verification);
    });
}

TEST_CASE("ten failures of an address at an account are the end for a while, the right password included") {
    each_site([](IdentitySite& site) {
        for (int i = 0; i < 10; ++i)
            CHECK(&site.sign_in(i % 2 ? "ada" : "ADA", "wrong password").error().code() == &errc::invalid_credentials);
        const auto refused = site.sign_in("ada", good_password);
        REQUIRE_FALSE(refused);
        CHECK(&refused.error().code() == &errc::too_many_attempts);
        CHECK(refused.error().retry_after() == 90);
        CHECK(site.sign_in("ada", good_password, "198.51.100.1"));  // from elsewhere it goes on
        site.clock.advance(90s);
        CHECK(site.sign_in("ada", good_password));
    });
}

TEST_CASE("successes do not use up the attempts") {
    each_site([](IdentitySite& site) {
        for (int i = 0; i < 25; ++i)
            CHECK(site.sign_in("ada", good_password));
    });
}

TEST_CASE("an address that tries many accounts is stopped, by /64 for IPv6") {
    each_site([](IdentitySite& site) {
        int tried = 0;
        for (int i = 0; i < 25; ++i)
            tried += &site.sign_in("user" + std::to_string(i), "wrong password", "2001:db8:1:2::" + std::to_string(i))
                                 .error()
                                 .code() == &errc::invalid_credentials
                         ? 1
                         : 0;
        CHECK(tried == 20);
    });
}

TEST_CASE("guesses from many addresses leave each of them three tries, and never lock the owner out") {
    each_site([](IdentitySite& site) {
        const auto guess = [&](const std::string& address) {
            return &site.sign_in("ada", "wrong password", address).error().code() == &errc::invalid_credentials;
        };
        for (int i = 0; i < 20; ++i)
            CHECK(guess("198.51.100." + std::to_string(i)));
        int tried = 0;
        for (int i = 0; i < 10; ++i)
            tried += guess("192.0.2.7") ? 1 : 0;
        CHECK(tried == 3);
        CHECK(site.sign_in("ada", good_password, "203.0.113.9"));
        for (int i = 0; i < 5; ++i)
            CHECK(site.sign_in("ada", good_password, "203.0.113.9"));  // success uses up nothing
    });
}

TEST_CASE("failed tries by login and by address of an account are counted apart, as of two that are unknown") {
    each_site([](IdentitySite& site) {
        const auto tries_left = [&](const std::string& login, const std::string& email) {
            for (int i = 0; i < 10; ++i)
                static_cast<void>(site.sign_in(email, "wrong password", "192.0.2.8"));
            return &site.sign_in(login, "wrong password", "192.0.2.8").error().code();
        };
        const auto* known = tries_left("ada", "ada@example.org");
        site.clock.advance(1h);
        CHECK(known == tries_left("nobody", "nobody@example.org"));
        CHECK(known == &errc::invalid_credentials);
    });
}

TEST_CASE("an account's own password is taken in Basic credentials only where a plugin allows it") {
    each_site([](IdentitySite& site) {
        site.gatekeeper.take_account_passwords(
            [&](const std::string& name, const std::string& password, const std::string& address) {
                return site.service.by_account_password(name, password, address);
            });
        CHECK(tests::code_of(site.with_basic("ada", good_password)) == &errc::unauthorized);
        site.hooks.answers["svc_basic_password_allowed"] = true;
        for (const char* name : {"ada", "ADA@example.org"}) {
            const auto caller = site.with_basic(name, good_password);
            REQUIRE(caller);
            CHECK(caller->user_id == site.ada);
            CHECK(caller->can("manage_options"));
        }
        CHECK(tests::code_of(site.with_basic("ada", "wrong password")) == &errc::unauthorized);
        CHECK(tests::code_of(site.with_basic("nobody", good_password)) == &errc::unauthorized);
        CHECK(site.with_basic("ada", site.password_of(site.ada)));  // application passwords go on
        site.run("UPDATE svc_users SET status = 'blocked'");
        CHECK(tests::code_of(site.with_basic("ada", good_password)) == &errc::unauthorized);  // though remembered
        site.run("UPDATE svc_users SET status = 'active'");
        for (int i = 0; i < 12; ++i)
            static_cast<void>(site.with_basic("ada", "wrong password"));
        site.clock.advance(61s);  // what is remembered has ended
        CHECK(tests::code_of(site.with_basic("ada", good_password)) == &errc::too_many_attempts);
        site.hooks.answers["svc_basic_password_allowed"] = false;
        CHECK(tests::code_of(site.with_basic("ada", good_password)) == &errc::unauthorized);
    });
}

TEST_CASE("guesses made side by side in two processes count together") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        IdentitySite one(database);
        const auto second = database.open();
        limits::RateLimits limits(one.clock, second.get());
        identity::Service two(*second, one.keyring, one.settings, one.hooks, limits, one.clock, {});
        std::atomic<int> looked_at = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 4; ++i) {
                    const auto result =
                        (t % 2 ? one.service : two)
                            .sign_in({.username = "ada", .password = "wrong password", .address = "203.0.113.9"});
                    looked_at += &result.error().code() == &errc::invalid_credentials ? 1 : 0;
                }
            });
        for (auto& thread : threads)
            thread.join();
        CHECK(looked_at == 10);
    });
}

TEST_CASE("an older hash is renewed at the next sign-in") {
    each_site([](IdentitySite& site) {
        site.run(
            "UPDATE svc_users SET password_hash ="
            " '$argon2id$v=19$m=8192,t=1,p=1$yUZeZqwq+aBu1rKw5VW9kQ$VrkuBmrXFUFxZOMDo0YYpZqwLnuIpmU5CzGFksFls1Q'");
        CHECK(site.sign_in("ada", "correct horse"));
        CHECK(site.service.accounts().find("ada")->password_hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        CHECK(site.sign_in("ada", "correct horse"));
    });
}

TEST_CASE("a password is one however its letters are typed, and one that an earlier release stored stays right") {
    const std::string one = "Gr\u00FC\u00DFe aus K\u00F6ln", two = "Gru\u0308\u00DFe aus Ko\u0308ln";
    each_site([&](IdentitySite& site) {
        REQUIRE(site.service.accounts().add_user("bob", "bob@example.org", "administrator", one));
        CHECK(site.sign_in("bob", one));
        CHECK(site.sign_in("bob", two));
        CHECK_FALSE(site.sign_in("bob", "Gruesse aus Koeln"));
        // As the bytes were typed, with two code points, before passwords were normalized.
        site.run(
            "UPDATE svc_users SET password_hash ="
            " '$argon2id$v=19$m=8192,t=1,p=1$Zyw7+h27VP383JPCN7igEQ$Mb/1iAZjGWIKwHbv2UMi9LRC1cPtAmX8RWEyxqh5nCc' WHERE"
            " login = 'bob'");
        CHECK_FALSE(site.sign_in("bob", one));
        CHECK(site.sign_in("bob", two));
        CHECK(site.sign_in("bob", one));  // renewed by the sign-in
    });
}

TEST_CASE("a filter may refuse a sign-in and choose where it leads") {
    each_site([](IdentitySite& site) {
        CHECK(site.sign_in("ada", good_password)->redirect_url == "https://example.org/");
        site.hooks.answers["svc_login_redirect_url"] = "https://example.org/admin";
        CHECK(site.sign_in("ada", good_password)->redirect_url == "https://example.org/admin");
        site.hooks.answers["svc_user_allowed_to_login"] = false;
        CHECK(&site.sign_in("ada", good_password).error().code() == &errc::forbidden);
    });
}

TEST_CASE("the routes sign in by cookie, renew the nonce and sign out") {
    each_site([](IdentitySite& site) {
        api::RouteTable routes;
        identity::add_routes(routes, site.service);
        const auto credentials = json::Value::object({{"username", "ada"}, {"password", good_password}});
        const auto in = tests::call_route(routes, "POST", "/auth/login", {.body = credentials});
        REQUIRE_FALSE(in.error);
        CHECK(in.data["user_id"].integer() == site.ada);
        std::string cookie;
        for (const auto& [name, value] : in.headers)
            if (name == "Set-Cookie")
                cookie = value;
        CHECK(cookie.starts_with("svc_session="));
        CHECK(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"));
        const auto token = cookie.substr(12, 43);
        CHECK(in.data.dump().find(token) == std::string::npos);

        const auto caller = site.with_cookie(token, in.data["nonce"].text()).value();
        site.clock.advance(20min);
        const auto fresh = tests::call_route(routes, "GET", "/auth/nonce", {.caller = caller});
        REQUIRE_FALSE(fresh.error);
        CHECK(site.with_cookie(token, fresh.data["nonce"].text())->is_user());
        CHECK(tests::call_route(routes, "GET", "/auth/nonce", {}).error->code().status == 401);

        const auto out = tests::call_route(routes, "POST", "/auth/logout", {.caller = caller});
        REQUIRE_FALSE(out.error);
        CHECK(out.headers.at(0).second == "svc_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
        CHECK_FALSE(site.with_cookie(token, in.data["nonce"].text())->is_user());

        CHECK(tests::call_route(routes, "POST", "/auth/login", {}).error->fields().at(0).field == "username");
        auto by_password = site.with_basic("ada", site.password_of(site.ada)).value();
        CHECK(tests::call_route(routes, "GET", "/auth/nonce", {.caller = by_password}).error->code().status == 400);
        CHECK_FALSE(tests::call_route(routes, "POST", "/auth/logout", {.caller = by_password}).error);
    });
}

TEST_CASE("behind TLS the cookie is Secure and bound to the host") {
    CHECK(identity::set_session_cookie("t", true, std::nullopt) ==
          "__Host-svc_session=t; Path=/; HttpOnly; SameSite=Lax; Secure");
    CHECK(identity::set_session_cookie("t", true, 5) ==
          "__Host-svc_session=t; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=5");
}
