// Accounts that customers make: what they can do before and after their address is proven, and what nobody learns.
#include "base/people/identity/registration.hpp"

#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Desk {
    explicit Desk(Database& database) : base(database), admin(base.user("administrator")) {}

    static Value form(const std::string& email) {
        return Value::object({{"first_name", "Ada"},
                              {"last_name", "Lovelace"},
                              {"email", email},
                              {"phone", "+44 20 1"},
                              {"password", TestBase::password},
                              {"confirm_password", TestBase::password}});
    }
    Answered add(const std::string& email, const Visitor& from = {}) {
        return base.post("/auth/register", form(email), from);
    }
    Answered sign_in(const std::string& email, const std::string& with = TestBase::password) {
        return base.post("/auth/login", Value::object({{"username", email}, {"password", with}}));
    }
    Answered resend(const std::string& email, const Visitor& from = {}) {
        return base.post("/auth/resend-verification", Value::object({{"email", email}}), from);
    }
    Answered verify(const std::string& token, const std::string& password = TestBase::password) {
        return base.post("/auth/verify-email", Value::object({{"token", token}, {"password", password}}));
    }
    Answered forget(const std::string& email, const Visitor& from = {}) {
        return base.post("/auth/password/forgot", Value::object({{"email", email}}), from);
    }
    Answered reset(const std::string& token, const std::string& password) {
        return base.post("/auth/password/reset", Value::object({{"token", token}, {"password", password}}));
    }
    // Signed in, as a browser is.
    Visitor session(const std::string& email, const std::string& with = TestBase::password) {
        const auto in = sign_in(email, with);
        REQUIRE(in.status == 200);
        const auto cookie = in.header("Set-Cookie");
        return Visitor{}
            .with("Cookie", cookie.substr(0, cookie.find(';')))
            .with("X-Host-Nonce", in.data().text_or("nonce"));
    }
    Visitor application_password(const std::string& email) {
        auto made = base.assembly->identity.service.accounts().add_application_password(email, "test");
        REQUIRE(made);
        return Visitor{}.with("Authorization", "Basic " + crypto::base64(email + ":" + *made));
    }
    // As an earlier release made it: with the password of whoever registered, and signing in before the proof.
    Visitor old_account(const std::string& email) {
        REQUIRE(add(email).status == 201);
        REQUIRE(base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_users SET password_hash = :hash, status = 'active' WHERE email_lower = :email",
                   {{"hash", crypto::hash_password(TestBase::password)}, {"email", email}});
            return {};
        }));
        return session(email);
    }
    void later() { base.run("DELETE FROM svc_rate_limits"); }  // as if two minutes had passed
    void set(const std::string& settings) { REQUIRE(base.call("PUT", "/settings", settings, admin).status == 200); }
    std::int64_t mails(const std::string& key) {
        REQUIRE(base.assembly->hooks.drain());
        return base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '" + key + "'").c_str());
    }
    // The token of the link in the latest e-mail.
    std::string mailed(const std::string& key = "customer_email_verification") {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        const auto text = base.assembly->store->reading<std::string>([&](store::Session& session) {
            return session
                .first<std::string>(
                    "SELECT body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY id DESC LIMIT 1", "t",
                    {{"key", key}}, [](const store::Row& row) { return row.text(0); })
                .value();
        });
        const auto begin = text.find("token=") + 6;
        return text.substr(begin, text.find_first_not_of("0123456789abcdefv.", begin) - begin);
    }
    std::int64_t users(const std::string& email) {
        return base.number(("SELECT COUNT(*) FROM svc_users WHERE email_lower = '" + email + "'").c_str());
    }

    TestBase base;
    Visitor admin;
};

const auto each_desk = each_on<Desk>;

}  // namespace

