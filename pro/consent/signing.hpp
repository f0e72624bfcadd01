// What the recipient of a link sees and does: reads the form, signs it, fetches the signed copy.
#pragma once

#include "pro/consent/party.hpp"
#include "pro/consent/request.hpp"
#include "pro/consent/requests.hpp"
#include "pro/consent/signed.hpp"
#include "shared/plugin/host_documents.hpp"
#include "shared/plugin/host_limits.hpp"

namespace svc::pro::consent {

// Of the request, as evidence and for limits.
struct Visitor {
    std::string address, agent;
};

// Any thread, outside of transactions.
class Signing {
  public:
    Signing(const Site& site, Requests& requests, const plugin::Documents& documents, const plugin::Limits* limits)
        : site_(site), requests_(requests), documents_(documents), limits_(limits) {}

    // The form and whom it is about, as in GET /consent/form/{token}; notes that it was opened where `is_shown`: to
    // answer what somebody sent is no opening. svc_not_found: no such link; token_expired with "reason" (expired,
    // revoked, booking, test); already_signed with "signed_at" and "copy_url".
    Result<json::Value> open(std::string_view token, const Visitor& visitor, Instant now, bool is_shown = true) const;
    // `body` as in POST /consent/submit; {"id", "signed_at", "copy_url"}. Faults name the body's members.
    Result<json::Value> sign(const json::Value& body, const Visitor& visitor, Instant now) const;
    struct File {
        std::string name, bytes;
    };
    // The signed copy as PDF, until `copy_days` after the trip.
    Result<File> copy(std::string_view token, const Visitor& visitor, Instant now) const;

    // For staff: the stored file, or one without what the caller may not see or was deleted.
    Result<File> pdf_of(const Copy& signed_copy, bool with_health) const;

    static constexpr int copy_days = 90;

  private:
    // A link with all that it leads to.
    struct Opened {
        ConsentRequest request;
        Party party;
        Content content;
        std::string form_sha256;
    };
    Result<void> limit(const char* action, const Visitor& visitor, int burst) const;
    Result<Opened> find(std::string_view token, const Visitor& visitor) const;
    // The reason why it cannot be signed now.
    [[nodiscard]] Result<void> usable(const Opened& opened, std::string_view token, Instant now) const;
    [[nodiscard]] json::Value shown(const Opened& opened) const;
    Result<json::Value> test_page(std::string_view token, const Visitor& visitor, Instant now) const;
    [[nodiscard]] std::string copy_url(std::string_view token) const;
    Result<Copy> checked(const Opened& opened, const json::Value& body, const Visitor& visitor, Instant now) const;
    Result<Copy> store(const Opened& opened, std::string_view token, Copy copy, Instant now) const;

    const Site& site_;
    Requests& requests_;
    const plugin::Documents& documents_;
    const plugin::Limits* limits_;  // null: the limits of the routes alone
};

// The page of a form as it is now, of sample facts, as open() has it of a request.
json::Value page_of_test(const ConsentForm& form, const Site& site, Instant now);

}  // namespace svc::pro::consent
