// The gateway razorpay against a provider whose messages have the shapes that Razorpay documents, wrong ones included.
#include "pro/gateways/razorpay.hpp"

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/razorpay_wire.hpp"
#include "tests/pro/gateways/scripted_provider.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Money inr(std::int64_t minor) { return {minor, Currency::parse("INR").value()}; }

struct Desk {
    ScriptedProvider provider;
    std::unique_ptr<plugin::Gateway> gateway = pro::gateways::razorpay_gateway(provider.send());
    payment::Situation at{.config = Value::object({{"live_key_id", "rzp_live_1"},
                                                   {"live_key_secret", "live"},
                                                   {"test_key_id", "rzp_test_1"},
                                                   {"test_key_secret", "s3cret"},
                                                   {"webhook_secret", "hook"},
                                                   {"previous_webhook_secret", ""}}),
                          .sandbox = true,
                          .api_base = "http://127.0.0.1:4100",
                          .now = Instant::from_micros(1'700'000'000'000'000)};
    payment::IntentRequest wanted{.key = "book-7-1",
                                  .amount = inr(50'000),
                                  .booking_id = 7,
                                  .booking_reference = "SVC-1",
                                  .customer_name = "Ada",
                                  .customer_email = "ada@example.org"};
    payment::Inquiry inquiry{
        .key = "book-7-1", .intent_id = "order_1", .transaction_id = "pay_1", .amount = inr(50'000), .booking_id = 7};

    Result<std::vector<payment::Event>> event(const std::string& body, const std::string& secret = "hook") {
        return gateway->webhook(
            at, {.headers = {{"X-Razorpay-Signature", pro::crypto::hmac_sha256_hex(secret, body)}}, .body = body});
    }
};

const std::string none = R"({"entity":"collection","count":0,"items":[]})";

std::string order(const std::string& amount = "50000") {
    return R"({"id":"order_1","entity":"order","amount":)" + amount +
           R"(,"amount_paid":0,"currency":"INR","status":"created"})";
}
std::string paid(const std::string& status, const std::string& more = "", const std::string& of = "order_1") {
    return R"({"id":"pay_1","entity":"payment","amount":50000,"currency":"INR","status":")" + status +
           R"(","order_id":")" + of + R"(","method":"upi","email":"a@b.c","card":{"last4":"1111"})" + more + "}";
}

}  // namespace

TEST_CASE("an order is made once for a key: one with its receipt is taken again") {
    Desk desk;
    desk.provider.will(none);
    desk.provider.will(order());
    const auto made = desk.gateway->intent(desk.at, desk.wanted);
    REQUIRE(static_cast<bool>(made));
    CHECK(made->id == "order_1");
    CHECK(made->client["key_id"].text() == "rzp_test_1");
    CHECK(made->client["amount"].integer() == 50'000);
    const std::string receipt = pro::gateways::razorpay::receipt_of("book-7-1");
    CHECK(receipt.size() == 40);
    CHECK(desk.provider.line(0) == "GET http://127.0.0.1:4100/v1/orders?receipt=" + receipt);
    CHECK(desk.provider.line(1) == "POST http://127.0.0.1:4100/v1/orders");
    CHECK(desk.provider.header(1, "Authorization") == "Basic " + pro::crypto::base64("rzp_test_1:s3cret"));
    CHECK(desk.provider.asked[1].body == R"({"amount":50000,"currency":"INR","receipt":")" + receipt +
                                             R"(","notes":{"booking_id":"7","booking_reference":"SVC-1"}})");

    desk.provider.will(R"({"entity":"collection","count":1,"items":[)" + order() + "]}");
    CHECK(desk.gateway->intent(desk.at, desk.wanted)->id == "order_1");
    CHECK(desk.provider.asked.size() == 3);  // none was made

    desk.provider.will(none);
    desk.provider.will(order("49999"));
    CHECK(is_unknown(desk.gateway->intent(desk.at, desk.wanted)));
}

