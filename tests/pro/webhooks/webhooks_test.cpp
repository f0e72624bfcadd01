// The module webhooks behind the plugin interface: endpoints, signed messages, attempts, order, replay, catching up.
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>

#include <doctest/doctest.h>

#include "pro/app/pro.hpp"
#include "pro/crypto/hmac.hpp"
#include "pro/webhooks/catalogue.hpp"
#include "pro/webhooks/dispatcher.hpp"
#include "pro/webhooks/payload.hpp"
#include "pro/webhooks/signature.hpp"
#include "pro/webhooks/target.hpp"
#include "tests/plugin/stand.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
namespace webhooks = pro::webhooks;
using json::Value;

namespace {

const Clock* set_clock = nullptr;  // of the present test

void attach_by_set_clock(plugin::Host& host) { pro::attach(host, *set_clock); }

const svc_plugin* pro_by_set_clock() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = &plugin::attach_entry<&attach_by_set_clock>;
    return &table;
}

using Headers = std::map<std::string, std::string>;

// A request as the receiver got it.
struct Received {
    std::string method, url, body;
    Headers headers;
    std::string certificate;  // chain and key
    [[nodiscard]] Value message() const { return json::parse(body).value(); }
};

struct Hooked : Stand {
    std::vector<Received> received;
    std::function<Result<plugins::FetchReply>(const Received&)> answer = [](const Received&) {
        return plugins::FetchReply{.status = 204, .headers = {}, .body = {}};
    };
    std::vector<mails::QueuedMail> queued;
    std::mutex mutex;  // several threads send

    explicit Hooked(std::unique_ptr<Database> on = Database::sqlite(), bool enabled = true)
        : Stand(std::move(on), Schema::real) {
        hooks.declare(hooks::Action{"svc_automation_event", "For the test.", {"key", "subject_id", "payload"}});
        hooks.declare(hooks::Filter{"svc_person_erasure",
                                    "For the test.",
                                    json::Kind::number,
                                    {"email", "user_id", "customer_id", "booking_ids"}});
        fetch = [this](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
            Received got{.method = request.method,
                         .url = request.url,
                         .body = request.body,
                         .headers = {},
                         .certificate = request.certificate_chain + request.certificate_key};
            for (const auto& [name, value] : request.headers)
                got.headers[name] = value;
            if (request.method != "HEAD") {
                const std::lock_guard lock(mutex);
                received.push_back(got);
            }
            return answer(got);
        };
        mails = {
            .check = [](const mails::OfferedTemplate&) -> Result<void> { return {}; },
            .add = [](const std::string&, const mails::OfferedTemplate&) {},
            .queue = [this](store::Transaction&, const std::string&, const mails::QueuedMail& mail) -> Result<void> {
                queued.push_back(mail);
                return {};
            },
            .log = [](const std::string&, const mails::LogQuery&) -> std::vector<mails::LoggedMail> { return {}; }};
        take_limit = [](auto, auto, auto, bool) { return limits::Verdict{}; };
        set_clock = &clock;
        const auto attached = attach(&pro_by_set_clock);
        CAPTURE((attached ? std::string() : attached.error().message().english() + attached.error().cause()));
        REQUIRE(attached);
        if (enabled)
            REQUIRE(modules.toggle("webhooks", true, 7));
    }
    static Value given(const char* event = "*") {
        return Value::object({{"name", "Accounting"}, {"url", "https://example.org/hook"}, {"event", event}});
    }
    Reply create(const Value& body) { return call("POST", "/webhooks/endpoints", body); }
    std::int64_t endpoint(const Value& body = given()) {
        const auto made = create(body);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        secret = made.data()["secret"].text();
        return made.data()["id"].integer();
    }
    Value read(std::int64_t id) { return call("GET", "/webhooks/endpoints/" + std::to_string(id)).data(); }
    // As the base reports an event.
    void happens(const char* key, std::int64_t booking = 50, const char* reference = "SVC-1",
                 const char* at = "2026-05-04T09:59:58Z") {
        reports(key, booking,
                Value::object({{"key", key},
                               {"occurred_at", at},
                               {"booking", Value::object({{"id", booking},
                                                          {"reference", reference},
                                                          {"status", "pending"},
                                                          {"booking_token", "s3cret"},
                                                          {"total", json::Number{"100.00"}}})}}));
    }
    void reports(const char* key, std::int64_t subject, const Value& payload) {
        for (const auto& [action, listener] : hooks.listeners)
            if (action == "svc_automation_event" && modules.enabled("webhooks"))
                listener.second({key, subject, payload});
    }
    void run() {
        for (const auto& job : jobs.added)
            if (job.name == "webhook_deliveries")
                REQUIRE(job.run(clock.now()));
    }
    void pass(std::chrono::seconds time) { clock.at = clock.at.plus(time); }
    Value deliveries(const std::string& query = "") {
        const auto listed = call("GET", "/webhooks/deliveries?orderby=id&order=asc" + query);
        REQUIRE(listed.status == 200);
        return listed.data();
    }
    Value delivery(std::int64_t id) { return call("GET", "/webhooks/deliveries/" + std::to_string(id)).data(); }
    std::vector<std::string> references() {
        std::vector<std::string> all;
        for (const Received& each : received)
            all.push_back(each.message()["data"]["booking"]["reference"].text());
        return all;
    }
    static std::function<Result<plugins::FetchReply>(const Received&)> answers(
        int status, std::vector<std::pair<std::string, std::string>> headers = {}) {
        return [=](const Received&) { return plugins::FetchReply{.status = status, .headers = headers, .body = "no"}; };
    }
    // By another implementation than the one that signs.
    static bool is_signed_by(const Received& got, const std::string& secret) {
        const auto key = pro::crypto::from_base64(secret.substr(6)).value();
        const std::string text =
            got.headers.at("webhook-id") + "." + got.headers.at("webhook-timestamp") + "." + got.body;
        std::string hex = pro::crypto::hmac_sha256_hex(key, text), bytes;
        for (std::size_t i = 0; i < hex.size(); i += 2)
            bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        return (" " + got.headers.at("webhook-signature") + " ").find(" v1," + pro::crypto::base64(bytes) + " ") !=
               std::string::npos;
    }
    std::string secret;
};

