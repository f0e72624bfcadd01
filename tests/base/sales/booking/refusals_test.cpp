// Refusals of checkout and of the desk name the field that is at fault, as the caller wrote it.
#include <set>

#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Till {
    explicit Till(Database& database) : base(database), boss(base.user("owner")), trip(base.given_trip()) {
        departure = base.given_departure(trip, 30, 10);
    }
    Value choice(Value more = Value::object()) const {
        Value body = Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return body;
    }
    Visitor session() {
        const auto opened = base.post("/booking/session", choice());
        REQUIRE(opened.status == 201);
        return Visitor{}.with("X-Svc-Session", opened.data()["session_id"].text());
    }
    Answered create(Value more) {
        Value body = filled_in(std::move(more));
        return base.post("/booking/create", body, session());
    }
    Answered at_desk(Value more) {
        Value body = choice(std::move(more));
        body.set("contact_first_name", "Ada");
        body.set("contact_email", "ada@example.org");
        return base.post("/bookings", body, boss);
    }
    void limit_party() {
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip), R"({"min_travelers":2,"max_travelers":4})", boss)
                    .status == 200);
    }

    TestBase base;
    Visitor boss;
    std::int64_t trip = 0, departure = 0;
};

const auto each_till = each_on<Till>;

std::string told(const Answered& answered) {
    return std::to_string(answered.status) + " " + answered.code() + " " + answered.field();
}

}  // namespace

TEST_CASE("a party of the wrong size is reported by the name that its number was sent under") {
    each_till([](Till& till) {
        till.limit_party();
        const Visitor session = till.session();
        const auto summary = [&](const char* name, int people) {
            return told(till.base.post("/booking/summary", Value::object({{name, people}}), session));
        };
        for (const char* name : {"travelers", "travelers_count", "traveler_count"}) {
            CHECK(summary(name, 0) == std::string("400 svc_validation_error ") + name);
            CHECK(summary(name, 1) == std::string("400 group_size ") + name);
            CHECK(summary(name, 5) == std::string("400 group_size ") + name);
        }
        CHECK(told(till.base.post("/booking/session", till.choice(Value::object({{"travelers", 0}})))) ==
              "400 svc_validation_error travelers");
        CHECK(told(till.create(Value::object({{"traveler_count", 5}}))) == "400 group_size traveler_count");
        CHECK(told(till.at_desk(Value::object({{"traveler_count", 5}}))) == "400 group_size traveler_count");
        CHECK(told(till.at_desk(Value::object({{"travelers_count", 5}}))) == "400 group_size travelers_count");
    });
}

