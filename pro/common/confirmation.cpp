// The question to the base, and the older way.
#include "pro/common/confirmation.hpp"

namespace svc::pro {

bool confirms_on_payment(const plugin::Host& host, std::int64_t booking_id, bool settles_in_full) {
    if (const auto* modes = host.find<plugin::ConfirmModes>()) {
        const auto confirms = modes->confirms(booking_id, settles_in_full);
        return confirms && *confirms;
    }
    return true;  // a base before the three-way mode confirms every payment
}

}  // namespace svc::pro
