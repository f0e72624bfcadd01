// Discounts through the whole base with Pro attached: what staff write, what everyone sees, codes at checkout.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value body(const char* text) { return json::parse(text).value(); }

struct Discounted : TestBase {
    explicit Discounted(Database& database) : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        turn("advanced_discount", true);
    }
    void turn(const std::string& module, bool on) {
        REQUIRE(
            post("/modules/" + module + "/toggle", Value::object({{"enabled", on}}), user("administrator")).status ==
            200);
    }
    const Visitor& staff() { return user("marketing"); }
    std::int64_t given(const char* text) {
        const auto made = post("/discounts", body(text), staff());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    std::string open(std::int64_t trip, std::int64_t travelers = 2) {
        const auto opened =
            post("/booking/session",
                 Value::object({{"trip_id", trip}, {"travel_date", day(30)}, {"travelers_count", travelers}}));
        REQUIRE(opened.status == 201);
        return opened.data()["session_id"].text();
    }
    Answered code(const std::string& session, const char* text) {
        return post("/booking/coupons", Value::object({{"session_id", session}, {"code", text}}));
    }
    Answered summary(const std::string& session) { return get("/booking/summary?session_id=" + session); }
};

void each_base(const std::function<void(Discounted&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Discounted base(database);
        work(base);
    });
}

}  // namespace

TEST_CASE("a discount is written, read, listed, counted, trashed and deleted") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        const auto id = base.given(R"({"code":"summer-26","amount":12.5,"name":"Summer","usage_limit":5,
            "valid_from":"2026-06-01","expiry_date":"2040-08-31","max_discount_amount":99.5,"status":"publish"})");
        const std::string path = "/discounts/" + std::to_string(id);
        auto read = base.get(path, base.staff());
        CHECK(read.data()["code"].text() == "SUMMER-26");
        CHECK(read.data()["type"].text() == "percentage");
        CHECK(read.data()["amount"].number_text() == "12.5");
        CHECK(read.data()["max_discount_amount"].number_text() == "99.50");
        CHECK(read.data()["usage_count"].integer() == 0);
        const auto changed = base.call("PUT", path,
                                       Value::object({{"type", "fixed"},
                                                      {"amount", 20},
                                                      {"applicable_to", "specific_trips"},
                                                      {"trip_ids", Value::array({trip})},
                                                      {"max_discount_amount", Value()},
                                                      {"row_version", 1}})
                                           .dump(),
                                       base.staff());
        CHECK(changed.status == 200);
        CHECK(changed.data()["amount"].number_text() == "20.00");
        CHECK(changed.data()["max_discount_amount"].is_null());
        CHECK(changed.data()["trip_ids"].dump() == "[" + std::to_string(trip) + "]");
        CHECK(changed.data()["valid_from"].text() == "2026-06-01");
        CHECK(base.call("PUT", path, R"({"row_version":1})", base.staff()).status == 409);
        base.given(R"({"code":"OTHER","amount":1})");
        CHECK(base.get("/discounts?search=summ", base.staff()).body["meta"]["total"].integer() == 1);
        CHECK(base.get("/discounts?type=fixed", base.staff()).body["meta"]["total"].integer() == 1);
        CHECK(base.get("/discounts?status=draft", base.staff()).body["meta"]["total"].integer() == 1);
        CHECK(base.get("/discounts/stats", base.staff()).data().dump() ==
              R"({"all":2,"publish":1,"draft":1,"trash":0,"expired":0})");
        CHECK(base.call("PUT", path, R"({"status":"trash"})", base.staff()).data()["status"].text() == "trash");
        CHECK(base.get(path, base.staff()).data()["status"].text() == "trash");
        CHECK(base.get("/discounts", base.staff()).body["meta"]["total"].integer() == 1);
        CHECK(base.call("DELETE", path, "", base.staff()).status == 200);
        CHECK(base.get(path, base.staff()).status == 404);
        const std::string fresh = "/discounts/" + std::to_string(base.given(R"({"code":"SUMMER-26","amount":1})"));
        CHECK(base.call("DELETE", fresh, "", base.staff()).data()["deleted"].boolean());
        CHECK(base.get(fresh, base.staff()).status == 404);
        CHECK(base.call("DELETE", fresh, "", base.staff()).status == 404);
        base.given(R"({"code":"summer-26","amount":1})");  // the code is free again
    });
}