TEST_CASE("a traveler category is refused where everybody pays the same") {
    each_till([](Till& till) {
        const std::int64_t adult =
            till.base.number("SELECT MIN(id) FROM svc_classifications WHERE slug = 'adult' AND type = 'traveler_type'");
        const Visitor session = till.session();
        for (const std::int64_t category : {adult, std::int64_t{987'654}}) {
            const std::string field = "traveler_counts." + std::to_string(category);
            const Value counts = Value::object({{"traveler_counts", Value::object({{std::to_string(category), 2}})}});
            CHECK(told(till.base.post("/booking/session", till.choice(counts))) == "400 svc_validation_error " + field);
            CHECK(told(till.base.call("PUT", "/booking/session", counts.dump(), session)) ==
                  "400 svc_validation_error " + field);
            CHECK(told(till.base.post("/booking/summary", counts, session)) == "400 svc_validation_error " + field);
            CHECK(told(till.create(counts)) == "400 svc_validation_error " + field);
            CHECK(told(till.at_desk(counts)) == "400 svc_validation_error " + field);
        }
        const Value all = Value::object({{"traveler_counts", Value::object({{"0", 2}})}});
        CHECK(till.base.post("/booking/summary", all, session).data()["travelers_count"].integer() == 2);
    });
}

TEST_CASE("a date that cannot be booked, an invalid code and a gateway are reported by their fields") {
    each_till([](Till& till) {
        const Visitor session = till.session();
        const auto summary = [&](Value choice) { return told(till.base.post("/booking/summary", choice, session)); };
        CHECK(summary(Value::object({{"travel_date", till.base.day(-3)}})) == "400 date_unavailable travel_date");
        CHECK(summary(Value::object({{"payment_method", "deposit"}})) ==
              "400 payment_method_unavailable payment_method");
        CHECK(told(till.create(Value::object({{"travel_date", till.base.day(-3)}}))) ==
              "400 date_unavailable travel_date");
        CHECK(told(till.create(Value::object({{"payment_gateway", "barter"}}))) ==
              "404 invalid_gateway payment_gateway");
        CHECK(told(till.at_desk(Value::object({{"travel_date", till.base.day(-3)}}))) ==
              "400 date_unavailable travel_date");
        const auto block = [&](bool blocked) {
            const Value body = Value::object({{"is_blocked", blocked}});
            const auto path = "/availability/" + std::to_string(till.departure);
            REQUIRE(till.base.call("PUT", path, body.dump(), till.boss).status == 200);
        };
        block(true);
        CHECK(summary(Value::object()) == "409 date_blocked travel_date");
        CHECK(summary(Value::object({{"availability_id", till.departure}})) == "409 date_blocked availability_id");
        block(false);

        const Value ended = Value::object({{"code", "OVER"},
                                           {"type", "percentage"},
                                           {"amount", 10},
                                           {"status", "publish"},
                                           {"expiry_date", till.base.day(-2)}});
        REQUIRE(till.base.post("/discounts", ended, till.boss).status == 201);
        CHECK(told(till.create(Value::object({{"coupon_code", "OVER"}}))) == "400 coupon_expired coupon_code");
        CHECK(told(till.create(Value::object({{"coupon_code", "NONE"}}))) == "400 coupon_not_found coupon_code");
        CHECK(told(till.at_desk(Value::object({{"payment_gateway", "barter"}}))) ==
              "404 invalid_gateway payment_gateway");
        CHECK(told(till.base.post("/booking/coupons", Value::object({{"code", std::string(51, 'X')}}), session)) ==
              "404 coupon_not_found code");
        // Where a code is part of more, one too long for any is as any other that there is not.
        const Value too_long = Value::object({{"coupon_code", std::string(51, 'X')}});
        CHECK(told(till.create(too_long)) == "400 coupon_not_found coupon_code");
        const auto why = [](const Value& quote) { return quote["coupon_discount"]["error"]["code"].text(); };
        const Visitor other = till.session();
        CHECK(why(till.base.post("/booking/summary", too_long, other).data()) == "coupon_not_found");
        const auto said =
            till.base.post("/booking/summary", too_long, Visitor(other).with("Accept-Language", "de")).data();
        CHECK(said["coupon_error"].text() == "Diesen Gutschein gibt es nicht.");
        CHECK(said["coupon_discount"]["error"]["message"] == said["coupon_error"]);
        const auto changed = till.base.call("PUT", "/booking/session", too_long.dump(), other);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["coupon_code"].text().size() == 51);
        CHECK(why(changed.data()["quote"]) == "coupon_not_found");
        CHECK(changed.data()["coupon"]["error"]["code"].text() == "coupon_not_found");
        CHECK(told(till.base.post("/booking/coupons", Value::object({{"code", "OVER"}}), session)) ==
              "400 coupon_expired code");
        CHECK(till.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
    });
}

TEST_CASE("nobody travels who is still to be born") {
    each_till([](Till& till) {
        const auto born = [&](const std::string& day) {
            Value traveler = filled_in(Value::object())["travelers"][0];
            traveler.set("date_of_birth", day);
            return Value::object({{"travelers", Value::array({std::move(traveler)})}});
        };
        const std::string refused = "400 svc_validation_error travelers.0.date_of_birth";
        CHECK(told(till.create(born(till.base.day(2)))) == refused);
        CHECK(told(till.at_desk(born(till.base.day(2)))) == refused);
        const auto made = till.at_desk(born(till.base.day(-9000)));
        REQUIRE(made.status == 201);
        const std::string path = "/bookings/" + std::to_string(made.data()["id"].integer());
        CHECK(told(till.base.call("PUT", path, born(till.base.day(2)).dump(), till.boss)) == refused);
        CHECK(told(till.base.call("PUT", path + "/travellers", born(till.base.day(2)).dump(), till.boss)) == refused);
        CHECK(till.base.get(path, till.boss).data()["travelers"][0]["fields"]["date_of_birth"].text() ==
              till.base.day(-9000));
    });
}

TEST_CASE("an amount finer than its currency's smallest unit is refused by its field wherever money is sent") {
    each_till([](Till& till) {
        const auto made = till.at_desk(Value::object());
        REQUIRE(made.status == 201);
        const std::int64_t id = made.data()["id"].integer();
        const std::string booking = "/bookings/" + std::to_string(id), trip = "/trips/" + std::to_string(till.trip);
        const std::string departure = "/availability/" + std::to_string(till.departure);
        struct Sent {
            const char *method, *field;
            std::string path, body;
        };
        const std::vector<Sent> all{
            {"PUT", "regular_price", trip, R"({"regular_price":100.005})"},
            {"PUT", "deposit_amount", trip, R"({"deposit_amount":"0.001"})"},
            {"PUT", "original_price", departure, R"({"original_price":10.999})"},
            {"PUT", "total", booking, R"({"total":99.999})"},
            {"PUT", "manual_total", booking, R"({"manual_total":99.999})"},
            {"POST", "amount", booking + "/payments", R"({"amount":0.001,"gateway":"cash"})"},
            {"POST", "amount", "/payments",
             R"({"booking_id":)" + std::to_string(id) + R"(,"amount":1.234,"gateway":"cash"})"},
            {"POST", "amount", "/payment/create-intent", R"({"gateway":"pay_later","amount":1.234,"currency":"USD"})"},
            {"POST", "amount", "/discounts", R"({"code":"FINE","type":"fixed","amount":1.234})"},
            {"POST", "min_amount", "/discounts",
             R"({"code":"FINE","type":"percentage","amount":5,"min_amount":1.234})"}};
        for (const Sent& sent : all) {
            const auto answered = till.base.call(sent.method, sent.path, sent.body, till.boss);
            CAPTURE(sent.path);
            CAPTURE(answered.text);
            CHECK(told(answered) == std::string("400 svc_validation_error ") + sent.field);
        }
        CHECK(told(till.create(Value::object({{"expected_total", json::Number{"100.001"}}}))) ==
              "400 svc_validation_error expected_total");
        // Zeros say nothing that is lost.
        CHECK(till.base.call("PUT", booking, R"({"total":99.5000})", till.boss).data()["total"].number_text() ==
              "99.50");
    });
}

TEST_CASE("a refused booking names every field at fault, whether its shape or the form refuses it") {
    each_till([](Till& till) {
        const auto names = [](const Answered& refused) {
            std::string all;
            for (const auto& [name, sentences] : refused.body["data"]["errors"].members())
                all += name + " ";
            return std::to_string(refused.status) + " " + all;
        };
        Value wrong = filled_in(Value::object({{"contact_email", "nobody"}, {"contact_phone", ""}}));
        Value travelers = wrong["travelers"];
        REQUIRE(travelers.size() > 0);
        Value lead = travelers[std::size_t{0}];
        lead.set("date_of_birth", "2999-01-01");
        wrong.set("travelers", Value::array({lead}));
        wrong.set("emergency_name", "");
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) ==
              "400 contact_email contact_phone emergency_name travelers.0.date_of_birth ");
        // The same without the fault of shape.
        wrong.set("contact_email", "ada@example.org");
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) ==
              "400 contact_phone emergency_name travelers.0.date_of_birth ");
        // A member that does not fit is not missed by the form as well.
        wrong.set("emergency_contact", "Cleo");
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) ==
              "400 emergency_contact contact_phone travelers.0.date_of_birth ");
        CHECK(till.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
    });
}

