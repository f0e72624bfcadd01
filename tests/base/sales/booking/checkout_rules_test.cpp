// Rules of the checkout: permissions, precedence of inputs that name the same thing twice, and reported faults.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Shop {
    explicit Shop(Database& database) : base(database), boss(base.user("owner")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 10);
    }
    static Value parsed(const std::string& text) { return json::parse(text).value(); }
    void set(const char* settings) { REQUIRE(base.call("PUT", "/settings", settings, boss).status == 200); }
    Value choice(const std::string& more) const {
        Value body = Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}});
        const Value others = parsed(more);
        for (const auto& [name, value] : others.members())
            body.set(name, value);
        return body;
    }
    Visitor session(const Visitor& who = {}) {
        const auto opened = base.post("/booking/session", choice("{}"), who);
        REQUIRE(opened.status == 201);
        return Visitor{who}.with("X-Svc-Session", opened.data()["session_id"].text());
    }
    // With all that the standard form requires.
    Answered create(const std::string& more, const Visitor& who = {}) {
        return base.post("/booking/create", filled_in(parsed(more)), session(who));
    }
    Answered at_desk(const std::string& more, const Visitor* who = nullptr) {
        Value body = choice(R"({"contact_first_name":"Ada","contact_email":"ada@example.org"})");
        const Value others = parsed(more);
        for (const auto& [name, value] : others.members())
            body.set(name, value);
        return base.post("/bookings", body, who ? *who : boss);
    }
    std::int64_t id_of(const std::string& more) {
        const auto made = at_desk(more);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    Answered put(std::int64_t id, const std::string& body) {
        return base.call("PUT", "/bookings/" + std::to_string(id), body, boss);
    }

    TestBase base;
    Visitor boss;
    std::int64_t trip;
};

const auto each_shop = each_on<Shop>;

std::string told(const Answered& answered) {
    return std::to_string(answered.status) + " " + answered.code() + " " + answered.field();
}

}  // namespace

TEST_CASE("whether an account has proven an address shows in no booking by somebody who is not signed in") {
    each_shop([](Shop& shop) {
        shop.set(R"({"require_guest_email_verification":true})");
        static_cast<void>(shop.base.user("svc_customer"));
        shop.base.run(
            "UPDATE svc_users SET email = 'Ada@example.org', email_lower = 'ada@example.org', email_verified_at = NULL"
            " WHERE login = 'a_svc_customer'");
        const auto book = [&] { return shop.create(R"({"contact_email":"ADA@example.org"})").data(); };
        const auto before = book();
        CHECK(before["status"].text() == "pending_verification");
        CHECK(before["next"]["type"].text() == "verify");
        shop.base.run("UPDATE svc_users SET email_verified_at = 1 WHERE login = 'a_svc_customer'");
        const auto after = book();
        CHECK(after["status"].text() == "pending_verification");
        CHECK(after["next"]["type"].text() == "verify");
        CHECK(after["user_id"].is_null());
        CHECK_FALSE(after["booking_token"].text().empty());
        CHECK(shop.create(R"({"contact_email":"grace@example.org"})").data()["status"].text() ==
              "pending_verification");
    });
}

TEST_CASE("a blocked customer is refused under another address too, before the form is looked at") {
    each_shop([](Shop& shop) {
        const Visitor customer = shop.base.user("svc_customer");
        const std::string id = std::to_string(customer.user_id);
        shop.base.run(("INSERT INTO svc_customers (email, email_lower, user_id, status, created_at, updated_at) VALUES"
                       " ('own@example.org', 'own@example.org', " +
                       id + ", 'blocked', 0, 0)")
                          .c_str());
        const std::string other = R"({"contact_email":"fresh@example.org"})";
        CHECK(told(shop.create(other, customer)) == "403 customer_blocked ");
        CHECK(shop.create(other).status == 201);  // by the same address nobody is signed in
        const auto unfinished = [&](const std::string& body, const Visitor& who) {
            return told(shop.base.call("POST", "/booking/create", body, shop.session(who)));
        };
        CHECK(unfinished("{}", customer) == "403 customer_blocked ");
        CHECK(unfinished(R"({"contact_email":"OWN@example.org"})", {}) == "403 customer_blocked ");
        CHECK(unfinished(R"({"contact_email":"OWN@example.org","contact_first_name":"A","contact_last_name":"B"})",
                         {}) == "403 customer_blocked ");
        CHECK(unfinished(R"({"contact_email":"grace@example.org"})", {}) ==
              "400 svc_validation_error contact_first_name");
        shop.base.run("UPDATE svc_customers SET status = 'active'");
        CHECK(shop.create(other, customer).status == 201);
    });
}