TEST_CASE("the page's signature is the one that the official SDK checks") {
    // razorpay-node: validatePaymentVerification({order_id, payment_id}, signature, secret)
    using pro::gateways::razorpay::proves;
    const std::string right = pro::crypto::hmac_sha256_hex("s3cret", "order_1|pay_1");
    CHECK(right == "44422d618d76e6e81c5f002f4d5108385750b52eb8db4e9c7a4231ddfac02840");
    CHECK(proves("order_1", "pay_1", right, "s3cret"));
    CHECK_FALSE(proves("order_1", "pay_2", right, "s3cret"));
    CHECK_FALSE(proves("order_1", "pay_1", right, "other"));
    CHECK_FALSE(proves("order_1", "pay_1", pro::crypto::hmac_sha256_hex("", "order_1|pay_1"), ""));
}

TEST_CASE("a payment counts once Razorpay reports it as captured, with the reported amount") {
    Desk desk;
    desk.inquiry.proof =
        Value::object({{"razorpay_signature", pro::crypto::hmac_sha256_hex("s3cret", "order_1|pay_1")}});
    desk.provider.will(paid("captured", R"(,"fee":1180)"));
    const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
    REQUIRE(static_cast<bool>(charge));
    CHECK(charge->progress == payment::Progress::paid);
    CHECK(charge->transaction_id == "pay_1");
    CHECK(charge->intent_id == "order_1");
    CHECK(charge->amount == inr(50'000));
    CHECK(charge->fee == inr(1'180));
    CHECK(desk.provider.line(0) == "GET http://127.0.0.1:4100/v1/payments/pay_1?expand%5B%5D=card");

    desk.inquiry.proof = Value::object({{"razorpay_signature", "0"}});
    CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry), errc::validation_error));
    CHECK(desk.provider.asked.size() == 1);  // not even asked for
}

TEST_CASE("an authorized payment is captured; one that somebody captured meanwhile is seen again") {
    Desk desk;
    desk.provider.will(paid("authorized"));
    desk.provider.will(paid("captured"));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::paid);
    CHECK(desk.provider.line(1) == "POST http://127.0.0.1:4100/v1/payments/pay_1/capture");
    CHECK(desk.provider.asked[1].body == R"({"amount":50000,"currency":"INR"})");

    const std::string already = R"({"error":{"code":"BAD_REQUEST_ERROR","reason":"payment_already_captured"}})";
    desk.provider.will(paid("authorized"));
    desk.provider.will(already, 400);
    desk.provider.will(paid("captured"));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::paid);

    desk.provider.will(paid("authorized"));
    desk.provider.will(already, 400);
    desk.provider.will(paid("authorized"));
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));

    desk.inquiry.may_capture = false;
    desk.provider.will(paid("authorized"));
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::processing);
}

TEST_CASE("without the page's word the order's payments are asked for, and the most telling one counts") {
    Desk desk;
    desk.inquiry.transaction_id.clear();
    desk.provider.will(none);
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::waiting);
    CHECK(desk.provider.line(0) == "GET http://127.0.0.1:4100/v1/orders/order_1/payments?expand%5B%5D=card");
    desk.provider.will(R"({"items":[)" + paid("failed", R"(,"error_description":"No funds")") + "]}");
    const auto failed = desk.gateway->confirm(desk.at, desk.inquiry);
    CHECK(failed->progress == payment::Progress::failed);
    CHECK(failed->reason == "No funds");
    desk.provider.will(R"({"items":[)" + paid("failed") + "," + paid("captured") + "," + paid("created") + "]}");
    CHECK(desk.gateway->confirm(desk.at, desk.inquiry)->progress == payment::Progress::paid);
    desk.provider.will(R"({"items":{}})");
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
}

TEST_CASE("a payment of another order, unknown states and broken answers are never believed") {
    Desk desk;
    desk.provider.will(paid("captured", "", "order_2"));
    CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry), errc::validation_error));
    for (
        const std::string& text :
        {paid("invented"), std::string("{}"), std::string("<html>"), std::string(""),
         std::string(R"({"id":"pay_1","entity":"payment","status":"captured","order_id":"order_1"})"),
         std::string(
             R"({"id":"pay_1","entity":"payment","status":"captured","amount":"50000","currency":"INR","order_id":"order_1"})")}) {
        CAPTURE(text);
        desk.provider.will(text);
        CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    }
    desk.provider.will_not();
    CHECK(is_unknown(desk.gateway->confirm(desk.at, desk.inquiry)));
    desk.provider.will(R"({"error":{"code":"BAD_REQUEST_ERROR","description":"The id provided does not exist"}})", 400);
    CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry), errc::validation_error));
    for (const char* id : {"pay_1/refund", "ch_1", "pay_1?x=1"}) {
        desk.inquiry.transaction_id = id;
        CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry), errc::validation_error));
    }
    desk.inquiry.intent_id = "order_1/../";
    CHECK(is_refused(desk.gateway->confirm(desk.at, desk.inquiry)));
}

