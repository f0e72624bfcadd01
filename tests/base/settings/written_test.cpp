// Settings as they are written from outside.
#include <array>

#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const auto each_base = each_on<TestBase>;

Answered put(TestBase& base, const char* json) {
    return base.call("PUT", "/settings", json, base.user("administrator"));
}
Value shown(TestBase& base, const char* group = "") {
    return base.get(std::string("/settings?group=") + group, base.user("administrator")).data();
}

}  // namespace

TEST_CASE("what the server keeps for itself is shown and nobody's to write") {
    each_base([](TestBase& base) {
        const Value before = shown(base);
        const auto written = put(base, R"({"booking_expiry_since":"2020-01-01T00:00:00Z","company_name":"Peaks",
            "booking_autocomplete_since":"nonsense","no_such":1})");
        REQUIRE(written.status == 200);
        std::string rejected;
        for (const Value& key : written.data()["rejected_keys"].items())
            rejected += key.text() + " ";
        CHECK(rejected == "no_such booking_expiry_since booking_autocomplete_since ");
        CHECK(written.data()["updated"].dump() == R"(["company_name"])");
        const Value after = shown(base);
        for (const char* key : {"booking_expiry_since", "booking_autocomplete_since"})
            CHECK(after[key] == before[key]);
        CHECK(after.text_or("company_name") == "Peaks");
    });
}

TEST_CASE("addresses are e-mail addresses, and the key at fault is named as it was sent") {
    each_base([](TestBase& base) {
        for (const char* json : {R"({"admin_email":"desk@example.org, nonsense"})", R"({"from_email":"nonsense"})",
                                 R"({"email_from_address":"a@b, c@d"})", R"({"email_always_bcc":"x y"})",
                                 R"({"email_tpl_booking_cc":"nobody"})", R"({"payment_gateways":["no_such"]})"}) {
            CAPTURE(json);
            const auto refused = put(base, json);
            CHECK(refused.status == 400);
            CHECK(std::string(json).starts_with("{\"" + refused.field() + "\""));
        }
        CHECK(put(base, R"({"admin_email":"desk@example.org; boss@example.org","from_email":"",
            "email_always_bcc":""})")
                  .status == 200);
    });
}

TEST_CASE("settings are found by the beginning of their key, and told by the names they were sent under") {
    each_base([](TestBase& base) {
        const Value smtp = shown(base, "smtp");
        CHECK(smtp.find("smtp_host") != nullptr);
        CHECK(smtp.find("admin_email") == nullptr);
        CHECK(shown(base, "email").find("smtp_host") != nullptr);  // its group
        const auto written = put(base, R"({"booking_horizon_months":99,"default_currency":"EUR",
            "currency_position":"after"})");
        REQUIRE(written.status == 200);
        CHECK(written.data()["updated"].dump() ==
              R"(["booking_horizon_months","default_currency","currency_position"])");
        const Value now = shown(base);
        CHECK(now["availability_horizon_months"].integer() == 36);
        CHECK(now.text_or("currency") == "EUR");
        CHECK(now.text_or("currency_position") == "right");
        CHECK(put(base, R"({"currency_position":"before"})").data()["settings"].text_or("currency_position") == "left");
    });
}

TEST_CASE("a charge is prepared ten times a minute for a booking, and the page's amount is only logged") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto booking = base.given_booking(trip), other = base.given_booking(trip, 30, "Hopper");
        const auto begin = [&](std::int64_t id, const char* more) {
            return base.call("POST", "/payment/create-intent",
                             R"({"gateway":"pay_later","booking_id":)" + std::to_string(id) + more + "}");
        };
        int asked = 0;
        for (const char* said : {R"(,"amount":"a lot","currency":"dollars")", R"(,"amount":-1,"currency":7)",
                                 R"(,"amount":{"x":1})", R"(,"amount":12345678901234567890,"currency":"EUR")"}) {
            CAPTURE(said);
            CHECK(begin(booking.id, said).status == 200);
            CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_payment_amount_mismatch'") ==
                  ++asked);
        }
        for (; asked < 10; ++asked)
            CHECK(begin(booking.id, "").status == 200);
        const auto refused = begin(booking.id, "");
        CHECK(refused.status == 429);
        CHECK(std::stoi(refused.header("Retry-After")) >= 1);
        CHECK(begin(other.id, "").status == 200);
    });
}

