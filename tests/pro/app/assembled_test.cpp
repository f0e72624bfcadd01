// The whole base and the whole of Pro, as they ship, on both databases: what a client of the REST interface sees.
#include <doctest/doctest.h>

#include "base/app/base.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/json/value.hpp"
#include "shared/plugin/host.hpp"
#include "tests/support/databases.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

struct Answer {
    int status = 0;
    json::Value body;
    [[nodiscard]] const json::Value& data() const { return body["data"]; }
};

// An installation with an administrator, opened with or without a plugin.
class Installation {
  public:
    explicit Installation(Database& database) : database_(database) {
        options_.database = database.url();
        options_.key_file = folder_.file("key");
        options_.data_dir = folder_.path();
        options_.run_jobs = false;
    }
    void open(svc_plugin_entry_fn* plugin) {
        base_.reset();
        (void)commands::migrate(options_, plugin);
        if (!commands::has_users(options_)) {
            (void)commands::add_user(options_, "ada", "ada@example.org", "administrator", "a long pass phrase");
            password_ = commands::add_application_password(options_, "ada", "tests");
        }
        base_ = Base::open(options_, plugin, "");
    }
    void set_address(std::string url) { options_.site_url = std::move(url); }
    [[nodiscard]] Base& base() { return *base_; }
    // The doctor's check of Pro's schema.
    std::string doctor_of_pro() {
        std::string said;
        for (const auto& finding : commands::doctor(options_, &svc_plugin_entry))
            if (finding.what == "schema of Pro")
                said = (finding.level == commands::Finding::Level::good      ? "good: "
                        : finding.level == commands::Finding::Level::warning ? "warning: "
                                                                             : "bad: ") +
                       finding.help;
        return said;
    }
    void run(const char* sql) { execute(*database_.open(), {sql}); }
    ~Installation() {
        if (base_)
            base_->stop();
    }
    Installation(const Installation&) = delete;
    Installation& operator=(const Installation&) = delete;

    Answer call(std::string_view method, const std::string& path, const json::Value& body = {}) {
        const auto target = "/svc/v1" + path;
        const auto text = body.is_null() ? std::string() : body.dump();
        std::vector<HttpHeader> headers{{"Authorization", "Basic " + crypto::base64("ada:" + password_)}};
        if (!text.empty())
            headers.emplace_back("Content-Type", "application/json");
        const auto answer = base_->answer(
            {.method = method, .target = target, .headers = headers, .body = text, .peer = "203.0.113.9"});
        auto parsed = json::parse(answer.body ? *answer.body : "null", {.depth = 64, .elements = 100'000});
        return {answer.status, parsed ? std::move(*parsed) : json::Value()};
    }
    // As the licence server's answer would leave it.
    void given_license() {
        execute(*database_.open(),
                {"INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
                 " VALUES (1, 'test', '', 'active', 'personal', 0, 0)"});
    }
    Answer toggle(bool on) {
        return call("POST", "/modules/additional_services/toggle", json::Value::object({{"enabled", on}}));
    }

  private:
    Database& database_;
    TempDir folder_;
    BaseOptions options_;
    std::string password_;
    std::unique_ptr<Base> base_;
};

const svc_plugin* from_the_future() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.abi_minor = SVC_ABI_MINOR + 1;
    return &table;
}

bool lists(const json::Value& items, std::string_view member, std::string_view value) {
    for (const auto& item : items.items())
        if (item.text_or(member) == value)
            return true;
    return false;
}

}  // namespace

namespace {

int late_heard = 0;

struct LateGateway final : plugin::Gateway {
    plugin::GatewayInfo own{.id = "late", .title = "Late", .description = "", .icon = "", .is_offline = true};
    [[nodiscard]] const plugin::GatewayInfo& info() const override { return own; }
    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {Sentence::verbatim("Soon.")};
    }
};

void listen_late(plugin::Host& host) {
    REQUIRE(host.hooks().on("svc_register_payment_gateways", {.name = "late"}, [&host](const json::Array& arguments) {
        ++late_heard;
        CHECK(arguments.at(0).dump().find("pay_later") != std::string::npos);
        host.find<plugin::Gateways>()->add(std::make_unique<LateGateway>());
    }));
}

const svc_plugin* late_entry() {
    static const svc_plugin table{sizeof(svc_plugin),    SVC_ABI_MAJOR, SVC_ABI_MINOR,
                                  {"late", 4},           {"1.0.0", 5},  &plugin::attach_entry<&listen_late>,
                                  &plugin::detach_plugin};
    return &table;
}

}  // namespace

TEST_CASE("Pro's module appears with its storage and routes when it is enabled and vanishes when it is disabled") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Installation here(database);
        here.open(&svc_plugin_entry);
        CHECK(here.base().plugin_state().starts_with("attached svc-pro "));
        const auto listed = here.call("GET", "/modules");
        REQUIRE(listed.status == 200);
        CHECK(lists(listed.data(), "slug", "additional_services"));
        CHECK(here.call("GET", "/additional-services").status == 404);

        const auto refused = here.toggle(true);
        CHECK(refused.status == 403);
        CHECK(refused.body.text_or("code") == "module_not_available");
        here.given_license();
        REQUIRE(here.toggle(true).status == 200);
        const auto made = here.call("POST", "/additional-services", json::Value::object({{"name", "Transfer"}}));
        REQUIRE(made.status == 201);
        CHECK(here.call("GET", "/additional-services").data().size() == 1);

        REQUIRE(here.toggle(false).status == 200);
        CHECK(here.call("GET", "/additional-services").status == 404);
        REQUIRE(here.toggle(true).status == 200);
        here.open(&svc_plugin_entry);  // the server restarts
        CHECK(here.call("GET", "/additional-services").data().size() == 1);
    });
}

