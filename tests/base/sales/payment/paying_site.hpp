// A site with a gateway that does what the test says, and counts what it was asked.
#pragma once

#include <atomic>
#include <mutex>

#include "base/sales/payment/checkout/checkout.hpp"
#include "base/sales/payment/refunds/refunds.hpp"
#include "tests/base/sales/booking/booking_site.hpp"

namespace svc::tests {

// By default each charge is paid as it was asked for, under ids made of its key; a repeat answers the same.
class ScriptedGateway final : public payment::Gateway {
  public:
    std::function<Result<payment::Charge>(const payment::Inquiry&)> on_confirm;
    std::function<Result<payment::Intent>(const payment::IntentRequest&)> on_intent;
    std::function<Result<payment::Refund>(const payment::RefundRequest&)> on_refund;
    std::function<Result<payment::Charge>(const payment::SavedCharge&)> on_saved;
    mutable std::atomic<int> intents = 0, confirms = 0, refunds = 0, saved_charges = 0, forgotten = 0;
    mutable std::atomic<bool> asked_in_test = true;  // the world of the last call
    bool can_take = true;                            // any amount
    mutable std::mutex mutex;
    mutable std::vector<std::string> keys;  // of intents, as asked

    static std::string id_of(const std::string& key) { return "pi_" + key.substr(0, 20); }
    static payment::Charge paid(const payment::Inquiry& inquiry) {
        return {.progress = payment::Progress::paid,
                .intent_id = inquiry.intent_id,
                .transaction_id = "ch_" + inquiry.intent_id,
                .amount = inquiry.amount,
                .fee = Money{30, inquiry.amount.currency()}};
    }

    [[nodiscard]] const payment::GatewayInfo& info() const override { return info_; }
    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return can_take; }
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
        return {};
    }
    [[nodiscard]] Result<payment::Intent> intent(const payment::Situation& at,
                                                 const payment::IntentRequest& wanted) const override {
        ++intents;
        asked_in_test = at.sandbox;
        {
            const std::lock_guard lock(mutex);
            keys.push_back(wanted.key);
        }
        if (on_intent)
            return on_intent(wanted);
        return payment::Intent{.id = id_of(wanted.key), .client_secret = "secret_" + wanted.key};
    }
    [[nodiscard]] Result<payment::Charge> confirm(const payment::Situation& at,
                                                  const payment::Inquiry& inquiry) const override {
        ++confirms;
        asked_in_test = at.sandbox;
        return on_confirm ? on_confirm(inquiry) : paid(inquiry);
    }
    // The body is the event; its header must say who sent it.
    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const payment::Situation&,
                                                              const payment::WebhookCall& call) const override {
        if (call.headers.empty() || call.headers[0].second != "genuine")
            return Error(errc::webhook_rejected).because("not genuine");
        const auto told = json::parse(call.body);
        if (!told)
            return Error(errc::webhook_rejected).because("no JSON");
        payment::Event event{.id = told->text_or("id"), .type = told->text_or("type")};
        if (event.type == "paid")
            event.kind = payment::Event::Kind::paid;
        else if (event.type == "failed")
            event.kind = payment::Event::Kind::failed;
        else if (event.type == "processing")
            event.kind = payment::Event::Kind::processing;
        else if (event.type == "refunded")
            event.kind = payment::Event::Kind::refunded;
        event.intent_id = told->text_or("intent");
        event.transaction_id = told->text_or("transaction");
        event.refund_id = told->text_or("refund");
        event.reason = told->text_or("reason");
        event.booking_id = told->maybe_integer("booking");
        const auto currency = Currency::parse(told->text_or("currency", "USD")).value();
        if (const auto minor = told->maybe_integer("minor"))
            event.amount = Money{*minor, currency};
        if (const auto total = told->maybe_integer("total"))
            event.refunded_total = Money{*total, currency};
        return std::vector<payment::Event>{event};
    }
    [[nodiscard]] Result<payment::Charge> charge_saved(const payment::Situation& at,
                                                       const payment::SavedCharge& wanted) const override {
        ++saved_charges;
        asked_in_test = at.sandbox;
        if (on_saved)
            return on_saved(wanted);
        return payment::Charge{.progress = payment::Progress::paid,
                               .intent_id = id_of(wanted.key),
                               .transaction_id = "ch_" + id_of(wanted.key),
                               .amount = wanted.amount};
    }
    [[nodiscard]] Result<void> forget_saved(const payment::Situation&, const payment::SavedMethod&) const override {
        ++forgotten;
        return {};
    }
    [[nodiscard]] Result<payment::Refund> refund(const payment::Situation& at,
                                                 const payment::RefundRequest& wanted) const override {
        ++refunds;
        asked_in_test = at.sandbox;
        if (on_refund)
            return on_refund(wanted);
        return payment::Refund{
            .progress = payment::Progress::paid, .id = "re_" + wanted.key.substr(0, 20), .amount = wanted.amount};
    }

    void forget_ability(std::string_view name) { std::erase(info_.supports, name); }

  private:
    payment::GatewayInfo info_{.id = "scripted",
                               .title = "Scripted",
                               .description = "",
                               .icon = "",
                               .supports = {"payments", "webhooks", "refunds", "saved_methods", "holds"},
                               .webhook_headers = {"Scripted-Signature"}};
};

