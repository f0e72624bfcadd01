// Gateways as the operator sets them up: fields checked, secrets sealed at rest and masked on the way out.
#include <fstream>
#include <iterator>

#include "base/payment/wire.hpp"
#include "tests/base/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

constexpr const char* secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";

class CardGateway final : public payment::Gateway {
  public:
    [[nodiscard]] const payment::GatewayInfo& info() const override { return info_; }
    [[nodiscard]] bool available(const json::Value& config, const Money&) const override {
        return !config.text_or("key").empty();
    }
    [[nodiscard]] std::string instructions(const json::Value&, const json::Value&) const override { return {}; }

  private:
    static payment::GatewayField field(const char* id, const char* type, json::Value fallback) {
        return {.id = id, .type = type, .label = id, .description = "", .fallback = std::move(fallback)};
    }
    static payment::GatewayInfo made() {
        auto key = field("key", "password", "");
        key.secret = true;
        auto days = field("days", "number", 7);
        days.least = 1;
        days.most = 60;
        auto mode = field("mode", "select", "a");
        mode.options = {"a", "b"};
        return {.id = "card",
                .title = "Card",
                .description = "",
                .icon = "",
                .fields = {key, days, field("live", "boolean", false), mode}};
    }
    const payment::GatewayInfo info_ = made();
};

json::Value object(std::initializer_list<json::NewMember> members) { return json::Value::object(members); }

std::string stored(BookingSite& site) {
    return site.real->reading<std::string>([](store::Session& session) {
        return session
            .first<std::string>("SELECT config FROM svc_payment_gateways WHERE slug = 'card'", "t", {},
                                [](const store::Row& row) { return row.text(0); })
            .value();
    });
}

void each_card_site(const std::function<void(BookingSite&, Database&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        BookingSite site(database);
        site.gateways.add(std::make_shared<CardGateway>());
        body(site, database);
    });
}

}  // namespace

TEST_CASE("a gateway's secret is sealed at rest, masked when read, and kept when its mask is written back") {
    each_card_site([](BookingSite& site, Database& database) {
        const auto first = site.payments.configure("card", object({{"key", secret}, {"enabled", true}}));
        REQUIRE(first);
        CHECK(stored(site).find(secret) == std::string::npos);
        if (database.dialect() == store::Dialect::sqlite) {
            const std::string path = database.url().substr(database.url().find(':') + 1);
            std::string bytes;
            for (const std::string end : {"", "-wal"})
                if (std::ifstream file(path + end, std::ios::binary); file)
                    bytes.append(std::istreambuf_iterator<char>(file), {});
            CHECK(bytes.find("svc_payment_gateways") != std::string::npos);
            CHECK(bytes.find(secret) == std::string::npos);
        }
        const auto shown = payment::Service::shown(*first);
        CHECK(shown["key"].text() == "****p7dc");
        CHECK(site.payments.configure("card", object({{"key", shown["key"]}, {"days", 9}})));
        const auto now = site.payments.offered("card", Money::zero(Currency::usd()));
        REQUIRE(now);
        CHECK(now->config["key"].text() == secret);
        CHECK(now->config["days"].integer() == 9);
        CHECK(site.emitted("svc_payment_gateway_config_saved") == 2);
    });
}

TEST_CASE("a mask is nothing that anybody typed: it never becomes the secret") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(site.payments.configure("card", object({{"key", "****abcd"}})));
        CHECK(site.payments.configure("card", object({{"key", "****"}})));
        CHECK(site.payments.offered("card", Money::zero(Currency::usd())).value().config["key"].text() == secret);
    });
}

TEST_CASE("a sealed secret that was moved to another gateway does not open") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.configure("card", object({{"key", secret}, {"enabled", true}})));
        const std::string sealed = json::parse(stored(site)).value()["key"].text();
        CHECK(site.keyring->open(sealed, "payment_gateways/card/key").value() == secret);
        CHECK_FALSE(site.keyring->open(sealed, "payment_gateways/other/key"));
    });
}

TEST_CASE("fields of a gateway are checked, and a bad one stores nothing") {
    each_card_site([](BookingSite& site, Database&) {
        for (const auto& [name, value] : std::vector<json::Member>{{"colour", "red"},
                                                                   {"days", 0},
                                                                   {"days", 61},
                                                                   {"days", "many"},
                                                                   {"live", "maybe"},
                                                                   {"mode", "c"},
                                                                   {"key", json::Value::array()},
                                                                   {"enabled", "maybe"}}) {
            CAPTURE(name);
            const auto done = site.payments.configure("card", object({{"title", "Cards"}, {name, value}}));
            REQUIRE(code_of(done) == "svc_validation_error");
            REQUIRE(done.error().fields().size() == 1);
            CHECK(done.error().fields()[0].field == name);
        }
        CHECK(site.number("SELECT COUNT(*) FROM svc_payment_gateways") == 0);
        CHECK(code_of(site.payments.configure("barter", object({}))) == "invalid_gateway");
    });
}

