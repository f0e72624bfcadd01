// Gateways as the operator sets them up: fields checked, secrets sealed at rest and masked on the way out.
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/gateways/paypal.hpp"
#include "base/sales/payment/gateways/wire.hpp"
#include "tests/base/sales/booking/booking_site.hpp"

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
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {};
    }

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
        auto methods = field("methods", "multiselect", json::Value::array());
        methods.options = {"card", "link"};
        auto test_key = field("test_key", "text", "");
        test_key.begins = {"sk_test_", "rk_test_"};
        const auto page_key = [](const char* id, bool test_mode) {
            auto one = field(id, "text", "");
            one.test_mode = test_mode;
            one.is_public = true;
            return one;
        };
        auto words = field("words", "text", "");
        words.most = 22;
        return {.id = "card",
                .title = "Card",
                .description = "",
                .icon = "",
                .fields = {key, days, field("live", "boolean", false), mode, methods, test_key, words,
                           page_key("live_page_key", false), page_key("test_page_key", true),
                           field("api_url", "text", "https://api.example")}};
    }
    const payment::GatewayInfo info_ = made();
};

// It takes no payment without its account.
class NeedyGateway final : public payment::Gateway {
  public:
    [[nodiscard]] const payment::GatewayInfo& info() const override { return info_; }
    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {};
    }

  private:
    static payment::GatewayInfo made() {
        payment::GatewayField account{.id = "account", .type = "text", .label = "Account", .description = ""};
        account.required = true;
        return {
            .id = "needy", .title = "Needy", .description = "", .icon = "", .is_offline = true, .fields = {account}};
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
        const auto first = site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}}));
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
        const auto shown = payment::GatewayService::masked_config(*first);
        CHECK(shown["key"].text() == "****p7dc");
        CHECK(site.payments.gateways.configure("card", object({{"key", shown["key"]}, {"days", 9}})));
        const auto now = site.payments.gateways.available("card", Money::zero(Currency::usd()));
        REQUIRE(now);
        CHECK(now->config["key"].text() == secret);
        CHECK(now->config["days"].integer() == 9);
        CHECK(site.emitted("svc_payment_gateway_config_saved") == 2);
    });
}

TEST_CASE("a mask is nothing that anybody typed: it never becomes the secret") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(site.payments.gateways.configure("card", object({{"key", "****abcd"}})));
        CHECK(site.payments.gateways.configure("card", object({{"key", "****"}})));
        CHECK(site.payments.gateways.available("card", Money::zero(Currency::usd())).value().config["key"].text() ==
              secret);
    });
}

TEST_CASE("a gateway's secret must be given again when the address it is sent to changes") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure("card", object({{"api_url", "https://one.example"}})));  // no secret yet
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(site.payments.gateways.configure("card", object({{"api_url", "https://one.example"}, {"days", 9}})));
        for (const auto& change : {object({{"api_url", "https://evil.example"}}),
                                   object({{"api_url", "https://evil.example"}, {"key", "****p7dc"}})}) {
            const auto refused = site.payments.gateways.configure("card", change);
            REQUIRE_FALSE(refused);
            CHECK(refused.error().fields().at(0).field == "key");
        }
        const auto money = Money::zero(Currency::usd());
        CHECK(site.payments.gateways.available("card", money).value().config["api_url"].text() ==
              "https://one.example");
        CHECK(site.payments.gateways.configure("card", object({{"api_url", "https://two.example"}, {"key", secret}})));
        CHECK(site.payments.gateways.available("card", money).value().config["api_url"].text() ==
              "https://two.example");
    });
}

TEST_CASE("a sealed secret that was moved to another gateway does not open") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
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
                                                                   {"methods", "card"},
                                                                   {"methods", json::Value::array({"cash"})},
                                                                   {"test_key", "sk_live_1"},
                                                                   {"sandbox", "maybe"},
                                                                   {"key", json::Value::array()},
                                                                   {"enabled", "maybe"}}) {
            CAPTURE(name);
            const auto done = site.payments.gateways.configure("card", object({{"title", "Cards"}, {name, value}}));
            REQUIRE(code_of(done) == "svc_validation_error");
            REQUIRE(done.error().fields().size() == 1);
            CHECK(done.error().fields()[0].field.starts_with(name));  // methods.1
        }
        CHECK(site.number("SELECT COUNT(*) FROM svc_payment_gateways") == 0);
        CHECK(code_of(site.payments.gateways.configure("barter", object({}))) == "invalid_gateway");
    });
}

