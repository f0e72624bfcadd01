// Both texts in one, after the length of the first: any bytes, of any length.
#include "base/messaging/outbox/bodies.hpp"

#include <charconv>

namespace svc::messaging {
namespace {

std::string place_of(const std::string& template_key, const std::string& to, Instant created_at) {
    return "svc_email_outbox.body_sealed." + template_key + "." + to + "." + std::to_string(created_at.micros());
}

std::string in_one(const std::string& html, const std::string& text) {
    return std::to_string(html.size()) + ":" + html + text;
}

}  // namespace

std::string sealed_body(const crypto::Keyring& keyring, const NewEmail& email, Instant created_at) {
    return keyring.seal(in_one(email.body_html, email.body_text), place_of(email.template_key, email.to, created_at));
}

Result<void> open_body(const crypto::Keyring& keyring, LeasedEmail& email) {
    if (email.body_sealed.empty())
        return {};
    SVC_ASSIGN_OR_RETURN(const auto both,
                         keyring.open(email.body_sealed, place_of(email.template_key, email.to, email.created_at)));
    std::size_t length = 0;
    const auto* const end = both.data() + both.size();
    const auto [at, failed] = std::from_chars(both.data(), end, length);
    if (failed != std::errc{} || at == end || length >= static_cast<std::size_t>(end - at))
        return Error{errc::internal_error}.because("An e-mail's texts are not as they were sealed.");
    email.body_html.assign(at + 1, length);
    email.body_text.assign(at + 1 + length, end);
    return {};
}

std::optional<std::string> renewed_body(const crypto::Keyring& keyring, const LeasedEmail& email) {
    const auto place = place_of(email.template_key, email.to, email.created_at);
    return email.body_sealed.empty() ? keyring.seal(in_one(email.body_html, email.body_text), place)
                                     : keyring.renewed(email.body_sealed, place);
}

}  // namespace svc::messaging
