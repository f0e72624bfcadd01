// A booking that staff make for a customer.
#include "base/booking/desk/desk.hpp"
#include "base/booking/record/price.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {

Result<Made> Desk::create_for_customer(NewBooking wanted, const api::Caller& staff) {
    wanted.source = "admin";
    if (wanted.gateway.empty())
        wanted.gateway = default_gateway;
    if (auto faults = faults_at_desk(wanted); !faults.empty()) {
        if (const auto others = creator_.faults("", wanted, staff))
            faults.insert(faults.end(), others->begin(), others->end());
        return none_of(faults).error();
    }
    if (ports_.payments && !ports_.payments->takes(wanted.gateway))
        return errc::invalid_gateway;
    auto made = creator_.create("", wanted, staff);
    if (!made && &made.error().code() == &errc::trip_not_found)
        // invalid rather than not found: the trip is named in the body
        return invalid("trip_id", "This trip does not exist or is not published.");
    return made;
}

}  // namespace svc::booking