void each_kind(const std::function<void(Hooked&)>& body) {
    each_database([&](Database& kind) {
        CAPTURE(kind.name());
        Hooked base(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        body(base);
    });
}

}  // namespace

TEST_CASE("webhooks: routes and storage exist while the module is on, and its data is kept when it is off") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Hooked base(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql(), false);
        CHECK(base.call("GET", "/webhooks/endpoints").code() == "svc_no_route");
        base.happens("booking.created");
        base.run();  // it has no tables
        REQUIRE(base.modules.toggle("webhooks", true, 7));
        const auto id = base.endpoint();
        REQUIRE(base.modules.toggle("webhooks", false, 7));
        CHECK(base.call("GET", "/webhooks/endpoints").status == 404);
        REQUIRE(base.modules.toggle("webhooks", true, 7));
        CHECK(base.read(id)["name"].text() == "Accounting");
    });
}

TEST_CASE("webhooks: the secret is answered once, and stored sealed as headers are") {
    each_kind([](Hooked& base) {
        auto body = Hooked::given();
        body.set("headers", Value::object({{"Authorization", "Bearer 0123456789abcdef"}, {"X-Env", "live"}}));
        const auto made = base.create(body);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const std::string secret = made.data()["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        const auto id = made.data()["id"].integer();
        CHECK(base.read(id).find("secret") == nullptr);
        CHECK(base.read(id)["secret_hint"].text() == "****" + secret.substr(secret.size() - 4));
        CHECK(base.read(id)["headers"].dump() == R"({"Authorization":"****cdef","X-Env":"live"})");
        const auto stored = base.store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT secret, headers, header_hints FROM svc_webhook_endpoints", "ttt", {},
                                    [](const store::Row& row) { return row.text(0) + row.text(1) + row.text(2); })
                .value();
        });
        CHECK(stored.find(secret) == std::string::npos);
        CHECK(stored.find("0123456789abcdef") == std::string::npos);

        // What is sent back as it was shown stays as it is.
        const auto changed = base.call("PUT", "/webhooks/endpoints/" + std::to_string(id),
                                       Value::object({{"headers", base.read(id)["headers"]}, {"name", "Ledger"}}));
        CAPTURE(changed.text);
        CHECK(changed.status == 200);
        base.happens("booking.created");
        base.run();
        REQUIRE(base.received.size() == 1);
        CHECK(base.received[0].headers.at("Authorization") == "Bearer 0123456789abcdef");
        CHECK(base.delivery(1)["request_headers"]["Authorization"].text() == "****cdef");
    });
}

