// A way of paying is switched on only where customers can read how to pay by it, whichever way it is switched.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Office {
    explicit Office(Database& database) : base(database, &svc_plugin_entry), boss(base.user("administrator")) {
        base.given_license("agency");
    }
    Answered settings(const char* body) { return base.call("PUT", "/settings", body, boss); }
    Answered gateway(const char* id, const char* body) {
        return base.call("POST", "/payment/gateways/" + std::string(id) + "/config", body, boss);
    }
    std::string listed() { return base.get("/settings", boss).data()["payment_gateways"].dump(); }

    TestBase base;
    Visitor boss;
};

void each_office(const std::function<void(Office&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Office office(database);
        body(office);
    });
}

}  // namespace

TEST_CASE("a bank transfer without an account is offered by no switch, and with one by each") {
    each_office([](Office& office) {
        for (const char* name : {"payment_gateways", "payment_methods"}) {
            CAPTURE(name);
            const std::string body = std::string("{\"") + name + R"(":["pay_later","bank_transfer"]})";
            const auto refused = office.settings(body.c_str());
            CHECK(refused.status == 400);
            CHECK(refused.field() == name);
            const std::string why = refused.body["data"]["errors"][name][std::size_t{0}].text();
            CHECK(why.starts_with("Bank transfer: Account holder is missing."));
            CHECK(why.find("Account number is missing.") != std::string::npos);
        }
        CHECK(office.gateway("bank_transfer", R"({"enabled":true})").status == 400);
        CHECK(office.gateway("bank_transfer", R"({"enabled":true,"account_name":"Ada Tours","account_number":" "})")
                  .field() == "account_number");
        CHECK(office.listed() == R"(["pay_later"])");
        // Half an account is none.
        CHECK(office.gateway("bank_transfer", R"({"account_name":"Ada Tours"})").status == 200);
        CHECK(office.settings(R"({"payment_gateways":["bank_transfer"]})").status == 400);
        CHECK(office.gateway("bank_transfer", R"({"account_number":"DE02"})").status == 200);
        CHECK(office.settings(R"({"payment_gateways":["pay_later","bank_transfer"]})").status == 200);
        // An account that is in use is not taken away.
        CHECK(office.gateway("bank_transfer", R"({"account_number":""})").field() == "account_number");
        CHECK(office.settings(R"({"payment_gateways":["pay_later"]})").status == 200);
        CHECK(office.gateway("bank_transfer", R"({"enabled":true})").status == 200);
        CHECK(office.listed() == R"(["pay_later","bank_transfer"])");
    });
}

TEST_CASE("a gateway of a provider is listed only with its keys, and the account may come with the switch") {
    each_office([](Office& office) {
        CHECK(office.settings(R"({"payment_gateways":["pay_later","paypal"]})").field() == "payment_gateways");
        CHECK(office.settings(R"({"payment_gateways":["pay_later","stripe"]})").field() == "payment_gateways");
        CHECK(office.gateway("bank_transfer", R"({"enabled":true,"account_name":"Ada Tours","account_number":"DE02"})")
                  .status == 200);
        CHECK(office.listed() == R"(["pay_later","bank_transfer"])");
    });
}

TEST_CASE("pay later keeps a text that says how to pay, whichever way it is emptied") {
    each_office([](Office& office) {
        for (const char* body : {R"({"instructions":""})", R"({"instructions":"  "})",
                                 R"({"enabled":true,"instructions":""})", R"({"instructions":null})"}) {
            CAPTURE(body);
            const auto refused = office.gateway("pay_later", body);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "instructions");
        }
        CHECK(office.settings(R"({"payment_gateways":[]})").status == 200);
        CHECK(office.gateway("pay_later", R"({"instructions":""})").status == 400);
        CHECK(office.settings(R"({"payment_gateways":["pay_later"]})").status == 200);
        const auto shown = office.base.get("/payment/gateways");
        REQUIRE(shown.data()["gateways"].size() == 1);
        CHECK(shown.data()["gateways"][std::size_t{0}].text_or("id") == "pay_later");
    });
}