TEST_CASE("the days of a discount may be sent as moments, which lie on a day of the site's") {
    each_base([](Discounted& base) {
        const auto& boss = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings", R"({"timezone":"Asia/Tokyo"})", boss).status == 200);
        const auto id = base.given(R"({"code":"DAYS","amount":1,"valid_from":"2030-05-31T14:59:59Z",
            "expiry_date":"2030-05-31T15:00:00Z"})");
        const std::string path = "/discounts/" + std::to_string(id);
        const auto days = [&] {
            const auto read = base.get(path, base.staff()).data();
            return read["valid_from"].text() + " " + read["expiry_date"].text();
        };
        CHECK(days() == "2030-05-31 2030-06-01");
        const auto put = [&](const char* text) { return base.call("PUT", path, text, base.staff()); };
        CHECK(put(R"({"valid_from":"2030-06-01T09:00:00+09:00","expiry_date":"2030-06-02"})").status == 200);
        CHECK(days() == "2030-06-01 2030-06-02");
        CHECK(put(R"({"valid_from":null,"expiry_date":""})").status == 200);
        CHECK(base.get(path, base.staff()).data()["valid_from"].is_null());
        CHECK(base.get(path, base.staff()).data()["expiry_date"].is_null());
        for (const char* wrong :
             {"soon", "2030-02-30", "2030-06-01T25:00:00Z", "2030-06-01T09:00", "9999-12-31T23:00:00Z"}) {
            CAPTURE(wrong);
            const auto refused = base.call(
                "PUT", path, Value::object({{"valid_from", wrong}, {"expiry_date", wrong}}).dump(), base.staff());
            CHECK(refused.status == 400);
            CHECK(refused.field() == "valid_from");
            CHECK(refused.body["data"]["errors"].find("expiry_date") != nullptr);
        }
        CHECK(put(R"({"valid_from":"2030-06-02T15:00:00Z","expiry_date":"2030-06-02"})").field() == "expiry_date");
    });
}

TEST_CASE("group reductions are shown as amounts in the site's format") {
    each_base([](Discounted& base) {
        const auto& boss = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings",
                          R"({"currency_position":"right","decimal_separator":",","thousand_separator":"."})", boss)
                    .status == 200);
        const auto trip = base.given_trip();
        base.given_departure(trip, 30);
        const auto id = base.given(R"({"discount_mode":"group","status":"publish","group_discount_ranges":[
            {"min_size":2,"type":"fixed","amount":1234.5}]})");
        const auto shared =
            base.get("/discounts/group-discounts?trip_ids=" + std::to_string(trip)).data()[std::to_string(trip)];
        CHECK(shared["discounts"][0]["discount_label"].text() == "1.234,50 USD");
        CHECK(shared["summary"].text() == "2+: 1.234,50 USD");
        REQUIRE(base.call("PUT", "/discounts/" + std::to_string(id),
                          R"({"group_discount_ranges":[{"min_size":2,"type":"fixed","amount":20.5}]})", base.staff())
                    .status == 200);
        const auto told = base.summary(base.open(trip)).data();
        CHECK(told["group_discount"]["label"].text() == "Group Discount (20,50 USD)");
    });
}

