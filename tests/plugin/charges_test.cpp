// Charges without the customer there, across the plugin interface.
#include <doctest/doctest.h>

#include "shared/plugin/host_charges.hpp"
#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// A plugin that has found the ability.
struct Charging : Stand {
    const plugin::BookingCharges* found = nullptr;
    Charging() {
        charges.kept = [](std::int64_t payment_id) -> Result<json::Value> {
            if (payment_id != 7)
                return errc::not_found;
            return json::Value::object({{"method_id", 3}, {"gateway", "stripe"}, {"keeps_methods", true}});
        };
        charges.charge = [this](const plugins::ChargeRequest& request) { return charge(request); };
    }
    bool attaches() {
        return static_cast<bool>(attach([this](plugin::Host& host) { found = host.find<plugin::BookingCharges>(); }));
    }
    std::vector<plugins::ChargeRequest> asked;
    std::function<Result<json::Value>(const plugins::ChargeRequest&)> charge = [this](const auto& request) {
        asked.push_back(request);
        return json::Value::object({{"progress", "paid"},
                                    {"payment_id", 12},
                                    {"transaction_id", "ch_1"},
                                    {"gateway", "stripe"},
                                    {"method", "Card"},
                                    {"reason", ""}});
    };
    const plugin::BookingCharges::Request request{
        .booking_id = 50, .method_id = 3, .amount = Money{1234, Currency::parse("KWD").value()}, .key = "sched:1:1"};
};

}  // namespace

TEST_CASE("a charge crosses as it is asked for, and its answer as it was given") {
    Charging base;
    REQUIRE(base.attaches());
    REQUIRE(base.found);
    const auto charged = base.found->charge(base.request);
    REQUIRE(charged);
    REQUIRE(base.asked.size() == 1);
    CHECK(base.asked[0].booking_id == 50);
    CHECK(base.asked[0].method_id == 3);
    CHECK(base.asked[0].amount == base.request.amount);
    CHECK(base.asked[0].key == "sched:1:1");
    CHECK(charged->progress == payment::Progress::paid);
    CHECK(charged->payment_id == 12);
    CHECK(charged->transaction_id == "ch_1");
    CHECK(charged->gateway == "stripe");
    CHECK(charged->method == "Card");

    const auto kept = base.found->agreed_method(7);
    REQUIRE(kept);
    CHECK(kept->method_id == 3);
    CHECK(kept->gateway == "stripe");
    CHECK(kept->keeps_methods);
    const auto unknown = base.found->agreed_method(8);
    REQUIRE(!unknown);
    CHECK(unknown.error().code().name == "svc_not_found");
}

TEST_CASE("a charge that the base refuses, or that throws there, is told apart") {
    Charging base;
    REQUIRE(base.attaches());
    base.charge = [](const auto&) -> Result<json::Value> { return errc::charge_in_progress; };
    const auto refused = base.found->charge(base.request);
    REQUIRE(!refused);
    CHECK(refused.error().code().name == "charge_in_progress");
    base.charge = [](const auto&) -> Result<json::Value> { throw store::Unavailable("gone"); };
    CHECK_THROWS_AS(static_cast<void>(base.found->charge(base.request)), store::Unavailable);
    // Without an answer it is not known how it ended: nothing may be taken for a refusal.
    base.charge = [](const auto&) -> Result<json::Value> { return json::Value::object({{"progress", "perhaps"}}); };
    CHECK_THROWS(static_cast<void>(base.found->charge(base.request)));
}

TEST_CASE("a base that cannot charge has no such ability") {
    Charging base;
    base.charges = {};
    REQUIRE(base.attaches());
    CHECK_FALSE(base.found);
}
