// Builds and reads what the Graph API takes and answers.
#include "pro/facebook_pixel/meta.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "pro/crypto/hmac.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pro::facebook_pixel {
namespace {

using json::Value;
using tracking::Outcome;
using tracking::Verdict;
namespace reason = tracking::reason;

constexpr std::string_view version = "/v24.0/";

std::optional<Value> object_in(const plugin::FetchReply& reply) {
    auto body = json::parse(reply.body);
    return body && body->is_object() ? std::optional(std::move(*body)) : std::nullopt;
}

// Codes are integers; anything else is 0.
std::int64_t code_in(const Value& error, std::string_view name) {
    if (!error[name].is_number())
        return 0;
    const std::string& text = error[name].number_text();
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault == std::errc() && end == text.data() + text.size() ? number : 0;
}

std::string text_in(const Value& object, std::string_view name) {
    return object[name].is_string() ? object[name].text() : std::string();
}

bool is_about_credentials(std::int64_t code, std::int64_t subcode) {
    return code == 102 || code == 190 || code == 10 || (code >= 200 && code <= 299) || (code == 100 && subcode == 33);
}

bool is_about_load(std::int64_t code) {
    constexpr std::array<std::int64_t, 6> codes{1, 2, 4, 17, 341, 613};
    return std::find(codes.begin(), codes.end(), code) != codes.end() || (code >= 80000 && code <= 80014);
}

Verdict judged(const plugin::FetchReply& reply) {
    const auto body = object_in(reply);
    if (tracking::is_overloaded(reply.status))
        return {Outcome::again, reply.status == 429 ? reason::throttled : reason::unreachable};
    if (!body)
        return {Outcome::again, reason::unreachable};  // something else than Meta answered
    if (const Value& error = (*body)["error"]; error.is_object()) {
        const std::int64_t code = code_in(error, "code"), subcode = code_in(error, "error_subcode");
        const Value& is_transient = error["is_transient"];
        if (is_about_credentials(code, subcode))
            return {Outcome::again, reason::credentials};
        if (is_about_load(code) || (is_transient.is_boolean() && is_transient.boolean()))
            return {Outcome::again, reason::throttled};
        return {Outcome::never, reason::refused};
    }
    if (reply.status >= 200 && reply.status < 300 && code_in(*body, "events_received") > 0)
        return {Outcome::sent, {}};
    return reply.status >= 400 && reply.status < 500 ? Verdict{Outcome::never, reason::refused}
                                                     : Verdict{Outcome::again, reason::unreachable};
}

// Of the visitor, whose consent was checked. `shown` gets the names of what is sent, without values.
Value user_data(const tracking::Outgoing& outgoing, Value& shown) {
    Value data = Value::object();
    const auto add = [&](const char* name, Value value) {
        data.set(name, std::move(value));
        shown.set(name, true);
    };
    const tracking::Visitor& visitor = outgoing.visitor;
    if (const std::string hash = hashed_email(outgoing.booking.email); !hash.empty())
        add("em", Value::array({hash}));
    for (const auto& [name, value] : {std::pair{"client_ip_address", &visitor.client_address},
                                      {"client_user_agent", &visitor.user_agent},
                                      {"fbp", &visitor.fbp},
                                      {"fbc", &visitor.fbc}})
        if (!value->empty())
            add(name, *value);
    return data;
}

Value custom_data(const tracking::Outgoing& outgoing) {
    const tracking::BookedTrip& booking = outgoing.booking;
    const std::string trip = std::to_string(booking.trip_id);
    Value data = outgoing.parameters;
    data.set("value", outgoing.event.value);
    data.set("currency", outgoing.event.value.currency().code());
    if (outgoing.event.event != tracking::events::add_to_cart)
        data.set("order_id", booking.reference);
    if (booking.trip_id > 0) {
        data.set("content_type", "product");
        data.set("content_name", booking.trip_title);
        data.set("content_ids", Value::array({trip}));
        data.set("contents", Value::array({Value::object({{"id", trip}, {"quantity", booking.travelers}})}));
    }
    return data.set("num_items", booking.travelers);
}

Value body_of(const tracking::Outgoing& outgoing, Value user, const std::string& test_code) {
    const tracking::EventKind* kind = tracking::find_event(outgoing.event.event);
    Value event = Value::object({{"event_name", kind->meta},
                                 {"event_time", outgoing.event.occurred_at.seconds()},
                                 {"event_id", outgoing.event.event_id},
                                 {"action_source", "website"}});
    if (!outgoing.site_url.empty())
        event.set("event_source_url", outgoing.site_url);
    event.set("user_data", std::move(user));
    event.set("custom_data", custom_data(outgoing));
    Value body = Value::object({{"data", Value::array({std::move(event)})}});
    if (!test_code.empty())
        body.set("test_event_code", test_code);
    return body;
}

}  // namespace

std::string hashed_email(std::string_view email) {
    std::string plain(ascii::trimmed(email, " \t\r\n"));
    std::transform(plain.begin(), plain.end(), plain.begin(), ascii::lower);
    return plain.empty() ? std::string() : crypto::sha256_hex(plain);
}

plugin::FetchTwo::Request question(const std::string& host, const std::string& path, const std::string& token) {
    auto request = tracking::request_to(host + std::string(version) + path, {});
    request.headers.emplace_back("Authorization", "Bearer " + token);
    return request;
}

std::string error_of(const plugin::FetchReply& reply) {
    const auto body = object_in(reply);
    const Value& error = body ? (*body)["error"] : Value();
    if (!error.is_object())
        return {};
    const std::string for_people = text_in(error, "error_user_msg"), message = text_in(error, "message");
    std::string said = for_people.empty() ? message : for_people;
    return said.empty() ? "error " + std::to_string(code_in(error, "code")) : said.substr(0, 500);
}

std::optional<std::string> name_of(const plugin::FetchReply& reply) {
    const auto body = object_in(reply);
    if (reply.status != 200 || !body || text_in(*body, "id").empty())
        return std::nullopt;
    return text_in(*body, "name");
}

tracking::Wire wire(std::function<std::string()> host, std::function<std::string()> test_code) {
    return {.lacks = [](const tracking::Visitor& visitor) -> std::string_view {
                // Meta refuses events of websites without it.
                return visitor.user_agent.empty() ? reason::no_browser : std::string_view();
            },
            .message = [host = std::move(host),
                        test_code = std::move(test_code)](const tracking::Outgoing& outgoing) -> tracking::Message {
                Value shown = Value::object();
                const std::string code = test_code();
                const Value body = body_of(outgoing, user_data(outgoing, shown), code);
                auto request =
                    tracking::request_to(host() + std::string(version) + outgoing.id + "/events", body.dump());
                request.headers.emplace_back("Authorization", "Bearer " + outgoing.secret);
                return {.request = std::move(request), .shown = body_of(outgoing, std::move(shown), code)};
            },
            .judge = judged};
}

}  // namespace svc::pro::facebook_pixel
