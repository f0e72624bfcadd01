// Making and proving invoice tokens.
#include "base/sales/booking/record/invoice_token.hpp"

#include <charconv>

#include "shared/core/text.hpp"

namespace svc::booking {

std::string InvoiceTokens::issue(const InvoiceOf& of, Instant at) const {
    const std::string issued = std::to_string(at.seconds());
    const std::string signs = std::to_string(of.payment_id) + ":" + std::to_string(of.booking_id) + ":" + issued + ":" +
                              text::folded(of.email);
    return "v2." + issued + "." + crypto::hex(keyring.mac("invoice_token", signs));
}

bool InvoiceTokens::proves(std::string_view token, const InvoiceOf& of, Instant now,
                           std::chrono::seconds lifetime) const {
    if (!token.starts_with("v2."))
        return false;
    const std::string_view rest = token.substr(3);
    std::int64_t issued = 0;
    const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), issued);
    // Instants end with the year 9999: a later second was never issued, and the sums below would overflow.
    if (failed != std::errc{} || issued < 0 || issued > 253'402'300'799)
        return false;
    const Instant at = Instant::from_micros(issued * 1'000'000);
    if (!keyring.any(
            [&](const crypto::Keyring& one) { return crypto::equal(InvoiceTokens{one}.issue(of, at), token); }))
        return false;
    return now.seconds() - issued <= lifetime.count();
}

}  // namespace svc::booking
