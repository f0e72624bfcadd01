// The rules of a payment record that need no database.
#include "base/payment/payment.hpp"

namespace svc::payment {

std::string Payment::reference() const {
    std::string digits = std::to_string(id);
    if (digits.size() < 6)
        digits.insert(0, 6 - digits.size(), '0');
    return "PAY-" + digits;
}

bool may_change(std::string_view from, std::string_view to, std::string_view source) {
    if (from == to)
        return true;
    if (from == status::pending)
        return to == status::completed || to == status::failed || to == status::cancelled;
    if (from == status::failed || from == status::cancelled)
        return to == status::completed || to == status::pending;
    // What a provider captured is undone by a refund alone; a slip of the pen in our own office may be mended.
    if (from == status::completed)
        return source == "manual" && (to == status::pending || to == status::failed || to == status::cancelled);
    return false;
}

Confirmation confirmation(std::string_view mode, Channel channel, bool settles_balance) {
    if (mode == "all")
        return {.should = channel != Channel::scheduled || settles_balance, .automatic = true};
    if (mode == "online")
        return {.should = channel != Channel::offline && settles_balance, .automatic = false};
    return {};
}

}  // namespace svc::payment
