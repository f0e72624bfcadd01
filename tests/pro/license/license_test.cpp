// The licence's routes against a licence server that is well, slow, down or lying.
#include "pro/license/license.hpp"

#include <doctest/doctest.h>

#include "pro/license/notice.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/license_key.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

constexpr std::string_view key = "ABCD-EFGH-IJKL-7890", other_key = "ZZZZ-EFGH-IJKL-1111";
constexpr const char* good_answer =
    R"({"result":"ok","license":{"status":"active","expires_at":"2027-05-04T10:00:00Z","customer_name":"Ada Customer",)"
    R"("customer_email":"ada@buyer.example","license_limit":5,"site_count":2,"activations_left":3,"price_id":1,)"
    R"("plan":{"name":"Growth","tier":"growth","is_lifetime":false},"internal_note":"do not tell"}})";

using Headers = std::vector<std::pair<std::string, std::string>>;

// A base with Pro and a licence server whose next answer is `answer`, to the question and signed; empty is an outage.
struct Licensed : Stand {
    std::string answer = good_answer;
    int status = 200;
    std::function<Headers(const std::string& body)> headers_of = [](const std::string& body) {
        return Headers{{"x-svc-signature", license_signature(body)}};
    };
    std::function<std::string(const std::string& nonce)> repeats = [](const std::string& nonce) { return nonce; };
    std::vector<plugins::FetchRequest> asked;

    explicit Licensed(std::unique_ptr<Database> on = Database::sqlite()) : Stand(std::move(on), Schema::real) {
        settings.values["license_store_url"] = "https://license.example/api";
        fetch = [this](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
            asked.push_back(request);
            if (answer.empty())
                return Error(errc::upstream_error).because("connection refused by 10.0.0.7");
            std::string body = answer;
            if (body.starts_with("{"))
                body.insert(1, R"("nonce":")" + repeats(json::parse(request.body)->text_or("nonce")) + R"(",)");
            return plugins::FetchReply{.status = status, .headers = headers_of(body), .body = body};
        };
        REQUIRE(attach(&svc_plugin_entry));
    }
    Reply post(const std::string& action, std::string_view with_key = {}) {
        auto body = json::Value::object();
        if (!with_key.empty())
            body.set("license_key", with_key);
        return call("POST", "/license/" + action, body);
    }
    Reply read() { return call("GET", "/license"); }
    std::size_t updates() {
        return static_cast<std::size_t>(std::count_if(hooks.fired.begin(), hooks.fired.end(), [](const auto& fired) {
            return fired.name == "svc_pro_license_data_updated";
        }));
    }
    // Every text the database holds of the licence.
    std::string stored() {
        std::string all;
        store->read([&](store::Session& session) {
            session.each(
                "SELECT site_id, license_key, status, customer_name, customer_email, plan_name, server_response"
                " FROM svc_license",
                "ttttttt", {}, [&](const store::Row& row) {
                    for (std::size_t i = 0; i < row.size(); ++i)
                        all += row.maybe_text(i).value_or("") + "\n";
                });
        });
        return all;
    }
};

void each_kind(const std::function<void(Licensed&)>& body) {
    each_database([&](Database& kind) {
        CAPTURE(kind.name());
        Licensed licensed(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        body(licensed);
    });
}

}  // namespace

TEST_CASE("without a key the licence is inactive and empty") {
    Licensed base;
    const auto reply = base.read();
    CHECK(reply.status == 200);
    CHECK(reply.data()["is_pro"].boolean());
    CHECK(reply.data()["upgrade_url"].text().empty());
    const auto& info = reply.data()["license_info"];
    CHECK(info["key"].text().empty());
    CHECK(info["status"].text() == "inactive");
    CHECK(info["expires"].is_null());
    for (const auto* action : {"check", "deactivate"})
        CHECK(base.post(action).code() == "invalid_license");
    CHECK(base.asked.empty());
}

