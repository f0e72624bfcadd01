// Answers about health: sealed, masked, deleted after the trip. A person's export and erasure.
#include <algorithm>

#include "tests/pro/consent/signer.hpp"
#include "tests/support/pdf_tools.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

const char* const health_form = R"({"fields":[{"id":"note","type":"text","label":"Note"},
    {"id":"field_7","type":"text","label":"Any allergies?"},
    {"id":"own","type":"textarea","label":"What we should know","health":true}]})";
const char* const health_answers = R"({"form_data":{"note":"window seat","field_7":"peanuts","own":"asthma spray"}})";

// Texts of every table that hold it.
std::int64_t rows_with(Signer& base, const std::string& text) {
    std::int64_t found = 0;
    for (const char* table : {"svc_signed_consents", "svc_signed_consent_files", "svc_consent_requests"})
        for (const char* column : {"form_data", "sealed", "signer_name", "signer_email", "email_lower", "search",
                                   "content", "name", "email", "traveler_name", "ip_address", "user_agent"}) {
            std::vector<std::string> columns =
                base.texts(base.assembly->store->dialect() == store::Dialect::sqlite
                               ? "SELECT name FROM pragma_table_info('" + std::string(table) + "')"
                               : "SELECT column_name FROM information_schema.columns WHERE table_name = '" +
                                     std::string(table) + "'");
            if (std::find(columns.begin(), columns.end(), column) != columns.end())
                found += base.number(("SELECT COUNT(*) FROM " + std::string(table) + " WHERE LOWER(" + column +
                                      ") LIKE '%" + text + "%'")
                                         .c_str());
        }
    return found;
}

}  // namespace

TEST_CASE("answers about health are sealed at rest, left out of e-mails, and masked for who may not read them") {
    each_signer([](Signer& base) {
        const auto token = base.asked(base.form(health_form), base.booking());
        const auto id = base.signed_id(token, health_answers);
        CHECK(rows_with(base, "window seat") == 1);
        CHECK(rows_with(base, "peanuts") == 0);
        CHECK(rows_with(base, "asthma") == 0);
        const std::string mail = base.mails("trip_consent_signed", "body_html")[0];
        CHECK(mail.find("window seat") != std::string::npos);
        CHECK(mail.find("peanuts") == std::string::npos);
        const std::string path = Signer::path("/consent/signed/", id);
        const Value whole = base.read(path);
        CHECK(whole["form_data"]["field_7"].text() == "peanuts");
        CHECK(whole["form_data"]["own"].text() == "asthma spray");
        CHECK_FALSE(whole["has_masked_answers"].boolean());
        CHECK(whole["is_intact"].boolean());
        const auto less = base.holding({"manage_svc"});
        const auto masked = base.get(path, less);
        REQUIRE(masked.status == 200);
        CHECK(masked.data()["form_data"]["field_7"].text() == "•••");
        CHECK(masked.data()["form_data"]["note"].text() == "window seat");
        CHECK(masked.data()["has_masked_answers"].boolean());
        CHECK(masked.text.find("peanuts") == std::string::npos);
        const auto text = [&](const Visitor& who) { return PdfFile(base.get(path + "/pdf", who).text).text(); };
        CHECK(text(base.admin()).find("peanuts") != std::string::npos);
        CHECK(text(less).find("peanuts") == std::string::npos);
        CHECK(text(less).find("window seat") != std::string::npos);
        CHECK(PdfFile(base.get("/consent/form/" + token + "/pdf").text).text().find("peanuts") != std::string::npos);
    });
}

