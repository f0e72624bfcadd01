// A booking that staff make for a customer.
#include "base/booking/record/price.hpp"
#include "base/booking/record/service.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {

Result<Made> Service::create_for_customer(NewBooking wanted, const api::Caller& staff, const Kept& kept) {
    wanted.source = "admin";
    if (wanted.gateway.empty())
        wanted.gateway = default_gateway;
    if (auto faults = faults_at_desk(wanted); !faults.empty()) {
        if (const auto others = this->faults("", wanted, staff))
            faults.insert(faults.end(), others->begin(), others->end());
        return none_of(faults).error();
    }
    if (parts_.payments && !parts_.payments->takes(wanted.gateway))
        return errc::invalid_gateway;
    auto made = create("", wanted, staff, kept);
    if (!made && &made.error().code() == &errc::trip_not_found)
        return invalid("trip_id", "This trip does not exist or is not published.");  // named in the body, not asked for
    return made;
}

Result<Booking> Service::finish_for_staff(store::Transaction& tx, std::int64_t id, const NewBooking& wanted,
                                          const api::Caller& caller, Instant now) {
    Booking booking = Repository::find(tx, id).value();
    Repository::note_made(tx, booking, wanted.made_by);
    if (wanted.paid) {
        const auto paid = parse_exact(*wanted.paid, booking.total.currency());
        if (!paid)
            return invalid("amount_paid", paid.error().message());
        if (*paid > booking.total)
            return invalid("amount_paid", "The amount paid must not exceed the total.");
        if (!paid->is_zero() && parts_.payments) {
            if (auto received = parts_.payments->receive(tx, booking, *paid, caller.user_id, now); !received)
                return received.error();
            booking = Repository::find(tx, id).value();
        }
    }
    // pending is what it was made as, whatever was paid since.
    if (const std::string& said = wanted.payment_status;
        !said.empty() && said != "pending" && said != booking.payment_status) {
        if (said != "paid" || !parts_.payments)
            return invalid("payment_status", follows_from_payments);
        if (auto received = parts_.payments->receive(tx, booking, booking.balance(), caller.user_id, now); !received)
            return received.error();
        booking = Repository::find(tx, id).value();
    }
    if (!wanted.status.empty() && booking.status != status::waitlist)
        if (auto changed = change(tx, booking, wanted.status, Cause::staff, wanted.made_by, "made so by staff", now,
                                  wanted.forced);
            !changed)
            return changed.error();
    return Repository::find(tx, id).value();
}

}  // namespace svc::booking
