// Declares the record of endpoints and its rules.
#include "pro/webhooks/endpoint.hpp"

#include <algorithm>
#include <array>

#include "pro/crypto/hmac.hpp"
#include "pro/webhooks/catalogue.hpp"
#include "pro/webhooks/payload.hpp"
#include "pro/webhooks/signature.hpp"
#include "pro/webhooks/target.hpp"
#include "shared/api/named.hpp"
#include "shared/core/redact.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;

constexpr std::size_t hint_length = 4, most_headers = 20;
constexpr auto both_sign = std::chrono::hours(24);

std::vector<std::string> choices_of_event() {
    std::vector<std::string> keys{std::string(every_event)};
    for (const Event& event : events())
        keys.emplace_back(event.key);
    return keys;
}

std::string state_of(const Endpoint& endpoint) {
    return endpoint.paused_at ? "paused" : endpoint.is_active ? "active" : "inactive";
}

Value health_of(const Endpoint& endpoint) {
    const auto ended = endpoint.delivered + endpoint.failed;
    constexpr std::int64_t whole = 1'000'000;
    return Value::object({{"total", endpoint.total},
                          {"delivered", endpoint.delivered},
                          {"failed", endpoint.failed},
                          {"waiting", endpoint.waiting},
                          {"success_rate", ended ? Value(Rate{endpoint.delivered * whole / ended}) : Value()}});
}

api::Type health_type() {
    return api::object("WebhookHealth",
                       {{.name = "total", .type = api::integer(0)},
                        {.name = "delivered", .type = api::integer(0)},
                        {.name = "failed", .type = api::integer(0), .help = "Without any further attempt."},
                        {.name = "waiting", .type = api::integer(0)},
                        {.name = "success_rate", .type = api::percent().or_null(), .help = "Null: nothing was sent."}});
}

std::string mask_of(const std::string& value) {
    return "****" + (value.size() > 3 * hint_length ? value.substr(value.size() - hint_length) : std::string());
}

bool is_header_name(std::string_view name) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != std::string_view::npos;
    });
}

bool is_own_header(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    constexpr std::array own{"host",       "content-length",    "content-type", "cookie",
                             "connection", "transfer-encoding", "expect"};
    return name.starts_with("x-svc-") || name.starts_with("webhook-") ||
           std::find(own.begin(), own.end(), name) != own.end();
}

void check_headers(const Value& headers, Faults& faults) {
    if (headers.size() > most_headers)
        return faults.at("headers", "Enter at most 20 headers."_sentence);
    for (const auto& [name, value] : headers.members()) {
        if (!is_header_name(name) || is_own_header(name))
            return faults.at("headers", "The header {name} cannot be set."_sentence.with("name", name));
        const auto& text = value.text();
        if (std::any_of(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }))
            return faults.at(
                "headers", "The value of {name} may only have printable ASCII characters."_sentence.with("name", name));
    }
}

void check(const Endpoint& endpoint, Faults& faults) {
    if (const auto place = place_of(endpoint.url); !place)
        faults.at("url", place.error().message());
    for (const auto& [name, value] : endpoint.additional_payload_fields.members())
        if (is_of_envelope(name))
            return faults.at("additional_payload_fields",
                             "The name {name} is one of the message's own."_sentence.with("name", name));
    if (endpoint.additional_payload_fields.dump().size() > 4096)
        faults.at("additional_payload_fields", "Enter at most 4,096 bytes."_sentence);
    if (!endpoint.custom_secret.empty() && !key_of(endpoint.custom_secret))
        faults.at("custom_secret", "Enter 24 to 64 characters, or whsec_ and the base64 of 24 to 64 bytes."_sentence);
    check_headers(endpoint.header_hints, faults);
}

// What somebody entered for one receiver is not for another: whoever may change the address does not know the values
// that answers hide, and would read them at the new one.
Result<void> check_moved(const Endpoint& before, const Endpoint& after) {
    if (origin_of(before.url) == origin_of(after.url))
        return {};
    for (const auto& [name, value] : after.header_hints.members())
        if (log::is_secret_name(name) && before.header_hints[name] == value)
            return invalid(
                "headers",
                "The address is on another host: enter the values of secret headers again, or remove them."_sentence);
    return {};
}

// A value that is sent back as it was shown stays as it is stored.
Result<void> seal_headers(const Endpoint* before, Endpoint& after, const plugin::Secrets& secrets, const Value& given) {
    Value stored = Value::object();
    if (before) {
        SVC_ASSIGN_OR_RETURN(stored, headers_of(*before, secrets));
    }
    Value all = Value::object(), hints = Value::object();
    for (const auto& [name, value] : given.members()) {
        const bool is_unchanged = before && before->header_hints[name] == value && stored.find(name);
        const std::string text = is_unchanged ? stored[name].text() : value.text();
        all.set(name, text);
        hints.set(name, log::is_secret_name(name) ? mask_of(text) : text);
    }
    after.header_hints = std::move(hints);
    after.headers = all.size() ? secrets.seal(all.dump(), after.place_of("headers")) : std::string();
    return {};
}

}  // namespace

