// Templates of e-mails through the whole base: the base's own beside overrides by trip, and which one applies.
#include "tests/pro/email_automation/automated.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

TEST_CASE("each e-mail of the site is a template, whose text and switch are those of the site") {
    each_automated([](Automated& base) {
        const Value confirmed = base.read(base.template_path("booking_confirmed"));
        CHECK(confirmed["is_system"].boolean());
        CHECK_FALSE(confirmed["is_customized"].boolean());
        CHECK(confirmed["is_active"].boolean());
        CHECK(confirmed["event_key"].text() == "booking.confirmed");
        CHECK(confirmed["body"].text().find("Your booking is confirmed") != std::string::npos);
        CHECK(confirmed["settings"]["overrides"].is_null());
        CHECK_FALSE(base.read(base.template_path("partial_payment_received"))["is_active"].boolean());

        const std::string path = base.template_path("booking_confirmed");
        REQUIRE(base.put(path, R"({"is_active":false})").status == 200);
        CHECK_FALSE(base.read("/settings")["email_template_booking_confirmed"].boolean());
        REQUIRE(base.put("/settings", R"({"email_template_booking_confirmed":true})").status == 200);
        CHECK(base.read(path)["is_active"].boolean());

        const auto changed = base.put(path, R"({"subject":"Hello {{ customer_first_name }}","from_name":"Nile desk",
            "reply_to":"desk@example.org","cc":"guide@example.org"})");
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["is_customized"].boolean());
        base.confirm(base.given_booking(base.trip));
        CHECK(base.mails("subject || '|' || from_name || '|' || reply_to",
                         "template_key = 'booking_confirmed' AND to_email <> 'guide@example.org'") ==
              std::vector<std::string>{"Hello Ada|Nile desk|desk@example.org"});
        // It holds the link of the booking, which the copy lacks.
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_confirmed' AND"
                          " to_email = 'guide@example.org'") == 1);

        const auto reset = base.put(path, R"({"reset":true})");
        CHECK_FALSE(reset.data()["is_customized"].boolean());
        CHECK(reset.data()["subject"] == confirmed["subject"]);
        CHECK(base.call("DELETE", path, {}, base.admin()).status == 409);
        CHECK(base.put(path, R"({"category":"marketing"})").field() == "category");
    });
}

