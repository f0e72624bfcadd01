// Data that a checkout page stores in its session beside the choice: the payment and the half-filled form.
#include <doctest/doctest.h>

#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Page {
    explicit Page(Database& database) : base(database), boss(base.user("owner")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 10);
        enable("second");
        session = opened("{}");
    }
    void enable(const char* title) {
        REQUIRE(
            base.post("/payment/gateways/pay_later/config", Value::object({{"enabled", true}, {"title", title}}), boss)
                .status == 200);
    }
    Visitor opened(const char* more) {
        Value body = Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}});
        const Value others = json::parse(more).value();
        for (const auto& [name, value] : others.members())
            body.set(name, value);
        const Answered answer = base.post("/booking/session", body);
        REQUIRE_MESSAGE(answer.status == 201, answer.text);
        return Visitor().with("X-Svc-Session", answer.data()["session_id"].text());
    }
    Answered put(const std::string& body) { return base.call("PUT", "/booking/session", body, session); }
    Value kept() { return base.get("/booking/session", session).data()["form_data"]; }
    std::string stored() {
        return base.assembly->store->reading<std::string>([](store::Session& reading) {
            std::string all;
            reading.each("SELECT form_data FROM svc_booking_sessions", "t", {},
                         [&](const store::Row& row) { all += row.text(0); });
            return all;
        });
    }

    TestBase base;
    Visitor boss, session;
    std::int64_t trip;
};

const auto each_page = each_on<Page>;

std::string told(const Answered& answered) {
    return std::to_string(answered.status) + " " + answered.code() + " " + answered.field();
}

}  // namespace

TEST_CASE("a form half filled in is there again until another takes its place, and lies sealed") {
    each_page([](Page& page) {
        CHECK(page.kept() == Value::object({}));
        const Value draft =
            json::parse(R"({"contact_email":"ada@example.org","travelers":[{"first_name":"canary"}],"step":2})")
                .value();
        const Answered put = page.put(Value::object({{"form_data", draft}}).dump());
        REQUIRE(put.status == 200);
        CHECK(put.data()["form_data"] == draft);
        CHECK(page.kept() == draft);
        CHECK(page.stored().find("canary") == std::string::npos);
        CHECK(page.put(R"({"travelers":2})").data()["form_data"] == draft);
        CHECK(page.put(R"({"form_data":{"step":3}})").data()["form_data"] == Value::object({{"step", 3}}));
        CHECK(page.put(R"({"form_data":null})").data()["form_data"] == Value::object({}));
        CHECK(page.stored().empty());
        page.session = page.opened(R"({"form_data":{"step":1}})");
        CHECK(page.kept() == Value::object({{"step", 1}}));
    });
}

TEST_CASE("what was drafted is gone once the session is a booking or has ended") {
    each_page([](Page& page) {
        REQUIRE(page.put(R"({"form_data":{"a":"b"}})").status == 200);
        REQUIRE(page.base.post("/booking/create", filled_in(Value::object({})), page.session).status == 201);
        CHECK(page.stored().empty());
        CHECK(page.kept() == Value::object({}));
        page.session = page.opened(R"({"form_data":{"a":"b"}})");
        REQUIRE_FALSE(page.stored().empty());
        REQUIRE(page.base.call("DELETE", "/booking/session", {}, page.session).status == 200);
        CHECK(page.stored().empty());
    });
}

TEST_CASE("nothing of a payment card is kept, telephone numbers and references are") {
    each_page([](Page& page) {
        for (const char* card : {R"({"n":"4242 4242 4242 4242"})", R"({"n":"5555-5555-5555-4444"})",
                                 R"({"n":{"deep":["378282246310005"]}})", R"({"n":4242424242424242})",
                                 R"({"n":"6011111111111117"})", R"({"n":"30569309025904"})"})
            CHECK_MESSAGE(
                told(page.put(std::string(R"({"form_data":)") + card + "}")) == "400 svc_validation_error form_data.n",
                card);
        CHECK(told(page.put(R"({"form_data":{"card_cvc":"123"}})")) == "400 svc_validation_error form_data.card_cvc");
        CHECK(told(page.put(R"({"form_data":{"payment":{"cardNumber":"1"}}})")) ==
              "400 svc_validation_error form_data.payment");
        CHECK(page.kept() == Value::object({}));
        CHECK(page.stored().empty());
        for (const char* fine : {R"({"phone":"+49 151 2345 6789"})", R"({"phone":"00491512345678"})", R"({"cvc":""})",
                                 R"({"reference":"4242424242424241"})", R"({"passport":"C01X00T478"})"})
            CHECK_MESSAGE(page.put(std::string(R"({"form_data":)") + fine + "}").status == 200, fine);
    });
}

