// Builds and reads what the Measurement Protocol takes and answers.
#include "pro/google_analytics/analytics.hpp"

#include "shared/core/uri.hpp"

namespace svc::pro::google_analytics {
namespace {

using json::Value;
using tracking::Outcome;
using tracking::Verdict;
namespace reason = tracking::reason;

// The secret is part of the address: Google takes it nowhere else.
std::string address(const std::string& host, const char* path, const std::string& id, const std::string& secret) {
    return host + path + "?measurement_id=" + text::uri_component(id) + "&api_secret=" + text::uri_component(secret);
}

// The server that collects answers 2xx to everything that it can read, even with a secret that it does not know.
Verdict judged(const plugin::FetchReply& reply) {
    if (reply.status >= 200 && reply.status < 300)
        return {Outcome::sent, {}};
    if (reply.status == 429)
        return {Outcome::again, reason::throttled};
    if (reply.status == 401 || reply.status == 403)
        return {Outcome::again, reason::credentials};
    if (tracking::is_overloaded(reply.status) || reply.status < 400)
        return {Outcome::again, reason::unreachable};
    return {Outcome::never, reason::refused};
}

Verdict judged_rehearsal(const plugin::FetchReply& reply) {
    if (tracking::is_overloaded(reply.status))
        return judged(reply);
    const auto faults = faults_in(reply);
    if (!faults)
        return {Outcome::again, reason::unreachable};
    return faults->empty() ? Verdict{Outcome::sent, {}} : Verdict{Outcome::never, reason::refused};
}

Value params_of(const tracking::Outgoing& outgoing, bool is_debug) {
    const tracking::BookedTrip& booking = outgoing.booking;
    const Money& value = outgoing.event.value;
    Value params = outgoing.parameters;
    params.set("transaction_id", booking.reference);
    params.set("event_id", outgoing.event.event_id);
    params.set("value", value);
    params.set("currency", value.currency().code());
    params.set("engagement_time_msec", 1);
    if (booking.trip_id > 0)
        params.set("items", Value::array({Value::object({{"item_id", std::to_string(booking.trip_id)},
                                                         {"item_name", booking.trip_title},
                                                         {"price", value},
                                                         {"quantity", 1}})}));
    if (is_debug)
        params.set("debug_mode", 1);
    return params;
}

Value body_of(const tracking::Outgoing& outgoing, Value client_id, bool is_debug) {
    // Visitors are asked whether advertising may be measured, not whether it may follow them: as
    // pro/pages/analytics.js.
    const char* marketing = outgoing.visitor.marketing ? "GRANTED" : "DENIED";
    const tracking::EventKind* kind = tracking::find_event(outgoing.event.event);
    return Value::object(
        {{"client_id", std::move(client_id)},
         {"timestamp_micros", outgoing.event.occurred_at.micros()},
         {"consent", Value::object({{"ad_user_data", marketing}, {"ad_personalization", "DENIED"}})},
         {"events",
          Value::array({Value::object({{"name", kind->google}, {"params", params_of(outgoing, is_debug)}})})}});
}

}  // namespace

plugin::FetchTwo::Request question(const std::string& host, const std::string& id, const std::string& secret) {
    const Value body =
        Value::object({{"client_id", "1.1"},
                       {"events", Value::array({Value::object({{"name", "svc_connection_test"},
                                                               {"params", Value::object({{"debug_mode", 1}})}})})}});
    return tracking::request_to(address(host, "/debug/mp/collect", id, secret), body.dump());
}

std::optional<std::string> faults_in(const plugin::FetchReply& reply) {
    const auto body = json::parse(reply.body);
    if (!body || !(*body)["validationMessages"].is_array())
        return std::nullopt;
    std::string faults;
    for (const Value& each : (*body)["validationMessages"].items()) {
        const Value &path = each["fieldPath"], &said = each["description"];
        if (!said.is_string())
            return std::nullopt;
        faults += (faults.empty() ? "" : " ") +
                  (path.is_string() && !path.text().empty() ? path.text() + ": " : std::string()) + said.text();
    }
    return faults.substr(0, 500);
}

tracking::Wire wire(std::function<std::string()> host, std::function<bool()> is_debug) {
    return {.lacks = [](const tracking::Visitor& visitor) -> std::string_view {
                return visitor.ga_client_id.empty() ? reason::no_client_id : std::string_view();
            },
            .message = [host = std::move(host),
                        is_debug = std::move(is_debug)](const tracking::Outgoing& outgoing) -> tracking::Message {
                const bool debug = is_debug();
                const std::string at = host(), body = body_of(outgoing, outgoing.visitor.ga_client_id, debug).dump();
                tracking::Message message{
                    .request = tracking::request_to(address(at, "/mp/collect", outgoing.id, outgoing.secret), body),
                    .shown = body_of(outgoing, true, debug)};
                if (debug)
                    message.rehearsal =
                        tracking::request_to(address(at, "/debug/mp/collect", outgoing.id, outgoing.secret), body);
                return message;
            },
            .judge = judged,
            .judge_rehearsal = judged_rehearsal};
}

}  // namespace svc::pro::google_analytics