TEST_CASE("travelers are counted by their own categories where no counts are sent") {
    each_shop([](Shop& shop) {
        const auto category = [&](const char* name) {
            const auto made = shop.base.post("/traveler-categories",
                                             Value::object({{"name", name}, {"status", "publish"}}), shop.boss);
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        const auto adult = category("Adult"), child = category("Child"), other = category("Pilot");
        const auto price = [](std::int64_t id, int amount) {
            return Value::object({{"category_id", id}, {"original_price", amount}});
        };
        const auto sold = [&](const char* way) {
            REQUIRE(shop.base
                        .call("PUT", "/trips/" + std::to_string(shop.trip),
                              Value::object({{"pricing_type", way},
                                             {"original_price", 90},
                                             {"price_types", Value::array({price(adult, 100), price(child, 60)})}})
                                  .dump(),
                              shop.boss)
                        .status == 200);
        };
        sold("traveler_based");
        const auto party = [&](std::vector<std::int64_t> categories, const char* more = "") {
            std::string rows;
            for (const std::int64_t each : categories)
                rows +=
                    std::string(rows.empty() ? "" : ",") +
                    R"({"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10","gender":"female",)" +
                    R"("nationality":"British","category_id":)" + std::to_string(each) + "}";
            return R"({"travelers":[)" + rows + "]" + more + "}";
        };
        const auto made = shop.create(party({adult, child, child}));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(made.data()["total"].number_text() == "220.00");
        CHECK(made.data()["travelers_count"].integer() == 3);
        CHECK(made.data()["traveler_counts"][std::to_string(child)].integer() == 2);
        const auto by_staff = shop.at_desk(party({adult, child}));
        CAPTURE(by_staff.text);
        REQUIRE(by_staff.status == 201);
        CHECK(by_staff.data()["total"].number_text() == "160.00");
        CHECK(shop.create(party({adult, child}, R"(,"travelers_count":2)")).status == 201);
        // The party's data stays, and a party that cannot be counted is requested as before.
        CHECK(shop.create(party({adult, child}, R"(,"travelers_count":3)")).field() == "traveler_counts");
        CHECK(shop.create(party({adult, other})).status == 400);
        CHECK(shop.create("{}").field() == "traveler_counts");
        const std::string counts = R"(,"traveler_counts":{")" + std::to_string(adult) + R"(":2})";
        CHECK(told(shop.create(party({adult, child}, counts.c_str()))) ==
              "400 svc_validation_error travelers.1.category_id");
        sold("regular");
        CHECK(shop.create(party({adult, child})).data()["total"].number_text() == "180.00");
    });
}

TEST_CASE("an age outside the trip's limits is group_size by itself, and one of the faults beside others") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.base.call("PUT", "/trips/" + std::to_string(shop.trip), R"({"age_min":18})", shop.boss).status ==
                200);
        const std::string young = R"({"travelers":[{"first_name":"Ada","last_name":"Lovelace","gender":"female",
            "nationality":"British","date_of_birth":")" +
                                  shop.base.day(-3000) + R"("}])";
        CHECK(told(shop.create(young + "}")) == "400 group_size travelers.0.date_of_birth");
        CHECK(told(shop.at_desk(young + "}")) == "400 group_size travelers.0.date_of_birth");
        const auto both = shop.create(young + R"(,"emergency_phone":"","contact_phone":"x"})");
        CHECK(both.code() == "svc_validation_error");
        CHECK(both.body["data"]["errors"].find("travelers.0.date_of_birth"));
        CHECK(both.body["data"]["errors"].size() > 1);
        const auto unfit = shop.create(young + R"(,"terms_accepted":"perhaps"})");
        CHECK(unfit.code() == "svc_validation_error");
        CHECK(unfit.body["data"]["errors"].find("travelers.0.date_of_birth"));
        CHECK(shop.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
    });
}