TEST_CASE("a gateway is offered while it is on and can take the amount, offline ones never for a balance") {
    each_card_site([](BookingSite& site, Database&) {
        const auto names = [&](bool remaining) {
            std::vector<std::string> ids;
            for (const auto& one : site.payments.gateways.available(Money{100, Currency::usd()}, remaining))
                ids.push_back(one.gateway->info().id);
            return ids;
        };
        using Names = std::vector<std::string>;
        CHECK(names(false) == Names{"pay_later"});
        CHECK(site.payments.gateways.configure("card", object({{"enabled", true}})));
        CHECK(names(false) == Names{"pay_later"});  // without its key it can take nothing
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}})));
        CHECK(names(false) == Names{"pay_later", "card"});
        CHECK(names(true) == Names{"card"});
        CHECK(site.payments.gateways.configure("pay_later", object({{"enabled", false}})));
        CHECK(names(false) == Names{"card"});
        CHECK(code_of(site.try_booking(site.given_trip().id)) == "invalid_gateway");
    });
}

TEST_CASE("the list of gateways and their own switches are one") {
    each_card_site([](BookingSite& site, Database&) {
        const auto listed = [&] { return site.settings.get("payment_gateways").dump(); };
        CHECK(listed() == R"(["pay_later"])");
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(listed() == R"(["pay_later","card"])");
        CHECK(site.payments.gateways.configure("pay_later", object({{"enabled", false}})));
        CHECK(listed() == R"(["card"])");
        site.set("payment_gateways", json::Value::array({"pay_later"}));
        CHECK_FALSE(site.payments.gateways.find("card").value().enabled);
        CHECK(site.payments.gateways.find("pay_later").value().enabled);
        const auto may = [&](json::Value wanted) {
            return code_of(
                payment::may_list(site.gateways, "payment_gateways", wanted, site.settings.get("payment_gateways")));
        };
        CHECK(may(json::Value::array({"card", "pay_later"})).empty());
        CHECK(may(json::Value::array({"no_such"})) == "svc_validation_error");
        site.set("payment_gateways", json::Value::array({"of_pro"}));  // while the other edition is away
        CHECK(may(json::Value::array({"of_pro", "card"})).empty());
    });
}

TEST_CASE("pay later ships a text of the company's data in four languages, and is never saved without one") {
    each_card_site([](BookingSite& site, Database&) {
        auto& gateways = site.payments.gateways;
        const auto says = [&](std::string_view locale) {
            return gateways.offline_instructions("pay_later", object({{"reference", "SVC-1"}}), locale);
        };
        for (const auto& [key, value] : {std::pair{"company_name", "Blue Boots"},
                                         {"company_email", "hello@boots.example"},
                                         {"company_phone", "+44 20 7946 0100"}})
            site.set(key, value);
        std::set<std::string> texts;
        for (const char* locale : {"en", "de", "es", "fr"}) {
            CAPTURE(locale);
            const std::string text = says(locale);
            for (const char* part : {"Blue Boots", "hello@boots.example", "+44 20 7946 0100", "SVC-1"})
                CHECK(text.find(part) != std::string::npos);
            texts.insert(text);
        }
        CHECK(texts.size() == 4);
        for (const char* empty : {"", "  \n"}) {
            const auto refused = gateways.configure("pay_later", object({{"instructions", empty}}));
            REQUIRE_FALSE(refused);
            CHECK(refused.error().fields().front().field == "instructions");
        }
        // What the form shows is saved as nothing of the operator's own: it follows the company's data.
        REQUIRE(gateways.configure("pay_later", object({{"instructions", *gateways.shipped_text("pay_later")}})));
        site.set("company_phone", "+44 20 7946 0199");
        CHECK(says("en").find("+44 20 7946 0199") != std::string::npos);
        REQUIRE(gateways.configure("pay_later", object({{"instructions", "Pay us in the shop. Name {reference}."}})));
        CHECK(says("de") == "Pay us in the shop. Name SVC-1.");
    });
}

