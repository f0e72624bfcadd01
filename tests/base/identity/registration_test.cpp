// Accounts that customers make: what they can do before and after their address is proven, and what nobody learns.
#include "base/identity/registration.hpp"

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
    Answered verify(const std::string& token) { return base.get("/auth/verify-email?token=" + token); }
    void set(const std::string& settings) { REQUIRE(base.call("PUT", "/settings", settings, admin).status == 200); }
    std::int64_t mails(const std::string& key) {
        REQUIRE(base.assembly->hooks.drain());
        return base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '" + key + "'").c_str());
    }
    // The token of the link in the latest e-mail.
    std::string mailed() {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        const auto text = base.assembly->store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>(
                    "SELECT body_text FROM svc_email_outbox WHERE template_key ="
                    " 'customer_email_verification' ORDER BY id DESC LIMIT 1",
                    "t", {}, [](const store::Row& row) { return row.text(0); })
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

TEST_CASE("who registers is a customer, signs in, and owns what was booked with the address once it is proven") {
    each_desk([](Desk& desk) {
        const auto booking = desk.base.given_booking(desk.base.given_trip()).id;  // by ada@example.org, a guest
        const auto made = desk.add("Ada@example.org");
        REQUIRE(made.status == 201);
        CHECK(made.data()["user_id"].is_null());
        CHECK_FALSE(made.data()["require_verification"].boolean());
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users u JOIN svc_roles r ON r.id = u.role_id WHERE"
                               " u.email_lower = 'ada@example.org' AND r.slug = 'svc_customer'") == 1);
        CHECK(desk.sign_in("ada@example.org").status == 200);
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

TEST_CASE("what is wrong with a registration is told at once, and costs none of the five") {
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

TEST_CASE("where the proof is required nobody signs in without it") {
    each_desk([](Desk& desk) {
        desk.set(R"({"require_email_verification":true})");
        const auto made = desk.add("ada@example.org");
        REQUIRE(made.status == 201);
        CHECK(made.data()["require_verification"].boolean());
        const auto early = desk.sign_in("ada@example.org");
        CHECK(early.status == 403);
        CHECK(early.code() == "needs_verification");
        REQUIRE(desk.verify(desk.mailed()).status == 200);
        CHECK(desk.sign_in("ada@example.org").status == 200);
    });
}

TEST_CASE("an address that has an account is answered like one that has none, and its owner hears of it") {
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
                                                                   {"last_name", Value()},
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
        using identity::Registration;
        const auto old =
            desk.verify(Registration::token(keyring, id, "ada@example.org", now.minus(std::chrono::hours(25))));
        CHECK(old.status == 410);
        CHECK(old.code() == "token_expired");
        CHECK(desk.verify(Registration::token(keyring, id, "eve@example.org", now)).code() == "invalid_token");
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_users WHERE email_lower = 'ada@example.org'"
                               " AND email_verified_at IS NULL") == 1);
        CHECK(desk.verify(token).status == 200);
    });
}