TEST_CASE(
    "who registers is a customer, signs in after the proof, and owns what was booked with the address once it is "
    "proven") {
    each_desk([](Desk& desk) {
        const auto booking = desk.base.given_booking(desk.base.given_trip()).id;  // by ada@example.org, a guest
        const auto made = desk.add("Ada@example.org");
        REQUIRE(made.status == 201);
        CHECK(made.data()["user_id"].is_null());
        CHECK(made.data()["require_verification"].boolean());
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE"
                               " u.email_lower = 'ada@example.org' AND r.slug = 'svc_customer'") == 1);
        CHECK(desk.sign_in("ada@example.org").status == 401);
        const std::string owned =
            "SELECT COUNT(*) FROM svc_bookings WHERE user_id IS NOT NULL AND id = " + std::to_string(booking);
        CHECK(desk.base.number(owned.c_str()) == 0);  // anybody can claim an address

        CHECK(desk.mails("customer_email_verification") == 1);
        const std::string token = desk.mailed();
        const auto proven = desk.verify(token);
        REQUIRE(proven.status == 200);
        CHECK(proven.data()["verified"].boolean());
        CHECK_FALSE(proven.data()["already_verified"].boolean());
        CHECK(desk.base.number(owned.c_str()) == 1);
        CHECK(desk.verify(token).data()["already_verified"].boolean());
    });
}

TEST_CASE("the customer record of an address is its account's once the address is proven, be it new or older") {
    each_desk([](Desk& desk) {
        desk.base.given_booking(desk.base.given_trip());  // by ada@example.org
        for (const std::string email : {"new@example.org", "ada@example.org"}) {
            CAPTURE(email);
            const auto records = [&](const char* whose) {
                return desk.base.number(
                    ("SELECT COUNT(*) FROM svc_customers WHERE email_lower = '" + email + "' AND user_id IS " + whose)
                        .c_str());
            };
            REQUIRE(desk.add(email).status == 201);
            CHECK(records("NULL") == 1);
            REQUIRE(desk.verify(desk.mailed()).status == 200);
            CHECK(records("NOT NULL") == 1);
        }
    });
}

TEST_CASE("a registration's faults are all reported at once, and cost none of the five attempts") {
    each_desk([](Desk& desk) {
        for (int times = 0; times < 6; ++times) {
            auto form = Desk::form("not-an-address");
            form.set("password", "short").set("confirm_password", "other");
            const auto wrong = desk.base.post("/auth/register", form);
            CHECK(wrong.status == 400);
            CHECK(wrong.body["data"]["errors"].find("email"));
            CHECK(wrong.body["data"]["errors"].find("password"));
            CHECK_FALSE(wrong.body["data"]["errors"].find("confirm_password"));  // waits until there is a password
        }
        CHECK(desk.add("ada@example.org").status == 201);
    });
}

TEST_CASE("name and address suffice to register; a password that is sent is checked and not stored") {
    each_desk([](Desk& desk) {
        const auto register_as = [&](const std::string& body) {
            return desk.base.post("/auth/register", json::parse(body).value());
        };
        CHECK(register_as(R"({"first_name":"Ada","email":"ada@example.org","password":"short"})").field() ==
              "password");
        CHECK(register_as(R"({"first_name":"Ada","email":"ada@example.org","password":"long enough",
            "confirm_password":"another one"})")
                  .field() == "confirm_password");
        CHECK(desk.users("ada@example.org") == 0);
        REQUIRE(register_as(R"({"first_name":"Ada","email":"ada@example.org"})").status == 201);
        REQUIRE(register_as(R"({"first_name":"Eve","email":"eve@example.org","password":"eve's own words"})").status ==
                201);
        desk.set(R"({"require_email_verification":false})");  // has no effect
        CHECK(desk.sign_in("eve@example.org", "eve's own words").code() == "invalid_credentials");
        REQUIRE(desk.verify(desk.mailed(), "the owner's words").status == 200);
        CHECK(desk.sign_in("eve@example.org", "eve's own words").status == 401);
        CHECK(desk.sign_in("eve@example.org", "the owner's words").status == 200);
    });
}