TEST_CASE("a gateway is offered while it is on and can take the amount, offline ones never for a balance") {
    each_card_site([](BookingSite& site, Database&) {
        const auto names = [&](bool remaining) {
            std::vector<std::string> ids;
            for (const auto& one : site.payments.offered(Money{100, Currency::usd()}, remaining))
                ids.push_back(one.gateway->info().id);
            return ids;
        };
        using Names = std::vector<std::string>;
        CHECK(names(false) == Names{"pay_later"});
        CHECK(site.payments.configure("card", object({{"enabled", true}})));
        CHECK(names(false) == Names{"pay_later"});  // without its key it can take nothing
        CHECK(site.payments.configure("card", object({{"key", secret}})));
        CHECK(names(false) == Names{"pay_later", "card"});
        CHECK(names(true) == Names{"card"});
        CHECK(site.payments.configure("pay_later", object({{"enabled", false}})));
        CHECK(names(false) == Names{"card"});
        CHECK(code_of(site.try_booking(site.given_trip().id)) == "invalid_gateway");
    });
}

TEST_CASE("the list of gateways and their own switches are one") {
    each_card_site([](BookingSite& site, Database&) {
        const auto listed = [&] { return site.settings.get("payment_gateways").dump(); };
        CHECK(listed() == R"(["pay_later"])");
        CHECK(site.payments.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(listed() == R"(["pay_later","card"])");
        CHECK(site.payments.configure("pay_later", object({{"enabled", false}})));
        CHECK(listed() == R"(["card"])");
        site.set("payment_gateways", json::Value::array({"pay_later"}));
        CHECK_FALSE(site.payments.known("card").value().enabled);
        CHECK(site.payments.known("pay_later").value().enabled);
        const auto may = [&](json::Value wanted) {
            return code_of(payment::may_list(site.gateways, wanted, site.settings.get("payment_gateways")));
        };
        CHECK(may(json::Value::array({"card", "pay_later"})).empty());
        CHECK(may(json::Value::array({"no_such"})) == "svc_validation_error");
        site.set("payment_gateways", json::Value::array({"of_pro"}));  // while the other edition is away
        CHECK(may(json::Value::array({"of_pro", "card"})).empty());
    });
}

TEST_CASE("a gateway has the picture that the operator gave it; days of reminders are days") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.configure("card", object({{"icon", "https://site.example/card.svg"}})));
        CHECK(payment::to_json(site.payments.known("card").value()).text_or("icon") == "https://site.example/card.svg");
        for (const char* days : {"7,3,1", "14", "", "7, 3"}) {
            CAPTURE(days);
            CHECK(site.payments.configure("pay_later", object({{"reminder_days", days}})));
        }
        for (const char* days : {"soon", "7,,1", "-1", "7,3,", "700", "7;3"}) {
            CAPTURE(days);
            CHECK(code_of(site.payments.configure("pay_later", object({{"reminder_days", days}}))) ==
                  "svc_validation_error");
        }
    });
}

TEST_CASE("a gateway tells whether it could take payments, enabled or not") {
    each_card_site([](BookingSite& site, Database&) {
        const auto is_configured = [&](const char* id) {
            return payment::to_json(site.payments.known(id).value())["is_configured"].boolean();
        };
        CHECK_FALSE(is_configured("card"));
        CHECK(site.payments.configure("card", object({{"enabled", true}})));
        CHECK_FALSE(is_configured("card"));
        CHECK(site.payments.configure("card", object({{"key", secret}, {"enabled", false}})));
        CHECK(is_configured("card"));
    });
}

TEST_CASE("what another process configured counts once its change is told") {
    each_card_site([](BookingSite& site, Database&) {
        const Money nothing = Money::zero(Currency::usd());
        CHECK(site.payments.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(site.payments.offered("card", nothing));
        const auto told = [&] {
            return site.number("SELECT COALESCE(SUM(version), 0) FROM svc_change_counters WHERE channel = :channel",
                               {{"channel", payment::gateways_channel}});
        };
        CHECK(told() == 1);
        site.set("payment_gateways", json::Value::array());
        site.payments.forget_configs();
        CHECK(code_of(site.payments.offered("card", nothing)) == "invalid_gateway");
        // What is changed is what the database holds, told or not.
        site.set("payment_gateways", json::Value::array({"card"}));
        CHECK(site.payments.configure("card", object({{"days", 9}})).value().enabled);
        CHECK(told() == 2);
    });
}
