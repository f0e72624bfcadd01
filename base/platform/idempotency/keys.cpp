// Builds the scope of a key.
#include "base/platform/idempotency/keys.hpp"

#include <algorithm>

#include "base/platform/crypto/crypto.hpp"

namespace svc::idempotency {

static std::string text_in(const json::Value& object, std::string_view name) {
    const json::Value* value = object.find(name);
    return value && value->is_string() ? value->text() : std::string();
}

bool is_key(std::string_view text) {
    return !text.empty() && text.size() <= 255 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string scope_of(const api::Request& request) {
    if (!request.caller.session_key.empty())
        return request.caller.session_key;
    for (const std::string& secret :
         {std::string(request.header("X-Svc-Session")), text_in(request.body, "session_id"),
          text_in(request.query, "session_id"), std::string(request.header("X-Svc-Booking-Token")),
          text_in(request.body, "booking_token"), text_in(request.query, "booking_token")})
        if (!secret.empty())
            return "guest " + secret;
    return "address " + request.address;
}

std::string hash_of(std::initializer_list<std::string_view> parts) {
    std::string whole;
    for (const auto part : parts)
        whole.append(std::to_string(part.size())).append(":").append(part);
    return crypto::sha256_hex(whole);
}

}  // namespace svc::idempotency