TEST_CASE("the mailed page sets the password once and signs in on the browser that sends it, and on no other site's") {
    each_desk([](Desk& desk) {
        const auto booking = desk.base.given_booking(desk.base.given_trip()).id;  // by ada@example.org, a guest
        REQUIRE(desk.add("ada@example.org").status == 201);
        const auto token = desk.mailed();
        const auto form = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
        const std::string body = "token=" + token + "&password=long+enough&confirm_password=long+enough";
        const auto done =
            desk.base.call("POST", "/auth/verify-email", body, form.with("Sec-Fetch-Site", "same-origin"));
        REQUIRE(done.status == 200);
        const auto cookie = done.header("Set-Cookie");
        REQUIRE(cookie.starts_with("svc_session="));
        CHECK(desk.base.number(("SELECT COUNT(*) FROM svc_bookings b JOIN svc_sessions s ON s.user_id = b.user_id"
                                " WHERE b.id = " +
                                std::to_string(booking))
                                   .c_str()) == 1);
        // Again it neither changes the password nor signs in.
        const auto again = desk.base.call("POST", "/auth/verify-email", "token=" + token + "&password=another+one",
                                          form.with("Sec-Fetch-Site", "same-origin"));
        CHECK(again.status == 200);
        CHECK(again.header("Set-Cookie").empty());
        CHECK(desk.sign_in("ada@example.org", "long enough").status == 200);
        // A foreign page that posts a link of its own makes nobody a member of its account.
        REQUIRE(desk.add("eve@example.org").status == 201);
        const auto foreign =
            desk.base.call("POST", "/auth/verify-email", "token=" + desk.mailed() + "&password=long+enough",
                           form.with("Sec-Fetch-Site", "cross-site"));
        CHECK(foreign.status == 200);
        CHECK(foreign.header("Set-Cookie").empty());
    });
}

TEST_CASE("an address with an account is answered like one without, and its owner is notified") {
    each_desk([](Desk& desk) {
        const auto fresh = desk.add("one@example.org");
        REQUIRE(desk.verify(desk.mailed()).status == 200);
        desk.base.run("DELETE FROM svc_rate_limits");  // as two minutes later
        auto other = Desk::form("ONE@example.org");
        other.set("password", "another pass phrase");
        other.set("confirm_password", "another pass phrase");
        const auto known = desk.base.post("/auth/register", other);
        CHECK(known.status == fresh.status);
        CHECK(known.data().dump() == fresh.data().dump());
        CHECK(desk.users("one@example.org") == 1);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users") == 2);  // the other is the administrator
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_customers") == 1);
        CHECK(desk.sign_in("one@example.org", "another pass phrase").status == 401);
        CHECK(desk.sign_in("one@example.org").status == 200);
        CHECK(desk.mails("customer_email_verification") == 1);
        CHECK(desk.mails("account_registered_again") == 1);

        // And so is the wish for another link.
        desk.base.run("DELETE FROM svc_rate_limits");
        const auto unknown = desk.resend("nobody@example.org");
        const auto proven = desk.resend("one@example.org");
        CHECK(unknown.status == 200);
        CHECK(unknown.text == proven.text);
        CHECK(desk.mails("customer_email_verification") == 1);
    });
}

TEST_CASE("a link is sent once in two minutes, whoever asks and for whatever address") {
    each_desk([](Desk& desk) {
        for (const char* email : {"nobody@example.org", "ada@example.org"}) {
            CAPTURE(email);
            if (email == std::string("ada@example.org"))
                REQUIRE(desk.add(email).status == 201);
            else
                CHECK(desk.resend(email).status == 200);
            const auto soon = desk.resend(email);
            CHECK(soon.status == 429);
            CHECK(soon.code() == "svc_rate_limited");
            CHECK_FALSE(soon.header("Retry-After").empty());
            const auto seconds = soon.data()["remaining_seconds"].integer();
            CHECK(seconds > 0);
            CHECK(seconds <= 120);
        }
        CHECK(desk.mails("customer_email_verification") == 1);
    });
}