TEST_CASE("who is written into a booking is of an age for its trip, and who was in it already stays") {
    each_shop([](Shop& shop) {
        const std::string trip = "/trips/" + std::to_string(shop.trip);
        const auto born = [&](int days_ago) {
            return R"({"travelers":[{"first_name":"Ada","last_name":"Lovelace","date_of_birth":")" +
                   shop.base.day(-days_ago) + R"("}]})";
        };
        const std::int64_t id = shop.id_of("{}");
        REQUIRE(shop.put(id, born(3000)).status == 200);
        REQUIRE(shop.base.call("PUT", trip, R"({"age_min":18,"age_max":80})", shop.boss).status == 200);
        const std::string people = "/bookings/" + std::to_string(id) + "/travellers";
        for (const int days : {2999, 30000}) {
            CHECK(told(shop.put(id, born(days))) == "400 group_size travelers.0.date_of_birth");
            CHECK(told(shop.base.call("PUT", people, born(days), shop.boss)) ==
                  "400 group_size travelers.0.date_of_birth");
        }
        CHECK(shop.put(id, born(3000)).status == 200);
        CHECK(shop.put(id, R"({"internal_notes":"came along"})").status == 200);
        // Ages are of the first day: who moves is judged anew.
        shop.base.given_departure(shop.trip, 40, 10);
        const std::string moved = R"("travel_date":")" + shop.base.day(40) + R"(")";
        CHECK(told(shop.put(id, "{" + moved + "}")) == "400 group_size travelers.0.date_of_birth");
        CHECK(shop.base.get("/bookings/" + std::to_string(id), shop.boss).data()["travel_date"] == shop.base.day(30));
        CHECK(shop.put(id, born(9000)).status == 200);
        CHECK(shop.put(id, "{" + moved + "}").status == 200);
    });
}

TEST_CASE("a code there is not is 400 coupon_not_found wherever it comes along, by the name it was sent under") {
    each_shop([](Shop& shop) {
        CHECK(told(shop.create(R"({"coupon_code":"NONE"})")) == "400 coupon_not_found coupon_code");
        CHECK(told(shop.at_desk(R"({"discount_code":"NONE"})")) == "400 coupon_not_found discount_code");
        CHECK(told(shop.at_desk(R"({"coupon_code":"NONE"})")) == "400 coupon_not_found coupon_code");
        const auto id = shop.id_of("{}");
        CHECK(told(shop.put(id, R"({"discount_code":"NONE","recalculate":true})")) ==
              "400 coupon_not_found discount_code");
        CHECK(told(shop.put(id, R"({"coupon_code":"NONE","recalculate":true})")) == "400 coupon_not_found coupon_code");
        CHECK(told(shop.put(id + 1, R"({"coupon_code":"NONE","recalculate":true})")).starts_with("404 "));
        CHECK(told(shop.base.post("/booking/coupons", Value::object({{"code", "NONE"}}), shop.session())) ==
              "404 coupon_not_found code");
    });
}