TEST_CASE("what a discount may not say is refused by field, and a code is anybody's once") {
    each_base([](Discounted& base) {
        base.given(R"({"code":"SAVE","amount":10})");
        const auto refused = [&](const char* text) {
            const auto answered = base.post("/discounts", body(text), base.staff());
            return std::to_string(answered.status) + " " + answered.field();
        };
        CHECK(refused(R"({"amount":10})") == "400 code");
        CHECK(refused(R"({"code":"A B","amount":10})") == "400 code");
        CHECK(refused(R"({"code":"save","amount":10})") == "409 code");
        CHECK(refused(R"({"code":"X","amount":null})") == "400 amount");
        CHECK(refused(R"({"code":"X","amount":100.01})") == "400 amount");
        CHECK(refused(R"({"code":"X","type":"fixed","amount":-1})") == "400 amount");
        CHECK(refused(R"({"code":"X","amount":5,"valid_from":"2027-01-02","expiry_date":"2027-01-01"})") ==
              "400 expiry_date");
        CHECK(refused(R"({"code":"X","amount":5,"applicable_to":"specific_trips","trip_ids":[999999]})") ==
              "400 trip_ids");
        CHECK(refused(R"({"discount_mode":"group"})") == "400 group_discount_amount");
        CHECK(refused(R"({"discount_mode":"group","group_discount_amount":5,"min_group_size":5,"max_group_size":4})") ==
              "400 max_group_size");
        CHECK(refused(R"({"discount_mode":"group","group_discount_ranges":[
            {"min_size":2,"max_size":5,"type":"percentage","amount":5},
            {"min_size":5,"type":"percentage","amount":9}]})") == "400 group_discount_ranges");
        base.turn("advanced_discount", false);
        CHECK(refused(R"({"discount_mode":"group","group_discount_amount":5})") == "400 discount_mode");
        CHECK(refused(R"({"code":"X","amount":5,"min_group_size":5})") == "400 min_group_size");
    });
}

TEST_CASE("a discount has an ETag, writes name the version they were made on, and every fault is reported at once") {
    each_base([](Discounted& base) {
        const auto made = base.post("/discounts", body(R"({"code":"SAVE","amount":10})"), base.staff());
        const std::string path = "/discounts/" + std::to_string(made.data()["id"].integer());
        const std::string etag = base.get(path, base.staff()).header("ETag");
        CHECK(made.header("ETag") == etag);
        CHECK(base.get(path, Visitor(base.staff()).with("If-None-Match", etag)).status == 304);
        const auto old = Visitor(base.staff()).with("If-Match", etag);
        const auto changed = base.call("PUT", path, R"({"usage_limit":3})", old);
        CHECK(changed.status == 200);
        CHECK(changed.header("ETag") != etag);
        CHECK(base.call("PUT", path, R"({"usage_limit":4})", old).status == 409);
        CHECK(base.get(path, base.staff()).data()["usage_limit"].integer() == 3);
        const auto faults = base.post("/discounts", body(R"({"code":"A B","amount":101,"usage_limit":-1,"min_amount":-1,
            "valid_from":"2030-02-02","expiry_date":"2030-02-01","trip_ids":[999999],"applicable_to":"specific_trips"})"),
                                      base.staff());
        CHECK(faults.status == 400);
        for (const char* field : {"code", "amount", "usage_limit", "min_amount", "expiry_date", "trip_ids"}) {
            CAPTURE(field);
            CHECK(faults.body["data"]["errors"].find(field) != nullptr);
        }
    });
}

TEST_CASE("several discounts are published, trashed, restored and deleted at once, each by itself") {
    each_base([](Discounted& base) {
        const auto one = base.given(R"({"code":"ONE","amount":1,"status":"publish"})");
        const auto two = base.given(R"({"code":"TWO","amount":2})");
        const auto bulk = [&](const char* action) {
            const auto done =
                base.post("/discounts/bulk",
                          Value::object({{"action", action}, {"ids", Value::array({one, two, 999999})}}), base.staff());
            CAPTURE(done.text);
            CHECK(done.data()["affected"].integer() == 2);
            CHECK(done.data()["failed"].integer() == 1);
            CHECK(done.data()["results"][2]["code"].text() == "svc_not_found");
        };
        const auto status = [&](std::int64_t id) {
            return base.get("/discounts/" + std::to_string(id), base.staff()).data().text_or("status");
        };
        bulk("trash");
        CHECK(status(one) == "trash");
        bulk("restore");
        CHECK(status(one) == "publish");
        CHECK(status(two) == "draft");
        bulk("publish");
        CHECK(status(two) == "publish");
        bulk("delete");
        CHECK(base.get("/discounts/" + std::to_string(one), base.staff()).status == 404);
    });
}