TEST_CASE("a refund is made once for a key and has the status that Razorpay reports") {
    Desk desk;
    const payment::RefundRequest wanted{.key = "refund-3",
                                        .intent_id = "order_1",
                                        .transaction_id = "pay_1",
                                        .amount = inr(200),
                                        .captured = inr(50'000),
                                        .reason = "ill"};
    for (const auto& [status, progress] :
         {std::pair("processed", payment::Progress::paid), std::pair("pending", payment::Progress::processing),
          std::pair("failed", payment::Progress::failed)}) {
        desk.provider.will(
            R"({"id":"rfnd_1","entity":"refund","amount":200,"currency":"INR","payment_id":"pay_1","status":")" +
            std::string(status) + "\"}");
        const auto made = desk.gateway->refund(desk.at, wanted);
        REQUIRE(static_cast<bool>(made));
        CHECK(made->progress == progress);
        CHECK(made->amount == inr(200));
    }
    CHECK(desk.provider.line(0) == "POST http://127.0.0.1:4100/v1/payments/pay_1/refund");
    CHECK(desk.provider.header(0, "X-Refund-Idempotency") == pro::gateways::razorpay::receipt_of("refund-3"));
    desk.provider.will(R"({"error":{"code":"BAD_REQUEST_ERROR"}})", 400);
    CHECK(is_refused(desk.gateway->refund(desk.at, wanted)));
    desk.provider.will("{}", 504);
    CHECK(is_unknown(desk.gateway->refund(desk.at, wanted)));
}