TEST_CASE("a refused booking names in one round what contact, party, answers, account and way of paying have wrong") {
    each_till([](Till& till) {
        const auto joined = [](const std::set<std::string>& all) {
            std::string text;
            for (const std::string& name : all)
                text += name + " ";
            return text;
        };
        const auto names = [&joined](const Answered& refused) {
            INFO(refused.text);
            CHECK(refused.status == 400);
            std::set<std::string> all;
            for (const auto& [name, sentences] : refused.body["data"]["errors"].members()) {
                all.insert(name);
                CHECK(sentences.size() == 1);
            }
            return joined(all);
        };
        using Names = std::set<std::string>;
        Value wrong = filled_in(Value::object({{"contact_first_name", "see www.evil.example"},
                                               {"contact_last_name", "or http://evil.example"},
                                               {"emergency_name", ""},
                                               {"travelers_count", 2},
                                               {"expected_total", json::Number{"100.001"}},
                                               {"payment_gateway", "shells"}}));
        Value lead = wrong["travelers"][std::size_t{0}];
        lead.set("last_name", "Lovelace");
        Value other = lead;
        other.set("gender", Value::array({"female"}));
        Value young = lead;
        young.set("date_of_birth", "2999-01-01");
        wrong.set("travelers", Value::array({lead, other, young}));
        const Names always = {"contact_first_name", "contact_last_name",  "emergency_name",
                              "travelers",          "travelers.1.gender", "travelers.2.date_of_birth"};
        const auto also = [&](Names more) {
            more.insert(always.begin(), always.end());
            return joined(more);
        };
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) ==
              also({"expected_total", "payment_gateway"}));
        // A check before the last step does not ask how it is paid, nor for an account.
        CHECK(names(till.base.post("/booking/validate", wrong, till.session())) == also({"expected_total"}));
        wrong.set("create_account", true);
        wrong.set("account_password", "short");
        wrong.set("account_password_confirm", "shorter");
        const Names account = {"expected_total", "payment_gateway", "account_password", "account_password_confirm"};
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) == also(account));
        CHECK(names(till.base.post("/booking/validate", wrong, till.session())) == also({"expected_total"}));
        // Of an unknown date neither the party nor the price can be judged.
        wrong.set("availability_id", 999'999);
        CHECK(names(till.base.post("/booking/create", wrong, till.session())) ==
              joined(Names{"availability_id", "contact_first_name", "contact_last_name", "emergency_name",
                           "travelers.1.gender", "travelers.2.date_of_birth", "account_password",
                           "account_password_confirm"}));
        // Nothing but the account: the same names, and no more than these.
        Value account_alone = filled_in(Value::object(
            {{"create_account", true}, {"account_password", "short"}, {"account_password_confirm", "shorter"}}));
        CHECK(names(till.base.post("/booking/create", account_alone, till.session())) ==
              joined(Names{"account_password", "account_password_confirm"}));
        CHECK(till.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
    });
}