const record::Record<Endpoint>& endpoint_record() {
    using namespace record;
    using E = Endpoint;
    static const Record<E> declared{
        {.table = "svc_webhook_endpoints",
         .component = "WebhookEndpoint",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "id",
         .conditions = {{"event", "r.event = :event"}, {"updated_since", "r.updated_at >= :updated_since"}}},
        {id(&E::id),
         stored("uid", &E::uid, by_server_on_create),
         column("name", &E::name, api::text(190, 1), by_client | required | sortable),
         column("url", &E::url, api::text(2000, 1), by_client | required,
                "https; http only to a host of the operator's network."),
         column("description", &E::description, api::text(1000), by_client),
         column("event", &E::event, api::choice(choices_of_event()), by_client | required, "*: every event."),
         column("http_method", &E::http_method, api::choice({"POST", "PUT", "PATCH", "DELETE", "GET"}),
                by_client | default_value("POST"), "GET has no body."),
         column("headers", &E::header_hints, api::map(api::text(2000)), by_client | stored_as("header_hints"),
                "Values of secret headers are shown as **** and their end, and stay as they are when sent back so. An"
                " endpoint that moves to another host needs them again."),
         stored("sealed_headers", &E::headers, stored_as("headers")),
         column("additional_payload_fields", &E::additional_payload_fields, api::map(api::anything(), 50), by_client,
                "Members that are added to each message."),
         column("selected_fields", &E::selected_fields, api::list(api::text(200, 1), 100), by_client,
                "Paths such as data.booking.reference; empty: all. The envelope is always sent."),
         computed<E>(
             "custom_secret", api::raw_text(100), {},
             [](E& endpoint, const Value& given, Faults&) { endpoint.custom_secret = given.text(); },
             by_client_on_create, "A secret of your own, at least 24 characters; without one it is made."),
         stored("secret", &E::secret),
         column("secret_hint", &E::secret_hint, api::text(20), by_server),
         stored("old_secret", &E::old_secret),
         column("old_secret_until", &E::old_secret_until, api::instant(), by_server,
                "Until then the earlier secret signs too."),
         stored("certificate", &E::certificate),
         stored("certificate_fingerprint", &E::certificate_fingerprint),
         stored("certificate_expires_at", &E::certificate_expires_at),
         column("is_active", &E::is_active, api::boolean(), by_client | default_value(true)),
         column("log_deliveries", &E::log_deliveries, api::boolean(), by_client | default_value(true),
                "false: requests and responses are not stored."),
         computed<E>(
             "state", api::choice({"active", "inactive", "paused"}),
             [](const E& endpoint) { return Value(state_of(endpoint)); }, {}, {},
             "paused: by the program; its messages wait until is_active is set."),
         column("consecutive_failures", &E::consecutive_failures, api::integer(0), by_other),
         column("failing_since", &E::failing_since, api::instant(), by_other),
         column("resume_at", &E::resume_at, api::instant(), by_other, "Nothing is sent before."),
         column("paused_at", &E::paused_at, api::instant(), by_other),
         column("pause_reason", &E::pause_reason, api::choice({"failing", "gone"}), by_other),
         column("last_delivered_at", &E::last_delivered_at, api::instant(), by_other),
         column("last_status", &E::last_status, api::integer(0), by_other),
         derived("total", &E::total, "(SELECT COUNT(*) FROM svc_webhook_deliveries d WHERE d.endpoint_id = r.id)",
                 api::integer(0), {}, hidden),
         derived("delivered", &E::delivered,
                 "(SELECT COUNT(*) FROM svc_webhook_deliveries d WHERE d.endpoint_id = r.id AND d.status ="
                 " 'delivered')",
                 api::integer(0), {}, hidden),
         derived("failed", &E::failed,
                 "(SELECT COUNT(*) FROM svc_webhook_deliveries d WHERE d.endpoint_id = r.id AND d.status ="
                 " 'permanent_failure')",
                 api::integer(0), {}, hidden),
         derived("waiting", &E::waiting,
                 "(SELECT COUNT(*) FROM svc_webhook_deliveries d WHERE d.endpoint_id = r.id AND d.status IN ('queued',"
                 " 'delivering', 'failed'))",
                 api::integer(0), {}, hidden),
         computed<E>("health", health_type(), health_of),
         row_version<E>(),
         timestamps<E>(),
         authors<E>(Names::left_out, hidden)}};
    return declared;
}

