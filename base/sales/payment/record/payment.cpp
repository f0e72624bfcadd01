// The rules of a payment record that need no database.
#include "base/sales/payment/record/payment.hpp"

namespace svc::payment {

std::string Payment::reference() const {
    std::string digits = std::to_string(id);
    if (digits.size() < 6)
        digits.insert(0, 6 - digits.size(), '0');
    return "PAY-" + digits;
}

const std::vector<Transition>& transitions() {
    static const std::vector<Transition> table{
        {status::pending, status::completed, Mover::anyone},
        {status::pending, status::failed, Mover::anyone},
        {status::pending, status::cancelled, Mover::anyone},
        {status::failed, status::completed, Mover::anyone},
        {status::failed, status::pending, Mover::anyone},
        {status::cancelled, status::completed, Mover::anyone},
        {status::cancelled, status::pending, Mover::anyone},
        // A provider's capture is only undone by a refund; a manual record may be corrected.
        {status::completed, status::pending, Mover::its_recorder},
        {status::completed, status::failed, Mover::its_recorder},
        {status::completed, status::cancelled, Mover::its_recorder},
        {status::completed, status::refunded, Mover::refund}};
    return table;
}

bool may_change(std::string_view from, std::string_view to, std::string_view source) {
    if (from == to)
        return true;
    for (const Transition& row : transitions())
        if (row.from == from && row.to == to)
            return row.mover == Mover::anyone || (row.mover == Mover::its_recorder && source == "manual");
    return false;
}

Confirmation confirmation(std::string_view mode, Channel channel, bool settles_balance) {
    if (mode == "all")
        return {.should = true, .automatic = true};
    if (mode == "online")
        return {.should = channel != Channel::offline && settles_balance, .automatic = false};
    return {};
}

}  // namespace svc::payment
