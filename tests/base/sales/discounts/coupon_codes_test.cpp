// Coupon codes from outside: guesses are limited, uses are counted by account and address, spellings are one code.
#include <doctest/doctest.h>

#include "shared/core/capitals.hpp"
#include "tests/base/sales/discounts/given.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr int wrong_codes = 40;  // of one network in ten minutes

struct Coupons {
    explicit Coupons(Database& database) : base(database), trip(base.given_trip()) {
        base.given_departure(trip, 30, 50);
    }
    Result<discounts::Discount> make(const char* code, const char* limit = nullptr, const Value& value = {}) {
        Value body = Value::object({{"code", code}, {"type", "percentage"}, {"status", "publish"}, {"amount", 10}});
        if (limit)
            body.set(limit, value);
        return written(*base.assembly->store, base.assembly->discounts.service, body);
    }
    void given(const char* code, const char* limit = nullptr, const Value& value = {}) {
        REQUIRE(make(code, limit, value));
    }
    Answered open(Value more = Value::object(), const Visitor& who = {}) {
        more.set("trip_id", trip);
        more.set("travel_date", base.day(30));
        return base.post("/booking/session", more, who);
    }
    std::string session() { return open().data().text_or("session_id"); }
    Answered put_on(const std::string& session, const std::string& code, const Visitor& who = {}) {
        return base.post("/booking/coupons", Value::object({{"session_id", session}, {"code", code}}), who);
    }
    Answered book(const char* email, const char* code, const Visitor& who) {
        return base.post(
            "/booking/create",
            filled_in(Value::object(
                {{"trip_id", trip}, {"travel_date", base.day(30)}, {"contact_email", email}, {"coupon_code", code}})),
            who);
    }
    Answered book_as_guest(const char* email, const char* code) {
        return base.post(
            "/booking/create",
            filled_in(Value::object({{"session_id", session()}, {"contact_email", email}, {"coupon_code", code}})));
    }

    TestBase base;
    std::int64_t trip;
};

const auto each_coupons = each_on<Coupons>;

}  // namespace

TEST_CASE("wrong codes are limited by the address they come from, however many sessions it opens") {
    each_coupons([](Coupons& coupons) {
        coupons.given("SAVE");
        const auto guesser = Visitor{}.from("192.0.2.1");
        int answered = 0;
        for (int i = 0; i < wrong_codes + 10; ++i) {
            const auto told = coupons.put_on(coupons.session(), "GUESS" + std::to_string(i), guesser);
            if (told.status == 429) {
                CHECK(told.code() == "too_many_attempts");
                CHECK(std::stoi(told.header("Retry-After")) >= 1);
            } else {
                CHECK(told.code() == "coupon_not_found");
                ++answered;
            }
        }
        CHECK(answered >= wrong_codes);
        CHECK(answered < wrong_codes + 5);
        // A right one is no way on, by whatever route, and nobody else is hurt.
        CHECK(coupons.put_on(coupons.session(), "SAVE", guesser).status == 429);
        CHECK(coupons.open(Value::object({{"coupon_code", "SAVE"}}), guesser).status == 429);
        const auto by = [&](const char* method, const char* path) {
            return coupons.base
                .call(method, path, Value::object({{"session_id", coupons.session()}, {"coupon_code", "SAVE"}}).dump(),
                      guesser)
                .status;
        };
        CHECK(by("POST", "/booking/summary") == 429);
        CHECK(by("PUT", "/booking/session") == 429);
        CHECK(coupons.base
                  .post("/booking/create",
                        filled_in(Value::object({{"session_id", coupons.session()}, {"coupon_code", "SAVE"}})), guesser)
                  .status == 429);
        CHECK(coupons.put_on(coupons.session(), "SAVE", Visitor{}.from("192.0.2.2")).status == 200);
        CHECK(coupons.open({}, guesser).status == 201);
    });
}

