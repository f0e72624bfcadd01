// Whether PayPal sent an event: its signature is checked here, by a certificate that is fetched from PayPal once.
#pragma once

#include <map>
#include <mutex>

#include "base/platform/crypto/certificate.hpp"
#include "base/sales/payment/gateways/paypal.hpp"

namespace svc::payment::paypal {

// The headers with an event's signature.
inline constexpr std::string_view signing_headers[] = {"PayPal-Transmission-Id", "PayPal-Transmission-Time",
                                                       "PayPal-Transmission-Sig", "PayPal-Cert-Url",
                                                       "PayPal-Auth-Algo"};

struct Transmission {
    std::string id, time;   // as sent: the signature covers them
    std::string signature;  // raw bytes
    std::string certificate_url;
    Instant sent_at;
};

// From the headers alone. svc_webhook_rejected with the cause: one is missing or malformed, the time is in the future,
// or the certificate's address is not PayPal's (in test mode also its sandbox's; with an operator's address for PayPal
// only that one).
Result<Transmission> transmission_of(const Situation& now, const WebhookCall& call);

// PayPal's certificates, cached by address until they expire; a failed address is cached for an hour. Any thread.
class Certificates {
  public:
    // `roots` as of crypto::Signer.
    Certificates(Fetch fetch, std::string roots) : fetch_(std::move(fetch)), roots_(std::move(roots)) {}

    // Proof::given: PayPal signed these bytes for that webhook. Proof::needed: the certificate is unknown; call `fetch`
    // first. svc_webhook_rejected: the signature is invalid.
    [[nodiscard]] Result<Proof> check(const Situation& now, const Transmission& sent, std::string_view webhook_id,
                                      std::string_view body) const;
    // Asks PayPal for the certificate at an address: one GET of 64 KiB at most, without redirects. Waits.
    // svc_gateway_unavailable: it did not answer; svc_webhook_rejected: there is no certificate of its.
    Result<void> fetch(const Situation& now, const Transmission& sent);

  private:
    struct Entry {
        std::optional<crypto::Signer> signer;  // none: the address has no certificate
        Instant until;
    };
    void keep(const std::string& url, Entry entry);

    const Fetch fetch_;
    const std::string roots_;
    mutable std::mutex mutex_;
    std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace svc::payment::paypal