TEST_CASE("links that prove an address and set a password are limited by mailbox, however the address is spelled") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.resend("no.body@gmail.com").status == 200);
        for (const char* same : {"nobody@gmail.com", "no.body+1@gmail.com", "N.obody+2@GoogleMail.com"}) {
            CAPTURE(same);
            CHECK(desk.resend(same).status == 429);
        }
        CHECK(desk.resend("nobody@example.org").status == 200);
        // Two accounts of one mailbox.
        for (const char* email : {"ada@example.org", "ada+1@example.org"}) {
            REQUIRE(desk.add(email).status == 201);
            CHECK(desk.forget(email).status == 200);
        }
        CHECK(desk.mails("account_password_reset") == 1);
    });
}

TEST_CASE("one address makes five accounts in ten minutes") {
    each_desk([](Desk& desk) {
        Visitor one;
        one.address = "198.51.100.7";
        for (int i = 0; i < 5; ++i)
            CHECK(desk.add("c" + std::to_string(i) + "@example.org", one).status == 201);
        CHECK(desk.add("c6@example.org", one).status == 429);
        CHECK(desk.users("c6@example.org") == 0);
    });
}

TEST_CASE("a registration that cannot be right is refused by its field, and stores nothing") {
    each_desk([](Desk& desk) {
        for (const auto& [name, value] : std::vector<json::Member>{{"first_name", ""},
                                                                   {"email", "no address"},
                                                                   {"password", "short"},
                                                                   {"confirm_password", "something else"}}) {
            CAPTURE(name);
            auto body = Desk::form("ada@example.org");
            body.set(name, value);
            if (name == "password")
                body.set("confirm_password", value);
            const auto refused = desk.base.post("/auth/register", body);
            CHECK(refused.status == 400);
            CHECK(refused.field() == name);
        }
        CHECK(desk.users("ada@example.org") == 0);
        for (const char* off : {R"({"customer_registration":false})",
                                R"({"customer_registration":true,"enable_customer_accounts":false})"}) {
            desk.set(off);
            const auto refused = desk.add("ada@example.org");
            CHECK(refused.status == 403);
            CHECK(refused.code() == "registration_disabled");
        }
        CHECK(desk.users("ada@example.org") == 0);
    });
}

TEST_CASE("a link that is none, of another address or too old proves nothing") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.add("ada@example.org").status == 201);
        const auto token = desk.mailed();
        auto forged = token;
        forged.back() = forged.back() == '0' ? '1' : '0';
        CHECK(desk.verify(forged).code() == "invalid_token");
        CHECK(desk.verify("v1.1.2.3").code() == "invalid_token");
        CHECK(desk.verify("").status == 400);
        const auto id = desk.base.number("SELECT id FROM svc_users WHERE email_lower = 'ada@example.org'");
        const auto& keyring = *desk.base.assembly->keyring;
        const Instant now = desk.base.assembly->clock.now();
        using identity::AddressProof;
        const auto old =
            desk.verify(AddressProof::token(keyring, id, "ada@example.org", now.minus(std::chrono::hours(25))));
        CHECK(old.status == 410);
        CHECK(old.code() == "token_expired");
        CHECK(desk.verify(AddressProof::token(keyring, id, "eve@example.org", now)).code() == "invalid_token");
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users WHERE email_lower = 'ada@example.org'"
                               " AND email_verified_at IS NULL") == 1);
        CHECK(desk.verify(token).status == 200);
    });
}