TEST_CASE("licence and bank transfer are there with Pro, and gone without it") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Installation here(database);
        here.open(&svc_plugin_entry);
        CHECK(here.call("GET", "/license").data()["license_info"]["status"].text() == "inactive");
        const auto saved = here.call("POST", "/license/save", json::Value::object({{"license_key", "ABCD-EFGH-7890"}}));
        CHECK(saved.data()["key"].text() == "****7890");
        CHECK(here.call("POST", "/license/check", json::Value::object()).status == 502);
        CHECK(here.base().route_list().find("/license") != std::string::npos);

        here.open(nullptr);
        CHECK(here.base().plugin_state() == "none");
        CHECK(here.call("GET", "/license").status == 404);
        CHECK(here.base().route_list().find("/license") == std::string::npos);
        CHECK(here.call("GET", "/modules").status == 200);
    });
}

TEST_CASE("a listener of svc_register_payment_gateways registers a gateway as a server starts") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Installation here(database);
        late_heard = 0;
        for (int start = 1; start <= 2; ++start) {
            here.open(&late_entry);  // `svc migrate` has run before it
            CHECK(late_heard == start);
            const auto known = here.call("GET", "/payment/gateways/definitions").body["data"]["gateways"];
            CHECK(known.find("late"));
            CHECK(known.find("pay_later"));
        }
    });
}

TEST_CASE("a base that rejects Pro keeps serving and logs the reason") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Installation here(database);
        here.open(&from_the_future);
        CHECK(here.base().plugin_state() == "refused: abi_minor: expected " + std::to_string(SVC_ABI_MINOR) + ", got " +
                                                std::to_string(SVC_ABI_MINOR + 1));
        CHECK(here.call("GET", "/license").status == 404);
        CHECK(here.call("GET", "/trips/public").status == 200);
    });
}

TEST_CASE("the doctor reports a schema of Pro that is behind, changed or ahead, and changes nothing") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Installation here(database);
        here.open(nullptr);
        const std::string missing = "is missing. Run `svc migrate`.";
        CHECK(here.doctor_of_pro().ends_with("the step svc-pro/0002_license.sql " + missing));
        CHECK(here.doctor_of_pro().starts_with("bad: "));  // not mended by the look
        here.open(&svc_plugin_entry);
        CHECK(here.doctor_of_pro() == "good: of this release");  // a module that is off needs nothing
        here.given_license();
        REQUIRE(here.toggle(true).status == 200);
        CHECK(here.doctor_of_pro() == "good: of this release");

        here.run("UPDATE svc_migrations SET name = 'x' || name WHERE name = '0001_additional_services.sql'");
        CHECK(here.doctor_of_pro().ends_with("the step svc-pro/0001_additional_services.sql " + missing));
        here.run(
            "UPDATE svc_migrations SET name = '0001_additional_services.sql', checksum = 'x'"
            " WHERE name = 'x0001_additional_services.sql'");
        CHECK(here.doctor_of_pro().find("svc-pro/0001_additional_services.sql was applied with another text") !=
              std::string::npos);
        here.run("DELETE FROM svc_migrations WHERE name = '0001_additional_services.sql'");
        REQUIRE(here.toggle(false).status == 200);
        here.run(
            "INSERT INTO svc_migrations (edition, name, checksum, applied_at)"
            " VALUES ('svc-pro', '9998_later.sql', 'x', 0)");
        CHECK(here.doctor_of_pro().starts_with("warning: a newer release has been here: 9998_later.sql"));
        here.run(
            "INSERT INTO svc_migrations (edition, name, checksum, applied_at)"
            " VALUES ('svc-pro', '9999_later_contract.sql', 'x', 0)");
        CHECK(here.doctor_of_pro().find("does not know the step svc-pro/9999_later_contract.sql") != std::string::npos);
    });
}

TEST_CASE("browsers are held to https where the site's address is https, by every kind of answer, and nowhere else") {
    // Each installation has a key of its own, which its database knows: each address gets databases of its own.
    const auto check = [](Database& database, const char* url, const std::string& expected) {
        CAPTURE(database.name());
        CAPTURE(url);
        Installation here(database);
        here.set_address(url);
        here.open(nullptr);
        const std::vector<HttpHeader> none;
        const auto held = [](const HttpAnswer& answer) {
            for (const auto& [name, value] : answer.headers)
                if (name == "Strict-Transport-Security")
                    return value;
            return std::string();
        };
        for (const char* target : {"/svc/v1/", "/svc/v1/nowhere", "/", "/trip", "/nowhere", "/admin"}) {
            CAPTURE(target);
            const HttpRequest request{
                .method = "GET", .target = target, .headers = none, .body = "", .peer = "203.0.113.9"};
            CHECK(held(here.base().answer(request)) == expected);
            if (const auto at_once = here.base().answer_at_once(request))
                CHECK(held(*at_once) == expected);
        }
        CHECK(held(here.base().failure(413, none)) == expected);
    };
    each_database([&](Database& database) { check(database, "https://tours.example", "max-age=31536000"); });
    each_database([&](Database& database) { check(database, "http://tours.example", ""); });
}