TEST_CASE("activating shows the terms and the last four characters, and nothing else of key or answer") {
    each_kind([](Licensed& base) {
        const auto reply = base.post("activate", key);
        REQUIRE(reply.status == 200);
        for (const auto& info : {reply.data(), base.read().data()["license_info"]}) {
            CHECK(info["key"].text() == "****7890");
            CHECK(info["status"].text() == "active");
            CHECK(info["expires"].text() == "2027-05-04T10:00:00Z");
            CHECK(info["last_checked"].text() == "2026-05-04T10:00:00Z");
            CHECK(info["license_limit"].integer() == 5);
            CHECK(info["site_count"].integer() == 2);
            CHECK(info["activations_left"].integer() == 3);
            CHECK(info["plan"]["tier"].text() == "growth");
            CHECK(info.size() == 8);
        }
        CHECK(base.updates() == 1);
        REQUIRE(base.asked.size() == 1);
        const auto sent = json::parse(base.asked.front().body).value();
        CHECK(sent["license_key"].text() == key);
        CHECK(sent["action"].text() == "activate");
        CHECK(sent["item_id"].text() == "svc-pro");
        CHECK(sent["site_id"].text().size() == 32);
    });
}

TEST_CASE("key and answer are sealed at rest, and the key is in no output") {
    each_kind([](Licensed& base) {
        std::string shown;
        for (const auto* action : {"save", "activate", "check", "deactivate"})
            shown += base.post(action, key).text;
        shown += base.read().text;
        for (const auto& fired : base.hooks.fired)
            shown += json::Value(fired.arguments).dump();
        for (const auto& text : {shown, base.log, base.stored()}) {
            CHECK_FALSE(text.empty());
            CHECK(text.find(key) == std::string::npos);
            CHECK(text.find("EFGH") == std::string::npos);
            CHECK(text.find("do not tell") == std::string::npos);
        }
        CHECK(shown.find("ada@buyer.example") == std::string::npos);
    });
}

TEST_CASE("a key sealed in another row or by another key file does not open") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    REQUIRE(base.store->write([](store::Transaction& tx) -> Result<void> {
        tx.run("UPDATE svc_license SET license_key = server_response", {});
        return {};
    }));
    CHECK(base.read().data()["license_info"]["key"].text().empty());
    CHECK(base.post("check").code() == "invalid_license");
    CHECK(base.asked.size() == 1);
}

TEST_CASE("saving stores the key without asking, and another key forgets the old one's terms") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    const auto same = base.post("save", key);
    CHECK(same.data()["status"].text() == "active");
    const auto saved = base.post("save", other_key);
    CHECK(saved.status == 200);
    CHECK(saved.data()["key"].text() == "****1111");
    CHECK(saved.data()["status"].text() == "inactive");
    CHECK(saved.data()["plan"]["tier"].is_null());
    CHECK(base.asked.size() == 1);
    CHECK(base.updates() == 3);
}

TEST_CASE("a key that cannot be one is refused before anybody is asked") {
    Licensed base;
    for (const auto* bad : {"short", "****7890-and-more", "with blank 12345", "Schlüssel-12345"}) {
        CAPTURE(bad);
        for (const auto* action : {"activate", "save"}) {
            const auto reply = base.post(action, bad);
            CHECK(reply.status == 400);
            CHECK(reply.body["data"]["field"].text() == "license_key");
        }
    }
    CHECK(base.post("activate").code() == "svc_validation_error");
    CHECK(base.asked.empty());
    CHECK(base.updates() == 0);
}

TEST_CASE("what the server refuses has its code, and what was stored stays") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    base.answer = R"({"result":"invalid_license"})";
    const auto unknown = base.post("activate", other_key);
    CHECK(unknown.status == 400);
    CHECK(unknown.code() == "invalid_license");
    base.answer = R"({"result":"activation_limit"})";
    const auto full = base.post("activate", other_key);
    CHECK(full.status == 409);
    CHECK(full.code() == "activation_limit");
    CHECK(base.read().data()["license_info"]["key"].text() == "****7890");
    CHECK(base.updates() == 1);
}

TEST_CASE("a key the server has revoked is shown as invalid after a check") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    base.answer = R"({"result":"invalid_license"})";
    CHECK(base.post("check").data()["status"].text() == "invalid");
    CHECK(base.read().data()["license_info"]["status"].text() == "invalid");
}