TEST_CASE("events are told apart; a copy of one has its id, another content has another") {
    Desk desk;
    const auto of = [](const std::string& type, const std::string& payload) {
        return R"({"entity":"event","event":")" + type + R"(","payload":)" + payload + "}";
    };
    const std::string captured =
        of("payment.captured", R"({"payment":{"entity":)" + paid("captured", R"(,"notes":{"booking_id":"7"})") + "}}");
    const auto one = desk.event(captured);
    REQUIRE(static_cast<bool>(one));
    CHECK(one->front().kind == payment::Event::Kind::paid);
    CHECK(one->front().intent_id == "order_1");
    CHECK(one->front().transaction_id == "pay_1");
    CHECK(one->front().amount == inr(50'000));
    CHECK(one->front().booking_id == 7);
    CHECK(one->front().object.dump().find("a@b.c") == std::string::npos);
    CHECK(one->front().object.dump().find("1111") == std::string::npos);
    CHECK(desk.event(captured)->front().id == one->front().id);
    CHECK(desk.event(captured + " ")->front().id != one->front().id);

    const auto failed =
        desk.event(of("payment.failed",
                      R"({"payment":{"entity":)" + paid("failed", R"(,"notes":[],"error_description":"No")") + "}}"));
    CHECK(failed->front().kind == payment::Event::Kind::failed);
    CHECK(failed->front().reason == "No");
    CHECK_FALSE(failed->front().booking_id.has_value());
    const auto refunded = desk.event(of(
        "refund.processed",
        R"({"refund":{"entity":{"id":"rfnd_1","amount":200,"currency":"INR","payment_id":"pay_1"}},"payment":{"entity":)" +
            paid("captured", R"(,"amount_refunded":300)") + "}}"));
    CHECK(refunded->front().kind == payment::Event::Kind::refunded);
    CHECK(refunded->front().refund_id == "rfnd_1");
    CHECK(refunded->front().amount == inr(200));
    CHECK(refunded->front().refunded_total == inr(300));
    CHECK(desk.event(of("settlement.processed", "{}"))->front().kind == payment::Event::Kind::other);
}

TEST_CASE("an event without Razorpay's proof is refused, also while no secret is configured") {
    Desk desk;
    const std::string body = R"({"event":"payment.captured"})";
    CHECK(static_cast<bool>(desk.event(body)));
    desk.at.config.set("webhook_secret", "next");
    desk.at.config.set("previous_webhook_secret", "hook");
    CHECK(static_cast<bool>(desk.event(body)));  // secrets are being changed
    desk.at.config.set("previous_webhook_secret", "");
    for (const auto& refused : {desk.event(body), desk.event("no json", "next"), desk.event("{}", "next"),
                                desk.gateway->webhook(desk.at, {.headers = {}, .body = body})})
        CHECK(is_refused(refused, errc::webhook_rejected));
    desk.at.config.set("webhook_secret", "  ");
    CHECK(is_refused(desk.event(body, ""), errc::webhook_rejected));
    CHECK(is_refused(desk.event(body, "  "), errc::webhook_rejected));
}

TEST_CASE("razorpay declares its limits, and its keys are valid in their own mode alone") {
    Desk desk;
    const auto& info = desk.gateway->info();
    CHECK_FALSE(info.can(payment::ability::holds));
    const auto offered = [&](bool test_mode) {
        Value config = desk.at.config;
        config.set("test_mode", test_mode);
        return desk.gateway->available(config, desk.wanted.amount);
    };
    CHECK(offered(true) == true);
    desk.at.config.set("live_key_id", "rzp_test_1");
    CHECK(offered(true));
    CHECK_FALSE(offered(false));
    desk.at.config.set("test_key_id", "rzp_live_1");
    CHECK_FALSE(offered(true));
}

TEST_CASE("a card that the customer lets us keep is kept by the provider, under one customer of theirs") {
    Desk desk;
    desk.wanted.save_method = true;
    desk.wanted.customer_phone = "+44 20 7946 0001";
    desk.provider.will(R"({"id":"cust_1","entity":"customer","name":"Ada","email":"ada@example.org"})");
    desk.provider.will(none);
    desk.provider.will(order());
    const auto made = desk.gateway->intent(desk.at, desk.wanted);
    REQUIRE(static_cast<bool>(made));
    CHECK(made->client["customer_id"].text() == "cust_1");
    CHECK(made->client["recurring"].text() == "1");
    CHECK(desk.provider.line(0) == "POST http://127.0.0.1:4100/v1/customers");
    CHECK(desk.provider.asked[0].body ==
          R"({"name":"Ada","email":"ada@example.org","contact":"+44 20 7946 0001","fail_existing":0})");
    const auto sent = json::parse(desk.provider.asked[2].body).value();
    CHECK(sent["customer_id"].text() == "cust_1");
    CHECK(sent["method"].text() == "card");
    CHECK(sent["token"]["max_amount"].integer() == 1'500'000);
    CHECK(sent["token"]["expire_at"].integer() == 1'700'000'000 + 3650LL * 86'400);
    CHECK(sent["token"]["frequency"].text() == "as_presented");

    desk.wanted.gateway_customer = "cust_9";  // whom the provider knows already
    desk.wanted.amount = inr(2'000'000);
    desk.provider.will(none);
    desk.provider.will(order("2000000"));
    REQUIRE(static_cast<bool>(desk.gateway->intent(desk.at, desk.wanted)));
    CHECK(json::parse(desk.provider.asked[4].body).value()["customer_id"].text() == "cust_9");
    CHECK(json::parse(desk.provider.asked[4].body).value()["token"]["max_amount"].integer() == 2'000'000);

    desk.wanted.gateway_customer.clear();
    desk.provider.will(R"({"id":"../x","entity":"customer"})");
    CHECK(is_unknown(desk.gateway->intent(desk.at, desk.wanted)));
}

TEST_CASE("a paid charge returns the saved card, without its number") {
    Desk desk;
    const std::string kept =
        R"(,"customer_id":"cust_1","token_id":"token_1","card":{"network":"Visa","last4":"4366","name":"Ada"})";
    const auto with = [&](const std::string& status) {
        return R"({"id":"pay_1","entity":"payment","amount":50000,"currency":"INR","status":")" + status +
               R"(","order_id":"order_1","method":"card")" + kept + "}";
    };
    desk.provider.will(with("authorized"));
    desk.provider.will(paid("captured"));
    const auto charge = desk.gateway->confirm(desk.at, desk.inquiry);
    REQUIRE(static_cast<bool>(charge));
    CHECK(charge->progress == payment::Progress::paid);
    REQUIRE(charge->saved.has_value());
    CHECK(charge->saved->customer == "cust_1");
    CHECK(charge->saved->method == "token_1");
    CHECK(charge->saved->brand == "Visa");
    CHECK(charge->saved->last4 == "4366");
    CHECK(charge->details.dump().find("4366") == std::string::npos);

    desk.provider.will(paid("captured"));
    CHECK(!desk.gateway->confirm(desk.at, desk.inquiry)->saved);
}

