// A payment provider's HTTP interface as a gateway calls it: JSON back, and what a refusal means for the money.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/plugin/host.hpp"

namespace svc::pro::gateways {

using Headers = std::vector<std::pair<std::string, std::string>>;
// How a request goes out; the base's fetch, or a test's.
using Send = std::function<Result<plugin::FetchReply>(const plugin::FetchRequest& request)>;
Send send_by(const plugin::Host& host);

// What came back: any status below 500 but 409 and 429, with JSON.
struct Reply {
    int status = 0;
    json::Value body;

    [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
};

// gateway_unavailable when there is no whole answer, whatever the reason: the outcome is unknown then.
Result<Reply> call(const Send& send, plugin::FetchRequest request);

// payment_error with the cause for the log: the provider said no, nothing was charged.
Error refused(std::string cause);
// invalid_request: what the page told cannot be right, and the provider was not even asked or said nothing of it.
Error mistaken(std::string cause);
// Of a provider that broke its own rules: the outcome is unknown.
Error garbled(std::string cause);

// Members of that name, at any depth, are gone afterwards.
json::Value without(const json::Value& value, const std::vector<std::string_view>& names);
// An integer of an object, empty when it is absent or anything else.
std::optional<std::int64_t> whole(const json::Value& object, std::string_view name);
std::string text_of(const json::Value& object, std::string_view name);  // empty when absent or no text

}  // namespace svc::pro::gateways