TEST_CASE("answers about health and the PDF that has them are deleted after the trip, the rest stays") {
    each_signer([](Signer& base) {
        const auto id = base.signed_id(base.asked(base.form(health_form), base.booking()), health_answers);
        const auto plain = base.signed_id(base.asked(base.form(), base.booking()));
        const std::string path = Signer::path("/consent/signed/", id);
        const Value before = base.read(path);
        CHECK(base.job("consent_health")["deleted"].integer() == 0);
        base.leaves_what_holds = false;  // bookings are moved by hand
        const auto trips_end = [&](int days) {
            const std::string day = "'" + base.day(days) + "'";
            base.run(("UPDATE svc_bookings SET travel_date = " + day + ", end_date = " + day).c_str());
        };
        base.run(("UPDATE svc_signed_consents SET end_date = '" + base.day(-31) + "'").c_str());
        CHECK(base.job("consent_health")["deleted"].integer() == 0);  // the trip was moved to a later day
        trips_end(-30);
        CHECK(base.job("consent_health")["deleted"].integer() == 0);
        trips_end(-31);
        base.turn(false);  // what must go goes while the module is off, too
        CHECK(base.job("consent_health")["deleted"].integer() == 1);
        base.turn(true);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consent_files WHERE kind = 'pdf'") == 1);
        const Value after = base.read(path);
        CHECK(after["form_data"].find("field_7") == nullptr);
        CHECK(after["form_data"]["note"].text() == "window seat");
        CHECK(after["health_deleted_at"].is_string());
        CHECK(after["is_intact"].is_null());
        CHECK(after["pdf_sha256"] == before["pdf_sha256"]);
        CHECK(after["data_sha256"] == before["data_sha256"]);
        const std::string text = PdfFile(base.get(path + "/pdf", base.admin()).text).text();
        CHECK(text.find("peanuts") == std::string::npos);
        CHECK(text.find("Answers about health") != std::string::npos);
        CHECK(base.read(Signer::path("/consent/signed/", plain))["is_intact"].boolean());
    });
}

TEST_CASE("a person's requests and signed consents are in the export, and after the erasure only hashes are left") {
    each_signer([](Signer& base) {
        const auto form = base.form(health_form);
        const auto id = base.signed_id(base.asked(form, base.booking()), health_answers);
        const auto open = base.asked(form, base.booking());
        const std::string guest = "ada@example.org", path = Signer::path("/consent/signed/", id);
        const Value before = base.read(path);
        base.turn(false);
        const auto exported = base.assembly->privacy.exported(guest);
        REQUIRE(exported);
        const Value& more = (*exported)["more"];
        CHECK(more["consent_requests"].size() == 2);
        REQUIRE(more["signed_consents"].size() == 1);
        CHECK(more["signed_consents"][std::size_t{0}]["answers"]["field_7"].text() == "peanuts");
        base.move_trips(-100);
        base.run("UPDATE svc_bookings SET status = 'completed'");
        const auto erased = base.assembly->privacy.erase(guest);
        CAPTURE((erased ? std::string() : erased.error().message().english()));
        REQUIRE(erased);
        base.turn(true);
        for (const char* text : {"lovelace", "ada@", "window seat", "192.0.2.44", "mozilla", "ivbor"}) {
            CAPTURE(text);
            CHECK(rows_with(base, text) == 0);
        }
        const Value after = base.read(path);
        CHECK(after["erased_at"].is_string());
        CHECK(after["data_sha256"] == before["data_sha256"]);
        CHECK(after["form_sha256"] == before["form_sha256"]);
        CHECK(after["signed_at"] == before["signed_at"]);
        CHECK(after["is_intact"].is_null());
        CHECK(base.get(path + "/pdf", base.admin()).status == 200);
        CHECK(base.get("/consent/form/" + open).status == 410);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consent_files") == 0);
        // Twice is as once.
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests WHERE end_reason = 'erased'") == 1);
    });
}

TEST_CASE("old requests and, where the operator says so, old signed consents are deleted at night") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        base.signed_id(base.asked(form, base.booking()));
        base.asked(form, base.booking());
        REQUIRE(base.call("DELETE", Signer::path("/consent/requests/", base.last_request()), {}, base.admin()).status ==
                200);
        base.run("UPDATE svc_consent_requests SET created_at = 0");
        base.run("UPDATE svc_signed_consents SET created_at = 0");
        base.job("housekeeping");
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests") == 1);  // the signed one stays
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 1);
        base.set(R"({"consent_keep_days":3650})");
        base.job("housekeeping");
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consent_files") == 0);
        base.job("housekeeping");
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests") == 0);  // nobody needs it without its copy
    });
}