TEST_CASE("what a theme's pages go by is bounded, kept and told") {
    each_base([](TestBase& base) {
        const Value fresh = shown(base);
        CHECK(fresh.text_or("trip_card_layout") == "standard");
        CHECK(fresh["trips_per_page"].integer() == 12);
        CHECK(fresh["search_show_keyword"].boolean());
        CHECK_FALSE(fresh["search_show_date"].boolean());
        for (const auto& [json, field] : std::vector<std::pair<const char*, std::string>>{
                 {R"({"trip_card_layout":"huge"})", "trip_card_layout"},
                 {R"({"card_layout":"huge"})", "card_layout"},
                 {R"({"trips_per_page":0})", "trips_per_page"},
                 {R"({"trips_per_page":101})", "trips_per_page"},
                 {R"({"frontend_primary_color":"blue"})", "frontend_primary_color"},
                 {R"({"frontend_accent_color":"red"})", "frontend_accent_color"},
                 {R"({"frontend_container_max_width":"wide"})", "frontend_container_max_width"},
                 {R"({"enabled_currencies":["EUR","XXQ"]})", "enabled_currencies"},
                 {R"({"destination_base":"My places"})", "destination_base"},
                 {R"({"destination_base":"activity"})", "destination_base"},
                 {R"({"account_base":"book"})", "account_base"},
                 {R"({"log_retention_days":0})", "log_retention_days"}}) {
            CAPTURE(std::string(json));
            const auto refused = put(base, json);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        REQUIRE(put(base, R"({"card_layout":"compact","frontend_container_max_width":"75rem",
                              "enabled_currencies":["EUR","JPY"],"seo_trip_meta_title":"Trips"})")
                    .status == 200);
        const Value after = shown(base);
        CHECK(after.text_or("trip_card_layout") == "compact");
        CHECK(after["enabled_currencies"].dump() == R"(["EUR","JPY"])");
    });
}

TEST_CASE("pages of destinations are at the operator's base path") {
    each_base([](TestBase& base) {
        const auto& admin = base.user("administrator");
        const auto made =
            base.post("/destinations", Value::object({{"name", "Egypt"}, {"status", "publish"}}), admin).data();
        const std::string one = "/destinations/" + std::to_string(made["id"].integer());
        CHECK(base.get(one, admin).data().text_or("permalink").ends_with("/destination/egypt"));
        REQUIRE(put(base, R"({"destination_base":"places"})").status == 200);
        CHECK(base.get(one, admin).data().text_or("permalink").ends_with("/places/egypt"));
    });
}

TEST_CASE("what has been told is forgotten after log_retention_days") {
    each_base([](TestBase& base) {
        base.leaves_what_holds = false;  // events are what is forgotten
        base.given_booking(base.given_trip());
        REQUIRE(base.assembly->hooks.drain());
        const auto told = "SELECT COUNT(*) FROM svc_domain_events WHERE dispatched_at IS NOT NULL";
        CHECK(base.number(told) > 0);
        const auto tidy = [&] { REQUIRE(base.assembly->housekeeping.job().run(base.assembly->clock.now())); };
        base.run("UPDATE svc_domain_events SET dispatched_at = dispatched_at - 864000000000");  // ten days
        tidy();
        CHECK(base.number(told) > 0);
        REQUIRE(put(base, R"({"log_retention_days":7})").status == 200);
        base.run("UPDATE svc_domain_events SET dispatched_at = dispatched_at - 864000000000");
        tidy();
        CHECK(base.number(told) == 0);
    });
}

TEST_CASE("without cache_enabled every answer is sent whole and kept by nobody") {
    each_base([](TestBase& base) {
        base.given_trip();
        const auto first = base.get("/trips/public");
        const Visitor again = Visitor{}.with("If-None-Match", first.header("ETag"));
        CHECK(base.get("/trips/public", again).status == 304);
        REQUIRE(put(base, R"({"cache_enabled":false})").status == 200);
        const auto whole = base.get("/trips/public", again);
        CHECK(whole.status == 200);
        CHECK(whole.text == first.text);
        CHECK(whole.header("Cache-Control") == "no-store");
        CHECK(base.get("/openapi.json").header("Cache-Control") == "no-store");
        REQUIRE(put(base, R"({"cache_enabled":true})").status == 200);
        CHECK(base.get("/trips/public", again).status == 304);
        CHECK(first.header("Cache-Control") == "public, no-cache");
    });
}

