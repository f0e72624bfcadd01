// Requests to providers, and reading their responses as untrusted input.
#include "pro/gateways/provider.hpp"

#include <algorithm>
#include <charconv>

namespace svc::pro::gateways {
namespace {

constexpr std::chrono::milliseconds patience{10'000};
constexpr std::size_t longest_answer = 1 << 20;

Error unavailable(std::string cause) { return Error(errc::gateway_unavailable).because(std::move(cause)); }

bool begins_with(std::string_view text, const std::vector<std::string_view>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

}  // namespace

plugin::GatewayField text_field(const char* id, const char* label, const char* description) {
    return {.id = id, .type = "text", .label = label, .description = description};
}

plugin::GatewayField required(plugin::GatewayField field) {
    field.required = true;
    return field;
}

plugin::GatewayField secret_field(const char* id, const char* label, const char* description) {
    return {.id = id, .type = "password", .label = label, .description = description, .secret = true};
}

plugin::GatewayField of_world(plugin::GatewayField field, bool test_mode, const char* placeholder,
                              const char* help_url) {
    field.test_mode = test_mode;
    field.placeholder = placeholder;
    field.help_url = help_url;
    return field;
}

std::vector<plugin::GatewayField> webhook_secret_fields(const char* label) {
    return {secret_field("webhook_secret", label, "Without it all events are rejected."),
            secret_field("previous_webhook_secret", "Previous secret",
                         "Previous secret, also accepted during rotation; clear it afterwards.")};
}

std::vector<std::string> webhook_secrets(const json::Value& config) {
    return {config.text_or("webhook_secret"), config.text_or("previous_webhook_secret")};
}

std::string key_of_world(const json::Value& config, bool test_mode, const char* test_id, const char* live_id,
                         const std::vector<std::string_view>& test_begins,
                         const std::vector<std::string_view>& live_begins) {
    std::string key = config.text_or(test_mode ? test_id : live_id);
    return begins_with(key, test_mode ? live_begins : test_begins) ? std::string() : key;
}

bool is_plain_id(std::string_view id, std::string_view prefix, std::size_t longest) {
    return id.starts_with(prefix) && id.size() <= longest && std::all_of(id.begin(), id.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

Result<json::Value> event_object(const std::string& body) {
    auto event = json::parse(body, {.depth = 64, .elements = 50'000, .text = 256 * 1024});
    if (!event || !event->is_object())
        return Error(errc::webhook_rejected).because("a signed event that is no JSON object");
    return event;
}

Send send_by(const plugin::Host& host) {
    return [&host](const plugin::FetchRequest& request) -> Result<plugin::FetchReply> {
        const auto* fetch = host.find<plugin::Fetch>();
        if (!fetch)
            return unavailable("the base has no svc.fetch/1");
        return (*fetch)(request);
    };
}

Result<Reply> call(const Send& send, plugin::FetchRequest request) {
    request.timeout = patience;
    request.limit = longest_answer;
    request.headers.emplace_back("Accept", "application/json");
    const auto answer = send(request);
    if (!answer)
        return unavailable(answer.error().cause().empty() ? answer.error().message().english()
                                                          : answer.error().cause());
    // 409 and 429: the provider is busy or limits us; the outcome for the money is unknown.
    if (answer->status >= 500 || answer->status == 409 || answer->status == 429)
        return unavailable("the provider answered " + std::to_string(answer->status));
    auto body = json::parse(answer->body, {.depth = 64, .elements = 50'000, .text = 256 * 1024});
    if (!body || !body->is_object())
        return garbled("the provider answered " + std::to_string(answer->status) + " without a JSON object");
    return Reply{.status = answer->status, .body = std::move(*body)};
}

Error refused(std::string cause) { return Error(errc::payment_error).because(std::move(cause)); }
Error keyless(std::string cause) {
    return Error(errc::gateway_unavailable, "The provider rejected the stored key."_sentence).because(std::move(cause));
}
Error mistaken(const char* field, std::string cause) {
    return invalid(field, "This payment does not belong to the booking."_sentence).because(std::move(cause));
}
Error garbled(std::string cause) { return unavailable(std::move(cause)); }

json::Value without(const json::Value& value, const std::vector<std::string_view>& names) {
    if (value.is_array()) {
        auto items = json::Value::array();
        for (const json::Value& item : value.items())
            items.push(without(item, names));
        return items;
    }
    if (!value.is_object())
        return value;
    auto details = json::Value::object();
    for (const auto& [name, member] : value.members())
        if (std::find(names.begin(), names.end(), name) == names.end())
            details.set(name, without(member, names));
    return details;
}

std::optional<std::int64_t> whole(const json::Value& object, std::string_view name) {
    const json::Value& member = object[name];
    if (!member.is_number())
        return {};
    const std::string& text = member.number_text();
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || end != text.data() + text.size())
        return {};
    return number;
}

std::string text_of(const json::Value& object, std::string_view name) {
    const json::Value& member = object[name];
    return member.is_string() ? member.text() : std::string();
}

}  // namespace svc::pro::gateways