TEST_CASE("codes that are opened with a session or typed without one are counted too") {
    each_coupons([](Coupons& coupons) {
        const auto guesser = Visitor{}.from("192.0.2.1");
        int refused = 0;
        for (int i = 0; i < wrong_codes + 10; ++i)
            refused +=
                coupons.open(Value::object({{"coupon_code", "GUESS" + std::to_string(i)}}), guesser).status == 429;
        CHECK(refused >= 5);
        const auto customer = coupons.base.user("svc_customer").from("192.0.2.1");
        CHECK(coupons.book("ada@example.org", "GUESS", customer).status == 429);
    });
}

TEST_CASE("a use counts by account and by address: neither another address nor another account is a way round") {
    each_coupons([](Coupons& coupons) {
        coupons.given("ONCE", "usage_limit_per_customer", 1);
        coupons.given("FIRST", "first_time_customer_only", true);
        const auto& customer = coupons.base.user("svc_customer");
        REQUIRE(coupons.book("ada@example.org", "ONCE", customer).status == 201);
        CHECK(coupons.book("eve@example.org", "ONCE", customer).code() == "coupon_customer_limit");
        CHECK(coupons.book("eve@example.org", "FIRST", customer).code() == "coupon_first_time_only");
        CHECK(coupons.book_as_guest("ada@example.org", "ONCE").code() == "coupon_customer_limit");
        CHECK(coupons.book_as_guest("ada@example.org", "FIRST").code() == "coupon_first_time_only");
        CHECK(coupons.book_as_guest("eve@example.org", "ONCE").status == 201);
        CHECK(coupons.book("bob@example.org", "FIRST", coupons.base.user("owner")).status == 201);
    });
}

TEST_CASE("a use counts by mailbox: another spelling of an address is not another customer") {
    each_coupons([](Coupons& coupons) {
        coupons.given("ONCE", "usage_limit_per_customer", 1);
        coupons.given("FIRST", "first_time_customer_only", true);
        REQUIRE(coupons.book_as_guest("grace.hopper@gmail.com", "ONCE").status == 201);
        for (const char* same :
             {"gracehopper@gmail.com", "Grace.Hopper+walks@gmail.com", "g.race.hopper@googlemail.com"}) {
            CAPTURE(same);
            CHECK(coupons.book_as_guest(same, "ONCE").code() == "coupon_customer_limit");
            CHECK(coupons.book_as_guest(same, "FIRST").code() == "coupon_first_time_only");
        }
        // Elsewhere dots make another mailbox, and a part behind + does not.
        REQUIRE(coupons.book_as_guest("ada.lovelace@example.org", "ONCE").status == 201);
        CHECK(coupons.book_as_guest("ada.lovelace+walks@example.org", "ONCE").code() == "coupon_customer_limit");
        CHECK(coupons.book_as_guest("adalovelace@example.org", "ONCE").status == 201);
    });
}

TEST_CASE("a pasted code is taken without blanks and invisible characters, under either name of its field") {
    each_coupons([](Coupons& coupons) {
        coupons.given("SAVE");
        for (const char* code :
             {"\xE2\x80\x8BSAVE", "SAVE\xE2\x80\x8B ", "\xEF\xBB\xBF save\xE2\x80\x8E", "\xC2\xA0SAVE\t"}) {
            CAPTURE(code);
            CHECK(coupons.put_on(coupons.session(), code).status == 200);
            CHECK(coupons.book_as_guest("ada@example.org", code).status == 201);
        }
        CHECK(coupons.base
                  .post("/booking/coupons", Value::object({{"session_id", coupons.session()}, {"coupon_code", "save"}}))
                  .status == 200);
    });
}

TEST_CASE("a code may hold any letter or digit, and case does not matter in any script") {
    each_coupons([](Coupons& coupons) {
        coupons.given("Été-２０27");
        coupons.given("ЛЕТО");
        for (const char* code : {"ÉTÉ-２０27", "été-２０27", "E\xCC\x81t\xC3\xA9-２０27", "лето"}) {
            CAPTURE(code);
            CHECK(coupons.put_on(coupons.session(), code).status == 200);
        }
        for (const char* code : {"TWO WORDS", "50%", "A\xE2\x98\x83"})
            CHECK_FALSE(coupons.make(code));
        CHECK(text::folded_capitals("straße") == "STRASSE");
    });
}