TEST_CASE("webhooks: an endpoint that moves to another host takes no hidden header along") {
    each_kind([](Hooked& base) {
        auto body = Hooked::given();
        body.set("url", "https://old.example/hook");
        body.set("headers", Value::object({{"Authorization", "Bearer 0123456789abcdef"}, {"X-Env", "live"}}));
        const auto id = base.create(body).data()["id"].integer();
        const auto change = [&](const Value& fields) {
            return base.call("PUT", "/webhooks/endpoints/" + std::to_string(id), fields);
        };
        const Value before = base.read(id);
        const Value shown = before["headers"];
        for (const char* url : {"https://new.example/hook", "https://old.example:8443/hook"})
            for (const bool sends_back : {false, true}) {
                Value fields = Value::object({{"url", url}, {"name", "Moved"}});
                if (sends_back)
                    fields.set("headers", shown);
                const auto refused = change(fields);
                CAPTURE(refused.text);
                CHECK(refused.status == 400);
                CHECK(refused.body["data"].text_or("field") == "headers");
                CHECK(base.read(id) == before);
            }
        // On the same host the path may change; elsewhere with a new value, or without the header.
        CHECK(change(Value::object({{"url", "https://old.example/other"}})).status == 200);
        const auto moved = change(Value::object(
            {{"url", "https://new.example/hook"},
             {"headers", Value::object({{"Authorization", "Bearer fedcba9876543210"}, {"X-Env", "live"}})}}));
        CAPTURE(moved.text);
        REQUIRE(moved.status == 200);
        base.happens("booking.created");
        base.run();
        REQUIRE(base.received.size() == 1);
        CHECK(base.received[0].headers.at("Authorization") == "Bearer fedcba9876543210");
        CHECK(
            change(Value::object({{"url", "https://third.example/"}, {"headers", Value::object({{"X-Env", "live"}})}}))
                .status == 200);
        CHECK(change(Value::object({{"url", "https://fourth.example/"}})).status == 200);
    });
}

TEST_CASE("webhooks: addresses, headers and secrets that cannot be used are refused at their field") {
    Hooked base;
    const auto refused = [&](const char* member, Value value) {
        auto body = Hooked::given();
        body.set(member, std::move(value));
        const auto reply = base.create(body);
        CAPTURE(reply.text);
        CHECK(reply.status == 400);
        CHECK(reply.body["data"].text_or("field") == member);
    };
    for (const char* url :
         {"http://example.org/hook", "ftp://example.org", "example.org", "https://", "https://a:b@example.org",
          "https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://[::ffff:127.0.0.1]/"})
        refused("url", url);
    base.answer = [](const Received&) -> Result<plugins::FetchReply> {
        return Error{errc::upstream_error}.because("the address is not public");
    };
    for (const char* url : {"https://127.0.0.1/", "https://10.0.0.8/hook", "http://169.254.169.254/latest",
                            "https://localhost/", "https://[::1]/", "https://printer.local/"})
        refused("url", url);
    base.answer = Hooked::answers(404);  // the operator has allowed it
    auto local = Hooked::given();
    CHECK(base.create(local.set("url", "http://10.0.0.8:8080/hook")).status == 201);
    for (const char* name : {"X-Svc-Event", "webhook-id", "Host", "Content-Length", "Cookie", "a b"})
        refused("headers", Value::object({{name, "x"}}));
    refused("headers", Value::object({{"X-Mine", "é"}}));
    refused("custom_secret", "too short");
    refused("additional_payload_fields", Value::object({{"data", 1}}));
    refused("event", "booking.unknown");
}