TEST_CASE("a deadline of its own is proposed as a gateway is switched on, and counts once it is stored") {
    each_card_site([](BookingSite& site, Database&) {
        auto& gateways = site.payments.gateways;
        const auto stored = [&] {
            return gateways.find("pay_later").value().config.maybe_integer("payment_deadline_days").value_or(0);
        };
        CHECK(stored() == 0);  // on from the beginning, and nobody has decided
        REQUIRE(gateways.configure("pay_later", object({{"title", "Later"}})));
        CHECK(stored() == 0);
        REQUIRE(gateways.configure("pay_later", object({{"enabled", false}})));
        CHECK(payment::to_definition(gateways.find("pay_later").value())["config"]["payment_deadline_days"].integer() ==
              7);
        const auto asked = gateways.configure("pay_later", object({{"enabled", true}, {"payment_deadline_days", ""}}));
        REQUIRE_FALSE(asked);
        CHECK(asked.error().fields().front().field == "payment_deadline_days");
        REQUIRE(gateways.configure("pay_later", object({{"enabled", true}})));
        CHECK(stored() == 7);
        REQUIRE(gateways.configure("pay_later", object({{"payment_deadline_days", nullptr}})));
        CHECK(stored() == 0);
        // It had an effect once: older clients still send it.
        const auto older = gateways.configure("pay_later", object({{"auto_cancel_days", 3}}));
        REQUIRE(older);
        CHECK_FALSE(older->config.find("auto_cancel_days"));
    });
}

TEST_CASE("a gateway that is on cannot lose what it takes no payment without") {
    each_card_site([](BookingSite& site, Database&) {
        site.gateways.add(std::make_shared<NeedyGateway>());
        auto& gateways = site.payments.gateways;
        REQUIRE(gateways.configure("needy", object({{"enabled", true}, {"account", "DE02"}})));
        const auto refused = gateways.configure("needy", object({{"account", ""}}));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().fields().front().field == "account");
        REQUIRE(gateways.configure("needy", object({{"enabled", false}})));
        CHECK(gateways.configure("needy", object({{"account", ""}})));
        CHECK_FALSE(gateways.configure("needy", object({{"enabled", true}})));
    });
}

TEST_CASE("a gateway has the picture that the operator gave it; days of reminders are days") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure("card", object({{"icon", "https://site.example/card.svg"}})));
        CHECK(payment::to_json(site.payments.gateways.find("card").value()).text_or("icon") ==
              "https://site.example/card.svg");
        for (const char* days : {"7,3,1", "14", "", "7, 3"}) {
            CAPTURE(days);
            CHECK(site.payments.gateways.configure("pay_later", object({{"reminder_days", days}})));
        }
        for (const char* days : {"soon", "7,,1", "-1", "7,3,", "700", "7;3"}) {
            CAPTURE(days);
            CHECK(code_of(site.payments.gateways.configure("pay_later", object({{"reminder_days", days}}))) ==
                  "svc_validation_error");
        }
    });
}

TEST_CASE("a text that its gateway bounds is refused beyond that") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure("card", object({{"words", std::string(22, 'a')}})));
        const auto refused = site.payments.gateways.configure("card", object({{"words", std::string(23, 'a')}}));
        REQUIRE(code_of(refused) == "svc_validation_error");
        CHECK(refused.error().fields()[0].field == "words");
        CHECK(site.payments.gateways.configure("card", object({{"test_key", "sk_test_" + std::string(200, 'a')}})));
    });
}

TEST_CASE("a gateway reports whether it could take payments, enabled or not") {
    each_card_site([](BookingSite& site, Database&) {
        const auto is_configured = [&](const char* id) {
            return payment::to_json(site.payments.gateways.find(id).value())["is_configured"].boolean();
        };
        CHECK_FALSE(is_configured("card"));
        CHECK(site.payments.gateways.configure("card", object({{"enabled", true}})));
        CHECK_FALSE(is_configured("card"));
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", false}})));
        CHECK(is_configured("card"));
    });
}

TEST_CASE("every gateway keeps a webhook_secret, sealed and masked as its own secrets are") {
    each_booking_site([](BookingSite& site) {
        site.gateways.add(
            payment::make_paypal([](const auto&) { return Result<outbound::FetchAnswer>(errc::conflict); }));
        CHECK(site.payments.gateways.configure("paypal", object({{"webhook_secret", secret}, {"client_id", "app"}})));
        const auto known = site.payments.gateways.find("paypal").value();
        CHECK(known.config["webhook_secret"].text() == secret);
        CHECK(payment::GatewayService::masked_config(known)["webhook_secret"].text() == "****p7dc");
        CHECK(site.number("SELECT COUNT(*) FROM svc_payment_gateways WHERE config LIKE '%p7dc%'") == 0);
        CHECK(
            site.payments.gateways.configure("paypal", object({{"webhook_secret", "****p7dc"}, {"mode", "advanced"}})));
        CHECK(site.payments.gateways.find("paypal").value().config["webhook_secret"].text() == secret);
        CHECK(site.payments.gateways.configure("pay_later",
                                               object({{"webhook_secret", secret}, {"instructions", "By noon."}})));
        CHECK(payment::GatewayService::masked_config(site.payments.gateways.find("pay_later").value())["webhook_secret"]
                  .text() == "****p7dc");
        CHECK(site.number("SELECT COUNT(*) FROM svc_payment_gateways WHERE config LIKE '%p7dc%'") == 0);
        CHECK(code_of(site.payments.gateways.configure("pay_later", object({{"webhook_secrets", secret}}))) ==
              "svc_validation_error");
        CHECK(code_of(site.payments.gateways.configure("paypal", object({{"email", "nobody"}}))) ==
              "svc_validation_error");
        CHECK(site.payments.gateways.configure("paypal", object({{"email", "shop@example.org"}})));
    });
}

