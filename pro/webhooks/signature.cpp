// Signs by HMAC-SHA256.
#include "pro/webhooks/signature.hpp"

#include "pro/crypto/hmac.hpp"

namespace svc::pro::webhooks {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t shortest_key = 24, longest_key = 64, fresh_bytes = 32;

}  // namespace

std::string fresh_key() { return crypto::random_bytes(fresh_bytes); }

std::string secret_text(std::string_view key) { return std::string(prefix) + crypto::base64(key); }

std::optional<std::string> key_of(std::string_view secret) {
    std::optional<std::string> key = std::string(secret);
    if (secret.starts_with(prefix))
        key = crypto::from_base64(secret.substr(prefix.size()));
    if (!key || key->size() < shortest_key || key->size() > longest_key)
        return std::nullopt;
    return key;
}

std::string signature(const std::vector<std::string>& keys, std::string_view id, Instant at, std::string_view body) {
    std::string signed_text(id);
    signed_text += "." + std::to_string(at.seconds()) + ".";
    signed_text += body;
    std::string all;
    for (const std::string& key : keys)
        all += (all.empty() ? "v1," : " v1,") + crypto::base64(crypto::hmac_sha256(key, signed_text));
    return all;
}

}  // namespace svc::pro::webhooks