TEST_CASE("an outage and a lying server are 502, reveal nothing and change nothing") {
    struct Bad {
        const char* what;
        const char* answer;
        int status;
    };
    const std::vector<Bad> bads{
        {"down", "", 200},
        {"an error page", "<html>error</html>", 200},
        {"another status", good_answer, 500},
        {"a redirect", good_answer, 302},
        {"a list", "[]", 200},
        {"no result", R"({"license":{"status":"active"}})", 200},
        {"an unknown result", R"({"result":"fine","license":{"status":"active"}})", 200},
        {"no terms", R"({"result":"ok"})", 200},
        {"an unknown status", R"({"result":"ok","license":{"status":"platinum"}})", 200},
        {"a date that is none", R"({"result":"ok","license":{"status":"active","expires_at":"next year"}})", 200},
        {"a negative count", R"({"result":"ok","license":{"status":"active","activations_left":-1}})", 200},
        {"an unknown plan", R"({"result":"ok","license":{"status":"active","plan":{"name":"x","tier":"royal"}}})", 200},
        {"a nested text", R"({"result":"ok","license":{"status":"active","customer_name":{"a":1}}})", 200}};
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    const auto before = base.read().text;
    for (const auto& bad : bads) {
        CAPTURE(bad.what);
        base.answer = bad.answer;
        base.status = bad.status;
        for (const auto* action : {"check", "deactivate"}) {
            const auto reply = base.post(action);
            CHECK(reply.status == 502);
            CHECK(reply.code() == "svc_upstream_error");
            CHECK(reply.text.find("10.0.0.7") == std::string::npos);
        }
        CHECK(base.post("activate", other_key).status == 502);
    }
    CHECK(base.read().text == before);
    CHECK(base.updates() == 1);
}

TEST_CASE("an answer that the licence server did not sign, or gave to another question, is not believed") {
    Licensed base;
    const auto refused = [&] {
        const auto reply = base.post("activate", key);
        CHECK(reply.code() == "svc_upstream_error");
        CHECK(base.read().data()["license_info"]["status"].text() == "inactive");
    };
    const std::string good = license_signature("x");
    for (const Headers& headers :
         {Headers{}, Headers{{"X-Svc-Signature", ""}}, Headers{{"X-Svc-Signature", good}},
          Headers{{"X-Svc-Signature", good.substr(0, 40)}}, Headers{{"X-Svc-Signature", std::string(88, '=')}}}) {
        base.headers_of = [&](const std::string&) { return headers; };
        refused();
    }
    base.headers_of = [](const std::string& body) {
        return Headers{{"x-svc-signature", license_signature(body)}, {"X-Svc-Signature", license_signature(body)}};
    };
    refused();
    base.headers_of = [](const std::string& body) {  // over all but the blank at its end
        return Headers{{"x-svc-signature", license_signature(body.substr(0, body.size() - 1))}};
    };
    base.answer = std::string(good_answer) + " ";
    refused();

    base.headers_of = [](const std::string& body) { return Headers{{"X-SVC-Signature", license_signature(body)}}; };
    base.answer = good_answer;
    base.repeats = [](const std::string& nonce) { return nonce.substr(1) + "0"; };
    refused();
    std::string first;
    base.repeats = [&](const std::string& nonce) { return first = first.empty() ? nonce : first; };
    CHECK(base.post("activate", key).status == 200);
    CHECK(base.post("check").code() == "svc_upstream_error");  // the first answer again
}

TEST_CASE("an active licence outlives its end by seven days while the server cannot be asked") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    const auto status_at = [&](const char* instant) {
        base.clock.at = Instant::parse(instant).value();
        return base.read().data()["license_info"]["status"].text();
    };
    CHECK(status_at("2027-05-04T10:00:00Z") == "active");
    CHECK(status_at("2027-05-11T10:00:00Z") == "active");
    CHECK(status_at("2027-05-11T10:00:01Z") == "expired");
}

