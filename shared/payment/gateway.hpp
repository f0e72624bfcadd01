// A payment gateway as the base calls it: one interface for the base's own gateways and those of a plugin.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/pages/origins.hpp"

namespace svc::payment {

// A member of a gateway's configuration form.
struct GatewayField {
    // type: text, email, textarea, password, number, boolean, select, multiselect (a list of the options)
    std::string id, type, label, description;
    json::Value fallback = "";
    std::vector<std::string> options = {};
    bool secret = false;
    std::optional<std::int64_t> least = {}, most = {};
    std::string placeholder = {}, help_url = {};
    std::optional<bool> test_mode = {};    // of that world alone; none: of both
    bool readonly = false;                 // shown but not writable
    std::vector<std::string> begins = {};  // a key's: one of these is how it begins
    bool is_public = false;                // sent to customers' pages, such as a publishable key
    bool required = false;                 // without it the gateway takes no payment in its world
    bool proposed = false;                 // the form proposes the fallback; nothing counts before it is stored
    bool filled = false;                   // never saved empty
};

// The abilities of a gateway, as names in `supports`. Offline gateways lack the first one.
namespace ability {
inline constexpr std::string_view payments = "payments",         // intent, confirm
    webhooks = "webhooks", refunds = "refunds",                  // webhook; refund
    saved_methods = "saved_methods", connection = "connection",  // charge_saved, forget_saved; probe
    holds = "holds";                                             // IntentRequest::hold, Inquiry::release
}  // namespace ability

struct GatewayInfo {
    std::string id;  // "pay_later": [a-z_]+
    std::string title, description, icon;
    bool is_offline = false;
    std::vector<std::string> supports = {};
    std::vector<GatewayField> fields = {};
    std::string module = {};  // offered only while that module is on
    bool requires_pro = false;
    std::vector<std::string> webhook_headers = {};  // the headers that `webhook` reads
    std::string sandbox_url = {};                   // where the operator looks after the provider's world for tests
    pages::Origins origins = {};  // of the pages that offer it; a plugin declares them through svc.pages/1