TEST_CASE("a draft is an object of 16 KiB at most") {
    each_page([](Page& page) {
        CHECK(page.put(R"({"form_data":{"a":")" + std::string(16 * 1024 - 8, 'x') + R"("}})").status == 200);
        CHECK(told(page.put(R"({"form_data":{"a":")" + std::string(16 * 1024 - 7, 'x') + R"("}})")) ==
              "400 svc_validation_error form_data");
        CHECK(told(page.put(R"({"form_data":[1]})")) == "400 svc_validation_error form_data");
        CHECK(told(page.put(R"({"form_data":"text"})")) == "400 svc_validation_error form_data");
    });
}

TEST_CASE("a booking that names no gateway is paid by the one its session holds") {
    each_page([](Page& page) {
        CHECK(page.base.get("/booking/session", page.session).data()["payment_gateway"] == "");
        CHECK(told(page.put(R"({"payment_gateway":"none_such"})")) == "404 invalid_gateway payment_gateway");
        CHECK(told(page.base.post("/booking/session", Value::object({{"payment_gateway", "none_such"}}))) ==
              "404 invalid_gateway payment_gateway");
        CHECK(page.put(R"({"payment_gateway":"pay_later"})").data()["payment_gateway"] == "pay_later");
        CHECK(page.base.get("/booking/session", page.session).data()["payment_gateway"] == "pay_later");
        CHECK(page.put(R"({"payment_gateway":null})").data()["payment_gateway"] == "");
        // A choice of the session that is disabled by now is rejected like one in the request.
        page.base.run("UPDATE svc_booking_sessions SET payment_gateway = 'paypal'");
        CHECK(told(page.base.post("/booking/create", filled_in(Value::object({})), page.session)) ==
              "404 invalid_gateway payment_gateway");
        const auto named = page.base.post("/booking/create",
                                          filled_in(Value::object({{"payment_gateway", "pay_later"}})), page.session);
        REQUIRE(named.status == 201);
        CHECK(named.data()["payment_gateway"] == "pay_later");
    });
}

TEST_CASE("drafts are sealed anew with the key in use, each for its own session") {
    each_page([](Page& page) {
        page.opened("{}");
        store::Store& store = *page.base.assembly->store;
        const TempDir folder;
        const auto path = folder.file("svc.key");
        const auto first = crypto::Keyring::open(path);
        std::vector<std::string> sessions;
        store.read([&](store::Session& reading) {
            reading.each("SELECT token_hash FROM svc_booking_sessions ORDER BY id", "t", {},
                         [&](const store::Row& row) { sessions.push_back(row.text(0)); });
        });
        REQUIRE(sessions.size() == 2);
        REQUIRE(store.write([&](store::Transaction& tx) -> Result<void> {
            for (const std::string& hash : sessions)
                tx.run("UPDATE svc_booking_sessions SET form_data = :text WHERE token_hash = :hash",
                       {{"text", first->seal("{}", booking::Sealing::of_session(hash))}, {"hash", hash}});
            return {};
        }));
        crypto::Keyring::add(path);
        crypto::Keyring::use_last(path);
        const auto both = crypto::Keyring::open(path);
        const auto renewed = [&] {
            std::int64_t last = 0;
            return store
                .transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                    return booking::SessionRepository::renew_drafts(tx, *both, 100, last);
                })
                .value();
        };
        CHECK(renewed() == 2);
        CHECK(renewed() == 0);
        store.read([&](store::Session& reading) {
            reading.each("SELECT token_hash, form_data FROM svc_booking_sessions", "tt", {},
                         [&](const store::Row& row) {
                             CHECK(row.text(1).starts_with(both->prefix()));
                             CHECK(both->open(row.text(1), booking::Sealing::of_session(row.text(0))).value() == "{}");
                         });
        });
    });
}