TEST_CASE("a server that calls an ended licence active is not believed") {
    Licensed base;
    base.answer = R"({"result":"ok","license":{"status":"active","expires_at":"2026-05-04T09:59:59Z"}})";
    CHECK(base.post("activate", key).data()["status"].text() == "expired");
}

TEST_CASE("the server is called over https alone, at the filter's address") {
    Licensed base;
    base.settings.values["license_store_url"] = "http://license.example/";
    CHECK(base.post("activate", key).status == 502);
    base.settings.values["license_store_url"] = "";
    CHECK(base.post("activate", key).status == 502);
    CHECK(base.asked.empty());
    REQUIRE(base.hooks.filter(
        "svc_pro_license_store_url", {.name = "test", .module = {}},
        [](store::Transaction*, const json::Array&) -> json::Value { return "https://elsewhere.example/"; }));
    CHECK(base.post("activate", key).status == 200);
    CHECK(base.asked.front().url == "https://elsewhere.example/");
}

TEST_CASE("a stored key goes to the server that it was given for, and to no other one") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    REQUIRE(base.post("check").status == 200);
    const auto asked = base.asked.size();
    base.settings.values["license_store_url"] = "https://thief.example/api";
    for (const char* action : {"check", "deactivate"}) {
        CAPTURE(action);
        const auto refused = base.post(action);
        CHECK(refused.status == 400);
        CHECK(refused.data()["field"].text() == "license_key");
    }
    CHECK(base.asked.size() == asked);
    // Another path of the same host is the same server; a key that is typed again goes where it is told to.
    base.settings.values["license_store_url"] = "https://license.example/v2/api";
    CHECK(base.post("check").status == 200);
    base.settings.values["license_store_url"] = "https://new.example/api";
    CHECK(base.post("activate", key).status == 200);
    CHECK(base.post("check").status == 200);
    CHECK(base.asked.back().url == "https://new.example/api");
}

TEST_CASE("deactivating gives the activation back and keeps the key") {
    Licensed base;
    REQUIRE(base.post("activate", key).status == 200);
    base.answer = R"({"result":"ok","license":{"status":"inactive","activations_left":4}})";
    const auto reply = base.post("deactivate");
    CHECK(reply.data()["status"].text() == "inactive");
    CHECK(reply.data()["key"].text() == "****7890");
    CHECK(reply.data()["activations_left"].integer() == 4);
}

TEST_CASE("the daily job checks a stored key and leaves an empty licence alone") {
    Licensed base;
    CHECK(base.jobs.run_now("license_check")->find("checked")->integer() == 0);
    REQUIRE(base.post("activate", key).status == 200);
    CHECK(base.jobs.run_now("license_check")->find("checked")->integer() == 1);
    base.answer = "";
    CHECK(base.jobs.run_now("license_check").error().code().status == 502);
    CHECK(base.read().data()["license_info"]["status"].text() == "active");
}

TEST_CASE("what waits for the licence server has the threads that wait for others, and nothing else has them") {
    Licensed base;
    for (const auto& [path, waits] : {std::pair{"/license/activate", true},
                                      {"/license/deactivate", true},
                                      {"/license/check", true},
                                      {"/license/save", false}}) {
        CAPTURE(path);
        const auto match = base.routes.match("POST", path, [](std::string_view) { return true; });
        REQUIRE(match.route != nullptr);
        CHECK((match.route->lane == api::Lane::provider) == waits);
    }
}

TEST_CASE("the licence is the administrator's alone") {
    Licensed base;
    base.caller.capabilities = {"svc_edit_trips", "svc_view_trips"};
    CHECK(base.read().status == 403);
    for (const auto* action : {"save", "activate", "check", "deactivate"})
        CHECK(base.post(action, key).status == 403);
    base.caller = {};
    CHECK(base.read().status == 401);
    CHECK(base.asked.empty());
}

TEST_CASE("a write of the licence keeps its answer for a repeat") {
    Licensed base;
    base.keeps_replies = true;
    CHECK(base.post("save", key).status == 200);
    REQUIRE(base.kept.size() == 1);
    CHECK(base.kept.front().find("****7890") != std::string::npos);
}