TEST_CASE("webhooks: a message has the standard's form and signature, the event's data and no secrets") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.happens("booking.created");
        base.run();
        REQUIRE(base.received.size() == 1);
        const auto& got = base.received[0];
        CHECK(got.method == "POST");
        CHECK(got.url == "https://example.org/hook");
        CHECK(Hooked::is_signed_by(got, base.secret));
        CHECK(got.headers.at("X-Svc-Event") == "booking.created");
        CHECK(got.headers.at("webhook-timestamp") == std::to_string(base.clock.at.seconds()));
        const auto message = got.message();
        CHECK(message["id"].text() == got.headers.at("webhook-id"));
        CHECK(message["type"].text() == "booking.created");
        CHECK(message["timestamp"].text() == "2026-05-04T09:59:58Z");
        CHECK(message["occurred_at"].text() == "2026-05-04T09:59:58Z");
        CHECK(message["data"]["booking"]["reference"].text() == "SVC-1");
        CHECK(got.body.find("s3cret") == std::string::npos);
        const auto fits = webhooks::message_schema(*webhooks::find_event("booking.created")).check(message);
        CHECK(fits);

        const auto log = base.deliveries();
        REQUIRE(log.size() == 1);
        CHECK(log[0]["status"].text() == "delivered");
        CHECK(log[0]["attempts"].integer() == 1);
        CHECK(log[0]["delivery_id"].text() == got.headers.at("X-Svc-Delivery"));
        CHECK(base.delivery(1)["payload"] == message);
        CHECK(base.read(1)["health"]["success_rate"].number_text() == "100");
        CHECK(base.read(1)["last_status"].integer() == 204);
    });
}

TEST_CASE("webhooks: the signature is that of the vectors of Standard Webhooks") {
    const auto key = webhooks::key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value();
    CHECK(webhooks::signature({key}, "msg_p5jXN8AQM9LWM0D4loKWxJek", Instant::from_micros(1614265330LL * 1'000'000),
                              R"({"test": 2432232314})") == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("webhooks: while a secret is replaced both sign, and after a day the new one alone") {
    each_kind([](Hooked& base) {
        const auto id = base.endpoint();
        const std::string old = base.secret;
        const auto replaced = base.call("POST", "/webhooks/endpoints/" + std::to_string(id) + "/regenerate-secret");
        REQUIRE(replaced.status == 200);
        const std::string fresh = replaced.data()["secret"].text();
        CHECK(fresh != old);
        base.happens("booking.created");
        base.run();
        base.pass(std::chrono::hours(25));
        base.happens("booking.confirmed");
        base.run();
        REQUIRE(base.received.size() == 2);
        CHECK(Hooked::is_signed_by(base.received[0], old));
        CHECK(Hooked::is_signed_by(base.received[0], fresh));
        CHECK_FALSE(Hooked::is_signed_by(base.received[1], old));
        CHECK(Hooked::is_signed_by(base.received[1], fresh));
    });
}

TEST_CASE("webhooks: an event that is reported twice is stored and sent once") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.happens("booking.created");
        base.happens("booking.created");
        base.run();
        CHECK(base.received.size() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_webhook_events") == 1);
    });
}

TEST_CASE("webhooks: an endpoint receives the event that it chose, the fields that it chose, and its own members") {
    each_kind([](Hooked& base) {
        auto body = Hooked::given("booking.confirmed");
        body.set("selected_fields", Value::array({"data.booking.reference", "booking.total", "data.nothing"}));
        body.set("additional_payload_fields", Value::object({{"shop", "north"}}));
        base.endpoint(body);
        base.happens("booking.created");
        base.happens("booking.confirmed");
        base.run();
        REQUIRE(base.received.size() == 1);
        const auto message = base.received[0].message();
        CHECK(message["type"].text() == "booking.confirmed");
        CHECK(message["data"].dump() == R"({"booking":{"reference":"SVC-1","total":100.00}})");
        CHECK(message["shop"].text() == "north");
    });
}