TEST_CASE("a template is checked before anything is stored") {
    each_automated([](Automated& base) {
        const auto before = base.row_counts();
        const auto refused = [&](const std::string& body) { return base.make("/email-templates", body); };
        const auto unknown = refused(R"({"name":"A","subject":"S","body":"B","event_key":"booking.exploded"})");
        CHECK(unknown.status == 400);
        CHECK(unknown.field() == "event_key");
        CHECK(unknown.body["message"].text() == "Invalid event key");
        CHECK(refused(R"({"name":"A","subject":"S"})").field() == "body");
        CHECK(refused(R"({"name":"A","subject":"S","body":"{{ no_such_tag }}"})").field() == "body");
        CHECK(refused(R"({"name":"A","subject":"{{#open}}","body":"B"})").field() == "subject");
        CHECK(refused(R"({"name":"A","subject":"S","body":"{{> part-header}}"})").field() == "body");
        CHECK(refused(R"({"name":"A","subject":"S","body":"B","to_email":"x@example.org"})").field() == "to_email");
        CHECK(refused(R"({"name":"A","subject":"S","body":"B","reply_to":"nobody"})").field() == "reply_to");
        CHECK(refused(R"({"name":"A","subject":"S","body":"B","template_key":"No Key"})").field() == "template_key");
        CHECK(refused(R"({"name":"A","subject":"S","body":"B","settings":{"overrides":"none_such",
            "targets":{"trips":[1]}}})")
                  .field() == "settings.overrides");
        CHECK(
            refused(R"({"name":"A","subject":"S","body":"B","settings":{"overrides":"booking_confirmed"}})").field() ==
            "settings.targets");
        CHECK(refused(R"({"name":"A","subject":"S","body":"B","template_key":"booking_confirmed"})").status == 409);
        auto after = base.row_counts();
        after["svc_email_templates"] = before.at("svc_email_templates");  // those of the site are stored when asked for
        CHECK(after == before);

        const Value made = base.given("/email-templates", R"({"name":"Thank you, Ada!","subject":"S","body":"B"})");
        CHECK(made["template_key"].text() == "thank_you_ada");
        CHECK(base.given("/email-templates", R"({"name":"Thank you, Ada","subject":"S","body":"B"})")["template_key"]
                  .text() == "thank_you_ada_2");
        const std::string path = "/email-templates/" + std::to_string(made["id"].integer());
        CHECK(base.put(path, R"({"subject":"New","row_version":7})").status == 409);
        const Value copy = base.given(path + "/duplicate", "{}");
        CHECK(copy["name"].text() == "Thank you, Ada! (copy)");
        CHECK_FALSE(copy["is_active"].boolean());
        CHECK(base.call("DELETE", path, {}, base.admin()).status == 200);
        CHECK(base.get(path, base.admin()).status == 404);
    });
}

TEST_CASE("the most specific override is used: trip, category, type of trip, then priority, else the template") {
    each_automated([](Automated& base) {
        const std::string path = base.template_path("booking_confirmed");
        const auto made = base.make("/trip-categories", R"({"name":"Water","status":"publish"})");
        REQUIRE(made.status == 201);
        const std::int64_t above = made.data()["id"].integer();
        const Value below = base.given(
            "/trip-categories", Value::object({{"name", "River"}, {"status", "publish"}, {"parent_id", above}}).dump());
        REQUIRE(base.put("/trips/" + std::to_string(base.trip),
                         Value::object({{"trip_category", Value::array({below["id"]})}}).dump())
                    .status == 200);
        const auto override_for = [&](const std::string& targets, int priority, const std::string& subject) {
            return base.given(path + "/override", R"({"targets":)" + targets + R"(,"priority":)" +
                                                      std::to_string(priority) + R"(,"subject":")" + subject + "\"}");
        };
        CHECK(base.resolved(base.trip, "booking_confirmed")["matched_by"].text() == "global");
        const std::string type = base.read("/trips/" + std::to_string(base.trip))["trip_type"].text();
        const Value typed = override_for(R"({"trip_types":[")" + type + R"("]})", 900, "By type");
        CHECK(typed["event_key"].text().empty());
        CHECK(typed["template_key"].text() == "booking_confirmed");
        CHECK(typed["settings"]["overrides"].text() == "booking_confirmed");
        CHECK(base.resolved(base.trip, "booking_confirmed")["matched_by"].text() == "trip_type");
        const Value low = override_for(R"({"categories":[)" + std::to_string(above) + "]}", 1, "Low");
        const Value high = override_for(R"({"categories":[)" + std::to_string(above) + "]}", 2, "High");
        auto match = base.resolved(base.trip, "booking_confirmed");
        CHECK(match["matched_by"].text() == "category");
        CHECK(match["template"]["subject"].text() == "High");
        const auto ordered = base.make("/email-templates/overrides/reorder",
                                       Value::object({{"overrides", "booking_confirmed"},
                                                      {"ids", Value::array({low["id"], typed["id"], high["id"]})}})
                                           .dump());
        REQUIRE(ordered.status == 200);
        CHECK(base.resolved(base.trip, "booking_confirmed")["template"]["subject"].text() == "Low");
        CHECK(
            base.make("/email-templates/overrides/reorder", R"({"overrides":"booking_confirmed","ids":[1]})").field() ==
            "ids");
        const Value own = override_for(R"({"trips":[)" + std::to_string(base.trip) + "]}", 0, "For {{ trip_name }}");
        match =
            base.read("/email-templates/resolve?trip_id=" + std::to_string(base.trip) + "&event_key=booking.confirmed");
        CHECK(match["matched_by"].text() == "trip");
        CHECK(match["template"]["id"] == own["id"]);
        CHECK(base.resolved(base.other_trip, "booking_confirmed")["matched_by"].text() == "trip_type");
        CHECK(base.make("/email-templates/" + std::to_string(own["id"].integer()) + "/override",
                        R"({"targets":{"trips":[1]}})")
                  .status == 409);
        CHECK(base.call("DELETE", path, {}, base.admin()).status == 409);
        CHECK(base.get("/email-templates/resolve?trip_id=1", base.admin()).field() == "template_key");
        CHECK(base.get("/email-templates/resolve?trip_id=999999&template_key=booking_confirmed", base.admin()).status ==
              404);
        CHECK(base.get("/email-templates/resolve?trip_id=1&event_key=x", base.admin()).body["message"].text() ==
              "Invalid event key");

        base.confirm(base.given_booking(base.trip));
        base.confirm(base.given_booking(base.other_trip, 30, "Byron"));
        CHECK(base.mails("subject", "template_key = 'booking_confirmed'") ==
              std::vector<std::string>{"For Nile cruise", "By type"});
        REQUIRE(base.put("/email-templates/" + std::to_string(own["id"].integer()), R"({"is_active":false})").status ==
                200);
        CHECK(base.resolved(base.trip, "booking_confirmed")["matched_by"].text() == "category");
        base.turn(false);
        CHECK(base.get(path, base.admin()).status == 404);
        base.confirm(base.given_booking(base.trip, 30, "Babbage"));
        CHECK(base.mails("subject", "template_key = 'booking_confirmed'").back().find("confirmed") !=
              std::string::npos);
    });
}

TEST_CASE("a template is shown as it is sent, and sent to an address") {
    each_automated([](Automated& base) {
        const std::string path = base.template_path("sequence_welcome");
        const auto booking = base.given_booking(base.trip);
        const auto shown = base.make(path + "/preview", R"({"booking_id":)" + std::to_string(booking.id) + "}");
        CAPTURE(shown.text);
        REQUIRE(shown.status == 200);
        CHECK(shown.data()["subject"].text() == "Welcome, Ada");
        CHECK(shown.data()["body"].text().find("Nile cruise") != std::string::npos);
        CHECK(base.make(path + "/preview", R"({"subject":"{{ nothing_known }}"})").field() == "subject");
        CHECK(base.make(path + "/preview", R"({"booking_id":999999})").status == 404);
        const std::string marketing = base.template_path("sequence_win_back");
        CHECK(base.make(marketing + "/preview", "{}").data()["body"].text().find("Unsubscribe") != std::string::npos);
        // Who may write templates but reads no bookings sees none of them.
        const Visitor writer = base.holding({"svc_manage_email_automation"});
        CHECK(base.call("POST", path + "/preview", "{}", writer).status == 200);
        CHECK(base.call("POST", path + "/preview", R"({"booking_id":)" + std::to_string(booking.id) + "}", writer)
                  .status >= 403);

        const auto tested = base.make(path + "/test", R"({"email":"eva@example.org"})");
        REQUIRE(tested.status == 200);
        CHECK_FALSE(tested.data()["sent"].boolean());  // no mail server
        CHECK(base.mails("to_email", "template_key = 'automation_message'") ==
              std::vector<std::string>{"eva@example.org"});
        CHECK(base.mails("body_html", "template_key = 'automation_message'").front().find("Welcome aboard") !=
              std::string::npos);
        CHECK(base.make(path + "/test", R"({"email":"eva"})").field() == "email");

        const Value tags = base.read("/email-templates/variables?event_key=booking.cancelled");
        CHECK(tags.dump().find("cancellation_reason") != std::string::npos);
        CHECK(base.get("/email-templates/variables?event_key=x", base.admin()).body["message"].text() ==
              "Invalid event key");
        CHECK(base.read("/email-templates/events").size() > 20);
    });
}
