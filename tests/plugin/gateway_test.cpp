// Gateways that charge, across the plugin interface: every member arrives as it was sent, and nothing thrown crosses.
#include <doctest/doctest.h>

#include "shared/plugin/codec_gateway.hpp"
#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }
Money dinars(std::int64_t minor) { return {minor, Currency::parse("KWD").value()}; }

payment::Situation situation() {
    return {.config = json::Value::object({{"key", "sk_1"}, {"days", 3}}),
            .sandbox = false,
            .api_base = "http://127.0.0.1:9",
            .webhook_url = "https://site.example/svc/v1/payment/webhook/card",
            .now = Instant::from_micros(1'700'000'000'000'001)};
}

const payment::SavedMethod visa{
    .customer = "cus_1", .method = "pm_1", .brand = "visa", .last4 = "4242", .exp_month = 7, .exp_year = 2031};

const payment::Charge charge{.progress = payment::Progress::paid,
                             .intent_id = "pi_1",
                             .transaction_id = "ch_1",
                             .amount = dinars(83'616),
                             .fee = dinars(1),
                             .reason = "none",
                             .saved = visa,
                             .details = json::Value::object({{"network", "visa"}})};

// Keeps what it was asked and answers with every member filled in.
struct Mirror final : plugin::Gateway {
    static inline std::vector<std::string> heard;
    plugin::GatewayInfo own{.id = "mirror",
                            .title = "Mirror",
                            .description = "",
                            .icon = "",
                            .supports = {"payments", "webhooks", "refunds", "saved_methods", "connection"},
                            .webhook_headers = {"Mirror-Signature"}};

    static void hear(const payment::Situation& at, const json::Value& asked) {
        heard.push_back(plugin::to_json(at).dump());
        heard.push_back(asked.dump());
    }
    [[nodiscard]] const plugin::GatewayInfo& info() const override { return own; }
    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {};
    }
    [[nodiscard]] Result<payment::Intent> intent(const payment::Situation& at,
                                                 const payment::IntentRequest& wanted) const override {
        hear(at, plugin::to_json(wanted));
        return payment::Intent{.id = "pi_1",
                               .progress = payment::Progress::processing,
                               .client_secret = "pi_1_secret",
                               .payment_url = "https://pay.example/1",
                               .client = json::Value::object({{"public_key", "pk_1"}})};
    }
    [[nodiscard]] Result<payment::Charge> confirm(const payment::Situation& at,
                                                  const payment::Inquiry& inquiry) const override {
        hear(at, plugin::to_json(inquiry));
        return charge;
    }
    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const payment::Situation& at,
                                                              const payment::WebhookCall& call) const override {
        hear(at, plugin::headers_json(call));
        heard.push_back(call.body);
        return std::vector<payment::Event>{{.id = "evt_1",
                                            .type = "charge.refunded",
                                            .kind = payment::Event::Kind::refunded,
                                            .intent_id = "pi_1",
                                            .transaction_id = "ch_1",
                                            .refund_id = "re_1",
                                            .booking_id = 7,
                                            .amount = usd(5),
                                            .refunded_total = usd(9),
                                            .reason = "asked",
                                            .action = "svc_card_charge_refunded",
                                            .object = json::Value::object({{"id", "ch_1"}})},
                                           {.id = "evt_2", .type = "ping"}};
    }
    [[nodiscard]] Result<payment::Refund> refund(const payment::Situation& at,
                                                 const payment::RefundRequest& wanted) const override {
        hear(at, plugin::to_json(wanted));
        return payment::Refund{.progress = payment::Progress::paid,
                               .id = "re_1",
                               .amount = usd(100),
                               .reason = "done",
                               .details = json::Value::object({{"a", 1}})};
    }
    [[nodiscard]] Result<payment::Charge> charge_saved(const payment::Situation& at,
                                                       const payment::SavedCharge& wanted) const override {
        hear(at, plugin::to_json(wanted));
        return charge;
    }
    [[nodiscard]] Result<void> forget_saved(const payment::Situation& at,
                                            const payment::SavedMethod& method) const override {
        hear(at, plugin::to_json(method));
        return {};
    }
    [[nodiscard]] Result<std::string> probe(const payment::Situation& at) const override {
        hear(at, {});
        return std::string("The account is Mirror Ltd.");
    }
};

// Says no, throws, or answers nonsense.
struct Broken final : plugin::Gateway {
    plugin::GatewayInfo own{
        .id = "broken", .title = "Broken", .description = "", .icon = "", .supports = {"payments", "webhooks"}};
    [[nodiscard]] const plugin::GatewayInfo& info() const override { return own; }
    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {};
    }
    [[nodiscard]] Result<payment::Intent> intent(const payment::Situation&,
                                                 const payment::IntentRequest&) const override {
        return Error(errc::payment_error, "This card is not taken."_sentence);
    }
    [[nodiscard]] Result<payment::Charge> confirm(const payment::Situation&, const payment::Inquiry&) const override {
        throw std::runtime_error("socket broke");
    }
    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const payment::Situation&,
                                                              const payment::WebhookCall&) const override {
        return Error(errc::webhook_rejected).because("stale");
    }
};

}  // namespace