TEST_CASE("webhooks: a message is never longer than 20,000 bytes") {
    const auto event = webhooks::envelope(
        "evt_1", "booking.created", Instant(),
        Value::object({{"booking", Value::object({{"id", 50}, {"note", std::string(30'000, 'x')}})}}));
    const auto message = json::parse(webhooks::message_of(event, {}, Value::object())).value();
    CHECK(message["data"].dump() == R"({"truncated":true,"booking":{"id":50}})");
    CHECK(message["type"].text() == "booking.created");
}

TEST_CASE("webhooks: attempts keep their distance and end with the tenth; Retry-After makes it longer") {
    webhooks::Delivery delivery;
    const auto now = Instant::parse("2026-05-04T10:00:00Z").value();
    std::vector<std::int64_t> waited;
    for (int attempt = 1; attempt <= 10; ++attempt) {
        delivery = webhooks::judged(delivery, {.status = 500}, now, 0).delivery;
        CHECK(delivery.attempts == attempt);
        if (delivery.next_attempt_at)
            waited.push_back(delivery.next_attempt_at->seconds() - now.seconds());
    }
    CHECK(waited == std::vector<std::int64_t>{5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400});
    CHECK(delivery.status == "permanent_failure");
    const auto judged = [&](const webhooks::Response& response) { return webhooks::judged({}, response, now, 0); };
    const auto slowed = judged({.status = 429, .headers = {{"retry-after", "3600"}}});
    CHECK(slowed.delivery.next_attempt_at == now.plus(std::chrono::hours(1)));
    CHECK(slowed.endpoint_rests);
    CHECK(slowed.rests_until == now.plus(std::chrono::hours(1)));
    CHECK(judged({.status = 503, .headers = {{"retry-after", "99999999"}}}).delivery.next_attempt_at ==
          now.plus(std::chrono::hours(24)));
    CHECK_FALSE(judged({.status = 500}).endpoint_rests);
    CHECK(judged({.status = 0, .problem = "Timeout was reached"}).endpoint_rests);
    CHECK(judged({.status = 302}).delivery.error_message->find("redirects are not followed") != std::string::npos);
    CHECK(webhooks::judged({}, {.status = 500}, now, 1).delivery.next_attempt_at ==
          now.plus(std::chrono::milliseconds(5500)));
}

TEST_CASE("webhooks: messages of one booking arrive in order, also after failures; those of others do not wait") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.answer = [](const Received& got) {
            return plugins::FetchReply{
                .status = got.body.find("\"first\"") != std::string::npos ? 500 : 200, .headers = {}, .body = {}};
        };
        base.happens("booking.created", 50, "first");
        base.happens("booking.confirmed", 50, "second");
        base.happens("booking.created", 51, "other");
        base.run();
        base.run();
        CHECK(base.received.size() == 2);
        base.answer = Hooked::answers(200);
        base.pass(std::chrono::minutes(1));
        base.run();
        auto of_booking = base.references();
        CHECK(std::erase(of_booking, "other") == 1);
        CHECK(of_booking == std::vector<std::string>{"first", "first", "second"});
        CHECK(base.read(1)["consecutive_failures"].integer() == 0);
    });
}

TEST_CASE("webhooks: an endpoint that does not answer gets one request until it has rested") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.answer = [](const Received&) -> Result<plugins::FetchReply> {
            return Error{errc::upstream_error}.because("Timeout was reached");
        };
        base.happens("booking.created", 52, "a");
        base.run();
        CHECK(base.received.size() == 1);
        CHECK(base.deliveries()[0]["error_message"].text() == "No answer: Timeout was reached.");
        for (int booking = 60; booking < 80; ++booking)
            base.happens("booking.created", booking, "b");
        base.run();
        CHECK(base.received.size() == 1);
        base.pass(std::chrono::seconds(6));
        base.run();
        CHECK(base.received.size() == 2);
        base.answer = Hooked::answers(200);
        base.pass(std::chrono::minutes(10));
        base.run();
        base.run();
        CHECK(base.deliveries("&status=delivered&per_page=100").size() == 21);
    });
}

TEST_CASE("webhooks: 410 pauses the endpoint, staff is told, and its messages wait until it is active again") {
    each_kind([](Hooked& base) {
        const auto id = base.endpoint();
        base.answer = Hooked::answers(410);
        base.happens("booking.created");
        base.run();
        CHECK(base.read(id)["state"].text() == "paused");
        CHECK(base.read(id)["pause_reason"].text() == "gone");
        REQUIRE(base.queued.size() == 1);
        CHECK(base.queued[0].template_key == "admin_webhook_paused");
        base.happens("booking.confirmed");
        base.pass(std::chrono::hours(30));
        base.run();
        CHECK(base.received.size() == 1);
        CHECK(base.call("POST", "/webhooks/endpoints/" + std::to_string(id) + "/ping").code() == "endpoint_inactive");

        base.answer = Hooked::answers(200);
        const auto activated =
            base.call("PUT", "/webhooks/endpoints/" + std::to_string(id), Value::object({{"is_active", true}}));
        CAPTURE(activated.text);
        CHECK(activated.data()["state"].text() == "active");
        base.run();
        base.run();
        CHECK(base.received.size() == 3);
        CHECK(base.deliveries("&status=delivered").size() == 2);
    });
}

TEST_CASE("webhooks: five days of failures pause the endpoint, and nothing is lost") {
    each_kind([](Hooked& base) {
        const auto id = base.endpoint();
        base.answer = Hooked::answers(500);
        for (int hour = 0; hour < 6 * 24 && base.read(id)["state"].text() == "active"; ++hour) {
            base.happens("booking.created", 100 + hour, "x");
            base.run();
            base.pass(std::chrono::hours(1));
        }
        CHECK(base.read(id)["pause_reason"].text() == "failing");
        CHECK(base.queued.size() == 1);
        const auto waiting = base.read(id)["health"]["waiting"].integer() + base.read(id)["health"]["failed"].integer();
        CHECK(waiting == base.number("SELECT COUNT(*) FROM svc_webhook_events"));
    });
}

TEST_CASE("webhooks: an inactive endpoint receives nothing, and catches up by /events") {
    each_kind([](Hooked& base) {
        auto body = Hooked::given();
        base.endpoint(body.set("is_active", false));
        base.happens("booking.created", 50, "a");
        base.happens("booking.confirmed", 50, "b");
        base.happens("booking.created", 51, "c");
        base.run();
        CHECK(base.received.empty());
        const auto first = base.call("GET", "/events?after=0&limit=2").data();
        REQUIRE(first["events"].size() == 2);
        CHECK(first["events"][1]["event"]["data"]["booking"]["reference"].text() == "b");
        CHECK(first["has_more"].boolean());
        const auto rest = base.call("GET", "/events?after=" + std::to_string(first["next_after"].integer())).data();
        REQUIRE(rest["events"].size() == 1);
        CHECK(rest["events"][0]["event"]["data"]["booking"]["reference"].text() == "c");
        CHECK_FALSE(rest["has_more"].boolean());
        CHECK(base.call("GET", "/events?event_key=booking.confirmed").data()["events"].size() == 1);
    });
}

TEST_CASE("webhooks: one, many and all that match a filter are sent again with the same webhook-id") {
    each_kind([](Hooked& base) {
        const auto id = base.endpoint();
        for (int booking = 60; booking < 65; ++booking)
            base.happens("booking.created", booking, "a");
        base.happens("booking.confirmed", 60, "b");
        base.run();
        REQUIRE(base.received.size() == 6);
        const auto again = base.call("POST", "/webhooks/deliveries/1/replay");
        CAPTURE(again.text);
        CHECK(again.data()["status"].text() == "queued");
        base.run();
        REQUIRE(base.received.size() == 7);
        CHECK(base.received[6].headers.at("webhook-id") == base.delivery(1)["event_id"].text());

        const auto bulk = [&](const Value& body) {
            return base.call("POST", "/webhooks/deliveries/bulk-replay", body);
        };
        CHECK(bulk(Value::object({{"ids", Value::array({1, 2, 999})}})).data().dump() ==
              R"({"requeued":2,"skipped":1,"skipped_inactive_endpoint":0,"skipped_missing":1,"capped_total":null})");
        base.run();
        CHECK(base.received.size() == 9);
        const auto filtered = [&](Value filter) { return bulk(Value::object({{"filter", std::move(filter)}})).data(); };
        CHECK(filtered(Value::object({{"event_key", "booking.confirmed"}}))["requeued"].integer() == 1);
        CHECK(filtered(Value::object({{"before", "2026-05-04T10:00:00Z"}}))["requeued"].integer() == 0);
        CHECK(filtered(Value::object({{"after", "2026-05-04T10:00:00Z"}, {"endpoint_id", id}}))["requeued"].integer() ==
              6);
        CHECK(bulk(Value::object()).status == 400);
        CHECK(base.call("POST", "/webhooks/deliveries/999/replay").status == 404);
        base.call("PUT", "/webhooks/endpoints/1", Value::object({{"is_active", false}}));
        CHECK(base.call("POST", "/webhooks/deliveries/1/replay").code() == "endpoint_inactive");
    });
}

TEST_CASE("webhooks: failures for good are counted by endpoint, event and reason") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.answer = Hooked::answers(500);
        base.happens("booking.created");
        for (int attempt = 0; attempt < 10; ++attempt) {
            base.run();
            base.pass(std::chrono::hours(27));
            execute(*base.store, {"UPDATE svc_webhook_endpoints SET failing_since = NULL"});
        }
        const auto dead = base.call("GET", "/webhooks/deliveries/dead-letter").data();
        CHECK(dead["total"].integer() == 1);
        CHECK(dead["by_endpoint"].dump() == R"([{"endpoint_id":1,"name":"Accounting","count":1}])");
        CHECK(dead["by_event"].dump() == R"([{"event_key":"booking.created","count":1}])");
        CHECK(dead["by_error"].dump() == R"([{"fingerprint":"The endpoint answered 500.","count":1}])");
        CHECK(dead["recent"][0]["status"].text() == "permanent_failure");
    });
}