TEST_CASE("whoever holds the mailed link sets the password, and everything made of the account before ends") {
    each_desk([](Desk& desk) {
        const auto booking = desk.base.given_booking(desk.base.given_trip()).id;  // by ada@example.org, a guest
        const Visitor attacker = desk.old_account("ada@example.org");
        desk.later();
        auto own = Desk::form("ada@example.org");
        own.set("password", "the owner's own words").set("confirm_password", "the owner's own words");
        REQUIRE(desk.base.post("/auth/register", own).status == 201);  // by the owner
        const auto token = desk.mailed();
        CHECK(desk.sign_in("ada@example.org", "the owner's own words").status == 401);
        CHECK(desk.verify(token, "short").field() == "password");
        REQUIRE(desk.verify(token, "the owner's own words").status == 200);
        CHECK(desk.sign_in("ada@example.org").status == 401);
        CHECK(desk.base.get("/auth/me", attacker).status == 401);
        CHECK(desk.base.get("/customers/my-bookings", attacker).status == 401);
        const auto owner = desk.session("ada@example.org", "the owner's own words");
        const auto listed = desk.base.get("/customers/my-bookings", owner);
        REQUIRE(listed.data().size() == 1);
        CHECK(listed.data().items()[0]["id"].integer() == booking);
        // The link has done its work.
        const auto again = desk.verify(token, "another pass phrase");
        CHECK(again.data()["already_verified"].boolean());
        CHECK(desk.sign_in("ada@example.org", "another pass phrase").status == 401);
    });
}

TEST_CASE("a mailed link opens a page that changes nothing, and the page's form acts without scripts") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.add("ada@example.org").status == 201);
        const std::string token = desk.mailed();
        for (const std::string path : {"/auth/verify-email", "/auth/password/reset"}) {
            CAPTURE(path);
            const auto page = desk.base.get(path + "?token=" + token + "%22%3E");
            REQUIRE(page.status == 200);
            CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
            CHECK(page.header("Cache-Control") == "no-store");
            CHECK(page.header("Referrer-Policy") == "no-referrer");
            const auto policy = page.header("Content-Security-Policy");
            for (const char* part : {"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"})
                CHECK(policy.find(part) != std::string::npos);
            CHECK(policy.find("unsafe") == std::string::npos);
            CHECK(page.text.find("<form method=\"post\"") != std::string::npos);
            // Files of ours alone, which the page does not need: no script is written into it.
            for (auto at = page.text.find("<script"); at != std::string::npos; at = page.text.find("<script", at + 1))
                CHECK(page.text.substr(at).starts_with("<script type=\"module\" src=\"/svc-assets/site/"));
            CHECK(page.text.find(token + "&quot;&gt;") != std::string::npos);  // escaped
        }
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users WHERE email_verified_at IS NULL") == 1);

        const auto form = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
        const auto differs = desk.base.call("POST", "/auth/verify-email",
                                            "token=" + token + "&password=long+enough&confirm_password=other", form);
        CHECK(differs.status == 400);
        CHECK(differs.header("Content-Type") == "text/html; charset=utf-8");
        CHECK(differs.text.find("The passwords do not match.") != std::string::npos);
        CHECK(differs.text.find("name=\"token\" value=\"" + token) != std::string::npos);
        const auto done = desk.base.call("POST", "/auth/verify-email",
                                         "token=" + token + "&password=long+enough&confirm_password=long+enough", form);
        CHECK(done.status == 200);
        CHECK(done.text.find("Your password is set.") != std::string::npos);
        CHECK(desk.sign_in("ada@example.org", "long enough").status == 200);
        const auto wrong = desk.base.call("POST", "/auth/verify-email", "token=v1.1.2.3&password=long+enough", form);
        CHECK(wrong.status == 400);
        CHECK(wrong.header("Content-Type") == "text/html; charset=utf-8");
        CHECK(desk.base.call("POST", "/auth/register", "email=a", form).status == 415);  // forms are for pages alone
    });
}