TEST_CASE("a customer's page is told of a gateway what is public, of the world that it works in") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.configure(
            "card", object({{"key", secret}, {"enabled", true}, {"test_key", "sk_test_1"}})));
        site.set("payment_test_mode", false);
        const auto told = [&] {
            return payment::to_json(site.payments.gateways.find("card").value())["config"].dump();
        };
        CHECK(told() == R"({"live_page_key":""})");
        CHECK(site.payments.gateways.configure("card", object({{"live_page_key", "pk_1"}, {"test_page_key", "pk_2"}})));
        CHECK(told() == R"({"live_page_key":"pk_1"})");
        CHECK(site.payments.gateways.configure("card", object({{"sandbox", true}})));
        CHECK(told() == R"({"test_page_key":"pk_2"})");
    });
}

TEST_CASE("a listener mends a gateway's configuration before it is stored, within the fields' checks") {
    each_card_site([](BookingSite& site, Database&) {
        std::string seen;
        REQUIRE(site.hooks.filter("svc_sanitize_gateway_config_row", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& arguments) {
                                      seen = arguments[0].dump() + arguments[1].text();
                                      json::Value row = arguments[0];
                                      row.set("title", row.text_or("title") + "!");
                                      row.set("days", 1000);
                                      row.set("colour", "red");
                                      return row;
                                  }));
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"title", "Cards"}, {"days", 9}})));
        const auto now = site.payments.gateways.find("card").value();
        CHECK(now.config["title"].text() == "Cards!");
        CHECK(now.config["days"].integer() == 9);
        CHECK(now.config["key"].text() == secret);
        CHECK_FALSE(now.config.find("colour"));
        CHECK(seen.find(secret) == std::string::npos);
        CHECK(seen.ends_with("card"));
    });
}

TEST_CASE("what is configured at the same time is kept, fields of one gateway and the switches of several") {
    each_card_site([](BookingSite& site, Database&) {
        for (int round = 1; round <= 5; ++round) {
            std::vector<std::thread> threads;
            const auto saves = [&](const char* gateway, json::Value fields) {
                threads.emplace_back([&site, gateway, fields = std::move(fields)] {
                    CHECK(site.payments.gateways.configure(gateway, fields));
                });
            };
            const std::string mark = std::to_string(round);
            saves("card", object({{"title", "Card " + mark}}));
            saves("card", object({{"days", round}}));
            saves("card", object({{"key", secret + mark}, {"enabled", round % 2 == 1}}));
            saves("pay_later", object({{"enabled", round % 2 == 0}}));
            for (auto& thread : threads)
                thread.join();
            site.settings.reload();
            site.payments.gateways.forget_configs();
            const auto card = site.payments.gateways.find("card").value();
            CHECK(card.config["title"].text() == "Card " + mark);
            CHECK(card.config["days"].integer() == round);
            CHECK(card.config["key"].text() == secret + mark);
            CHECK(card.enabled == (round % 2 == 1));
            CHECK(site.payments.gateways.find("pay_later").value().enabled == (round % 2 == 0));
        }
    });
}