TEST_CASE("webhooks: a ping is sent to the endpoint alone") {
    each_kind([](Hooked& base) {
        base.endpoint(Hooked::given("booking.confirmed"));
        const auto ping = base.call("POST", "/webhooks/endpoints/1/ping");
        REQUIRE(ping.status == 200);
        base.run();
        REQUIRE(base.received.size() == 1);
        CHECK(base.received[0].headers.at("X-Svc-Event") == "webhook.ping");
        CHECK(Hooked::is_signed_by(base.received[0], base.secret));
        CHECK(base.delivery(ping.data()["row_id"].integer())["status"].text() == "delivered");
        CHECK(base.call("POST", "/webhooks/endpoints/99/ping").status == 404);
    });
}

TEST_CASE("webhooks: a sample is an example, then the latest event, then the one that was captured") {
    each_kind([](Hooked& base) {
        const std::string path = "/webhooks/events/booking.created/";
        CHECK(base.call("GET", path + "sample").data()["source"].text() == "example");
        base.happens("booking.created", 50, "a");
        CHECK(base.call("GET", path + "sample").data()["source"].text() == "delivery_log");
        CHECK_FALSE(base.call("GET", path + "listen").data()["armed"].boolean());
        CHECK(base.call("POST", path + "listen").data()["armed"].boolean());
        base.happens("booking.created", 51, "b");
        base.happens("booking.created", 52, "c");
        const auto state = base.call("GET", path + "listen").data();
        CHECK_FALSE(state["armed"].boolean());
        CHECK(state["captured"]["payload"]["data"]["booking"]["reference"].text() == "b");
        const auto sample = base.call("GET", path + "sample").data();
        CHECK(sample["source"].text() == "captured");
        bool has_path = false;
        for (const Value& each : sample["paths"].items())
            has_path = has_path || each["path"].text() == "data.booking.reference";
        CHECK(has_path);
        base.call("POST", path + "listen");
        base.pass(std::chrono::minutes(11));
        base.happens("booking.created", 53, "d");
        CHECK(base.call("GET", path + "listen").data()["captured"]["payload"]["data"]["booking"]["reference"].text() ==
              "b");
        CHECK(base.call("DELETE", path + "listen?forget=true").data()["captured"].is_null());
        CHECK(base.call("GET", "/webhooks/events/no.such/sample").status == 404);
    });
}