TEST_CASE("an account whose address is not proven makes no application passwords and owns no booking") {
    each_desk([](Desk& desk) {
        const auto trip = desk.base.given_trip();
        desk.base.given_departure(trip, 30, 9);
        const Visitor in = desk.old_account("ada@example.org");
        const auto refused = desk.base.post("/auth/application-passwords", Value::object({{"name", "mine"}}), in);
        CHECK(refused.status == 403);
        CHECK(refused.code() == "needs_verification");
        // One from before this rule counts for nothing.
        CHECK(desk.base.get("/auth/me", desk.application_password("ada@example.org")).status == 401);

        const auto opened = desk.base.post("/booking/session",
                                           Value::object({{"trip_id", trip}, {"travel_date", desk.base.day(30)}}), in);
        const auto made = desk.base.post("/booking/create",
                                         filled_in(Value::object({{"session_id", opened.data().text_or("session_id")},
                                                                  {"contact_first_name", "Ada"},
                                                                  {"contact_last_name", "Lovelace"},
                                                                  {"contact_email", "ada@example.org"}})),
                                         in);
        REQUIRE(made.status == 201);
        CHECK(made.data()["user_id"].is_null());
        CHECK_FALSE(made.data().text_or("booking_token").empty());
        const auto id = std::to_string(made.data()["booking_id"].integer());
        // Nor one that an older release had given it.
        desk.base.run(("UPDATE svc_bookings SET user_id = (SELECT id FROM svc_users WHERE email_lower ="
                       " 'ada@example.org') WHERE id = " +
                       id)
                          .c_str());
        CHECK(desk.base.get("/customers/my-bookings", in).data().size() == 0);
        CHECK(desk.base.get("/customers/my-bookings/" + id, in).status == 404);
        CHECK(desk.base.post("/customers/my-bookings/" + id + "/cancel", Value::object({}), in).status == 403);
        const Value balance = Value::object({{"booking_id", made.data()["booking_id"]}, {"method", "paypal"}});
        for (const char* path : {"/payment/remaining/session", "/payment/remaining"})
            CHECK_MESSAGE(desk.base.post(path, balance, in).status == 403, path);

        REQUIRE(desk.verify(desk.mailed()).status == 200);
        const Visitor proven = desk.session("ada@example.org");
        CHECK(desk.base.get("/customers/my-bookings/" + id, proven).status == 200);
        CHECK(desk.base.post("/auth/application-passwords", Value::object({{"name", "mine"}}), proven).status == 201);
    });
}

TEST_CASE("a forgotten password is set anew by a mailed link, once, and earlier sessions and secrets end") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.add("ada@example.org").status == 201);
        REQUIRE(desk.verify(desk.mailed()).status == 200);
        const Visitor session = desk.session("ada@example.org"), program = desk.application_password("ada@example.org");
        CHECK(desk.base.get("/auth/me", session).status == 200);
        CHECK(desk.base.get("/auth/me", program).status == 200);

        REQUIRE(desk.forget("ADA@example.org").status == 200);
        CHECK(desk.mails("account_password_reset") == 1);
        const auto token = desk.mailed("account_password_reset");
        CHECK(desk.reset(token, "short").field() == "password");
        REQUIRE(desk.reset(token, "a fresh pass phrase").status == 200);
        CHECK(desk.base.get("/auth/me", session).status == 401);
        CHECK(desk.base.get("/auth/me", program).status == 401);
        CHECK(desk.sign_in("ada@example.org").status == 401);
        CHECK(desk.sign_in("ada@example.org", "a fresh pass phrase").status == 200);
        CHECK(desk.reset(token, "once more, please").code() == "invalid_token");
        CHECK(desk.sign_in("ada@example.org", "a fresh pass phrase").status == 200);
    });
}