TEST_CASE("debug_mode decides at once whether lines of level debug are logged") {
    each_base([](TestBase& base) {
        const auto logged = [&] {
            std::string lines;
            log::redirect(&lines);
            static_cast<void>(base.get("/trips/public"));
            log::redirect(nullptr);
            return lines.find(R"("level":"debug")") != std::string::npos;
        };
        CHECK_FALSE(logged());
        REQUIRE(put(base, R"({"debug_mode":true})").status == 200);
        CHECK(logged());
        REQUIRE(put(base, R"({"debug_mode":false})").status == 200);
        CHECK_FALSE(logged());
    });
}

TEST_CASE("amounts are written in answers as the site is set") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        REQUIRE(put(base, R"({"currency_position":"right_space","decimal_separator":",","thousand_separator":"."})")
                    .status == 200);
        const Visitor& admin = base.user("administrator");
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip), R"({"regular_price":1234.5})", admin).status == 200);
        const auto session =
            base.post("/booking/session",
                      Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}, {"travelers_count", 1}}));
        const std::string secret = session.data().text_or("session_id");
        const auto summary = base.get("/booking/summary?session_id=" + secret).data();
        const std::string written = "1.234,50 " + summary["currency"].text();
        CHECK(summary["final_total_formatted"].text() == written);
        CHECK(summary["lines"][0]["amount_formatted"].text() == written);
        CHECK(summary["pricing_html"].text().find(written) != std::string::npos);
        const auto made = base.post("/booking/create", filled_in(Value::object({{"session_id", secret}})));
        REQUIRE(made.status == 201);
        CHECK(made.data()["total_formatted"].text() == written);
        const auto id = std::to_string(made.data()["booking_id"].integer());
        CHECK(base.get("/bookings/" + id, admin).data()["amount_due_formatted"].text() == written);
        CHECK(base.get("/bookings", admin).data()[0]["total_formatted"].text() == written);
        const std::string dates = "/trips/" + std::to_string(trip) + "/availability-template";
        CHECK(base.get(dates).data()["dates"][0]["formatted_price"].text() == written);
        CHECK(base.get(dates).data()["html"].text().find(written) != std::string::npos);
    });
}

TEST_CASE(
    "without the Pro edition each of its modules is listed as unavailable with its plan, and none can be turned on") {
    each_base([](TestBase& base) {
        const auto boss = base.user("administrator");
        const auto listed = base.get("/modules", boss).data();
        std::map<std::string, std::string> plans;
        for (const Value& module : listed.items())
            plans[module.text_or("slug")] = module.text_or("plan");
        std::map<std::string, std::string> expected{{"messaging", "growth"},
                                                    {"webhooks", "agency"},
                                                    {"channel_manager", "agency"},
                                                    {"team", "agency"},
                                                    {"white_label", "agency"}};
        for (const char* slug : {"google_calendar", "additional_services", "trip_consent", "email_automation",
                                 "dynamic_form_field", "advanced_discount", "mailchimp", "facebook_pixel",
                                 "google_analytics", "flexible_payments", "scheduled_payments", "dynamic_pricing",
                                 "custom_landing_pages", "abandoned_booking_recovery", "saved_trips"})
            expected[slug] = "personal";
        CHECK(plans == expected);
        CHECK(base.get("/modules/scheduled_payments", boss).data()["depends_on"].dump() == R"(["flexible_payments"])");
        const auto refused = base.post("/modules/webhooks/toggle", Value::object({{"enabled", true}}), boss);
        CHECK(refused.status == 403);
        CHECK(refused.body["data"].text_or("plan") == "agency");
        CHECK(refused.body.text_or("message").find("Webhooks") != std::string::npos);
        CHECK(refused.body.text_or("message").find("plan agency") != std::string::npos);
        for (const Value& module : listed.items()) {
            CHECK_FALSE(module["is_available"].boolean());
            CHECK(module["requires_pro"].boolean());
            CHECK_FALSE(module["enabled"].boolean());
        }
        const Value on = Value::object({{"enabled", true}});
        CHECK(base.post("/modules/flexible_payments/toggle", on, boss).code() == "module_not_available");
        CHECK(base.post("/modules/no_such/toggle", on, boss).status == 404);
        // A module that Pro left behind is not enabled.
        base.run(
            "INSERT INTO svc_modules (slug, enabled, created_at, updated_at) VALUES ('flexible_payments', 1, 1, 1)");
        base.assembly->modules.reload();
        CHECK_FALSE(base.assembly->modules.enabled("flexible_payments"));
    });
}

