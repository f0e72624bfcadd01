// svc key renew and what modules of Pro seal in rows of their own: afterwards everything opens with the new key alone.
#include "base/app/base.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "tests/pro/consent/signer.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// A site whose modules have sealed something each.
struct Sealing : Signer {
    explicit Sealing(const Database& database) : Signer(database) {
        for (const char* module : {"webhooks", "mailchimp", "google_calendar"})
            REQUIRE(post("/modules/" + std::string(module) + "/toggle", Value::object({{"enabled", true}}), admin())
                        .status == 200);
        const auto endpoint = post("/webhooks/endpoints",
                                   Value::object({{"name", "Books"},
                                                  {"url", "https://hooks.example/in"},
                                                  {"event", "booking.created"},
                                                  {"headers", Value::object({{"X-Key", "header-secret"}})}}),
                                   admin());
        CAPTURE(endpoint.text);
        REQUIRE(endpoint.status == 201);
        signed_copy = signed_id(asked(form(R"({"fields":[{"id":"own","type":"textarea","label":"What we should know",
                                                          "health":true}]})"),
                                      booking()),
                                R"({"form_data":{"own":"asthma spray"}})");
        put_sealed("UPDATE svc_google_calendar_connection SET state = 'connected', refresh_token = '",
                   "google_calendar.refresh", "refresh-1");
        put_sealed("UPDATE svc_google_calendar_connection SET access_token = '", "google_calendar.access", "access-1");
        put_sealed("UPDATE svc_license SET license_key = '", "svc_license/1/license_key", "ABCD-EFGH-1234-5678");
        put_sealed("UPDATE svc_license SET server_response = '", "svc_license/1/server_response", "{}");
        put_sealed(
            "INSERT INTO svc_evaluation (id, started_at, last_seen_at, seal) SELECT 1, 1, 1, sealed FROM (SELECT '",
            "svc_evaluation/1/seal", "begun", "' AS sealed) s");
    }
    static std::string of_plugin(const std::string& place) { return "plugin:svc-pro:" + place; }
    void put_sealed(const std::string& before, const std::string& place, const std::string& secret,
                    const std::string& after = "'") {
        run((before + assembly->site.keyring->seal(secret, of_plugin(place)) + after).c_str());
    }
    // The secret in the only row of that column, opened as a process opens it that begins now.
    std::string opened(const std::string& column, const std::string& table, const std::string& place) {
        const auto found = texts("SELECT " + column + " FROM " + table);
        REQUIRE(found.size() >= 1);
        const auto secret = crypto::Keyring::open(assembly->options.key_file)->open(found.front(), of_plugin(place));
        CAPTURE(column);
        REQUIRE(secret);
        return *secret;
    }
    std::int64_t signed_copy = 0;
};

}  // namespace

TEST_CASE("a renewed key opens what modules sealed: tokens, addresses, secrets, licence, answers and documents") {
    each_on<Sealing>([](Sealing& base) {
        const BaseOptions& options = base.assembly->options;
        const std::string before = base.texts("SELECT secret FROM svc_webhook_endpoints").front(),
                          uid = base.texts("SELECT uid FROM svc_webhook_endpoints").front(),
                          salt = base.texts("SELECT salt FROM svc_signed_consents").front();
        commands::add_key(options);
        commands::use_last_key(options);
        CHECK_THROWS_AS(commands::drop_other_keys(options), std::runtime_error);
        CHECK(commands::renew_sealed(options, &svc_plugin_entry) >= 9);
        CHECK(base.texts("SELECT secret FROM svc_webhook_endpoints").front() != before);
        CHECK(commands::renew_sealed(options, &svc_plugin_entry) == 0);  // all are done
        commands::drop_other_keys(options);

        const std::string of_endpoint = "svc_webhook_endpoints." + uid + ".";
        CHECK(base.opened("secret", "svc_webhook_endpoints", of_endpoint + "secret").size() > 8);
        CHECK(base.opened("headers", "svc_webhook_endpoints", of_endpoint + "headers").find("header-secret") !=
              std::string::npos);
        CHECK(base.opened("secret", "svc_mailchimp_state", "svc_mailchimp_state.secret").size() == 64);
        CHECK(base.opened("refresh_token", "svc_google_calendar_connection", "google_calendar.refresh") == "refresh-1");
        CHECK(base.opened("access_token", "svc_google_calendar_connection", "google_calendar.access") == "access-1");
        CHECK(base.opened("license_key", "svc_license", "svc_license/1/license_key") == "ABCD-EFGH-1234-5678");
        CHECK(base.opened("server_response", "svc_license", "svc_license/1/server_response") == "{}");
        CHECK(base.opened("seal", "svc_evaluation", "svc_evaluation/1/seal") == "begun");
        CHECK(base.opened("sealed", "svc_signed_consents", "svc_signed_consents/" + salt + "/sealed")
                  .find("asthma spray") != std::string::npos);
        CHECK(base.opened("content", "svc_signed_consent_files WHERE kind = 'pdf'",
                          "svc_signed_consent_files/" + std::to_string(base.signed_copy) + "/pdf")
                  .size() > 1000);
    });
}

TEST_CASE("modules that were never on have nothing to seal again") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database, &svc_plugin_entry);
        base.given_license("agency");
        commands::add_key(base.assembly->options);
        commands::use_last_key(base.assembly->options);
        CHECK_NOTHROW(commands::renew_sealed(base.assembly->options, &svc_plugin_entry));
        CHECK_NOTHROW(commands::drop_other_keys(base.assembly->options));
    });
}