TEST_CASE("a link of a forgotten password lasts an hour, proves the address, and is no other link") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.add("ada@example.org").status == 201);
        CHECK(desk.reset(desk.mailed(), "a fresh pass phrase").code() == "invalid_token");  // the other kind
        const auto id = desk.base.number("SELECT id FROM svc_users WHERE email_lower = 'ada@example.org'");
        const Instant now = desk.base.assembly->clock.now();
        const auto old =
            desk.reset(desk.base.assembly->identity.address_proof->reset_token(id, now.minus(std::chrono::minutes(61))),
                       "a fresh pass phrase");
        CHECK(old.status == 410);
        CHECK(old.code() == "token_expired");
        CHECK(desk.sign_in("ada@example.org").status == 401);
        const auto token = desk.base.assembly->identity.address_proof->reset_token(id, now);
        CHECK(desk.verify(token).code() == "invalid_token");
        REQUIRE(desk.reset(token, "a fresh pass phrase").status == 200);
        CHECK(desk.sign_in("ada@example.org", "a fresh pass phrase").status == 200);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users WHERE email_verified_at IS NULL") == 0);
        desk.base.run("UPDATE svc_users SET status = 'blocked' WHERE email_lower = 'ada@example.org'");
        CHECK(desk.reset(desk.base.assembly->identity.address_proof->reset_token(id, now), "a fresh pass phrase")
                  .code() == "invalid_token");
    });
}

TEST_CASE("asking for a new password is answered alike for every address, and mailed once in two minutes") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.add("ada@example.org").status == 201);
        const auto unknown = desk.forget("nobody@example.org"), known = desk.forget("ada@example.org");
        CHECK(unknown.status == 200);
        CHECK(unknown.text == known.text);
        CHECK(desk.forget("ada@example.org").text == known.text);
        CHECK(desk.forget("nobody@example.org").text == known.text);
        CHECK(desk.mails("account_password_reset") == 1);
        Visitor one;
        one.address = "198.51.100.9";
        int answered = 0;
        for (int i = 0; i < 25; ++i)
            answered += desk.forget("n" + std::to_string(i) + "@example.org", one).status == 200 ? 1 : 0;
        CHECK(answered == 20);
    });
}

TEST_CASE("names of an account hold no address, and an international address makes one") {
    each_desk([](Desk& desk) {
        for (const char* name : {"first_name", "last_name"}) {
            auto form = Desk::form("ada@example.org");
            form.set(name, "Win at https://evil.example");
            const auto refused = desk.base.post("/auth/register", form);
            CHECK(refused.status == 400);
            CHECK(refused.field() == name);
        }
        REQUIRE(desk.add("\u200Bada@m\u00FCller.example ").status == 201);
        CHECK(desk.users("ada@xn--mller-kva.example") == 1);
        REQUIRE(desk.verify(desk.mailed()).status == 200);
        CHECK(desk.sign_in("ada@m\u00FCller.example").status == 200);
        CHECK(desk.sign_in("Ada@xn--mller-kva.example\u200B").status == 200);
    });
}

TEST_CASE("mails that strangers cause are limited by the hour, whoever has proven the address, and starve no link") {
    each_desk([](Desk& desk) {
        desk.set(R"({"unproven_mails_per_hour":3})");
        const auto trip = desk.base.given_trip();
        const auto sent = [&](const char* key = "booking_confirmation") {
            REQUIRE(desk.base.assembly->hooks.drain());
            return desk.base.number(
                (std::string("SELECT COUNT(*) FROM svc_email_outbox WHERE status <> 'suppressed'"
                             " AND next_attempt_at < created_at + 1800000000 AND"  // now, and not later
                             " LOWER(to_email) = 'ada@example.org' AND template_key = '") +
                 key + "'")
                    .c_str());
        };
        for (int i = 0; i < 5; ++i)
            desk.base.given_booking(trip, 30 + i);  // by ada@example.org, a guest
        CHECK(sent() == 3);
        static_cast<void>(desk.old_account("ada@example.org"));
        CHECK(sent("customer_email_verification") == 1);
        REQUIRE(desk.forget("ada@example.org").status == 200);
        CHECK(sent("account_password_reset") == 1);
        // That the address is proven allows strangers no more.
        desk.base.run("UPDATE svc_users SET email_verified_at = 1 WHERE email_lower = 'ada@example.org'");
        desk.base.given_booking(trip, 40);
        CHECK(sent() == 3);
        // Its owner hears of what they book.
        const auto book = [&](const char* path, int day, const Visitor& by) {
            const auto made = desk.base.post(path,
                                             filled_in(Value::object({{"trip_id", trip},
                                                                      {"travel_date", desk.base.day(day)},
                                                                      {"contact_first_name", "Ada"},
                                                                      {"contact_last_name", "Lovelace"},
                                                                      {"contact_email", "ada@example.org"}})),
                                             by);
            REQUIRE(made.status == 201);
        };
        book("/booking/create", 41, desk.session("ada@example.org"));
        CHECK(sent() == 4);
        // Not so what another account books in their name.
        static_cast<void>(desk.old_account("grace@example.org"));
        CHECK(desk.mails("customer_email_verification") == 2);
        desk.base.run("UPDATE svc_users SET email_verified_at = 1 WHERE email_lower = 'grace@example.org'");
        book("/booking/create", 42, desk.session("grace@example.org"));
        CHECK(sent() == 4);
    });
}