TEST_CASE("gateways are put into an order by their names alone") {
    each_base([](TestBase& base) {
        const auto refused = put(base, R"({"gateway_order":["paypal","no_such"]})");
        CHECK(refused.status == 400);
        CHECK(refused.field() == "gateway_order");
        CHECK(shown(base)["gateway_order"].size() == 0);
        CHECK(put(base, R"({"gateway_order":["paypal","pay_later"]})").status == 200);
        CHECK(shown(base)["gateway_order"].dump() == R"(["paypal","pay_later"])");
        // Of an edition that is away now: what was stored may be sent back.
        base.run("UPDATE svc_settings SET value = '[\"of_pro\"]' WHERE key = 'gateway_order'");
        base.assembly->settings.reload();
        CHECK(put(base, R"({"gateway_order":["pay_later","of_pro"]})").status == 200);
    });
}

TEST_CASE("the picture of the listing's page is one that everyone may see") {
    each_base([](TestBase& base) {
        const auto& boss = base.user("administrator");
        const std::string dot =
            crypto::from_base64(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DQAAAEgQGALFXOsAAAAABJRU5"
                "ErkJggg==")
                .value();
        const auto id_of = [&](const Answered& uploaded) {
            REQUIRE(uploaded.status == 201);
            return uploaded.data()["id"].dump();
        };
        const std::string picture = id_of(upload(base, Form{}.file("a.png", dot), boss));
        const std::string hidden = id_of(upload(base, Form{}.file("b.png", dot).field("is_private", "true"), boss));
        const std::string text = id_of(upload(base, Form{}.file("a.txt", "Opening hours"), boss));
        const auto set = [&](const std::string& id) {
            return put(base, ("{\"seo_trip_meta_image\":" + id + "}").c_str());
        };
        CHECK(set(picture).status == 200);
        for (const std::string& wrong : {hidden, text, std::string("99999")}) {
            CHECK(set(wrong).status == 400);
            CHECK(set(wrong).field() == "seo_trip_meta_image");
        }
        CHECK(shown(base)["seo_trip_meta_image"].dump() == picture);
        CHECK(set(picture).status == 200);
        CHECK(set("0").status == 200);
    });
}

TEST_CASE("once a new first part of trips' addresses is answered, trips are told at it") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        const auto where = [&] { return base.get("/trips/public").data()[0]["permalink"].text(); };
        const std::string slug = base.get("/trips/" + std::to_string(trip), base.user("owner")).data()["slug"].text();
        const auto tag = base.get("/trips/public/" + slug).header("ETag");
        CHECK(where().ends_with("/trip/" + slug));
        for (const char* name : {"tours", "voyages", "trip"}) {
            CAPTURE(name);
            REQUIRE(put(base, (std::string(R"({"trip_base":")") + name + R"("})").c_str()).status == 200);
            CHECK(where().ends_with("/" + std::string(name) + "/" + slug));
            const auto one = base.get("/trips/public/" + slug, Visitor{}.with("If-None-Match", tag));
            CHECK(one.status == (name == std::string("trip") ? 304 : 200));
        }
    });
}