TEST_CASE("a coupon without an amount takes nothing off") {
    each_base([](Discounted& base) {
        for (const char* text :
             {R"({"code":"BARE"})", R"({"code":"NOUGHT","amount":0,"status":"publish"})",
              R"({"code":"FLAT","type":"fixed"})", R"({"code":"FLAT0","type":"fixed","amount":0})"}) {
            CAPTURE(text);
            const auto path = "/discounts/" + std::to_string(base.given(text));
            const Value read = base.get(path, base.staff()).data();
            CHECK(read["type"].text() == body(text).text_or("type", "percentage"));
            CHECK(read["amount"].number_text().find_first_not_of("0.") == std::string::npos);
            CHECK(base.call("PUT", path, read.dump(), base.staff()).status == 200);
            CHECK(base.call("PUT", path, R"({"amount":7})", base.staff())
                      .data()["amount"]
                      .number_text()
                      .starts_with("7"));
            CHECK(base.call("PUT", path, R"({"amount":0,"status":"publish"})", base.staff()).status == 200);
        }
        const auto trip = base.given_trip();
        base.given_departure(trip, 30);
        const std::string session = base.open(trip);
        const auto before = base.summary(session).data()["total_amount"];
        for (const char* code : {"NOUGHT", "FLAT0"}) {
            const auto applied = base.code(session, code);
            CAPTURE(applied.text);
            CHECK(applied.status == 200);
            CHECK(base.summary(session).data()["total_amount"] == before);
        }
    });
}

TEST_CASE("a discount sent back as it was read changes nothing, its module on or off") {
    each_base([](Discounted& base) {
        const auto same = [&](std::int64_t id) {
            const std::string path = "/discounts/" + std::to_string(id);
            Value read = base.get(path, base.staff()).data();
            const auto kept = base.call("PUT", path, read.dump(), base.staff());
            CAPTURE(kept.text);
            CHECK(kept.status == 200);
            Value after = kept.data();
            for (const char* moving : {"row_version", "updated_at"})
                after.set(moving, read[moving]);
            CHECK(after == read);
        };
        const auto coupon = base.given(R"({"code":"SAVE","amount":10,"group_discount_type":null})");
        const auto group = base.given(R"({"code":null,"type":null,"amount":null,"discount_mode":"group",
            "group_discount_type":"fixed","group_discount_amount":5,"min_group_size":3})");
        const auto ranged = base.given(R"({"code":"GR","amount":5,"discount_mode":"both","group_discount_ranges":[
            {"min_size":5,"type":"percentage","amount":12},{"min_size":2,"max_size":4,"type":"fixed","amount":7}],
            "group_discount_mode":"category_based",
            "category_discounts":{"2":[{"min_size":2,"type":"fixed","amount":3}],
                                  "1":[{"min_size":4,"type":"percentage","amount":10}]}})");
        for (const bool on : {true, false}) {
            base.turn("advanced_discount", on);
            for (const auto id : {coupon, group, ranged})
                same(id);
        }
        // With the module off what is of groups alone stays as it is.
        const auto refused = [&](std::int64_t id, const char* text) {
            return base.call("PUT", "/discounts/" + std::to_string(id), text, base.staff()).field();
        };
        CHECK(refused(group, R"({"min_group_size":4})") == "min_group_size");
        CHECK(refused(group, R"({"group_discount_type":"percentage"})") == "group_discount_type");
        CHECK(refused(ranged, R"({"group_discount_ranges":[]})") == "group_discount_ranges");
        CHECK(refused(coupon, R"({"code":null})") == "code");
        CHECK(refused(coupon, R"({"amount":null})") == "amount");
    });
}

