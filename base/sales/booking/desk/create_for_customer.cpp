// A booking that staff make for a customer.
#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/record/price.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {

Result<CreatedBooking> Desk::create_for_customer(NewBooking draft, const api::Caller& staff) {
    draft.source = "admin";
    if (draft.gateway.empty())
        draft.gateway = default_gateway;
    if (auto faults = faults_at_desk(draft); !faults.empty()) {
        if (const auto others = creator_.faults("", draft, staff))
            faults.insert(faults.end(), others->begin(), others->end());
        return none_of(faults).error();
    }
    if (ports_.payments && !ports_.payments->takes(draft.gateway))
        return errc::invalid_gateway;
    auto created = creator_.create("", draft, staff);
    if (!created && &created.error().code() == &errc::trip_not_found)
        // invalid rather than not found: the trip is named in the body
        return invalid("trip_id", "This trip does not exist or is not published."_sentence);
    return created;
}

}  // namespace svc::booking