TEST_CASE("what another process configured counts once its change is told") {
    each_card_site([](BookingSite& site, Database&) {
        const Money nothing = Money::zero(Currency::usd());
        CHECK(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
        CHECK(site.payments.gateways.available("card", nothing));
        const auto told = [&] {
            return site.number("SELECT COALESCE(SUM(version), 0) FROM svc_change_counters WHERE channel = :channel",
                               {{"channel", payment::gateways_channel}});
        };
        CHECK(told() == 1);
        site.set("payment_gateways", json::Value::array());
        site.payments.gateways.forget_configs();
        CHECK(code_of(site.payments.gateways.available("card", nothing)) == "invalid_gateway");
        // A change is the one that the database holds, reported or not.
        site.set("payment_gateways", json::Value::array({"card"}));
        CHECK(site.payments.gateways.configure("card", object({{"days", 9}})).value().enabled);
        CHECK(told() == 2);
    });
}

TEST_CASE("a list of choices and a key are kept as they were given") {
    each_card_site([](BookingSite& site, Database&) {
        CHECK(site.payments.gateways.find("card").value().config["methods"].dump() == "[]");
        REQUIRE(site.payments.gateways.configure(
            "card", object({{"methods", json::Value::array({"link"})}, {"test_key", "rk_test_1"}})));
        const auto config = site.payments.gateways.find("card").value().config;
        CHECK(config["methods"].dump() == R"(["link"])");
        CHECK(config["test_key"].text() == "rk_test_1");
        REQUIRE(site.payments.gateways.configure("card", object({{"test_key", ""}})));
        CHECK(site.payments.gateways.find("card").value().config["test_key"].text().empty());
    });
}

TEST_CASE("what can be configured is told whole: the members that every gateway has, then its own") {
    each_card_site([](BookingSite& site, Database&) {
        std::string ids;
        const auto definition = payment::to_definition(site.payments.gateways.find("card").value());
        for (const json::Value& field : definition["fields"].items())
            ids += field["id"].text() + " ";
        CHECK(ids ==
              "title description icon test_mode webhook_secret key days live mode methods test_key words live_page_key "
              "test_page_key api_url ");
    });
}

TEST_CASE("who pays later is asked for the deposit that its gateway requires, and for the rest once that is paid") {
    each_card_site([](BookingSite& site, Database&) {
        const auto trip = site.given_trip({.price = "80"}).id;
        const auto before = site.given_booking(trip);
        CHECK(before.amount_due().decimal() == "80.00");
        for (const auto& [name, value] :
             std::vector<json::Member>{{"deposit_amount", 0}, {"deposit_amount", 51}, {"require_deposit", "perhaps"}}) {
            const auto refused = site.payments.gateways.configure("pay_later", object({{name, value}}));
            REQUIRE(code_of(refused) == "svc_validation_error");
            CHECK(refused.error().fields()[0].field == name);
        }
        REQUIRE(site.payments.gateways.configure("pay_later", object({{"require_deposit", true}})));
        const auto made = site.given_booking(trip);
        CHECK(made.total.decimal() == "80.00");
        CHECK(made.amount_due().decimal() == "8.00");  // ten percent unless the operator says otherwise
        // The lines about money show it everywhere, so that the operator's instructions need not.
        const auto terms = [&](std::int64_t id) { return site.bookings.records.money_terms(id).value(); };
        CHECK(terms(made.id).due_now.decimal() == "8.00");
        CHECK(terms(made.id).rest.decimal() == "72.00");

        // Staff who set another total, and another way to pay, ask for as much of that.
        booking::Edit dearer;
        dearer.total = "100";
        CHECK(site.bookings.desk.edit(made.id, dearer, {.kind = "admin", .id = 1}).value().amount_due().decimal() ==
              "10.00");
        booking::Edit by_transfer;
        by_transfer.gateway = "other";
        CHECK(
            site.bookings.desk.edit(made.id, by_transfer, {.kind = "admin", .id = 1}).value().amount_due().decimal() ==
            "100.00");
        booking::Edit later;
        later.gateway = "pay_later";
        const auto again = site.bookings.desk.edit(made.id, later, {.kind = "admin", .id = 1}).value();
        CHECK(again.amount_due().decimal() == "10.00");

        REQUIRE(site.pay(made.id, "10"));
        const auto paid = site.bookings.records.find(made.id).value();
        CHECK(paid.payment_status == "partial");
        CHECK(paid.amount_due().decimal() == "90.00");
        CHECK(terms(made.id).owed().decimal() == "90.00");
        CHECK(site.bookings.records.find(before.id).value().amount_due().decimal() == "80.00");  // as it was sold
    });
}

TEST_CASE("gateways are offered in the operator's order, those it does not name behind") {
    each_card_site([](BookingSite& site, Database&) {
        REQUIRE(site.payments.gateways.configure("card", object({{"key", secret}, {"enabled", true}})));
        const auto names = [&] {
            std::string ids;
            for (const auto& one : site.payments.gateways.available(Money{100, Currency::usd()}, false))
                ids += one.gateway->info().id + " ";
            return ids;
        };
        CHECK(names() == "pay_later card ");
        site.set("gateway_order", json::Value::array({"card", "no_more"}));
        CHECK(names() == "card pay_later ");
        site.set("gateway_order", json::Value::array({"pay_later", "card"}));
        CHECK(names() == "pay_later card ");
    });
}