TEST_CASE("is_group_discount is the mode by its older name, and a group discount may have an amount of 0") {
    each_base([](Discounted& base) {
        const auto mode_of = [&](const char* text) {
            const auto made = base.post("/discounts", body(text), base.staff());
            CAPTURE(made.text);
            CHECK(made.status == 201);
            return made.data()["discount_mode"].text();
        };
        const auto unused = base.given(R"({"code":"NONE","amount":0,"discount_mode":"group",
            "group_discount_type":"fixed","group_discount_amount":5})");
        CHECK(base.get("/discounts/" + std::to_string(unused), base.staff()).data()["amount"].is_null());
        CHECK(mode_of(R"({"code":"A","amount":10,"is_group_discount":true,"group_discount_amount":5})") == "both");
        CHECK(mode_of(R"({"code":"B","amount":0,"is_group_discount":true,"group_discount_amount":5})") == "group");
        CHECK(mode_of(R"({"is_group_discount":true,"group_discount_amount":5})") == "group");
        CHECK(mode_of(R"({"code":"C","amount":10,"is_group_discount":false})") == "promo");
        CHECK(mode_of(R"({"code":"D","amount":10,"discount_mode":"promo","is_group_discount":true})") == "promo");
        const auto put = [&](bool flag) {
            return base.call("PUT", "/discounts/" + std::to_string(unused),
                             Value::object({{"is_group_discount", flag}, {"amount", 10}}).dump(), base.staff());
        };
        CHECK(put(true).data()["discount_mode"].text() == "group");
        CHECK(put(false).data()["discount_mode"].text() == "promo");
        CHECK(put(true).data()["discount_mode"].text() == "both");
        base.turn("advanced_discount", false);
        CHECK(base.post("/discounts", body(R"({"code":"E","amount":10,"is_group_discount":true,
                        "group_discount_amount":5})"),
                        base.staff())
                  .field() == "is_group_discount");
    });
}

TEST_CASE("everyone sees what groups pay less on a trip, and no code") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip(), other = base.given_trip("Red Sea");
        base.given(R"({"code":"SECRET","amount":10,"discount_mode":"both","status":"publish","group_discount_ranges":[
            {"min_size":5,"max_size":9,"type":"percentage","amount":12},{"min_size":10,"type":"fixed","amount":150}]})");
        base.given((R"({"discount_mode":"group","status":"publish","applicable_to":"specific_trips","trip_ids":[)" +
                    std::to_string(other) + R"(],"group_discount_mode":"category_based",
            "category_discounts":{"1":[{"min_size":4,"type":"percentage","amount":10}]}})")
                       .c_str());
        const auto path =
            "/discounts/group-discounts?trip_ids=" + std::to_string(trip) + "," + std::to_string(other) + ",999999";
        const auto shown = base.get(path);
        CHECK(shown.status == 200);
        CHECK(shown.text.find("SECRET") == std::string::npos);
        CHECK(shown.data().size() == 2);
        const Value& first = shown.data()[std::to_string(trip)];
        CHECK(first["has_group_discounts"].boolean());
        CHECK(first["discounts"].size() == 1);
        CHECK(first["discounts"][0]["range_label"].text() == "5-9, 10+");
        CHECK(first["discounts"][0]["discount_label"].text() == "12%, USD 150.00");
        CHECK(first["summary"].text() == "5-9, 10+: 12%, USD 150.00");
        CHECK(shown.data()[std::to_string(other)]["discounts"].size() == 2);
        CHECK(base.get("/discounts/group-discounts").field() == "trip_ids");
        base.turn("advanced_discount", false);
        CHECK_FALSE(base.get(path).data()[std::to_string(trip)]["has_group_discounts"].boolean());
    });
}