    [[nodiscard]] bool can(std::string_view what) const;
};

struct Event;
// Whether the proof of an event requires a request to the provider: not for bytes that were proven before.
enum class Proof : std::uint8_t { needed, given };

// A gateway's input for one call. Never logged.
struct Situation {
    json::Value config = json::Value::object();  // as stored, defaults filled in, secrets opened
    bool sandbox = true;                         // the provider's world for tests
    std::string api_base = {};     // the operator's, without a slash at its end; empty: the provider's own
    std::string webhook_url = {};  // the address for the provider's events
    Instant now = {};
    // Called by `webhook` before it asks the provider to prove an event, after all local checks. svc_rate_limited: too
    // many such requests. Empty: always ask. Does not cross to plugins.
    std::function<Result<Proof>(const Event& claimed, bool is_recent)> limit_inquiries = {};
};

// How far a charge or a refund has come.
enum class Progress : std::uint8_t { waiting, processing, paid, failed, cancelled };

// A charge to be prepared. `key` is the same whenever the call is repeated: the provider must not make a second one.
struct IntentRequest {
    std::string key;
    Money amount;
    std::int64_t booking_id = 0;
    std::string booking_reference = {}, description = {}, customer_name = {}, customer_email = {}, customer_phone = {};
    std::string return_url = {}, cancel_url = {};  // ours; the provider sends the browser back to them
    bool save_method = false;                      // the customer agreed to save the method for later charges
    std::string gateway_customer = {};             // the customer's id at the provider, where one is known
    bool hold = false;  // there is no booking yet: nothing is taken until `confirm` may capture
};

struct Intent {
    std::string id;  // the provider's, one of its kind at this gateway
    Progress progress = Progress::waiting;
    std::string client_secret = {}, payment_url = {};  // for the page; payment_url: where the browser pays
    json::Value client = json::Value::object();        // further members for the page, such as a public key
};

// A charge to be looked into, server to server, and captured where the provider waits for that.
struct Inquiry {
    std::string key;                  // of the intent
    std::string intent_id;            // as Intent::id
    std::string transaction_id = {};  // as reported by the page; empty for our own requests
    Money amount;                     // the intent's amount
    std::int64_t booking_id = 0;
    json::Value proof = json::Value::object();  // data of the page, such as a signature; untrusted
    bool may_capture = true;                    // false: only look
    bool release = false;                       // the charge is no longer needed: cancel an authorization
};

// A method the customer may be charged by later. No card number is ever in it.
struct SavedMethod {
    std::string customer, method;  // ids at the provider
    std::string brand = {}, last4 = {};
    std::int64_t exp_month = 0, exp_year = 0;
};

// A charge's status at the provider.
struct Charge {
    Progress progress = Progress::waiting;
    std::string intent_id = {};
    std::string transaction_id = {};   // paid: the capture's id, unique at this gateway for ever
    std::optional<Money> amount = {};  // paid: the captured amount, as the provider reports it; never assumed
    std::optional<Money> fee = {};
    std::string reason = {};  // failed: a sentence the customer may read
    std::optional<SavedMethod> saved = {};
    json::Value details = json::Value::object();  // for the record, without secrets or card data
};

// An incoming event.
struct WebhookCall {
    std::vector<std::pair<std::string, std::string>> headers;  // those that the info names, as it names them
    std::string body;                                          // the bytes
};

// An event whose origin is proven.
struct Event {
    enum class Kind : std::uint8_t { other, paid, processing, failed, refunded };
    std::string id, type;  // the provider's; no id is used twice
    Kind kind = Kind::other;
    std::string intent_id = {}, transaction_id = {};
    std::string refund_id = {};                   // refunded: the provider's id, if it has one
    std::optional<std::int64_t> booking_id = {};  // if it was sent to the provider
    std::optional<Money> amount = {};             // paid: captured; refunded: this refund
    std::optional<Money> refunded_total = {};     // refunded: all refunds of that charge so far
    std::string reason = {};
    std::string action = {};                     // an action of the gateway's own, emitted once with `object`
    json::Value object = json::Value::object();  // the provider's object, without secrets or card data
};

struct RefundRequest {
    std::string key;  // the same whenever the call is repeated
    std::string intent_id = {}, transaction_id = {};
    Money amount, captured;
    std::string reason = {};
};

struct Refund {
    Progress progress = Progress::waiting;  // paid: the money is on its way back
    std::string id = {};
    std::optional<Money> amount = {};
    std::string reason = {};
    json::Value details = json::Value::object();
};

// A charge without the customer at the page.
struct SavedCharge {
    std::string key;
    SavedMethod method;
    Money amount;
    std::int64_t booking_id = 0;
    std::string booking_reference = {}, description = {}, customer_email = {}, customer_phone = {};
};

// Any thread. Requests to a provider block, so never inside a transaction or under a lock; they have their own time
// limit of some seconds. Errors: payment_error and payment_failed when the provider rejected it and nothing was
// charged; webhook_rejected for an event without proof; anything else leaves the outcome unknown, and it is asked
// again.
class Gateway {
  public:
    Gateway() = default;
    virtual ~Gateway() = default;
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    [[nodiscard]] virtual const GatewayInfo& info() const = 0;
    // Fast, from the configuration alone, in which `test_mode` is the mode in question.
    [[nodiscard]] virtual bool available(const json::Value& config, const Money& amount) const = 0;
    // Instructions for the customer after booking with an offline gateway, line by line; empty when there are none.
    [[nodiscard]] virtual std::vector<Sentence> instructions(const json::Value& config,
                                                             const json::Value& booking) const = 0;

    [[nodiscard]] virtual Result<Intent> intent(const Situation& situation, const IntentRequest& request) const;
    [[nodiscard]] virtual Result<Charge> confirm(const Situation& situation, const Inquiry& inquiry) const;
    [[nodiscard]] virtual Result<std::vector<Event>> webhook(const Situation& situation, const WebhookCall& call) const;
    [[nodiscard]] virtual Result<Refund> refund(const Situation& situation, const RefundRequest& request) const;
    [[nodiscard]] virtual Result<Charge> charge_saved(const Situation& situation, const SavedCharge& charge) const;
    [[nodiscard]] virtual Result<void> forget_saved(const Situation& situation, const SavedMethod& method) const;
    // Whether the provider takes these credentials: a sentence for the operator.
    [[nodiscard]] virtual Result<std::string> probe(const Situation& situation) const;
};

}  // namespace svc::payment
