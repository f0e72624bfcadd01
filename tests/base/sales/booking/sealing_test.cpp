// Answers about health and papers: in nobody's reach who has the database, in staff's and the owner's who ask for them.
#include "base/sales/booking/record/sealing.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/at_rest.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const char* const secrets[] = {"canary-asthma", "canary-P1234567", "canary-penicillin", "canary-pacemaker"};

std::vector<std::string> found_in(const std::string& text) {
    std::vector<std::string> found;
    for (const char* secret : secrets)
        if (text.find(secret) != std::string::npos)
            found.emplace_back(secret);
    return found;
}

struct SealingSite {
    explicit SealingSite(Database& database)
        : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 4);
        REQUIRE(base.call("PUT", "/settings/booking-form",
                          R"({"contact_form":{"fields":[{"id":"drug_allergies","type":"text"}]},
            "emergency_contact_form":{"fields":[{"id":"health_notes","type":"text"}]},
            "traveler_form":{"fields":[{"id":"medical_conditions","type":"textarea"},
                {"id":"passport_number","type":"text"}]}})",
                          admin)
                    .status == 200);
    }
    Answered book() {
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        const auto traveler = Value::object({{"first_name", "Ada"},
                                             {"last_name", "Lovelace"},
                                             {"date_of_birth", "1990-12-10"},
                                             {"gender", "female"},
                                             {"nationality", "British"},
                                             {"medical_conditions", secrets[0]},
                                             {"passport_number", secrets[1]}});
        return base.post("/booking/create",
                         Value::object({{"session_id", session.data().text_or("session_id")},
                                        {"contact_first_name", "Ada"},
                                        {"contact_last_name", "Lovelace"},
                                        {"contact_email", "ada@example.org"},
                                        {"contact_phone", "+44 20 123"},
                                        {"contact_country", "GB"},
                                        {"emergency_name", "Byron"},
                                        {"emergency_phone", "+44 20 124"},
                                        {"contact_data", Value::object({{"drug_allergies", secrets[2]}})},
                                        {"emergency_contact", Value::object({{"health_notes", secrets[3]}})},
                                        {"travelers", Value::array({traveler})}}));
    }
    Value detail(std::int64_t id) { return base.get("/bookings/" + std::to_string(id), admin).data(); }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

}  // namespace

TEST_CASE("fields about health, papers and insurances are sensitive by their id, an operator's own fields too") {
    for (const char* id :
         {"medical_conditions", "passport_number", "passport_expiry", "special_needs", "allergies", "food_allergy",
          "my_medication", "visa_type", "travel_insurance", "id_number", "national_id"})
        CHECK_MESSAGE(is_sensitive(id), id);
    for (const char* id : {"first_name", "nationality", "dietary_requirements", "date_of_birth", "gender", "phone",
                           "relationship", "shoe_size", "video", "residence"})
        CHECK_MESSAGE(!is_sensitive(id), id);
}

TEST_CASE("sealed answers open at their own place alone, and an unreadable one does not hide the rest") {
    const auto keyring = crypto::Keyring::for_tests();
    const booking::Sealing sealing(*keyring);
    const auto rest = sealing.seal(Value::object({{"first_name", "Ada"}, {"medical_conditions", "asthma"}}), "here");
    CHECK(rest.plain == Value::object({{"first_name", "Ada"}}));
    CHECK(rest.sealed.find("asthma") == std::string::npos);
    CHECK(sealing.unseal(rest.plain, rest.sealed, "here")["medical_conditions"].text() == "asthma");
    CHECK(sealing.unseal(rest.plain, rest.sealed, "there") == rest.plain);
    CHECK(sealing.unseal(rest.plain, "v1.damaged", "here") == rest.plain);
    CHECK(sealing.seal(Value::object({{"medical_conditions", ""}}), "here").sealed.empty());
}