TEST_CASE("a code is put on a session and taken off, each time with the new price") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given(R"({"code":"SAVE","amount":10,"status":"publish"})");
        const auto session = base.open(trip);
        const auto before = base.summary(session).data()["final_total"];
        const auto applied = base.code(session, "save");
        REQUIRE(applied.status == 200);
        CHECK(applied.data()["code"].text() == "SAVE");
        CHECK(applied.data()["type"].text() == "percentage");
        CHECK(applied.data()["new_total"] == applied.data()["final_total"]);
        CHECK(applied.data()["coupon_discount"]["error"].is_null());
        CHECK(base.summary(session).data()["final_total"] == applied.data()["new_total"]);
        const auto missing = base.code(session, "NOBODY");
        CHECK(missing.status == 404);
        CHECK(missing.code() == "coupon_not_found");
        CHECK(base.summary(session).data()["final_total"] == applied.data()["new_total"]);
        const auto removed = base.call("DELETE", "/booking/coupons?session_id=" + session);
        CHECK(removed.status == 200);
        CHECK(removed.data()["new_total"] == before);
        CHECK(base.call("DELETE", "/booking/coupons?session_id=" + session).status == 200);
        CHECK(base.code("nobody's", "SAVE").code() == "session_expired");
    });
}

TEST_CASE("a code is removed from a session whose date is not chosen or sold out; without a price no amount is shown") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 1);
        base.given(R"({"code":"SAVE","amount":10,"status":"publish"})");
        const auto take_off = [&](const std::string& session) {
            return base.call("DELETE", "/booking/coupons?session_id=" + session);
        };
        const auto undated = base.post("/booking/session", Value::object({{"trip_id", trip}, {"coupon_code", "SAVE"}}))
                                 .data()
                                 .text_or("session_id");
        const auto off = take_off(undated);
        REQUIRE(off.status == 200);
        CHECK(off.data()["new_total"].is_null());
        CHECK(off.data()["final_total"].is_null());
        CHECK(base.get("/booking/session?session_id=" + undated).data().text_or("coupon_code").empty());

        const auto session = base.open(trip, 1);
        REQUIRE(base.code(session, "SAVE").status == 200);
        base.given_booking(trip);
        REQUIRE(base.summary(session).code() == "sold_out");
        CHECK(take_off(session).status == 200);
        CHECK(base.get("/booking/session?session_id=" + session).data().text_or("coupon_code").empty());
    });
}

TEST_CASE("a code put on or taken off under an Idempotency-Key takes effect once, and a repetition is no further try") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given(R"({"code":"SAVE","amount":10,"status":"publish"})");
        const auto session = base.open(trip), full = base.summary(session).data()["final_total"].number_text();
        const auto put = [&] {
            return base.post("/booking/coupons", Value::object({{"session_id", session}, {"code", "SAVE"}}),
                             Visitor{}.with("Idempotency-Key", "the-code-is-put-on"));
        };
        const auto take_off = [&] {
            return base.call("DELETE", "/booking/coupons?session_id=" + session, {},
                             Visitor{}.with("Idempotency-Key", "the-code-is-taken-off"));
        };
        const auto total = [&] { return base.summary(session).data()["final_total"].number_text(); };
        const auto first = put();
        REQUIRE(first.status == 200);
        const std::string reduced = total();
        CHECK(reduced != full);
        for (int repeated = 0; repeated < 21; ++repeated)
            CHECK(put().text == first.text);
        const auto removed = take_off();
        REQUIRE(removed.status == 200);
        CHECK(total() == full);
        CHECK(put().text == first.text);
        CHECK(total() == full);
        REQUIRE(base.code(session, "SAVE").status == 200);
        CHECK(take_off().text == removed.text);
        CHECK(total() == reduced);
    });
}

