// The gateway bank_transfer as a customer and the base meet it.
#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

struct Bank : Stand {
    bool confirm = true;
    const payment::Gateway* gateway = nullptr;
    json::Value config = json::Value::object({{"bank_name", "Rhine Bank"},
                                              {"account_name", "Ada Tours"},
                                              {"account_number", "DE02 1203 0000 0000 2020 51"},
                                              {"routing_code", "BYLADEM1001"},
                                              {"instructions", ""}});
    Bank() {
        confirms = [this](std::int64_t id, bool in_full) -> Result<bool> {
            if (id != 50)
                return errc::booking_not_found;
            CHECK_FALSE(in_full);  // recorded by hand, a transfer settles nothing by itself
            return confirm;
        };
        REQUIRE(attach(&svc_plugin_entry));
        gateway = gateways.find("bank_transfer");
        REQUIRE(gateway);
    }
    std::string instructions(std::int64_t id = 50) {
        std::string text;
        for (const Sentence& line :
             gateway->instructions(config, json::Value::object({{"id", id}, {"reference", "SVC-1234"}})))
            text += (text.empty() ? "" : "\n") + line.english();
        return text;
    }
};

}  // namespace

TEST_CASE("bank_transfer is offline and asks for an account and the working days to pay") {
    Bank bank;
    const auto& info = bank.gateway->info();
    CHECK(info.is_offline);
    CHECK(info.requires_pro);
    std::vector<std::string> fields;
    for (const auto& field : info.fields)
        fields.push_back(field.id);
    CHECK(fields == std::vector<std::string>{"bank_name", "account_name", "account_number", "routing_code",
                                             "instructions", "payment_deadline_working_days"});
}

TEST_CASE("bank_transfer is offered once there is an account to pay to") {
    Bank bank;
    const Money amount(19900, Currency::usd());
    CHECK(bank.gateway->available(bank.config, amount));
    for (const auto* field : {"account_name", "account_number"}) {
        auto incomplete = bank.config;
        incomplete.set(field, "");
        CHECK_FALSE(bank.gateway->available(incomplete, amount));
    }
    CHECK_FALSE(bank.gateway->available(json::Value::object(), amount));
}

TEST_CASE("the instructions name account and reference, and leave out what is not configured") {
    Bank bank;
    const auto text = bank.instructions();
    CHECK(text.find("Bank: Rhine Bank\n") != std::string::npos);
    CHECK(text.find("Account number: DE02 1203 0000 0000 2020 51\n") != std::string::npos);
    CHECK(text.find("Reference: SVC-1234\n") != std::string::npos);
    bank.config.set("routing_code", "");
    CHECK(bank.instructions().find("Routing code") == std::string::npos);
    bank.config.set("instructions", "Pay within a week.");
    CHECK(bank.instructions().starts_with("Pay within a week.\n"));
}

TEST_CASE("the instructions say what the site's confirmation mode will do") {
    Bank bank;
    CHECK(bank.instructions().ends_with("confirmed once we have received your payment."));
    bank.confirm = false;
    CHECK(bank.instructions().ends_with("after we have received the money."));
    bank.confirm = true;
    CHECK(bank.instructions(51).ends_with("after we have received the money."));  // not a booking of ours
}