TEST_CASE("a saved card is charged once for a key, and not when the provider declines") {
    Desk desk;
    payment::SavedCharge wanted{.key = "plan-1",
                                .method = {.customer = "cust_1", .method = "token_1"},
                                .amount = inr(50'000),
                                .booking_id = 7,
                                .booking_reference = "SVC-1",
                                .description = "Walk",
                                .customer_email = "ada@example.org",
                                .customer_phone = "+44 20 7946 0001"};
    desk.provider.will(none);
    desk.provider.will(order());
    desk.provider.will(none);
    desk.provider.will(R"({"razorpay_payment_id":"pay_1","razorpay_order_id":"order_1","razorpay_signature":"x"})");
    desk.provider.will(paid("authorized"));
    desk.provider.will(paid("captured"));
    const auto charge = desk.gateway->charge_saved(desk.at, wanted);
    REQUIRE(static_cast<bool>(charge));
    CHECK(charge->progress == payment::Progress::paid);
    CHECK(charge->amount == inr(50'000));
    CHECK(charge->transaction_id == "pay_1");
    CHECK(desk.provider.line(3) == "POST http://127.0.0.1:4100/v1/payments/create/recurring");
    CHECK(desk.provider.asked[3].body ==
          R"({"email":"ada@example.org","contact":"+44 20 7946 0001","amount":50000,"currency":"INR",)"
          R"("order_id":"order_1","customer_id":"cust_1","token":"token_1","recurring":true,"description":"Walk",)"
          R"("notes":{"booking_id":"7","booking_reference":"SVC-1"}})");

    // Asked again, as after an answer that was lost: the order's payment is found.
    desk.provider.will(R"({"entity":"collection","count":1,"items":[)" + order() + "]}");
    desk.provider.will(R"({"entity":"collection","count":1,"items":[)" + paid("captured") + "]}");
    CHECK(desk.gateway->charge_saved(desk.at, wanted)->transaction_id == "pay_1");
    CHECK(desk.provider.asked.size() == 8);

    desk.provider.will(none);
    desk.provider.will(order());
    desk.provider.will(none);
    desk.provider.will(R"({"error":{"code":"BAD_REQUEST_ERROR","reason":"token_expired"}})", 400);
    CHECK(is_refused(desk.gateway->charge_saved(desk.at, wanted)));

    desk.provider.will(none);
    desk.provider.will(order());
    desk.provider.will(R"({"entity":"collection","count":1,"items":[)" + paid("captured", "", "order_2") + "]}");
    CHECK(is_unknown(desk.gateway->charge_saved(desk.at, wanted)));

    wanted.method.method = "../x";
    CHECK(is_refused(desk.gateway->charge_saved(desk.at, wanted)));
}

TEST_CASE("a kept card that is taken away is forgotten by the provider") {
    Desk desk;
    desk.provider.will(R"({"deleted":true})");
    CHECK(static_cast<bool>(desk.gateway->forget_saved(desk.at, {.customer = "cust_1", .method = "token_1"})));
    CHECK(desk.provider.line(0) == "DELETE http://127.0.0.1:4100/v1/customers/cust_1/tokens/token_1");
    CHECK(is_refused(desk.gateway->forget_saved(desk.at, {.customer = "cust_1/x", .method = "token_1"})));
    CHECK(desk.gateway->info().can(payment::ability::saved_methods));
}

TEST_CASE("razorpay is not offered in a currency that it does not carry, whatever the amount") {
    Desk desk;
    for (const char* code : {"IRR", "KPW", "XAU", "ANG"})
        for (const std::int64_t minor : {0, 10'000})
            if (const auto currency = Currency::parse(code))
                CHECK_FALSE(desk.gateway->available(desk.at.config, Money(minor, *currency)));
    CHECK(desk.gateway->available(desk.at.config, Money(0, Currency::parse("KWD").value())));
    CHECK_FALSE(desk.gateway->available(desk.at.config, Money(1'001, Currency::parse("KWD").value())));
    CHECK(desk.gateway->available(desk.at.config, inr(0)));
}