TEST_CASE(
    "links that prove a guest's address are limited by the hour apart from other mails, and late rather than lost") {
    each_desk([](Desk& desk) {
        desk.set(R"({"unproven_mails_per_hour":3})");
        const auto trip = desk.base.given_trip();
        for (int i = 0; i < 4; ++i)
            desk.base.given_booking(trip, 30 + i);
        desk.set(R"({"require_guest_email_verification":true})");
        for (int i = 0; i < 7; ++i)
            desk.base.given_booking(trip, 40 + i);
        CHECK(desk.mails("guest_email_verification") == 7);
        const auto due = [&](int hours) {
            return desk.base.number(
                ("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'guest_email_verification' AND status <>"
                 " 'suppressed' AND (next_attempt_at - created_at + 1800000000) / 3600000000 = " +
                 std::to_string(hours))
                    .c_str());
        };
        CHECK(due(0) == 3);
        CHECK(due(1) == 3);
        CHECK(due(2) == 1);
    });
}

TEST_CASE("the login made for an account reveals no other account's") {
    each_desk([](Desk& desk) {
        for (const char* address : {"ada@example.org", "ada@example.net"})
            REQUIRE(desk.add(address).status == 201);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users WHERE login LIKE 'ada______'") == 2);
    });
}

TEST_CASE("auth/me returns name, role, capabilities and display settings") {
    each_desk([](Desk& desk) {
        CHECK(desk.base.get("/auth/me").status == 401);
        desk.set(
            R"({"currency":"EUR","date_format":"d.m.Y","timezone":"Europe/Paris","frontend_primary_color":"#112233",
            "company_logo":"https://example.org/logo.png"})");
        const auto mine = desk.base.get("/auth/me", desk.old_account("ada@example.org"));
        REQUIRE(mine.status == 200);
        CHECK(mine.header("Cache-Control") == "no-store");
        CHECK(mine.data()["user"]["email"].text() == "ada@example.org");
        CHECK(mine.data()["user"]["display_name"].text() == "Ada Lovelace");
        CHECK(mine.data()["user"]["role"].text() == "svc_customer");
        CHECK_FALSE(mine.data()["user"]["email_verified"].boolean());
        const Value& display = mine.data()["display"];
        CHECK(display["currency"].text() == "EUR");
        CHECK(display["date_format"].text() == "d.m.Y");
        CHECK(display["timezone"].text() == "Europe/Paris");
        CHECK(display["primary_color"].text() == "#112233");
        CHECK(display["logo_url"].text() == "https://example.org/logo.png");
        const auto boss = desk.base.get("/auth/me", desk.admin);
        CHECK(boss.data()["user"]["role"].text() == "administrator");
        CHECK(boss.data()["capabilities"].dump().find("\"manage_options\"") != std::string::npos);
    });
}