TEST_CASE("a state that needs somebody is one notice, and another is none") {
    namespace state = pro::license::state;
    const Instant now = Instant::parse("2027-05-04T10:00:00Z").value(), since = now.minus(std::chrono::hours(48));
    const auto told = [&](std::string_view code) {
        const pro::license::State of{.code = std::string(code), .since = since, .until = now};
        return pro::license::with_notice(of, json::Value::array(), now);
    };
    for (const auto code : {state::none, state::evaluation, state::evaluation_over, state::stored, state::active})
        CHECK(told(code).size() == 0);
    for (const auto& [code, type] : {std::pair{state::ending, "warning"},
                                     {state::grace, "warning"},
                                     {state::unreached, "warning"},
                                     {state::plan_lowered, "warning"},
                                     {state::expired, "error"},
                                     {state::deactivated, "error"},
                                     {state::disabled, "error"},
                                     {state::invalid, "error"}}) {
        CAPTURE(code);
        const auto notices = told(code);
        REQUIRE(notices.size() == 1);
        const json::Value& notice = notices[std::size_t{0}];
        CHECK(notice["type"].text() == type);
        CHECK(notice["since"].text() == since.text());
        CHECK_FALSE(notice["message"].text().empty());
    }
    CHECK(told(state::ending)[std::size_t{0}]["message"].text().find("2027-05-04") != std::string::npos);
}

TEST_CASE("a licence that ends within thirty days says so; one for life, or with a later end, is active") {
    const Instant now = Instant::parse("2027-05-04T10:00:00Z").value();
    const auto code_of = [&](std::chrono::hours left, bool is_lifetime = false) {
        pro::license::License license;
        license.key = "ABCD";
        license.terms = {.status = "active", .expires_at = now.plus(left), .is_lifetime = is_lifetime};
        return pro::license::state_of(license, {}, {}, now).code;
    };
    using std::chrono::hours;
    CHECK(code_of(hours(24 * 31)) == "active");
    CHECK(code_of(hours(24 * 30)) == "ending");
    CHECK(code_of(hours(1)) == "ending");
    CHECK(code_of(hours(24 * 29), true) == "active");
    CHECK(code_of(hours(-1)) == "grace");
    CHECK(code_of(hours(-24 * 7)) == "grace");
    CHECK(code_of(hours(-24 * 7 - 1)) == "expired");
}