TEST_CASE("webhooks: every event is listed, and its example fits its schema") {
    Hooked base;
    const auto listed = base.call("GET", "/webhooks/events").data();
    CHECK(listed.size() == 12);
    CHECK(base.call("GET", "/webhooks/meta").data().dump() ==
          R"({"is_module_enabled":true,"api_version":"v1","signature_header":"webhook-signature","event_count":12})");
    for (const auto& event : webhooks::events()) {
        CAPTURE(std::string(event.key));
        CHECK(webhooks::message_schema(event).check(webhooks::example_of(event)));
    }
}

TEST_CASE("webhooks: an erased person's messages are deleted") {
    each_kind([](Hooked& base) {
        base.endpoint();
        base.happens("booking.created", 50, "a");
        base.happens("booking.created", 51, "b");
        base.reports("account.email_changed", 7,
                     Value::object({{"key", "account.email_changed"},
                                    {"occurred_at", "2026-05-04T09:00:00Z"},
                                    {"account", Value::object({{"id", 7}, {"email", "ada@example.org"}})}}));
        std::int64_t rows = 0;
        CHECK(base.store->write([&](store::Transaction& tx) -> Result<void> {
            rows = base.hooks
                       .apply({"svc_person_erasure", "", json::Kind::number, {}}, 0,
                              {"ada@example.org", 7, 0, Value::array({50})}, &tx)
                       .integer();
            return {};
        }));
        CHECK(rows == 4);
        CHECK(base.number("SELECT COUNT(*) FROM svc_webhook_events") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_webhook_deliveries") == 1);
    });
}

TEST_CASE("webhooks: a client certificate is checked with its key, sealed, sent and never answered") {
    const TempDir folder;
    const auto made = [&](const std::string& name, const std::string& how) {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj /CN=" + name + " " + how +
            " -keyout " + folder.file(name + ".key") + " -out " + folder.file(name + ".pem") + " 2>/dev/null";
        REQUIRE(std::system(command.c_str()) == 0);
        const auto read = [](const std::string& path) {
            std::ifstream file(path);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        return std::pair(read(folder.file(name + ".pem")), read(folder.file(name + ".key")));
    };
    const auto [cert, key] = made("client", "-nodes");
    const auto [other_cert, other_key] = made("other", "-nodes");
    const auto [locked_cert, locked_key] = made("locked", "-passout pass:s3same");
    Hooked base;
    base.endpoint();
    const std::string path = "/webhooks/endpoints/1/mtls";
    const auto set = [&](const std::string& pem, const std::string& own, const char* passphrase) {
        auto body = Value::object({{"cert", pem}, {"key", own}});
        if (passphrase)
            body.set("passphrase", passphrase);
        return base.call("POST", path, body);
    };
    const auto field = [](const Reply& reply) { return reply.body["data"].text_or("field"); };
    CHECK_FALSE(base.call("GET", path).data()["configured"].boolean());
    CHECK(field(set("no PEM", key, nullptr)) == "cert");
    CHECK(field(set(cert, "no PEM", nullptr)) == "key");
    CHECK(field(set(cert, other_key, nullptr)) == "key");
    CHECK(field(set(locked_cert, locked_key, "wrong")) == "passphrase");
    CHECK(field(set(locked_cert, locked_key, nullptr)) == "passphrase");
    // The clock of the stand is of 2026-05-04, before the certificate's end.
    const auto stored = set(locked_cert, locked_key, "s3same");
    CAPTURE(stored.text);
    REQUIRE(stored.status == 200);
    CHECK(set(cert, key, nullptr).data()["configured"].boolean());
    const auto shown = base.call("GET", path);
    CHECK(shown.data()["fingerprint"].text().size() == 95);
    CHECK(shown.text.find("PRIVATE") == std::string::npos);
    CHECK(base.number("SELECT COUNT(*) FROM svc_webhook_endpoints WHERE certificate LIKE '%PRIVATE%'") == 0);
    base.call("POST", "/webhooks/endpoints/1/ping");
    base.run();
    REQUIRE(base.received.size() == 1);
    CHECK(base.received[0].certificate.starts_with(cert));
    CHECK(base.received[0].certificate.find("PRIVATE KEY") != std::string::npos);
    CHECK_FALSE(base.call("DELETE", path).data()["configured"].boolean());
    CHECK(base.call("GET", "/webhooks/endpoints/99/mtls").status == 404);
}

TEST_CASE("webhooks: a hanging receiver holds up no other endpoint") {
    Hooked base;
    base.endpoint(Hooked::given().set("url", "https://hangs.example/"));
    base.endpoint();
    std::mutex released;
    std::condition_variable changed;
    int quick = 0;
    // The receiver that hangs is released by the last message of the other one.
    base.answer = [&](const Received& got) -> Result<plugins::FetchReply> {
        std::unique_lock lock(released);
        if (got.url.find("hangs") == std::string::npos) {
            ++quick;
            changed.notify_all();
            return plugins::FetchReply{.status = 200, .headers = {}, .body = {}};
        }
        CHECK(changed.wait_for(lock, std::chrono::seconds(20), [&] { return quick == 40; }));
        return Error{errc::upstream_error}.because("Timeout was reached");
    };
    for (int booking = 60; booking < 100; ++booking)
        base.happens("booking.created", booking, "a");
    base.run();
    CHECK(quick == 40);
}