TEST_CASE("twenty codes may be tried in ten minutes of a session, from however many addresses") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto session = base.open(trip), other = base.open(trip);
        for (int tried = 0; tried < 20; ++tried)
            CHECK(base.code(session, "NOBODY").status == 404);
        const auto refused = base.code(session, "NOBODY");
        CHECK(refused.status == 429);
        CHECK(refused.code() == "too_many_attempts");
        CHECK_FALSE(refused.header("Retry-After").empty());
        CHECK(base.code(other, "NOBODY").status == 404);
        CHECK(base.call("DELETE", "/booking/coupons?session_id=" + session).status == 200);
        // However they come: with a summary, a choice or the booking; the session's own code is no try.
        const auto third = base.open(trip);
        const Value guess = Value::object({{"session_id", third}, {"coupon_code", "NOBODY"}});
        for (int tried = 0; tried < 10; ++tried) {
            CHECK(base.post("/booking/summary", guess).status == 200);
            CHECK(base.call("GET", "/booking/summary?coupon_code=NOBODY&session_id=" + third).status == 200);
        }
        CHECK(base.post("/booking/summary", guess).code() == "too_many_attempts");
        CHECK(base.call("PUT", "/booking/session", guess.dump()).code() == "too_many_attempts");
        CHECK(base.post("/booking/create", filled_in(guess)).code() == "too_many_attempts");
        const auto fourth = base.open(trip);
        for (int tried = 0; tried < 25; ++tried)
            CHECK(base.call("PUT", "/booking/session",
                            Value::object({{"session_id", fourth}, {"coupon_code", "MINE"}}).dump())
                      .status == 200);
    });
}

TEST_CASE("prices that a client sends change nothing") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto session = base.open(trip);
        const auto honest = base.summary(session).data();
        const auto sent = base.post(
            "/booking/summary",
            body((R"({"session_id":")" + session + R"(","unit_price":1,"price":1,"total":1,"subtotal":1,"final_total":1,
                "amount_due":0,"discount_amount":500,"coupon_discount":{"amount":500},"tax_calculation":{},
                "lines":[{"kind":"coupon","amount":-500}],"currency":"JPY"})")
                     .c_str()));
        CHECK(sent.status == 200);
        CHECK(sent.data() == honest);
        const auto made = base.post(
            "/booking/create", filled_in(body((R"({"session_id":")" + session +
                                               R"(","total":1,"total_amount":1,"amount_due":0,"discount_amount":500})")
                                                  .c_str())));
        CHECK(made.status == 201);
        CHECK(made.data()["total"] == honest["final_total"]);
    });
}

TEST_CASE("the price that lists show and the price of one traveler are the same") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        const std::string path = "/trips/" + std::to_string(trip);
        const auto same = [&] {
            const auto listed = base.get("/trips/public?per_page=100");
            const auto dated = base.get(path + "/date-pricing?date=" + base.day(30));
            const auto quote = base.summary(base.open(trip, 1)).data();
            const Value* row = nullptr;
            for (const Value& each : listed.data().items())
                if (each["id"].integer() == trip)
                    row = &each;
            REQUIRE(row);
            CHECK((*row)["display_price"] == quote["final_total"]);
            CHECK(dated.data()["price"] == quote["unit_price"]);
            CHECK(dated.data()["original_price"] == quote["original_price"]);
        };
        same();
        REQUIRE(base.call("PUT", path, R"({"discounted_price":50.01,"sale_price":60})", base.user("administrator"))
                    .status == 200);
        same();
    });
}

TEST_CASE("deposits are offered by settings that count while their module is on") {
    each_base([](Discounted& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto session = base.open(trip);
        const auto& admin = base.user("administrator");
        const std::string wanted = R"({"enable_deposit":true,"deposit_percentage":25})";
        CHECK(base.call("PUT", "/settings", wanted, admin).data()["rejected_keys"].size() == 2);
        base.turn("flexible_payments", true);
        CHECK(base.call("PUT", "/settings", wanted, admin).data()["rejected_keys"].size() == 0);
        const auto quote =
            base.post("/booking/summary", Value::object({{"session_id", session}, {"payment_method", "deposit"}}));
        CHECK(quote.status == 200);
        CHECK(quote.data()["payment_methods"].size() == 2);
        CHECK(quote.data()["amount_due"] == quote.data()["payment_methods"][1]["amount"]);
        base.turn("flexible_payments", false);
        CHECK(base.post("/booking/summary", Value::object({{"session_id", session}, {"payment_method", "deposit"}}))
                  .code() == "payment_method_unavailable");
    });
}