TEST_CASE("the state of the licence follows what its server says, and since when it says nothing") {
    each_kind([](Licensed& base) {
        const auto state = [&] { return base.read().data()["state"]; };
        const auto answered = [&](const char* status, const char* tier = "agency") {
            base.answer = std::string(R"({"result":"ok","license":{"status":")") + status +
                          R"(","expires_at":"2027-05-04T10:00:00Z","plan":{"name":"X","tier":")" + tier + R"("}}})";
        };
        const auto at = [&](const char* instant) { base.clock.at = Instant::parse(instant).value(); };
        CHECK(state()["code"].text() == "none");
        REQUIRE(base.post("save", key).status == 200);
        CHECK(state()["code"].text() == "stored");
        answered("active");
        REQUIRE(base.post("activate", key).status == 200);
        CHECK(state()["code"].text() == "active");
        CHECK(state()["until"].text() == "2027-05-04T10:00:00Z");

        // Days without an answer: told from the third on, and over with the next answer. What works goes on.
        base.answer.clear();
        at("2026-06-01T08:00:00Z");
        CHECK(base.post("check").code() == "svc_upstream_error");
        CHECK(state()["code"].text() == "active");
        at("2026-06-03T08:00:00Z");
        CHECK(base.post("check").code() == "svc_upstream_error");
        CHECK(state()["code"].text() == "active");
        at("2026-06-04T08:00:00Z");
        CHECK(state()["code"].text() == "unreached");
        CHECK(state()["since"].text() == "2026-06-01T08:00:00Z");
        CHECK(base.read().data()["license_info"]["status"].text() == "active");
        answered("active");
        REQUIRE(base.post("check").status == 200);
        CHECK(state()["code"].text() == "active");

        // A lower plan: what is on and beyond it keeps working, by name.
        base.modules.on.insert("webhooks");
        CHECK(state()["code"].text() == "active");
        answered("active", "growth");
        REQUIRE(base.post("check").status == 200);
        CHECK(state()["code"].text() == "plan_lowered");
        CHECK(state()["modules"] == json::Value::array({"webhooks"}));
        CHECK(base.modules.enabled("webhooks"));
        base.modules.on.erase("webhooks");
        CHECK(state()["code"].text() == "active");

        // Deactivated elsewhere, and here.
        answered("inactive");
        REQUIRE(base.post("check").status == 200);
        CHECK(state()["code"].text() == "deactivated");
        CHECK(state()["since"].text() == "2026-06-04T08:00:00Z");
        at("2026-06-05T08:00:00Z");
        REQUIRE(base.post("check").status == 200);
        CHECK(state()["since"].text() == "2026-06-04T08:00:00Z");
        answered("active");
        REQUIRE(base.post("activate", key).status == 200);
        CHECK(state()["code"].text() == "active");
        answered("inactive");
        REQUIRE(base.post("deactivate").status == 200);
        CHECK(state()["code"].text() == "stored");

        const auto lost = [&] { return base.number("SELECT COUNT(*) FROM svc_license WHERE lost_at IS NOT NULL"); };
        for (const char* status : {"disabled", "invalid"}) {
            answered(status);
            REQUIRE(base.post("check").status == 200);
            CHECK(state()["code"].text() == status);
            CHECK(lost() == 0);  // it was given back before
            answered("active");
            REQUIRE(base.post("activate", key).status == 200);
            answered(status);
            REQUIRE(base.post("check").status == 200);
            CHECK(lost() == 1);
            answered("inactive");
            REQUIRE(base.post("deactivate").status == 200);
        }
        answered("active");
        REQUIRE(base.post("activate", key).status == 200);
        at("2027-05-05T08:00:00Z");
        CHECK(state()["code"].text() == "grace");
        CHECK(state()["until"].text() == "2027-05-11T10:00:00Z");
        answered("expired");
        REQUIRE(base.post("check").status == 200);
        CHECK(state()["code"].text() == "expired");
        CHECK(state()["since"].text() == "2027-05-04T10:00:00Z");
    });
}

TEST_CASE("a key that is saved while the licence server is asked about another one stays") {
    each_kind([](Licensed& base) {
        REQUIRE(base.post("activate", key).status == 200);
        bool is_saved = true;
        base.headers_of = [&, as_usual = base.headers_of](const std::string& body) {
            if (!std::exchange(is_saved, true))
                REQUIRE(base.post("save", other_key).status == 200);
            return as_usual(body);
        };
        for (const char* action : {"check", "deactivate", "activate"}) {
            CAPTURE(action);
            REQUIRE(base.post("save", key).status == 200);
            is_saved = false;
            const auto done = base.post(action, std::string_view(action) == "activate" ? key : std::string_view());
            CHECK(done.status == (std::string_view(action) == "check" ? 200 : 409));
            CHECK(base.read().data()["license_info"]["key"].text().ends_with("1111"));
            CHECK(base.read().data()["license_info"]["status"].text() == "inactive");
        }
        // Nor does the silence of the server about the earlier one count for the new one.
        REQUIRE(base.post("save", key).status == 200);
        base.answer = "<html>Bad gateway</html>";
        base.status = 502;
        is_saved = false;
        CHECK(base.post("check").status == 502);
        CHECK(base.number("SELECT COUNT(*) FROM svc_license WHERE unreached_since IS NOT NULL") == 0);
    });
}

TEST_CASE("an activation that ends while its key is saved stays") {
    Licensed base;
    bool is_activated = true;
    REQUIRE(base.hooks.filter("svc_pro_license_store_url", {.name = "test", .module = {}},
                              [&](store::Transaction*, const json::Array& given) -> json::Value {
                                  if (!std::exchange(is_activated, true))
                                      REQUIRE(base.post("activate", key).status == 200);
                                  return given.front();
                              }));
    is_activated = false;
    REQUIRE(base.post("save", key).status == 200);
    CHECK(base.read().data()["license_info"]["status"].text() == "active");
}
