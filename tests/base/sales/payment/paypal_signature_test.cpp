// PayPal's events are proven here: by its certificate, and with no call but the one that fetches it.
#include "base/platform/crypto/crypto.hpp"
#include "base/sales/payment/gateways/paypal.hpp"
#include "tests/base/sales/payment/paying_site.hpp"
#include "tests/support/certificates.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const Instant sent_at = Instant::parse("2026-11-20T12:00:00Z").value();
const std::string live_folder = "https://api.paypal.com/v1/notifications/certs/";

// A PayPal of certificates alone, and a gateway beside it.
struct Signing {
    const Authority authority{sent_at};
    const Certified paypal = certified({}, &authority.root, sent_at);
    std::map<std::string, outbound::FetchAnswer> at;  // by address
    std::vector<std::string> fetched;
    std::shared_ptr<payment::Gateway> gateway = payment::make_paypal(
        [this](const outbound::FetchRequest& request) -> Result<outbound::FetchAnswer> {
            CHECK(request.method == "GET");
            CHECK(request.redirects == 0);
            fetched.push_back(request.url);
            if (const auto found = at.find(request.url); found != at.end())
                return found->second;
            return Error(errc::upstream_error).because("nobody answers");
        },
        authority.path);
    int asked = 0;
    Result<payment::Proof> may = payment::Proof::needed;
    payment::Situation now{.config = Value::object({{"webhook_id", "WH-1"}}), .sandbox = false, .now = sent_at};

    Signing() {
        now.limit_inquiries = [this](const payment::Event&, bool) {
            ++asked;
            return may;
        };
        serve("CERT-1", paypal.pem());
    }
    void serve(const std::string& name, const std::string& pem, int status = 200) {
        at[live_folder + name] = {.status = status, .headers = {}, .body = pem};
    }
    // "" when it is taken.
    std::string told(const payment::WebhookCall& call) const {
        const auto events = gateway->webhook(now, call);
        return events ? "" : std::string(events.error().code().name) + ": " + events.error().cause();
    }
};

const std::string event_body = R"({"id":"WH-9","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"CAP1"}})";
const std::string event_sum = "547578660";  // its CRC-32, as zlib has it

payment::WebhookCall signed_by(const Certified& signer, const std::string& body = event_body,
                               const std::string& sum = event_sum, const std::string& url = live_folder + "CERT-1") {
    return {.headers = {{"PayPal-Transmission-Id", "69cd13f0"},
                        {"PayPal-Transmission-Time", "2026-11-20T12:00:00Z"},
                        {"PayPal-Transmission-Sig",
                         crypto::base64(signer.sign("69cd13f0|2026-11-20T12:00:00Z|WH-1|" + sum))},
                        {"PayPal-Cert-Url", url},
                        {"PayPal-Auth-Algo", "SHA256withRSA"}},
            .body = body};
}

}  // namespace

TEST_CASE("PayPal's event is proven by its certificate, which is fetched once") {
    Signing site;
    CHECK(site.told(signed_by(site.paypal)).empty());
    CHECK(site.told(signed_by(site.paypal)).empty());
    CHECK(site.fetched == std::vector<std::string>{live_folder + "CERT-1"});
    CHECK(site.asked == 1);
    CHECK(site.gateway->webhook(site.now, signed_by(site.paypal))->front().id == "WH-9");
}

TEST_CASE("a forged event of PayPal's asks nobody once the certificate is known") {
    Signing site;
    CHECK(site.told(signed_by(site.paypal)).empty());
    const Certified forger = certified({}, &site.authority.root, sent_at);
    const std::string refusal = "svc_webhook_rejected: PayPal did not sign it";
    CHECK(site.told(signed_by(forger)) == refusal);
    CHECK(site.told(signed_by(site.paypal, event_body + " ")) == refusal);
    CHECK(site.told(signed_by(site.paypal, "")) == refusal);
    for (std::size_t i = 0; i < 3; ++i) {
        payment::WebhookCall altered = signed_by(site.paypal);
        altered.headers[i].second = i == 1 ? "2026-11-20T12:00:01Z" : crypto::base64("another");
        CHECK(site.told(altered) == refusal);
    }
    site.now.config.set("webhook_id", "WH-2");  // signed for another site
    CHECK(site.told(signed_by(site.paypal)) == refusal);
    CHECK(site.fetched.size() == 1);
    CHECK(site.asked == 1);
}

TEST_CASE("what is no transmission of PayPal's asks nobody") {
    Signing site;
    for (std::size_t i = 0; i < 5; ++i)
        for (const std::string& value : {std::string(), std::string(1001, 'A'), std::string("!")}) {
            if (i == 0 && value == "!")
                continue;  // an id may be anything
            payment::WebhookCall broken = signed_by(site.paypal);
            broken.headers[i].second = value;
            CHECK(site.told(broken).starts_with("svc_webhook_rejected"));
        }
    for (const char* url :
         {"http://api.paypal.com/v1/notifications/certs/CERT-1", "https://api.paypal.com/certs/CERT-1",
          "https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1",
          "https://evil.example/https://api.paypal.com/v1/notifications/certs/CERT-1",
          "https://api.paypal.com@evil.example/v1/notifications/certs/CERT-1",
          "https://api.paypal.com:444/v1/notifications/certs/CERT-1",
          "https://www.paypal.com/v1/notifications/certs/CERT-1", "https://api.paypal.com/v1/notifications/certs/",
          "https://api.paypal.com/v1/notifications/certs/a/b", "https://api.paypal.com/v1/notifications/certs/../x",
          "https://api.paypal.com/v1/notifications/certs/a?b", "https://api.paypal.com/v1/notifications/certs/a%2fb",
          "https://API.paypal.com/v1/notifications/certs/a",
          "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1"})  // a test's, while money is real
        CHECK(site.told(signed_by(site.paypal, event_body, event_sum, url)) ==
              "svc_webhook_rejected: the certificate's address is not PayPal's");
    site.now.config.set("webhook_id", " ");
    CHECK(site.told(signed_by(site.paypal)) == "svc_webhook_rejected: no webhook id is configured");
    CHECK(site.fetched.empty());
    CHECK(site.asked == 0);
}

