// Pro on bases that lack an ability: it falls back, or is refused, exactly as CAPABILITIES.md says.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"
#include "tests/support/license_key.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

std::string file(const std::string& path) {
    std::ifstream stream(SVC_SOURCE_DIR "/" + path);
    REQUIRE(stream.good());
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// id -> what Pro does without it.
std::map<std::string, std::string> capabilities() {
    std::map<std::string, std::string> rows;
    std::istringstream lines(file("shared/plugin/CAPABILITIES.md"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `svc."))
            continue;
        const auto end = line.find('`', 3);
        const auto last = line.rfind(" |");
        const auto begin = line.rfind(" | ", last - 1) + 3;
        rows[line.substr(3, end - 3)] = line.substr(begin, last - begin);
    }
    return rows;
}

// Pro's own table with an attach that shows it a base without one service.
std::string withheld;

const void* all_but_withheld(void* self, const char* id) {
    const auto* real = static_cast<const svc_host*>(self);
    return withheld == id ? nullptr : real->service(real->self, id);
}

const svc_plugin* pro_on_older_base() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = [](const svc_host* host, void** self, svc_answer* why_not) {
        static svc_host older;
        older = *host;
        older.self = const_cast<svc_host*>(host);
        older.service = &all_but_withheld;
        return svc_plugin_entry()->attach(&older, self, why_not);
    };
    return &table;
}

constexpr const char* key = "ABCD-EFGH-1234-5678";

struct OlderBase : Stand {
    explicit OlderBase(std::string without) {
        withheld = std::move(without);
        settings.values["license_store_url"] = "https://license.example/";
        fetch = [](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
            const std::string body = json::Value::object({{"result", "ok"},
                                                          {"nonce", json::parse(request.body)->text_or("nonce")},
                                                          {"license", json::Value::object({{"status", "active"}})}})
                                         .dump();
            return plugins::FetchReply{
                .status = 200, .headers = {{"X-Svc-Signature", license_signature(body)}}, .body = body};
        };
        confirms = [](std::int64_t, bool) -> Result<bool> { return false; };
        pages = {.check = [](const pages::OfferedPage&) -> Result<void> { return {}; },
                 .add = [this](const pages::OfferedPage& page) { offered.insert(page.path); },
                 .add_asset = [](const pages::OfferedAsset&) {},
                 .declare = [this](const std::string& of, const pages::Origins&) { declared.insert(of); },
                 .check_tag = [](const pages::OfferedTag&) -> Result<void> { return {}; },
                 .add_tag = [this](const pages::OfferedTag& tag) { tags.insert(tag.id); }};
        calls = [](const plugins::CallRequest&) -> Result<plugins::CallReply> { return plugins::CallReply{}; };
        mails = {
            .check = [](const mails::OfferedTemplate&) -> Result<void> { return {}; },
            .add = [this](const std::string&, const mails::OfferedTemplate& each) { templates.insert(each.key); },
            .queue = [](store::Transaction&, const std::string&, const mails::QueuedMail&) -> Result<void> {
                return {};
            },
            .log = [](const std::string&, const mails::LogQuery&) -> std::vector<mails::LoggedMail> { return {}; }};
        bookings.hold = [](const auto&, const auto&, const auto&) -> Result<json::Value> { return errc::not_found; };
        changes.follow = [this](const std::string& channel, const auto&) { followed.insert(channel); };
        take_limit = [](auto, auto, auto, bool) { return limits::Verdict{}; };
        add_old_rows = [](const auto&, const auto&) {};
        print = [](const auto&) -> Result<pdf::Rendered> { return errc::unavailable; };
        charges = {.kept = [](std::int64_t) -> Result<json::Value> { return errc::not_found; },
                   .charge = [](const plugins::ChargeRequest&) -> Result<json::Value> { return errc::not_found; }};
    }
    std::set<std::string> offered;    // pages
    std::set<std::string> templates;  // of e-mails
    std::set<std::string> followed;   // channels of changes
    std::set<std::string> declared;   // gateways whose pages know their origins
    std::set<std::string> tags;       // that count visits
    bool attaches() { return static_cast<bool>(attach(&pro_on_older_base)); }
    Reply activate() { return call("POST", "/license/activate", json::Value::object({{"license_key", key}})); }
    std::string bank_instructions() {
        const auto config = json::Value::object({{"account_name", "A"}, {"account_number", "1"}});
        std::string text;
        for (const Sentence& line :
             gateways.find("bank_transfer")->instructions(config, json::Value::object({{"id", 50}})))
            text += line.english() + "\n";
        return text;
    }
    bool has_job() { return !jobs.added.empty(); }
    bool has_scheduled_payments() {
        return std::any_of(modules.declared.begin(), modules.declared.end(),
                           [](const auto& module) { return module.slug == "scheduled_payments"; });
    }
};

// For abilities that no part of Pro uses yet.
void nothing_is_missing(OlderBase& base) {
    CHECK(base.activate().status == 200);
    CHECK(base.has_scheduled_payments());
}

// Expectations without each ability that Pro can do without; all else holds as on the present base.
const std::map<std::string, std::function<void(OlderBase&)>>& fallbacks() {
    static const std::map<std::string, std::function<void(OlderBase&)>> map{
        {"svc.gateways/1",
         [](OlderBase& base) {
             CHECK(base.gateways.find("bank_transfer"));
             CHECK(base.activate().status == 200);
         }},
        {"svc.gateways/2",
         [](OlderBase& base) {
             CHECK(base.gateways.find("bank_transfer"));
             CHECK(std::all_of(base.gateways.all().begin(), base.gateways.all().end(),
                               [](const auto& gateway) { return gateway->info().is_offline; }));
             CHECK(base.activate().status == 200);
         }},
        {"svc.jobs/1",
         [](OlderBase& base) {
             CHECK_FALSE(base.has_job());
             CHECK_FALSE(base.has_scheduled_payments());
             CHECK(base.activate().status == 200);
         }},
        {"svc.log/1",
         [](OlderBase& base) {
             CHECK(base.log_lines("pro_attached") == 0);
             CHECK(base.activate().status == 200);
         }},
        {"svc.fetch/1",
         [](OlderBase& base) {
             CHECK(base.call("POST", "/license/save", json::Value::object({{"license_key", key}})).status == 200);
             CHECK(base.activate().status == 502);
             CHECK(base.call("POST", "/license/check", json::Value::object()).status == 502);
             CHECK(base.call("POST", "/license/deactivate", json::Value::object()).status == 502);
         }},
        {"svc.booking.charges/1",
         [](OlderBase& base) {
             CHECK_FALSE(base.has_scheduled_payments());
             CHECK(base.call("GET", "/scheduled-payments").code() == "svc_no_route");
             CHECK(base.activate().status == 200);
         }},
        {"svc.pages/1",
         [](OlderBase& base) {
             CHECK(base.declared.empty());
             CHECK(base.offered.empty());
             CHECK(base.tags.empty());
             CHECK(base.has_scheduled_payments());
             CHECK(base.gateways.find("stripe"));
             CHECK(base.activate().status == 200);
         }},
        {"svc.calls/1", nothing_is_missing},
        {"svc.mails/1",
         [](OlderBase& base) {
             CHECK(base.templates.empty());
             CHECK(base.has_scheduled_payments());
             CHECK(base.offered == std::set<std::string>{"payments", "/discover/{slug}", "/saved-trips", "saved"});
         }},
        {"svc.bookings/1", nothing_is_missing},
        {"svc.limits/1", nothing_is_missing},
        {"svc.fetch/2", nothing_is_missing},
        {"svc.housekeeping/1", nothing_is_missing},
        {"svc.documents/1", nothing_is_missing},
        {"svc.changes/1",
         [](OlderBase& base) {
             CHECK(base.followed.empty());
             CHECK(base.call("GET", "/additional-services").code() != "svc_internal_error");
             nothing_is_missing(base);
         }},
        {"svc.booking.confirm_modes/1", [](OlderBase& base) {
             CHECK(base.bank_instructions().find("confirmed once we have received your payment") != std::string::npos);
         }}};
    return map;
}

}  // namespace

