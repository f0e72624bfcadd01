// A payment provider's HTTP interface for a gateway: JSON responses, and the meaning of errors for the money.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/plugin/host.hpp"

namespace svc::pro::gateways {

// Members of a gateway's configuration form.
plugin::GatewayField text_field(const char* id, const char* label, const char* description);
plugin::GatewayField required(plugin::GatewayField field);  // no payment is taken without it
plugin::GatewayField secret_field(const char* id, const char* label, const char* description);  // sealed, shown masked
// Both secrets that a provider's events may be signed by: the present one and the one before it.
// A field of one of the provider's environments, its format, and where the provider shows its value.
plugin::GatewayField of_world(plugin::GatewayField field, bool test_mode, const char* placeholder,
                              const char* help_url);
std::vector<plugin::GatewayField> webhook_secret_fields(const char* label);
std::vector<std::string> webhook_secrets(const json::Value& config);
// The key of the mode in question: empty unless the configuration has a key of that mode. Keys show their mode by their
// prefix.
std::string key_of_world(const json::Value& config, bool test_mode, const char* test_id, const char* live_id,
                         const std::vector<std::string_view>& test_begins,
                         const std::vector<std::string_view>& live_begins);
// Whether an id of theirs can be part of an address: the prefix, then letters, digits and underscores.
bool is_plain_id(std::string_view id, std::string_view prefix, std::size_t longest);
// The JSON object of an event whose signature was proven.
Result<json::Value> event_object(const std::string& body);

using Headers = std::vector<std::pair<std::string, std::string>>;
// Sends a request; the base's fetch, or a test's.
using Send = std::function<Result<plugin::FetchReply>(const plugin::FetchRequest& request)>;
Send send_by(const plugin::Host& host);

// A response: any status below 500 except 409 and 429, with JSON.
struct Reply {
    int status = 0;
    json::Value body;

    [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
};

// gateway_unavailable without a complete response, for any reason: the outcome is unknown then.
Result<Reply> call(const Send& send, plugin::FetchRequest request);

// payment_error with the cause for the log: the provider rejected it, nothing was charged.
Error refused(std::string cause);
// The provider rejects our key: the outcome for the money is unknown, and the caller gets an error.
Error keyless(std::string cause);
// An invalid field of the page, found before the request or without a mention by the provider.
Error mistaken(const char* field, std::string cause);
// Of a provider that broke its own rules: the outcome is unknown.
Error garbled(std::string cause);

// Removes members of that name at any depth.
json::Value without(const json::Value& value, const std::vector<std::string_view>& names);
// An integer of an object, empty when it is absent or anything else.
std::optional<std::int64_t> whole(const json::Value& object, std::string_view name);
std::string text_of(const json::Value& object, std::string_view name);  // empty when absent or no text

}  // namespace svc::pro::gateways