TEST_CASE("money that staff record with a new booking needs the right to record any, and paid records the total") {
    each_shop([](Shop& shop) {
        const Visitor front = shop.base.holding({"svc_create_bookings", "svc_view_bookings"});
        CHECK(told(shop.at_desk(R"({"amount_paid":5})", &front)) == "403 svc_forbidden amount_paid");
        CHECK(told(shop.at_desk(R"({"payment_status":"paid"})", &front)) == "403 svc_forbidden payment_status");
        CHECK(shop.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
        CHECK(shop.at_desk(R"({"amount_paid":0,"payment_status":"pending"})", &front).status == 201);
        CHECK(shop.at_desk(R"({"amount_paid":null,"payment_status":null})", &front).status == 201);
        CHECK(shop.at_desk(R"({"amount_paid":5})").data()["amount_paid"].number_text() == "5.00");

        const auto paid = shop.at_desk(R"({"total":80,"payment_status":"paid"})");
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
        CHECK(paid.data()["payment_status"].text() == "paid");
        CHECK(paid.data()["amount_paid"].number_text() == "80.00");
        CHECK(paid.data()["payments"].size() == 1);
        CHECK(paid.data()["payments"][0]["source"].text() == "manual");
        const auto both = shop.at_desk(R"({"total":80,"amount_paid":30,"payment_status":"paid","status":"confirmed"})");
        CHECK(both.data()["amount_paid"].number_text() == "80.00");
        CHECK(both.data()["status"].text() == "confirmed");
        CHECK(shop.at_desk(R"({"total":80,"amount_paid":30,"payment_status":"partial"})").status == 201);

        const auto before = shop.base.row_counts();
        for (const char* word : {"partial", "refunded", "failed"})
            CHECK(told(shop.at_desk(std::string(R"({"payment_status":")") + word + "\"}")) ==
                  "400 svc_validation_error payment_status");
        CHECK(shop.base.row_counts() == before);
    });
}

TEST_CASE("staff may write the contact and the status in the shape in which a booking returns them") {
    each_shop([](Shop& shop) {
        const auto made = shop.base.post(
            "/bookings", shop.choice(R"({"contact":{"first_name":"Ada","last_name":"Lovelace","email":"ada@example.org",
                "phone":"+44 20 7946 0001","country":"GB"},"contact_last_name":"King","booking_status":"confirmed"})"),
            shop.boss);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(made.data()["customer_name"].text() == "Ada King");
        CHECK(made.data()["contact"]["country"].text() == "GB");
        CHECK(made.data()["status"].text() == "confirmed");
        CHECK(told(shop.base.post("/bookings", shop.choice(R"({"contact":{"first_name":"Ada"}})"), shop.boss)) ==
              "400 svc_validation_error contact.email");

        const auto id = made.data()["id"].integer();
        auto changed =
            shop.put(id, R"({"contact":{"first_name":"Max","phone":"+44 1"},"booking_status":"processing"})");
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["customer_name"].text() == "Max King");
        CHECK(changed.data()["customer_phone"].text() == "+44 1");
        CHECK(changed.data()["customer_email"].text() == "ada@example.org");
        CHECK(changed.data()["status"].text() == "processing");
        CHECK(shop.put(id, R"({"contact":{"first_name":"Max"},"contact_first_name":"Eve"})")
                  .data()["customer_name"]
                  .text() == "Eve King");

        // As it was read, one place of the two that tell it changed.
        Value whole = shop.base.get("/bookings/" + std::to_string(id), shop.boss).data();
        whole.set("booking_status", "on-hold");
        Value contact = whole["contact"];
        contact.set("email", "eve@example.org");
        whole.set("contact", contact);
        changed = shop.put(id, whole.dump());
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["status"].text() == "on-hold");
        CHECK(changed.data()["customer_email"].text() == "eve@example.org");
        whole = changed.data();
        whole.set("status", "confirmed");
        whole.set("customer_email", "grace@example.org");
        changed = shop.put(id, whole.dump());
        CHECK(changed.data()["status"].text() == "confirmed");
        CHECK(changed.data()["contact"]["email"].text() == "grace@example.org");

        CHECK(told(shop.put(id, R"({"contact":{"email":"x"}})")) == "400 svc_validation_error contact.email");
        CHECK(told(shop.put(id, R"({"contact":{"first_name":""}})")) == "400 svc_validation_error contact.first_name");
        CHECK(told(shop.put(id, R"({"contact_first_name":""})")) == "400 svc_validation_error contact_first_name");
        // Beside a field of another shape too.
        const auto both = shop.put(id, R"({"contact":{"first_name":""},"total":"much"})");
        CHECK(both.body["data"]["errors"].find("contact.first_name") != nullptr);
        CHECK(both.field() == "total");
        const Visitor editor = shop.base.holding({"svc_edit_bookings", "svc_view_bookings"});
        CHECK(shop.base.call("PUT", "/bookings/" + std::to_string(id), R"({"booking_status":"cancelled"})", editor)
                  .status == 403);
    });
}

