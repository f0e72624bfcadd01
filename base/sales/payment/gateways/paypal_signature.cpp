// PayPal's way of signing: RSA over "id|time|webhook|CRC-32 of the body".
#include "base/sales/payment/gateways/paypal_signature.hpp"

#include <algorithm>
#include <array>

#include "base/platform/crypto/crypto.hpp"

namespace svc::payment::paypal {
namespace {

constexpr std::chrono::milliseconds certificate_time{5000};
constexpr std::size_t largest_certificate = 64 * 1024, longest_header = 1000;
constexpr std::size_t most_certificates = 256;
constexpr std::chrono::hours absent_for{1};
constexpr std::chrono::minutes clock_skew{10};  // between PayPal's clock and ours
constexpr std::string_view certificate_folder = "/v1/notifications/certs/";

Error not_signed(std::string why) { return Error(errc::webhook_rejected).because(std::move(why)); }

std::string signing_header(const WebhookCall& call, std::string_view name) {
    for (const auto& [known, value] : call.headers)
        if (known == name)
            return value;
    return {};
}

bool is_address_of_certificate(const Situation& now, std::string_view url) {
    constexpr std::string_view live[] = {"https://api.paypal.com", "https://api-m.paypal.com"};
    constexpr std::string_view sandbox[] = {"https://api.sandbox.paypal.com", "https://api-m.sandbox.paypal.com"};
    const auto folder = url.find(certificate_folder);
    if (folder == url.npos)
        return false;
    const std::string_view server = url.substr(0, folder), name = url.substr(folder + certificate_folder.size());
    const auto is_in = [&](const auto& servers) {
        return std::find(std::begin(servers), std::end(servers), server) != std::end(servers);
    };
    const bool is_theirs =
        now.api_base.empty() ? is_in(live) || (now.sandbox && is_in(sandbox)) : server == now.api_base;
    return is_theirs && !name.empty() && name.size() <= 100 &&
           name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == name.npos;
}

std::uint32_t crc32_of(std::string_view bytes) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> crcs{};
        for (std::uint32_t i = 0; i < crcs.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
            crcs[i] = value;
        }
        return crcs;
    }();
    std::uint32_t sum = ~0U;
    for (const char c : bytes)
        sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (sum >> 8U);
    return ~sum;
}

}  // namespace

Result<Transmission> transmission_of(const Situation& now, const WebhookCall& call) {
    for (const std::string_view name : signing_headers)
        if (const std::string value = signing_header(call, name); value.empty() || value.size() > longest_header)
            return not_signed("a header of the transmission is missing or too long");
    Transmission sent{.id = signing_header(call, "PayPal-Transmission-Id"),
                      .time = signing_header(call, "PayPal-Transmission-Time"),
                      .signature = {},
                      .certificate_url = signing_header(call, "PayPal-Cert-Url"),
                      .sent_at = {}};
    if (!is_address_of_certificate(now, sent.certificate_url))
        return not_signed("the certificate's address is not PayPal's");
    if (signing_header(call, "PayPal-Auth-Algo") != "SHA256withRSA")
        return not_signed("the signature is made in an unknown way");
    const auto sent_at = Instant::parse(sent.time);
    if (!sent_at || now.now.plus(clock_skew) < *sent_at)
        return not_signed("the time of the transmission is none, or lies ahead");
    sent.sent_at = *sent_at;
    auto signature = crypto::from_base64(signing_header(call, "PayPal-Transmission-Sig"));
    if (!signature || signature->empty())
        return not_signed("the signature is no signature");
    sent.signature = std::move(*signature);
    return sent;
}

Result<Proof> Certificates::check(const Situation& now, const Transmission& sent, std::string_view webhook_id,
                                  std::string_view body) const {
    std::optional<crypto::Signer> signer;
    {
        const std::lock_guard lock(mutex_);
        const auto known = entries_.find(sent.certificate_url);
        if (known == entries_.end() || known->second.until < now.now)
            return Proof::needed;
        signer = known->second.signer;
    }
    if (!signer)
        return not_signed("there is no certificate of PayPal's at its address");
    const std::string message =
        sent.id + "|" + sent.time + "|" + std::string(webhook_id) + "|" + std::to_string(crc32_of(body));
    if (!signer->signed_sha256(message, sent.signature))
        return not_signed("PayPal did not sign it");
    return Proof::given;
}

Result<void> Certificates::fetch(const Situation& now, const Transmission& sent) {
    const auto unreachable = [](const std::string& why) {
        return Error(errc::gateway_unavailable).because("PayPal's certificate: " + why);
    };
    const auto answer =
        fetch_({.url = sent.certificate_url, .timeout = certificate_time, .most_bytes = largest_certificate});
    if (!answer)
        return unreachable(answer.error().cause());
    const bool is_certain = answer->status == 200 || answer->status == 404 || answer->status == 410;
    if (!is_certain)
        return unreachable("HTTP " + std::to_string(answer->status));
    auto signer = answer->status == 200 ? crypto::Signer::from_pem(answer->body, roots_, now.now)
                                        : Result<crypto::Signer>(Error(errc::upstream_error).because("there is none"));
    const bool is_good = signer && signer->is_of("paypal.com");
    if (is_good) {
        const Instant until = signer->not_after();
        keep(sent.certificate_url, {.signer = std::move(*signer), .until = until});
        return {};
    }
    keep(sent.certificate_url, {.signer = std::nullopt, .until = now.now.plus(absent_for)});
    return not_signed(signer ? "certificate: it is not of paypal.com" : signer.error().cause());
}

// A full cache evicts by expiry: addresses without a certificate before the valid ones.
void Certificates::keep(const std::string& url, Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.insert_or_assign(url, std::move(entry));
    if (entries_.size() > most_certificates)
        entries_.erase(std::min_element(entries_.begin(), entries_.end(), [](const auto& one, const auto& other) {
            return one.second.until < other.second.until;
        }));
}

}  // namespace svc::payment::paypal