struct PayingSite : BookingSite {
    explicit PayingSite(Database& database) : PayingSite(database.open_migrated()) {}
    explicit PayingSite(std::unique_ptr<store::Store> migrated) : BookingSite(std::move(migrated)) {
        gateways.add(gateway);
        if (const auto done = payments.gateways.configure("scripted", json::Value::object({{"enabled", true}})); !done)
            throw std::logic_error(done.error().message().english());
    }

    // On 80.00 by default.
    booking::Booking priced_booking(const char* price = "80") { return given_booking(given_trip({.price = price}).id); }
    Result<payment::Offers::Offer> offer(std::int64_t booking, const char* by = "scripted") {
        return checkout.offers.offer({.gateway = by, .booking_id = booking, .is_proven = true});
    }
    // A charge of the booking, prepared; answers the provider's name of it.
    std::string begun(std::int64_t booking) {
        const auto made = offer(booking);
        if (!made)
            throw std::logic_error(made.error().message().english());
        return made->page["payment_id"].text();
    }
    Result<payment::Outcome> confirm(std::int64_t booking, const std::string& transaction) {
        return checkout.confirmations.confirm(
            {.gateway = "scripted", .booking_id = booking, .transaction_id = transaction});
    }
    payment::Payment paid_payment(std::int64_t booking) {
        return confirm(booking, begun(booking)).value().payment.value();
    }
    Result<payment::ProviderEvents::Received> tell(const json::Value& event, const char* signature = "genuine") {
        return checkout.events.receive("scripted",
                                       {.headers = {{"Scripted-Signature", signature}}, .body = event.dump()});
    }
    static json::Value event(const char* id, const char* type, const std::string& intent, std::int64_t minor) {
        return json::Value::object(
            {{"id", id}, {"type", type}, {"intent", intent}, {"transaction", "ch_" + intent}, {"minor", minor}});
    }
    std::int64_t rows(const std::string& table) { return number("SELECT COUNT(*) FROM svc_" + table); }
    std::int64_t with(const std::string& table, const std::string& condition) {
        return number("SELECT COUNT(*) FROM svc_" + table + " WHERE " + condition);
    }
    std::string state_of(std::int64_t id) {
        const auto now = booking_of(id);
        return now.status + " " + now.payment_status + " " + now.amount_paid.decimal();
    }

    std::shared_ptr<ScriptedGateway> gateway = std::make_shared<ScriptedGateway>();
    int woken = 0;
    std::vector<std::string> in_place;  // actions, as they were run
    limits::RateLimits limits_of_payments{clock};
    payment::Refunds refunds{{.store = store,
                              .hooks = hooks,
                              .payments = payments,
                              .bookings = bookings.records,
                              .clock = clock,
                              .situation = [this](const payment::OfferedGateway& one, std::optional<bool> is_test) {
                                  return checkout.calls.situation(one, is_test);
                              }}};
    payment::Checkout checkout{{.store = store,
                                .hooks = hooks,
                                .settings = settings,
                                .gateways = gateways,
                                .payments = payments,
                                .refunds = refunds,
                                .bookings = bookings.records,
                                .keyring = *keyring,
                                .clock = clock,
                                .metrics = metrics,
                                .limits = limits_of_payments,
                                .run_in_place = [this](const hooks::Action& action,
                                                       const json::Array&) { in_place.emplace_back(action.name); },
                                .places = {.site_url = "https://site.example", .root = "https://site.example/svc/v1"},
                                .wake_reconciliation = [this] { ++woken; }}};
};

inline void each_paying_site(const std::function<void(PayingSite&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        PayingSite site(database);
        body(site);
    });
}

}  // namespace svc::tests