TEST_CASE("the password at the mail server must be given again before it is sent in the open") {
    each_base([](TestBase& base) {
        REQUIRE(put(base, R"({"smtp_host":"mail.example.org","smtp_password":"a long enough secret"})").status == 200);
        CHECK(put(base, R"({"smtp_encryption":"ssl"})").status == 200);
        for (const char* body :
             {R"({"smtp_encryption":"none"})", R"({"smtp_encryption":"none","smtp_password":"****cret"})",
              R"({"smtp_encryption":"none","smtp_host":"mail.evil.example"})"}) {
            CAPTURE(body);
            const auto refused = put(base, body);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "smtp_password");
        }
        CHECK(base.assembly->settings.text("smtp_encryption") == "ssl");
        CHECK(put(base, R"({"smtp_encryption":"none","smtp_password":"a long enough secret"})").status == 200);
        CHECK(put(base, R"({"smtp_encryption":"none"})").status == 200);  // as it was
    });
}

TEST_CASE("a secret must be given again when the host it is sent to changes") {
    each_base([](TestBase& base) {
        for (const auto& [secret, host, first, other] :
             {std::array{"smtp_password", "smtp_host", "mail.example.org", "mail.evil.example"},
              std::array{"recaptcha_secret_key", "recaptcha_verify_url", "https://a.example/ask",
                         "https://evil.example/ask"}}) {
            CAPTURE(secret);
            const auto send = [&](const char* where, const char* what) {
                auto body = Value::object({{host, where}});
                if (what)
                    body.set(secret, what);
                return put(base, body.dump().c_str());
            };
            CHECK(send("first.example.org", nullptr).status == 200);  // there is no secret yet
            REQUIRE(send(first, "a long enough secret").status == 200);
            CHECK(send(first, nullptr).status == 200);  // the same host
            for (const char* kept : {static_cast<const char*>(nullptr), "****cret"}) {
                const auto refused = send(other, kept);
                CHECK(refused.status == 400);
                CHECK(refused.field() == secret);
            }
            CHECK(base.assembly->settings.text(host) == first);
            CHECK(send(other, "a long enough secret").status == 200);  // also the same one
            CHECK(base.assembly->settings.text(host) == other);
        }
    });
}

TEST_CASE("requests are counted by user, not by application password") {
    each_base([](TestBase& base) {
        const auto& boss = base.user("administrator");
        const auto other = base.fresh("administrator");  // the same user by another credential
        REQUIRE(put(base, R"({"api_rate_limit":6})").status == 200);
        int answered = 0;
        for (int i = 0; i < 6; ++i)
            for (const Visitor* by : {&boss, &other})
                answered += base.get("/auth/me", *by).status == 200 ? 1 : 0;
        CHECK(answered >= 5);  // saving the limit may count already
        CHECK(answered <= 6);
    });
}

TEST_CASE("staff in the admin call by staff_rate_limit, programs and customers by api_rate_limit") {
    each_base([](TestBase& base) {
        REQUIRE(put(base, R"({"api_rate_limit":50,"staff_rate_limit":1200})").status == 200);
        const auto clerk = base.cookie("front_desk", true), customer = base.cookie("svc_customer", true);
        const auto limit_of = [&](const Visitor& by) { return base.get("/auth/me", by).header("RateLimit-Limit"); };
        CHECK(limit_of(clerk) == "1200");
        CHECK(limit_of(customer) == "50");
        CHECK(limit_of(base.user("front_desk")) == "50");  // the same user by an application password
        int refused = 0;
        for (int i = 0; i < 150; ++i)
            refused += base.get("/auth/me", clerk).status == 429 ? 1 : 0;
        CHECK(refused == 0);
        const auto next = base.get("/auth/me", clerk);
        CHECK(std::stoi(next.header("RateLimit-Remaining")) < 1199);
        CHECK(std::stoi(next.header("RateLimit-Reset")) > 0);

        REQUIRE(put(base, R"({"staff_rate_limit":5})").status == 200);
        auto over = base.get("/auth/me", clerk);
        for (int i = 0; over.status == 200 && i < 10; ++i)
            over = base.get("/auth/me", clerk);
        CHECK(over.status == 429);
        CHECK(over.header("RateLimit-Limit") == "5");
        CHECK(over.header("RateLimit-Remaining") == "0");
        REQUIRE(put(base, R"({"staff_rate_limit":0})").status == 200);
        CHECK(base.get("/auth/me", clerk).status == 200);
        CHECK(limit_of(clerk).empty());
        // A limit of the route alone is told as well.
        CHECK(base.get("/trips/public").header("RateLimit-Limit").empty());
    });
}