TEST_CASE("the sandbox and the operator's own address have certificates of their own") {
    Signing site;
    const auto is_asked = [&](const std::string& server) {
        site.fetched.clear();
        static_cast<void>(
            site.told(signed_by(site.paypal, event_body, event_sum, server + "/v1/notifications/certs/CERT-9")));
        return !site.fetched.empty();
    };
    CHECK(is_asked("https://api-m.paypal.com"));
    CHECK_FALSE(is_asked("https://api-m.sandbox.paypal.com"));
    site.now.sandbox = true;
    CHECK(is_asked("https://api-m.sandbox.paypal.com"));
    CHECK(is_asked("https://api.sandbox.paypal.com"));
    CHECK(is_asked("https://api.paypal.com"));
    site.now.api_base = "http://127.0.0.1:9";
    CHECK(is_asked("http://127.0.0.1:9"));
    CHECK_FALSE(is_asked("https://api.paypal.com"));
}

TEST_CASE("a certificate that nobody vouches for, or of somebody else, proves nothing and is not asked for again") {
    Signing site;
    const Certified self_made = certified({}, nullptr, sent_at);
    const Certified foreign = certified({.name = "evil.example"}, &site.authority.root, sent_at);
    site.serve("SELF", self_made.pem());
    site.serve("FOREIGN", foreign.pem());
    site.serve("TEXT", "{}");
    site.serve("GONE", "", 404);
    const auto tell = [&](const Certified& by, const char* name) {
        return site.told(signed_by(by, event_body, event_sum, live_folder + name));
    };
    for (int again = 0; again < 3; ++again) {
        CHECK(tell(self_made, "SELF").starts_with("svc_webhook_rejected"));
        CHECK(tell(foreign, "FOREIGN").starts_with("svc_webhook_rejected"));
        CHECK(tell(site.paypal, "TEXT").starts_with("svc_webhook_rejected"));
        CHECK(tell(site.paypal, "GONE").starts_with("svc_webhook_rejected"));
        CHECK(site.fetched.size() == 4);
    }
    site.serve("GONE", site.paypal.pem());
    site.now.now = sent_at.plus(std::chrono::minutes(61));
    CHECK(tell(site.paypal, "GONE").empty());  // an hour later it may be there
}

TEST_CASE("while PayPal's certificate cannot be fetched its events are to be sent again") {
    Signing site;
    const auto failing = [&](const char* name) {
        return site.told(signed_by(site.paypal, event_body, event_sum, live_folder + name))
            .starts_with("svc_gateway_unavailable");
    };
    site.serve("BUSY", "", 503);
    site.serve("MOVED", "", 302);
    CHECK(failing("NOBODY"));
    CHECK(failing("BUSY"));
    CHECK(failing("MOVED"));
    site.may = Error(errc::rate_limited);
    CHECK(site.told(signed_by(site.paypal)).starts_with("svc_rate_limited"));
    CHECK(site.fetched.size() == 3);
    site.may = payment::Proof::given;  // the same bytes were proven before
    CHECK(site.told(signed_by(site.paypal)).empty());
    CHECK(site.fetched.size() == 3);
}

TEST_CASE("a flood of certificates' addresses keeps the good ones, and an expired one is asked for anew") {
    Signing site;
    CHECK(site.told(signed_by(site.paypal)).empty());
    for (int n = 0; n < 600; ++n) {
        const std::string name = "MADE-UP-" + std::to_string(n);
        site.serve(name, "", 404);
        static_cast<void>(site.told(signed_by(site.paypal, event_body, event_sum, live_folder + name)));
    }
    site.fetched.clear();
    CHECK(site.told(signed_by(site.paypal)).empty());
    CHECK(site.fetched.empty());
    site.now.now = sent_at.plus(std::chrono::hours(121));
    CHECK(site.told(signed_by(site.paypal)).find("expired") != std::string::npos);
    CHECK(site.fetched.size() == 1);
}

TEST_CASE("certificates that are not known are fetched twice in a row for all events about no charge of ours") {
    each_paying_site([](PayingSite& site) {
        int fetches = 0;
        site.gateways.add(payment::make_paypal([&](const outbound::FetchRequest&) -> Result<outbound::FetchAnswer> {
            ++fetches;
            return Error(errc::upstream_error).because("nobody answers");
        }));
        REQUIRE(site.payments.gateways.configure("paypal", Value::object({{"webhook_id", "WH-1"}})));
        const Authority authority(sent_at);
        const Certified forger = certified({}, &authority.root, sent_at);
        for (int n = 0; n < 10; ++n) {
            auto call = signed_by(forger, event_body, event_sum, live_folder + "CERT-" + std::to_string(n));
            call.headers[1].second = site.clock.now().text();
            const auto told = site.checkout.events.receive("paypal", call);
            CHECK(code_of(told) == (n < 2 ? "svc_gateway_unavailable" : "svc_rate_limited"));
        }
        CHECK(fetches == 2);
    });
}