TEST_CASE("staff's change of a booking names answers that are no texts beside those that do not do") {
    each_till([](Till& till) {
        const auto made = till.create(Value::object());
        REQUIRE(made.status == 201);
        const std::string booking = "/bookings/" + std::to_string(made.data()["booking_id"].integer());
        const auto refused = till.base.call(
            "PUT", booking,
            R"({"travelers":[{"first_name":["Ada"],"date_of_birth":"soon"}],"emergency_contact":{"phone":"x"}})",
            till.boss);
        CHECK(refused.status == 400);
        for (const char* name : {"travelers.0.first_name", "travelers.0.date_of_birth"})
            CHECK(refused.body["data"]["errors"].find(name) != nullptr);
        CHECK(refused.body["data"]["errors"].size() == 3);
    });
}

TEST_CASE("an ended session, a missing sign-in and an unpublished trip are reported before the form's faults") {
    each_till([](Till& till) {
        const auto nothing = Value::object();
        CHECK(told(till.base.post("/booking/create", nothing)) == "404 session_expired ");
        CHECK(told(till.base.post("/booking/create", nothing, Visitor{}.with("X-Svc-Session", "guessed"))) ==
              "404 session_expired ");
        const auto set = [&](const char* settings) {
            REQUIRE(till.base.call("PUT", "/settings", settings, till.base.user("administrator")).status == 200);
        };
        set(R"({"allow_guest_checkout":false})");
        CHECK(told(till.base.post("/booking/create", nothing, till.session())) == "401 guest_not_allowed ");
        set(R"({"allow_guest_checkout":true,"require_login":true})");
        CHECK(told(till.base.post("/booking/create", nothing, till.session())) == "401 login_required ");
        set(R"({"require_login":false})");
        const auto session = till.session();
        CHECK(till.base.post("/booking/create", nothing, session).code() == "svc_validation_error");
        const std::string trip = "/trips/" + std::to_string(till.trip);
        REQUIRE(till.base.call("PUT", trip, R"({"status":"draft"})", till.boss).status == 200);
        const auto contact = Value::object(
            {{"contact_first_name", "Ada"}, {"contact_last_name", "Lovelace"}, {"contact_email", "ada@example.org"}});
        CHECK(till.base.post("/booking/create", contact, session).code() == "trip_not_found");
    });
}

TEST_CASE("an empty field of checkout may be sent as null, and a session's date, time and code are taken back by it") {
    each_till([](Till& till) {
        const auto session = till.session();
        const auto put = [&](const Value& body) {
            return till.base.call("PUT", "/booking/session", body.dump(), session);
        };
        const auto day = till.base.day(30);
        REQUIRE(put(Value::object({{"coupon_code", "SPRING"}, {"country", Value()}})).status == 200);
        const auto cleared = put(Value::object({{"travel_date", Value()}, {"coupon_code", Value()}}));
        REQUIRE(cleared.status == 200);
        CHECK(cleared.data()["travel_date"].is_null());
        CHECK(cleared.data().text_or("coupon_code").empty());
        REQUIRE(put(Value::object({{"travel_date", day}, {"departure_time", "09:00"}})).status == 200);
        CHECK(put(Value::object({{"travel_date", day}})).data()["departure_time"].text() == "09:00");
        CHECK(
            put(Value::object({{"travel_date", day}, {"departure_time", Value()}})).data()["departure_time"].is_null());
        Value body = filled_in(Value::object());
        for (const char* name :
             {"travel_date", "availability_id", "travelers_count", "traveler_counts", "coupon_code", "payment_method",
              "payment_gateway", "special_requests", "contact_address", "contact_data", "emergency_contact",
              "emergency_relationship", "expected_total", "recaptcha_token", "create_account", "account_password",
              "subscribe_newsletter", "contact_phone_country", "selected_services"})
            body.set(name, Value());
        const auto made = till.base.post("/booking/create", body, session);
        REQUIRE(made.status == 201);
        CHECK(made.data()["travel_date"].text() == day);
        CHECK(made.data()["payment_gateway"].text() == "pay_later");
    });
}