TEST_CASE("travelers' health and passport data is readable by staff and owner, and not in the database") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        std::string logged;
        log::redirect(&logged);
        log::least(log::Level::debug);
        SealingSite site(database);
        const auto made = site.book();
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        const Value detail = site.detail(id);
        const Value& fields = detail["travelers"][0]["fields"];
        CHECK(fields["medical_conditions"].text() == secrets[0]);
        CHECK(fields["passport_number"].text() == secrets[1]);
        CHECK(fields["first_name"].text() == "Ada");
        CHECK(detail["contact_data"]["drug_allergies"].text() == secrets[2]);
        CHECK(detail["emergency_contact"]["health_notes"].text() == secrets[3]);
        const std::string path = "/bookings/" + std::to_string(id);
        CHECK(found_in(site.base.get(path + "/travellers", site.admin).text).size() == 2);
        CHECK(found_in(site.base.get("/travelers", site.admin).text).size() == 2);
        CHECK(found_in(site.base.get("/travelers?format=csv", site.admin).text).size() == 2);
        CHECK(found_in(site.base
                           .get("/customers/my-bookings/" + std::to_string(id) +
                                "?booking_token=" + made.data().text_or("booking_token"))
                           .text)
                  .size() == 4);
        // A role that only sees departures sees their travelers, and no more.
        CHECK(found_in(
                  site.base.get("/departures", site.base.holding({"svc_view_departures", "svc_view_customers"})).text)
                  .empty());
        CHECK(site.base.get(path, site.base.holding({"svc_view_departures"})).status == 403);
        CHECK(site.base.get("/travelers?search=canary", site.admin).data().size() == 0);

        // Written again by staff they are sealed again.
        Value changed = fields;
        changed.set("first_name", "Augusta");
        REQUIRE(site.base
                    .call("PUT", path + "/travellers", Value::object({{"travelers", Value::array({changed})}}).dump(),
                          site.admin)
                    .status == 200);
        CHECK(site.detail(id)["travelers"][0]["fields"]["medical_conditions"].text() == secrets[0]);

        const std::string raw = at_rest(database, *site.base.assembly->store);
        CHECK(raw.find("Augusta") != std::string::npos);
        CHECK(found_in(raw).empty());
        log::redirect(nullptr);
        log::least(log::Level::info);
        CHECK(found_in(logged).empty());
    });
}

TEST_CASE("staff without the right to sealed answers read a mask wherever they read a booking") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        SealingSite site(database);
        const auto id = site.book().data()["booking_id"].integer();
        const std::string path = "/bookings/" + std::to_string(id);
        const auto sees = [&](const Visitor& who, const std::string& target) {
            const auto answered = site.base.get(target, who);
            CAPTURE(target);
            REQUIRE(answered.status == 200);
            return found_in(answered.text).size();
        };
        for (const char* role : {"sales_agent", "front_desk", "accountant", "auditor"}) {
            CAPTURE(std::string(role));
            const Visitor& who = site.base.user(role);
            for (const std::string& target :
                 {path, path + "/travellers", path + "/travellers?format=csv", path + "/history",
                  std::string("/travelers"), std::string("/travelers?format=csv"), std::string("/bookings/export")})
                CHECK(sees(who, target) == 0);
            const Value masked = site.base.get(path, who).data();
            CHECK(masked["contact_data"]["drug_allergies"].text() == "•••");
            CHECK(masked["emergency_contact"]["health_notes"].text() == "•••");
            CHECK(masked["customer_phone"].text() == "+44 20 123");
            CHECK(masked["travelers"][0]["fields"]["passport_number"].text() == "•••");
            CHECK(masked["travelers"][0]["fields"]["first_name"].text() == "Ada");
        }
        for (const char* role : {"owner", "manager"}) {
            CAPTURE(std::string(role));
            CHECK(sees(site.base.user(role), path) == 4);
            CHECK(sees(site.base.user(role), "/travelers?format=csv") == 2);
        }
        // A guide has them of the departures that they guide, and of no other.
        const Visitor& guide = site.base.user("guide");
        CHECK(site.base.get(path, guide).status == 404);
        site.base.run(("UPDATE svc_departures SET guide_user_id = " + std::to_string(guide.user_id)).c_str());
        CHECK(sees(guide, path) == 4);
        CHECK(sees(guide, "/travelers") == 2);
        // The right alone opens no booking.
        CHECK(site.base.get(path, site.base.holding({"svc_view_sensitive_answers"})).status == 403);
    });
}