TEST_CASE("waitlist is another name of join_waitlist, and an empty gateway is none chosen") {
    each_shop([](Shop& shop) {
        CHECK(shop.create(R"({"payment_gateway":""})").data()["payment_gateway"].text() == "pay_later");
        CHECK(shop.create(R"({"payment_gateway":null})").data()["payment_gateway"].text() == "pay_later");
        CHECK(shop.at_desk(R"({"payment_gateway":""})").data()["payment_gateway"].text() == "pay_later");
        CHECK(shop.create(R"({"travelers_count":7})").status == 201);
        CHECK(told(shop.create("{}")).starts_with("409 sold_out"));
        CHECK(told(shop.create(R"({"waitlist":false})")).starts_with("409 sold_out"));
        const auto waits = shop.create(R"({"waitlist":true})");
        CHECK(waits.data()["status"].text() == "waitlist");
        CHECK(waits.data()["next"]["type"].text() == "waitlist");
    });
}

TEST_CASE("a restored booking has no end time any more, its history does") {
    each_shop([](Shop& shop) {
        const auto id = shop.id_of(R"({"status":"confirmed"})");
        const auto to = [&](const char* status) {
            const auto changed =
                shop.put(id, std::string(R"({"cancellation_reason":"ill","status":")") + status + "\"}");
            CAPTURE(changed.text);
            REQUIRE(changed.status == 200);
            return changed.data();
        };
        const auto path = "/bookings/" + std::to_string(id);
        const auto read = [&] { return shop.base.get(path, shop.boss).data(); };
        const auto cancelled = to("cancelled");
        CHECK(cancelled["cancelled_at"].is_string());
        CHECK(cancelled["cancelled_via"].text() == "admin");
        CHECK(cancelled["cancellation_reason"].text() == "ill");
        // The trash is no life: out of it the booking is what it was.
        REQUIRE(shop.base.call("DELETE", path, "", shop.boss).status == 200);
        REQUIRE(shop.base.post(path + "/restore", Value::object({}), shop.boss).status == 200);
        CHECK(read()["cancelled_at"] == cancelled["cancelled_at"]);
        const auto alive = to("confirmed");
        for (const char* name : {"cancelled_at", "cancelled_via", "cancellation_reason"})
            CHECK(alive[name].is_null());
        CHECK(read()["cancelled_at"].is_null());
        CHECK(read()["status_log"].dump().find("ill") != std::string::npos);

        CHECK(to("completed")["completed_at"].is_string());
        CHECK(to("cancelled")["completed_at"].is_string());  // it was both
        CHECK(to("pending")["cancelled_at"].is_null());
        to("completed");
        CHECK(to("pending")["completed_at"].is_null());
    });
}

TEST_CASE("an answer at fault is named by the member of the body that it was sent in") {
    each_shop([](Shop& shop) {
        CHECK(told(shop.create(R"({"emergency_contact":{"phone":"none"},"emergency_phone":null})")) ==
              "400 svc_validation_error emergency_phone");
        Value body = filled_in(Value::object());
        body.erase("emergency_name");
        body.erase("emergency_phone");
        body.set("emergency_contact", Shop::parsed(R"({"name":"Annabella","phone":"none"})"));
        CHECK(told(shop.base.post("/booking/create", body, shop.session())) ==
              "400 svc_validation_error emergency_contact.phone");
        body.set("contact_data", Shop::parsed(R"({"nationality":["GB"]})"));
        CHECK(told(shop.base.post("/booking/create", body, shop.session())) ==
              "400 svc_validation_error contact_data.nationality");
        body.set("emergency_contact", Shop::parsed(R"({"name":"Annabella"})"));
        body.erase("contact_data");
        CHECK(told(shop.base.post("/booking/create", body, shop.session())) ==
              "400 svc_validation_error emergency_phone");
        CHECK(told(shop.at_desk(R"({"emergency_contact":{"phone":"none"}})")) ==
              "400 svc_validation_error emergency_contact.phone");
    });
}
