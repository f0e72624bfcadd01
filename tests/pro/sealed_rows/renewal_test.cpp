// svc key renew and what modules of Pro seal in rows of their own: afterwards everything opens with the new key alone.
#include <thread>

#include "base/platform/crypto/crypto.hpp"
#include "base/plugins/hooks.hpp"
#include "shared/store/sealed_columns.hpp"
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

// As svc key add and svc key use; a process looks at the file ten times a second.
void use_another_key(const TestBase& base) {
    crypto::Keyring::add(base.assembly->options.key_file);
    crypto::Keyring::use_last(base.assembly->options.key_file);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
}

// As svc key renew; how many values of plugins.
std::int64_t renewed(const TestBase& base) {
    REQUIRE(base.assembly->features.renew_sealed());
    return base.assembly->hooks.apply(plugins::sealed_renewal, 0, {}).integer();
}

// What svc key drop looks for in rows of plugins: a column with a text of that key.
std::string column_of(const TestBase& base, const std::string& beginning) {
    return base.assembly->store->reading<std::string>(
        [&](store::Session& session) { return store::column_beginning_with(session, {beginning}, {"svc_key_mark"}); });
}

}  // namespace

TEST_CASE("a renewed key opens what modules sealed: tokens, addresses, secrets, licence, answers and documents") {
    each_on<Sealing>([](Sealing& base) {
        const std::string old_key = base.assembly->site.keyring->prefix(),
                          before = base.texts("SELECT secret FROM svc_webhook_endpoints").front(),
                          uid = base.texts("SELECT uid FROM svc_webhook_endpoints").front(),
                          salt = base.texts("SELECT salt FROM svc_signed_consents").front();
        use_another_key(base);
        CHECK_FALSE(column_of(base, old_key).empty());
        CHECK(renewed(base) == 10);
        CHECK(base.texts("SELECT secret FROM svc_webhook_endpoints").front() != before);
        CHECK(column_of(base, old_key).empty());
        CHECK(renewed(base) == 0);  // all are done
        crypto::Keyring::drop_others(base.assembly->options.key_file);

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
        use_another_key(base);
        CHECK(renewed(base) == 0);
    });
}