TEST_CASE("a mask that is sent back keeps the sealed answer, and another answer replaces it") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        SealingSite site(database);
        const auto id = site.book().data()["booking_id"].integer();
        const std::string path = "/bookings/" + std::to_string(id);
        const Visitor& agent = site.base.user("sales_agent");
        Value read = site.base.get(path, agent).data();
        Value travelers = read["travelers"];
        Value fields = travelers.items()[0]["fields"];
        fields.set("first_name", "Augusta").set("passport_number", "canary-P1234567-new");
        travelers.items()[0].set("fields", std::move(fields));
        const auto edited = site.base.call("PUT", path,
                                           Value::object({{"travelers", travelers},
                                                          {"contact_data", read["contact_data"]},
                                                          {"emergency_contact", read["emergency_contact"]},
                                                          {"row_version", read["row_version"]}})
                                               .dump(),
                                           agent);
        CAPTURE(edited.text);
        REQUIRE(edited.status == 200);
        CHECK(found_in(edited.text).empty());
        const Value detail = site.detail(id);
        CHECK(detail["travelers"][0]["fields"]["first_name"].text() == "Augusta");
        CHECK(detail["travelers"][0]["fields"]["passport_number"].text() == "canary-P1234567-new");
        CHECK(detail["travelers"][0]["fields"]["medical_conditions"].text() == secrets[0]);
        CHECK(detail["contact_data"]["drug_allergies"].text() == secrets[2]);
        CHECK(detail["emergency_contact"]["health_notes"].text() == secrets[3]);
        // Whose it is cannot be told where the party changes and nobody is named by an id.
        const auto unnamed =
            site.base.call("PUT", path + "/travellers",
                           R"({"travelers":[{"first_name":"Ada","last_name":"L","passport_number":"•••"},
                                                {"first_name":"Tim","last_name":"L","passport_number":"•••"}]})",
                           agent);
        CHECK(unnamed.status == 400);
        CHECK(unnamed.text.find("Send the id of each traveler") != std::string::npos);
        // By place, while the party is the same.
        REQUIRE(site.base
                    .call("PUT", path + "/travellers",
                          R"({"travelers":[{"first_name":"Ada","last_name":"L","passport_number":"•••"}]})", agent)
                    .status == 200);
        const Value after = site.detail(id)["travelers"][0]["fields"];
        CHECK(after["passport_number"].text() == "canary-P1234567-new");
        CHECK_FALSE(after.find("medical_conditions"));
    });
}

TEST_CASE("e-mails have no sealed answers: neither the customer's, nor those of staff, nor a preview") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        SealingSite site(database);
        const auto id = site.book().data()["booking_id"].integer();
        for (const char* key : {"booking_confirmation", "admin_new_booking"}) {
            CAPTURE(std::string(key));
            const auto shown =
                site.base.post("/email-template-preview",
                               Value::object({{"template_key", key},
                                              {"booking_id", id},
                                              {"body",
                                               "<p>{{ contact_country }} {{ contact_drug_allergies }}"
                                               " {{ emergency_health_notes }} {{ booking_custom_fields_html }}"
                                               " {{ traveler_custom_fields_html }}</p>"}}),
                               site.admin);
            CAPTURE(shown.text);
            REQUIRE(shown.status == 200);
            CHECK(shown.data().text_or("body").find("United Kingdom") != std::string::npos);
            CHECK(found_in(shown.text).empty());
        }
    });
}

TEST_CASE("answers from before there was sealing are read as ever, and sealed by the job") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        SealingSite site(database);
        const auto id = site.book().data()["booking_id"].integer();
        site.base.run(
            "UPDATE svc_booking_travelers SET sealed = NULL, search = 'ada canary-asthma',"
            " fields = '{\"first_name\":\"Ada\",\"medical_conditions\":\"canary-asthma\"}'");
        site.base.run(
            "UPDATE svc_bookings SET contact_sealed = NULL, emergency_sealed = NULL,"
            " contact_data = '{\"allergies\":\"canary-penicillin\"}', emergency_contact = '{\"name\":\"Byron\"}'");
        CHECK(site.detail(id)["travelers"][0]["fields"]["medical_conditions"].text() == secrets[0]);
        const auto done = site.base.assembly->bookings.upkeep.seal_answers();
        REQUIRE(done);
        CHECK((*done)["travelers"].integer() == 1);
        CHECK((*done)["bookings"].integer() == 1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_travelers WHERE fields LIKE '%canary%'"
                               " OR search LIKE '%canary%'") == 0);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_bookings WHERE contact_data LIKE '%canary%'") == 0);
        const Value detail = site.detail(id);
        CHECK(detail["travelers"][0]["fields"]["medical_conditions"].text() == secrets[0]);
        CHECK(detail["contact_data"]["allergies"].text() == secrets[2]);
        CHECK(detail["emergency_contact"]["name"].text() == "Byron");
        CHECK((*site.base.assembly->bookings.upkeep.seal_answers())["travelers"].integer() == 0);
    });
}
