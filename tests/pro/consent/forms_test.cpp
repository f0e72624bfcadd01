// Forms: their versions, faults, copies, bulk and deletion; the test e-mail; who may.
#include "tests/pro/consent/signer.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("a form's version grows with its text alone, and each version is kept with its hash") {
    each_signer([](Signer& base) {
        const auto id = base.form();
        const std::string path = Signer::path("/consent/forms/", id);
        const Value first = base.read(path);
        CHECK(first["version"].integer() == 1);
        CHECK(first["sha256"].text().size() == 64);
        CHECK(first["send_before_days"].integer() == 7);
        CHECK(first["reminder_days"].text() == "3,1");
        CHECK(first["require_signature"].boolean());
        CHECK(first["fields"].size() == 2);
        CHECK(first["content_blocks"][std::size_t{0}]["id"].text() == "block_1");
        const auto change = [&](const char* body) {
            const auto done = base.put(path, body);
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
            return done.data();
        };
        CHECK(change(R"({"send_before_days":14,"reminder_days":"1, 10,3","expiry_hours":48})")["version"].integer() ==
              1);
        CHECK(base.read(path)["reminder_days"].text() == "10,3,1");
        const Value second = change(R"({"fields":[{"id":"agrees","type":"checkbox","label":"I can swim well"}]})");
        CHECK(second["version"].integer() == 2);
        CHECK(second["sha256"] != first["sha256"]);
        CHECK(change(R"({"require_initials":true})")["version"].integer() == 3);
        CHECK(change(R"({"name":"Another title"})")["version"].integer() == 4);
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_form_versions") == 4);
        for (const std::string& text : base.texts("SELECT snapshot || '|' || sha256 FROM svc_consent_form_versions")) {
            const auto at = text.rfind('|');
            CHECK(pro::crypto::sha256_hex(text.substr(0, at)) == text.substr(at + 1));
        }
        base.set(R"({"consent_send_before_days":3,"consent_reminder_days":"2"})");
        const Value later = base.read(Signer::path("/consent/forms/", base.form()));
        CHECK(later["send_before_days"].integer() == 3);
        CHECK(later["reminder_days"].text() == "2");
    });
}

TEST_CASE("every fault of a form is named by its place") {
    each_signer([](Signer& base) {
        const auto fault = [&](const char* body) {
            const auto refused = base.make("/consent/forms", body);
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            return refused.field();
        };
        CHECK(fault("{}") == "name");
        CHECK(fault(R"({"name":"A","fields":[{"type":"text","label":"A"},{"type":"select","label":"B"}]})") ==
              "fields.1.options");
        CHECK(fault(R"({"name":"A","fields":[{"type":"text"}]})") == "fields.0.label");
        CHECK(fault(R"({"name":"A","fields":[{"type":"colour","label":"A"}]})") == "fields.0.type");
        CHECK(
            fault(
                R"({"name":"A","fields":[{"id":"a","type":"text","label":"A"},{"id":"a","type":"text","label":"B"}]})") ==
            "fields.1.id");
        CHECK(fault(R"({"name":"A","fields":[{"id":"a b","type":"text","label":"A"}]})") == "fields.0.id");
        CHECK(fault(R"({"name":"A","content_blocks":[{"type":"terms"}]})") == "content_blocks.0.content");
        CHECK(fault(R"({"name":"A","reminder_days":"3;1"})") == "reminder_days");
        CHECK(fault(R"({"name":"A","reminder_days":"400"})") == "reminder_days");
        CHECK(fault(R"({"name":"A","applicable_to":"specific_trips"})") == "trip_ids");
        CHECK(fault(R"({"name":"A","applicable_to":"specific_trips","trip_ids":[99]})") == "trip_ids");
        CHECK(fault(R"({"name":"A","status":"publish"})") == "content_blocks");
        CHECK(fault(R"({"name":"A","expiry_hours":0})") == "expiry_hours");
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_forms") == 0);
    });
}