// Each for what place_of() says.
const std::vector<store::SealedColumn>& sealed_columns() {
    static const std::vector<store::SealedColumn> all{
        {.table = "svc_webhook_endpoints",
         .column = "secret",
         .bound_to = "'svc_webhook_endpoints.' || uid || '.secret'"},
        {.table = "svc_webhook_endpoints",
         .column = "old_secret",
         .bound_to = "'svc_webhook_endpoints.' || uid || '.secret'"},
        {.table = "svc_webhook_endpoints",
         .column = "headers",
         .bound_to = "'svc_webhook_endpoints.' || uid || '.headers'"},
        {.table = "svc_webhook_endpoints",
         .column = "certificate",
         .bound_to = "'svc_webhook_endpoints.' || uid || '.certificate'"}};
    return all;
}

Result<std::vector<std::string>> keys_of(const Endpoint& endpoint, const plugin::Secrets& secrets, Instant now) {
    std::vector<std::string> keys;
    SVC_ASSIGN_OR_RETURN(const auto text, secrets.open(endpoint.secret, endpoint.place_of("secret")));
    keys.push_back(key_of(text).value_or(std::string()));
    if (endpoint.old_secret_until && *endpoint.old_secret_until > now) {
        SVC_ASSIGN_OR_RETURN(const auto old, secrets.open(endpoint.old_secret, endpoint.place_of("secret")));
        keys.push_back(key_of(old).value_or(std::string()));
    }
    return keys;
}

Result<Value> headers_of(const Endpoint& endpoint, const plugin::Secrets& secrets) {
    if (endpoint.headers.empty())
        return Value::object();
    SVC_ASSIGN_OR_RETURN(const auto text, secrets.open(endpoint.headers, endpoint.place_of("headers")));
    return json::parse(text);
}

Result<Value> certificate_of(const Endpoint& endpoint, const plugin::Secrets& secrets) {
    if (endpoint.certificate.empty())
        return Value::object();
    SVC_ASSIGN_OR_RETURN(const auto text, secrets.open(endpoint.certificate, endpoint.place_of("certificate")));
    return json::parse(text);
}

Endpoint endpoint_with(const std::string& key, const plugin::Secrets& secrets) {
    Endpoint endpoint;
    endpoint.uid = crypto::random_hex(16);
    const std::string text = secret_text(key);
    endpoint.secret = secrets.seal(text, endpoint.place_of("secret"));
    endpoint.secret_hint = mask_of(text);
    return endpoint;
}

void replace_secret(Endpoint& endpoint, const std::string& key, const plugin::Secrets& secrets, Instant now) {
    const std::string text = secret_text(key);
    endpoint.old_secret = endpoint.secret;
    endpoint.old_secret_until = now.plus(both_sign);
    endpoint.secret = secrets.seal(text, endpoint.place_of("secret"));
    endpoint.secret_hint = mask_of(text);
}

resource::Resource<Endpoint> endpoint_resource(store::Store& store, const plugin::Secrets& secrets,
                                               std::function<Zone()> zone, std::function<void()> written) {
    const auto may = api::Permission::can(std::string(capability));
    resource::Options options{.store = store,
                              .path = "/webhooks/endpoints",
                              .one = "webhook endpoint",
                              .many = "webhook endpoints",
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .filters = {{.name = "event", .type = api::text(64)}},
                              .zone = std::move(zone),
                              .changed = std::move(written)};
    resource::Rules<Endpoint> rules;
    rules.check = [](const auto*, const Endpoint& after, Faults& faults) { check(after, faults); };
    rules.settle = [&secrets](store::Transaction& tx, const Endpoint* before, Endpoint* after,
                              const Value& body) -> Result<void> {
        if (!after)
            return {};
        if (before)
            SVC_RETURN_IF_ERROR(check_moved(*before, *after));
        if (body.find("headers"))
            SVC_RETURN_IF_ERROR(seal_headers(before, *after, secrets, after->header_hints));
        if (before && body.find("is_active")) {  // somebody has looked after it: it begins anew
            after->paused_at = after->failing_since = after->resume_at = std::nullopt;
            after->pause_reason.reset();
            after->consecutive_failures = 0;
            tx.run(
                "UPDATE svc_webhook_endpoints SET paused_at = NULL, pause_reason = NULL, failing_since = NULL,"
                " consecutive_failures = 0, resume_at = NULL WHERE id = :id",
                {{"id", after->id}});
        }
        return {};
    };
    return {endpoint_record(), std::move(options), std::move(rules)};
}

}  // namespace svc::pro::webhooks