TEST_CASE("what a charging gateway is asked and answers arrives whole on the other side") {
    Stand stand;
    Mirror::heard.clear();
    REQUIRE(stand.attach([](plugin::Host& host) { host.need<plugin::Gateways>().add(std::make_unique<Mirror>()); }));
    const auto* gateway = stand.gateways.find("mirror");
    REQUIRE(gateway);
    CHECK(gateway->info().supports.size() == 5);
    CHECK(gateway->info().webhook_headers == std::vector<std::string>{"Mirror-Signature"});
    std::vector<std::string> sent;
    const auto send = [&](const json::Value& asked) {
        sent.push_back(plugin::to_json(situation()).dump());
        sent.push_back(asked.dump());
    };

    const payment::IntentRequest wanted{.key = "k-1",
                                        .amount = usd(12'771),
                                        .booking_id = 7,
                                        .booking_reference = "SVC-7",
                                        .description = "Nile \u2013 cruise",
                                        .customer_name = "Ada",
                                        .customer_email = "ada@example.org",
                                        .return_url = "https://site.example/r",
                                        .cancel_url = "https://site.example/c",
                                        .save_method = true,
                                        .gateway_customer = "cus_1"};
    send(plugin::to_json(wanted));
    const auto intent = gateway->intent(situation(), wanted);
    REQUIRE(intent);
    CHECK(intent->id == "pi_1");
    CHECK(intent->progress == payment::Progress::processing);
    CHECK(intent->client_secret == "pi_1_secret");
    CHECK(intent->payment_url == "https://pay.example/1");
    CHECK(intent->client.text_or("public_key") == "pk_1");

    const payment::Inquiry inquiry{.key = "k-1",
                                   .intent_id = "pi_1",
                                   .transaction_id = "ch_1",
                                   .amount = usd(12'771),
                                   .booking_id = 7,
                                   .proof = json::Value::object({{"signature", "00"}}),
                                   .may_capture = false};
    send(plugin::to_json(inquiry));
    const auto confirmed = gateway->confirm(situation(), inquiry);
    REQUIRE(confirmed);
    CHECK(plugin::to_json(*confirmed) == plugin::to_json(charge));

    const payment::WebhookCall call{.headers = {{"Mirror-Signature", "t=1,v1=ab"}},
                                    .body = std::string("{\"a\":\0}", 7)};
    send(plugin::headers_json(call));
    sent.push_back(call.body);
    const auto events = gateway->webhook(situation(), call);
    REQUIRE(events);
    REQUIRE(events->size() == 2);
    CHECK(events->front().refunded_total == usd(9));
    CHECK(events->front().booking_id == 7);
    CHECK(events->front().kind == payment::Event::Kind::refunded);
    CHECK(events->back().kind == payment::Event::Kind::other);
    CHECK_FALSE(events->back().amount);

    const payment::RefundRequest back{.key = "k-2",
                                      .intent_id = "pi_1",
                                      .transaction_id = "ch_1",
                                      .amount = usd(100),
                                      .captured = usd(300),
                                      .reason = "rain"};
    send(plugin::to_json(back));
    const auto refund = gateway->refund(situation(), back);
    REQUIRE(refund);
    CHECK(refund->amount == usd(100));
    CHECK(refund->id == "re_1");

    const payment::SavedCharge later{.key = "k-3",
                                     .method = visa,
                                     .amount = usd(1),
                                     .booking_id = 7,
                                     .booking_reference = "SVC-7",
                                     .description = "balance"};
    send(plugin::to_json(later));
    CHECK(gateway->charge_saved(situation(), later).value().transaction_id == "ch_1");
    send(plugin::to_json(visa));
    CHECK(gateway->forget_saved(situation(), visa));
    send({});
    CHECK(gateway->probe(situation()).value() == "The account is Mirror Ltd.");
    CHECK(Mirror::heard == sent);
}

TEST_CASE("a gateway's no stays its own, and a throw in it is a provider that could not be reached") {
    Stand stand;
    REQUIRE(stand.attach([](plugin::Host& host) { host.need<plugin::Gateways>().add(std::make_unique<Broken>()); }));
    const auto* gateway = stand.gateways.find("broken");
    REQUIRE(gateway);
    const auto refused = gateway->intent(situation(), {.key = "k", .amount = usd(1)});
    REQUIRE_FALSE(refused);
    CHECK(&refused.error().code() == &errc::payment_error);
    CHECK(refused.error().message() == "This card is not taken.");
    const auto thrown = gateway->confirm(situation(), {.key = "k", .intent_id = "i", .amount = usd(1)});
    REQUIRE_FALSE(thrown);
    CHECK(&thrown.error().code() == &errc::gateway_unavailable);
    CHECK(stand.log.find("socket broke") != std::string::npos);
    CHECK(&gateway->webhook(situation(), {}).error().code() == &errc::webhook_rejected);
    CHECK_FALSE(gateway->refund(situation(), {.key = "k", .amount = usd(1), .captured = usd(1)}));
}

TEST_CASE("a gateway that names what its table cannot do is refused") {
    Stand stand;
    static svc_status told, short_told;
    script([](plugin::Host&) {});
    scripted_table().attach = [](const svc_host* host, void**, svc_answer*) {
        static const svc_gateway_2 half{.size = sizeof(svc_gateway_2),
                                        .context = nullptr,
                                        .available = [](void*, svc_text, std::int64_t, svc_text) { return 1; },
                                        .instructions = nullptr,
                                        .intent = nullptr,
                                        .confirm = nullptr,
                                        .webhook = nullptr,
                                        .refund = nullptr,
                                        .charge_saved = nullptr,
                                        .forget_saved = nullptr,
                                        .probe = nullptr};
        static svc_gateway_2 shorter = half;
        shorter.size = offsetof(svc_gateway_2, intent);
        const auto* gateways = static_cast<const svc_gateways_2*>(host->service(host->self, SVC_GATEWAYS_2));
        const std::string promises = R"({"id":"half","title":"Half","supports":["payments"]})";
        const std::string modest = R"({"id":"modest","title":"Modest"})";
        told = gateways->add(gateways->self, {promises.data(), promises.size()}, &half);
        short_told = gateways->add(gateways->self, {modest.data(), modest.size()}, &shorter);
        return SVC_OK;
    };
    scripted_table().detach = [](void*) {};
    REQUIRE(stand.attach(&scripted_entry));
    CHECK(told == SVC_REFUSED);
    CHECK(short_told == SVC_OK);
    const auto* modest = stand.gateways.find("modest");
    REQUIRE(modest);
    CHECK_FALSE(modest->intent(situation(), {.key = "k", .amount = usd(1)}));
    CHECK(&modest->webhook(situation(), {}).error().code() == &errc::webhook_rejected);
}

TEST_CASE("a gateway may be registered after attach until the registry is closed, and its name is its own") {
    Stand stand;
    plugin::Gateways* gateways = nullptr;
    REQUIRE(stand.attach([&](plugin::Host& host) { gateways = host.find<plugin::Gateways>(); }));
    gateways->add(std::make_unique<Mirror>());
    REQUIRE(stand.gateways.find("mirror"));
    CHECK_THROWS_AS(gateways->add(std::make_unique<Mirror>()), plugin::Refused);
    stand.gateways.close();
    auto later = std::make_unique<Mirror>();
    later->own.id = "later";
    CHECK_THROWS_AS(gateways->add(std::move(later)), plugin::Refused);
    CHECK_FALSE(stand.gateways.find("later"));
}