TEST_CASE("Pro without an ability behaves as its row describes") {
    const auto rows = capabilities();
    CHECK(rows.size() >= 13);
    for (const auto& [id, without] : rows) {
        CAPTURE(id);
        OlderBase base(id);
        if (without == "Refused.") {
            CHECK_FALSE(base.attaches());
            CHECK(base.registered() == 0);
            CHECK(base.plugins().state().find(id) != std::string::npos);
            CHECK(base.log_lines("plugin_refused") == 1);
        } else {
            REQUIRE(base.attaches());
            REQUIRE(fallbacks().contains(id));
            fallbacks().at(id)(base);
        }
    }
}

TEST_CASE("Pro with every ability uses each") {
    OlderBase base("");
    REQUIRE(base.attaches());
    CHECK(base.gateways.find("bank_transfer"));
    CHECK(base.has_job());
    CHECK(base.has_scheduled_payments());
    CHECK(base.declared == std::set<std::string>{"razorpay", "stripe"});
    CHECK(base.offered == std::set<std::string>{"payments", "/discover/{slug}", "/saved-trips", "saved"});
    std::string templates;
    for (const std::string& each : base.templates)
        templates += each + " ";
    CHECK(templates ==
          "admin_scheduled_payment_failed booking_services_added scheduled_payment_card_expiring"
          " scheduled_payment_failed scheduled_payment_reminder scheduled_payment_succeeded ");
    CHECK(base.followed.size() == 2);  // services and landing pages
    CHECK(base.log_lines("pro_attached") == 1);
    CHECK(base.activate().status == 200);
    CHECK(base.bank_instructions().find("We confirm your booking") != std::string::npos);
}

TEST_CASE("every service of the header has its row and every row its service") {
    std::set<std::string> ids, rows;
    std::string headers;
    for (const auto& entry : std::filesystem::directory_iterator(SVC_SOURCE_DIR "/shared/plugin"))
        if (entry.path().extension() == ".h")
            headers += file("shared/plugin/" + entry.path().filename().string());
    std::istringstream lines(headers);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("#define SVC_") && line.find(" \"svc.") != std::string::npos) {
            const auto begin = line.find('"') + 1;
            ids.insert(line.substr(begin, line.find('"', begin) - begin));
        }
    for (const auto& [id, without] : capabilities())
        rows.insert(id);
    CHECK(ids == rows);
}

TEST_CASE("the present base offers every row") {
    OlderBase base("");
    static std::set<std::string> missing;
    missing.clear();
    static std::map<std::string, std::string> rows;
    rows = capabilities();
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = [](const svc_host* host, void**, svc_answer*) {
        for (const auto& [id, without] : rows)
            if (!host->service(host->self, id.c_str()))
                missing.insert(id);
        return SVC_OK;
    };
    table.detach = [](void*) {};
    REQUIRE(base.attach([]() -> const svc_plugin* { return &table; }));
    CHECK(missing.empty());
}