TEST_CASE("a form is copied as a draft, changed in bulk, and archived once signed copies of it exist") {
    each_signer([](Signer& base) {
        const auto id = base.form();
        const Value copy = base.given(Signer::path("/consent/forms/", id, "/duplicate"), "{}");
        CHECK(copy["status"].text() == "draft");
        CHECK(copy["name"].text() == "Waiver (copy)");
        CHECK(copy["version"].integer() == 1);
        CHECK(copy["fields"] == base.read(Signer::path("/consent/forms/", id))["fields"]);
        const auto bulk = [&](const std::string& action, std::int64_t which) {
            const auto done = base.make("/consent/forms/bulk",
                                        R"({"action":")" + action + R"(","ids":[)" + std::to_string(which) + "]}");
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
            return done.data()["affected"].integer();
        };
        const auto copy_id = copy["id"].integer();
        CHECK(bulk("archive", copy_id) == 1);
        CHECK(base.read(Signer::path("/consent/forms/", copy_id))["status"].text() == "archived");
        CHECK(bulk("publish", copy_id) == 1);
        CHECK(bulk("trash", copy_id) == 1);
        CHECK(bulk("delete", copy_id) == 1);
        CHECK(base.get(Signer::path("/consent/forms/", copy_id), base.admin()).status == 404);
        base.signed_id(base.asked(id, base.booking()));
        const auto refused = base.call("DELETE", Signer::path("/consent/forms/", id), {}, base.admin());
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_in_use");
        CHECK(base.read(Signer::path("/consent/forms/", id))["signed_count"].integer() == 1);
        CHECK(base.read("/consent/forms?status=publish").size() == 1);
    });
}

TEST_CASE("a form in the trash revokes what is open") {
    each_signer([](Signer& base) {
        const auto id = base.form();
        const auto token = base.asked(id, base.booking());
        REQUIRE(base.call("DELETE", Signer::path("/consent/forms/", id), {}, base.admin()).status == 200);
        const auto gone = base.get("/consent/form/" + token);
        CHECK(gone.status == 410);
        CHECK(base.request(base.last_request())["end_reason"].text() == "form");
    });
}

TEST_CASE("a test e-mail says that it is one, and its page takes no signature") {
    each_signer([](Signer& base) {
        const auto id = base.form();
        REQUIRE(base.make("/consent/forms/send-test-email",
                          R"({"form_id":)" + std::to_string(id) + R"(,"email":"eva@example.org"})")
                    .data()["sent"]
                    .boolean());
        CHECK(base.mails("trip_consent_request") == std::vector<std::string>{"eva@example.org"});
        CHECK(base.mails("trip_consent_request", "body_html")[0].find("This is a test") != std::string::npos);
        const auto token = base.token();
        // Nobody counts the forms by it: it is sealed, and no number.
        CHECK(token.starts_with("test-"));
        CHECK(token.size() > 40);
        for (const std::string& guess : {"test-" + std::to_string(id), std::string("test"), std::string("test-"),
                                         token.substr(0, token.size() - 2) + "AA"})
            CHECK(base.get("/consent/form/" + guess).status == 404);
        const auto page = base.get("/consent/form/" + token);
        REQUIRE(page.status == 200);
        CHECK(page.data()["is_test"].boolean());
        CHECK(page.data()["form"]["title"].text() == "Waiver");
        const auto refused = base.sign(token);
        CHECK(refused.status == 410);
        CHECK(refused.body["data"]["reason"].text() == "test");
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
        // Of a form that is not stored, and of one that is no longer published.
        REQUIRE(base.make("/consent/forms/send-test-email", R"({"name":"New","email":"eva@example.org"})").status ==
                200);
        CHECK(base.get("/consent/form/" + base.token()).status == 410);
        REQUIRE(base.put(Signer::path("/consent/forms/", id), R"({"status":"draft"})").status == 200);
        CHECK(base.get("/consent/form/" + token).status == 410);
        REQUIRE(base.put(Signer::path("/consent/forms/", id), R"({"status":"publish"})").status == 200);
        CHECK(base.get("/consent/form/" + token).status == 200);
        CHECK(base.make("/consent/forms/send-test-email", R"({"email":"eva@example.org"})").field() == "form_id");
        CHECK(base.make("/consent/forms/send-test-email", R"({"form_id":1,"email":"eva"})").field() == "email");
    });
}

TEST_CASE("only who runs the module manages forms, and without the module there are no routes") {
    each_signer([](Signer& base) {
        CHECK(base.get("/consent/forms").status == 401);
        CHECK(base.get("/consent/forms", base.user("svc_customer")).status == 403);
        CHECK(base.get("/consent/requests", base.holding({"svc_view_bookings"})).status == 403);
        CHECK(base.get("/consent/signed", base.holding({"manage_svc"})).status == 200);
        base.turn(false);
        for (const char* path : {"/consent/forms", "/consent/requests", "/consent/signed", "/consent/form/test"})
            CHECK(base.get(path, base.admin()).status == 404);
    });
}
