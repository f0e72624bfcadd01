// The gateway stripe against a provider whose messages have the shapes that Stripe documents, wrong ones included.
#include "pro/gateways/stripe.hpp"

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/stripe_wire.hpp"
#include "tests/pro/gateways/scripted_provider.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Money eur(std::int64_t minor) { return {minor, Currency::parse("EUR").value()}; }
Money of(std::int64_t minor, const char* code) { return {minor, Currency::parse(code).value()}; }

struct Desk {
    ScriptedProvider provider;
    std::unique_ptr<plugin::Gateway> gateway = pro::gateways::stripe_gateway(provider.send());
    payment::Situation at{.config = Value::object({{"live_publishable_key", "pk_live_1"},
                                                   {"live_secret_key", "sk_live_1"},
                                                   {"test_publishable_key", "pk_test_1"},
                                                   {"test_secret_key", "sk_test_1"},
                                                   {"webhook_secret", "whsec_new"},
                                                   {"previous_webhook_secret", "whsec_old"}}),
                          .sandbox = true,
                          .api_base = "http://127.0.0.1:4009",
                          .webhook_url = "https://site.example/svc/v1/payment/webhook/stripe",
                          .now = Instant::from_micros(1'700'000'000'000'000)};
    payment::IntentRequest wanted{.key = "book-7-1",
                                  .amount = eur(12'345),
                                  .booking_id = 7,
                                  .booking_reference = "SVC-1",
                                  .description = "Nile & Co: cruise",
                                  .customer_name = "Ada",
                                  .customer_email = "ada@example.org"};
    payment::Inquiry inquiry{.key = "book-7-1", .intent_id = "pi_1", .amount = eur(12'345), .booking_id = 7};

    Result<std::vector<payment::Event>> event(const std::string& body, const std::string& secret = "whsec_new",
                                              const char* header = "Card-Signature", std::int64_t t = 1'700'000'000) {
        const std::string time = std::to_string(t);
        return gateway->webhook(
            at, {.headers = {{header, "t=" + time + ",v1=" + pro::crypto::hmac_sha256_hex(secret, time + "." + body)}},
                 .body = body});
    }
};

std::string intent(const std::string& status, const std::string& more = "") {
    return R"({"id":"pi_1","object":"payment_intent","amount":12345,"currency":"eur","client_secret":"pi_1_secret_x",)"
           R"("status":")" +
           status + "\"" + more + "}";
}

const std::string received = R"(,"amount_received":12345)";

std::string of_event(const std::string& type, const std::string& object, const std::string& id = "evt_1") {
    return R"({"id":")" + id + R"(","object":"event","type":")" + type + R"(","data":{"object":)" + object + "}}";
}

}  // namespace

TEST_CASE("stripe is offered once it has a secret key, for amounts that Stripe can charge exactly") {
    Desk desk;
    CHECK(desk.gateway->available(desk.at.config, eur(1)));
    CHECK_FALSE(desk.gateway->available(Value::object(), eur(1)));
    CHECK(desk.gateway->available(desk.at.config, of(1'000, "KWD")));
    CHECK_FALSE(desk.gateway->available(desk.at.config, of(1'001, "KWD")));  // of three decimals they take two
    for (const char* secret : {"live_secret_key", "test_secret_key", "webhook_secret", "previous_webhook_secret"}) {
        bool sealed = false;
        for (const auto& field : desk.gateway->info().fields)
            sealed = sealed || (field.id == secret && field.secret);
        CAPTURE(std::string(secret));
        CHECK(sealed);
    }
}

TEST_CASE("amounts are sent in Stripe's units, whatever the currency's own decimals are") {
    using pro::gateways::stripe::money_of;
    using pro::gateways::stripe::units_of;
    const std::tuple<const char*, std::int64_t, std::int64_t> pairs[] = {{"EUR", 12'345, 12'345}, {"JPY", 500, 500},
                                                                         {"KWD", 12'340, 12'340}, {"ISK", 500, 50'000},
                                                                         {"UGX", 70, 7'000},      {"MGA", 20'000, 200}};
    for (const auto& [code, ours, theirs] : pairs) {
        CAPTURE(std::string(code));
        CHECK(units_of(of(ours, code)) == theirs);
        CHECK(money_of(theirs, code) == of(ours, code));
    }
    CHECK_FALSE(units_of(of(12'345, "MGA")).has_value());
    CHECK_FALSE(units_of(eur(0)).has_value());
    CHECK_FALSE(units_of(eur(100'000'000'000)).has_value());
    CHECK_FALSE(money_of(50, "ISK").has_value());
    CHECK_FALSE(money_of(1, "XXQ").has_value());
    CHECK(money_of(1, "eur") == eur(1));
}

TEST_CASE("an intent is made once for a key, with the booking's amount and the keys of the mode") {
    Desk desk;
    desk.provider.will(intent("requires_payment_method"));
    const auto made = desk.gateway->intent(desk.at, desk.wanted);
    REQUIRE(static_cast<bool>(made));
    CHECK(made->id == "pi_1");
    CHECK(made->client_secret == "pi_1_secret_x");
    CHECK(made->progress == payment::Progress::waiting);
    CHECK(made->client["publishable_key"].text() == "pk_test_1");
    CHECK(desk.provider.line(0) == "POST http://127.0.0.1:4009/v1/payment_intents");
    CHECK(desk.provider.header(0, "Authorization") == "Bearer sk_test_1");
    CHECK(desk.provider.header(0, "Idempotency-Key") == "book-7-1");
    CHECK(desk.provider.header(0, "Stripe-Version") == "2024-06-20");
    CHECK(
        desk.provider.asked[0].body ==
        "amount=12345&currency=eur&automatic_payment_methods%5Benabled%5D=true&description=Nile%20%26%20Co%3A%20cruise"
        "&metadata%5Bbooking_id%5D=7&metadata%5Bbooking_reference%5D=SVC-1");

    desk.at.sandbox = false;
    desk.at.api_base.clear();
    desk.provider.will(intent("requires_payment_method"));
    CHECK(desk.gateway->intent(desk.at, desk.wanted)->client["publishable_key"].text() == "pk_live_1");
    CHECK(desk.provider.line(1) == "POST https://api.stripe.com/v1/payment_intents");
    CHECK(desk.provider.header(1, "Authorization") == "Bearer sk_live_1");

    desk.at.config.erase("live_secret_key");
    CHECK(is_refused(desk.gateway->intent(desk.at, desk.wanted)));  // no test key in its place
}

TEST_CASE("a page offers the ways to pay that the operator chose, and without a choice those of the account") {
    Desk desk;
    desk.at.config.set("enabled_methods", Value::array({"card", "ideal"}));
    desk.provider.will(intent("requires_payment_method"));
    REQUIRE(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    const std::string chosen = "&payment_method_types%5B%5D=card&payment_method_types%5B%5D=ideal&";
    CHECK(desk.provider.asked[0].body.find(chosen) != std::string::npos);
    CHECK(desk.provider.asked[0].body.find("automatic_payment_methods") == std::string::npos);
    desk.at.config.set("enabled_methods", Value::array());
    desk.provider.will(intent("requires_payment_method"));
    REQUIRE(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(desk.provider.asked[1].body.find("automatic_payment_methods%5Benabled%5D=true") != std::string::npos);
    bool is_offered = false;
    for (const auto& field : desk.gateway->info().fields)
        if (field.id == "enabled_methods")
            is_offered = field.type == "multiselect" && !field.options.empty();
    CHECK(is_offered);
}

TEST_CASE("a method is kept for a customer of Stripe's, made once where none is known") {
    Desk desk;
    desk.wanted.save_method = true;
    desk.provider.will(R"({"id":"cus_9","object":"customer"})");
    desk.provider.will(intent("requires_payment_method"));
    CHECK(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(desk.provider.header(0, "Idempotency-Key") == "book-7-1:customer");
    CHECK(desk.provider.asked[0].body == "name=Ada&email=ada%40example.org");
    CHECK(desk.provider.asked[1].body.ends_with("&customer=cus_9&setup_future_usage=off_session"));
    desk.wanted.gateway_customer = "cus_2";
    desk.provider.will(intent("requires_payment_method"));
    CHECK(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(desk.provider.asked[2].body.find("customer=cus_2") != std::string::npos);

    desk.provider.will(intent("succeeded", received + R"(,"customer":"cus_2","setup_future_usage":"off_session",)"
                                                      R"("payment_method":{"id":"pm_3","card":{"brand":"visa",)"
                                                      R"("last4":"4242","exp_month":7,"exp_year":2031}})"));
    const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
    REQUIRE(charge->saved.has_value());
    CHECK(charge->saved->customer == "cus_2");
    CHECK(charge->saved->method == "pm_3");
    CHECK(charge->saved->last4 == "4242");
    CHECK(charge->saved->exp_year == 2031);
}

TEST_CASE("the paid amount is the one that Stripe received, never the requested one") {
    Desk desk;
    desk.provider.will(intent("succeeded", R"(,"amount_received":12000,"latest_charge":{"id":"ch_1",)"
                                           R"("balance_transaction":{"fee":57,"currency":"eur"}})"));
    const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
    REQUIRE(static_cast<bool>(charge));
    CHECK(charge->progress == payment::Progress::paid);
    CHECK(charge->transaction_id == "pi_1");
    CHECK(charge->amount == eur(12'000));
    CHECK(charge->fee == eur(57));
    CHECK(charge->details["charge"].text() == "ch_1");
    CHECK(desk.provider.line(0) ==
          "GET http://127.0.0.1:4009/v1/payment_intents/pi_1"
          "?expand%5B%5D=latest_charge.balance_transaction&expand%5B%5D=payment_method");
    // Without an amount, with a broken one, or in an unknown currency nothing is assumed.
    for (const char* more : {"", R"(,"amount_received":null)", R"(,"amount_received":"12345")",
                             R"(,"amount_received":12.5)", R"(,"amount_received":-1)"}) {
        CAPTURE(std::string(more));
        desk.provider.will(intent("succeeded", more));
        CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    }
}

TEST_CASE("3-D Secure, processing, cancelled and declined intents are told apart") {
    Desk desk;
    const std::tuple<std::string, std::string, payment::Progress> states[] = {
        {"requires_payment_method", "", payment::Progress::waiting},
        {"requires_confirmation", "", payment::Progress::waiting},
        {"requires_action", R"(,"next_action":{"type":"use_stripe_sdk"})", payment::Progress::waiting},
        {"processing", "", payment::Progress::processing},
        {"canceled", "", payment::Progress::cancelled},
        {"requires_payment_method", R"(,"last_payment_error":{"code":"card_declined","message":"Declined."})",
         payment::Progress::failed}};
    for (const auto& [status, more, progress] : states) {
        CAPTURE(status);
        desk.provider.will(intent(status, more));
        const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
        REQUIRE(static_cast<bool>(charge));
        CHECK(charge->progress == progress);
        CHECK(charge->reason == (progress == payment::Progress::failed ? "Declined." : ""));
        CHECK_FALSE(charge->amount.has_value());
    }
    desk.provider.will(intent("invented"));
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
}

TEST_CASE("an intent that waits for its capture is captured once, and only looked at when asked to look") {
    Desk desk;
    desk.provider.will(intent("requires_capture"));
    desk.provider.will(intent("succeeded", received));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::paid);
    CHECK(desk.provider.line(1) == "POST http://127.0.0.1:4009/v1/payment_intents/pi_1/capture");
    CHECK(desk.provider.header(1, "Idempotency-Key") == "book-7-1:capture");
    desk.inquiry.may_capture = false;
    desk.provider.will(intent("requires_capture"));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::waiting);
    CHECK(desk.provider.asked.size() == 3);
}

TEST_CASE("an answer of another intent, and ids that are none, are never believed") {
    Desk desk;
    desk.inquiry.intent_id = "pi_2";
    desk.provider.will(intent("succeeded", received));
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    desk.inquiry.transaction_id = "pi_1";
    CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry), errc::validation_error));
    desk.inquiry.transaction_id.clear();
    for (const char* id : {"", "ch_1", "pi_1/../../v1/account", "pi_1?x", "pi_\n"}) {
        desk.inquiry.intent_id = id;
        CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry)));
    }
    CHECK(desk.provider.asked.size() == 1);
}

TEST_CASE("a page names the intent or its charge, and nothing else") {
    for (const auto& [name, believed] : {std::pair("pi_1", true), {"ch_1", true}, {"ch_2", false}, {"x", false}}) {
        CAPTURE(name);
        Desk desk;
        desk.inquiry.transaction_id = name;
        desk.provider.will(intent("succeeded", R"(,"amount_received":12000,"latest_charge":"ch_1")"));
        const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
        CHECK(static_cast<bool>(charge) == believed);
        if (!believed)
            CHECK(is_refused(charge, errc::validation_error));
    }
}

TEST_CASE("silence, garbage, 5xx, a wrong key, 409 and 429 leave the outcome unknown; a plain refusal does not") {
    Desk desk;
    desk.provider.will_not();
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    for (const int status : {500, 502, 503, 401, 403, 409, 429}) {
        CAPTURE(status);
        desk.provider.will(R"({"error":{"type":"api_error","message":"later"}})", status);
        CHECK(is_unknown(desk.gateway->intent(desk.at, desk.wanted)));
    }
    for (const char* text :
         {"", "<html>", "[]", "null", R"({"id":"pi_1")", R"({"object":"charge","id":"x","status":"succeeded"})"}) {
        CAPTURE(std::string(text));
        desk.provider.will(text);
        CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    }
    desk.provider.will(
        R"({"error":{"type":"invalid_request_error","code":"amount_too_small","message":"sk_test leak"}})", 400);
    const auto refused = desk.gateway->intent(desk.at, desk.wanted);
    CHECK(is_refused(refused));
    CHECK(refused.error().message() == errc::payment_error.sentence);  // their words to us are not for customers
    desk.provider.will(R"({"error":{"type":"invalid_request_error"}})", 401);
    CHECK(is_unknown(desk.gateway->intent(desk.at, desk.wanted)));
}

TEST_CASE("a saved method is charged off session; a decline is told in the bank's words") {
    Desk desk;
    const payment::SavedCharge wanted{
        .key = "plan-1-2", .method = {.customer = "cus_1", .method = "pm_1"}, .amount = eur(500), .booking_id = 7};
    desk.provider.will(intent("succeeded", R"(,"amount_received":500)"));
    CHECK(desk.gateway->charge_saved(desk.at, wanted)->amount == eur(500));
    CHECK(desk.provider.asked[0].body ==
          "amount=500&currency=eur&customer=cus_1&payment_method=pm_1&off_session=true"
          "&confirm=true&metadata%5Bbooking_id%5D=7");
    CHECK(desk.provider.header(0, "Idempotency-Key") == "plan-1-2");
    desk.provider.will(
        R"({"error":{"type":"card_error","code":"authentication_required","message":"Ask the customer."}})", 402);
    const auto declined = desk.gateway->charge_saved(desk.at, wanted);
    CHECK(is_refused(declined, errc::payment_failed));
    CHECK(declined.error().message() == "Ask the customer.");

    desk.provider.will(R"({"id":"pm_1","object":"payment_method"})");
    CHECK(static_cast<bool>(desk.gateway->forget_saved(desk.at, {.customer = "cus_1", .method = "pm_1"})));
    CHECK(desk.provider.line(2) == "POST http://127.0.0.1:4009/v1/payment_methods/pm_1/detach");
    CHECK(is_refused(desk.gateway->forget_saved(desk.at, {.customer = "cus_1", .method = "../x"})));
}

TEST_CASE("the operator's statement text is on every charge, as far as Stripe accepts it") {
    using pro::gateways::stripe::on_statement;
    Desk desk;
    desk.at.config.set("statement_descriptor", "Ada's tours");
    desk.at.config.set("enabled_methods", Value::array({"card", "link"}));
    desk.provider.will(intent("requires_payment_method"));
    REQUIRE(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(desk.provider.asked[0].body.find("&statement_descriptor_suffix=Adas%20tours") != std::string::npos);
    CHECK(desk.provider.asked[0].body.find("payment_method_types%5B%5D=card&payment_method_types%5B%5D=link") !=
          std::string::npos);
    desk.provider.will(intent("succeeded", received));
    REQUIRE(static_cast<bool>(desk.gateway->charge_saved(desk.at, {.key = "plan-1-2",
                                                                   .method = {.customer = "cus_1", .method = "pm_1"},
                                                                   .amount = eur(12'345),
                                                                   .booking_id = 7})));
    CHECK(desk.provider.asked[1].body.ends_with("&statement_descriptor_suffix=Adas%20tours"));
    CHECK(on_statement("<b>*Nile\\ \"24\"  ") == "bNile 24");
    CHECK(on_statement("A name that is longer than statements are") == "A name that is longer");
    for (const char* nothing : {"", "2026", "***", "\xd0\x9d\xd0\xb8\xd0\xbb", "   "})
        CHECK(on_statement(nothing).empty());
}

TEST_CASE("a refund is of its amount, once for a key, with the status that Stripe reports") {
    Desk desk;
    const payment::RefundRequest wanted{.key = "refund-3",
                                        .intent_id = "pi_1",
                                        .transaction_id = "pi_1",
                                        .amount = eur(200),
                                        .captured = eur(12'345),
                                        .reason = "ill"};
    const auto refund = [](const char* status) {
        return R"({"id":"re_1","object":"refund","amount":200,"currency":"eur","status":")" + std::string(status) +
               "\"}";
    };
    const std::pair<const char*, payment::Progress> states[] = {{"succeeded", payment::Progress::paid},
                                                                {"pending", payment::Progress::processing},
                                                                {"requires_action", payment::Progress::waiting},
                                                                {"failed", payment::Progress::failed},
                                                                {"canceled", payment::Progress::cancelled}};
    for (const auto& [status, progress] : states) {
        CAPTURE(std::string(status));
        desk.provider.will(refund(status));
        const auto made = desk.gateway->refund(desk.at, wanted);
        REQUIRE(static_cast<bool>(made));
        CHECK(made->progress == progress);
        CHECK(made->id == "re_1");
        CHECK(made->amount == eur(200));
    }
    CHECK(desk.provider.asked[0].body ==
          "payment_intent=pi_1&amount=200&reason=requested_by_customer&metadata%5Breason%5D=ill");
    CHECK(desk.provider.header(0, "Idempotency-Key") == "refund-3");
    desk.provider.will(R"({"error":{"type":"invalid_request_error","code":"charge_already_refunded"}})", 400);
    CHECK(is_refused(desk.gateway->refund(desk.at, wanted)));
    desk.provider.will_not();
    CHECK(is_unknown(desk.gateway->refund(desk.at, wanted)));
}

TEST_CASE("a succeeded intent's event returns the received amount and the booking, without secrets") {
    Desk desk;
    const auto body = of_event("payment_intent.succeeded",
                               intent("succeeded", received + R"(,"metadata":{"booking_id":"7"},)"
                                                              R"("charges":[{"payment_method_details":{"card":{}}}])"));
    for (const char* header : {"Card-Signature", "Stripe-Signature"}) {
        const auto events = desk.event(body, "whsec_new", header);
        REQUIRE(static_cast<bool>(events));
        REQUIRE(events->size() == 1);
        const payment::Event& event = events->front();
        CHECK(event.kind == payment::Event::Kind::paid);
        CHECK(event.id == "evt_1");
        CHECK(event.intent_id == "pi_1");
        CHECK(event.transaction_id == "pi_1");  // the same as confirm says: one payment, by whichever door
        CHECK(event.amount == eur(12'345));
        CHECK(event.booking_id == 7);
        CHECK(event.action == "svc_card_payment_succeeded");
        CHECK(event.object.dump().find("secret") == std::string::npos);
        CHECK(event.object.dump().find("payment_method_details") == std::string::npos);
    }
}

TEST_CASE("failed and refunded events are read, unknown types are none of our business") {
    Desk desk;
    const auto failed = desk.event(of_event(
        "payment_intent.payment_failed",
        intent("requires_payment_method", R"(,"last_payment_error":{"message":"No funds.","source":{"card":"x"}})")));
    CHECK(failed->front().kind == payment::Event::Kind::failed);
    CHECK(failed->front().reason == "No funds.");
    CHECK(failed->front().action == "svc_card_payment_failed");
    const auto refunded = desk.event(
        of_event("charge.refunded", R"({"id":"ch_1","object":"charge","payment_intent":"pi_1","amount":12345,)"
                                    R"("amount_refunded":300,"currency":"eur","billing_details":{"email":"a@b.c"}})"));
    CHECK(refunded->front().kind == payment::Event::Kind::refunded);
    CHECK(refunded->front().intent_id == "pi_1");
    CHECK(refunded->front().refunded_total == eur(300));
    CHECK_FALSE(refunded->front().amount.has_value());
    CHECK(refunded->front().action == "svc_card_charge_refunded");
    CHECK(refunded->front().object.dump().find("a@b.c") == std::string::npos);
    const auto other = desk.event(of_event("invoice.created", R"({"id":"in_1"})"));
    CHECK(other->front().kind == payment::Event::Kind::other);
    CHECK(other->front().action.empty());
}

TEST_CASE("an event without a proof, and a proven one that is no event, are refused alike") {
    Desk desk;
    const auto body = of_event("payment_intent.succeeded", intent("succeeded", received));
    CHECK(static_cast<bool>(desk.event(body, "whsec_old")));  // keys are being changed
    desk.at.config.erase("previous_webhook_secret");
    for (const auto& refused :
         {desk.event(body, "whsec_old"), desk.event(body, "wrong"), desk.event(body, "whsec_new", "Card-Signature", 1),
          desk.event("no json"), desk.event("[]"), desk.event(R"({"type":"x"})"), desk.event(R"({"id":"evt_1"})"),
          desk.gateway->webhook(desk.at, {.headers = {}, .body = body})}) {
        CHECK(is_refused(refused, errc::webhook_rejected));
    }
    desk.at.config.erase("webhook_secret");
    CHECK(is_refused(desk.event(body, ""), errc::webhook_rejected));
}

TEST_CASE("the button asks Stripe who we are") {
    Desk desk;
    desk.provider.will(R"({"id":"acct_1","object":"account"})");
    CHECK(desk.gateway->probe(desk.at).value() == "Stripe accepted the key of account acct_1.");
    desk.provider.will(R"({"error":{"type":"invalid_request_error"}})", 401);
    CHECK(desk.gateway->probe(desk.at).error().message() == "The provider rejected the stored key.");
}

TEST_CASE("a charge without a booking takes nothing until it is captured, and is cancelled when nobody wants it") {
    Desk desk;
    desk.wanted.hold = true;
    desk.wanted.booking_id = 0;
    desk.provider.will(intent("requires_payment_method"));
    CHECK(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(desk.provider.asked[0].body.find("&capture_method=manual") != std::string::npos);
    CHECK(desk.provider.asked[0].body.find("booking_id") == std::string::npos);

    desk.inquiry.may_capture = false;
    desk.inquiry.release = true;
    desk.provider.will(intent("requires_capture"));
    desk.provider.will(intent("canceled"));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::cancelled);
    CHECK(desk.provider.line(2) == "POST http://127.0.0.1:4009/v1/payment_intents/pi_1/cancel");
    CHECK(desk.provider.header(2, "Idempotency-Key") == "book-7-1:cancel");
    // A paid charge stays paid; the result of a rejected cancellation is unknown.
    desk.provider.will(intent("succeeded", received));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::paid);
    desk.provider.will(intent("requires_capture"));
    desk.provider.will(R"({"error":{"type":"invalid_request_error"}})", 400);
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
}

TEST_CASE("keys count in their own world alone, and so do events") {
    Desk desk;
    const auto offered = [&](bool test_mode) {
        Value config = desk.at.config;
        config.set("test_mode", test_mode);
        return desk.gateway->available(config, eur(1));
    };
    CHECK(offered(true));
    CHECK(offered(false));
    desk.at.config.set("live_secret_key", "sk_test_2");
    CHECK(offered(true));
    CHECK_FALSE(offered(false));
    desk.at.config.set("live_secret_key", "rk_live_2");
    desk.at.config.set("test_secret_key", "sk_live_1");
    CHECK_FALSE(offered(true));
    CHECK(is_refused(desk.gateway->intent(desk.at, desk.wanted)));  // nothing is sent by a live key in test mode
    CHECK(desk.provider.asked.empty());

    const auto event = [](const char* live) {
        return std::string(R"({"id":"evt_1","livemode":)") + live +
               R"(,"type":"invoice.created","data":{"object":{}}})";
    };
    CHECK(static_cast<bool>(desk.event(event("false"))));
    CHECK(is_refused(desk.event(event("true")), errc::webhook_rejected));
    desk.at.sandbox = false;
    CHECK(static_cast<bool>(desk.event(event("true"))));
    CHECK(is_refused(desk.event(event("false")), errc::webhook_rejected));
    CHECK(static_cast<bool>(desk.event(R"({"id":"evt_1","type":"payment_intent.succeeded"})")));
}

TEST_CASE("an intent that waits for our capture is reported as one to be looked into at once") {
    Desk desk;
    const auto waiting = desk.event(of_event("payment_intent.amount_capturable_updated", intent("requires_capture")));
    CHECK(waiting->front().kind == payment::Event::Kind::processing);
    CHECK(waiting->front().intent_id == "pi_1");
    CHECK(waiting->front().action.empty());
}

TEST_CASE("stripe is not offered in a currency that it does not carry, whatever the amount") {
    Desk desk;
    for (const char* code : {"IRR", "KPW", "XAU", "BTN", "CUP"})
        for (const std::int64_t minor : {0, 10'000})
            if (const auto currency = Currency::parse(code))
                CHECK_FALSE(desk.gateway->available(desk.at.config, Money(minor, *currency)));
    for (const char* code : {"EUR", "JPY", "KWD", "ISK"})
        CHECK(desk.gateway->available(desk.at.config, Money(0, Currency::parse(code).value())));
}
